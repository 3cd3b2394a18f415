"""The formulas that take everything retrieved as a set, in no order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge.scoring.measures.ranking import ratio

if TYPE_CHECKING:
    from judge.scoring.measures.ranking import Floats, Ranking


def set_precision(ranking: Ranking, *, rel: int = 1) -> Floats:
    """SetP: which share of the documents retrieved is relevant.

    SetP = relevant documents retrieved / documents retrieved.

    A document is relevant from grade `rel` on; an unjudged one is not. Ties and order change
    nothing. An empty ranking has 0.

    Args:
        ranking: The judged documents of the queries.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: trec_eval, m_set_P.c.

    >>> from judge.scoring.measures import Ranking
    >>> set_precision(Ranking.of([[0, 1, None, 1], []])).tolist()
    [0.5, 0.0]
    """
    return ratio(ranking.found(None, rel), ranking.retrieved.astype(np.float64))


def set_recall(ranking: Ranking, *, rel: int = 1) -> Floats:
    """SetR: which share of the relevant documents was retrieved at all.

    SetR = relevant documents retrieved / relevant documents judged.

    A document is relevant from grade `rel` on; an unjudged one is not. Ties and order change
    nothing. A query without relevant documents has 0.

    Args:
        ranking: The judged documents of the queries.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: trec_eval, m_set_recall.c.

    >>> from judge.scoring.measures import Ranking
    >>> set_recall(Ranking.of([[0, 1]], missed=[[1, 1, 1]])).tolist()
    [0.25]
    """
    return ratio(ranking.found(None, rel), ranking.relevant(rel))


def set_f(ranking: Ranking, *, beta: float = 1.0, rel: int = 1) -> Floats:
    """SetF: the weighted harmonic mean of SetP and SetR.

    SetF = (beta + 1) * SetP * SetR / (SetR + beta * SetP).

    `beta` says how many times recall weighs what precision does, as in trec_eval and ir_measures.
    The F_b of other fields squares it: their F_2 is SetF(beta=4), their F_0.5 is SetF(beta=0.25).

    A document is relevant from grade `rel` on; an unjudged one is not. Ties and order change
    nothing. With no relevant document retrieved the value is 0.

    Args:
        ranking: The judged documents of the queries.
        beta: The weight of recall.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: van Rijsbergen, Information Retrieval, 1979, in trec_eval's form (m_set_F.c).

    Precision 1/2, recall 1/4:

    >>> from judge.scoring.measures import Ranking
    >>> set_f(Ranking.of([[0, 1]], missed=[[1, 1, 1]])).tolist() == [2 * 1 / 8 / (3 / 4)]
    True
    """
    found = ranking.found(None, rel)
    # Both shares multiplied out: a set of counts has no rounding to speak of.
    below = ranking.retrieved + beta * ranking.relevant(rel)
    return ratio((beta + 1.0) * found, np.where(found > 0, below, 0.0))
