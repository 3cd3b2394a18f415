"""The index of bm25 on disk: when it is used again, when it is made anew."""

from __future__ import annotations

import resource
import shutil
from typing import TYPE_CHECKING

import pytest

from judge.core.errors import DatasetError, EngineError, Problem
from judge.core.model import Document, Query
from judge.dataset.store import Dataset
from judge.engines import bm25
from judge.engines.bm25 import Bm25
from judge.engines.registry import open_engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from judge.core.workspace import Workspace
    from tests.engines.conftest import MakeDataset

RIVER = [Document(id="a", text="a river"), Document(id="b", text="a bridge")]


class Calls(list[tuple[int, int]]):
    """What a progress callback was told."""

    def __call__(self, done: int, total: int) -> None:
        self.append((done, total))


def found(dataset: Dataset, text: str) -> list[str]:
    hits = open_engine("bm25", dataset).search(Query(id="q", text=text), 10)
    return [hit.doc_id for hit in hits]


def indexes(dataset: Dataset) -> list[str]:
    folder = dataset.cache / "engines"
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


def test_an_index_is_used_again(make_dataset: MakeDataset) -> None:
    dataset, first, second = make_dataset(RIVER), Calls(), Calls()
    open_engine("bm25", dataset, first)
    open_engine("bm25", dataset, second)
    assert first == [(2, 2)]
    assert second == []
    assert len(indexes(dataset)) == 1


def test_progress_comes_in_steps_and_ends_full(
    make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bm25, "STEP", 2)
    calls = Calls()
    documents = [Document(id=str(number), text="x") for number in range(5)]
    open_engine("bm25", make_dataset(documents), calls)
    assert calls == [(2, 5), (4, 5), (5, 5)]


def test_changed_documents_are_indexed_anew(
    make_dataset: MakeDataset, workspace: Workspace
) -> None:
    dataset = make_dataset(RIVER)
    other = make_dataset([Document(id="c", text="a river too")], "other")
    assert found(dataset, "river") == ["a"]
    before = indexes(dataset)
    shutil.copyfile(other.folder / "documents.parquet", dataset.folder / "documents.parquet")
    dataset = Dataset.open(workspace, "small")
    assert found(dataset, "river") == ["c"]
    assert len(indexes(dataset)) == 1
    assert indexes(dataset) != before


def test_a_changed_analyser_indexes_anew(
    make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make_dataset(RIVER)
    found(dataset, "river")
    before = indexes(dataset)
    monkeypatch.setattr(bm25, "analyser_state", lambda: "another")
    monkeypatch.setattr(bm25, "words", lambda text: [text[-3:]])
    assert found(dataset, "ver") == ["a"]
    assert len(indexes(dataset)) == 1
    assert indexes(dataset) != before


def test_the_state_of_the_analyser_follows_its_source() -> None:
    assert bm25.analyser_state() == bm25.analyser_state()
    assert len(bm25.analyser_state()) == 16


def test_whatever_file_is_damaged_the_answer_stands(
    make_dataset: MakeDataset, tmp_path: Path
) -> None:
    dataset = make_dataset(RIVER)
    folder = Bm25.open("", dataset).folder
    count = len(list(folder.iterdir()))
    for number in range(count):  # the names are new after each build, their order is not
        target = sorted(folder.iterdir(), key=lambda path: (path.suffix, path.name))[number]
        damaged = tmp_path / "damaged"
        damaged.write_bytes(target.read_bytes()[: target.stat().st_size // 2])
        # A new file under the old name, as damage is met on opening. To shorten the old one in
        # place would pull it from under the maps of the engines above: SIGBUS, no Python error.
        damaged.replace(target)
        assert found(dataset, "river") == ["a"]
    assert indexes(dataset) == [folder.name]


def test_an_index_that_tantivy_refuses_is_made_anew(
    make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make_dataset(RIVER)
    true_build, builds = bm25._build, []

    def bad_once(folder: Path, documents: Iterator[Document]) -> None:
        builds.append(folder)
        if len(builds) > 1:
            true_build(folder, documents)
        else:
            (folder / "meta.json").write_text("{}")

    monkeypatch.setattr(bm25, "_build", bad_once)
    assert found(dataset, "river") == ["a"]
    assert len(builds) == 2


def test_an_index_that_is_refused_twice_is_an_error_in_words(
    make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad(folder: Path, documents: Iterator[Document]) -> None:
        (folder / "meta.json").write_text("{}")

    monkeypatch.setattr(bm25, "_build", bad)
    with pytest.raises(EngineError, match="engine bm25 cannot open its index"):
        open_engine("bm25", make_dataset(RIVER))


def test_an_error_of_the_dataset_goes_through_and_leaves_nothing(
    make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make_dataset(RIVER)

    def broken(_: Dataset) -> Iterator[Document]:
        yield RIVER[0]
        raise DatasetError(Problem("the second document is broken"))

    monkeypatch.setattr(Dataset, "documents", broken)
    with pytest.raises(DatasetError, match="the second document is broken"):
        open_engine("bm25", dataset)
    assert indexes(dataset) == []


def test_an_open_index_outlives_its_deletion(make_dataset: MakeDataset) -> None:
    dataset = make_dataset(RIVER)
    engine = Bm25.open("", dataset)
    shutil.rmtree(dataset.cache)
    assert [hit.doc_id for hit in engine.search(Query(id="q", text="river"), 5)] == ["a"]
    assert found(dataset, "bridge") == ["b"]


class PanicException(BaseException):
    """Named like what pyo3 raises when Rust code panics."""


def test_a_panic_is_an_error_in_words() -> None:
    with (
        pytest.raises(EngineError, match="engine bm25 fell over: assertion failed"),
        bm25._faults_named("fell over"),
    ):
        raise PanicException("assertion failed")
    with pytest.raises(KeyboardInterrupt), bm25._faults_named("fell over"):
        raise KeyboardInterrupt


def test_an_index_that_the_disk_has_no_room_for_is_named_and_gone(
    make_dataset: MakeDataset,
) -> None:
    many = [Document(id=str(i), text=f"river {i} " * 50) for i in range(300)]
    dataset = make_dataset(many)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, limits[1]))
    try:
        with pytest.raises(EngineError, match="File too large") as caught:
            found(dataset, "river")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    folder = dataset.cache / "engines" / "bm25-"
    assert str(caught.value).startswith(f"engine bm25 cannot build its index {folder}")
    assert indexes(dataset) == []
    assert len(found(dataset, "river")) == 10
