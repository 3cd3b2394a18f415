"""The outside formats, one per file: how each is recognised, read and written."""
