"""How a dataset helps to say why a query went badly: what it knows beside run and qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.core.errors import InputError, Problem
from judge.scoring.failures import CUTOFF, Disputed, Facts, failures_document, find_failures

if TYPE_CHECKING:
    from judge.bench.evaluate import Evaluation
    from judge.judging.labels import Labels
    from judge.scoring.measures import Measure


def failures_of(
    evaluation: Evaluation, measure: Measure, *, below: float, worst: int | None = None
) -> list[dict[str, Any]]:
    """The failures of each system, `judge.failures/1`, with the text of each query.

    Args:
        evaluation: Systems scored on a dataset, with this measure.
        measure: Which one decides.
        below: A query with a lower share of the value of an ideal ranking has failed.
        worst: Only so many of each system; None gives all.

    Raises:
        MeasureError: The measure tells nothing of the ranking.
    """
    facts = facts_of(evaluation, measure.cutoff or CUTOFF)
    dataset = evaluation.dataset
    texts = {query.id: query.text for query in dataset.queries} if dataset else {}
    taken = ("settings", "settings_hash", "qrels", "labels", "warnings", "notices")
    about = {name: evaluation.report[name] for name in taken if name in evaluation.report}
    documents = []
    for evidence, scores in evaluation.systems:
        found = find_failures(evidence, scores, measure, facts, below=below, worst=worst)
        if not found.queries:
            raise InputError(Problem(f"{found.measure} has no value here", field="--measure"))
        document = failures_document(found, dataset.name if dataset else None)
        for failure in document["failures"]:
            failure["text"] = texts.get(failure["query"], "")
        documents.append({**document, **about})
    return documents


def facts_of(evaluation: Evaluation, depth: int) -> Facts:
    """The facts about the judged documents and the first `depth` of each run; none of bare files.

    Args:
        evaluation: Systems scored on a dataset.
        depth: How deep the rankings will be looked at.
    """
    dataset, basis = evaluation.dataset, evaluation.basis
    if dataset is None or basis is None:
        return Facts()
    concerned = set(evaluation.qrels.docs)
    for system in evaluation.systems:
        for query_id in evaluation.qrels.query_ids:
            concerned.update(hit.doc_id for hit in system.evidence.run.hits(query_id, depth))
    return Facts(
        query_languages={query.id: query.language for query in dataset.queries},
        document_languages=dataset.document_languages(sorted(concerned)),
        parents={} if evaluation.asked.roll_up else dataset.parents(),
        hard_negatives=evaluation.hard_negatives(),
        disputed=_disputed(basis.labels),
    )


def _disputed(labels: Labels) -> dict[str, Disputed]:
    """For each query what several annotators graded, and what somebody could not judge."""
    grades: dict[str, dict[str, list[int]]] = {}
    unsure: dict[str, list[str]] = {}
    for pair, state in labels.states.items():
        if state.source not in ("human", "adjudicated"):
            continue
        if state.kind == "cannot_judge":
            unsure.setdefault(pair.query_id, []).append(pair.doc_id)
        elif state.grade is not None:
            grades.setdefault(pair.query_id, {}).setdefault(pair.doc_id, []).append(state.grade)
    several = {
        query_id: {doc_id: given for doc_id, given in docs.items() if len(given) > 1}
        for query_id, docs in grades.items()
    }
    return {
        query_id: Disputed(several.get(query_id, {}), tuple(unsure.get(query_id, ())))
        for query_id in {*several, *unsure}
        if several.get(query_id) or query_id in unsure
    }
