"""How a document becomes lines: piece by piece, no further than it is read, whatever its size."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from judge.core.text import Shown, show
from judge.tui.marking import find
from judge.tui.text.cells import Ruler
from judge.tui.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judge.tui.text.wrap import Break

PIECE = 1_000
"""Code points that are prepared at once: a screen of text takes a few pieces."""


class Run(NamedTuple):
    """A stretch of one line that is drawn alike."""

    text: str
    matched: bool


@dataclass(frozen=True)
class Piece:
    """A part of a text, prepared for the screen.

    Attributes:
        start: Where it starts in the stored text, in code points; `end` likewise.
        shown: The part as it is drawn, with the map of places.
        breaks: Its lines.
        terms: The terms to find in it.
    """

    start: int
    end: int
    shown: Shown
    breaks: list[Break]
    terms: frozenset[str]

    @cached_property
    def matches(self) -> list[tuple[int, int]]:
        """Where the terms stand in the drawn text: (start, end), ascending, not overlapping."""
        as_stored = self.shown.text is self.shown.original
        found: list[tuple[int, int]] = []
        for start, end in find(self.shown.original, self.terms):
            if not as_stored:
                start, end = self.shown.position(start), self.shown.position(end)
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(end, found[-1][1]))
            else:
                found.append((start, end))
        return found


class Line(NamedTuple):
    """One line of a flow: which piece, and which of its breaks."""

    piece: Piece
    number: int

    @property
    def text(self) -> str:
        """What is drawn, without the blanks at its end."""
        start, end = self.piece.breaks[self.number]
        return self.piece.shown.text[start:end].rstrip()

    @property
    def origin(self) -> int:
        """Where the line starts in the stored text, in code points."""
        start = self.piece.breaks[self.number].start
        return self.piece.start + self.piece.shown.origin(start)

    def runs(self) -> list[Run]:
        """Divide the line into stretches with and without a match, cut between characters."""
        text = self.text
        start = self.piece.breaks[self.number].start
        if not self.piece.matches:
            return [Run(text, matched=False)] if text else []
        runs: list[Run] = []
        done = 0
        ruler = None if text.isascii() else Ruler(text)
        for left, right in _within(self.piece.matches, start, start + len(text)):
            left, right = left - start, right - start
            if ruler is not None:
                left, right = ruler.snap(left, right)
            left = max(left, done)
            if right <= left:
                continue
            if left > done:
                runs.append(Run(text[done:left], matched=False))
            runs.append(Run(text[left:right], matched=True))
            done = right
        if done < len(text):
            runs.append(Run(text[done:], matched=False))
        return runs


def _within(places: list[tuple[int, int]], start: int, end: int) -> Iterable[tuple[int, int]]:
    """Give the parts of the places that lie in [start, end)."""
    index = max(0, bisect_right(places, (start, start)) - 1)
    while index < len(places) and places[index][0] < end:
        left, right = max(start, places[index][0]), min(end, places[index][1])
        if left < right:
            yield left, right
        index += 1


class Flow:
    """The lines of one text at one width.

    Args:
        text: A stored text, as it is.
        width: Cells of a line.
        terms: Terms (of `judge.core.text`) to mark.
    """

    def __init__(self, text: str, width: int, terms: frozenset[str] = frozenset()) -> None:
        self.width = max(1, width)
        self._text, self._terms = text, terms
        self._next = 0
        self._lines: list[Line] = []

    @property
    def done(self) -> bool:
        """Whether the whole text has become lines."""
        return self._next >= len(self._text)

    @property
    def share(self) -> float:
        """Which part of the text has become lines, 0 to 1."""
        return self._next / len(self._text) if self._text else 1.0

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

    def find(self, origin: int) -> int:
        """Give the number of the line that holds this place of the stored text."""
        while not self.done and self._next <= origin:
            self._add_piece()
        return max(0, bisect_right(self._lines, origin, key=lambda line: line.origin) - 1)

    def _add_piece(self) -> None:
        start = self._next
        end = _piece_end(self._text, start)
        shown = show(self._text[start:end])
        breaks = wrap(shown.text, self.width)
        if end < len(self._text) and not shown.text.endswith("\n") and len(breaks) > 1:
            # The last line goes on in the next piece.
            cut = breaks[-1].start
            if origin := shown.origin(cut):
                breaks, end = breaks[:-1], start + origin
                shown = Shown(shown.text[:cut], self._text[start:end])
        piece = Piece(start, end, shown, breaks, self._terms)
        self._lines += [Line(piece, index) for index in range(len(breaks))]
        self._next = end


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
