"""How a number becomes a bar of blocks with its interval, in any width and without colours."""

from __future__ import annotations

from itertools import groupby

from judge.tui.widgets.ink import Span

PARTS = " ▏▎▍▌▋▊▉█"
"""A cell filled to none, one, ..., eight eighths."""
LOW, HIGH, BOTH, REACH, TRACK = "├", "┤", "┼", "─", "·"


def bar(
    value: float | None,
    width: int,
    *,
    low: float | None = None,
    high: float | None = None,
    top: float = 1.0,
    role: str = "accent",
) -> list[Span]:
    """Draw a value from 0 to `top` as a bar of `width` cells, to an eighth of a cell.

    The cell of the lower bound is a notch in the bar, from its end a line reaches to the upper one.
    What lies outside is drawn at the edge. Without a value there is no bar, only blanks.

    Args:
        value: The length of the bar.
        width: Cells in all.
        low: The lower bound of the interval around it; None: there is none.
        high: The upper bound.
        top: What a full bar stands for.
        role: The colour of the bar.

    >>> "".join(span.text for span in bar(0.5, 8))
    '████····'
    >>> "".join(span.text for span in bar(0.5, 8, low=0.25, high=0.8))
    '██├█──┤·'
    """
    if width <= 0:
        return []
    if value is None or top <= 0:
        return [Span(" " * width)]
    eighths = round(max(0.0, min(1.0, value / top)) * width * 8)
    drawn = [
        (_part(eighths - 8 * i), role) if eighths > 8 * i else (TRACK, "rule") for i in range(width)
    ]
    if low is not None and high is not None:
        first, last = (_cell(bound / top, width) for bound in (low, high))
        for i in range(first, last + 1):
            if eighths <= 8 * i:
                drawn[i] = (REACH, "text")
        drawn[first] = (BOTH if first == last else LOW, "text")
        drawn[last] = (BOTH if first == last else HIGH, "text")
    return [
        Span("".join(char for char, _ in cells), ink)
        for ink, cells in groupby(drawn, key=lambda cell: cell[1])
    ]


def _part(eighths: int) -> str:
    return PARTS[min(8, eighths)]


def _cell(part: float, width: int) -> int:
    """The cell that a part of the whole width falls into."""
    return max(0, min(width - 1, int(part * width)))
