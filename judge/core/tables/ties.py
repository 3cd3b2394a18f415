"""In which order documents with equal scores stand: by id, descending by UTF-8 bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge.core.arrow import Strings

Ties = Literal["trec", "trec9"]
"""Which scores are equal: `trec` compares 64-bit floats (trec_eval 10), `trec9` 32-bit ones
(trec_eval 9, pytrec_eval)."""


def comparable(scores: NDArray[np.float64], ties: Ties) -> NDArray[np.floating]:
    """The scores as the rule compares them; rounding never turns the order of two around."""
    if ties == "trec":
        return scores
    with np.errstate(over="ignore"):  # beyond the largest 32-bit float all are equal
        return scores.astype(np.float32)


def descending(
    strings: Strings, rows: NDArray[np.int64], groups: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The order that sorts strings inside their groups, descending by bytes.

    Args:
        strings: The column.
        rows: int64 [n], which of its strings.
        groups: int64 [n], not falling; a string never leaves its group.

    Returns:
        int64 [n], permutation of 0..n-1.

    >>> from judge.core.arrow import Strings
    >>> descending(Strings.of(["d10", "d9", "d1"]), np.arange(3), np.array([0, 0, 0])).tolist()
    [1, 0, 2]
    """
    order = np.arange(len(rows))
    group = groups.copy()
    live = _not_alone(group, order)
    word = 0
    while len(live):
        now = rows[order[live]]
        lengths = strings.lengths(now)
        # The last byte first in memory is the least one; turned around, numbers compare as bytes.
        keys = strings.words(now, word).byteswap()
        # A string that ends here is lower than any that goes on, also where that goes on with NUL.
        goes_on = np.clip(lengths - 8 * word, 0, 9)
        by = np.lexsort((~goes_on, ~keys, group[live]))
        order[live] = order[live][by]
        group[live] = _split(group[live], keys[by], goes_on[by])
        live = live[goes_on[by] == 9]
        live = live[_shared(group[live])]
        word += 1
    return order


def _split(
    group: NDArray[np.int64], keys: NDArray[np.uint64], goes_on: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Group numbers that also tell apart different keys, and never fall."""
    new = np.ones(len(group), bool)
    new[1:] = (group[1:] != group[:-1]) | (keys[1:] != keys[:-1]) | (goes_on[1:] != goes_on[:-1])
    return np.cumsum(new)


def _shared(group: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which members of sorted groups are not alone in theirs."""
    same = group[1:] == group[:-1]
    shared = np.zeros(len(group), bool)
    shared[1:] |= same
    shared[:-1] |= same
    return shared


def _not_alone(group: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    return places[_shared(group)]
