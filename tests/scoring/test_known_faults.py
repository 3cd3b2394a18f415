"""Inputs that other scorers got wrong, with the values that are right here."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from judge.scoring.measures import parse_measure
from judge.scoring.score import score
from tests.oracles.collections import Made

Rows = dict[str, dict[str, int]]
Found = dict[str, dict[str, float]]


class Case(NamedTuple):
    """What went wrong elsewhere, the input, and the means that are right."""

    fault: str
    qrels: Rows
    run: Found
    means: dict[str, float]


def ten(start: int = 0) -> list[str]:
    return [str(i) for i in range(start, start + 10)]


CASES = [
    Case(
        "equal runs differ by the names of tied documents: low",
        {"q": {"a": 0, "b": 1, "c": 0}},
        {"q": {"b": 1, "a": 1}},
        {"nDCG": 1.0, "RR": 1.0},
    ),
    Case(
        "equal runs differ by the names of tied documents: high",
        {"q": {"a": 0, "b": 1, "c": 0}},
        {"q": {"b": 1, "c": 1}},
        {"nDCG": 0.630930, "RR": 0.5},
    ),
    Case(
        "scores rounded to 32 bits make false ties",
        {"q": {"a": 1}},
        {"q": {"a": 0.5 + 1e-9, "b": 0.5}},
        {"RR": 1.0, "RR@10": 1.0},
    ),
    Case(
        "a threshold for relevance leaks into nDCG, or is ignored by the others",
        {"q": {"a": 1, "b": 2, "c": 3}},
        {"q": {"a": 3, "b": 2, "c": 1}},
        {"nDCG": 0.789998, "RR(rel=2)": 0.5, "AP(rel=2)": 0.583333},
    ),
    Case(
        "queries missing from the run are left out of the mean",
        {"q": {"a": 1}, "p": {"a": 1}},
        {"q": {"a": 1}},
        {"RR": 0.5, "nDCG@10": 0.5, "AP": 0.5, "R@10": 0.5},
    ),
    Case(
        "nDCG@k at the number of results differs from nDCG where it should not, and the reverse",
        {"q": dict.fromkeys("abcde", 3)},
        {"q": {"a": 1}},
        {"nDCG@1": 1.0, "nDCG@10": 0.339160, "nDCG": 0.339160},
    ),
    Case(
        "average precision of a three-way tie",
        {"q": {"d3": 1}},
        {"q": {"d1": 1, "d2": 1, "d3": 1}},
        {"AP": 1.0},
    ),
    Case(
        "a query without judgments spoils those after it",
        {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q3": {"d2": 1, "d3": 1}},
        {q: {"d1": 3, "d2": 2, "d3": 1} for q in ("q1", "q2", "q3")},
        {"AP": (0.5 + 0.583333) / 2, "nDCG": (0.630930 + 0.693426) / 2},
    ),
    Case(
        "two measures of one tool order ties in opposite ways",
        {"q": {"a": 1, "b": 0}},
        {"q": {"a": 1.0, "b": 1.0}},
        {"RR": 0.5, "RR@10": 0.5},
    ),
    Case(
        "the second evaluation gives 0",
        {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}, "Q2": {"D0": 1, "D3": 2}},
        {"Q0": {"D0": 2, "D1": 1}, "Q1": {"D0": 1, "D3": 2}},
        {"nDCG@20": 0.543643},
    ),
    Case(
        "documents judged 0 count as relevant ones in recall",
        {"q": {"a": 1, "b": 0, "c": 0}},
        {"q": {"b": 2, "a": 1}},
        {"R@10": 1.0, "AP": 0.5},
    ),
    Case(
        "the reciprocal rank at 1 is taken for recall at 1",
        {"q": {f"d{i}": 1 for i in range(20)}},
        {"q": {"d0": 1}},
        {"RR@1": 1.0, "R@1": 0.05, "P@1": 1.0},
    ),
    Case(
        "one relevant document, tied: average precision and reciprocal rank differ",
        {"q": {"a": 1}},
        {"q": {"a": 1, "b": 1}},
        {"AP": 0.5, "RR": 0.5},
    ),
    Case(
        "a document with the id of the query is dropped",
        {"0": dict.fromkeys(ten(), 1)},
        {"0": dict.fromkeys(ten(), 1.0)},
        {"R@10": 1.0, "nDCG@10": 1.0, "P@10": 1.0},
    ),
    Case(
        "a scorer that gives one score to all is perfect, by the order of the file",
        {"q": {"a": 1}},
        {"q": {"a": 1.0} | dict.fromkeys("bcdefghijk", 1.0)},
        {"RR@10": 0.0, "nDCG@10": 0.0},
    ),
    Case(
        "a grade below 0 becomes a huge one",
        {"q": {"a": -1, "b": 1}},
        {"q": {"a": 2, "b": 1}},
        {"nDCG@10": 0.630930, "P@10": 0.1, "Judged@10": 0.5},
    ),
    Case(
        "half-precision scores make ties",
        {"q": {"a": 1}},
        {"q": {"a": 0.71236, "b": 0.71234}},
        {"RR": 1.0},
    ),
    Case(
        "grades count as binary in nDCG",
        {"q": {"a": 3, "b": 1}},
        {"q": {"b": 2, "a": 1}},
        {"nDCG@10": 0.796708},
    ),
    Case(
        "the ideal ranking is cut at the number of results, below the tenth",
        {"q": dict.fromkeys(ten(5)[:5], 3)},
        {"q": {f"x{i}": 20.0 - i for i in range(5)} | dict.fromkeys(ten(5)[:5], 1.0)},
        {"nDCG@10": 0.540995, "nDCG@5": 0.0},
    ),
    Case(
        "average precision is divided by the relevant documents that were retrieved",
        {"q": {"a": 1, "b": 1}},
        {"q": {"a": 1}},
        {"AP": 0.5},
    ),
    Case(
        "the ideal ranking is made of what was retrieved",
        {"q": {"a": 1, "b": 1}},
        {"q": {"a": 1}},
        {"nDCG@10": 0.613147, "nDCG": 0.613147},
    ),
    Case(
        "a query without relevant documents has no value and spoils the mean",
        {"q": {"a": 1}, "p": {"a": 0}},
        {"q": {"a": 1}, "p": {"a": 1}},
        {"AP": 0.5, "nDCG@10": 0.5, "R@10": 0.5},
    ),
    Case(
        "precision is divided by the number of results",
        {"q": {"a": 1, "b": 1}},
        {"q": {"a": 2, "b": 1}},
        {"P@10": 0.2, "P@2": 1.0},
    ),
    Case(
        "every kind of document at once",
        {"q": {"a": 1, "b": 1, "c": 0, "e": 0, "u": -1}},
        {"q": {"c": 4, "a": 3, "u": 2.7, "x": 2.5, "b": 2, "e": 1}},
        {"AP": 0.45, "P@10": 0.2, "R@10": 1.0, "Judged@10": 4 / 6},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.fault for case in CASES])
def test_the_right_values(case: Case) -> None:
    measures = [parse_measure(name) for name in case.means]
    qrels, run = Made(case.qrels, case.run).tables()
    for _ in range(2):
        assert score(qrels, run, measures).means() == pytest.approx(case.means, abs=1e-6)
