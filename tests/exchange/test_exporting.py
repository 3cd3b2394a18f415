"""An export holds every judgment, the same bytes for the same data, and says what it loses."""

from __future__ import annotations

import csv
import datetime as dt
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval

from judge.core import arrow
from judge.core.errors import InputError, NotFound
from judge.core.model import Candidate, Hit
from judge.core.tables import Run
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.exchange.exporting import export_dataset, format_names
from judge.exchange.importing import import_dataset
from judge.formats.registry import FORMATS

Record = Callable[..., None]
Source = Callable[[Mapping[str, str | None]], Path]
Tree = Callable[[Path], dict[str, str]]


def loaded(path: Path) -> Any:
    """A strict JSON reading: NaN and Infinity are errors."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(path.read_text("utf-8"), parse_constant=refuse)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_format(dataset: Dataset, record: Record, tmp_path: Path) -> None:
    record("ann", ("grade", "q1", "d1", 3), ("grade", "q2", "d3", 0))
    for name in format_names():
        path = tmp_path / f"out.{name}"
        report = export_dataset(dataset, name, path)
        assert report.paths[0].exists()
        assert report.counts == {"documents": 3, "queries": 2, "judgments": 2, "runs": 0}
        merged, written, source = report.lines()[-3:]
        assert merged == "grades merged by median-low, ties: 0"
        assert written == f"written as {name}: {', '.join(map(str, report.paths))}"
        assert source.startswith("from a dataset of 3 documents, 2 queries, 2 judgments, 0 runs")
        assert ("listed above as lost" in source) == bool(report.losses)
    with pytest.raises(NotFound, match='did you mean "parquet"'):
        export_dataset(dataset, "parket", tmp_path / "x")


def test_grades_are_whole_numbers(dataset: Dataset, record: Record, tmp_path: Path) -> None:
    record("ann", ("grade", "q1", "d1", 3), ("grade", "q1", "d2", 0))
    export_dataset(dataset, "judge", tmp_path / "out.json")
    judgments = loaded(tmp_path / "out.json")["queries"][0]["judgments"]
    assert judgments == [{"doc_id": "d1", "grade": 3}, {"doc_id": "d2", "grade": 0}]
    assert {type(judgment["grade"]) for judgment in judgments} == {int}
    export_dataset(dataset, "trec", tmp_path / "trec")
    assert (tmp_path / "trec" / "qrels.trec").read_text() == "q1 0 d1 3\nq1 0 d2 0\n"
    export_dataset(dataset, "csv", tmp_path / "out.csv")
    assert [row["grade"] for row in table(tmp_path / "out.csv")] == ["3", "0"]


def test_annotators_merge_by_the_named_rule(
    dataset: Dataset, record: Record, tmp_path: Path
) -> None:
    record("ann", ("grade", "q1", "d1", 3), ("grade", "q1", "d2", 1))
    record("bo", ("grade", "q1", "d1", 1))
    grades = {}
    for rule in ("median-low", "max", "bo"):
        report = export_dataset(dataset, "judge", tmp_path / f"{rule}.json", rule=rule)
        content = loaded(tmp_path / f"{rule}.json")
        grades[rule] = {j["doc_id"]: j["grade"] for j in content["queries"][0]["judgments"]}
        assert content["provenance"]["judgments"]["rule"] == report.rule
    assert grades == {"median-low": {"d1": 1, "d2": 1}, "max": {"d1": 3, "d2": 1}, "bo": {"d1": 1}}
    report = export_dataset(dataset, "judge", tmp_path / "out.json")
    assert report.ties == 1
    assert report.losses == [
        "who said what: 2 annotators become one by median-low",
        "the history of the judgments: by whom, when, in how many seconds",
    ]
    assert loaded(tmp_path / "out.json")["provenance"]["judgments"] == {
        "rule": "median-low",
        "ties": 1,
        "annotators": ["ann", "bo"],
        "sources": {"human": 3},
    }


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_tables_of_each_annotator_and_merged(
    dataset: Dataset, record: Record, tmp_path: Path, name: str
) -> None:
    record("ann", ("grade", "q1", "d1", 3), seconds=1.5)
    record("bo", ("grade", "q1", "d2", 1), ("skip", "q2", "d1", None))
    record("bo", ("cannot_judge", "q2", "d3", None), ("flag", "q1", "d1", None), reason="language")

    def rows(**options: Any) -> list[tuple[Any, ...]]:
        path = tmp_path / f"out.{name}"
        export_dataset(dataset, name, path, force=True, **options)
        columns = ("query_id", "doc_id", "verdict", "grade", "annotator", "reason", "seconds")
        if name == "csv":
            return [tuple(row[c] for c in columns) for row in table(path)]
        frame = arrow.read(path)
        values = zip(*(frame.values(c) for c in columns), strict=True)
        return [tuple("" if v is None else str(v) for v in row) for row in values]

    assert rows() == [
        ("q1", "d1", "graded", "3", "", "", ""),
        ("q1", "d2", "graded", "1", "", "", ""),
    ]
    assert rows(rows="annotators") == [
        ("q1", "d1", "graded", "3", "ann", "", "1.5"),
        ("q1", "d1", "unjudged", "", "bo", "", ""),
        ("q1", "d2", "graded", "1", "bo", "", ""),
        ("q2", "d1", "skipped", "", "bo", "", ""),
        ("q2", "d3", "cannot_judge", "", "bo", "language", ""),
    ]
    assert rows(rows="annotators", rule="ann") == [("q1", "d1", "graded", "3", "ann", "", "1.5")]


def test_what_is_lost_is_told(dataset: Dataset, record: Record, tmp_path: Path) -> None:
    record("ann", ("grade", "q1", "d1", 0), hard_negative=True, note="near")
    record("ann", ("skip", "q1", "d2", None), ("cannot_judge", "q2", "d2", None), reason="x")
    now = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
    pool = [Candidate("q1", "d1", "bm25", 1, 0)]
    dataset.add_pool(pool, order="depth", seed=1, made_by={}, now=now)
    dataset.add_run(Run.from_hits("bm25", {"q1": [Hit("d1", 1.0)]}), {})
    always = [
        "the pool: 1 candidates",
        "the history of the judgments: by whom, when, in how many seconds",
        "pairs without a grade: cannot_judge 1, skipped 1",
    ]
    run = "runs: 1 (bm25)"
    marks = ["hard-negative marks: 1", "notes on judgments: 1"]
    lost = {
        name: export_dataset(dataset, name, tmp_path / f"out.{name}").losses
        for name in ("judge", "beir", "csv")
    }
    assert lost == {
        "judge": [run, *always],
        "beir": [*marks, run, *always],
        "csv": [
            "the documents: only titles or opening words, and only of those that are judged",
            "queries without judgments: 1",
            run,
            *always,
        ],
    }
    content = loaded(tmp_path / "out.judge")
    assert content["queries"][0]["judgments"] == [
        {"doc_id": "d1", "grade": 0, "hard_negative": True, "note": "near"}
    ]


def test_all_sessions_are_there_once(dataset: Dataset, record: Record, tmp_path: Path) -> None:
    pairs = [(q, d) for q in ("q1", "q2") for d in ("d1", "d2", "d3")]
    for first in (0, 2, 4):
        said = [("grade", q, d, 1) for q, d in pairs[first : first + 2]]
        record("ann", *said, note="late" if first == 4 else None)
    export_dataset(dataset, "csv", tmp_path / "out.csv")
    rows = table(tmp_path / "out.csv")
    assert [(row["query_id"], row["doc_id"]) for row in rows] == pairs
    assert [row["note"] for row in rows] == ["", "", "", "", "late", "late"]


@pytest.mark.parametrize("name", format_names())
def test_the_order_of_judging_leaves_no_trace(
    dataset: Dataset, record: Record, tmp_path: Path, tree: Tree, name: str
) -> None:
    said = [("q1", "d1", 3), ("q1", "d2", 0), ("q2", "d3", 2), ("q2", "d1", 0)]
    seen: list[dict[str, str]] = []
    for order in (said, said[::-1]):
        for query_id, doc_id, grade in order:
            record("ann", ("grade", query_id, doc_id, grade))
        path = tmp_path / f"out{len(seen)}"
        export_dataset(dataset, name, path)
        seen.append(tree(path))
        shutil.rmtree(dataset.workspace.label_folder("set"))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", FORMATS)
def test_export_import_export(
    dataset: Dataset, record: Record, tmp_path: Path, now: dt.datetime, tree: Tree, name: str
) -> None:
    record("ann", ("grade", "q1", "d1", 3), ("grade", "q1", "d2", 0), note="n")
    record("bo", ("grade", "q1", "d1", 2), ("grade", "q2", "d3", 2))
    first, second = tmp_path / "first", tmp_path / "second"
    export_dataset(dataset, name, first)
    other = Workspace(tmp_path / "other")
    import_dataset(other, first, name="set", now=now)
    report = export_dataset(Dataset.open(other, "set"), name, second)
    assert tree(first) == tree(second)
    assert report.losses == []


EXPORT = """
import sys
from pathlib import Path
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.exchange.exporting import export_dataset, format_names
dataset = Dataset.open(Workspace(Path(sys.argv[1])), "set")
for name in format_names():
    export_dataset(dataset, name, Path(sys.argv[2]) / name)
"""


def test_neither_hash_seed_nor_locale_matter(
    dataset: Dataset, record: Record, tmp_path: Path, tree: Tree
) -> None:
    record("ann", ("grade", "q1", "d1", 3), ("grade", "q1", "d2", 0), note="जवाब 東京 😀")
    record("bo", ("grade", "q1", "d1", 2), ("grade", "q2", "d3", 2))
    seen = []
    for seed, locale in (("0", "C"), ("1", "de_DE.UTF-8")):
        out = tmp_path / seed
        out.mkdir()
        command = [sys.executable, "-c", EXPORT, str(dataset.workspace.root), str(out)]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONUTF8": "0"}
        root = Path(__file__).resolve().parents[2]
        subprocess.run(command, cwd=root, env=environment, check=True)
        seen.append(tree(out))
    assert seen[0] == seen[1]
    assert "जवाब 東京 😀" in (tmp_path / "0" / "judge").read_text("utf-8")


def test_nothing_is_replaced_by_accident(
    dataset: Dataset, record: Record, tmp_path: Path, tree: Tree
) -> None:
    record("ann", ("grade", "q1", "d1", 3))
    for name in format_names():
        path = tmp_path / name
        export_dataset(dataset, name, path)
        before = tree(path)
        with pytest.raises(InputError, match="exists already"):
            export_dataset(dataset, name, path)
        assert tree(path) == before
        export_dataset(dataset, name, path, force=True)
        assert tree(path) == before


@pytest.mark.parametrize("name", ["trec", "judge", "csv"])
@pytest.mark.parametrize("force", [False, True])
def test_the_workspace_is_no_place_for_an_export(
    dataset: Dataset, record: Record, tmp_path: Path, tree: Tree, name: str, force: bool
) -> None:
    record("ann", ("grade", "q1", "d1", 3))
    root = dataset.workspace.root
    (tmp_path / "link").symlink_to(root / "labels")
    before = tree(root)
    for place, how in (
        ("workspace/corpora", "lies in corpora/"),
        ("workspace/labels/set/ann", "lies in labels/"),
        ("workspace/corpora/set/new", "lies in corpora/"),
        ("workspace/labels/../labels/x/y", "lies in labels/"),
        ("link/new", "lies in labels/"),
        ("workspace", "holds corpora/"),
        (".", "holds corpora/"),
    ):
        with pytest.raises(InputError) as caught:
            export_dataset(dataset, name, tmp_path / place, force=force)
        assert str(caught.value) == (
            f"{tmp_path / place}: {how} of the workspace, which is no place for an export"
            " (expected: a path apart from corpora/ and labels/)"
        )
    assert tree(root) == before
    export_dataset(dataset, name, root / "exports" / "new")


def test_the_reference_program_reads_what_we_write(
    dataset: Dataset, record: Record, tmp_path: Path
) -> None:
    record("ann", ("grade", "q1", "d1", 3), ("grade", "q1", "d2", 0), ("grade", "q2", "d3", 1))
    hits = {"q1": [Hit("d1", 1e-7), Hit("d3", -2.5)], "q2": [Hit("d3", 0.1)]}
    dataset.add_run(Run.from_hits("bm25", hits), {})
    export_dataset(dataset, "trec", tmp_path / "out")
    with (tmp_path / "out" / "qrels.trec").open() as file:
        assert pytrec_eval.parse_qrel(file) == {"q1": {"d1": 3, "d2": 0}, "q2": {"d3": 1}}
    with (tmp_path / "out" / "runs" / "bm25.trec").open() as file:
        assert pytrec_eval.parse_run(file) == {query_id: dict(h) for query_id, h in hits.items()}


def test_a_damaged_label_file_is_named(dataset: Dataset, record: Record, tmp_path: Path) -> None:
    record("ann", ("grade", "q1", "d1", 3))
    bad = dataset.workspace.label_folder("set") / "ann" / "20250301T090500Z-00000000-0000.parquet"
    bad.write_bytes(b"x")
    report = export_dataset(dataset, "judge", tmp_path / "out.json")
    assert report.counts["judgments"] == 1
    assert any(str(bad) in note for note in report.notes)
