"""The saving thread: strict order, every end told, and no save without the one before it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from judge.core.model import Event
from judge.judging.labels import Saver
from judge.judging.labels.saver import NOT_TRIED, Saved

Make = Callable[..., Event]
LONG = 30.0


class Disk:
    """Takes events when it is let; refuses those named."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.refused: dict[str, Exception] = {}
        self.gate = threading.Event()
        self.gate.set()
        self.reached = threading.Event()
        self.closed = False

    def append(self, event: Event) -> None:
        self.reached.set()
        assert self.gate.wait(LONG)
        if event.event_id in self.refused:
            raise self.refused[event.event_id]
        self.kept.append(event.event_id)

    def close(self) -> None:
        self.closed = True


def test_all_are_saved_in_order_and_told(event: Make) -> None:
    disk, told = Disk(), list[Saved]()
    saver = Saver(disk, told.append)
    events = [event() for _ in range(200)]
    for made in events:
        saver.submit(made)
    assert saver.wait(LONG)
    saver.close()
    assert disk.kept == [e.event_id for e in events]
    assert told == [Saved(e, None) for e in events]


def test_submit_does_not_wait(event: Make) -> None:
    disk, told = Disk(), list[Saved]()
    disk.gate.clear()
    saver = Saver(disk, told.append)
    saver.submit(event())
    assert not saver.wait(0)
    assert told == []
    disk.gate.set()
    assert saver.wait(LONG)
    assert len(told) == 1
    saver.close()


def test_close_finishes_what_is_queued(event: Make) -> None:
    disk, told = Disk(), list[Saved]()
    disk.gate.clear()
    saver = Saver(disk, told.append)
    for _ in range(3):
        saver.submit(event())
    disk.gate.set()
    saver.close()
    assert disk.kept == ["e0", "e1", "e2"]
    assert disk.closed
    saver.close()
    with pytest.raises(ValueError, match="closed"):
        saver.submit(event())


def test_what_waits_behind_a_failure_is_not_tried(event: Make) -> None:
    disk, told = Disk(), list[Saved]()
    disk.gate.clear()
    disk.refused["e1"] = OSError(28, "No space left on device")
    saver = Saver(disk, told.append)
    for _ in range(4):
        saver.submit(event())
    disk.gate.set()
    assert saver.wait(LONG)
    assert disk.kept == ["e0"]
    assert [(s.event.event_id, s.reason) for s in told] == [
        ("e0", None),
        ("e1", "No space left on device"),
        ("e2", NOT_TRIED),
        ("e3", NOT_TRIED),
    ]
    saver.submit(event())
    assert saver.wait(LONG)
    assert disk.kept == ["e0", "e4"]
    saver.close()


def test_a_save_submitted_on_hearing_of_a_failure_is_tried(event: Make) -> None:
    disk, told = Disk(), list[Saved]()
    disk.refused["e0"] = OSError(28, "No space left on device")
    first, second = event(), event()

    def again(saved: Saved) -> None:
        told.append(saved)
        if saved.reason:
            saver.submit(second)

    saver = Saver(disk, again)
    saver.submit(first)
    assert saver.wait(LONG)
    assert disk.kept == ["e1"]
    assert [s.reason for s in told] == ["No space left on device", None]
    saver.close()


def test_any_other_failure_is_told_too(event: Make) -> None:
    disk, told = Disk(), list[Saved]()
    disk.refused["e0"] = ValueError("does not fit")
    saver = Saver(disk, told.append)
    saver.submit(event())
    assert saver.wait(LONG)
    assert told[0].reason == "ValueError: does not fit"
    saver.submit(event())
    saver.close()
    assert disk.kept == ["e1"]
