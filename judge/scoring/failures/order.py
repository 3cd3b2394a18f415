"""In which order people expect ids: their numbers by size, 2 before 10."""

from __future__ import annotations

import re

_DIGITS = re.compile("([0-9]+)")


def natural(name: str) -> tuple[tuple[str | tuple[int, str], ...], str]:
    """What to sort an id by; ids that differ only in leading zeros keep a fixed order.

    >>> sorted(["q10", "q2", "q1", "p"], key=natural)
    ['p', 'q1', 'q2', 'q10']
    """
    # Texts and runs of digits take turns, so that like is always compared with like. A number is
    # compared by its length first, since one of thousands of digits cannot be turned into one.
    return tuple(
        (len(number := part.lstrip("0")), number) if place % 2 else part
        for place, part in enumerate(_DIGITS.split(name))
    ), name
