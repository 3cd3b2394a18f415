"""How (query, document) pairs are told apart by 64-bit keys, with every match verified by bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.tables.grouping import Block, blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge.core.arrow import Strings

_ODD = np.uint64(0xC2B2AE3D27D4EB4F)
CELL_BITS = 20
"""Far more cells than rows in a block, and still few enough for the processor's cache."""
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Pairs(NamedTuple):
    """The (query, document) pairs of a table, brought together by query.

    Attributes:
        starts: int64 [queries + 1], where the rows of each query begin, and the end.
        docs: The document ids by row of the source.
        prints: uint64 [rows of the source], their fingerprints.
        rows: int64 [rows], row of the source at each place, or None where they are the same.
    """

    starts: NDArray[np.int64]
    docs: Strings
    prints: NDArray[np.uint64]
    rows: NDArray[np.int64] | None

    def keys(self, block: Block, salts: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """A 64-bit key for each place of a block; equal pairs have equal keys.

        Args:
            block: Some whole queries.
            salts: uint64 [queries], a number for each query.
        """
        at = slice(block.start, block.stop)
        prints = self.prints[at] if self.rows is None else self.prints[self.rows[at]]
        sizes = np.diff(self.starts[block.first : block.last + 1])
        return keyed(prints, np.repeat(salts[block.first : block.last], sizes))

    def source(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of the source at some places [n]."""
        return places if self.rows is None else self.rows[places]


def keyed(prints: NDArray[np.uint64], salts: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The keys of pairs [n] from the fingerprint of each document and the salt of its query."""
    keys = prints ^ salts
    keys *= _SPREAD
    return keys


def salts(numbers: NDArray[np.integer]) -> NDArray[np.uint64]:
    """A number for each query [n] that makes keys of different queries differ."""
    return (numbers.astype(np.uint64) + np.uint64(1)) * _ODD


class Repeats(NamedTuple):
    """Places whose pair stands at an earlier place already.

    Attributes:
        later: int64 [n], the place of the repeat.
        first: int64 [n], the first place of the same pair.
    """

    later: NDArray[np.int64]
    first: NDArray[np.int64]


def repeats(pairs: Pairs) -> Repeats:
    """Find every pair that stands more than once, verified by bytes."""
    every = salts(np.arange(len(pairs.starts) - 1))
    cells = np.zeros(1 << CELL_BITS, np.int32)
    found: list[tuple[int, int]] = []
    for block in blocks(pairs.starts):
        doubtful = _alike(pairs.keys(block, every), cells)
        if len(doubtful):
            found += _verified(pairs, doubtful + block.start)
    later, first = np.array(found, np.int64).reshape(-1, 2).T
    return Repeats(later, first)


def _alike(keys: NDArray[np.uint64], cells: NDArray[np.int32]) -> NDArray[np.int64]:
    """Which keys stand more than once.

    Each key writes its number into a cell; who finds another's number there shares the cell. Only
    those are sorted, which spares the sorting of all. What was in the cells before does not matter.
    """
    numbers = np.arange(len(keys), dtype=np.int32)
    where = (keys >> np.uint64(64 - CELL_BITS)).view(np.int64)
    cells[where] = numbers
    holders = cells[where]
    beaten = np.flatnonzero(holders != numbers)
    shared = np.unique(np.append(beaten, holders[beaten]))
    ordered = np.sort(keys[shared])
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    return shared[np.isin(keys[shared], twice)] if len(twice) else shared[:0]


def _verified(pairs: Pairs, places: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Of places whose keys look alike, those that do repeat a pair."""
    rows = pairs.source(places)
    # In the order of the source, so that the first is the one that a reader meets first.
    by_source = np.argsort(rows, kind="stable")
    queries = np.searchsorted(pairs.starts, places, "right")
    seen: dict[tuple[int, bytes], int] = {}
    found = []
    for i in by_source.tolist():
        pair = (int(queries[i]), pairs.docs.encoded(int(rows[i])))
        first = seen.setdefault(pair, int(places[i]))
        if first != places[i]:
            found.append((int(places[i]), first))
    return found
