"""What the best ranking that there could be would get: no system can be blamed for the rest."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from judge.core.tables import Matches
from judge.scoring.measures.ranking import positions
from judge.scoring.score import evaluate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge.scoring.measures import Measure
    from judge.scoring.score import Evidence, Scores


def ideal_values(
    evidence: Evidence, scores: Scores, measure: Measure, relevant_from: int
) -> NDArray[np.float64]:
    """The highest value of a measure that each query allows.

    It is the value of the ideal ranking: the judged documents, the best grade first. Some measures
    gain by every grade above 0 (nDCG), some lose by what is not relevant (SetP), so it is taken
    with all above 0 and with the relevant ones only, and the higher value counts. For R@5 it is 5/n
    if n > 5 documents are relevant, for P@10 n/10 if n < 10, for nDCG and RR 1; 0 without a
    relevant document.

    Args:
        evidence: The run and the qrels; the run does not matter.
        scores: Which queries to give.
        measure: With its parameters bound.
        relevant_from: The least grade of a relevant document, from 1.

    Returns:
        float64 [queries of the scores]; NaN where the measure has no value.
    """
    options = replace(evidence.options, unjudged="zero")
    counted = np.isin(evidence.qrels.query_ids, scores.query_ids)
    found = (
        evaluate(
            evidence._replace(matches=_ideal(evidence, least), options=options),
            [measure],
            counted=counted,
        ).values[str(measure)]
        for least in sorted({1, relevant_from})
    )
    return reduce(np.fmax, found)


def _ideal(evidence: Evidence, least: int) -> Matches:
    """Every judged document with at least that grade retrieved, the best first, and no other."""
    qrels = evidence.qrels
    grades, count = qrels.all_grades, len(qrels.query_ids)
    rows = np.lexsort((-grades, qrels.queries))
    rows = rows[grades[rows] >= least]
    queries = qrels.queries[rows].astype(np.int64)
    return Matches(
        query=queries,
        rank=positions(queries),
        judgment=rows,
        run_query=np.full(count, -1, np.int64),
        retrieved=np.bincount(queries, minlength=count).astype(np.int64),
    )
