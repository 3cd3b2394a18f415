"""Faults that a command must not have: each of these once gave a wrong number or lost something."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.cli import main as program
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset

Judge = Callable[..., Any]


def make(judge: Judge, beir: Path) -> Dataset:
    assert judge("import", beir, "--name", "tiny", "--relevant-from", "2").code == 0
    assert judge("pool", "tiny", "--engine", "bm25").code == 0
    return Dataset.open(Workspace(Path()), "tiny")


def test_a_run_from_a_pipe_gives_the_same_numbers_or_is_refused(tmp_path: Path) -> None:
    # More than one buffer, with the only relevant document in the first rows.
    rows = "".join(f"q1 Q0 d{n} {n} {3000 - n}.0 t\n" for n in range(1, 2001))
    (tmp_path / "run.trec").write_text(rows)
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    command = (
        f"'{sys.executable}' -m judge.cli.main score --qrels qrels.txt --run <(cat run.trec)"
        " -m RR@10 -q"
    )
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        assert "1.0000" in done.stdout
    else:
        assert done.returncode == 3
        assert "pipe" in done.stderr


def test_options_before_a_command_count_for_it(judge: Judge, beir: Path, tmp_path: Path) -> None:
    assert judge("-w", tmp_path / "there", "import", beir, "--name", "tiny").code == 0
    assert (tmp_path / "there" / "corpora" / "tiny").is_dir()
    assert '"tiny"' in judge("-w", tmp_path / "there", "status", "--json").out
    again = judge("-w", tmp_path / "nowhere", "status", "-w", tmp_path / "there", "--json")
    assert '"tiny"' in again.out
    # The name is looked at before the terminal is, so that it shows which one was taken.
    refused = judge("-w", tmp_path / "there", "--as", "../x", "annotate", "tiny")
    assert "../x" in refused.err


def test_a_kept_run_is_never_replaced(judge: Judge, beir: Path, tmp_path: Path) -> None:
    dataset = make(judge, beir)
    before = (dataset.folder / "runs" / "bm25.parquet").read_bytes()
    other = tmp_path / "bm25.trec"
    other.write_text("q1 Q0 d4 1 9.0 t\n")
    result = judge("pool", "tiny", "--run", other)
    assert result.code == 0
    assert "bm25-2" in result.err
    assert (dataset.folder / "runs" / "bm25.parquet").read_bytes() == before
    assert dataset.run_names() == ["bm25", "bm25-2"]
    assert judge("pool", "tiny", "--run", other).code == 0
    assert dataset.run_names() == ["bm25", "bm25-2"]


def test_a_refused_pool_leaves_no_run_behind(judge: Judge, beir: Path, tmp_path: Path) -> None:
    dataset = make(judge, beir)
    (tmp_path / "good.trec").write_text("q1 Q0 d4 1 9.0 t\n")
    result = judge("pool", "tiny", "--run", "good.trec", "--engine", "nonsense")
    assert result.code == 3
    assert dataset.run_names() == ["bm25"]
    (tmp_path / "con.trec").write_text("q1 Q0 d3 1 9.0 t\n")
    assert judge("pool", "tiny", "--run", "good.trec", "--run", "con.trec").code == 0
    assert "con" not in dataset.run_names()
    assert len(dataset.run_names()) == 3


def test_engines_are_asked_as_deep_as_it_takes(judge: Judge, tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        json.dumps({"_id": f"d{n:04}", "title": "", "text": "same words"}) for n in range(1500)
    ]
    (folder / "corpus.jsonl").write_text("\n".join(documents))
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q1", "text": "words"}))
    # Equal scores order by id downwards: d0000 stands last, at rank 1500.
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td0000\t1\n")
    assert judge("import", folder, "--name", "deep").code == 0
    result = judge("score", "deep", "--engine", "bm25", "-m", "R@1500", "-m", "RR", "--json")
    (run,) = json.loads(result.out)["runs"]
    assert run["measures"]["R@1500"]["mean"] == 1.0
    assert run["measures"]["RR"]["mean"] == pytest.approx(1 / 1500)
    assert "1500 new pairs" in judge("pool", "deep", "--engine", "bm25", "--depth", "1500").err


def test_negative_grades_count_as_unjudged_when_files_are_scored(
    judge: Judge, trec: tuple[Path, Path]
) -> None:
    qrels, run = trec
    qrels.write_text("q1 0 d2 -1\nq1 0 d1 1\n")
    result = judge("score", "--qrels", qrels, "--run", run, "-m", "RR@10", "--json")
    assert result.code == 0
    assert json.loads(result.out)["runs"][0]["measures"]["RR@10"]["mean"] == 0.5


def test_coverage_stands_beside_every_cutoff(judge: Judge, trec: tuple[Path, Path]) -> None:
    qrels, run = trec
    result = judge("score", "--qrels", qrels, "--run", run, "-m", "nDCG@5", "-m", "P@1", "--json")
    assert json.loads(result.out)["measures"] == ["nDCG@5", "P@1", "Judged@1", "Judged@5"]


@pytest.mark.parametrize("wrong", ["0", "4"])
def test_relevance_must_lie_on_the_scale(judge: Judge, beir: Path, wrong: str) -> None:
    make(judge, beir)
    result = judge("score", "tiny", "--engine", "bm25", "--relevant-from", wrong)
    assert result.code == 3
    assert "--relevant-from" in result.err


def test_status_goes_on_past_a_broken_dataset(judge: Judge, beir: Path) -> None:
    dataset = make(judge, beir)
    broken = dataset.folder.parent / "broken"
    broken.mkdir()
    (broken / "dataset.json").write_text("{")
    result = judge("status")
    assert result.code == 3
    assert "tiny" in result.out
    assert "broken" in result.err
    assert "not valid JSON" in result.err


def test_a_split_without_judgments_is_named(judge: Judge, beir: Path) -> None:
    rows = [json.loads(line) for line in (beir / "queries.jsonl").read_text().splitlines()]
    rows.append({"_id": "q3", "text": "nothing", "split": "dev"})
    (beir / "queries.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    make(judge, beir)
    result = judge("score", "tiny", "--engine", "bm25")
    assert result.code == 3
    assert '"dev"' in result.err
    assert "--split all" in result.err
    assert judge("score", "tiny", "--engine", "bm25", "--split", "all").code == 0


def test_rows_belong_to_tables(judge: Judge, beir: Path) -> None:
    make(judge, beir)
    refused = judge("export", "tiny", "--to", "beir", "-o", "x", "--rows", "annotators")
    assert refused.code == 2
    assert judge("export", "tiny", "--to", "csv", "-o", "x.csv", "--rows", "annotators").code == 0


def test_output_through_a_link_and_to_a_device(
    judge: Judge, trec: tuple[Path, Path], tmp_path: Path
) -> None:
    qrels, run = trec
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    assert judge("score", "--qrels", qrels, "--run", run, "-o", link).code == 0
    assert link.is_symlink()
    assert "nDCG@10" in target.read_text()
    assert judge("score", "--qrels", qrels, "--run", run, "-o", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()
    assert "nDCG@10" in judge("score", "--qrels", qrels, "--run", run, "-o", "-").out


def test_a_closed_pipe_is_no_failure(tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m judge.cli.main explain rules | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_fault_of_the_program_is_not_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(program, "app", fail)
    assert program.main(["status"]) == 70
    assert "a fault of the program" in capsys.readouterr().err


def test_systems_with_equal_rankings_keep_their_own_names(
    judge: Judge, beir: Path, tmp_path: Path
) -> None:
    dataset = make(judge, beir)
    for name in ("a", "b"):
        (tmp_path / f"{name}.trec").write_text("q1 Q0 d4 1 9.0 t\n")
    result = judge("pool", "tiny", "--run", "a.trec", "--run", "b.trec", "--run", "a.trec")
    assert result.code == 0
    assert "of a, b," in result.err
    assert dataset.run_names() == ["a", "b", "bm25"]


def test_a_seed_that_cannot_be_kept_is_refused_before_anything_is(
    judge: Judge, beir: Path, tmp_path: Path
) -> None:
    assert judge("import", beir, "--name", "tiny").code == 0
    assert judge("pool", "tiny", "--engine", "bm25", "--seed", 10**20).code == 2
    assert not (tmp_path / "corpora" / "tiny" / "runs").exists()


def test_hidden_files_among_runs_and_pools_are_none_of_ours(judge: Judge, beir: Path) -> None:
    dataset = make(judge, beir)
    for folder in ("runs", "pools"):
        (dataset.folder / folder / "._x.parquet").write_bytes(b"left behind")
    assert judge("status", "tiny").code == 0
    assert judge("score", "tiny").code == 0


def test_a_line_break_in_a_value_forges_no_message(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "bench.json").write_text(
        json.dumps(
            {
                "name": "x",
                "documents": [{"id": "d\njudge: all is well", "text": "t"}] * 2
                + [{"id": "d\njudge: all is well", "text": "other"}],
                "queries": [{"id": "q", "query": "t", "relevant_ids": []}],
            }
        )
    )
    result = judge("import", "bench.json", "--name", "x")
    assert result.code == 3
    assert not any(
        line.endswith("judge: all is well") and line.startswith("judge: judge")
        for line in result.err.splitlines()
    )
    assert "d␊judge: all is well" in result.err


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_streams_are_no_fault_of_the_program(tmp_path: Path, closed: str) -> None:
    command = f"'{sys.executable}' -m judge.cli.main explain rules {closed}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    command = f"'{sys.executable}' -m judge.cli.main {closed}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "needs a terminal" in done.stderr
