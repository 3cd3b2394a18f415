"""Which parts of a text can be evidence, and in what form they are kept, is known only here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    Span = tuple[int, int]


def misplaced(spans: Iterable[Span], length: int) -> Span | None:
    """The first span that is not `0 <= start < end <= length`; None if all are.

    >>> misplaced([(0, 4), (3, 9)], 8)
    (3, 9)
    """
    wrong = (span for span in spans if not 0 <= span[0] < span[1] <= length)
    return next(wrong, None)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order, with those that overlap or touch made one.

    Args:
        spans: Code-point offsets, each with start < end, in any order.

    >>> merged([(8, 9), (0, 2), (2, 5), (4, 6)])
    ((0, 6), (8, 9))
    """
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)
