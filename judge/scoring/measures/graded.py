"""The formulas of measures that use every grade."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge.core.errors import MeasureError
from judge.scoring.measures.ranking import ratio

if TYPE_CHECKING:
    from judge.scoring.measures.ranking import Floats, Ints, Ranking

HIGHEST = 1000
"""The highest grade that the exponential gain takes: 2^1000 times any ranking is still a number."""


def discounted_gain(ranking: Ranking, cutoff: int | None = None, *, dcg: str = "log2") -> Floats:
    """DCG: gain of the ranking, discounted by rank, without regard to what could be had.

    DCG@k = sum over ranks i <= k of gain(g_i) / log2(i + 1).

    The gain is the grade itself (`dcg='log2'`) or 2^grade - 1 (`dcg='exp-log2'`). Queries with more
    relevant documents have higher values: nDCG takes that out. Unjudged documents have gain 0 and
    keep their rank. Ties are settled before. An empty ranking has 0.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k; None takes the whole ranking.
        dcg: The gain.

    Returns:
        float64 [queries], at least 0.

    Raises:
        MeasureError: A grade is too high for the exponential gain.

    Source: Järvelin and Kekäläinen, TOIS 2002; exponential gain: Burges et al., ICML 2005.

    >>> from judge.scoring.measures import Ranking
    >>> discounted_gain(Ranking.of([[3, None, 2]])).tolist(), 3 / 1 + 2 / 2
    ([4.0], 4.0)
    """
    top = ranking.within(cutoff)
    gains = _gain(ranking.grade[top], dcg) / np.log2(ranking.rank[top] + 1.0)
    return ranking.total(ranking.query[top], gains)


def ndcg(ranking: Ranking, cutoff: int | None = None, *, dcg: str = "log2") -> Floats:
    """nDCG: gain of the ranking, discounted by rank, over that of the ideal ranking.

    DCG@k = sum over ranks i <= k of gain(g_i) / log2(i + 1);  nDCG@k = DCG@k / ideal DCG@k.

    The gain is the grade itself (`dcg='log2'`, trec_eval's and most papers' meaning) or
    2^grade - 1 (`dcg='exp-log2'`, of web search). The two differ as soon as grades go above 1.

    The ideal ranking holds all judged documents, retrieved or not, best first, cut at k. All
    grades count, whatever grade counts as relevant elsewhere. Unjudged documents have gain 0 and
    keep their rank. Ties are settled before. Without any gain to be had the value is 0.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k; None takes the whole ranking and the whole ideal ranking.
        dcg: The gain.

    Returns:
        float64 [queries], in [0, 1].

    Raises:
        MeasureError: A grade is too high for the exponential gain.

    Source: Järvelin and Kekäläinen, TOIS 2002, in trec_eval's form (m_ndcg_cut.c); exponential
    gain: Burges et al., ICML 2005.

    Ranked 3, unjudged, 2, with a document of grade 1 missed:

    >>> from judge.scoring.measures import Ranking
    >>> ranking = Ranking.of([[3, None, 2]], missed=[[1]])
    >>> ndcg(ranking, 10).tolist() == [(3 + 2 / 2) / (3 + 2 / np.log2(3) + 1 / 2)]
    True
    >>> float(ndcg(ranking, 1, dcg="exp-log2")[0])
    1.0
    """
    ideal = ranking.judged_rank <= (len(ranking.judged_rank) if cutoff is None else cutoff)
    best = ranking.total(
        ranking.judged_query[ideal],
        _gain(ranking.judged_grade[ideal], dcg) / np.log2(ranking.judged_rank[ideal] + 1.0),
    )
    return ratio(discounted_gain(ranking, cutoff, dcg=dcg), best)


def _gain(grades: Ints, dcg: str) -> Floats:
    if dcg == "log2":
        return grades.astype(np.float64)
    if len(grades) and grades.max() > HIGHEST:
        raise MeasureError(
            f"dcg='exp-log2' gives gain 2^grade - 1, and grade {grades.max()} is too high for that"
            f" (at most {HIGHEST}); nDCG takes the grades as they are"
        )
    gains: Floats = np.ldexp(1.0, grades) - 1.0
    return gains
