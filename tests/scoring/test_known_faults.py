"""Inputs that other scorers got wrong, with the values that are right here."""

from __future__ import annotations

import math
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from judge.core.errors import InputError, MeasureError
from judge.formats.trec import read_run
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, score
from judge.scoring.stats import Undefined, alpha, randomisation, t_test
from tests.oracles.collections import Made

if TYPE_CHECKING:
    from pathlib import Path

    from judge.scoring.score import Unjudged
    from judge.scoring.stats.agreement import Level

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


RATED = {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}}
FOUND = {
    "q_1": {"d_12": 0.9, "d_23": 0.8, "d_25": 0.7, "d_36": 0.6, "d_32": 0.5, "d_35": 0.4},
    "q_2": {"d_12": 0.9, "d_11": 0.8, "d_25": 0.7, "d_36": 0.6, "d_22": 0.5, "d_35": 0.4},
}

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
        {"RR@1": 1.0, "R@1": 0.05, "P@1": 1.0, "R_cap@1": 1.0},
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
    Case(
        "one relevant document in front: a list of recall levels is taken for doubled cutoffs",
        {"q": {"a": 1}},
        {"q": {"a": 2, "b": 1}},
        {"AP": 1.0, "R@1": 1.0, "Rprec": 1.0},
    ),
    Case(
        "ERR needs queries with numbers for names and grades of at most 4",
        {"q": {"a": 1, "b": 2, "c": 3}},
        {"q": {"a": 3, "b": 2, "c": 1}},
        {"ERR": 0.448568, "ERR(max_rel=4)": 0.261475},
    ),
    Case(
        "R-precision comes as one number for two queries",
        RATED,
        FOUND,
        {"Rprec": 0.5},
    ),
    Case(
        "Bpref has no value where nothing was judged not relevant",
        RATED,
        FOUND,
        {"Bpref": 1.0},
    ),
    Case(
        "Bpref takes a document that was pooled and not judged for one judged not relevant",
        {"q": {"a": -1, "b": 1, "c": 0}},
        {"q": {"a": 2, "b": 1}},
        {"Bpref": 1.0},
    ),
    Case(
        "RBP multiplies by the grade, so that it can go above 1",
        {"q": {"a": 3, "b": 3, "c": 3}},
        {"q": {"a": 3, "b": 2, "c": 1}},
        {"RBP(p=0.8, rel=1)": 1 - 0.8**3, "RBP(p=0.8, gain='graded')": 1 - 0.8**3},
    ),
    Case(
        "the ids of queries do not match, says the tool, and stops, where one was not answered",
        {"q": {"a": 1}, "p": {"b": 1}},
        {"q": {"a": 1}},
        {"nDCG@10": 0.5, "SetR": 0.5},
    ),
    Case(
        "an empty ranking spoils the precision of those after it",
        {f"q{i}": {"a": 1} for i in range(4)},
        {f"q{i}": {"a": 1} for i in (0, 1, 3)},
        {"SetP": 0.75},
    ),
    Case(
        "the first query without a hit makes F 0 for all that follow",
        {f"q{i:02d}": {"a": 1} for i in range(18)},
        {f"q{i:02d}": {"b" if i == 7 else "a": 1} for i in range(18)},
        {"SetF": 17 / 18},
    ),
    Case(
        "the query itself is found first: kept here, as it is judged or not like any other",
        {"a": {"b": 1}},
        {"a": {"a": 2, "b": 1}},
        {"RR": 0.5, "nDCG@10": 0.630930},
    ),
    Case(
        "the query itself, which is relevant, is taken out of the run and not of the judgments",
        {"0": dict.fromkeys(ten(), 1)},
        {"0": dict.fromkeys(ten()[1:], 1.0)},
        {"R@10": 0.9, "nDCG@10": 0.936379},
    ),
    Case(
        "the ideal ranking at 5 is as long as the one document retrieved",
        {"q": dict.fromkeys("abcde", 1)},
        {"q": {"a": 1}},
        {"nDCG@5": 0.339160},
    ),
    Case(
        "a query that was not answered does not count in the mean of nDCG",
        {"q": {"a": 1, "b": 1}, "p": {"a": 1}},
        {"q": {"a": 1}},
        {"nDCG@10": 0.613147 / 2},
    ),
    Case(
        "AP@k is divided by k, and a query without relevant documents has no mean",
        {"q": {"a": 1, "b": 1, "c": 1}, "p": {"a": 0}},
        {"q": {"a": 2, "b": 1}, "p": {"a": 1}},
        {"AP@10": 1 / 3, "AP@1": 1 / 6, "Bpref": 1 / 3},
    ),
    Case(
        "one threshold for all measures, where recall wants 2 and nDCG all grades",
        {"q": {"a": 1, "b": 2, "c": 3}},
        {"q": {"a": 3, "c": 2}},
        {"R(rel=2)@10": 0.5, "R(rel=1)@10": 2 / 3, "nDCG@10": (1 + 3 / 1.584963) / 4.761860},
    ),
    Case(
        "nDCG goes above 1 where the ideal ranking leaves documents out",
        {"q": {"a": 1, "b": 3, "c": 2}},
        {"q": {"b": 3, "c": 2, "a": 1}},
        {"nDCG@2": 1.0, "nDCG(dcg='exp-log2')@10": 1.0},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.fault for case in CASES])
def test_the_right_values(case: Case) -> None:
    measures = [parse_measure(name) for name in case.means]
    qrels, run = Made(case.qrels, case.run).tables()
    first, second = (score(qrels, run, measures) for _ in range(2))
    for name, mean in case.means.items():
        # A threshold of 1 that was asked for is what is meant without one.
        assert first.means()[name.replace("R(rel=1)", "R")] == pytest.approx(mean, abs=1e-6)
    for name, column in first.values.items():
        assert column.tobytes() == second.values[name].tobytes()
        assert (column >= 0).all()
        assert (column <= 1).all()


def test_each_query_has_a_value_of_its_own() -> None:
    qrels, run = Made(RATED, FOUND).tables()
    scores = score(qrels, run, [parse_measure("Rprec"), parse_measure("Bpref")])
    assert scores.values["Rprec"].tolist() == [0.5, 0.5]
    assert scores.values["Bpref"].tolist() == [1.0, 1.0]


def test_documents_judged_below_0_are_not_among_the_judged() -> None:
    # Elsewhere they stay in the ranking where only judged documents were asked for, or fall out.
    qrels, run = Made({"q": {"D1": -1, "D2": 1}}, {"q": {"D1": 2, "D2": 1}}).tables()
    values: dict[Unjudged, float] = {"zero": 0.0, "condense": 1.0}
    for unjudged, value in values.items():
        options = ScoreOptions(unjudged=unjudged)
        assert score(qrels, run, [parse_measure("P@1")], options).means() == {"P@1": value}


def test_ties_that_names_decide_are_told() -> None:
    # With another name for the same document nDCG is another: nothing is wrong but the scores.
    for other, value in (("x", 1.0), ("c", 0.0)):
        qrels, run = Made({"q": {other: 1}}, {"q": {other: 1, "m": 1}}).tables()
        scores = score(qrels, run, [parse_measure("nDCG@1")])
        assert scores.means() == {"nDCG@1": value}
        assert scores.counts.tied == {1: 1}


def test_the_order_in_which_candidates_came_is_nothing() -> None:
    judged, found = {"a": 1, "c": 1}, {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}
    for backwards in (False, True):
        rows = dict(sorted(found.items(), reverse=backwards))
        qrels, run = Made({"q": judged}, {"q": rows}).tables()
        assert score(qrels, run, [parse_measure("RR")]).means() == {"RR": 0.5}


def test_ranked_lists_keep_their_order(tmp_path: Path) -> None:
    (tmp_path / "ranked.tsv").write_text("q\td1\t1\nq\td2\t2\nq\td3\t3\n")
    run = read_run(tmp_path / "ranked.tsv")
    assert [hit.doc_id for hit in run.hits("q", 3)] == ["d1", "d2", "d3"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        # A document twice has twice the gain elsewhere: recall 2, nDCG 1.63.
        ("q Q0 a 1 2 t\nq Q0 a 2 1 t\n", ":2"),
        # A score that is no number compares as nobody knows, and looks good more often than bad.
        ("q Q0 a 1 nan t\n", ":1: score"),
        # A run of other queries: elsewhere a crash, or zeros without a word.
        ("p Q0 a 1 1 t\n", "no query of run"),
    ],
)
def test_what_is_refused(tmp_path: Path, rows: str, said: str) -> None:
    (tmp_path / "run.trec").write_text(rows)
    qrels, _ = Made({"q": {"a": 1}}, {}).tables()
    with pytest.raises(InputError) as caught:
        score(qrels, read_run(tmp_path / "run.trec"), [parse_measure("AP")])
    assert said in str(caught.value)


def test_a_threshold_of_0_is_refused_in_words() -> None:
    with pytest.raises(MeasureError, match='rel is a whole number of 1 or more, not "0"'):
        parse_measure("P(rel=0)@1")


def test_threads_get_the_same_values() -> None:
    qrels, run = Made(
        {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}, "Q2": {"D0": 1, "D3": 2}},
        {"Q0": {"D0": 2, "D1": 1}, "Q1": {"D0": 1, "D3": 2}},
    ).tables()
    measures = [parse_measure("nDCG@20")]
    with ThreadPoolExecutor(4) as pool:
        means = list(pool.map(lambda _: score(qrels, run, measures).means(), range(8)))
    assert means == [{"nDCG@20": pytest.approx(0.543643, abs=1e-6)}] * 8
    assert all(mean == means[0] for mean in means)


def test_nothing_is_compiled_to_score() -> None:
    # Elsewhere two queries take a minute, to compile what will score them.
    program = (
        "import sys; from judge.scoring.score import score;"
        " from judge.core.tables import Qrels, Run; from judge.core.model import Hit, Judgment;"
        " scores = score(Qrels.from_judgments([Judgment('q', 'a', 1)]),"
        " Run.from_hits('r', {'q': [Hit('a', 1.0)]}));"
        " print(scores.means()['RR@10'], {'numba', 'llvmlite', 'torch', 'jax'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "1.0 set()\n"


def test_memory_stays_flat_and_in_proportion() -> None:
    rng = np.random.default_rng(0)
    rows = {
        f"q{q}": {f"d{d}": float(s) for d, s in enumerate(rng.normal(size=100))} for q in range(200)
    }
    qrels, run = Made({q: {"d1": 1, "d50": 0} for q in rows}, rows).tables()
    score(qrels, run)
    tracemalloc.start()
    try:
        score(qrels, run)
        before, peak = tracemalloc.get_traced_memory()
        for _ in range(20):
            score(qrels, run)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 100_000
    assert peak < 200 * sum(map(len, rows.values()))


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107)]
)
def test_alpha_of_krippendorffs_own_example(level: Level, value: float) -> None:
    # Elsewhere the ordinal one was 0.7892.
    table = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    ratings = [[math.nan if mark == "." else float(mark) for mark in row] for row in table]
    assert alpha(ratings, level=level) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize("ratings", [[[1, 1, 1], [1, 1, 1]], [[1, math.nan], [math.nan, 2]]])
def test_agreement_without_a_difference_or_a_pair_is_undefined(ratings: list[list[float]]) -> None:
    # Elsewhere it is NaN, or divides by 0.
    found = alpha(ratings, level="nominal")
    assert isinstance(found, Undefined)
    assert found.reason


def test_each_significance_test_has_a_name_of_its_own() -> None:
    # Elsewhere the test that nobody named was exchanged for the other.
    rng = np.random.default_rng(0)
    signs, student = randomisation([1.0, 2.0, 3.0], rng=rng), t_test([1.0, 2.0, 3.0])
    assert not isinstance(signs, Undefined)
    assert not isinstance(student, Undefined)
    assert signs.p == 2 / 8
    assert student.p == pytest.approx(1 - math.sqrt(12 / 14))
