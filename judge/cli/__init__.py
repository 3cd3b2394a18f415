"""The command line: the only package that writes to stdout, one file per group of commands."""
