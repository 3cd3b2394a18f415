"""The formulas of measures that only ask whether a document is relevant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge.scoring.measures.ranking import positions, ratio

if TYPE_CHECKING:
    from judge.scoring.measures.ranking import Floats, Ranking


def precision(ranking: Ranking, cutoff: int, *, rel: int = 1) -> Floats:
    """P@k: which share of the first k documents is relevant.

    P@k = relevant documents in the top k / k, also where fewer than k were retrieved.

    A document is relevant from grade `rel` on; an unjudged one is not. Ties are settled before. An
    empty ranking has 0.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: trec_eval, m_P.c.

    >>> from judge.scoring.measures import Ranking
    >>> precision(Ranking.of([[1, None, 1]]), 10).tolist()
    [0.2]
    """
    return ranking.found(cutoff, rel) / cutoff


def recall(ranking: Ranking, cutoff: int, *, rel: int = 1) -> Floats:
    """R@k: which share of the relevant documents stands in the first k.

    R@k = relevant documents in the top k / relevant documents judged.

    A document is relevant from grade `rel` on; an unjudged one is not. Ties are settled before. A
    query without relevant documents has 0. Where only documents of the scored run itself were
    judged, this is recall relative to its own pool, which is always too high.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: trec_eval, m_recall.c.

    >>> from judge.scoring.measures import Ranking
    >>> recall(Ranking.of([[1, 0, 1]], missed=[[1, 1]]), 3).tolist()
    [0.5]
    """
    return ratio(ranking.found(cutoff, rel), ranking.relevant(rel))


def success(ranking: Ranking, cutoff: int, *, rel: int = 1) -> Floats:
    """Success@k (hit rate): whether any of the first k documents is relevant.

    A document is relevant from grade `rel` on; an unjudged one is not. Ties are settled before. An
    empty ranking has 0.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k.
        rel: The least grade that counts.

    Returns:
        float64 [queries], 0 or 1.

    Source: trec_eval, m_success.c.

    >>> from judge.scoring.measures import Ranking
    >>> success(Ranking.of([[0, 1], [None]]), 2).tolist()
    [1.0, 0.0]
    """
    return (ranking.found(cutoff, rel) > 0).astype(np.float64)


def reciprocal_rank(ranking: Ranking, cutoff: int | None = None, *, rel: int = 1) -> Floats:
    """RR (its mean is MRR): one over the rank of the first relevant document.

    RR@k is 0 where the first relevant document stands below rank k; RR looks at the whole ranking.

    A document is relevant from grade `rel` on; an unjudged one is not, but holds its rank. Ties are
    settled before. Without a relevant document retrieved the value is 0.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k; None takes the whole ranking.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: trec_eval, m_recip_rank.c.

    >>> from judge.scoring.measures import Ranking
    >>> reciprocal_rank(Ranking.of([[0, None, 1, 1]])).tolist() == [1 / 3]
    True
    """
    found = ranking.hits(cutoff, rel)
    queries, ranks = ranking.query[found], ranking.rank[found]
    first = positions(queries) == 1
    return ranking.total(queries[first], 1.0 / ranks[first])


def average_precision(ranking: Ranking, cutoff: int | None = None, *, rel: int = 1) -> Floats:
    """AP (its mean is MAP): precision at the rank of each relevant document, averaged over all.

    AP = sum over relevant documents retrieved of P@(its rank) / relevant documents judged. AP@k
    leaves out those below rank k and still divides by all relevant documents, as trec_eval does
    (other tools divide by min(k, relevant)).

    A document is relevant from grade `rel` on; an unjudged one is not. Ties are settled before. A
    query without relevant documents has 0.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k; None takes the whole ranking.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: trec_eval, m_map.c and m_map_cut.c.

    >>> from judge.scoring.measures import Ranking
    >>> ranking = Ranking.of([[1, 0, 1]], missed=[[1, 1]])
    >>> average_precision(ranking).tolist() == [(1 / 1 + 2 / 3) / 4]
    True
    """
    found = ranking.hits(cutoff, rel)
    queries, ranks = ranking.query[found], ranking.rank[found]
    precisions = positions(queries) / ranks
    return ratio(ranking.total(queries, precisions), ranking.relevant(rel))


def capped_recall(ranking: Ranking, cutoff: int, *, rel: int = 1) -> Floats:
    """R_cap@k: recall that can reach 1 also where more than k documents are relevant.

    R_cap@k = relevant documents in the top k / min(k, relevant documents judged).

    A document is relevant from grade `rel` on; an unjudged one is not. Ties are settled before. A
    query without relevant documents has 0.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: BEIR (Thakur et al., NeurIPS Datasets and Benchmarks 2021), where it is R_cap@k.

    Two of three relevant documents found, where two is the most that fits in:

    >>> from judge.scoring.measures import Ranking
    >>> ranking = Ranking.of([[1, 1, 0]], missed=[[1]])
    >>> capped_recall(ranking, 2).tolist(), recall(ranking, 2).tolist() == [2 / 3]
    ([1.0], True)
    """
    return ratio(ranking.found(cutoff, rel), np.minimum(ranking.relevant(rel), cutoff))


def r_precision(ranking: Ranking, *, rel: int = 1) -> Floats:
    """Rprec: precision at the rank that is the number of relevant documents.

    Rprec = relevant documents in the top R / R, with R relevant documents judged.

    A document is relevant from grade `rel` on; an unjudged one is not. Ties are settled before. A
    query without relevant documents has 0.

    Args:
        ranking: The judged documents of the queries.
        rel: The least grade that counts.

    Returns:
        float64 [queries], in [0, 1].

    Source: trec_eval, m_Rprec.c.

    >>> from judge.scoring.measures import Ranking
    >>> r_precision(Ranking.of([[1, 0, 1]], missed=[[0]])).tolist()
    [0.5]
    """
    relevant = ranking.relevant(rel)
    hits = ranking.hits(None, rel)
    early = hits & (ranking.rank <= relevant[ranking.query])
    return ratio(ranking.tally(ranking.query[early]), relevant)
