"""How an evaluation becomes a page for the browser: what it shows beside the numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from judge.bench.failing import failures_of
from judge.core.errors import InputError, Problem
from judge.core.model import UNKNOWN_LANGUAGE
from judge.scoring.html import PageData, Shown, page

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection

    from judge.bench.evaluate import Evaluation, Scored
    from judge.dataset.store import Dataset

TOP = 10
"""Documents of each ranking that it shows."""
WORST = 50
"""Failures of each system that it lists."""
BELOW = 0.5
"""A query with a lower value has failed."""


def page_of(
    evaluation: Evaluation, made_at: dt.datetime, comparison: dict[str, Any] | None = None
) -> str:
    """The page of an evaluation of a dataset: one HTML document that loads nothing.

    Args:
        evaluation: Systems scored on a dataset, with the values of every query.
        made_at: The time that the page tells.
        comparison: `judge.compare/1` of these systems, if there is one.
    """
    dataset = evaluation.dataset
    if dataset is None:
        raise InputError(Problem("a page shows a dataset", expected="`judge score DATASET`"))
    scale = dataset.manifest.scale
    deciding = [m for m in evaluation.asked.measures if not m.definition.about_judging][:1]
    failures = [
        document
        for measure in deciding
        for document in failures_of(evaluation, measure, below=BELOW, worst=WORST)
    ]
    data = PageData(
        title=dataset.name,
        made_at=made_at,
        report=replace(evaluation, asked=replace(evaluation.asked, per_query=True)).report(),
        tops=_tops(dataset, evaluation),
        query_texts={query.id: query.text for query in dataset.queries},
        grade_labels={grade: scale.label(grade) for grade in scale.grades},
        relevant_from=evaluation.systems[0].scores.options.relevant_from,
        failures=failures,
        comparison=comparison,
    )
    return page(data)


def _tops(dataset: Dataset, evaluation: Evaluation) -> dict[str, dict[str, list[Shown]]]:
    """The first documents of each system for each query, as the page shows them."""
    marked = evaluation.hard_negatives()
    return {
        system.scores.run: {
            query_id: _top(dataset, evaluation, system, query_id, marked)
            for query_id in system.scores.query_ids
        }
        for system in evaluation.systems
    }


def _top(
    dataset: Dataset,
    evaluation: Evaluation,
    system: Scored,
    query_id: str,
    marked: Collection[tuple[str, str]],
) -> list[Shown]:
    hits = system.evidence.run.hits(query_id, TOP)
    openings = dataset.openings([hit.doc_id for hit in hits])
    grades = evaluation.qrels.grades(query_id)
    return [
        Shown(
            hit.doc_id,
            *(openings.get(hit.doc_id) or ("", "", UNKNOWN_LANGUAGE)),
            score=hit.score,
            grade=grades.get(hit.doc_id),
            hard_negative=(query_id, hit.doc_id) in marked,
        )
        for hit in hits
    ]
