"""The formulas made for pools that were judged in part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge.scoring.measures.ranking import positions, ratio

if TYPE_CHECKING:
    from judge.scoring.measures.ranking import Floats, Ints, Ranking

EPSILON = 1e-5
"""What infAP adds to its counts, so that an estimate from no document is a half."""


def bpref(ranking: Ranking, *, rel: int = 1) -> Floats:
    """Bpref: how seldom a document judged not relevant stands above a relevant one.

    Bpref = sum over relevant documents retrieved of 1 - min(n, R) / min(N, R), over R.
    n: documents judged not relevant above it; R and N: documents judged relevant and not relevant.

    A document is relevant from grade `rel` on. Unjudged documents, also those with a grade below
    0, change nothing. With no document judged not relevant each term is 1. Ties are settled before.
    A query without relevant documents has 0.

    Args:
        ranking: The judged documents of the queries.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: Buckley and Voorhees, SIGIR 2004, in trec_eval's form (m_bpref.c).

    One of two documents that are not relevant stands above the second relevant one:

    >>> from judge.scoring.measures import Ranking
    >>> bpref(Ranking.of([[1, None, 0, 1]], missed=[[0]])).tolist() == [(1 + 1 - 1 / 2) / 2]
    True
    """
    hits = ranking.hits(None, rel)
    queries = ranking.query[hits]
    above = positions(ranking.query)[hits] - positions(queries)
    relevant = ranking.relevant(rel)
    others = ranking.tally(ranking.judged_query) - relevant
    worst = np.minimum(others, relevant)[queries]
    terms = 1.0 - ratio(np.minimum(above, relevant[queries]), worst)
    return ratio(ranking.total(queries, terms), relevant)


def inferred_ap(ranking: Ranking, *, rel: int = 1) -> Floats:
    """infAP: average precision estimated from a pool of which a random sample was judged.

    infAP = sum over relevant documents retrieved of the precision to be expected there, over R.
    At rank i it is 1/i + (i-1)/i * (r + n + u)/(i-1) * (r + e)/(r + n + 2e), with r documents
    above judged relevant, n judged not relevant, u in the pool and not judged, and e = 0.00001.

    It needs judgments that are a uniform random sample of the pool; the rest of the pool must
    stand in the qrels with a grade below 0. Otherwise it is not given. A document is relevant from
    grade `rel` on; one outside the pool is not. Ties are settled before. A query without relevant
    documents has 0.

    Args:
        ranking: The judged documents of the queries.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: Yilmaz and Aslam, CIKM 2006, in trec_eval's form (m_infap.c).

    A relevant document below one that is in the pool and one that is not: the sample above it says
    nothing, so that the pooled one counts as a half.

    >>> from judge.scoring.measures import Ranking
    >>> inferred_ap(Ranking.of([[-1, None, 1]])).tolist() == [1 / 3 + 2 / 3 * 1 / 2 * 1 / 2]
    True
    """
    hits = ranking.hits(None, rel)
    queries, ranks = ranking.query[hits], ranking.rank[hits]
    relevant = positions(queries) - 1
    judged = positions(ranking.query)[hits] - 1
    pooled = judged + _pooled_above(ranking, queries, ranks)
    shares = (relevant + EPSILON) / (judged + 2 * EPSILON)
    return ratio(ranking.total(queries, (1.0 + pooled * shares) / ranks), ranking.relevant(rel))


def _pooled_above(ranking: Ranking, queries: Ints, ranks: Ints) -> Ints:
    """How many pooled, unjudged documents stand above each of some documents, int64 [n]."""
    width = int(max(ranking.retrieved.max(initial=0), 1)) + 1
    places = np.searchsorted(
        ranking.pooled_query * width + ranking.pooled_rank, queries * width + ranks
    )
    above: Ints = places - np.searchsorted(ranking.pooled_query, queries)
    return above
