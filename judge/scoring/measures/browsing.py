"""The formulas with a reader in mind who goes down the ranking and may stop at any document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge.scoring.measures.ranking import positions

if TYPE_CHECKING:
    from judge.scoring.measures.ranking import Floats, Ints, Ranking


def expected_reciprocal_rank(
    ranking: Ranking, cutoff: int | None = None, *, max_rel: int | None = None
) -> Floats:
    """ERR: one over the rank at which a reader is expected to be satisfied.

    ERR@k = sum over ranks i <= k of 1/i * s(i) * product over j < i of 1 - s(j).
    s = (2^grade - 1) / 2^max: the chance that a document satisfies.

    `max` is the highest grade of the scale, whether any document has it or not; ERR is comparable
    only where it is the same. `max_rel` gives another (gdeval.pl always takes 4). All grades count,
    whatever grade counts as relevant elsewhere. An unjudged document satisfies nobody and holds its
    rank. Ties are settled before. An empty ranking has 0.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k; None takes the whole ranking.
        max_rel: The highest grade that there could be; None takes that of the scale.

    Returns:
        float64 [queries], in [0, 1).

    Raises:
        MeasureError: A document has a grade above the highest.

    Source: Chapelle, Metzler, Zhang and Grinspan, CIKM 2009.

    Grades 1, none, 2 of at most 2: the chances are 1/4, 0, 3/4.

    >>> from judge.scoring.measures import Ranking
    >>> expected_reciprocal_rank(Ranking.of([[1, None, 2]])).tolist()
    [0.4375]
    >>> 1 / 4 + 1 / 3 * 3 / 4 * (1 - 1 / 4)
    0.4375
    """
    highest = ranking.scale_to(max_rel)
    top = ranking.within(cutoff) & (ranking.grade > 0)
    queries = ranking.query[top]
    satisfied = np.ldexp(1.0, ranking.grade[top] - highest) - np.ldexp(1.0, -highest)
    reached = _chances_before(queries, 1.0 - satisfied)
    return ranking.total(queries, reached * satisfied / ranking.rank[top])


def rank_biased_precision(
    ranking: Ranking,
    cutoff: int | None = None,
    *,
    p: float = 0.8,
    gain: str = "binary",
    rel: int = 1,
) -> Floats:
    """RBP: what a reader gains per document, who goes on to the next with probability p.

    RBP@k = (1 - p) * sum over ranks i <= k of gain(i) * p^(i-1).

    The gain is 1 from grade `rel` on and else 0 (`gain='binary'`), or the grade over the highest of
    the scale (`gain='graded'`, which has no `rel`). p is always in the name, and so is what the
    gain depends on: RBP(p=0.8, rel=1), RBP(p=0.8, gain='graded').

    Unjudged documents have gain 0 and hold their rank. Ties are settled before. An empty ranking
    has 0; a ranking cut at k reaches at most 1 - p^k. The residual of the authors is the value
    under `unjudged=scenario` less the plain one, and p^n for what follows the last rank n.

    Args:
        ranking: The judged documents of the queries.
        cutoff: k; None takes the whole ranking.
        p: How patient the reader is, in [0, 1).
        gain: Which gain.
        rel: The least grade that counts, for the binary gain.

    Returns:
        float64 [queries], in [0, 1].

    Raises:
        MeasureError: A document has a grade above the highest of the scale, for the graded gain.

    Source: Moffat and Zobel, TOIS 2008. trec_eval 10 and ranx have other gains by the same name.

    >>> from judge.scoring.measures import Ranking
    >>> ranking = Ranking.of([[1, None, 3]], scale_top=3)
    >>> rank_biased_precision(ranking, p=0.5).tolist() == [0.5 * (1 + 0.5**2)]
    True
    >>> rank_biased_precision(ranking, p=0.5, gain="graded").tolist() == [0.5 * (1 / 3 + 0.5**2)]
    True
    """
    top = ranking.within(cutoff)
    grades = ranking.grade[top]
    gains = grades / ranking.scale_to() if gain == "graded" else (grades >= rel).astype(np.float64)
    terms = gains * p ** (ranking.rank[top] - 1.0)
    return (1.0 - p) * ranking.total(ranking.query[top], terms)


def _chances_before(groups: Ints, chances: Floats) -> Floats:
    """The product of the chances above each row inside its group, float64 [n].

    `groups` do not fall. Each step doubles how far up the product reaches, so that there are few.
    """
    places = positions(groups)
    products = np.ones(len(chances))
    below = np.flatnonzero(places > 1)
    products[below] = chances[below - 1]
    reach = 1
    while reach < places.max(initial=0):
        below = np.flatnonzero(places > reach)
        products[below] = products[below] * products[below - reach]
        reach *= 2
    return products
