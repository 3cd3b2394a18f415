"""What every reader of TREC's files makes of the good lines: columns, with their line numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.arrow import Categories, Strings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Rows(NamedTuple):
    """The columns of the good lines of a file.

    Attributes:
        queries: The query id of each row.
        docs: The document id of each row.
        numbers: float64 [rows], score, grade or rank.
        ranks: float64 [rows], NaN where it is no number; None where the file has no such column.
        lines: int64 [rows], physical line numbers.
    """

    queries: Categories
    docs: Strings
    numbers: NDArray[np.float64]
    ranks: NDArray[np.float64] | None
    lines: NDArray[np.int64]


def joined(parts: Sequence[Rows]) -> Rows:
    """The rows of all parts, one part after another."""
    ranks = [part.ranks for part in parts if part.ranks is not None]
    return Rows(
        Categories.joined([part.queries for part in parts]),
        Strings.joined([part.docs for part in parts]),
        np.concatenate([part.numbers for part in parts]),
        np.concatenate(ranks) if ranks else None,
        np.concatenate([part.lines for part in parts]),
    )
