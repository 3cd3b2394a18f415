"""How much a run owes to having fed the pool: each scored again without what it alone brought."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.scoring.score import Evidence, ScoreOptions, Scores, evaluate, gather

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from judge.core.tables import Qrels, Run
    from judge.scoring.measures import Measure


class LeftOut(NamedTuple):
    """How a run scores if it had not fed the pool.

    Attributes:
        run: Its name.
        pairs: Judged pairs that it alone brought into the pool.
        relevant: Those of them that are relevant.
        full: Its scores on all judgments.
        without: Its scores where those pairs are unjudged, on the same queries.
    """

    run: str
    pairs: int
    relevant: int
    full: Scores
    without: Scores

    def losses(self) -> dict[str, float | None]:
        """For each measure the mean on all judgments - the mean without its own pairs."""
        full, without = self.full.means(), self.without.means()
        return {
            name: None if (a := full[name]) is None or (b := without[name]) is None else a - b
            for name in full
        }


def leave_one_out(
    qrels: Qrels,
    runs: Sequence[Run],
    depths: Sequence[int],
    measures: Sequence[Measure],
    options: ScoreOptions | None = None,
) -> list[LeftOut]:
    """What each run loses for not having fed the pool: how fair the judgments are to new systems.

    The pool is the first documents of every run, as many as its depth, with ties settled as
    `options.ties` says. A judged pair that is so far up in one run only becomes unjudged when that
    run is scored again; pairs that no run brought stay. Every query of the full scores counts in
    both, with 0 if nothing relevant is left.

    Args:
        qrels: All judgments.
        runs: The runs that fed the pool.
        depths: How many documents of each run were pooled, in the order of the runs.
        measures: What to take; binary ones are bound to `options.relevant_from`.
        options: What the numbers depend on; None takes the defaults.

    Returns:
        One for each run, in their order.

    Raises:
        InputError: There are no judgments, or no query of a run has any.

    Source: Zobel 1998, How Reliable Are the Results of Large-Scale Information Retrieval
    Experiments?, section 3.

    >>> from judge.core.model import Hit, Judgment
    >>> from judge.core.tables import Qrels, Run
    >>> from judge.scoring.measures import parse_measure
    >>> qrels = Qrels.from_judgments([Judgment("q", "a", 1), Judgment("q", "b", 1)])
    >>> one = Run.from_hits("one", {"q": [Hit("a", 2.0), Hit("b", 1.0)]})
    >>> two = Run.from_hits("two", {"q": [Hit("b", 1.0)]})
    >>> alone = leave_one_out(qrels, [one, two], [10, 10], [parse_measure("RR")])
    >>> [(left.run, left.pairs, left.losses()) for left in alone]
    [('one', 1, {'RR': 0.5}), ('two', 0, {'RR': 0.0})]
    """
    options = options or ScoreOptions()
    evidence = [gather(qrels, run, options) for run in runs]
    brought = np.zeros((len(runs), len(qrels)), bool)
    for mine, one, depth in zip(brought, evidence, depths, strict=True):
        mine[one.matches.judgment[one.matches.rank <= depth]] = True
    alone = brought & (brought.sum(axis=0) == 1)
    relevant = qrels.all_grades >= options.relevant_from
    results = []
    for one, own in zip(evidence, alone, strict=True):
        full = evaluate(one, measures)
        pairs = int((own & (qrels.all_grades >= 0)).sum())
        without = _without(one, own, measures, full)
        results.append(LeftOut(full.run, pairs, int((own & relevant).sum()), full, without))
    return results


def _without(
    evidence: Evidence, own: NDArray[np.bool_], measures: Sequence[Measure], full: Scores
) -> Scores:
    """The scores of a run where its own judgments, bool [judgments], were never made."""
    qrels, matches, options = evidence.qrels, evidence.matches, evidence.options
    # Not even as pooled, which a grade below 0 alone would mean to infAP.
    left = ~own[matches.judgment]
    others = matches._replace(
        query=matches.query[left], rank=matches.rank[left], judgment=matches.judgment[left]
    )
    # A query that loses its last relevant document must not drop out of one of two means.
    kept = Evidence(evidence.run, qrels, others, replace(options, no_relevant="zero"))
    grades = np.where(own, -1, qrels.all_grades).astype(np.int32)
    return evaluate(kept, measures, grades, np.isin(qrels.query_ids, full.query_ids))
