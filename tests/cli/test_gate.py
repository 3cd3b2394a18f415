"""The gate as a build calls it: yes and no as exit codes, a table, and refusals that say why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Judge = Callable[..., Any]
KEPT = Path(__file__).resolve().parents[1] / "golden" / "reports" / "score-0.1.0.json"


@pytest.fixture
def reports(judge: Judge, trec: tuple[Path, Path], tmp_path: Path) -> tuple[Path, Path]:
    """By hand: q1 is answered first and then second, q2 never: RR 0.5 and then 0.25."""
    qrels, run = trec
    run.write_text("q1 Q0 d1 1 2.0 mine\nq1 Q0 d3 2 1.0 mine\n")
    files = []
    for name in ("baseline.json", "current.json"):
        arguments = ["--qrels", qrels, "--run", run, "-m", "RR@10", "-m", "R@5", "--per-query"]
        assert judge("score", *arguments, "--json", "-q", "-o", name).code == 0
        files.append(tmp_path / name)
        run.write_text("q1 Q0 d1 1 1.0 mine\nq1 Q0 d3 2 2.0 mine\n")
    return files[0], files[1]


def test_what_became_worse_fails(judge: Judge, reports: tuple[Path, Path]) -> None:
    result = judge("gate", *reports)
    assert result.code == 1
    # R@5: one of the two relevant documents of q1, none of q2.
    assert result.out.splitlines() == [
        "name        baseline  current    delta  threshold  passed",
        "mine RR@10    0.5000   0.2500  -0.2500  5 %        NO",
        "mine R@5      0.2500   0.2500   0.0000  5 %        yes",
    ]
    assert result.err.splitlines() == ["gate failed: 1 of 2 rows"]


def test_what_did_not_become_worse_passes(judge: Judge, reports: tuple[Path, Path]) -> None:
    baseline, current = reports
    for pair in ((baseline, baseline), (current, baseline)):
        result = judge("gate", *pair)
        assert result.code == 0
        assert result.err.splitlines() == ["gate passed: 2 rows"]
    assert judge("gate", baseline, baseline, "-q").err == ""


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--threshold", "0.5"], 0),
        (["--threshold", "0.499"], 1),
        (["--threshold", "50%"], 0),
        (["--threshold", "49.9%"], 1),
        (["--limit", "RR@10=0.25"], 0),
        (["--limit", "RR@10=0.24"], 1),
        (["--limit", "RR@10=0.24", "--threshold", "100%"], 1),
        (["--limit", "rr(rel=1)@10=0.25"], 0),
        (["--measure", "R@5"], 0),
        (["-m", "R@5", "--limit", "RR@10=0.1"], 1),
        (["--significant"], 0),  # one query moved: p is 1
        (["--significant", "--alpha", "0.999"], 0),
    ],
)
def test_the_rules_can_be_set(
    judge: Judge, reports: tuple[Path, Path], options: list[str], code: int
) -> None:
    assert judge("gate", *reports, *options).code == code


def test_the_document_goes_to_a_file_and_the_answer_stays_no(
    judge: Judge, reports: tuple[Path, Path], tmp_path: Path
) -> None:
    result = judge("gate", *reports, "--json", "-o", "gate.json")
    assert (result.code, result.out) == (1, "")
    document = json.loads((tmp_path / "gate.json").read_text("utf-8"))
    assert (document["schema"], document["passed"]) == ("judge.gate/1", False)
    assert document["rows"][0]["name"] == "mine RR@10"
    assert document["rows"][0]["delta"] == -0.25
    assert judge("gate", *reports, "--json").out == (tmp_path / "gate.json").read_text("utf-8")


def test_a_report_of_the_first_version_can_be_a_baseline(judge: Judge) -> None:
    result = judge("gate", KEPT, KEPT, "--threshold", "0", "--significant")
    assert result.code == 0
    assert "gate passed: 16 rows" in result.err


def test_reports_on_other_judgments_are_refused(judge: Judge, reports: tuple[Path, Path]) -> None:
    result = judge("gate", reports[0], KEPT)
    assert (result.code, result.out) == (3, "")
    assert "has the runs" in result.err
    value = json.loads(reports[1].read_text("utf-8"))
    value["qrels"]["digest"] = "00"
    reports[1].write_text(json.dumps(value))
    result = judge("gate", *reports)
    assert (result.code, result.out) == (3, "")
    assert 'current.json: qrels.digest: "00" here' in result.err


def test_other_settings_are_refused_by_name(
    judge: Judge, trec: tuple[Path, Path], reports: tuple[Path, Path]
) -> None:
    qrels, run = trec
    arguments = ["--qrels", qrels, "--run", run, "-m", "RR@10", "-m", "R@5", "--ties", "trec9"]
    assert judge("score", *arguments, "--json", "-o", reports[1]).code == 0
    result = judge("gate", *reports)
    assert result.code == 3
    assert 'settings.ties: "trec9" here, "trec" in' in result.err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--threshold", "-1"], 2, '"-1" is no share from 0 to below 1; 5 % is 0.05 or 5%'),
        (["--threshold", "5"], 2, '"5" is no share'),
        (["--threshold", "nan"], 2, '"nan" is no share'),
        (["--limit", "RR@10"], 2, '"RR@10" is not MEASURE=ABSOLUTE'),
        (["--limit", "=0.1"], 2, '"=0.1" is not MEASURE=ABSOLUTE'),
        (["--limit", "RR@10=x"], 2, '"RR@10=x" is not MEASURE=ABSOLUTE'),
        (["--limit", "RR@10=-0.1"], 2, "-0.1 is not a number from 0 up"),
        (["--significant", "--alpha", "0"], 2, "0 is not between 0 and 1"),
        (["--limit", "RR@1=0.1"], 3, 'no measure "RR@1"; did you mean "RR@10"'),
        (["--measure", "AP"], 3, 'no measure "AP"'),
    ],
)
def test_mistakes_are_told(
    judge: Judge, reports: tuple[Path, Path], options: list[str], code: int, message: str
) -> None:
    result = judge("gate", *reports, *options)
    assert result.code == code
    assert message in result.err
    assert result.out == ""


def test_files_that_are_no_reports(judge: Judge, trec: tuple[Path, Path]) -> None:
    qrels, run = trec
    assert "no such file" in judge("gate", "none.json", "none.json").err
    result = judge("gate", qrels, run)
    assert result.code == 3
    assert "qrels.txt:1: not JSON" in result.err


def test_significance_without_the_values_of_queries(
    judge: Judge, trec: tuple[Path, Path], reports: tuple[Path, Path]
) -> None:
    qrels, run = trec
    arguments = ["--qrels", qrels, "--run", run, "-m", "RR@10", "-m", "R@5"]
    assert judge("score", *arguments, "--json", "-o", reports[1]).code == 0
    result = judge("gate", *reports, "--significant")
    assert result.code == 3
    assert "current.json: queries" in result.err
    assert "--per-query" in result.err


def test_the_help_teaches(judge: Judge) -> None:
    shown = judge("gate", "--help").out
    assert "judge score my-set --engine bm25 --json -o baseline.json\n" in shown
    assert "--limit R@10=0.02" in shown
    assert "exit 0" in shown


def test_control_bytes_in_a_report_never_reach_the_terminal(
    judge: Judge, reports: tuple[Path, Path]
) -> None:
    value = json.loads(reports[0].read_text("utf-8"))
    value["runs"][0]["run"] = "\x1b]0;x\x07"
    reports[0].write_text(json.dumps(value))
    result = judge("gate", *reports)
    assert result.code == 1
    assert "is compared with run mine" in result.err
    assert not {c for c in result.out + result.err if ord(c) < 32 and c != "\n"}
