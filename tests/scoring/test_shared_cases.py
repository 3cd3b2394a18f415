"""The metric cases beside a checkout: inputs that other tools got wrong, with expected values."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from judge.formats.trec import read_qrels, read_run
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, Scores, score

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {
    r"P@(\d+)": "P@{0}",
    r"Recall@(\d+)": "R@{0}",
    r"MRR@(\d+)": "RR@{0}",
    r"nDCG@(\d+)\.linear": "nDCG@{0}",
    r"nDCG@(\d+)\.exp": "nDCG(dcg='exp-log2')@{0}",
    r"Judged@(\d+)": "Judged@{0}",
}
OPTIONS = {
    "ME-04": ScoreOptions(no_relevant="exclude"),
    "ME-12": ScoreOptions(relevant_from=2),
}


def ours(theirs: str) -> str:
    """Our name of a measure of the cases."""
    for pattern, name in NAMES.items():
        if match := re.fullmatch(pattern, theirs):
            return name.format(*match.groups())
    raise AssertionError(theirs)


def case(shared_data: Path, name: str) -> Any:
    path = shared_data.parent / "cases" / "cases.jsonl"
    if not path.is_file():
        pytest.skip("the cases are not beside the shared collections")
    cases = map(json.loads, path.read_text("utf-8").splitlines())
    return next(found for found in cases if found["id"] == name)


def scored(folder: Path, files: Any, names: list[str], options: ScoreOptions) -> Scores:
    for name in ("qrels.txt", "run.txt"):
        (folder / name).write_text(files[name]["text"], "utf-8")
    qrels, run = read_qrels(folder / "qrels.txt"), read_run(folder / "run.txt")
    return score(qrels, run, [parse_measure(name) for name in names], options)


@pytest.mark.parametrize(
    "name", ["ME-01", "ME-04", "ME-05", "ME-09", "ME-10", "ME-11", "ME-12", "ME-16", "ME-18"]
)
def test_the_expected_values(shared_data: Path, tmp_path: Path, name: str) -> None:
    found = case(shared_data, name)
    expected = found["expect"]["per_query"]
    theirs = list(next(iter(expected.values())))
    options = OPTIONS.get(name, ScoreOptions())
    scores = scored(tmp_path, found["files"], [ours(measure) for measure in theirs], options)
    columns = dict(zip(theirs, scores.values.values(), strict=True))
    assert scores.query_ids
    for place, query in enumerate(scores.query_ids):
        for measure, value in expected[query].items():
            nothing = float("nan") if value is None else value
            here = float(columns[measure][place])
            assert here == pytest.approx(nothing, abs=1e-6, nan_ok=True), (query, measure)
    means = dict(zip(theirs, scores.means().values(), strict=True))
    for measure, value in found["expect"]["mean"].items():
        assert means[measure] == pytest.approx(value, abs=1e-6), measure


def test_the_other_rule_for_queries_without_relevant_documents(
    shared_data: Path, tmp_path: Path
) -> None:
    found = case(shared_data, "ME-04")
    scores = scored(tmp_path, found["files"], ["nDCG@10"], ScoreOptions())
    assert scores.means() == {"nDCG@10": found["expect"]["trec_eval_policy_mean_nDCG@10"]}


def test_only_the_judged_documents(shared_data: Path, tmp_path: Path) -> None:
    found = case(shared_data, "ME-16")
    scores = scored(tmp_path, found["files"], ["nDCG@4"], ScoreOptions(unjudged="condense"))
    assert scores.means() == {"nDCG@4": found["expect"]["judged_only.nDCG@4"]}


@pytest.mark.parametrize(
    ("name", "said"), [("ME-07", 'like "12", the qrels like "12.1"'), ("ME-15", "run.txt:2")]
)
def test_what_is_refused(shared_data: Path, tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        scored(tmp_path, case(shared_data, name)["files"], ["nDCG@10"], ScoreOptions())
