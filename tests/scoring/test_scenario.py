"""What the values could be if unjudged documents were good, and where that is a true bound."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.errors import MeasureError
from judge.scoring.measures import MEASURES, Measure, Ranking, parse_measure
from judge.scoring.score import ScoreOptions, Scores, score
from tests.oracles.collections import CALM, Made, collections

TOP = 4
SCENARIO = ScoreOptions(unjudged="scenario", top_grade=3)
Grades = list[int | None]
grades = st.lists(st.one_of(st.none(), st.integers(-1, TOP)), max_size=10)
missed = st.lists(st.integers(0, TOP), max_size=5)
cutoffs = st.one_of(st.none(), st.integers(1, 12))


def scored(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    *names: str,
    options: ScoreOptions = SCENARIO,
) -> Scores:
    return score(*Made(qrels, run).tables(), [parse_measure(name) for name in names], options)


def both(scores: Scores) -> dict[str, tuple[float, float]]:
    """Plain value and scenario of the only query."""
    assert scores.scenario is not None
    return {
        name: (float(scores.values[name][0]), float(column[0]))
        for name, column in scores.scenario.items()
    }


QRELS = {"q": {"a": 3, "b": 0, "u": -1, "m": 1}}
RUN = {"q": {"x": 5.0, "b": 4.0, "u": 3.0, "a": 2.0}}
"""Unjudged, 0, pooled only, 3; a document of grade 1 is missed."""


@pytest.mark.parametrize(
    ("name", "plain", "scenario"),
    [
        ("P@2", 0.0, 1 / 2),
        ("P@4", 1 / 4, 3 / 4),
        ("RR", 1 / 4, 1.0),
        ("RR@3", 0.0, 1.0),
        ("Success@2", 0.0, 1.0),
        ("DCG@3", 0.0, 3 + 3 / 2),
        ("ERR", 7 / 8 / 4, 7 / 8 + 1 / 8 * 7 / 8 / 3 + 1 / 64 * 7 / 8 / 4),
        ("RBP(p=0.5, rel=1)", 0.5 * 0.125, 0.5 * (1 + 0.25 + 0.125)),
        ("RBP(p=0.5, gain='graded')@2", 0.0, 0.5),
        ("SetP", 1 / 4, 3 / 4),
        # With those documents there would be more to be found, so these are no bounds.
        ("R@2", 0.0, 1 / 4),
        ("R@4", 1 / 2, 3 / 4),
        ("AP", 1 / 4 / 2, (1 + 2 / 3 + 3 / 4) / 4),
        ("Rprec", 0.0, 3 / 4),
        ("nDCG@1", 0.0, 1.0),
        ("nDCG@2", 0.0, 3 / (3 + 3 / math.log2(3))),
    ],
)
def test_the_value_with_every_unjudged_document_at_the_top(
    name: str, plain: float, scenario: float
) -> None:
    assert both(scored(QRELS, RUN, name))[name] == pytest.approx((plain, scenario), abs=1e-12)


def test_there_is_no_scenario_unless_asked_for_and_none_of_the_coverage() -> None:
    assert scored(QRELS, RUN, "P@2", options=ScoreOptions()).scenario is None
    assert scored(QRELS, RUN, "P@2", options=ScoreOptions(unjudged="condense")).scenario is None
    scores = scored(QRELS, RUN, "P@2", "Judged@4")
    assert list(scores.values) == ["P@2", "Judged@4"]
    assert scores.values["Judged@4"].tolist() == [0.5]
    assert scores.scenario is not None
    assert list(scores.scenario) == ["P@2"]


def test_recall_may_fall_with_better_documents() -> None:
    # One of one is found. Were the next one relevant too, it would be one of two.
    found = both(scored({"q": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}}, "R@1", "nDCG@1", "P@1"))
    assert found["R@1"] == (1.0, 0.5)
    assert found["nDCG@1"] == (1.0, 1 / 3)
    assert found["P@1"] == (1.0, 1.0)
    assert not MEASURES["R"].bounded
    assert not MEASURES["nDCG"].bounded
    assert MEASURES["P"].bounded


@given(st.sampled_from([name for name in MEASURES if name != "Judged"]), cutoffs, grades, missed)
@CALM
def test_what_is_judged_in_full_leaves_nothing_open(
    name: str, cutoff: int | None, seen: Grades, more: list[int]
) -> None:
    full: Grades = [grade for grade in seen if grade is not None and grade >= 0]
    ranking = Ranking.of([full], [more], scale_top=TOP)
    measure = Measure(name, cutoff or 5 if MEASURES[name].cutoff == "required" else cutoff)
    assert measure.values(ranking).tolist() == measure.values(ranking.filled()).tolist()


@pytest.mark.parametrize(
    ("name", "seen", "truth", "elsewhere"),
    [
        ("AP", [1, 0, None], [1, 0, 1], []),
        ("R@1", [1, None], [1, 1], []),
        ("R_cap@2", [1, None, None], [1, 0, 1], []),
        ("nDCG@1", [1, None], [1, 4], []),
        ("Rprec", [1, 0, None], [1, 0, 1], []),
        ("Bpref", [1, None, 1], [1, 0, 1], []),
        # A relevant document that was neither retrieved nor judged so far.
        ("SetR", [1], [1], [1]),
        ("SetF", [1], [1], [1]),
    ],
)
def test_where_the_two_values_are_no_bounds(
    name: str, seen: Grades, truth: Grades, elsewhere: list[int]
) -> None:
    measure = parse_measure(name)
    ranking = Ranking.of([seen], scale_top=TOP)
    low, high = (float(measure.values(part)[0]) for part in (ranking, ranking.filled()))
    value = float(measure.values(Ranking.of([truth], [elsewhere], scale_top=TOP))[0])
    assert not low <= value <= high
    assert not measure.definition.bounded


def test_which_values_are_bounds() -> None:
    assert set(BOUNDED) == {"P", "RR", "Success", "ERR", "DCG", "RBP", "SetP"}


BOUNDED = [name for name, definition in MEASURES.items() if definition.bounded]


@given(st.sampled_from(BOUNDED), cutoffs, grades, missed, missed, st.data())
@settings(CALM, max_examples=300)
def test_true_bounds_hold_whatever_the_judgments_turn_out_to_be(
    name: str,
    cutoff: int | None,
    seen: Grades,
    more: list[int],
    elsewhere: list[int],
    data: st.DataObject,
) -> None:
    judged: Grades = [
        data.draw(st.integers(0, TOP)) if grade is None or grade < 0 else grade for grade in seen
    ]
    measure = Measure(name, cutoff or 5 if MEASURES[name].cutoff == "required" else cutoff)
    ranking = Ranking.of([seen], [more], scale_top=TOP)
    low, high = (float(measure.values(part)[0]) for part in (ranking, ranking.filled()))
    truth = Ranking.of([judged], [more + elsewhere], scale_top=TOP)
    value = float(measure.values(truth)[0])
    assert low - 1e-12 <= value <= high + 1e-12


@given(collections())
@CALM
def test_the_plain_values_are_those_without_a_scenario(made: Made) -> None:
    measures = [parse_measure(name) for name in ("nDCG@3", "P@3", "ERR", "RBP", "Judged@3")]
    with_scenario = score(*made.tables(), measures, ScoreOptions(unjudged="scenario"))
    without = score(*made.tables(), measures, ScoreOptions())
    for name, column in without.values.items():
        np.testing.assert_array_equal(with_scenario.values[name], column)


def test_the_scenario_of_some_queries() -> None:
    scores = scored(QRELS | {"p": {"a": 1}}, RUN, "P@2", "Success@1")
    part = scores.at(np.array([scores.query_ids.index("p")]))
    assert part.scenario is not None
    assert {name: column.tolist() for name, column in part.scenario.items()} == {
        "P@2": [0.0],
        "Success@1": [0.0],
    }
    assert part.notes == scores.notes


def test_queries_left_out_have_no_scenario_either() -> None:
    options = ScoreOptions(unjudged="scenario", no_relevant="exclude")
    scores = scored({"q": {"a": 1}, "p": {"a": 0}}, {"p": {"x": 1.0}}, "P@1", options=options)
    assert scores.query_ids == ("q",)
    assert scores.scenario is not None
    assert scores.scenario["P@1"].tolist() == [0.0]


def test_the_highest_grade_is_that_of_the_scale_or_else_of_the_judgments() -> None:
    names = ("ERR@10", "ERR(max_rel=3)@10", "RBP(p=0.5, gain='graded')", "P@1")
    qrels, run = {"q": {"a": 2, "b": 1}}, {"q": {"b": 1.0}}
    known = scored(qrels, run, *names, options=ScoreOptions(top_grade=3))
    assert [column[0] for column in known.values.values()] == [1 / 8, 1 / 8, 0.5 / 3, 1.0]
    assert known.notes == ()
    guessed = scored(qrels, run, *names, options=ScoreOptions())
    assert [column[0] for column in guessed.values.values()] == [1 / 4, 1 / 8, 0.25, 1.0]
    assert guessed.notes == (
        "ERR@10, RBP(p=0.5, gain='graded'): the highest grade of the scale is not known; it is"
        " taken to be 2, from the judgments",
    )
    assert scored(qrels, run, "P@1", options=ScoreOptions()).notes == ()


def test_without_a_scale_an_unjudged_document_could_still_be_relevant() -> None:
    options = ScoreOptions(unjudged="scenario", relevant_from=2)
    scores = scored({"q": {"a": 0}}, {"q": {"x": 1.0}}, "P@1", options=options)
    assert both(scores) == {"P(rel=2)@1": (0.0, 1.0)}
    assert scores.notes == (
        "the scenario for unjudged documents: the highest grade of the scale is not known; it is"
        " taken to be 2, from the judgments",
    )


def test_a_grade_above_the_scale_is_an_error_where_the_scale_counts() -> None:
    qrels, run = {"q": {"a": 4}}, {"q": {"a": 1.0}}
    for names, options in (
        (["P@1"], SCENARIO),
        (["ERR"], ScoreOptions(top_grade=3)),
        (["RBP(gain='graded')"], ScoreOptions(top_grade=3)),
    ):
        with pytest.raises(MeasureError, match="grade 4, above the highest that was given, 3"):
            scored(qrels, run, *names, options=options)
    assert scored(qrels, run, "P@1", options=ScoreOptions(top_grade=3)).means() == {"P@1": 1.0}


POOL = {"q": {"a": 1, "b": 0, "u": -1}}
FOUND = {"q": {"b": 4.0, "u": 3.0, "a": 2.0, "x": 1.0}}
INFERRED = (1 + 2 * 0.00001 / 1.00002) / 3


def test_inferred_ap_needs_a_sample() -> None:
    guessed = scored(POOL, FOUND, "infAP", options=ScoreOptions())
    assert guessed.means() == {"infAP": pytest.approx(INFERRED, abs=1e-12)}
    assert len(guessed.notes) == 1
    assert "infAP: pairs with a grade below 0 are taken as the rest of a pool" in guessed.notes[0]

    told = scored(POOL, FOUND, "infAP", options=ScoreOptions(sampled=True))
    assert told.means() == guessed.means()
    assert told.notes == ()

    full = {"q": {"a": 1, "b": 0}}
    for qrels, options in ((full, ScoreOptions()), (POOL, ScoreOptions(sampled=False))):
        none = scored(qrels, FOUND, "infAP", "AP", options=options)
        assert none.means() == {"infAP": None, "AP": 1 / 3}
        assert len(none.notes) == 1
        assert none.notes[0].startswith("infAP has no value: it needs judgments of a random sample")
    assert scored(full, FOUND, "AP", options=ScoreOptions()).notes == ()


def test_every_measure_can_be_taken_of_the_condensed_ranking() -> None:
    # Without those unjudged it is 0, 3.
    expected = {
        "P@1": 0.0,
        "P@2": 0.5,
        "RR": 0.5,
        "Rprec": 0.5,
        "Bpref": (1 - 1) / 2,
        "ERR": 7 / 8 / 2,
        "RBP(p=0.5, rel=1)": 0.25,
        "infAP": (1 + 0.00001 / 1.00002) / 2 / 2,
        "DCG": 3 / math.log2(3),
        "SetP": 0.5,
        "SetR": 0.5,
        "SetF": 0.5,
        "R_cap@1": 0.0,
        "Judged": 0.5,
    }
    options = ScoreOptions(unjudged="condense", top_grade=3)
    means = scored(QRELS, RUN, *expected, options=options).means()
    assert means == pytest.approx(expected, abs=1e-12)
