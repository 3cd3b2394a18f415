"""The commands as a user meets them: data on stdout, talk on stderr, exit codes, right numbers."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge import __version__

# By hand: DCG of grades 1, 3 in this order over that of 3, 1.
NDCG_Q1 = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
Judge = Callable[..., Any]


def strict(text: str) -> dict[str, Any]:
    """Parse JSON as the standard has it: no NaN, no Infinity."""

    def refuse(word: str) -> float:
        raise AssertionError(word)

    value = json.loads(text, parse_constant=refuse)
    assert isinstance(value, dict)
    return value


def test_score_files(judge: Judge, trec: tuple[Path, Path]) -> None:
    qrels, run = trec
    result = judge("score", "--qrels", qrels, "--run", run, "--json", "--per-query")
    assert result.code == 0
    report = strict(result.out)
    assert report["schema"] == "judge.score/1"
    (entry,) = report["runs"]
    assert entry["run"] == "mine"
    assert entry["measures"]["nDCG@10"]["mean"] == pytest.approx(NDCG_Q1 / 2, abs=1e-12)
    assert entry["queries"]["q1"]["nDCG@10"] == pytest.approx(NDCG_Q1, abs=1e-12)
    assert entry["queries"]["q2"]["nDCG@10"] == 0
    assert entry["measures"]["RR@10"]["mean"] == 0.5
    assert entry["measures"]["P@10"]["mean"] == 0.1
    assert entry["queries"]["q1"]["Judged@10"] == pytest.approx(2 / 3)
    assert entry["missing"] == ["q2"]
    assert "grades go up to 3" in result.err
    assert "1 judged query is not in run mine and counts 0" in result.err


def test_score_table(judge: Judge, trec: tuple[Path, Path]) -> None:
    qrels, run = trec
    result = judge("score", "--qrels", qrels, "--run", run, "-m", "nDCG@10", "-m", "RR(rel=2)@10")
    assert result.out.splitlines() == [
        # Of two queries, drawn twice: a quarter of the draws has one of them alone.
        "measure       run     mean     low    high  judged",
        f"nDCG@10       mine  {NDCG_Q1 / 2:.4f}  0.0000  {NDCG_Q1:.4f}  0.6667",
        "RR(rel=2)@10  mine  0.2500  0.0000  0.5000  0.6667",
    ]
    per_query = judge("score", "--qrels", qrels, "--run", run, "-m", "RR@10", "--per-query", "-q")
    assert per_query.out.splitlines() == [
        "run   query   RR@10  Judged@10",
        "mine  q1     1.0000     0.6667",
        "mine  q2     0.0000          -",
    ]
    assert per_query.err == ""


def test_the_path_from_import_to_export(judge: Judge, beir: Path, tmp_path: Path) -> None:
    imported = judge("import", beir, "--name", "tiny", "--relevant-from", "2")
    assert (imported.code, imported.out) == (0, "")
    assert "4 documents, 2 queries, 4 judgments" in imported.err
    pooled = judge("pool", "tiny", "--engine", "bm25", "--engine", "terms", "--depth", "3")
    assert pooled.code == 0
    # q1's "chain" is in d1, d2, d3 and q2's "Reifen" in d4, for both engines.
    assert "4 new pairs for 2 queries" in pooled.err
    again = judge("pool", "tiny", "--engine", "bm25", "--depth", "3")
    assert "0 new pairs" in again.err
    status = strict(judge("status", "tiny", "--json").out)
    assert status["datasets"][0]["pool"] == 4
    assert status["datasets"][0]["annotators"][0]["graded"] == 4
    scored = strict(
        judge(
            "score",
            "tiny",
            "--engine",
            "bm25",
            "--by",
            "category",
            "--by",
            "language-pair",
            "--json",
        ).out
    )
    (entry,) = scored["runs"]
    # bm25 puts d1 first of q1, as no other document has both of its words, "rust" and "chain";
    # all that is relevant from grade 2 on is d1 and d4, both found at rank 1.
    assert entry["measures"]["RR(rel=2)@10"]["mean"] == 1.0
    assert [(s["by"], s["value"]) for s in entry["slices"]] == [
        ("category", "air"),
        ("category", "parts"),
        ("language-pair", "de > de"),
        ("language-pair", "en > en"),
    ]
    for name, target in (("beir", "out"), ("judge", "out.json"), ("csv", "out.csv")):
        exported = judge("export", "tiny", "--to", name, "-o", tmp_path / target)
        assert exported.code == 0, exported.err
        assert (tmp_path / target).exists()
    lost = judge("export", "tiny", "--to", "relevant-ids", "-o", tmp_path / "lossy.json")
    assert "lost: " in lost.err
    assert judge("export", "tiny", "--to", "beir", "-o", tmp_path / "out").code == 3
    assert judge("export", "tiny", "--to", "beir", "-o", tmp_path / "out", "--force").code == 0


def test_a_dry_run_writes_nothing(judge: Judge, beir: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    result = judge("import", beir, "--name", "tiny", "--dry-run")
    assert result.code == 0
    assert "would be imported" in result.err
    assert sorted(tmp_path.rglob("*")) == before


def test_output_goes_to_a_file(judge: Judge, trec: tuple[Path, Path], tmp_path: Path) -> None:
    qrels, run = trec
    result = judge("score", "--qrels", qrels, "--run", run, "--json", "-o", tmp_path / "r.json")
    assert result.out == ""
    assert strict((tmp_path / "r.json").read_text("utf-8"))["schema"] == "judge.score/1"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["scroe"], 2, "No such command"),
        (["score"], 2, "give a dataset, or --qrels FILE"),
        (["score", "none"], 3, 'no dataset "none"'),
        (["score", "--qrels", "no.txt", "--run", "no.trec"], 3, "no.txt: no such file"),
        (["score", "--qrels", "q", "--run", "r", "-m", "nDGC@10"], 2, "nDCG"),
        (["import", "nowhere", "--name", "x"], 3, "nowhere: no such file or folder"),
        (["import", ".", "--name", "../x"], 3, "cannot name a dataset"),
        (["import", ".", "--name", "x", "--map-grade", "a=b"], 2, "is not A=B"),
        (["annotate", "none"], 3, 'no dataset "none"'),
        (["annotate", "none", "--as", "../me"], 3, "cannot name an annotator"),
        (["pool", "none", "--depth", "0"], 2, "depth"),
        (["export", "none", "--to", "beir"], 2, "-o PATH"),
        (["explain", "ndgc"], 3, 'did you mean "nDCG"'),
        ([], 3, "judging needs a terminal"),
    ],
)
def test_errors_say_what_to_do(judge: Judge, arguments: list[str], code: int, message: str) -> None:
    result = judge(*arguments)
    assert result.code == code, result.err
    assert message in result.err
    assert result.out == ""
    assert "Traceback" not in result.err


def test_control_bytes_of_data_never_reach_the_terminal(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "run.trec").write_text("q\x1b]0;x\x07 Q0 d\x9b31m 1 1.0 t\n", "utf-8")
    (tmp_path / "qrels.txt").write_text("q\x1b]0;x\x07 0 d\x9b31m 1\n", "utf-8")
    for extra in (["--per-query"], ["--per-query", "--json"]):
        result = judge("score", "--qrels", "qrels.txt", "--run", "run.trec", *extra)
        assert result.code == 0
        for text in (result.out, result.err):
            assert not {c for c in text if ord(c) < 32 and c != "\n"}
            assert "\x9b" not in text
    bad = judge("score", "--qrels", "qrels\x1b[31m.txt", "--run", "run.trec")
    assert "\x1b" not in bad.err


@pytest.mark.parametrize(
    "topic",
    [
        "rules",
        "grades",
        "measures",
        "engines",
        "formats",
        "orders",
        "labels",
        "nDCG@10",
        "bm25",
        "beir",
        "judge",
        "csv",
        "P(rel=2)@5",
    ],
)
def test_every_topic_has_a_page(judge: Judge, topic: str) -> None:
    result = judge("explain", topic)
    assert result.code == 0
    assert len(result.out.splitlines()) > 1


def test_explain_tells_the_parameters_of_a_measure(judge: Judge) -> None:
    lines = judge("explain", "RBP@10").out.splitlines()
    assert "Written  RBP, RBP@k" in lines
    assert "  p       the chance that a reader goes on; 0.8 if it is not named" in lines
    gain = next(line for line in lines if line.startswith("  gain"))
    assert "'binary' or 'graded'" in gain


def test_explain_alone_lists_the_topics(judge: Judge) -> None:
    out = judge("explain").out
    for word in ("rules", "nDCG", "bm25", "beir"):
        assert word in out


def test_version_and_help(judge: Judge) -> None:
    assert judge("--version").out == f"judge {__version__}\n"
    shown = judge("--help").out
    for command in ("demo", "import", "pool", "annotate", "status", "score", "export", "explain"):
        assert command in shown
        text = judge(command, "--help").out
        assert "Usage: judge" in text


def test_a_closed_pipe_ends_quietly(trec: tuple[Path, Path]) -> None:
    qrels, run = trec
    command = (
        f"'{sys.executable}' -m judge.cli.main score --qrels {qrels} --run {run} --json | head -c 1"
    )
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr
