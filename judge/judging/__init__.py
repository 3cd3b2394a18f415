"""People judge: labels on disk, how several opinions become one, what to judge, and the session."""
