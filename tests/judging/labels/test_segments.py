"""Segments: what is on disk after each append, and what a refusal leaves."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge.core import arrow, files
from judge.core.model import Event
from judge.judging.labels import SEGMENT_ROWS, SegmentWriter, read_labels

Make = Callable[..., Event]
SESSION = "20250301T090000Z-00000001"
OTHER = "20250301T090000Z-00000002"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where `ann` writes; made by the writer, not by the test."""
    return tmp_path / "labels" / "demo" / "ann"


def rows(folder: Path) -> dict[str, int]:
    return {path.name: arrow.read_metadata(path)[0] for path in sorted(folder.iterdir())}


def stored(folder: Path) -> list[str]:
    labels = read_labels(folder.parent, "demo")
    assert labels.warnings == ()
    return [event.event_id for event in labels.events]


def test_nothing_is_made_before_the_first_append(folder: Path, event: Make) -> None:
    writer = SegmentWriter(folder, "demo", SESSION)
    writer.append_batch([])
    writer.close()
    assert not folder.parent.exists()


def test_an_append_is_in_the_store_when_it_returns(folder: Path, event: Make) -> None:
    writer = SegmentWriter(folder, "demo", SESSION)
    for number in range(5):
        writer.append(event())
        assert stored(folder) == [f"e{n}" for n in range(number + 1)]
    assert rows(folder) == {f"{SESSION}-0000.parquet": 5}


def test_the_metadata_say_what_it_is(folder: Path, event: Make) -> None:
    SegmentWriter(folder, "demo", SESSION).append(event())
    _, metadata = arrow.read_metadata(folder / f"{SESSION}-0000.parquet")
    assert metadata == {
        "schema": "judge.labels/1",
        "dataset": "demo",
        "annotator": "ann",
        "session": SESSION,
    }


def test_full_segments_are_closed_and_never_change(folder: Path, event: Make) -> None:
    writer = SegmentWriter(folder, "demo", SESSION, rows=3)
    for _ in range(3):
        writer.append(event())
    first = folder / f"{SESSION}-0000.parquet"
    closed, changed = first.read_bytes(), first.stat().st_mtime_ns
    for _ in range(4):
        writer.append(event())
    assert list(rows(folder).values()) == [3, 3, 1]
    assert (first.read_bytes(), first.stat().st_mtime_ns) == (closed, changed)


def test_a_segment_holds_256() -> None:
    assert SEGMENT_ROWS == 256


def test_a_batch_is_one_segment_of_its_own(folder: Path, event: Make) -> None:
    writer = SegmentWriter(folder, "demo", SESSION, rows=3)
    writer.append(event())
    writer.append_batch([event() for _ in range(10)])
    writer.append_batch(event() for _ in range(2))
    writer.append(event())
    assert list(rows(folder).values()) == [1, 10, 2, 1]
    assert stored(folder) == [f"e{n}" for n in range(14)]


def test_the_events_of_one_action_share_a_segment(folder: Path, event: Make) -> None:
    writer = SegmentWriter(folder, "demo", SESSION, rows=4)
    for count in (1, 3, 2, 3, 6, 1, 1):
        writer.append(*(event() for _ in range(count)))
    assert list(rows(folder).values()) == [4, 2, 3, 6, 2]
    assert stored(folder) == [f"e{n}" for n in range(17)]


def test_two_writers_of_one_annotator_keep_apart(folder: Path, event: Make) -> None:
    one, two = SegmentWriter(folder, "demo", SESSION), SegmentWriter(folder, "demo", OTHER)
    for _ in range(3):
        one.append(event())
        two.append(event(session=OTHER))
    assert list(rows(folder).values()) == [3, 3]
    assert sorted(stored(folder)) == [f"e{n}" for n in range(6)]


def test_a_session_met_again_never_overwrites(folder: Path, event: Make) -> None:
    SegmentWriter(folder, "demo", SESSION).append(event())
    SegmentWriter(folder, "demo", SESSION).append(event())
    assert rows(folder) == {f"{SESSION}-0000.parquet": 1, f"{SESSION}-0001.parquet": 1}


def test_only_own_leftovers_are_removed(folder: Path, event: Make) -> None:
    folder.mkdir(parents=True)
    own = folder / f".{SESSION}-0000.parquet.77.tmp"
    foreign = folder / f".{OTHER}-0000.parquet.77.tmp"
    for leftover in (own, foreign):
        leftover.write_bytes(b"half")
    SegmentWriter(folder, "demo", SESSION).append(event())
    assert (own.exists(), foreign.exists()) == (False, True)


def test_events_of_others_are_refused(folder: Path, event: Make) -> None:
    writer = SegmentWriter(folder, "demo", SESSION)
    with pytest.raises(ValueError, match="does not belong to ann"):
        writer.append(event(session=OTHER))
    with pytest.raises(ValueError, match="does not belong to ann"):
        writer.append_batch([event(), event(annotator="bob")])
    assert not folder.exists()


def test_new_folders_are_durable_before_the_first_acknowledgement(
    folder: Path, event: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []

    def note(path: Path) -> None:
        synced.append(path)

    monkeypatch.setattr(files, "sync_folder", note)
    monkeypatch.setattr("judge.judging.labels.segments.sync_folder", note)
    writer = SegmentWriter(folder, "demo", SESSION)
    folder.mkdir(parents=True)  # by a process that died before it could sync anything
    writer.append(event())
    assert synced == [*list(folder.parents)[:3], folder]
    synced.clear()
    writer.append(event())
    assert synced == [folder]


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Writes beyond `size` bytes of a file fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_loses_nothing_acknowledged(folder: Path, event: Make) -> None:
    writer = SegmentWriter(folder, "demo", SESSION)
    writer.append(event())
    before = (folder / f"{SESSION}-0000.parquet").read_bytes()
    with largest_file(1000), pytest.raises(OSError, match="File too large"):
        writer.append(event())
    assert [path.name for path in folder.iterdir()] == [f"{SESSION}-0000.parquet"]
    assert (folder / f"{SESSION}-0000.parquet").read_bytes() == before
    writer.append(event())
    assert stored(folder) == ["e0", "e2"]


def test_a_file_where_the_folder_should_be(folder: Path, event: Make) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")
    writer = SegmentWriter(folder, "demo", SESSION)
    with pytest.raises(OSError, match="Not a directory"):
        writer.append(event())
    folder.unlink()
    writer.append(event())
    assert stored(folder) == ["e1"]


def test_a_folder_removed_while_judging_comes_back(folder: Path, event: Make) -> None:
    writer = SegmentWriter(folder, "demo", SESSION)
    writer.append(event())
    (folder / f"{SESSION}-0000.parquet").unlink()
    folder.rmdir()
    writer.append(event())
    assert stored(folder) == ["e0", "e1"]


@pytest.fixture
def failing_once(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Arms one failure of the sync after the rename: the file is new, but not acknowledged."""
    armed: list[bool] = []
    real = files.sync_folder

    def sync(path: Path) -> None:
        if armed:
            armed.clear()
            raise OSError(5, "Input/output error")
        real(path)

    monkeypatch.setattr(files, "sync_folder", sync)
    return lambda: armed.append(True)


def test_the_next_append_takes_back_what_failed_late(
    folder: Path, event: Make, failing_once: Callable[[], None]
) -> None:
    writer = SegmentWriter(folder, "demo", SESSION)
    writer.append(event())
    failing_once()
    with pytest.raises(OSError, match="Input/output error"):
        writer.append(event())
    writer.append(event())
    assert stored(folder) == ["e0", "e2"]


@pytest.mark.parametrize("before", [1, 3])  # in the open segment, and beginning a new one
def test_an_action_that_failed_late_is_taken_back_whole(
    folder: Path, event: Make, failing_once: Callable[[], None], before: int
) -> None:
    writer = SegmentWriter(folder, "demo", SESSION, rows=4)
    writer.append(*(event() for _ in range(before)))
    failing_once()
    with pytest.raises(OSError, match="Input/output error"):
        writer.append(event(), event())
    writer.append(event())
    assert stored(folder) == [*(f"e{n}" for n in range(before)), f"e{before + 2}"]


def test_close_takes_back_what_failed_late(
    folder: Path, event: Make, failing_once: Callable[[], None]
) -> None:
    writer = SegmentWriter(folder, "demo", SESSION)
    writer.append(event())
    failing_once()
    with pytest.raises(OSError, match="Input/output error"):
        writer.append(event())
    assert stored(folder) == ["e0", "e1"]  # in doubt
    writer.close()
    assert stored(folder) == ["e0"]


def test_close_takes_back_a_first_append_that_failed_late(
    folder: Path, event: Make, failing_once: Callable[[], None]
) -> None:
    folder.mkdir(parents=True)
    writer = SegmentWriter(folder, "demo", SESSION)
    failing_once()
    with pytest.raises(OSError, match="Input/output error"):
        writer.append(event())
    writer.close()
    assert stored(folder) == []


def test_a_batch_takes_back_what_failed_late(
    folder: Path, event: Make, failing_once: Callable[[], None]
) -> None:
    writer = SegmentWriter(folder, "demo", SESSION)
    writer.append(event())
    failing_once()
    with pytest.raises(OSError, match="Input/output error"):
        writer.append(event())
    writer.append_batch([event(), event()])
    assert stored(folder) == ["e0", "e2", "e3"]
