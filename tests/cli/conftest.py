"""A small collection of known values, and the program as a user calls it."""

from __future__ import annotations

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
def trec(tmp_path: Path) -> tuple[Path, Path]:
    """The same judgments as TREC qrels, and a run that finds q1's documents in a wrong order."""
    qrels, run = tmp_path / "qrels.txt", tmp_path / "mine.trec"
    qrels.write_text("q1 0 d1 3\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d4 2\n")
    run.write_text("q1 Q0 d2 1 3.0 mine\nq1 Q0 d1 2 2.0 mine\nq1 Q0 d9 3 1.0 mine\n")
    return qrels, run
