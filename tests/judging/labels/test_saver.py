"""The saving thread: strict order, every end told, and none of it in the thread of the keys."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from judge.core.model import Event
from judge.judging.labels import Saver

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

    def append(self, *events: Event) -> None:
        self.reached.set()
        assert self.gate.wait(LONG)
        for event in events:
            if event.event_id in self.refused:
                raise self.refused[event.event_id]
        self.kept += [event.event_id for event in events]

    def close(self) -> None:
        self.closed = True


def nothing() -> None:
    """Hears of the end of a save, and does not care."""


def test_all_are_saved_in_order_and_told(event: Make) -> None:
    disk, told = Disk(), list[int]()
    saver = Saver(disk)
    events = [event() for _ in range(200)]
    savings = [saver.submit(made, lambda: told.append(len(disk.kept))) for made in events]
    assert saver.wait(LONG)
    saver.close()
    assert disk.kept == [e.event_id for e in events]
    assert [saving.result(0) for saving in savings] == [None] * 200
    assert told == list(range(1, 201))  # each after its own save, before the next


def test_an_action_of_several_events_is_one_save(event: Make) -> None:
    disk, told = Disk(), list[int]()
    disk.refused["e3"] = OSError(28, "No space left on device")
    saver = Saver(disk)
    first = saver.submit_all([event(), event()], lambda: told.append(len(disk.kept)))
    second = saver.submit_all([event(), event()], lambda: told.append(len(disk.kept)))
    saver.close()
    assert (first.result(0), second.result(0)) == (None, "No space left on device")
    assert disk.kept == ["e0", "e1"]
    assert told == [2, 2]


def test_submit_does_not_wait(event: Make) -> None:
    disk, told = Disk(), list[str]()
    disk.gate.clear()
    saver = Saver(disk)
    assert saver.wait(0)
    saving = saver.submit(event(), lambda: told.append(threading.current_thread().name))
    assert not saver.wait(0)
    assert (saving.done(), told) == (False, [])
    disk.gate.set()
    assert saver.wait(LONG)
    assert saving.done()
    assert told == ["judge-saver_0"]
    saver.close()


def test_who_is_told_finds_the_save_ended(event: Make) -> None:
    saver, found = Saver(Disk()), list[str | None]()
    disk = threading.Event()

    def ended() -> None:
        assert disk.wait(LONG)
        found.append(saving.result(0))

    saving = saver.submit(event(), ended)
    disk.set()
    assert saver.wait(LONG)
    assert found == [None]
    saver.close()


def test_close_finishes_what_is_queued(event: Make) -> None:
    disk = Disk()
    disk.gate.clear()
    saver = Saver(disk)
    for _ in range(3):
        saver.submit(event(), nothing)
    disk.gate.set()
    saver.close()
    assert disk.kept == ["e0", "e1", "e2"]
    assert disk.closed
    saver.close()
    with pytest.raises(RuntimeError, match="shutdown"):
        saver.submit(event(), nothing)


def test_a_failure_gives_its_reason_and_the_next_is_tried(event: Make) -> None:
    disk = Disk()
    disk.refused["e0"] = OSError(28, "No space left on device")
    disk.refused["e1"] = OSError("no number")
    disk.refused["e2"] = ValueError("does not fit")
    saver = Saver(disk)
    savings = [saver.submit(event(), nothing) for _ in range(4)]
    assert saver.wait(LONG)
    assert [saving.result(0) for saving in savings] == [
        "No space left on device",
        "no number",
        "ValueError: does not fit",
        None,
    ]
    assert disk.kept == ["e3"]
    saver.close()


def test_who_fails_on_being_told_does_not_end_the_saving(event: Make) -> None:
    disk = Disk()
    saver = Saver(disk)

    def broken() -> None:
        raise RuntimeError("the screen is gone")

    saver.submit(event(), broken)
    assert saver.wait(LONG)
    saver.submit(event(), nothing)
    saver.close()
    assert disk.kept == ["e0", "e1"]
