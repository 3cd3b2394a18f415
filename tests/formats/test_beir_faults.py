"""BEIR folders: what changes under the reader, what is passed over, what a kill leaves behind."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from judge.core.errors import InputError
from judge.core.model import Document, Judgment, Query
from judge.formats import beir
from judge.formats.collection import Collection

COLLECTION = Collection(
    documents=[Document(id="d1", text="one")],
    queries=[Query(id="q1", text="one")],
    judgments=[Judgment("q1", "d1", 1)],
)


def folder(path: Path, qrels: dict[str, str]) -> Path:
    (path / "qrels").mkdir(parents=True)
    documents = "".join(json.dumps({"_id": f"d{n}", "text": f"t {n}"}) + "\n" for n in range(5))
    (path / "corpus.jsonl").write_text(documents)
    queries = "".join(json.dumps({"_id": f"q{n}", "text": f"t {n}"}) + "\n" for n in range(1, 4))
    (path / "queries.jsonl").write_text(queries)
    for name, text in qrels.items():
        (path / "qrels" / name).write_text(text)
    return path


@pytest.mark.parametrize("change", ["cut", "grown", "broken"])
def test_a_corpus_that_changes_while_it_is_read_is_refused(tmp_path: Path, change: str) -> None:
    source = folder(tmp_path / "b", {"test.tsv": "q1\td1\t1\n"})
    collection = beir.read(source)
    corpus = source / "corpus.jsonl"
    text = corpus.read_text()
    lines = text.splitlines(keepends=True)
    more = json.dumps({"_id": "d9", "text": "t"}) + "\n"
    changed = {"cut": lines[0], "grown": text + more, "broken": lines[0] + "{\n" + lines[2]}
    corpus.write_text(changed[change])
    with pytest.raises(InputError, match=r"corpus\.jsonl: changed while it was read"):
        list(collection.documents)


def test_what_is_passed_over_is_told(tmp_path: Path) -> None:
    source = folder(tmp_path / "b", {"test.csv": "q1,d1,1\n"})
    (source / "runs").mkdir()
    (source / "corpus.jsonl.gz").write_bytes(b"")
    (source / ".hidden").write_text("")
    notes = beir.read(source).notes
    assert list(notes) == ["files or folders passed over: 3 (first: corpus.jsonl.gz)"]


def test_qrels_that_are_no_folder_are_told(tmp_path: Path) -> None:
    source = folder(tmp_path / "b", {})
    (source / "qrels").rmdir()
    (source / "qrels").write_text("q1\td1\t1\n")
    assert list(beir.read(source).notes) == ["files or folders passed over: 1 (first: qrels)"]


def test_files_of_one_split_are_one_split(tmp_path: Path) -> None:
    qrels = {"dev.tsv": "q1\td1\t1\n", "dev.txt": "q2\td2\t1\n", "test.tsv": "q3\td3\t1\n"}
    queries = beir.read(folder(tmp_path / "b", qrels)).queries
    assert {query.id: query.split for query in queries} == {"q1": "dev", "q2": "dev", "q3": "test"}


def test_a_forced_export_keeps_what_is_not_ours(tmp_path: Path) -> None:
    out = tmp_path / "out"
    beir.write(COLLECTION, out)
    beir.write(COLLECTION, out, force=True)
    (out / "qrels" / "notes.md").write_text("mine")
    with pytest.raises(InputError, match=r"so it is not replaced: qrels/notes\.md"):
        beir.write(COLLECTION, out, force=True)
    assert (out / "qrels" / "notes.md").read_text() == "mine"


def test_what_a_kill_took_away_comes_back(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    out = tmp_path / "out"
    beir.write(COLLECTION, out)
    out.rename(tmp_path / f".out.old.{ended.pid}.tmp")
    (tmp_path / f".out.{ended.pid}.tmp").mkdir()
    with pytest.raises(InputError, match="exists already"):
        beir.write(COLLECTION, out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]
    assert [query.id for query in beir.read(out).queries] == ["q1"]
