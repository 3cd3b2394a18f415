"""A small collection of known values, and the program as a user calls it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.cli.main import main


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Judge = Callable[..., Result]


@pytest.fixture
def judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Judge:
    """Run one command in an empty folder that is the workspace."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_WORKSPACE", raising=False)
    monkeypatch.delenv("JUDGE_ANNOTATOR", raising=False)

    def call(*arguments: object) -> Result:
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        return Result(code, *capsys.readouterr())

    return call


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    """Four documents, two queries, four judgments, in the current folder."""
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "d1", "title": "Rust", "text": "rust on a chain", "language": "en"},
        {"_id": "d2", "title": "", "text": "oil for the chain", "language": "en"},
        {"_id": "d3", "title": "", "text": "a chain of shops", "language": "en"},
        {"_id": "d4", "title": "Pumpe", "text": "Luft für den Reifen", "language": "de"},
    ]
    queries = [
        {"_id": "q1", "text": "rust chain", "language": "en", "category": "parts"},
        {"_id": "q2", "text": "Reifen", "language": "de", "category": "air"},
    ]
    for name, rows in (("corpus", documents), ("queries", queries)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td2\t1\nq1\td3\t0\nq2\td4\t2\n"
    )
    return folder


@pytest.fixture
def trec(tmp_path: Path) -> tuple[Path, Path]:
    """The same judgments as TREC qrels, and a run that finds q1's documents in a wrong order."""
    qrels, run = tmp_path / "qrels.txt", tmp_path / "mine.trec"
    qrels.write_text("q1 0 d1 3\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d4 2\n")
    run.write_text("q1 Q0 d2 1 3.0 mine\nq1 Q0 d1 2 2.0 mine\nq1 Q0 d9 3 1.0 mine\n")
    return qrels, run
