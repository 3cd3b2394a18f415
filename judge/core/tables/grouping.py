"""How rows are brought together query by query, and in which blocks they are then worked on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BLOCK = 1 << 15
"""Rows in one block, so that what belongs to them stays in the processor's cache."""
_LOW = np.int32(0xFFFF)
_HIGH_BITS = np.int32(16)


class Groups(NamedTuple):
    """Rows brought together by their code.

    Attributes:
        codes: int64 [groups], the code of each group, in the order of first use.
        starts: int64 [groups + 1], where each group begins in the new order, and the end.
        rows: int64 [rows], the old row at each new place, or None where nothing had to move.
    """

    codes: NDArray[np.int64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int64] | None


class Block(NamedTuple):
    """Some whole groups that lie side by side.

    Attributes:
        first: The first group.
        last: The group after the last one.
        start: The first place.
        stop: The place after the last one.
    """

    first: int
    last: int
    start: int
    stop: int


def group(codes: NDArray[np.int32], distinct: int) -> Groups:
    """Bring rows together by code; groups keep the order of first use, rows their order in a group.

    Args:
        codes: int32 [rows], each in [0, distinct).
        distinct: How many codes there may be; those without rows get no group.

    >>> groups = group(np.array([2, 0, 2], np.int32), 3)
    >>> groups.codes.tolist(), groups.starts.tolist(), groups.rows.tolist()
    ([2, 0], [0, 2, 3], [0, 2, 1])
    """
    heads = run_starts(codes)
    first = np.full(distinct, len(codes), np.int64)
    first[codes[heads][::-1]] = heads[::-1]  # the earliest place is written last and stays
    used = np.flatnonzero(first < len(codes))
    order = used[np.argsort(first[used])]
    if len(order) == len(heads):
        return Groups(order, np.append(heads, len(codes)), None)
    place = np.zeros(distinct, np.int32)
    place[order] = np.arange(len(order))
    dense = place[codes]
    starts = np.zeros(len(order) + 1, np.int64)
    np.cumsum(np.bincount(dense, minlength=len(order)), out=starts[1:])
    return Groups(order, starts, stable_order(dense, len(order)))


def run_starts(values: NDArray[np.generic]) -> NDArray[np.int64]:
    """The places where a value differs from the one before it; the first place always does."""
    if not len(values):
        return np.empty(0, np.int64)
    return np.append(0, np.flatnonzero(values[1:] != values[:-1]) + 1)


def stable_order(codes: NDArray[np.int32], distinct: int) -> NDArray[np.int64]:
    """The order that sorts small non-negative codes and keeps equal ones as they stand.

    Sixteen bits at a time, because numpy sorts those by counting and not by comparing.
    """
    order = np.argsort((codes & _LOW).astype(np.uint16), kind="stable")
    if distinct > 1 << 16:
        high = (codes[order] >> _HIGH_BITS).astype(np.uint16)
        order = order[np.argsort(high, kind="stable")]
    return order


def ranges(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers start, start + 1, ... of each range, one range after another.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(sizes) - sizes
    numbers: NDArray[np.int64] = np.arange(sizes.sum()) + np.repeat(starts - before, sizes)
    return numbers


def blocks(starts: NDArray[np.int64], size: int = BLOCK) -> Iterator[Block]:
    """Cut groups into blocks of about `size` rows; a group is never cut.

    Args:
        starts: int64 [groups + 1], where each group begins, and the end.
        size: Rows; a larger group is a block of its own.
    """
    total = int(starts[-1])
    wanted = np.arange(0, total + size, size)
    borders = np.unique(np.append(np.searchsorted(starts, wanted), len(starts) - 1))
    borders = borders[borders < len(starts)]
    for first, last in zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True):
        yield Block(first, last, int(starts[first]), int(starts[last]))
