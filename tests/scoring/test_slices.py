"""Scores cut by a property of the query, and by the languages of both sides."""

from __future__ import annotations

import math

import numpy as np
import pytest

from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, gather, score
from judge.scoring.slices import by_document, by_query

QRELS = Qrels.from_judgments(
    [
        Judgment("e1", "en1", 3),
        Judgment("e1", "hi1", 2),
        Judgment("e1", "hi2", 1),
        Judgment("e2", "en1", 3),
        Judgment("h1", "hi1", 3),
        Judgment("h1", "en2", -1),
        Judgment("h2", "en1", 1),
    ]
)
RUN = Run.from_hits(
    "r",
    {
        "e1": [Hit("en1", 3.0), Hit("x", 2.0), Hit("hi1", 1.0)],
        "h1": [Hit("en2", 2.0), Hit("hi1", 1.0)],
        "h2": [Hit("en1", 1.0)],
    },
)
LANGUAGE = {"e1": "en", "e2": "en", "h1": "hi", "h2": "hi"}
WRITTEN = {"en1": "en", "hi1": "hi", "hi2": "hi"}
MEASURES = [parse_measure(name) for name in ("RR", "nDCG@10", "Judged@10")]
OPTIONS = ScoreOptions(relevant_from=2)


def test_queries_are_cut_by_a_property() -> None:
    scores = score(QRELS, RUN, MEASURES, OPTIONS)
    parts = by_query(scores, "category", {"e1": "b", "e2": None, "h1": "a", "h2": "b"})
    assert [(p.by, p.value, p.scores.query_ids) for p in parts] == [
        ("category", "a", ("h1",)),
        ("category", "b", ("e1", "h2")),
        ("category", "(none)", ("e2",)),
    ]
    assert [part.scores.means()["RR(rel=2)"] for part in parts] == [0.5, 0.5, 0.0]
    assert parts[2].scores.counts.missing == ("e2",)
    # Nothing is lost and nothing is counted twice.
    values = np.concatenate([part.scores.values["RR(rel=2)"] for part in parts])
    assert sorted(values) == sorted(scores.values["RR(rel=2)"])


def test_language_pairs_ask_for_documents_of_one_language() -> None:
    parts = by_document(gather(QRELS, RUN, OPTIONS), MEASURES, "language-pair", WRITTEN, LANGUAGE)
    found = {part.value: part.scores for part in parts}
    # h2 has no relevant document, and en2 no known language but no relevant query either.
    assert {value: scores.query_ids for value, scores in found.items()} == {
        "en > en": ("e1", "e2"),
        "en > hi": ("e1",),
        "hi > hi": ("h1",),
    }
    assert {part.by for part in parts} == {"language-pair"}
    assert found["en > en"].values["RR(rel=2)"].tolist() == [1.0, 0.0]
    # The English document keeps rank 1 and counts as judged, so the Hindi one stands at rank 3.
    assert found["en > hi"].values["RR(rel=2)"].tolist() == [1 / 3]
    assert found["en > hi"].values["Judged@10"].tolist() == [2 / 3]
    # Ideal: grade 2 at rank 1, grade 1 at rank 2; found: grade 2 at rank 3.
    ideal = 2 + 1 / math.log2(3)
    assert found["en > hi"].values["nDCG@10"][0] == pytest.approx(2 / math.log2(4) / ideal)
    # A grade below 0 is no judgment in any language.
    assert found["hi > hi"].values["Judged@10"].tolist() == [0.5]
    assert found["hi > hi"].values["RR(rel=2)"].tolist() == [0.5]


def test_languages_that_are_not_known() -> None:
    parts = by_document(gather(QRELS, RUN, OPTIONS), MEASURES, "language-pair", {}, {})
    assert [part.value for part in parts] == ["und > und"]
    assert parts[0].scores.query_ids == ("e1", "e2", "h1")


def test_a_property_of_documents_alone() -> None:
    lengths = {"en1": "short", "hi1": "long", "hi2": "short"}
    parts = by_document(gather(QRELS, RUN, OPTIONS), MEASURES, "document-length", lengths)
    # en2 is named nowhere, and has no grade from 2 up anyway.
    assert {part.value: part.scores.query_ids for part in parts} == {
        "long": ("e1", "h1"),
        "short": ("e1", "e2"),
    }
    found = {part.value: part.scores.values["RR(rel=2)"].tolist() for part in parts}
    assert found == {"long": [1 / 3, 0.5], "short": [1.0, 0.0]}
