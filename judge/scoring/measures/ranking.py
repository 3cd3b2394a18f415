"""What a formula sees of a run: which judged document stands at which rank, and what was judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Ranking:
    """The judged documents of many queries, as retrieved and as judged.

    Retrieved documents without a judgment are only counted; a grade below 0 is no judgment.

    Attributes:
        count: How many queries there are; a measure gives float64 [count].
        query: int64 [n], the query of each judged document that was retrieved, not falling.
        rank: int64 [n], its rank from 1, rising inside a query.
        grade: int64 [n], its grade.
        retrieved: int64 [count], documents retrieved for each query, judged or not.
        judged_query: int64 [m], the query of each judged document, not falling.
        judged_grade: int64 [m], its grade, not rising inside a query: the ideal ranking.
    """

    count: int
    query: Ints
    rank: Ints
    grade: Ints
    retrieved: Ints
    judged_query: Ints
    judged_grade: Ints

    @classmethod
    def of(
        cls,
        retrieved: Sequence[Sequence[int | None]],
        missed: Sequence[Sequence[int]] = (),
    ) -> Ranking:
        """A ranking from grades, for examples and tests.

        Args:
            retrieved: For each query the grades in rank order; None for an unjudged document.
            missed: For each query the grades of judged documents that were not retrieved.

        >>> Ranking.of([[3, None, 0]], missed=[[2]]).judged_grade.tolist()
        [3, 2, 0]
        """
        rows = [
            (query, rank, grade)
            for query, grades in enumerate(retrieved)
            for rank, grade in enumerate(grades, 1)
            if grade is not None and grade >= 0
        ]
        query, rank, grade = np.array(rows, np.int64).reshape(-1, 3).T
        judged = [(q, -int(g)) for q, _, g in rows]
        judged += [(q, -g) for q, grades in enumerate(missed) for g in grades if g >= 0]
        judged_query, falling = np.array(sorted(judged), np.int64).reshape(-1, 2).T
        sizes = np.array([len(grades) for grades in retrieved], np.int64)
        return cls(len(retrieved), query, rank, grade, sizes, judged_query, -falling)

    @cached_property
    def judged_rank(self) -> Ints:
        """The rank of each judged document in the ideal ranking, from 1, int64 [m]."""
        return positions(self.judged_query)

    def relevant(self, rel: int) -> Floats:
        """How many documents of each query have a grade of at least `rel`, float64 [count]."""
        return self.tally(self.judged_query[self.judged_grade >= rel])

    def tally(self, queries: Ints) -> Floats:
        """How often each query stands in a list, float64 [count]."""
        return np.bincount(queries, minlength=self.count).astype(np.float64)

    def total(self, queries: Ints, terms: Floats) -> Floats:
        """The sum of the terms of each query, added in the order given, float64 [count]."""
        sums = np.bincount(queries, weights=terms, minlength=self.count)
        return sums.astype(np.float64, copy=False)

    def within(self, cutoff: int | None) -> Bools:
        """Which of the retrieved judged documents stand in the top `cutoff` (None: all)."""
        if cutoff is None:
            return np.ones(len(self.rank), bool)
        within: Bools = self.rank <= cutoff
        return within


def positions(groups: Ints) -> Ints:
    """The position of each row inside its group, from 1; `groups` do not fall."""
    new = np.ones(len(groups), bool)
    new[1:] = groups[1:] != groups[:-1]
    places = np.arange(len(groups))
    return places - np.maximum.accumulate(np.where(new, places, 0)) + 1


def ratio(above: Floats, below: Floats) -> Floats:
    """Quotients; 0 where the divisor is 0 (a query without relevant documents)."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
