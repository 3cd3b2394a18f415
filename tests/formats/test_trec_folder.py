"""A folder of judgments and runs without documents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.core.errors import InputError
from judge.core.model import Document, Hit, Judgment, Query, Scale
from judge.core.tables import Run
from judge.formats import trec_folder
from judge.formats.collection import Collection
from judge.formats.reading.intake import Reading


def made(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return folder


def test_read(tmp_path: Path) -> None:
    folder = made(
        tmp_path,
        {
            "qrels.txt": "q1 0 d1 3\nq1\t0\td2\t0\nq2 0 d1 1\n",
            "runs/one.trec": "q1 Q0 d3 1 2.5 t\nq3 Q0 d1 1 -1e-06 t\n",
            "runs/.hidden": "x",
        },
    )
    found = trec_folder.read(folder)
    assert [(d.id, d.text) for d in found.documents] == [("d1", None), ("d2", None), ("d3", None)]
    assert [(q.id, q.text) for q in found.queries] == [("q1", ""), ("q2", ""), ("q3", "")]
    assert [j[:3] for j in found.judgments] == [("q1", "d1", 3), ("q1", "d2", 0), ("q2", "d1", 1)]
    assert {name: list(run.rows()) for name, run in found.runs.items()} == {
        "one": [("q1", "d3", 2.5), ("q3", "d1", -1e-06)]
    }
    assert found.notes == (
        "documents without text, so the set can be scored but not judged: 3",
        "queries without text: 3",
    )
    assert [file.name for file in found.files] == ["qrels.txt", "one.trec"]


def test_one_file_of_judgments(tmp_path: Path) -> None:
    path = made(tmp_path, {"any.txt": "\n# 0 d1 1\n"}) / "any.txt"
    assert trec_folder.sniff(path) == 'its first line reads "query_id 0 doc_id grade"'
    assert trec_folder.read(path).judgments == [Judgment("#", "d1", 1)]


def test_runs_that_are_called_the_same_are_all_kept(tmp_path: Path) -> None:
    names = ["a-2.trec", "a.run", "a.trec", "a.txt"]
    rows = {f"runs/{name}": f"q1 Q0 {name} 1 2.5 t\n" for name in names}
    found = trec_folder.read(made(tmp_path / "in", {"qrels.txt": "q1 0 d1 1\n", **rows}))
    assert {name: [row[1] for row in run.rows()] for name, run in found.runs.items()} == {
        "a-2": ["a-2.trec"],
        "a": ["a.run"],
        "a-3": ["a.trec"],
        "a-4": ["a.txt"],
    }
    assert found.notes[0] == (
        "runs that are called the same as another one, numbered: 2 (first: a.trec is a-3)"
    )
    assert [file.name for file in found.files] == ["qrels.txt", *names]
    trec_folder.write(found, tmp_path / "out")
    assert trec_folder.read(tmp_path / "out").runs.keys() == found.runs.keys()


def test_queries_have_no_quoting(tmp_path: Path) -> None:
    queries = 'q1\t5" pipe\nq2\t"quoted start\n\nq3\tok\tand a tab\n'
    folder = made(tmp_path, {"qrels.trec": "q1 0 d1 1\n", "queries.tsv": queries})
    assert [(q.id, q.text) for q in trec_folder.read(folder).queries] == [
        ("q1", '5" pipe'),
        ("q2", '"quoted start'),
        ("q3", "ok\tand a tab"),
    ]


def test_all_problems_of_all_files(tmp_path: Path) -> None:
    folder = made(
        tmp_path,
        {
            "qrels.trec": "q1 0 d1 1\nq1 0 d2\nq1 0 d3 x\n",
            "runs/a.trec": "q Q0 a 1 2.5 t\nq Q0 b 2 1.5\nq Q0 c 3 1e400 t\n",
            "runs/b.trec": "q Q0 a 1 2.5 t\nq Q0 a 2 1.5 t\n",
            "queries.tsv": "q1\n",
        },
    )
    with pytest.raises(InputError) as caught:
        trec_folder.read(folder)
    run = "query_id Q0 doc_id rank score tag"
    lines = str(caught.value).replace(f"{folder}/", "").splitlines()
    assert lines[:4] == [
        "qrels.trec:2: expected 4 columns, found 3 (expected: query_id 0 doc_id grade)",
        'qrels.trec:3: grade: "x" is not a grade (expected: a grade 0-3)',
        f"runs/a.trec:2: expected 6 columns, found 5 (expected: {run})",
        f'runs/a.trec:3: score: "1e400" is not a finite number (expected: {run})',
    ]
    assert lines[4].startswith("runs/b.trec:2: ")
    assert lines[5:] == ["queries.tsv:1: no id before a tab (expected: query_id, a tab, the text)"]


def test_written(tmp_path: Path) -> None:
    collection = Collection(
        documents=[Document(id="d1", text="t"), Document(id="d2", text=None)],
        queries=[Query(id="q2", text="a\tb"), Query(id="q1", text="é", split="dev")],
        judgments=[
            Judgment("q1", "d1", 0, hard_negative=True),
            Judgment("q1", "d3", 3, note="!"),
            Judgment("q2", "d1", 1),
        ],
        runs={
            "bm25": Run.from_hits("bm25", {"q1": [Hit("d1", 0.1), Hit("d2", 1e-9)]}),
            "empty": Run.from_hits("empty", {}),
        },
        scale=Scale(),
    )
    lost = trec_folder.write(collection, tmp_path / "out")
    folder = tmp_path / "out"
    assert (folder / "qrels.trec").read_text() == "q2 0 d1 1\nq1 0 d3 3\nq1 0 d1 0\n"
    assert (folder / "queries.tsv").read_text("utf-8") == "q2\ta b\nq1\té\n"
    assert (folder / "runs" / "bm25.trec").read_text() == (
        "q1 Q0 d1 1 0.1 bm25\nq1 Q0 d2 2 1e-09 bm25\n"
    )
    assert lost == [
        "texts and other fields of documents: 1",
        "fields of queries other than id and text: 1",
        "tabs and line breaks in the texts of queries, now blanks: 1",
        "the run empty, which is empty",
        "hard-negative marks: 1",
        "notes on judgments: 1",
    ]


def test_ids_with_blanks_are_refused_by_the_name_that_the_user_knows(tmp_path: Path) -> None:
    collection = Collection([], [Query(id="q 1", text="")], [Judgment("q 1", "d", 1)])
    with pytest.raises(InputError, match=rf'^{tmp_path}/out/qrels.trec: query_id: "q 1" has'):
        trec_folder.write(collection, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_read(tmp_path: Path) -> None:
    assert trec_folder.sniff(tmp_path) is None
    with pytest.raises(InputError, match="there are no qrels"):
        trec_folder.read(tmp_path)


def test_reference_program_qrels(shared_data: Path) -> None:
    found = trec_folder.read(shared_data / "dl_typo" / "qrels.txt", Reading())
    assert len(found.judgments) == 3811
    assert len(found.queries) == 60


@pytest.mark.parametrize("header", ["query-id\ttext", "qid\tquery", "_id\ttext", "ID\tTitle"])
def test_a_line_of_names_is_no_query(tmp_path: Path, header: str) -> None:
    files = {"qrels.txt": "q1 0 d1 1\n", "queries.tsv": f"{header}\nq1\tone\nid\ttext\n"}
    found = trec_folder.read(made(tmp_path, files))
    assert [(q.id, q.text) for q in found.queries] == [("q1", "one"), ("id", "text")]
    note = "first lines of queries.tsv that name the columns, passed over: 1 (first: queries.tsv:1)"
    assert note in found.notes


def test_a_first_query_that_only_looks_like_names(tmp_path: Path) -> None:
    files = {"qrels.txt": "query 0 d1 1\n", "queries.tsv": "query\ttext of it\nid\tid\n"}
    found = trec_folder.read(made(tmp_path, files))
    assert [q.id for q in found.queries] == ["query", "id"]
