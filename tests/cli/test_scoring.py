"""`score` on slices, chunks and several datasets, `compare`, `failures`: worked out by hand."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.judging.session import Session

Judge = Callable[..., Any]

CORPUS = [
    {"_id": "a1", "text": "alpha one", "metadata": {}, "parent_id": "a"},
    {"_id": "a2", "text": "alpha two", "parent_id": "a"},
    {"_id": "b1", "text": "beta " * 200, "language": "de"},
    {"_id": "c1", "text": "gamma"},
]
QUERIES = [
    {"_id": "q1", "text": "alpha", "language": "en", "metadata": {"kind": "vague"}},
    {"_id": "q2", "text": "beta", "language": "en", "metadata": {"kind": "exact"}},
    {"_id": "q3", "text": "gamma", "language": "de", "metadata": {"kind": "exact"}},
]
QRELS = [("q1", "a2", 1), ("q2", "b1", 1), ("q3", "c1", 1)]
GOOD = "q1 Q0 a1 1 3 t\nq1 Q0 a2 2 2 t\nq2 Q0 b1 1 3 t\nq3 Q0 c1 1 3 t\n"
BAD = "q1 Q0 c1 1 3 t\nq2 Q0 c1 1 3 t\nq2 Q0 b1 2 2 t\nq3 Q0 c1 1 3 t\n"


@pytest.fixture
def runs(judge: Judge, tmp_path: Path) -> tuple[Path, Path]:
    """Two runs on a dataset `set` of three queries, one of which asks for a chunk."""
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    for name, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    tsv = "query-id\tcorpus-id\tscore\n" + "".join(f"{q}\t{d}\t{g}\n" for q, d, g in QRELS)
    (folder / "qrels" / "test.tsv").write_text(tsv)
    assert judge("import", folder, "--name", "set").code == 0
    good, bad = tmp_path / "good.trec", tmp_path / "bad.trec"
    good.write_text(GOOD)
    bad.write_text(BAD)
    return good, bad


def document(judge: Judge, *arguments: object) -> dict[str, Any]:
    result = judge(*arguments, "--json")
    assert result.code == 0, result.err
    value: dict[str, Any] = json.loads(result.out)
    return value


def parts(run: dict[str, Any], measure: str) -> dict[str, float]:
    return {part["value"]: part["measures"][measure]["mean"] for part in run["slices"]}


def test_slices_by_metadata_documents_and_pairs(judge: Judge, runs: tuple[Path, Path]) -> None:
    asked = ["score", "set", "--run", runs[0], "-m", "RR", "--by"]
    assert parts(document(judge, *asked, "kind")["runs"][0], "RR") == {"exact": 1.0, "vague": 0.5}
    # Only b1 has more than 500 characters.
    lengths = parts(document(judge, *asked, "document-length")["runs"][0], "RR")
    assert lengths == {"501 to 2,000": 1.0, "up to 500": 0.75}
    pairs = parts(document(judge, *asked, "language-pair")["runs"][0], "RR")
    assert pairs == {"en > und": 0.5, "en > de": 1.0, "de > und": 1.0}
    wrong = judge(*asked, "kin")
    assert (wrong.code, wrong.out) == (3, "")
    assert 'no slice "kin"' in wrong.err
    assert "kind" in wrong.err


def test_chunks_count_as_their_document_on_request(judge: Judge, runs: tuple[Path, Path]) -> None:
    asked = ["score", "set", "--run", runs[0], "-m", "RR"]
    apart, whole = document(judge, *asked), document(judge, *asked, "--roll-up")
    # a1 is ranked above a2, the judged chunk of the same document.
    assert apart["runs"][0]["measures"]["RR"]["mean"] == pytest.approx(2.5 / 3)
    assert whole["runs"][0]["measures"]["RR"]["mean"] == 1.0
    assert whole["settings"]["roll_up"] is True
    assert "roll_up" not in apart["settings"]
    assert whole["settings_hash"] != apart["settings_hash"]


def test_several_datasets(judge: Judge, runs: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "beir" / "qrels" / "test.tsv").write_text("q3\tc1\t1\n")
    assert judge("import", tmp_path / "beir", "--name", "other").code == 0
    asked = ["score", "set", "other", "--run", runs[0], "-m", "RR"]
    found = document(judge, *asked)
    assert found["schema"] == "judge.scores/1"
    assert [report["dataset"] for report in found["reports"]] == ["set", "other"]
    assert found["average"][0]["measures"]["RR"]["mean"] == pytest.approx((2.5 / 3 + 1) / 2)
    assert judge(*asked, "-q").out.splitlines() == [
        "dataset  measure  run     mean     low    high  judged",
        "set      RR       good  0.8333  0.5000  1.0000  0.8333",
        "other    RR       good  1.0000       -       -  1.0000",
        "average  RR       good  0.9167       -       -       -",
    ]


def test_runs_of_one_name_are_told_apart(judge: Judge, runs: tuple[Path, Path]) -> None:
    folder = runs[0].parent / "more"
    folder.mkdir()
    (folder / "good.trec").write_text(BAD)
    found = document(judge, "score", "set", "--run", runs[0], "--run", folder / "good.trec")
    assert [run["run"] for run in found["runs"]] == ["good", "good-2"]


def test_a_grade_that_no_document_has_cannot_be_the_relevant_one(
    judge: Judge, trec: tuple[Path, Path]
) -> None:
    qrels, run = trec
    result = judge("score", "--qrels", qrels, "--run", run, "--relevant-from", "100")
    assert (result.code, result.out) == (3, "")
    assert "grade 100 cannot be the lowest relevant one (expected: 1 to 3)" in result.err


def test_compare(judge: Judge, runs: tuple[Path, Path]) -> None:
    good, bad = runs
    found = document(judge, "compare", "set", bad, good, "-m", "RR", "--by", "kind")
    assert found["schema"] == "judge.compare/1"
    (other,) = found["runs"]
    row = other["measures"]["RR"]
    # bad: 0, 1/2, 1; good: 1/2, 1, 1.
    assert row["difference"] == pytest.approx(1 / 3)
    assert (row["won"], row["tied"], row["lost"]) == (2, 1, 0)
    # Of the 8 sign patterns of 1/2, 1/2, 0 four have a sum at least as far from 0.
    assert row["p"] == 0.5
    assert row["verdict"] == "cannot-separate"
    # The vague query changed by 1/2, the two exact ones by 1/2 and 0.
    assert {part["value"]: part["measures"]["RR"]["difference"] for part in other["slices"]} == {
        "exact": 0.25,
        "vague": 0.5,
    }
    told = judge("compare", "set", bad, good, "-m", "RR")
    assert "3 queries cannot separate good from bad on RR" in " ".join(told.out.split())
    changed = judge("compare", "set", bad, good, "-m", "RR", "--changed", "-q")
    assert changed.out.splitlines() == [
        "run   measure  query  baseline   other  difference",
        "good  RR       q1       0.0000  0.5000      0.5000",
        "good  RR       q2       0.5000  1.0000      0.5000",
    ]


def test_compare_files(judge: Judge, runs: tuple[Path, Path], tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in QRELS))
    found = document(judge, "compare", "--qrels", qrels, *runs, "-m", "RR")
    assert found["baseline"] == "good"
    assert found["runs"][0]["measures"]["RR"]["difference"] == pytest.approx(-1 / 3)
    assert found["leave_one_out"] == []


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["set"], 2, "give a dataset and two systems or more"),
        (["set", "bm25"], 2, "give a dataset and two systems or more"),
        (["set", "bm25", "bm26"], 3, 'no system "bm26"'),
        (["none", "bm25", "terms"], 3, 'no dataset "none"'),
    ],
)
def test_compare_says_what_is_wrong(
    judge: Judge, runs: tuple[Path, Path], arguments: list[str], code: int, message: str
) -> None:
    result = judge("compare", *arguments)
    assert (result.code, result.out) == (code, "")
    assert message in result.err


def judge_pool() -> None:
    """Judge the whole pool of `set` as one annotator: what the qrels have is relevant."""
    dataset = Dataset.open(Workspace(Path()), "set")
    session = Session.open(dataset, "ana")
    right = {(query_id, doc_id) for query_id, doc_id, _ in QRELS}
    while (card := session.card) is not None:
        session.painted(card.token)
        session.grade(card.token, int((card.query.id, card.document.id) in right))
        assert session.wait(10)
        session.settle()
    session.close()


def test_what_a_run_owes_to_the_pool(judge: Judge, runs: tuple[Path, Path]) -> None:
    good, bad = runs
    assert judge("pool", "set", "--run", good, "--run", bad, "--depth", "2").code == 0
    # The judgments came along with the set: they are not what these runs brought.
    found = document(judge, "compare", "set", "good", "bad", "-m", "RR")
    assert found["leave_one_out"] == []
    judge_pool()
    found = document(judge, "compare", "set", "good", "bad", "-m", "RR")
    lost = {entry["run"]: entry for entry in found["leave_one_out"]}
    # Only good has a1 and a2 for q1, only bad has c1 for q1 and q2; of these only a2 is relevant.
    assert [(lost[run]["pairs"], lost[run]["relevant"]) for run in ("good", "bad")] == [
        (2, 1),
        (2, 0),
    ]
    assert lost["good"]["measures"]["RR"]["loss"] == pytest.approx(0.5 / 3)
    assert lost["bad"]["measures"]["RR"]["loss"] == 0.0


def test_a_run_of_another_index_or_another_set_is_doubted(
    judge: Judge, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    other, part = tmp_path / "other.trec", tmp_path / "part.trec"
    other.write_text(GOOD.replace(" Q0 ", " Q0 X"))
    part.write_text("q1 Q0 a2 1 3 t\n")
    strange = judge("score", "set", "--run", other, "-q")
    assert 'documents looked at in run "other" are not in set, such as "Xa1"' in strange.err
    few = judge("compare", "set", part, runs[0], "-q")
    assert 'warning: run "part" has results for 1 of 3 judged queries only' in few.err
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in QRELS))
    bare = judge("score", "--qrels", qrels, "--run", other, "-q")
    assert 'run "other" holds none of the judged documents' in bare.err
    assert "warning" not in judge("score", "set", "--run", runs[0]).err


def test_what_cuts_nothing_is_said_and_is_no_test(judge: Judge, runs: tuple[Path, Path]) -> None:
    found = document(judge, "compare", "set", *runs, "-m", "RR", "--by", "category")
    assert found["family"] == 1
    assert "nothing to cut by category: all queries are alike in it" in found["notices"]


def test_a_grade_above_the_scale_is_refused_in_a_name_too(
    judge: Judge, runs: tuple[Path, Path]
) -> None:
    result = judge("score", "set", "--run", runs[0], "-m", "P(rel=3)@5")
    assert (result.code, result.out) == (3, "")
    assert "P(rel=3)@5: grade 3 cannot be the lowest relevant one (expected: 1 to 1)" in result.err


def test_failures(judge: Judge, runs: tuple[Path, Path]) -> None:
    found = document(judge, "failures", "set", "--run", runs[1], "-m", "RR@10", "--below", "0.6")
    assert found["schema"] == "judge.failures/1"
    assert [failure["query"] for failure in found["failures"]] == ["q1", "q2"]
    assert found["failures"][0]["text"] == "alpha"
    codes = [{reason["code"] for reason in failure["diagnoses"]} for failure in found["failures"]]
    assert "answer-absent" in codes[0]
    assert "badly-ranked" in codes[1]
    told = judge("failures", "set", "--run", runs[1], "-m", "RR@10", "--worst", "1")
    assert told.out.startswith("bad  q1  RR@10 0.0000  judged 0.00  alpha\n")
    assert "1 of 3 queries reach less than 0.5 of the best possible RR@10" in told.err


def test_a_page_is_written_whole_and_loads_nothing(
    judge: Judge, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    run = ["--run", runs[0], "--run", runs[1]]
    result = judge("score", "set", *run, "--by", "kind", "--html", page)
    assert result.code == 0
    assert "measure" in result.out
    text = page.read_text("utf-8")
    assert text.startswith("<!doctype html>")
    # Links lead inside the page, and nothing is embedded from elsewhere.
    assert re.findall(r"""\bhref="(.)""", text.partition("<script")[0])[0] == "#"
    assert not re.search(r"""\bsrc=|<link|@import|url\(""", text)
    assert "https://" not in text
    refused = judge("score", "set", *run, "--html", "-m", "nDCG@10")
    assert (refused.code, refused.err.count("-m is no name for a page")) == (2, 1)


def test_nothing_that_is_read_is_written_over(
    judge: Judge, trec: tuple[Path, Path], tmp_path: Path
) -> None:
    qrels, run = trec
    before = qrels.read_bytes(), run.read_bytes()
    asked = ["score", "--qrels", qrels, "--run", run]
    for option, path in (("-o", run), ("-o", qrels), ("--html", run)):
        assert judge(*asked, option, path).code == 2
    same = judge(*asked, "-o", tmp_path / "same", "--html", tmp_path / "same")
    assert (same.code, "is what --output writes too" in same.err) == (2, True)
    assert (qrels.read_bytes(), run.read_bytes()) == before
    assert not (tmp_path / "same").exists()


def test_a_page_goes_into_a_pipe_as_it_comes(
    judge: Judge, trec: tuple[Path, Path], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    qrels, run = trec
    assert judge("score", "--qrels", qrels, "--run", run, "--html", pipe).code == 0
    reader.join(10)
    assert got[0].startswith(b"<!doctype html>")
    assert pipe.is_fifo()


def test_the_exit_code_counts_where_nobody_can_hear(trec: tuple[Path, Path]) -> None:
    qrels, run = trec
    program = [sys.executable, "-m", "judge.cli.main", "score", "--run", str(run), "--qrels"]
    with Path("/dev/full").open("w") as full:
        for file, code in ((qrels, 0), (Path("missing"), 3)):
            done = subprocess.run(
                [*program, str(file)], stdout=subprocess.PIPE, stderr=full, check=False
            )
            assert done.returncode == code


def test_a_part_named_twice_is_one_part(judge: Judge, runs: tuple[Path, Path]) -> None:
    twice = ["--by", "kind", "--by", "kind"]
    found = document(judge, "compare", "set", *runs, "-m", "RR", *twice)
    assert found["family"] == 3


@pytest.mark.parametrize("detect", ["inf", "nan"])
def test_a_difference_to_detect_is_a_number(
    judge: Judge, runs: tuple[Path, Path], detect: str
) -> None:
    result = judge("compare", "set", *runs, "--detect", detect)
    assert result.code in (2, 3)
    assert "--detect" in result.err
    assert "Traceback" not in result.err
