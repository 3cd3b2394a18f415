"""Real collections from import to export, with every number checked by pytrec_eval."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import pytrec_eval

from judge.cli.main import main

pytestmark = pytest.mark.slow

# Our names, and what pytrec_eval calls the same measure.
TWINS = {
    "nDCG@10": "ndcg_cut_10",
    "AP": "map",
    "RR": "recip_rank",
    "R@100": "recall_100",
    "P@10": "P_10",
}


def qrels_of(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in path.read_text("utf-8").splitlines():
        query_id, _, doc_id, grade = line.split()
        found.setdefault(query_id, {})[doc_id] = int(grade)
    return found


def run_of(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text("utf-8").splitlines():
        query_id, _, doc_id, _, score, _ = line.split()
        found.setdefault(query_id, {})[doc_id] = float(score)
    return found


@pytest.mark.parametrize(
    ("folder", "documents", "queries", "judgments", "least"),
    [("vaswani_npl", 11429, 93, 2083, 0.35), ("scifact", 5183, 300, 339, 0.66)],
)
def test_a_real_collection_goes_in_and_comes_out_scored(
    shared_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    folder: str,
    documents: int,
    queries: int,
    judgments: int,
    least: float,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["import", str(shared_data / folder / "norm"), "--name", "real"]) == 0
    said = capsys.readouterr().err
    assert f"{documents:,} documents, {queries} queries, {judgments:,} judgments" in said
    assert main(["pool", "real", "--engine", "bm25", "--depth", "20"]) == 0
    wanted = [argument for name in TWINS for argument in ("-m", name)]
    capsys.readouterr()
    assert main(["score", "real", "--engine", "bm25", "--per-query", "--json", *wanted]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["measures"]["nDCG@10"]["mean"] > least
    for name, target in (("trec", "trec"), ("beir", "beir"), ("judge", "real.json")):
        assert main(["export", "real", "--to", name, "-o", target]) == 0
    qrels = qrels_of(tmp_path / "trec" / "qrels.trec")
    assert sum(map(len, qrels.values())) == judgments
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, {"ndcg_cut.10", "map", "recip_rank", "recall.100", "P.10"}
    )
    theirs = evaluator.evaluate(run_of(tmp_path / "trec" / "runs" / "bm25.trec"))
    assert len(run["queries"]) == queries
    for query_id, values in run["queries"].items():
        for ours, twin in TWINS.items():
            # A query without results is not in pytrec_eval's answer; it counts 0 here.
            expected = theirs.get(query_id, {}).get(twin, 0.0)
            assert values[ours] == pytest.approx(expected, abs=1e-9), (query_id, ours)
    for again, source in (("beir2", "beir"), ("json2", "real.json")):
        assert main(["import", source, "--name", again]) == 0
        said = capsys.readouterr().err
        assert f"{documents:,} documents, {queries} queries, {judgments:,} judgments" in said


def test_the_seed_set_gives_its_expected_measures(
    shared_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    source = shared_data / "tinycortex_fixtures_v1"
    expected = json.loads((source / "expected_lexical_any_term.json").read_text("utf-8"))
    assert main(["import", str(source / "fixtures_v1.json"), "--name", "seed"]) == 0
    ours = {"recall": "R", "p": "P", "hit": "Success", "mrr": "RR", "ndcg": "nDCG"}
    names = {}
    for theirs in expected["metrics"]:
        kind, _, cutoff = theirs.partition("@")
        names[theirs] = f"{ours[kind]}@{cutoff}" if cutoff else ours[kind]
    wanted = [argument for name in names.values() for argument in ("-m", name)]
    capsys.readouterr()
    assert main(["score", "seed", "--engine", "terms", "--json", *wanted]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    for theirs, value in expected["metrics"].items():
        assert run["measures"][names[theirs]]["mean"] == pytest.approx(value, abs=5e-7), theirs
