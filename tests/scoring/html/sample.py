"""A made-up evaluation of three systems on forty queries in four languages, with odd strings."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.compare import compare
from judge.scoring.failures import Facts, failures_document, find_failures
from judge.scoring.html import PageData, Shown
from judge.scoring.measures import DEFAULT_MEASURES
from judge.scoring.report import Intervals, RunReport, score_report
from judge.scoring.score import ScoreOptions, evaluate, gather
from judge.scoring.slices import by_document, by_query

if TYPE_CHECKING:
    from collections.abc import Mapping

LABELS = {
    0: "does not answer",
    1: "related but insufficient",
    2: "useful evidence",
    3: "directly answers",
}
LONG = "doc-" + "0123456789abcdef" * 8
RUNS = {"bm25": 0.9, "dense-multilingual": 1.6, "a-system-with-a-rather-long-name-v2.1": 1.2}
TEXTS = {
    "en": (
        "How do I patch a puncture on the road?",
        "Patching a tube",
        "Roughen the rubber first.",
    ),
    "ar": ("كيف أصلح ثقبا في الإطار؟", "إصلاح الثقب", "نظف المطاط ثم ضع اللاصق وانتظر."),
    "hi": ("पंचर कैसे ठीक करें?", "पंचर की मरम्मत", "पहले रबर को खुरदरा करें, फिर गोंद लगाएँ।"),
    "zh": ("路上怎么补胎？", "补胎步骤", "先打磨橡胶，再涂胶水，等待干燥。"),
}
LANGUAGES = tuple(TEXTS)
MADE_AT = dt.datetime(2026, 3, 4, 5, 6, 7, tzinfo=dt.UTC)


@dataclass(frozen=True)
class Collection:
    """Queries, documents and judgments by id."""

    queries: Mapping[str, tuple[str, str]]
    documents: Mapping[str, tuple[str, str, str]]
    grades: Mapping[tuple[str, str], int]


def collection(rng: np.random.Generator) -> Collection:
    """Forty queries with twenty documents each, of which fourteen are judged."""
    queries, documents, grades = {}, {}, {}
    for number in range(1, 41):
        language = LANGUAGES[number % 4]
        query = f"q{number}"
        queries[query] = (f"{TEXTS[language][0]} ({number})", language)
        for place in range(20):
            written = LANGUAGES[int(rng.choice(4))] if place % 2 else language
            doc = LONG if (number, place) == (1, 0) else f"{written}-{number:02d}-{place:02d}"
            title = "" if place % 7 == 3 else f"{TEXTS[written][1]} {number}.{place}"
            documents[doc] = (title, TEXTS[written][2] * (1 + place % 3), written)
            if place < 14 and number != 39:
                grades[query, doc] = int(rng.choice(4, p=[0.5, 0.2, 0.2, 0.1]))
    grades["q39", "en-39-00"] = 0
    return Collection(queries, documents, grades)


def ranked(made: Collection, rng: np.random.Generator) -> dict[str, Run]:
    """A run for each skill: the more, the closer to the grades; the last lacks a query."""
    runs = {}
    for name, skill in RUNS.items():
        hits: dict[str, list[Hit]] = {}
        for query in made.queries:
            if (name, query) == ("a-system-with-a-rather-long-name-v2.1", "q7"):
                continue
            own = [d for d in made.documents if d.split("-")[1:2] == [f"{int(query[1:]):02d}"]]
            own += [LONG] if query == "q1" else []
            noise = rng.normal(size=len(own))
            scores = [
                skill * made.grades.get((query, d), 0) + e for d, e in zip(own, noise, strict=True)
            ]
            hits[query] = [Hit(d, round(float(s), 3)) for d, s in zip(own, scores, strict=True)]
        runs[name] = Run.from_hits(name, hits)
    return runs


def sample() -> PageData:
    """The page's data, made by the real scoring."""
    rng = np.random.default_rng(7)
    made = collection(rng)
    runs = ranked(made, rng)
    qrels = Qrels.from_judgments([Judgment(q, d, g) for (q, d), g in made.grades.items()])
    options = ScoreOptions(relevant_from=2)
    evidence = [gather(qrels, run, options) for run in runs.values()]
    scores = [evaluate(one, DEFAULT_MEASURES) for one in evidence]
    asked = {q: language for q, (_, language) in made.queries.items()}
    written = {d: language for d, (_, _, language) in made.documents.items()}
    category = {q: ("repair" if int(q[1:]) % 3 else "buying") for q in asked if q != "q40"}
    cut = [by_query(score, "category", category) for score in scores]
    reports = [
        RunReport(
            score,
            [
                *by_document(one, DEFAULT_MEASURES, "language-pair", written, asked),
                *parts,
            ],
        )
        for one, score, parts in zip(evidence, scores, cut, strict=True)
    ]
    settings = {"labels": "median-low", "split": "dev", "queries": "finished"}
    report = score_report(qrels, reports, settings, per_query=True, intervals=Intervals())
    facts = Facts(query_languages=asked, document_languages=written)
    measure = DEFAULT_MEASURES[0]
    return PageData(
        title="bicycles",
        made_at=MADE_AT,
        report={**report, "dataset": "bicycles", "labels": {"rule": "median-low", "ties": 3}},
        tops={name: tops(made, run) for name, run in runs.items()},
        query_texts={q: text for q, (text, _) in made.queries.items()},
        grade_labels=LABELS,
        relevant_from=2,
        failures=[
            failures_document(find_failures(one, score, measure, facts), "bicycles")
            for one, score in zip(evidence, scores, strict=True)
        ],
        comparison=compare(scores[0], scores[1:], slices=cut),
    )


def tops(made: Collection, run: Run) -> dict[str, list[Shown]]:
    return {
        query: [
            Shown(
                hit.doc_id,
                *made.documents[hit.doc_id],
                score=hit.score,
                grade=made.grades.get((query, hit.doc_id)),
                hard_negative=made.grades.get((query, hit.doc_id)) == 0 and place == 3,
            )
            for place, hit in enumerate(run.hits(query, 10))
        ]
        for query in run.query_ids
    }


def many(data: PageData, count: int) -> PageData:
    """The same report with the values of very many queries and no rankings."""
    names = data.report["measures"]
    rng = np.random.default_rng(1)
    ids = [f"query-{place:05d}" for place in range(count)]
    runs = [
        {
            **run,
            "queries": {
                i: dict(zip(names, row, strict=True))
                for i, row in zip(ids, rng.random((count, len(names))).tolist(), strict=True)
            },
        }
        for run in data.report["runs"]
    ]
    report = {**data.report, "runs": runs}
    return replace(data, report=report, query_texts={i: f"words of {i}" for i in ids})
