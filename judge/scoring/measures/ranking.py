"""What a formula sees of a run: which judged document stands at which rank, and what was judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from judge.core.errors import MeasureError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Ranking:
    """The judged documents of many queries, as retrieved and as judged.

    Retrieved documents without a judgment are only counted. A grade below 0 is no judgment: it
    says that the document was in the pool and was not judged.

    Attributes:
        count: How many queries there are; a measure gives float64 [count].
        query: int64 [n], the query of each judged document that was retrieved, not falling.
        rank: int64 [n], its rank from 1, rising inside a query.
        grade: int64 [n], its grade.
        retrieved: int64 [count], documents retrieved for each query, judged or not.
        judged_query: int64 [m], the query of each judged document, not falling.
        judged_grade: int64 [m], its grade, not rising inside a query: the ideal ranking.
        pooled_query: int64 [u], the query of each document retrieved that was in the pool and was
            not judged, not falling.
        pooled_rank: int64 [u], its rank from 1, rising inside a query.
        scale_top: The highest grade that there could be.
    """

    count: int
    query: Ints
    rank: Ints
    grade: Ints
    retrieved: Ints
    judged_query: Ints
    judged_grade: Ints
    pooled_query: Ints
    pooled_rank: Ints
    scale_top: int

    @classmethod
    def of(
        cls,
        retrieved: Sequence[Sequence[int | None]],
        missed: Sequence[Sequence[int]] = (),
        scale_top: int | None = None,
    ) -> Ranking:
        """A ranking from grades, for examples and tests.

        Args:
            retrieved: For each query the grades in rank order; None for an unjudged document, a
                grade below 0 for one that was in the pool and was not judged.
            missed: For each query the grades of judged documents that were not retrieved.
            scale_top: The highest grade that there could be; None takes the highest that there is.

        >>> Ranking.of([[3, None, 0]], missed=[[2]]).judged_grade.tolist()
        [3, 2, 0]
        """
        rows = [
            (query, rank, grade)
            for query, grades in enumerate(retrieved)
            for rank, grade in enumerate(grades, 1)
            if grade is not None
        ]
        query, rank, grade = np.array(rows, np.int64).reshape(-1, 3).T
        judged = [(q, -int(g)) for q, _, g in rows if g >= 0]
        judged += [(q, -g) for q, grades in enumerate(missed) for g in grades if g >= 0]
        judged_query, falling = np.array(sorted(judged), np.int64).reshape(-1, 2).T
        known = grade >= 0
        return cls(
            count=len(retrieved),
            query=query[known],
            rank=rank[known],
            grade=grade[known],
            retrieved=np.array([len(grades) for grades in retrieved], np.int64),
            judged_query=judged_query,
            judged_grade=-falling,
            pooled_query=query[~known],
            pooled_rank=rank[~known],
            scale_top=max([1, *(-falling).tolist()]) if scale_top is None else scale_top,
        )

    @cached_property
    def judged_rank(self) -> Ints:
        """The rank of each judged document in the ideal ranking, from 1, int64 [m]."""
        return positions(self.judged_query)

    def relevant(self, rel: int) -> Floats:
        """How many documents of each query have a grade of at least `rel`, float64 [count]."""
        return self.tally(self.judged_query[self.judged_grade >= rel])

    def hits(self, cutoff: int | None, rel: int) -> Bools:
        """Which of the retrieved judged documents in the top `cutoff` have at least `rel`."""
        hits: Bools = self.within(cutoff) & (self.grade >= rel)
        return hits

    def found(self, cutoff: int | None, rel: int) -> Floats:
        """How many documents in the top `cutoff` have a grade of at least `rel`, [count]."""
        return self.tally(self.query[self.hits(cutoff, rel)])

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

    def scale_to(self, top: int | None = None) -> int:
        """The highest grade that there could be: `top`, or that of the scale if it is None.

        Raises:
            MeasureError: A judged document has a higher one.
        """
        top = self.scale_top if top is None else top
        highest = int(self.judged_grade.max(initial=0))
        if highest > top:
            raise MeasureError(
                f"there is grade {highest}, above the highest that was given, {top}: leave max_rel"
                " out, or give a higher one"
            )
        return top

    def condensed(self) -> Ranking:
        """The ranking without the unjudged documents; those below them move up."""
        nothing = np.empty(0, np.int64)
        return replace(
            self,
            rank=positions(self.query),
            retrieved=np.bincount(self.query, minlength=self.count),
            pooled_query=nothing,
            pooled_rank=nothing,
        )

    def filled(self, top: int | None = None) -> Ranking:
        """The ranking with every unjudged document judged as high as can be: `top`, or the scale's.

        They are judged documents then, also in the ideal ranking.

        Raises:
            MeasureError: A judged document has a grade above the scale.
        """
        top = self.scale_to(top)
        query = np.repeat(np.arange(self.count), self.retrieved)
        starts = np.cumsum(self.retrieved) - self.retrieved
        grade = np.full(len(query), top)
        grade[starts[self.query] + self.rank - 1] = self.grade
        new = self.retrieved - np.bincount(self.query, minlength=self.count)
        sizes = new + np.bincount(self.judged_query, minlength=self.count)
        # In the ideal ranking of each query the new ones, which have the top grade, come first.
        judged_grade = np.full(int(sizes.sum()), top)
        judged_grade[np.arange(len(self.judged_query)) + np.cumsum(new)[self.judged_query]] = (
            self.judged_grade
        )
        nothing = np.empty(0, np.int64)
        return replace(
            self,
            query=query,
            rank=positions(query),
            grade=grade,
            judged_query=np.repeat(np.arange(self.count), sizes),
            judged_grade=judged_grade,
            pooled_query=nothing,
            pooled_rank=nothing,
        )


def positions(groups: Ints) -> Ints:
    """The position of each row inside its group, from 1; `groups` do not fall."""
    new = np.ones(len(groups), bool)
    new[1:] = groups[1:] != groups[:-1]
    places = np.arange(len(groups))
    return places - np.maximum.accumulate(np.where(new, places, 0)) + 1


def ratio(above: Floats, below: Floats) -> Floats:
    """Quotients; 0 where the divisor is 0 (a query without relevant documents)."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
