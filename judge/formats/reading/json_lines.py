"""How the records of a JSON Lines file, or of a JSON array in its place, come with their lines."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from judge.core.errors import FormatError
from judge.core.files import read_lines, read_text, regular
from judge.formats.reading.intake import Intake, Where
from judge.formats.reading.json_text import JsonFault, is_json, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Record = tuple[Where, dict[str, Any]]

SHAPE = "JSON Lines, one object on each line, or one JSON array of objects"


def read_records(path: Path, intake: Intake) -> Iterator[Record]:
    """The objects of a file, in order, each with its place; faults go to the intake.

    JSON Lines is read line by line with bounded memory; a JSON array is read whole. Blank lines
    are skipped but counted. Records that cannot be taken are reported and left out.

    Raises:
        InputError: The file is missing, may not be read, or cannot be read twice, such as a pipe.
    """
    intake.read(regular(path))
    lines = _decoded_lines(path, intake)
    first = next(((n, line) for n, line in lines if line.strip()), None)
    if first is None:
        return
    if first[1].lstrip().startswith("["):
        yield from _array_records(path, intake)
    elif first[1].lstrip().startswith("{") and _spans_lines(path, first[1]):
        message = "one JSON object over several lines"
        intake.malformed(Where(path, first[0]), message, SHAPE)
    else:
        yield from _line_records(path, chain([first], lines), intake)


def _decoded_lines(path: Path, intake: Intake) -> Iterator[tuple[int, str]]:
    try:
        yield from read_lines(path)
    except FormatError as error:
        intake.take(error)


def _spans_lines(path: Path, first: str) -> bool:
    """Whether the file is one object that does not end on the line where it begins."""
    if is_json(first):
        return False
    try:
        return is_json(read_text(path))
    except FormatError:
        return False


def _line_records(path: Path, lines: Iterator[tuple[int, str]], intake: Intake) -> Iterator[Record]:
    for number, line in lines:
        if not line or line.isspace():
            continue
        where = Where(path, number)
        try:
            value = parse(line)
        except JsonFault as fault:
            intake.malformed(where, fault.message, None if line.lstrip()[0] in "[{" else SHAPE)
            continue
        if isinstance(value, dict):
            yield where, value
        else:
            intake.invalid(where, f"{kind(value)} and not an object", SHAPE)


def _array_records(path: Path, intake: Intake) -> Iterator[Record]:
    try:
        text = read_text(path)
        values = parse(text)
    except FormatError as error:
        intake.take(error)
        return
    except JsonFault as fault:
        intake.malformed(Where(path, fault.line), fault.message)
        return
    intake.lines_of(path, text)
    for index, value in enumerate(values if isinstance(values, list) else []):
        where = Where(path, None, (index,))
        if isinstance(value, dict):
            yield where, value
        else:
            intake.invalid(where, f"{kind(value)} and not an object")


def kind(value: object) -> str:
    """What a JSON value is, for a message.

    >>> kind(None), kind([1]), kind(True)
    ('null', 'a list', 'true')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    names = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names[type(value)]
