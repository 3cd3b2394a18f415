"""What the ideal ranking would get, and that nothing fails for what it could not reach."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.scoring.failures import (
    find_failures,
)
from judge.scoring.measures import MEASURES, parse_measure
from judge.scoring.score import ScoreOptions, evaluate, gather
from tests.oracles.collections import CALM, Made, collections
from tests.scoring.failures.cases import NOTHING, find

if TYPE_CHECKING:
    from judge.scoring.measures.catalog import Definition
    from judge.scoring.score import Unjudged

MANY = {f"a{i}": 1 for i in range(1, 47)}


@pytest.mark.parametrize(
    ("measure", "grades", "ideal"),
    [
        # 46 relevant documents do not fit in 5 ranks; one does not fill 10.
        ("R@5", MANY, 5 / 46),
        ("P@10", {"a1": 1}, 1 / 10),
        ("AP@5", MANY, 5 / 46),
        ("RR", {"a1": 1}, 1.0),
        ("nDCG@5", MANY, 1.0),
        ("R_cap@5", MANY, 1.0),
        ("Success@5", MANY, 1.0),
        ("Rprec", MANY, 1.0),
        ("Bpref", MANY, 1.0),
        # 1 - p^2 = 0.36 of two answers; of grades 3 and 1, by hand: 3 + 1 / log2(3).
        ("RBP(p=0.8)", {"a1": 1, "a2": 1}, 0.36),
        ("DCG@5", {"a1": 1, "a2": 3}, 3 + 1 / math.log2(3)),
        # What is retrieved and is not relevant, as grade 1 is here, costs precision.
        ("SetP(rel=2)", {"a1": 1, "a2": 2}, 1.0),
        ("SetF(rel=2)", {"a1": 1, "a2": 2}, 1.0),
        # Grade 1 gains nDCG though it is not relevant here.
        ("nDCG(dcg='exp-log2')", {"a1": 1, "a2": 2, "a3": 0, "a4": -1}, 1.0),
        ("P@5", {"a1": 0, "a2": -1}, 0.0),
    ],
)
@pytest.mark.parametrize("unjudged", ["zero", "condense", "scenario"])
def test_the_ideal_value(
    measure: str, grades: dict[str, int], ideal: float, unjudged: Unjudged
) -> None:
    options = ScoreOptions(relevant_from=2) if "exp" in measure else ScoreOptions()
    options = replace(options, unjudged=unjudged, top_grade=3)
    run = {"q": ["x"], "r": ["b"]}
    found = find({"r": {"b": 2}, "q": grades}, run, measure, options=options, below=9)
    (failure,) = (failure for failure in found.failures if failure.query_id == "q")
    assert failure.ideal == pytest.approx(ideal, abs=1e-12)


def test_what_no_ranking_could_reach_is_no_failure() -> None:
    best = [f"a{i}" for i in range(1, 6)]
    # 5 of 46 is all that 5 ranks can hold; 3 is more than half of that, 2 is less.
    for found, failed in ((5, 0), (3, 0), (2, 1)):
        ranking = [*best[:found], *"xyzuv"]
        assert find({"q": MANY}, {"q": ranking}, "R@5").failed == failed
    half = find({"q": {"a": 1, "b": 1, "x": 0}}, {"q": ["x", "b", "y", "z", "a"]}, "P@3")
    assert half.failed == 0  # 1/3 of at most 2/3 is just half


def test_a_sampled_measure_without_a_sample_fails_nothing() -> None:
    found = find({"q": {"a": 1}, "r": {"x": 0}}, {"q": ["x"]}, "infAP")
    assert (found.queries, found.failed) == (0, 0)


@given(
    collections(),
    st.sampled_from([m for m in MEASURES.values() if not m.about_judging]),
    st.sampled_from(["zero", "condense"]),
    st.integers(1, 3),
    st.integers(1, 4),
)
@CALM
def test_no_ranking_has_more_than_the_ideal_one(
    made: Made, definition: Definition, unjudged: Unjudged, relevant_from: int, cutoff: int
) -> None:
    qrels, run = made.tables()
    measure = parse_measure(definition.name + f"@{cutoff}" * (definition.cutoff != "none"))
    options = ScoreOptions(unjudged=unjudged, relevant_from=relevant_from)
    evidence = gather(qrels, run, options)
    scores = evaluate(evidence, [measure])
    found = find_failures(evidence, scores, measure, NOTHING, below=2)
    assert all(failure.value <= failure.ideal + 1e-12 for failure in found.failures)
    assert found.failed == found.queries
