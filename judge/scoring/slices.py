"""How scores are cut into parts: by a property of the query, of the documents, or of both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.model import UNKNOWN_LANGUAGE
from judge.scoring.score import Evidence, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.scoring.measures import Measure
    from judge.scoring.score import Scores

NO_VALUE = "(none)"
"""The part of the queries that say nothing of the property."""
PAIR = " > "
"""Between the value of the query and that of the documents, in the value of a part."""


class Slice(NamedTuple):
    """One part of the scores of a run.

    Attributes:
        by: The property, such as `language`.
        value: Its value in this part; for a language pair `query > document`.
        scores: The values of its queries.
    """

    by: str
    value: str
    scores: Scores


def by_query(scores: Scores, by: str, values: Mapping[str, str | None]) -> list[Slice]:
    """Cut scores by a property of the query; every counted query is in one part.

    Args:
        scores: The scores of a run.
        by: What the property is called.
        values: For each query id its value; None or nothing where it has none.

    Returns:
        The parts in the order of their values, queries without one last.
    """
    members: dict[str | None, list[int]] = {}
    for place, query_id in enumerate(scores.query_ids):
        members.setdefault(values.get(query_id), []).append(place)
    named = sorted(value for value in members if value is not None)
    parts = [Slice(by, value, scores.at(np.array(members[value]))) for value in named]
    if None in members:
        parts.append(Slice(by, NO_VALUE, scores.at(np.array(members[None]))))
    return parts


def by_document(
    evidence: Evidence,
    measures: Sequence[Measure],
    by: str,
    document_values: Mapping[str, str],
    query_values: Mapping[str, str] | None = None,
    order: Sequence[str] = (),
) -> list[Slice]:
    """Cut scores by a property of the documents to be found, or by that and one of the query.

    In the part `en > hi` of language pairs count the English queries that have a relevant Hindi
    document, and only Hindi documents are relevant: those of other languages are taken as judged
    with grade 0 and hold their ranks. So a query may be in several parts.

    Args:
        evidence: The run and the qrels.
        measures: What to take.
        by: What the property is called.
        document_values: For each judged document id its value, such as its language; `und` for
            those that it does not name.
        query_values: For each query id its own; None cuts by the documents alone.
        order: The documents' values in their order, if that is not the alphabet's.

    Returns:
        The parts in the order of the queries' value, then the documents'.
    """
    qrels = evidence.qrels
    asked = {q: (query_values or {}).get(q, UNKNOWN_LANGUAGE) for q in qrels.query_ids}
    written = _coded([document_values.get(d, UNKNOWN_LANGUAGE) for d in qrels.docs], order)
    relevant = qrels.all_grades >= evidence.options.relevant_from
    parts: dict[tuple[str, int], Slice] = {}
    for j, document_value in enumerate(written.names):
        here = written.codes == j
        counted = np.zeros(len(qrels.query_ids), bool)
        counted[qrels.queries[here & relevant]] = True
        if not counted.any():
            continue
        # Below 0 stays below 0: what was not judged is not judged in any part.
        grades = np.where(here, qrels.all_grades, np.minimum(qrels.all_grades, 0))
        scores = evaluate(evidence, measures, grades.astype(np.int32), counted)
        # What judging would find in an unjudged document of another value is known: nothing.
        scores = replace(scores, scenario=None)
        for part in by_query(scores, by, asked):
            value = document_value
            if query_values is not None:
                value = f"{part.value}{PAIR}{document_value}"
            parts[part.value, j] = part._replace(value=value)
    return [parts[key] for key in sorted(parts)]


class _Coded(NamedTuple):
    names: list[str]
    codes: np.ndarray[tuple[int], np.dtype[np.int64]]


def _coded(values: Sequence[str], order: Sequence[str] = ()) -> _Coded:
    rank = {name: number for number, name in enumerate(order)}
    names = sorted(set(values), key=lambda name: (rank.get(name, len(rank)), name))
    place = {name: i for i, name in enumerate(names)}
    return _Coded(names, np.array([place[value] for value in values], np.int64))
