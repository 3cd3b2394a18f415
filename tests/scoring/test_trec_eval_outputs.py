"""The printed results of trec_eval's own tests, line by line, for the measures that exist here."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from judge.core.tables import Qrels, Run
from judge.formats.trec import read_qrels, read_run
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, score

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATTERNS = {
    r"ndcg": "nDCG",
    r"ndcg_cut_(\d+)": "nDCG@{0}",
    r"P_(\d+)": "P@{0}",
    r"recall_(\d+)": "R@{0}",
    r"success_(\d+)": "Success@{0}",
    r"recip_rank": "RR",
    r"map": "AP",
    r"map_cut_(\d+)": "AP@{0}",
    r"Rprec": "Rprec",
    r"bpref": "Bpref",
    r"infAP": "infAP",
    r"set_P": "SetP",
    r"set_recall": "SetR",
    r"set_F": "SetF",
}


class Line(NamedTuple):
    """One value as trec_eval prints it."""

    measure: str
    query: str
    value: float


def lines(path: Path, patterns: dict[str, str] = PATTERNS) -> Iterator[Line]:
    for line in path.read_text("utf-8").splitlines():
        name, query, value = line.split()[:3]
        for pattern, ours in patterns.items():
            if match := re.fullmatch(pattern, name):
                yield Line(ours.format(*match.groups()), query, float(value))


def agreeing(expected: list[Line], qrels: Qrels, run: Run, options: ScoreOptions) -> int:
    """How many values agree; fails at the first that does not."""
    names = list(dict.fromkeys(line.measure for line in expected))
    # trec_eval gives infAP of any qrels.
    options = replace(options, sampled=True)
    scores = score(qrels, run, [parse_measure(name) for name in names], options)
    columns = dict(zip(names, scores.values.values(), strict=True))
    place = {query: i for i, query in enumerate(scores.query_ids)}
    means = dict(zip(names, scores.means().values(), strict=True))
    for line in expected:
        value = means[line.measure]
        if line.query != "all":
            value = float(columns[line.measure][place[line.query]])
        assert value == pytest.approx(line.value, abs=5.1e-5), line
    return len(expected)


@pytest.fixture
def folder(shared_data: Path) -> Path:
    return shared_data / "trec_eval_tests"


@pytest.mark.parametrize(
    ("printed", "judged", "ranked", "options", "values"),
    [
        ("out.test", "qrels.test.gz", "results.test.gz", ScoreOptions(), 13),
        ("out.test.a", "qrels.test.gz", "results.test.gz", ScoreOptions(), 48),
        ("out.test.aq", "qrels.test.gz", "results.test.gz", ScoreOptions(), 192),
        # Every judged query counts, here and with trec_eval's option for that.
        ("out.test.aqc", "qrels.test.gz", "results.trunc", ScoreOptions(), 192),
        (
            "out.test.aql",
            "qrels.rel_level.gz",
            "results.test.gz",
            ScoreOptions(relevant_from=2),
            192,
        ),
        ("out.test.meas_params", "qrels.test.gz", "results.test.gz", ScoreOptions(), 44),
        (
            "out.comment.test",
            "qrels.comment.test.gz",
            "results.comment.test.gz",
            ScoreOptions(),
            13,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_all_values_agree(
    folder: Path, printed: str, judged: str, ranked: str, options: ScoreOptions, values: int
) -> None:
    qrels = read_qrels(folder / judged, negative="keep")
    run = read_run(folder / ranked)
    assert agreeing(list(lines(folder / printed)), qrels, run, options) == values


def test_all_values_agree_on_the_first_hundred(folder: Path) -> None:
    # Cutting a ranking at 100 is the same as asking for no more than 100 results.
    qrels, run = read_qrels(folder / "qrels.test.gz"), read_run(folder / "results.trunc")
    cut = Run.from_hits("cut", {query: run.hits(query, 100) for query in run.query_ids})
    assert agreeing(list(lines(folder / "out.test.aqcM")), qrels, cut, ScoreOptions()) == 192


@pytest.mark.parametrize(
    ("printed", "judged"),
    [("out.test.aq", "qrels.test.gz"), ("out.test.aql", "qrels.rel_level.gz")],
)
def test_what_is_not_judged_agrees(folder: Path, printed: str, judged: str) -> None:
    # There, the residual of RBP is what unjudged documents could add, with p = 0.9.
    patterns = {r"unj_(\d+)": "Judged@{0}", r"rbp_resid": "RBP(p=0.9, rel=1)"}
    expected = list(lines(folder / printed, patterns))
    qrels = read_qrels(folder / judged, negative="keep")
    names = list(dict.fromkeys(line.measure for line in expected))
    options = ScoreOptions(unjudged="scenario")
    measures = [parse_measure(name) for name in names]
    scores = score(qrels, read_run(folder / "results.test.gz"), measures, options)
    assert scores.scenario is not None
    open_shares = {
        name: scores.scenario[name] - column if "RBP" in name else 1 - column
        for name, column in scores.values.items()
    }
    for line in expected:
        column = open_shares[line.measure].tolist()
        found = dict(zip(scores.query_ids, column, strict=True)) | {"all": sum(column) / 3}
        assert found[line.query] == pytest.approx(line.value, abs=5.1e-5), line
    assert len(expected) == 16


@pytest.mark.parametrize(
    ("printed", "ranked"), [("out.test.aq", "results.test.gz"), ("out.test.aqc", "results.trunc")]
)
def test_rank_biased_precision_agrees_on_binary_grades(
    folder: Path, printed: str, ranked: str
) -> None:
    expected = list(lines(folder / printed, {"rbp": "RBP(p=0.9, rel=1)"}))
    qrels, run = read_qrels(folder / "qrels.test.gz"), read_run(folder / ranked)
    assert agreeing(expected, qrels, run, ScoreOptions()) == 4


def test_both_tie_rules_agree_where_no_scores_are_close(folder: Path) -> None:
    qrels, run = read_qrels(folder / "qrels.test.gz"), read_run(folder / "results.test.gz")
    measures = [parse_measure("nDCG"), parse_measure("AP")]
    one, other = (score(qrels, run, measures, ScoreOptions(ties=t)) for t in ("trec", "trec9"))
    for name in one.values:
        np.testing.assert_array_equal(one.values[name], other.values[name])


def test_judgments_of_three_groups_contradict_each_other(folder: Path) -> None:
    with pytest.raises(ValueError, match="has grade") as caught:
        read_qrels(folder / "qrels.123.gz", negative="keep")
    # SOURCE.md of the files counts 91 pairs with conflicting grades; a pair may conflict twice.
    assert len(str(caught.value).splitlines()) >= 91
