"""How an evaluation becomes a page for the browser: what it shows beside the numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from judge.bench.failing import failures_of
from judge.core.model import UNKNOWN_LANGUAGE, Scale
from judge.scoring.html import PageData, Shown, page

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection

    from judge.bench.evaluate import Evaluation, Scored

TOP = 10
"""Documents of each ranking that it shows."""
WORST = 20
"""Failures of each system that it lists."""
BELOW = 0.5
"""A query with a lower share of the value of an ideal ranking has failed."""


def page_of(
    evaluation: Evaluation, made_at: dt.datetime, comparison: dict[str, Any] | None = None
) -> str:
    """The page of an evaluation: one HTML document that loads nothing.

    Args:
        evaluation: Systems that were scored.
        made_at: The time that the page tells.
        comparison: `judge.compare/1` of these systems, if there is one.
    """
    dataset, options = evaluation.dataset, evaluation.systems[0].scores.options
    report = replace(evaluation, asked=replace(evaluation.asked, per_query=True)).report
    scale = dataset.manifest.scale if dataset else Scale.up_to(_top_grade(evaluation))
    deciding = [m for m in evaluation.asked.measures if not m.definition.about_judging][:1]
    failures = [
        document
        for measure in deciding
        for document in failures_of(evaluation, measure, below=BELOW, worst=WORST)
    ]
    data = PageData(
        title=dataset.name if dataset else "scores",
        made_at=made_at,
        report=report,
        tops=_tops(evaluation),
        query_texts={query.id: query.text for query in dataset.queries} if dataset else {},
        grade_labels=dict(scale.labels),
        relevant_from=options.relevant_from,
        failures=failures,
        comparison=comparison,
    )
    return page(data)


def _top_grade(evaluation: Evaluation) -> int:
    """The highest grade that was given, of the scales that pages know."""
    return min(9, max(1, int(evaluation.qrels.all_grades.max(initial=1))))


def _tops(evaluation: Evaluation) -> dict[str, dict[str, list[Shown]]]:
    """The first documents of each system for each query, as the page shows them."""
    marked = evaluation.hard_negatives()
    return {
        system.scores.run: {
            query_id: _top(evaluation, system, query_id, marked)
            for query_id in system.scores.query_ids
        }
        for system in evaluation.systems
    }


def _top(
    evaluation: Evaluation,
    system: Scored,
    query_id: str,
    marked: Collection[tuple[str, str]],
) -> list[Shown]:
    hits = system.evidence.run.hits(query_id, TOP)
    dataset = evaluation.dataset
    openings = dataset.openings([hit.doc_id for hit in hits]) if dataset else {}
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
