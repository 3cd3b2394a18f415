"""Where the lines of a text break: at blanks, beside wide characters, never inside a character."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge.tui.text.cells import Ruler

if TYPE_CHECKING:
    from collections.abc import Mapping


class Break(NamedTuple):
    """One line of a text: `text[start:end]`; blanks and a line feed at its end are not drawn.

    It is drawn `indent` cells further right than the text itself begins.
    """

    start: int
    end: int
    indent: int = 0


def wrap(
    text: str, width: int, hanging: Mapping[int, int] | None = None, *, first: int = 0
) -> list[Break]:
    """Break a text into lines of at most `width` cells.

    A line ends after the blanks at which it breaks, so the lines cover the text without gaps. A
    character that alone is wider than `width` stands on a line of its own.

    Args:
        text: Safe text; line feeds end lines.
        width: Cells of a line, at least 1.
        hanging: Where paragraphs start whose lines after the first are indented, and by how much.
        first: By how much the very first line is indented.

    Returns:
        The lines in order; none for an empty text, and no empty line after a last line feed.

    >>> [text[b.start:b.end] for text in ["one two  three"] for b in wrap(text, 8)]
    ['one two  ', 'three']
    >>> wrap("one two", 5, {0: 2})
    [Break(start=0, end=4, indent=0), Break(start=4, end=7, indent=2)]
    """
    width = max(1, width)
    lines: list[Break] = []
    start = 0
    while start < len(text):
        newline = text.find("\n", start)
        end = len(text) if newline < 0 else newline
        paragraph = text[start:end]
        later = hanging.get(start, 0) if hanging else 0
        widths = max(1, width - first), max(1, width - later)
        cuts = _cuts_plain(paragraph, *widths) if paragraph.isascii() else _cuts(paragraph, *widths)
        after = end if newline < 0 else end + 1
        places = [start, *(start + cut for cut in cuts), after]
        lines += map(Break, places[:-1], places[1:], [first, *(later for _ in cuts)])
        start, first = after, 0
    return lines


def _cuts_plain(text: str, width: int, later: int) -> list[int]:
    """Give the places where a paragraph breaks in which every character is one cell.

    Its first line has room for `width` cells, each further one for `later`.
    """
    cuts: list[int] = []
    start, length = 0, len(text)
    while length - start > width:
        blank = text.rfind(" ", start, start + width + 1)
        # A line of nothing but indentation helps nobody: what follows it is cut instead.
        start = blank if blank > start and text[start:blank].strip() else start + width
        while start < length and text[start] == " ":
            start += 1
        if start < length:
            cuts.append(start)
        width = later
    return cuts


def _cuts(text: str, width: int, later: int) -> list[int]:
    """Give the places where a paragraph of any characters breaks; likewise."""
    ruler = Ruler(text)
    cuts: list[int] = []
    start, length = 0, len(text)
    while True:
        reach = ruler.reach(start, width)
        if reach >= length:
            return cuts
        start = _next_start(ruler, start, reach)
        while start < length and ruler.is_blank(start):
            start += 1
        if start >= length:
            return cuts
        cuts.append(start)
        width = later


def _next_start(ruler: Ruler, start: int, reach: int) -> int:
    """Give where the next line starts, when this one has room up to `reach`."""
    if ruler.is_blank(reach) and ruler.is_boundary(reach):
        return reach
    for place in range(reach, start, -1):
        if ruler.may_break(place):
            return place
    place = ruler.cut_at_or_before(reach, start)
    if place > start:
        return place
    # Not even one character fits: it gets a line of its own.
    place = start + 1
    while not ruler.is_boundary(place):
        place += 1
    return place
