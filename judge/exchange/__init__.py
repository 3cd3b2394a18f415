"""Whole datasets in and out: an import is whole or not there, an export says what it loses."""
