"""Workspaces, folders to import, and what a folder holds."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.core.model import Event, Op, Source
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.exchange.importing import import_dataset
from judge.judging.labels import SegmentWriter

NOW = dt.datetime(2025, 3, 1, 9, 5, tzinfo=dt.UTC)

FILES = {
    "corpus.jsonl": '{"_id":"d1","text":"one"}\n{"_id":"d2","text":"two"}\n'
    '{"_id":"d3","title":"Three","text":"three"}\n',
    "queries.jsonl": '{"_id":"q1","text":"first"}\n{"_id":"q2","text":"second"}\n',
    "qrels.txt": "q1 0 d1 3\nq1 0 d2 0\nq2 0 d3 2\n",
}


@pytest.fixture
def now() -> dt.datetime:
    """The moment of every import in these tests."""
    return NOW


@pytest.fixture
def source(tmp_path: Path) -> Callable[[Mapping[str, str | None]], Path]:
    """Makes a BEIR folder of three documents and two queries, with some files replaced."""

    def make(files: Mapping[str, str | None]) -> Path:
        folder = tmp_path / "source"
        folder.mkdir(exist_ok=True)
        for name, content in {**FILES, **files}.items():
            if content is not None:
                (folder / name).write_bytes(content.encode())
        return folder

    return make


@pytest.fixture
def tree() -> Callable[[Path], dict[str, str]]:
    """Every file and folder below a path, with the hash of each file; caches are left out."""

    def look(folder: Path) -> dict[str, str]:
        if folder.is_file():
            return {"": hashlib.sha256(folder.read_bytes()).hexdigest()}
        return {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            if path.is_file()
            else "folder"
            for path in sorted(folder.rglob("*"))
            if ".cache" not in path.parts
        }

    return look


@pytest.fixture
def dataset(
    workspace: Workspace, source: Callable[[Mapping[str, str | None]], Path], now: dt.datetime
) -> Dataset:
    """A dataset without judgments, on the scale 0-3."""
    import_dataset(workspace, source({"qrels.txt": None}), name="set", now=now)
    return Dataset.open(workspace, "set")


Record = Callable[..., None]


@pytest.fixture
def record(workspace: Workspace, now: dt.datetime) -> Record:
    """Records one session of an annotator on the dataset `set`, an event a second."""

    def write(
        annotator: str,
        *said: tuple[Op, str, str, int | None],
        source: Source = "human",
        hard_negative: bool = False,
        note: str | None = None,
        reason: str | None = None,
        seconds: float | None = None,
    ) -> None:
        token = hashlib.sha256(repr((annotator, said)).encode()).hexdigest()[:8]
        session = f"20250301T090500Z-{token}"
        writer = SegmentWriter(workspace.label_folder("set") / annotator, "set", session)
        for seq, (op, query_id, doc_id, grade) in enumerate(said):
            event = Event(
                event_id=f"{session}-{seq}",
                session=session,
                seq=seq,
                at=now + dt.timedelta(seconds=seq),
                annotator=annotator,
                source=source,
                op=op,
                query_id=query_id,
                doc_id=doc_id,
                grade=grade,
                hard_negative=hard_negative,
                note=note,
                reason=reason,
                seconds=seconds,
            )
            writer.append(event)
        writer.close()

    return write
