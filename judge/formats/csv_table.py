"""The judgments as CSV: UTF-8 without a mark, LF, one header line, quoted as RFC 4180 says.

A cell holds exactly what the data hold, also where a spreadsheet would take it for a formula
(`=1+1`) or a number (`007`): the file is for programs. With `--spreadsheet` it is for people: a
text that a spreadsheet would run as a formula, because it starts with one of `= + - @`, their wide
forms, a tab or a line break, gets an apostrophe in front, as does one that starts with an
apostrophe, so that taking one away gives the data again. Numbers stay as they are. A missing value
is an empty cell, moments are ISO 8601 in UTC.

What the columns mean, and how several annotators became one grade, stands beside it in
`<name>.export.json`. This format is written, not read.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from judge.formats.writing.output import write_files
from judge.formats.writing.table import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from judge.formats.writing.table import Row

NAME = "csv"
TITLE = "CSV table, one judgment in a row (written only)"
_SPECIAL = re.compile(r'[",\r\n]|^\s|\s$')
_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r\n']")


def write_rows(
    rows: Iterable[Row],
    facts: Mapping[str, Any],
    path: Path,
    *,
    force: bool = False,
    spreadsheet: bool = False,
) -> list[Path]:
    """Write the table and the file beside it.

    Args:
        rows: In the order in which they shall stand.
        facts: What `export.json` says of the collection.
        path: Where the table shall stand.
        force: Replace what stands there.
        spreadsheet: Put an apostrophe before texts that would be run as formulas.

    Returns:
        The files that were written.

    Raises:
        InputError: One of the two files exists and `force` is off, or is no regular file.
        OSError: The disk refused; nothing has changed then.
    """
    beside = path.with_name(f"{path.name.removesuffix('.csv')}.export.json")
    facts = {**facts, "columns": SCHEMA.names} | ({"spreadsheet": True} if spreadsheet else {})
    text = json.dumps(facts, ensure_ascii=False, indent=1)
    made = harmless if spreadsheet else cell

    def fill(file: IO[bytes]) -> None:
        file.write((",".join(SCHEMA.names) + "\n").encode("utf-8"))
        for row in rows:
            file.write((",".join(map(made, row)) + "\n").encode("utf-8"))

    write_files({path: fill, beside: (text + "\n").encode("utf-8")}, force=force)
    return [path, beside]


def harmless(value: str | float | datetime | None) -> str:
    """One value as a cell that no spreadsheet runs.

    >>> harmless("=1+1"), harmless("-42"), harmless(-42), harmless("a-b")
    ("'=1+1", "'-42", '-42', 'a-b')
    """
    risky = isinstance(value, str) and _FORMULA.match(value)
    return cell(f"'{value}" if risky else value)


def cell(value: str | float | datetime | None) -> str:
    """One value as a cell.

    >>> cell("a, b"), cell(None), cell(True), cell("=1+1")
    ('"a, b"', '', 'true', '=1+1')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text
