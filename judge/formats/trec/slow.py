"""How files are read line by line, and how every fault in them is explained."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.arrow import Categories, Strings
from judge.core.errors import MAX_LISTED, InputError, Problem, listed, quoted
from judge.core.files import read_lines
from judge.core.tables.problems import Origin
from judge.formats.trec.layouts import A_RUN, HIGHEST, fitting, guess, is_header
from judge.formats.trec.odd import read_tidied
from judge.formats.trec.rows import Rows, joined

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeVar

    from numpy.typing import NDArray

    from judge.formats.trec.layouts import Layout

    Table = TypeVar("Table")

CHUNK = 1 << 16
"""Lines held as Python objects at once."""


class Faults:
    """The problems of one file: as many in words as are listed, all of them counted."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path, self._layout = path, layout
        self._problems: list[Problem] = []
        self.count = 0
        self.guess = ""
        """What the file is in truth, where its first lines show it."""

    def add(self, line: int, message: str, field: str | None = None) -> None:
        """Take one problem."""
        self.count += 1
        if len(self._problems) < MAX_LISTED:
            expected = self._layout.expected
            self._problems.append(Problem(message, self._path, line, field, expected))

    def error(self, more: InputError | None = None) -> InputError:
        """One error of all problems, with those of `more` put where their lines are."""
        found = [*self._problems, *(more.problems if more else ())]
        found.sort(key=lambda problem: math.inf if problem.line is None else problem.line)
        others = len(more.problems) if more else 0
        if self.guess:
            found.insert(0, Problem(self.guess, self._path))
            others += 1
        return InputError(*listed(found, self.count + others, self._path))


class Slow(NamedTuple):
    """What the slow reader found: good rows, faults, and the layout that it took the file for."""

    rows: Rows
    faults: Faults
    layout: Layout
    origin: Origin
    wide: int
    """Lines that have more columns than were looked at."""

    def build(self, make: Callable[[], Table]) -> Table:
        """Make a table of the rows.

        Raises:
            InputError: All problems: those of lines, and those that the table found between them.
        """
        try:
            table = make()
        except InputError as error:
            raise self.faults.error(error) from None
        if self.faults.count:
            raise self.faults.error()
        return table


def read_slowly(path: Path, own: Layout, short: Layout) -> Slow:
    """Read a file whatever its white space, line by line where it has faults.

    Raises:
        InputError: The file is missing, may not be read, or holds no rows.
        FormatError: It is not UTF-8, or damaged gzip.
    """
    lines = read_lines(path)
    first = list(islice(lines, CHUNK))
    layout = fitting([line for _, line in first], own, short)
    faults = Faults(path, layout)
    faults.guess = guess([line for _, line in first], layout)
    if faults.guess == A_RUN:
        # Its ranks would be taken for grades without a word.
        raise InputError(Problem(A_RUN, path, expected=layout.expected))
    tidied = read_tidied(path, layout, [line for _, line in first])
    if tidied is not None:
        rows = tidied.rows
        return Slow(rows, faults, layout, Origin(path, rows.lines), tidied.wide)
    parts: list[Rows] = []
    wide = 0
    for chunk in chain([first], iter(lambda: list(islice(lines, CHUNK)), [])):
        fields = _good(chunk, layout, faults, header=not parts)
        wide += sum(len(row) > layout.width for _, row in fields)
        parts.append(_columns(fields, layout, faults))
    rows = joined(parts)
    if not len(rows.lines) and not faults.count:
        text = "there are no rows" if first else "the file is empty"
        raise InputError(Problem(text, path, expected=layout.expected))
    return Slow(rows, faults, layout, Origin(path, rows.lines), wide)


Fields = list[tuple[int, list[str]]]


def _good(chunk: list[tuple[int, str]], layout: Layout, faults: Faults, *, header: bool) -> Fields:
    """The columns of the lines that have enough of them."""
    rows = [(number, layout.fields(line)) for number, line in chunk]
    rows = [row for row in rows if row[1]]
    if header and rows and layout.exact and is_header(rows[0][1]):
        del rows[0]
    return [row for row in rows if _fits(*row, layout, faults)]


def _fits(number: int, fields: list[str], layout: Layout, faults: Faults) -> bool:
    width = layout.width
    if len(fields) < width or (layout.exact and len(fields) > width):
        faults.add(number, f"expected {width} columns, found {len(fields)}")
        return False
    if layout.at_tabs and not all(field.strip(" ") for field in fields):
        faults.add(number, "a column is empty")
        return False
    return True


def _columns(fields: Fields, layout: Layout, faults: Faults) -> Rows:
    numbers = _numbers(fields, layout, faults)
    good = np.flatnonzero(~np.isnan(numbers))
    rows = [fields[i] for i in good.tolist()]
    ranks = None
    if layout.rank is not None:
        at = layout.rank
        ranks = np.array([_number(row[at]) for _, row in rows], np.float64)
    return Rows(
        Categories.of(row[layout.query] for _, row in rows),
        Strings.of([row[layout.doc] for _, row in rows]),
        numbers[good],
        ranks,
        np.array([number for number, _ in rows], np.int64),
    )


def _numbers(fields: Fields, layout: Layout, faults: Faults) -> NDArray[np.float64]:
    """The number of each row; NaN, and a fault, where it is none."""
    at = layout.number
    numbers = np.array([_number(row[at]) for _, row in fields], np.float64)
    name = layout.number_name
    wrong = ~layout.takes(numbers)
    if name != "score":
        wrong |= ~np.array([_is_exact(row[at]) for _, row in fields], bool)
    for i in np.flatnonzero(wrong).tolist():
        line, row = fields[i]
        faults.add(line, f"{quoted(row[at])} is not {_wanted(row[at], name)}", name)
    numbers[wrong] = np.nan
    return numbers


def _wanted(text: str, name: str) -> str:
    if name != "score":
        number = _number(text)
        too_high = math.isfinite(number) and number.is_integer() and abs(number) > HIGHEST
        return f"a whole number up to {HIGHEST}" if too_high else "a whole number"
    return "a number" if math.isnan(_number(text)) else "a finite number"


def _is_exact(text: str) -> bool:
    """Whether a text is the number that it is read as; what rounding made whole is not."""
    if text.isdecimal():
        return True
    number = _number(text)
    try:
        return not number.is_integer() or Decimal(text) == number
    except InvalidOperation:  # an exponent of twenty digits
        return False


def _number(text: str) -> float:
    """The number that a text is, NaN if it is none, as `1_000` and digits of other scripts."""
    if "_" in text or not text.isascii():
        return math.nan
    try:
        return float(text)
    except ValueError:
        return math.nan
