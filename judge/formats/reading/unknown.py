"""What can be said of a path that is in no known format, so that a person knows what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.errors import FormatError, InputError, Problem
from judge.core.files import read_text
from judge.formats.reading.fields import listed
from judge.formats.reading.intake import AS_IT_STANDS, Intake
from judge.formats.reading.json_lines import kind, read_records
from judge.formats.reading.json_text import JsonFault, is_json, parse
from judge.formats.trec.layouts import RUN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def unknown(path: Path, titles: str, read_columns: Callable[[Path], object]) -> InputError:
    """The error for a path that no format takes.

    Args:
        path: A file or folder that is there.
        titles: What would have been taken.
        read_columns: Reads text in columns, which is what plain text most likely wants to be.
    """
    if path.is_dir():
        there = ", ".join(sorted(p.name for p in path.iterdir())[:10]) or "nothing"
        return InputError(
            Problem(f"no known format; the folder holds {there}", path, None, None, titles)
        )
    try:
        text = read_text(path)
    except InputError as error:
        return error
    if text.lstrip()[:1] not in ("{", "["):
        return _columns(path, text, titles, read_columns)
    try:
        value = parse(text)
    except JsonFault as fault:
        if not is_json(text.lstrip().partition("\n")[0]):
            return FormatError(Problem(fault.message, path=path, line=fault.line))
        return _json_lines(path, titles)
    what = f"JSON, {kind(value)}"
    if isinstance(value, dict):
        what += f" with the keys {listed(value)}"
    return InputError(
        Problem(f"is {what}, in no format that is known here", path, None, None, titles)
    )


def _columns(
    path: Path, text: str, titles: str, read_columns: Callable[[Path], object]
) -> InputError:
    """The error for plain text, with the first fault of the format that is nearest."""
    message = "is in no format that is known here"
    first_line = RUN.fields(text.lstrip("\r\n \t").partition("\n")[0])
    if len(first_line) >= RUN.width and first_line[1].upper() == "Q0":
        message += "; it looks like a run, which `judge score` and `judge pool` take with --run"
        return InputError(Problem(message, path, expected=titles))
    try:
        read_columns(path)
    except InputError as error:
        first = error.problems[0]
        place = f"{first.field}: " if first.field else ""
        wanted = f" (expected: {first.expected})" if first.expected else ""
        message += f"; as trec it is refused at line {first.line or 1}: {place}{first.message}"
        return InputError(Problem(f"{message}{wanted}", path, expected=titles))
    message += "; as trec it can be read, with --from trec"
    return InputError(Problem(message, path, expected=titles))


def _json_lines(path: Path, titles: str) -> InputError:
    intake = Intake(AS_IT_STANDS)
    keys: dict[str, None] = {}
    for _, record in read_records(path, intake):
        keys.update(dict.fromkeys(record))
    try:
        intake.finish()
    except InputError as error:
        return error
    message = f"is JSON Lines with the keys {listed(keys)}, which is one part of a collection"
    return InputError(Problem(message, path=path, expected=titles))
