"""Datasets whose files were changed, and disks that are full, foreign or only to be read."""

from __future__ import annotations

import json
import os
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge.core import arrow
from judge.core.errors import FormatError
from judge.core.files import sha256
from judge.core.model import Document, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset import stamps
from judge.dataset.build import stage
from judge.dataset.columns import DOCUMENTS, QUERIES, record_columns
from judge.dataset.store import Dataset
from judge.engines.bm25 import Bm25

DOCUMENTS_MADE = [Document(id=f"d{i}", text=f"text number {i} " * 20) for i in range(500)]


@pytest.fixture
def dataset(workspace: Workspace) -> Dataset:
    """Five hundred documents and a query."""
    with stage(workspace, "set") as staging:
        staging.write_documents(DOCUMENTS_MADE)
        staging.write_queries([Query(id="q1", text="number 7")])
        staging.publish(scale=Scale())
    return Dataset.open(workspace, "set")


def again(dataset: Dataset) -> Dataset:
    return Dataset.open(dataset.workspace, dataset.name)


def rewrite(dataset: Dataset, text: str) -> None:
    queries = record_columns(QUERIES, [Query(id="q1", text=text)])
    arrow.write(dataset.folder / "queries.parquet", QUERIES, queries)


def test_files_that_were_changed_are_named(dataset: Dataset) -> None:
    assert dataset.warnings() == ()
    rewrite(dataset, "another question")
    path = dataset.folder / "queries.parquet"
    changed = "changed since the dataset was made (its SHA-256 is not that of dataset.json)"
    assert dataset.warnings() == (f"{path}: {changed}",)
    rewrite(dataset, "number 7")
    assert dataset.warnings() == ()
    path.unlink()
    assert dataset.warnings() == (f"{path}: no such file",)


def test_a_manifest_without_hashes_says_nothing(dataset: Dataset) -> None:
    path = dataset.folder / "dataset.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "sha256": {}}))
    rewrite(dataset, "another question")
    assert again(dataset).warnings() == ()


def test_a_file_is_hashed_only_when_it_was_touched(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []

    def watched(path: Path) -> str:
        hashed.append(path.name)
        return sha256(path)

    monkeypatch.setattr(stamps, "sha256", watched)
    assert (dataset.warnings(), again(dataset).warnings()) == ((), ())
    assert hashed == []
    os.utime(dataset.folder / "documents.parquet", (1, 1))
    for _ in range(2):
        assert again(dataset).warnings() == ()
    assert hashed == ["documents.parquet"]
    (dataset.cache / "documents-sha.json").write_text("[1]")
    assert again(dataset).warnings() == ()
    assert hashed == ["documents.parquet"] * 2


@pytest.mark.parametrize("metadata", ["{", "[1]", "7", "[" * 100_000])
def test_metadata_that_is_no_object_is_named(dataset: Dataset, metadata: str) -> None:
    columns = record_columns(DOCUMENTS, DOCUMENTS_MADE[:1]) | {"metadata": [metadata]}
    path = dataset.folder / "documents.parquet"
    arrow.write(path, DOCUMENTS, columns)
    said = f"{path}: metadata: holds a text that is no JSON object"
    opened = again(dataset)
    for ask in (lambda: list(opened.documents()), lambda: opened.document("d0")):
        with pytest.raises(FormatError) as caught:
            ask()
        assert str(caught.value) == said


def test_columns_of_another_make_are_refused_wherever_they_are_read(dataset: Dataset) -> None:
    later = arrow.Schema("judge.documents/2", DOCUMENTS.columns)
    columns = record_columns(DOCUMENTS, DOCUMENTS_MADE[:1])
    arrow.write(dataset.folder / "documents.parquet", later, columns)
    opened = again(dataset)
    ways: list[Callable[[], object]] = [
        lambda: list(opened.documents()),
        lambda: opened.document("d0"),
        opened.parents,
    ]
    for ask in ways:
        with pytest.raises(
            FormatError, match=r"documents\.parquet: its schema is judge\.documents/2"
        ):
            ask()


def index_file(dataset: Dataset) -> Path:
    [path] = dataset.cache.glob("documents-*.sqlite")
    return path


def test_an_index_that_is_a_folder_is_made_anew(dataset: Dataset) -> None:
    path = index_file(dataset)
    path.unlink()
    (path / "inside").mkdir(parents=True)
    assert again(dataset).document("d7") == DOCUMENTS_MADE[7]
    assert path.is_file()


@pytest.mark.parametrize("content", [b"", b"no index", b"SQLite format 3\0" + b"\xff" * 5000])
def test_an_index_that_is_none_is_made_anew(dataset: Dataset, content: bytes) -> None:
    index_file(dataset).write_bytes(content)
    assert again(dataset).document("d7") == DOCUMENTS_MADE[7]


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file may grow beyond a size, which fails as a full disk does."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_an_index_that_the_disk_has_no_room_for_is_named_and_gone(dataset: Dataset) -> None:
    path = index_file(dataset)
    path.unlink()
    before = files(dataset.folder)
    with full_disk(20_000), pytest.raises(OSError, match=r"disk|full|large") as caught:
        again(dataset).document("d7")
    assert caught.value.filename == str(path)
    assert files(dataset.folder) == before
    assert again(dataset).document("d7") == DOCUMENTS_MADE[7]


def test_a_dataset_that_the_disk_has_no_room_for_is_named_and_gone(workspace: Workspace) -> None:
    def build() -> None:
        with stage(workspace, "set") as staging:
            staging.write_documents(DOCUMENTS_MADE)
            staging.write_queries([Query(id="q1", text="x")])
            staging.publish(scale=Scale())

    with full_disk(20_000), pytest.raises(OSError, match=r"disk|full|large") as caught:
        build()
    name = Path(caught.value.filename)
    assert (name.parent, name.name[:10]) == (workspace.corpora / "set" / ".cache", "documents-")
    assert not workspace.corpora.exists()


@pytest.fixture
def locked_away(dataset: Dataset) -> Iterator[Dataset]:
    """The same dataset without its cache, where nothing may be written, not even by root."""
    home = Path(tempfile.mkdtemp(prefix="judge-test-"))
    shutil.copytree(dataset.folder, home / "corpora" / "set", ignore=lambda *_: [".cache"])
    me = os.geteuid()
    Bm25.open("", dataset)  # loads what of Python itself may be root's alone
    for path in (home, *home.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if me == 0:
        os.seteuid(65534)
    yield Dataset.open(Workspace(home), "set")
    if me == 0:
        os.seteuid(0)
    for path in (home, *home.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(home)


def test_what_may_only_be_read_is_read(locked_away: Dataset) -> None:
    with pytest.raises(PermissionError):
        (locked_away.folder / "x").write_text("x")
    before = files(locked_away.folder)
    assert locked_away.warnings() == ()
    assert locked_away.document("d7") == DOCUMENTS_MADE[7]
    hits = Bm25.open("", locked_away).search(Query(id="q", text="499"), 3)
    assert [hit.doc_id for hit in hits] == ["d499"]
    assert files(locked_away.folder) == before
