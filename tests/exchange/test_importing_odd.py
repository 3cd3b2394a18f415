"""Imports of empty, textless and oddly named things, and onto disks that are full."""

from __future__ import annotations

import datetime as dt
import json
import os
import resource
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.core.errors import DatasetError
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.exchange.exporting import export_dataset
from judge.exchange.importing import import_dataset

Source = Callable[[Mapping[str, str | None]], Path]
Tree = Callable[[Path], dict[str, str]]


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_folder_that_holds_nothing_is_refused_alike(
    workspace: Workspace, tmp_path: Path, now: dt.datetime, dry_run: bool
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / "qrels.trec").write_text("")
    with pytest.raises(DatasetError) as caught:
        import_dataset(workspace, folder, name="set", now=now, dry_run=dry_run)
    assert str(caught.value) == f"{folder}: there are no documents in it"
    assert not workspace.root.exists()


@pytest.mark.parametrize("dry_run", [True, False])
def test_whether_there_is_anything_to_judge(
    workspace: Workspace, source: Source, tmp_path: Path, now: dt.datetime, dry_run: bool
) -> None:
    def judgeable(path: Path, name: str) -> bool:
        report = import_dataset(workspace, path, name=name, now=now, dry_run=dry_run)
        return report.can_be_judged

    assert judgeable(source({}), "texts")
    (tmp_path / "qrels.trec").write_text("q1 0 d1 1\n")
    assert not judgeable(tmp_path / "qrels.trec", "ids")


def test_names_of_files_that_are_no_text(
    workspace: Workspace, tmp_path: Path, now: dt.datetime
) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    (folder / "runs").mkdir(parents=True)
    (folder / os.fsdecode(b"qrels.\xe9.txt")).write_text("q1 0 d1 1\n")
    (folder / "runs" / os.fsdecode(b"r\xe9.trec")).write_text("q1 Q0 d1 1 0.5 t\n")
    import_dataset(workspace, folder, name="set", now=now)
    opened = Dataset.open(workspace, "set")
    files = opened.manifest.made_by["import"]["files"]
    assert [file["name"] for file in files] == ["qrels.\\xe9.txt", "runs/r\\xe9.trec"]
    assert opened.run_names() == ["r-xe9"]
    for name in ("judge", "trec", "csv", "parquet"):
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/out\xe9." + name.encode()))
        export_dataset(opened, name, path)
        assert path.exists()


def test_splits_named_by_files_that_are_no_text(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    folder = source({"qrels.txt": None})
    (folder / "qrels").mkdir()
    (folder / "qrels" / os.fsdecode(b"d\xe9v.tsv")).write_text("q1\td1\t1\n")
    (folder / "qrels" / "test.tsv").write_text("q2\td1\t1\n")
    import_dataset(workspace, folder, name="set", now=now)
    splits = [query.split for query in Dataset.open(workspace, "set").queries]
    assert splits == ["d\\xe9v", "test"]


def test_a_full_disk_is_told_by_the_name_that_the_user_gave(
    workspace: Workspace, source: Source, tmp_path: Path, now: dt.datetime, tree: Tree
) -> None:
    lines = (json.dumps({"_id": f"d{i}", "text": os.urandom(40).hex()}) for i in range(500))
    corpus = "".join(line + "\n" for line in lines)
    big = source({"corpus.jsonl": corpus, "qrels.txt": "q1 0 d1 1\n"})
    import_dataset(workspace, big, name="set", now=now)
    opened = Dataset.open(workspace, "set")
    before = tree(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    told = {}
    resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large") as caught:
            import_dataset(workspace, big, name="other", now=now)
        for name in ("beir", "judge", "relevant-ids"):
            with pytest.raises(OSError, match="File too large") as refused:
                export_dataset(opened, name, tmp_path / f"out.{name}")
            told[name] = refused.value.filename
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.filename == str(workspace.corpora / "other" / "documents.parquet")
    assert told["judge"] == str(tmp_path / "out.judge")
    assert told["relevant-ids"] == str(tmp_path / "out.relevant-ids")
    assert told["beir"] == str(tmp_path / "out.beir")
    assert tree(tmp_path) == before


def test_deep_metadata_is_refused_before_it_cannot_be_taken_back(
    workspace: Workspace, source: Source, tmp_path: Path, now: dt.datetime
) -> None:
    def corpus(levels: int, key: str) -> str:
        nest = '{"a":' * levels + "1" + "}" * levels
        return f'{{"_id":"d1","text":"x","{key}":{nest}}}\n'

    only = {"qrels.txt": "q1 0 d1 1\n"}
    for levels, key in ((91, "metadata"), (90, "other")):
        with pytest.raises(DatasetError, match=rf"corpus\.jsonl:1: {key}: nested deeper than 90"):
            import_dataset(
                workspace, source({**only, "corpus.jsonl": corpus(levels, key)}), name="no", now=now
            )
    for levels, key in ((90, "metadata"), (89, "other")):
        path = source({**only, "corpus.jsonl": corpus(levels, key)})
        import_dataset(workspace, path, name=key, now=now)
        first = Dataset.open(workspace, key)
        for name in ("judge", "relevant-ids", "expected-results", "beir"):
            out = tmp_path / f"{key}.{name}"
            export_dataset(first, name, out)
            import_dataset(workspace, out, name=f"{key}-{name}", now=now)
            again = Dataset.open(workspace, f"{key}-{name}")
            assert next(again.documents()).metadata == next(first.documents()).metadata
