"""How odd white space becomes regular, a block at a time, without a loop over lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TABS = bytes.maketrans(b"\t", b" ")
BLANK, END = ord(" "), ord("\n")


class Tidied(NamedTuple):
    """Whole lines with one blank between columns, and no more columns than wanted.

    Attributes:
        text: The lines that have columns.
        lines: int64 [rows], which lines of the block they were, from 0.
        seen: How many lines the block has, blank ones too.
        wide: How many lines had more columns.
    """

    text: bytes
    lines: NDArray[np.int64]
    seen: int
    wide: int


def tidy(block: bytes, width: int) -> Tidied | None:
    r"""Make whole lines regular.

    Tabs and runs of blanks become one blank, blanks at both ends and blank lines go, every kind of
    line end becomes LF, columns after the wanted ones go.

    Args:
        block: Whole lines.
        width: How many columns are wanted.

    Returns:
        The regular lines, or None if one of them has too few columns.

    >>> tidy(b" q1\t0  d1 2 \r\n\r\nq1 0 d2 1 and more", 4)
    Tidied(text=b'q1 0 d1 2\nq1 0 d2 1\n', lines=array([0, 2]), seen=3, wide=1)
    """
    if not block.endswith((b"\n", b"\r")):
        block += b"\n"
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = np.frombuffer(block.translate(_TABS), np.uint8)
    ends = np.flatnonzero(data == END)
    inside = (data != BLANK) & (data != END)
    first = inside.copy()
    first[1:] &= ~inside[:-1]
    # Which column of its line each byte belongs to, counted from 1.
    column = np.cumsum(first, dtype=np.int32)
    through = column[ends]
    before = np.append(0, through[:-1]).astype(np.int32)
    columns = through - before
    if ((columns > 0) & (columns < width)).any():
        return None
    column -= np.repeat(before, np.diff(ends, prepend=-1))
    keep = inside & (column <= width)
    # Of the blanks, only the one in front of each column but the first.
    keep[:-1] |= first[1:] & (column[1:] > 1) & (column[1:] <= width)
    full = columns > 0
    keep[ends[full]] = True
    wide = int((columns > width).sum())
    return Tidied(data[keep].tobytes(), np.flatnonzero(full), len(ends), wide)
