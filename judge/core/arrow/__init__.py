"""The only door to pyarrow: columns to and from Parquet and text, with strings as numpy views."""

from judge.core.arrow.columns import Columns
from judge.core.arrow.delimited import line_blocks, read_delimited
from judge.core.arrow.parquet import (
    Column,
    Frame,
    Kind,
    Schema,
    Writer,
    read,
    read_batches,
    read_columns,
    read_metadata,
    utc,
    write,
)
from judge.core.arrow.strings import Categories, Strings

__all__ = [
    "Categories",
    "Column",
    "Columns",
    "Frame",
    "Kind",
    "Schema",
    "Strings",
    "Writer",
    "line_blocks",
    "read",
    "read_batches",
    "read_columns",
    "read_delimited",
    "read_metadata",
    "utc",
    "write",
]
