"""From files to values: what a file looks like must not change what it is worth."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from judge.core.errors import InputError
from judge.core.tables import Run
from judge.formats.trec import read_qrels, read_run
from judge.scoring.measures import parse_measure
from judge.scoring.score import Scores, score

if TYPE_CHECKING:
    from pathlib import Path


def scored(folder: Path, qrels: str, run: str, *names: str) -> Scores:
    (folder / "qrels.txt").write_text(qrels, "utf-8", newline="")
    (folder / "run.trec").write_text(run, "utf-8", newline="")
    judged = read_qrels(folder / "qrels.txt", negative="keep")
    return score(judged, read_run(folder / "run.trec"), [parse_measure(name) for name in names])


QRELS = "q 0 a 3\nq 0 b 0\nq 0 c 0\n"
IN_ORDER = ["q Q0 a 3 1.2E-05 t", "q Q0 b 2 9e-06 t", "q Q0 c 1 -2.5e+1 t"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
@pytest.mark.parametrize("blank", [" ", "\t", "  "])
@pytest.mark.parametrize("step", [1, -1])
def test_scores_decide_whatever_the_file_looks_like(
    tmp_path: Path, end: str, blank: str, step: int
) -> None:
    run = "".join(line.replace(" ", blank) + end for line in IN_ORDER[::step])
    means = scored(tmp_path, QRELS.replace("\n", end), run, "nDCG@10", "RR@10").means()
    assert means == {"nDCG@10": 1.0, "RR@10": 1.0}


def test_a_file_of_ranks_has_their_order(tmp_path: Path) -> None:
    assert scored(tmp_path, QRELS, "q\ta\t1\nq\tb\t2\n", "RR").means() == {"RR": 1.0}
    # Ranks in the place of scores are scores: the higher is better.
    ascending = "q Q0 a 1 1 t\nq Q0 b 2 2 t\n"
    assert scored(tmp_path, QRELS, ascending, "RR").means() == {"RR": 0.5}
    assert "contradicts" in read_run(tmp_path / "run.trec").notes[0]


def test_binary_grades_of_a_header_file(tmp_path: Path) -> None:
    header = "query-id\tcorpus-id\tscore\n"
    for qrels in ("q\ta\t1\nq\tb\t1\n", header + "q\ta\t1\nq\tb\t1\n"):
        means = scored(tmp_path, qrels, "q Q0 a 1 1 t\n", "R@10", "P@10").means()
        assert means == {"R@10": 0.5, "P@10": 0.1}


def test_ids_that_look_alike_are_different(tmp_path: Path) -> None:
    qrels = "007 0 0012 3\n7 0 12 1\n"
    run = "007 Q0 12 1 2 t\n007 Q0 0012 2 1 t\n7 Q0 12 1 1 t\n"
    scores = scored(tmp_path, qrels, run, "RR")
    assert dict(zip(scores.query_ids, scores.values["RR"], strict=True)) == {"007": 0.5, "7": 1.0}


def test_the_same_run_as_text_and_as_parquet(tmp_path: Path) -> None:
    text = "".join(f"q{i % 7} Q0 d{i % 11} {i} {i % 3} t\n" for i in range(77))
    qrels = "".join(f"q{i} 0 d{i} 1\n" for i in range(7))
    scores = scored(tmp_path, qrels, text, "nDCG@10", "AP")
    read_run(tmp_path / "run.trec").write(tmp_path / "run.parquet")
    judged = read_qrels(tmp_path / "qrels.txt")
    measures = [parse_measure(name) for name in ("nDCG@10", "AP")]
    again = score(judged, Run.read(tmp_path / "run.parquet"), measures)
    assert again.means() == scores.means()


def test_what_cannot_be_scored_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run\.trec:2: score: .* is not a finite number"):
        scored(tmp_path, QRELS, "q Q0 a 1 1 t\nq Q0 b 2 1e400 t\n", "RR")
    with pytest.raises(InputError, match=r"run\.trec:2: doc_id: .* first on line 1"):
        scored(tmp_path, QRELS, "q Q0 a 1 3 t\nq Q0 a 2 2 t\n", "RR")


def test_scoring_loads_nothing_that_it_does_not_need() -> None:
    code = (
        "import sys, judge.scoring.score, judge.scoring.report, judge.formats.trec\n"
        "print([m for m in ('pandas', 'scipy', 'pyarrow.dataset', 'textual', 'tantivy')"
        " if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"
