"""Which queries count, what is told beside the numbers, and what changes nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.errors import InputError, MeasureError
from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, Scores, mean, score
from tests.oracles.collections import CALM, Made, collections

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.core.tables import Ties

ALL = ["nDCG@10", "nDCG(dcg='exp-log2')@10", "nDCG", "RR@10", "RR", "R@10", "P@10", "AP", "AP@10"]
ALL += ["Success@10", "Judged@10", "Rprec", "Bpref", "ERR@10", "ERR", "RBP(p=0.8)@10", "RBP(p=0.8)"]
ALL += ["RBP(gain='graded')", "DCG@10", "SetP", "SetR", "SetF", "R_cap@10"]


def scored(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    *names: str,
    options: ScoreOptions | None = None,
) -> Scores:
    tables = Made({q: dict(d) for q, d in qrels.items()}, {q: dict(d) for q, d in run.items()})
    judgments, ranking = tables.tables()
    return score(judgments, ranking, [parse_measure(name) for name in names or ALL], options)


def values(scores: Scores) -> dict[str, list[float]]:
    return {name: column.tolist() for name, column in scores.values.items()}


def test_a_judged_query_without_results_counts_0() -> None:
    scores = scored({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}})
    assert scores.query_ids == ("q1", "q2")
    assert scores.counts.missing == ("q2",)
    means = scores.means()
    assert means.pop("Judged@10") == 1.0
    assert means.pop("P@10") == 0.05
    # One relevant document in the first place: half a chance, and a fifth of the gain of ever more.
    assert {means.pop(name) for name in ("ERR@10", "ERR")} == {0.25}
    biased = [means.pop(name) for name in list(means) if "RBP" in name]
    assert biased == [pytest.approx(0.1)] * 3
    assert set(means.values()) == {0.5}
    assert math.isnan(scores.values["Judged@10"][1])


def test_a_query_without_a_relevant_document_counts_0_or_is_left_out() -> None:
    qrels = {"q1": {"a": 3}, "q2": {"a": 0, "b": 0}}
    run = {"q1": {"a": 2.0}, "q2": {"a": 2.0, "b": 1.0}}
    scores = scored(qrels, run)
    assert scores.counts.no_relevant == ("q2",)
    assert values(scores)["nDCG@10"] == [1.0, 0.0]
    assert values(scores)["Judged@10"] == [1.0, 1.0]
    assert scores.means()["AP"] == 0.5
    left_out = scored(qrels, run, options=ScoreOptions(no_relevant="exclude"))
    assert left_out.query_ids == ("q1",)
    assert left_out.counts.no_relevant == ("q2",)
    assert left_out.means()["AP"] == 1.0


def test_with_only_such_queries_left_out_there_is_no_mean() -> None:
    scores = scored({"q": {"a": 0}}, {"q": {"a": 1.0}}, options=ScoreOptions(no_relevant="exclude"))
    assert scores.query_ids == ()
    assert set(scores.means().values()) == {None}


def test_what_is_relevant_depends_on_the_scale() -> None:
    qrels = {"q": {"a": 1, "b": 2, "c": 3}}
    run = {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}
    names = ["R@5", "RR@5", "P@5", "nDCG@5"]
    for level, r, rr, p in ((1, 2 / 3, 1.0, 0.4), (2, 0.5, 1 / 3, 0.2), (3, 0.0, 0.0, 0.0)):
        rel = f"(rel={level})" if level > 1 else ""
        found = values(scored(qrels, run, *names, options=ScoreOptions(relevant_from=level)))
        assert list(found) == [f"R{rel}@5", f"RR{rel}@5", f"P{rel}@5", "nDCG@5"]
        assert [column[0] for column in found.values()] == pytest.approx([r, rr, p, 0.420004])


def test_a_query_with_only_lower_grades_has_no_relevant_document_but_gain() -> None:
    scores = scored(
        {"q": {"a": 1}}, {"q": {"a": 1.0}}, "nDCG@10", "R@10", options=ScoreOptions(relevant_from=2)
    )
    assert scores.counts.no_relevant == ("q",)
    assert values(scores) == {"nDCG@10": [1.0], "R(rel=2)@10": [0.0]}


def test_queries_without_judgments_are_ignored_and_told() -> None:
    scores = scored({"q": {"a": 1}}, {"x": {"a": 1.0}, "q": {"a": 1.0}, "y": {"b": 1.0}}, "AP")
    assert scores.query_ids == ("q",)
    assert scores.counts.ignored == ("x", "y")


def test_no_common_query_is_an_error_with_examples_of_both() -> None:
    with pytest.raises(InputError) as caught:
        scored({"12.1": {"a": 1}}, {"12": {"a": 1.0}})
    assert str(caught.value) == (
        'no query of run "made" has judgments: the run has queries like "12",'
        ' the qrels like "12.1" (expected: the same query ids in both)'
    )


def test_a_run_that_found_nothing_at_all_counts_0() -> None:
    scores = scored({"q": {"a": 1}}, {}, "AP", "Judged@10")
    assert scores.means() == {"AP": 0.0, "Judged@10": None}
    assert scores.counts.missing == ("q",)


def test_no_judgments_are_an_error() -> None:
    with pytest.raises(InputError, match="no judgments"):
        scored({}, {"q": {"a": 1.0}})


def test_unjudged_documents_count_as_nothing_or_are_taken_out() -> None:
    qrels = {"q": {"a": 3, "b": 0}}
    run = {"q": {"x": 4.0, "y": 3.0, "a": 2.0, "b": 1.0}}
    names = ["nDCG@4", "RR@4", "P@2", "Judged@2", "Judged@4"]
    plain = [column[0] for column in values(scored(qrels, run, *names)).values()]
    assert plain == pytest.approx([0.5, 1 / 3, 0.0, 0.0, 0.5])
    condensed = [
        c[0]
        for c in values(
            scored(qrels, run, *names, options=ScoreOptions(unjudged="condense"))
        ).values()
    ]
    assert condensed == pytest.approx([1.0, 1.0, 0.5, 0.0, 0.5])


def test_a_grade_below_0_is_no_judgment() -> None:
    qrels = {"q": {"d1": -1, "d2": 1}}
    run = {"q": {"d1": 2.0, "d2": 1.0}}
    scores = scored(qrels, run, "P@1", "nDCG@10", "Judged@10")
    assert values(scores) == {
        "P@1": [0.0],
        "nDCG@10": [pytest.approx(1 / math.log2(3))],
        "Judged@10": [0.5],
    }
    assert scores.counts.negative == 1
    assert values(scored(qrels, run, "P@1", options=ScoreOptions(unjudged="condense"))) == {
        "P@1": [1.0]
    }


@pytest.mark.parametrize(("ties", "rr"), [("trec", 1.0), ("trec9", 0.5)])
def test_near_ties_are_ties_only_in_32_bits(ties: Ties, rr: float) -> None:
    run = {"q": {"a": 0.123456789012, "b": 0.123456789011}}
    scores = scored({"q": {"a": 1}}, run, "RR", "nDCG@1", options=ScoreOptions(ties=ties))
    assert values(scores)["RR"] == [rr]
    assert scores.counts.tied == {1: 1 if ties == "trec9" else 0}


def test_ties_across_each_cutoff_are_counted() -> None:
    run = {
        "q1": {"a": 2.0, "b": 1.0, "c": 1.0},
        "q2": {"a": 1.0, "b": 1.0, "c": 1.0},
        "q3": {"a": 1.0},
        "unjudged": {"a": 1.0, "b": 1.0},
    }
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "missing": {"a": 1}}
    scores = scored(qrels, run, "P@1", "P@2", "P@3", "AP")
    assert scores.counts.tied == {1: 1, 2: 2, 3: 0}


def test_scores_of_some_queries() -> None:
    scores = scored({"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}}, {"q1": {"a": 1.0}}, "AP")
    part = scores.at(np.array([1, 2]))
    assert part.query_ids == ("q2", "q3")
    assert values(part) == {"AP": [0.0, 0.0]}
    assert part.counts.missing == ("q2", "q3")
    assert part.counts.no_relevant == ("q3",)


def test_means_do_not_depend_on_the_order() -> None:
    column = np.array([0.1] * 10 + [1e16, 1.0, -1e16])
    assert mean(column) == mean(column[::-1]) == 2.0 / 13
    assert mean(np.array([math.nan])) is None


def test_too_high_grades_for_the_exponential_gain() -> None:
    with pytest.raises(MeasureError, match="too high"):
        scored({"q": {"a": 5000}}, {"q": {"a": 1.0}}, "nDCG(dcg='exp-log2')@10")
    assert values(scored({"q": {"a": 5000}}, {"q": {"a": 1.0}}, "nDCG@10")) == {"nDCG@10": [1.0]}


def same(one: Scores, other: Scores) -> bool:
    """Whether two scores are the same to the last bit, query by query."""
    mine = dict(zip(one.query_ids, np.array(list(one.values.values())).T, strict=True))
    theirs = dict(zip(other.query_ids, np.array(list(other.values.values())).T, strict=True))
    return (
        one.means() == other.means()
        and mine.keys() == theirs.keys()
        and all(mine[q].tobytes() == theirs[q].tobytes() for q in mine)
    )


MEASURES = [parse_measure(name) for name in ALL]


@given(collections(), st.integers(0, 99), st.sampled_from(["trec", "trec9"]))
@settings(CALM, max_examples=60)
def test_the_order_of_rows_changes_no_bit(made: Made, seed: int, ties: Ties) -> None:
    options = ScoreOptions(ties=ties)
    qrels, run = made.tables()
    first = score(qrels, run, MEASURES, options)
    assert same(first, score(qrels, run, MEASURES, options))
    shuffled = made.tables(np.random.default_rng(seed))
    assert same(first, score(*shuffled, MEASURES, options))


@given(collections())
@settings(CALM, max_examples=60)
def test_new_names_in_the_same_order_change_no_bit(made: Made) -> None:
    documents = {d for part in (made.qrels, made.run) for rows in part.values() for d in rows}
    ordered = sorted(documents, key=str.encode)
    new = {doc: f"{i:04d}" for i, doc in enumerate(ordered)}
    renamed = Made(
        {q: {new[d]: g for d, g in rows.items()} for q, rows in made.qrels.items()},
        {q: {new[d]: s for d, s in rows.items()} for q, rows in made.run.items()},
    )
    assert same(score(*made.tables(), MEASURES), score(*renamed.tables(), MEASURES))


@given(collections())
@settings(CALM, max_examples=60)
def test_a_query_without_relevant_documents_lowers_means_by_its_share(made: Made) -> None:
    before = score(*made.tables(), MEASURES)
    made.qrels["one more"] = {"nothing": 0}
    after = score(*made.tables(), MEASURES)
    n = len(before.query_ids)
    for name, value in before.means().items():
        if name != "Judged@10":
            assert value is not None
            assert after.means()[name] == pytest.approx(value * n / (n + 1), abs=1e-15)


def test_scoring_one_run_many_times_is_the_same() -> None:
    qrels = Qrels.from_judgments(
        [Judgment("q0", "d0", 0), Judgment("q0", "d1", 1), Judgment("q1", "d3", 2)]
    )
    run = Run.from_hits(
        "r", {"q0": [Hit("d0", 1.2), Hit("d1", 1.0)], "q1": [Hit("d3", 3.6), Hit("d0", 2.4)]}
    )
    all_means = [score(qrels, run, MEASURES).means() for _ in range(3)]
    assert all_means[0] == all_means[1] == all_means[2]
    assert all_means[0]["nDCG@10"] == pytest.approx(0.815465, abs=5e-7)
