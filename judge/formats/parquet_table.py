"""The judgments as one Parquet file, with what they rest on in its metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.core import arrow
from judge.core.files import told_as
from judge.formats.reading.json_text import dump
from judge.formats.writing.output import place_of_file
from judge.formats.writing.table import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from judge.formats.writing.table import Row

NAME = "parquet"
TITLE = "Parquet table, one judgment in a row (written only)"
METADATA = "export"
"""The key under which the file's metadata hold what `export.json` would say."""


def write_rows(
    rows: Iterable[Row], facts: Mapping[str, Any], path: Path, *, force: bool = False
) -> list[Path]:
    """Write the table.

    Args:
        rows: In the order in which they shall stand.
        facts: What `export.json` says of the collection.
        path: Where the table shall stand.
        force: Replace what stands there.

    Returns:
        The file that was written.

    Raises:
        InputError: The path exists and `force` is off, or is no regular file.
        OSError: The disk refused; nothing has changed then.
    """
    place = place_of_file(path, force=force)
    columns = dict(zip(SCHEMA.names, zip(*rows, strict=True), strict=False))
    filled = {name: list(columns.get(name, ())) for name in SCHEMA.names}
    with told_as(place, path):
        arrow.write(place, SCHEMA, filled, {METADATA: dump(dict(facts))})
    return [path]
