"""Points on which scorers disagree, one row each, with the value that is given here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from judge.core.errors import InputError, MeasureError
from judge.formats.trec import read_qrels, read_run
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, Scores, score

if TYPE_CHECKING:
    from pathlib import Path

LOG3 = math.log2(3)
PLAIN = ScoreOptions()
TREC9 = ScoreOptions(ties="trec9")
EXCLUDE = ScoreOptions(no_relevant="exclude")


@dataclass(frozen=True)
class Row:
    """Two files and what comes of them; files are written with `;` for the end of a line."""

    point: str
    qrels: str
    run: str
    means: dict[str, float | None]
    options: ScoreOptions = PLAIN

    def __str__(self) -> str:
        return self.point


def scored(folder: Path, qrels: str, run: str, names: list[str], options: ScoreOptions) -> Scores:
    (folder / "qrels.txt").write_text("\n".join(qrels.split(";")) + "\n", "utf-8")
    (folder / "run.trec").write_text("\n".join(run.split(";")) + "\n", "utf-8")
    judged = read_qrels(folder / "qrels.txt", negative="keep")
    ranked = read_run(folder / "run.trec")
    return score(judged, ranked, [parse_measure(name) for name in names], options)


ONE = "q Q0 a 1 1 t"
ROWS = [
    Row(
        "ties: the document id, descending by bytes; the rank column is nothing",
        "q 0 doc9 1;q 0 doc10 0",
        "q Q0 doc10 1 1 t;q Q0 doc9 2 1 t",
        {"RR": 1.0, "RR@10": 1.0, "nDCG@10": 1.0, "P@1": 1.0, "Judged@1": 1.0, "ERR": 0.5},
    ),
    Row(
        "ties: the lower id loses, by every measure alike",
        "q 0 a 1;q 0 b 0",
        "q Q0 a 1 1 t;q Q0 b 2 1 t",
        {"RR": 0.5, "RR@10": 0.5, "AP": 0.5, "nDCG@10": 1 / LOG3, "Rprec": 0.0, "Bpref": 0.0},
    ),
    Row(
        "score precision: 64 bits",
        "q 0 a 1",
        "q Q0 a 1 0.123456789012 t;q Q0 b 2 0.123456789011 t",
        {"RR": 1.0, "nDCG": 1.0},
    ),
    Row(
        "score precision: 32 bits where asked for",
        "q 0 a 1",
        "q Q0 a 1 0.123456789012 t;q Q0 b 2 0.123456789011 t",
        {"RR": 0.5, "nDCG": 1 / LOG3},
        TREC9,
    ),
    Row(
        "a query missing from the run counts 0",
        "q 0 a 1;p 0 a 1",
        ONE,
        {"RR": 0.5, "RR@10": 0.5, "AP": 0.5, "nDCG@10": 0.5, "SetP": 0.5, "Judged@10": 1.0},
    ),
    Row(
        "a query of the run without judgments is nothing",
        "q 0 a 1",
        f"{ONE};x Q0 a 1 1 t",
        {"AP": 1},
    ),
    Row(
        "a query without relevant documents counts 0",
        "q 0 a 1;p 0 a 0",
        f"{ONE};p Q0 a 1 1 t",
        {"AP": 0.5, "R@10": 0.5, "R_cap@10": 0.5, "Bpref": 0.5, "Rprec": 0.5, "nDCG@10": 0.5},
    ),
    Row(
        "a query without relevant documents is left out where asked for",
        "q 0 a 1;p 0 a 0",
        f"{ONE};p Q0 a 1 1 t",
        {"AP": 1.0, "R_cap@10": 1.0, "Bpref": 1.0},
        EXCLUDE,
    ),
    Row(
        "an empty ranking: zeros, and no share of judged documents",
        "q 0 a 1;p 0 a 1",
        "p Q0 b 1 1 t",
        {"P@10": 0.0, "Rprec": 0.0, "SetP": 0.0, "Judged@10": 0.0},
    ),
    Row(
        "a grade below 0 has no gain, is not relevant and not judged",
        "q 0 a -1;q 0 b 1",
        "q Q0 a 1 2 t;q Q0 b 2 1 t",
        {"nDCG": 1 / LOG3, "P@1": 0.0, "Bpref": 1.0, "Judged@10": 0.5, "infAP": 0.75},
    ),
    Row(
        "a threshold changes binary measures and not nDCG",
        "q 0 a 1;q 0 b 2;q 0 c 3",
        "q Q0 a 1 3 t;q Q0 b 2 2 t;q Q0 c 3 1 t",
        {"nDCG": 0.789998, "RR(rel=2)": 0.5, "AP(rel=2)": 0.583333},
        ScoreOptions(relevant_from=2),
    ),
    Row(
        "gain: linear and exponential have names of their own",
        "q 0 a 1;q 0 b 2;q 0 c 3",
        "q Q0 a 1 3 t;q Q0 b 2 2 t;q Q0 c 3 1 t",
        {"nDCG@10": 0.789998, "nDCG(dcg='exp-log2')@10": 0.680606},
    ),
    Row(
        "the ideal ranking has all judged documents",
        "q 0 a 3;q 0 b 3;q 0 c 3;q 0 d 3;q 0 e 3",
        ONE,
        {"nDCG@1": 1.0, "nDCG@10": 0.339160, "nDCG": 0.339160},
    ),
    Row("precision is divided by k", "q 0 a 1;q 0 b 1", "q Q0 a 1 2 t;q Q0 b 2 1 t", {"P@10": 0.2}),
    Row(
        "recall is divided by all relevant documents; R_cap is another",
        "q 0 a 1;q 0 b 1;q 0 c 1",
        ONE,
        {"R@1": 1 / 3, "R_cap@1": 1.0, "R_cap@2": 0.5, "R_cap@10": 1 / 3},
    ),
    Row(
        "average precision at k is divided by all relevant documents",
        "q 0 a 1;q 0 b 1;q 0 c 1",
        "q Q0 a 1 2 t;q Q0 b 2 1 t",
        {"AP@1": 1 / 3, "AP@2": 2 / 3},
    ),
    Row("one judgment twice is one", "q 0 a 1;q 0 a 1;q 0 b 1", ONE, {"R@10": 0.5}),
    Row(
        "means are not rounded",
        "q 0 a 1;p 0 a 1;r 0 a 1",
        ONE,
        {"RR": 1 / 3, "nDCG@10": 1 / 3, "AP": 1 / 3},
    ),
    Row(
        "# in an id is a letter",
        "q 0 #a 1;q 0 a#b 1;#q 0 a 1",
        "q Q0 #a 1 2 t;q Q0 a#b 2 1 t;#q Q0 a 1 1 t",
        {"AP": 1.0, "SetR": 1.0},
    ),
    Row(
        "numbers: whole scores, signs and exponents, grades with a zero fraction",
        "q 0 a 2.0;q 0 b 0.0;q 0 c 0",
        "q Q0 c 1 -25 t;q Q0 b 2 9e-06 t;q Q0 a 3 1.2E-05 t",
        {"RR": 1.0, "nDCG@10": 1.0},
    ),
    Row(
        "any white space stands between columns",
        "q\t0\ta\t1;q   0 \t b  0",
        " q Q0  b 1\t2 t;q\tQ0\ta\t2\t1\tt ",
        {"RR": 0.5},
    ),
    Row("a document with the id of the query stays", "a 0 a 1", "a Q0 a 1 1 t", {"P@1": 1.0}),
    Row(
        "rank-biased precision: the name says which gain, and the scale which highest grade",
        "q 0 a 1;q 0 b 0;q 0 c 3",
        "q Q0 a 1 3 t;q Q0 b 2 2 t;q Q0 c 3 1 t",
        {"RBP(p=0.8, rel=1)": 0.328, "RBP(p=0.8, gain='graded')": 0.194667},
    ),
    Row(
        "every kind of document at once, binary",
        "q 0 a 1;q 0 b 1;q 0 c 0;q 0 e 0;q 0 u -1",
        "q Q0 c 1 4 t;q Q0 a 2 3 t;q Q0 u 3 2.7 t;q Q0 x 4 2.5 t;q Q0 b 5 2 t;q Q0 e 6 1 t",
        {
            "AP": 0.45,
            "Rprec": 0.5,
            "Bpref": 0.5,
            "infAP": 0.500002,
            "SetP": 1 / 3,
            "SetR": 1.0,
            "SetF": 0.5,
            # Elsewhere 5/6: the one that was only pooled is not counted as judged here.
            "Judged@10": 4 / 6,
        },
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_our_value(tmp_path: Path, row: Row) -> None:
    scores = scored(tmp_path, row.qrels, row.run, list(row.means), row.options)
    assert list(scores.values) == list(row.means)
    assert scores.means() == pytest.approx(row.means, abs=1e-6)


@pytest.mark.parametrize(
    ("qrels", "run", "said"),
    [
        ("q 0 a 1", "q Q0 a 1 1 t;q Q0 b 2 nan t", 'run.trec:2: score: "nan" is not a number'),
        ("q 0 a 1", "q Q0 a 1 1e400 t", 'run.trec:1: score: "1e400" is not a finite'),
        ("q 0 a 1", "p Q0 a 1 1 t", 'no query of run "run" has judgments'),
        ("q 0 a 1", "q Q0 a 1 2 t;q Q0 b 2 2 t;q Q0 a 3 1 t", "run.trec:3: "),
        ("q 0 a 1;q 0 b 1;q 0 a 0", ONE, "qrels.txt:3: "),
        ("q 0 a 0.7", ONE, 'qrels.txt:1: grade: "0.7" is not a whole number'),
        ("q 0 a 1", "q Q0 a 1 1", "run.trec:1: "),
    ],
)
def test_what_is_an_error_here(tmp_path: Path, qrels: str, run: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        scored(tmp_path, qrels, run, ["AP"], ScoreOptions())
    assert said in str(caught.value)


def test_a_threshold_below_1_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="rel is a whole number of 1 or more"):
        scored(tmp_path, "q 0 a 0", ONE, ["P(rel=0)@1"], ScoreOptions())


def test_what_is_told_of_missing_extra_and_tied_queries(tmp_path: Path) -> None:
    run = "q Q0 a 1 1 t;q Q0 b 2 1 t;x Q0 a 1 1 t"
    counts = scored(tmp_path, "q 0 a 1;p 0 a 0", run, ["P@1"], ScoreOptions()).counts
    assert counts.missing == ("p",)
    assert counts.no_relevant == ("p",)
    assert counts.ignored == ("x",)
    assert counts.tied == {1: 1}
