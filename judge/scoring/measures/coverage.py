"""The formulas that say how much of a ranking has been judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from judge.scoring.measures.ranking import Floats, Ranking


def judged(ranking: Ranking, cutoff: int | None = None) -> Floats:
    """Judged@k: which share of the first k documents has been judged.

    Judged@k = judged documents in the top k / min(k, documents retrieved). Judged, without a
    cutoff, is the share of the whole ranking.

    It says how far to trust the numbers beside it: what is not judged counts as not relevant. Any
    grade from 0 up is a judgment; a grade below 0 ("pooled but not judged") is none. An empty
    ranking has no value (NaN) and is left out of the mean.

    Args:
        ranking: The judged documents of the queries, before any unjudged ones were taken out.
        cutoff: k; None takes the whole ranking.

    Returns:
        float64 [queries], in [0, 1] or NaN.

    Source: ir_measures, Judged@k (which also counts grades below 0).

    >>> from judge.scoring.measures import Ranking
    >>> judged(Ranking.of([[0, None], []]), 10).tolist()
    [0.5, nan]
    """
    seen = ranking.tally(ranking.query[ranking.within(cutoff)])
    kept = ranking.retrieved if cutoff is None else np.minimum(ranking.retrieved, cutoff)
    shown = kept.astype(np.float64)
    shares: Floats = np.full(ranking.count, np.nan)
    np.divide(seen, shown, out=shares, where=shown > 0)
    return shares
