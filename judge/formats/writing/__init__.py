"""How an export gets to disk whole, and how what it loses is told, whatever the format."""
