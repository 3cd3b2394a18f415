"""Which queries failed, in which order, and how that is told."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import InputError, MeasureError
from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.failures import (
    CODES,
    MANUAL,
    Answer,
    failures_document,
    find_failures,
)
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, evaluate, gather
from tests.oracles.collections import CALM, Made, collections
from tests.oracles.measures import ranked
from tests.scoring.failures.cases import NOTHING, find

if TYPE_CHECKING:
    from judge.core.tables import Ties

QRELS = {
    "good": {"a": 2},
    "half": {"a": 2, "x": 0},
    "third": {"a": 1, "b": 3, "c": 2, "d": 2, "y": 0},
    "none": {"x": 0},
    "lost": {"a": 1},
}
RUN = {
    "good": ["a"],
    "half": ["x", "a"],
    "third": ["u", "y", "a", "v", "c"],
    "none": ["x"],
    "lost": ["u", "v", "w", "y"],
    "unknown": ["a"],
}


def test_the_failed_queries_worst_first() -> None:
    found = find(QRELS, RUN)
    assert (found.run, found.measure, found.cutoff, found.below) == ("mine", "RR@3", 3, 0.5)
    # A value of just 0.5 is no failure; of equal ones that without an answer is last.
    values = [(f.query_id, f.value, f.ideal, f.judged) for f in found.failures]
    assert values == [
        ("lost", 0.0, 1.0, 0.0),
        ("none", 0.0, 0.0, 1.0),
        ("third", 1 / 3, 1.0, 2 / 3),
    ]
    assert (found.queries, found.failed) == (5, 3)
    assert found.diagnoses == {
        "no-answer-known": 1,
        "answer-absent": 1,
        "badly-ranked": 1,
        "some-absent": 1,
        "thin-pool": 1,
    }
    assert list(found.diagnoses) == [code for code in CODES if code in found.diagnoses]
    assert found.primary == {"no-answer-known": 1, "answer-absent": 1, "badly-ranked": 1}
    assert [f.primary for f in found.failures] == [
        "answer-absent",
        "no-answer-known",
        "badly-ranked",
    ]
    # By rank; of those that are not ranked, the best grade first.
    assert found.failures[2].relevant == (
        Answer("a", 1, 3),
        Answer("c", 2, 5),
        Answer("b", 3, None),
        Answer("d", 2, None),
    )


def test_the_worst_are_returned_and_all_are_counted() -> None:
    every, worst = find(QRELS, RUN), find(QRELS, RUN, worst=1)
    assert worst.failures == every.failures[:1]
    assert (worst.failed, worst.diagnoses) == (3, every.diagnoses)
    assert worst.primary == every.primary


def test_equal_values_go_by_their_best_answer_and_then_by_id() -> None:
    low = [f"x{i}" for i in range(20)]
    rankings = {
        "q2": [*low[:9], "a"],
        "q10": [*low[:9], "a"],
        "q9": [*low[:19], "a", "b"],
        "q1": [*low[:5], "a"],
        "q3": low,
        "q20": low,
    }
    qrels = {query: {"b": 1, "a": 1, "x0": 0} for query in rankings} | {"q0": {"x0": 0}}
    found = find(qrels, {**rankings, "q0": low}, "P@3")
    ids = [failure.query_id for failure in found.failures]
    assert ids == ["q3", "q20", "q9", "q2", "q10", "q1", "q0"]


def test_queries_that_do_not_count() -> None:
    left_out = find(QRELS, RUN, options=ScoreOptions(no_relevant="exclude"))
    assert left_out.queries == 4
    assert [f.query_id for f in left_out.failures] == ["lost", "third"]
    judgments = Qrels.from_judgments([Judgment("q", "a", 1), Judgment("r", "b", 1)])
    run = Run.from_hits("mine", {"q": [Hit("x", 1.0)]})
    evidence, measure = gather(judgments, run, ScoreOptions()), parse_measure("RR")
    scores = evaluate(evidence, [measure])
    scores.values["RR"][1] = math.nan
    found = find_failures(evidence, scores, measure, NOTHING)
    assert (found.queries, [f.query_id for f in found.failures]) == (1, ["q"])


@pytest.mark.parametrize(
    ("measure", "k", "cutoff"), [("RR@3", None, 3), ("RR", None, 10), ("RR", 4, 4), ("RR@3", 4, 4)]
)
def test_how_deep_the_diagnoses_look(measure: str, k: int | None, cutoff: int) -> None:
    ranking = [f"x{i}" for i in range(1, 20)]
    for rank, absent in ((cutoff, False), (cutoff + 1, True)):
        run = {"q": [*ranking[: rank - 1], "a"]}
        found = find({"q": {"a": 1}}, run, measure, below=1.1, k=k)
        assert found.cutoff == cutoff
        assert ("answer-absent" in found.diagnoses) is absent


def test_what_cannot_be_asked() -> None:
    with pytest.raises(MeasureError, match="Judged@10 tells how much is judged"):
        find(QRELS, RUN, "Judged@10")
    evidence = gather(
        Qrels.from_judgments([Judgment("q", "a", 1)]), Run.from_hits("mine", {}), ScoreOptions()
    )
    scores = evaluate(evidence, [parse_measure("RR"), parse_measure("P@3")])
    with pytest.raises(MeasureError, match="run mine have no AP; they have: RR, P@3"):
        find_failures(evidence, scores, parse_measure("AP"), NOTHING)
    with pytest.raises(InputError) as caught:
        find(QRELS, RUN, below=math.nan, worst=0, k=0)
    assert [problem.field for problem in caught.value.problems] == ["below", "worst", "k"]


def test_the_document() -> None:
    found = find({"q1": {"a": 2, "x": 0}, "q2": {"b": 1}}, {"q1": ["x", "y", "a"]})
    document = failures_document(found, "tiny")
    assert document == {
        "schema": "judge.failures/1",
        "dataset": "tiny",
        "run": "mine",
        "measure": "RR@3",
        "cutoff": 3,
        "below": 0.5,
        "queries": 2,
        "failed": 2,
        "diagnoses": {"answer-absent": 1, "badly-ranked": 1},
        "primary": {"answer-absent": 1, "badly-ranked": 1},
        "failures": [
            {
                "query": "q2",
                "value": 0.0,
                "ideal": 1.0,
                "judged": None,
                "primary": "answer-absent",
                "diagnoses": [
                    {
                        "code": "answer-absent",
                        "says": "the run has no results for this query",
                        "docs": ["b"],
                    }
                ],
                "relevant": [{"doc": "b", "grade": 1, "rank": None}],
            },
            {
                "query": "q1",
                "value": 1 / 3,
                "ideal": 1.0,
                "judged": 2 / 3,
                "primary": "badly-ranked",
                "diagnoses": [
                    {
                        "code": "badly-ranked",
                        "says": 'the only relevant document is not first: "a" at 3',
                        "docs": ["a"],
                    }
                ],
                "relevant": [{"doc": "a", "grade": 2, "rank": 3}],
            },
        ],
    }
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert "dataset" not in failures_document(found)


def test_the_manual_has_every_diagnosis_in_order() -> None:
    first_words = [line.split(" ")[0] for line in MANUAL.splitlines()]
    assert [word for word in first_words if word in CODES] == list(CODES)


@pytest.mark.parametrize(("ties", "judged"), [("trec", 1.0), ("trec9", 0.0)])
def test_the_top_has_its_ties_settled_as_the_options_say(ties: Ties, judged: float) -> None:
    # The scores differ as 64-bit floats and are equal as 32-bit ones, where the greater id leads.
    run = Run.from_hits("mine", {"q": [Hit("a", 0.5 + 2e-9), Hit("b", 0.5)]})
    qrels = Qrels.from_judgments([Judgment("q", "a", 0)])
    evidence, measure = gather(qrels, run, ScoreOptions(ties=ties)), parse_measure("RR@1")
    found = find_failures(evidence, evaluate(evidence, [measure]), measure, NOTHING)
    assert found.failures[0].judged == judged


@given(collections(), st.sampled_from(["trec", "trec9"]), st.integers(1, 6), st.integers(0, 9))
@CALM
def test_top_and_ranks_are_those_of_the_ranking(made: Made, ties: Ties, k: int, seed: int) -> None:
    qrels, run = made.tables(np.random.default_rng(seed))
    evidence = gather(qrels, run, ScoreOptions(ties=ties))
    measure = parse_measure("RR")
    found = find_failures(evidence, evaluate(evidence, [measure]), measure, NOTHING, below=2, k=k)
    assert {failure.query_id for failure in found.failures} == made.qrels.keys()
    any_bad = any(grade < 1 for table in made.qrels.values() for grade in table.values())
    for failure in found.failures:
        judged = {d: g for d, g in made.qrels[failure.query_id].items() if g >= 0}
        ranking = ranked(made.run.get(failure.query_id, {}), ties)
        top = ranking[:k]
        share = len([d for d in top if d in judged]) / len(top) if top else None
        assert failure.judged == share
        answers = {d for d, g in judged.items() if g >= 1}
        assert {(a.doc_id, a.grade, a.rank) for a in failure.relevant} == {
            (d, judged[d], ranking.index(d) + 1 if d in ranking else None) for d in answers
        }
        docs = {diagnosis.code: diagnosis.docs for diagnosis in failure.diagnoses}
        assert ("no-answer-known" in docs) == (not answers)
        assert ("answer-absent" in docs) == bool(answers and not answers & set(top))
        thin = share is not None and share < 0.5 and any_bad
        assert ("thin-pool" in docs) == thin
        assert ("badly-ranked" in docs) == bool(
            answers & set(top) and answers & set(ranking[len(answers) :])
        )
        if "thin-pool" in docs:
            assert docs["thin-pool"] == tuple(d for d in top if d not in judged)


@given(collections(), st.integers(1, 6))
@CALM
def test_only_a_perfect_order_of_answers_has_no_diagnosis(made: Made, k: int) -> None:
    qrels, run = made.tables()
    evidence, measure = gather(qrels, run, ScoreOptions()), parse_measure("AP")
    found = find_failures(evidence, evaluate(evidence, [measure]), measure, NOTHING, below=2, k=k)
    for failure in found.failures:
        if not failure.diagnoses:
            assert failure.value == 1.0
