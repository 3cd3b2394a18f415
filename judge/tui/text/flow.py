"""How a document becomes lines: piece by piece, no further than it is read, whatever its size."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from judge.core.text import Shown, show
from judge.tui.marking import Mark, Marks
from judge.tui.text.cells import Ruler
from judge.tui.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from judge.tui.text.wrap import Break

PIECE = 1_000
"""Code points that are prepared at once: a screen of text takes a few pieces."""
PARAGRAPH = 4_000
"""Code points that are laid out before a place at most, to begin with a paragraph."""
HANG = 4
"""Cells by which a row of a table goes on further right than it began, so that rows are told apart.

A paragraph with a tab is such a row.
"""
NO_MARKS = Marks()
_LINE_ENDS = "\n\x85\u2028\u2029"


class Run(NamedTuple):
    """A stretch of one line that is drawn alike; its role is empty if nothing marks it."""

    text: str
    role: str


@dataclass(frozen=True)
class Piece:
    """A part of a text, prepared for the screen.

    Attributes:
        start: Where it starts in the stored text, in code points; `end` likewise.
        shown: The part as it is drawn, with the map of places.
        breaks: Its lines.
        marks: What to mark in it.
    """

    start: int
    end: int
    shown: Shown
    breaks: list[Break]
    marks: Marks

    @cached_property
    def found(self) -> list[Mark]:
        """What is marked in the drawn text, ascending, not overlapping; the query's words first."""
        kept: list[Mark] = []
        for start, end, role in sorted(self.marks.find(self.shown.original)):
            start, end = self.drawn(start), self.drawn(end)
            if not kept or start >= kept[-1].end:
                kept.append(Mark(start, end, role))
            elif role == kept[-1].role:
                kept[-1] = kept[-1]._replace(end=max(end, kept[-1].end))
            elif role == "match":
                kept[-1] = Mark(start, end, role)
        return kept

    def drawn(self, place: int) -> int:
        """Give the place in the drawn text of a place in this part of the stored text."""
        return place if self._is_as_stored else self.shown.position(place)

    @cached_property
    def _is_as_stored(self) -> bool:
        return self.shown.text == self.shown.original


class Line(NamedTuple):
    """One line of a flow: which piece, and which of its breaks."""

    piece: Piece
    number: int

    @property
    def text(self) -> str:
        """What is drawn, without the blanks at its end."""
        start, end, _ = self.piece.breaks[self.number]
        return self.piece.shown.text[start:end].rstrip()

    @property
    def indent(self) -> int:
        """How many cells further right it is drawn."""
        return self.piece.breaks[self.number].indent

    @property
    def origin(self) -> int:
        """Where the line starts in the stored text, in code points."""
        start = self.piece.breaks[self.number].start
        return self.piece.start + self.piece.shown.origin(start)

    @property
    def end(self) -> int:
        """Where the line ends in the stored text, without the blanks at its end."""
        start = self.piece.breaks[self.number].start
        return self.piece.start + self.piece.shown.origin(start + len(self.text))

    def runs(self, over: Sequence[Mark] = ()) -> list[Run]:
        """Divide the line where what marks it changes, between characters.

        Args:
            over: More marks, in places of the stored text; each covers those before it, and all
                cover those of the query but the ones of the role `evidence`.
        """
        text = self.text
        first = self.piece.breaks[self.number].start
        marks = list(_within(self.piece.found, first, first + len(text)))
        if over:
            piece = self.piece
            drawn = [
                Mark(piece.drawn(start - piece.start), piece.drawn(end - piece.start), role)
                for start, end, role in over
            ]
            under = [mark for mark in drawn if mark.role == "evidence"]
            marks = [*under, *marks, *(mark for mark in drawn if mark.role != "evidence")]
        if not marks:
            return [Run(text, "")] if text else []
        return _painted(text, [Mark(start - first, end - first, r) for start, end, r in marks])


def _painted(text: str, marks: Sequence[Mark]) -> list[Run]:
    """Divide a line; where marks overlap, the last one is seen."""
    ruler = None if text.isascii() else Ruler(text)
    length = len(text)
    places: list[Mark] = []
    for start, end, role in marks:
        start, end = max(0, start), min(length, end)
        if start < end:
            left, right = ruler.snap(start, end) if ruler is not None else (start, end)
            places.append(Mark(left, right, role))
    borders = {0, length, *(p.start for p in places), *(p.end for p in places)}
    runs: list[Run] = []
    for left, right in pairwise(sorted(borders)):
        role = next((p.role for p in reversed(places) if p.start <= left < p.end), "")
        if runs and runs[-1].role == role:
            runs[-1] = Run(runs[-1].text + text[left:right], role)
        else:
            runs.append(Run(text[left:right], role))
    return runs


def _within(marks: list[Mark], start: int, end: int) -> Iterable[Mark]:
    """Give the marks that reach into [start, end)."""
    index = max(0, bisect_right(marks, start, key=_start) - 1)
    while index < len(marks) and marks[index].start < end:
        if marks[index].end > start:
            yield marks[index]
        index += 1


_start = attrgetter("start")


class Flow:
    """The lines of one text at one width, from some place on.

    Args:
        text: A stored text, as it is.
        width: Cells of a line.
        marks: What to mark in it.
        start: Where the first line starts, in code points of the text.
        end: Where the last line ends; None: with the text.

    Attributes:
        start: Where the first line starts; `extend_up` makes it less.
    """

    def __init__(
        self,
        text: str,
        width: int,
        marks: Marks = NO_MARKS,
        *,
        start: int = 0,
        end: int | None = None,
    ) -> None:
        self.width, self.start = max(1, width), start
        self._text, self._marks = text, marks
        self._end = len(text) if end is None else min(end, len(text))
        self._next = start
        self._lines: list[Line] = []

    @classmethod
    def around(cls, text: str, width: int, marks: Marks, origin: int) -> Flow:
        """Make a flow that starts with the paragraph of a place, or not far before that place."""
        return cls(text, width, marks, start=_paragraph_start(text, min(origin, len(text))))

    @property
    def done(self) -> bool:
        """Whether the whole text has become lines."""
        return self._next >= self._end

    @property
    def reach(self) -> int:
        """Up to which place the text has become lines."""
        return self._next

    def __len__(self) -> int:
        """Give how many lines there are so far."""
        return len(self._lines)

    def line(self, index: int) -> Line | None:
        """Give a line, made if need be; None after the end."""
        self.extend(index + 1)
        return self._lines[index] if 0 <= index < len(self._lines) else None

    def extend(self, lines: int | None = None) -> None:
        """Make lines until there are `lines` of them, or all."""
        while not self.done and (lines is None or len(self._lines) < lines):
            self._add_piece()

    def extend_up(self) -> int:
        """Make the lines of the paragraph before the first one; says how many there are."""
        if not self.start:
            return 0
        end, self.start = self.start, _paragraph_start(self._text, self.start - 1)
        above = Flow(self._text, self.width, self._marks, start=self.start, end=end)
        above.extend()
        self._lines = above._lines + self._lines
        return len(above._lines)

    def find(self, origin: int) -> int:
        """Give the number of the line that holds this place of the stored text."""
        while not self.done and self._next <= origin:
            self._add_piece()
        return max(0, bisect_right(self._lines, origin, key=lambda line: line.origin) - 1)

    def _add_piece(self) -> None:
        start = self._next
        end = min(self._end, _piece_end(self._text, start))
        shown = show(self._text[start:end])
        hanging, first = self._hanging(shown, start)
        breaks = wrap(shown.text, self.width, hanging, first=first)
        if end < self._end and not shown.text.endswith("\n") and len(breaks) > 1:
            # The last line goes on in the next piece.
            cut = breaks[-1].start
            if origin := shown.origin(cut):
                breaks, end = breaks[:-1], start + origin
                shown = Shown(shown.text[:cut], self._text[start:end])
        piece = Piece(start, end, shown, breaks, self._marks)
        self._lines += [Line(piece, index) for index in range(len(breaks))]
        self._next = end

    def _hanging(self, shown: Shown, start: int) -> tuple[Mapping[int, int], int]:
        """Give the indents of the rows of tables in a piece, and that of its first line."""
        text, most = shown.text, self.width // 3
        indents: dict[int, int] = {}
        for tab in _tabs(shown.original):
            row = text.rfind("\n", 0, shown.position(tab)) + 1
            if row not in indents:
                line = text[row : row + most]
                indents[row] = min(most, len(line) - len(line.lstrip(" ")) + HANG)
        if not start or self._text[start - 1] in _LINE_ENDS:
            return indents, 0
        # The piece goes on with a paragraph that began before it.
        began = self._text.rfind("\n", max(0, start - PARAGRAPH), start) + 1
        if 0 in indents or "\t" in self._text[max(began, start - PARAGRAPH) : start]:
            indents[0] = min(most, HANG)
        return indents, indents.get(0, 0)


def _tabs(text: str) -> Iterable[int]:
    """Give the places of all tabs."""
    at = text.find("\t")
    while at >= 0:
        yield at
        at = text.find("\t", at + 1)


def _paragraph_start(text: str, place: int) -> int:
    """Give the start of the paragraph of a place; if that is far, a word's or character's."""
    floor = max(0, place - PARAGRAPH)
    newline = text.rfind("\n", floor, place)
    if newline >= 0 or not floor:
        return newline + 1
    blank = text.find(" ", floor, place)
    if blank >= 0:
        return blank + 1
    return floor + Ruler(text[floor : floor + PIECE]).snap(1, 1)[1]


def _piece_end(text: str, start: int) -> int:
    """Give where a piece ends: after a line feed, else a blank, else between two characters."""
    end = start + PIECE
    if end >= len(text):
        return len(text)
    newline = text.find("\n", end - 1, end + PIECE)
    if newline >= 0:
        return newline + 1
    blank = text.rfind(" ", start + 1, end)
    if blank >= 0:
        return blank + 1
    if text[end - 1] == "\r":
        return end + 1
    ruler = Ruler(text[start : end + 1])
    return start + ruler.cut_at_or_before(PIECE, 0)
