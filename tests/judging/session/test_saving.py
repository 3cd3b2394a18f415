"""Keys against screen and disk: what is dropped, what is told, and what a failure leaves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.core.model import Event
from judge.dataset.store import Dataset
from judge.judging.labels import SegmentWriter, read_labels
from judge.judging.session import Outcome, SaveState, Session

Begin = Callable[..., Session]
Press = Callable[..., Any]
LONG = 30.0

UNPAINTED = Outcome(False, "key ignored: the next document was not on screen yet")
STALE = Outcome(False, "key ignored: it was meant for the card before")
UNSAVED = Outcome(False, "key ignored: the last judgment is still being saved")


class Disk:
    """The real writer behind a gate; refuses while `reason` is set."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.reason: OSError | None = None
        self._writer: SegmentWriter | None = None

    def __call__(self, folder: Path, dataset: str, session: str) -> Disk:
        self._writer = SegmentWriter(folder, dataset, session)
        return self

    def append(self, *events: Event) -> None:
        assert self.gate.wait(LONG)
        if self.reason is not None:
            raise self.reason
        assert self._writer is not None
        self._writer.append(*events)

    def close(self) -> None:
        assert self._writer is not None
        self._writer.close()


@pytest.fixture
def disk() -> Iterator[Disk]:
    """Open at the end, so that sessions can close."""
    made = Disk()
    yield made
    made.gate.set()


def token(session: Session) -> int:
    assert session.card is not None
    return session.card.token


def stored(dataset: Dataset) -> list[tuple[str, int | None]]:
    labels = read_labels(dataset.workspace.label_folder("demo"), "demo")
    assert labels.warnings == ()
    return [(event.doc_id, event.grade) for event in labels.events]


def test_a_card_must_be_on_screen(dataset: Dataset, begin: Begin) -> None:
    session = begin()
    assert session.grade(token(session), 1) == UNPAINTED
    session.painted(token(session) - 1)
    assert session.grade(token(session), 1) == UNPAINTED
    session.painted(token(session))
    assert session.grade(token(session), 1).accepted
    assert session.wait(LONG)
    assert stored(dataset) == [("d1", 1)]


def test_every_key_that_judges_needs_the_card_of_its_token(begin: Begin) -> None:
    session = begin()
    now = token(session)
    session.painted(now)
    session.next()
    for key, *given in (
        ("grade", 1),
        ("hard_negative",),
        ("skip",),
        ("cannot_judge", "l"),
        ("flag",),
        ("note", "n"),
        ("clear",),
    ):
        assert getattr(session, key)(now, *given) == STALE
        assert getattr(session, key)(token(session), *given) == UNPAINTED


def test_a_burst_of_one_key_is_one_judgment(dataset: Dataset, begin: Begin) -> None:
    session = begin()
    session.painted(token(session))
    outcomes = [session.grade(token(session), 3) for _ in range(50)]
    assert [o.accepted for o in outcomes] == [True] + [False] * 49
    assert set(outcomes[1:]) == {UNPAINTED}
    assert session.wait(LONG)
    assert stored(dataset) == [("d1", 3)]


def test_nothing_is_judged_while_a_save_is_under_way(
    dataset: Dataset, begin: Begin, disk: Disk
) -> None:
    session = begin(writer=disk)
    disk.gate.clear()
    session.painted(token(session))
    assert session.save_state == SaveState("saved")
    assert session.grade(token(session), 3).moved
    assert session.save_state == SaveState("saving")
    session.painted(token(session))
    assert session.grade(token(session), 2) == UNSAVED
    assert session.undo() == session.redo() == UNSAVED
    assert not session.wait(0)
    assert session.next().accepted  # looking about is free
    assert session.save_state == SaveState("saving")
    assert session.settle() == Outcome(True)
    assert session.save_state == SaveState("saving")
    disk.gate.set()
    assert session.wait(LONG)
    assert session.save_state == SaveState("saving")  # until the screen's thread hears of it
    assert session.settle() == Outcome(True)
    assert session.save_state == SaveState("saved")
    assert stored(dataset) == [("d1", 3)]


def test_a_key_hears_of_the_end_of_a_save_by_itself(begin: Begin) -> None:
    session = begin()
    session.painted(token(session))
    session.grade(token(session), 3)
    assert session.wait(LONG)
    session.painted(token(session))
    assert session.grade(token(session), 3).accepted


def test_tokens_grow_by_one_with_every_card(begin: Begin, press: Press) -> None:
    session = begin()
    first = token(session)
    press(session, "grade", 1)
    assert token(session) == first + 1
    press(session, "flag")
    assert token(session) == first + 1  # the same card
    press(session, "undo")
    assert token(session) == first + 2  # shown anew
    session.previous()
    assert token(session) == first + 3
    session.previous()
    assert token(session) == first + 3  # nothing before it


def test_subscribers_hear_of_every_end_in_the_saving_thread(begin: Begin) -> None:
    session = begin()
    heard: list[str] = []

    def broken() -> None:
        raise RuntimeError("the screen is gone")

    session.subscribe(broken)
    session.subscribe(lambda: heard.append(threading.current_thread().name))
    for _ in range(2):
        session.painted(token(session))
        session.grade(token(session), 1)
        assert session.wait(LONG)
    assert heard == ["judge-saver_0", "judge-saver_0"]


def test_a_failed_save_brings_the_card_back(
    dataset: Dataset, begin: Begin, press: Press, disk: Disk
) -> None:
    session = begin(writer=disk)
    press(session, "grade", 2)
    disk.reason = OSError(28, "No space left on device")
    session.painted(token(session))
    before = token(session)
    assert session.grade(before, 3).accepted
    assert session.progress().done == 2
    assert not session.wait(LONG)
    outcome = session.settle()
    where = dataset.workspace.label_folder("demo") / "ann"
    assert outcome == Outcome(
        False,
        "NOT SAVED: grade 3 on d2 (query q1): No space left on device; "
        f"see to {where}, then do it again",
        moved=True,
    )
    card = session.card
    assert card is not None
    assert (card.document.id, card.state.kind, card.token) == ("d2", "unjudged", before + 2)
    assert session.save_state == SaveState("failed", "No space left on device")
    assert session.progress().done == 1
    assert session.grade(card.token, 3) == UNPAINTED
    disk.reason = None
    assert press(session, "grade", 3).accepted
    assert session.save_state == SaveState("saved")
    assert stored(dataset) == [("d1", 2), ("d2", 3)]


def test_a_key_after_a_failure_hears_of_it_first(begin: Begin, disk: Disk) -> None:
    session = begin(writer=disk)
    disk.reason = OSError(28, "No space left on device")
    session.painted(token(session))
    session.grade(token(session), 3)
    assert not session.wait(LONG)
    session.painted(token(session))
    outcome = session.grade(token(session), 1)  # for d2, but d1 is not saved
    assert not outcome.accepted
    assert outcome.moved
    assert outcome.message.startswith("NOT SAVED: grade 3 on d1 (query q1)")
    assert session.card is not None
    assert session.card.document.id == "d1"
    assert session.settle() == outcome  # for the screen, which draws on it
    assert session.settle() == Outcome(True)


def test_a_failure_brings_back_from_wherever_one_went(begin: Begin, disk: Disk) -> None:
    session = begin(writer=disk)
    disk.gate.clear()
    disk.reason = OSError(30, "Read-only file system")
    session.painted(token(session))
    session.grade(token(session), 3)
    session.go("q3")
    disk.gate.set()
    assert not session.wait(LONG)
    assert session.settle().moved
    assert session.card is not None
    assert (session.card.query.id, session.card.document.id) == ("q1", "d1")


@pytest.mark.parametrize("key", ["undo", "redo"])
def test_a_failed_undo_or_redo_changes_nothing(
    dataset: Dataset, begin: Begin, press: Press, disk: Disk, key: str
) -> None:
    session = begin(writer=disk)
    for grade in (1, 2):
        press(session, "grade", grade)
    if key == "redo":
        press(session, "undo")
    done = session.progress().done
    before = len(stored(dataset))
    disk.reason = OSError(5, "Input/output error")
    assert getattr(session, key)().accepted
    assert not session.wait(LONG)
    assert f"NOT SAVED: {key} on d2 (query q1): Input/output error" in session.settle().message
    assert session.progress().done == done
    assert len(stored(dataset)) == before
    disk.reason = None
    assert press(session, key).accepted
    assert session.progress().done == (1 if key == "undo" else 2)


def test_a_failed_action_gives_redo_back(begin: Begin, press: Press, disk: Disk) -> None:
    session = begin(writer=disk)
    press(session, "grade", 3)
    press(session, "undo")
    disk.reason = OSError(5, "Input/output error")
    session.painted(token(session))
    session.grade(token(session), 1)
    assert not session.wait(LONG)
    session.settle()
    disk.reason = None
    assert press(session, "redo").message == "redone: grade 3 on d1 (query q1)"


def test_a_real_refusal_of_the_folder_is_told(dataset: Dataset, begin: Begin, press: Press) -> None:
    folder = dataset.workspace.label_folder("demo") / "ann"
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")
    session = begin()
    session.painted(token(session))
    session.grade(token(session), 3)
    assert not session.wait(LONG)
    assert "Not a directory" in session.settle().message
    folder.unlink()
    press(session, "grade", 3)
    assert stored(dataset) == [("d1", 3)]


def test_no_event_id_is_used_twice_after_a_failure(
    dataset: Dataset, begin: Begin, press: Press, disk: Disk
) -> None:
    session = begin(writer=disk)
    disk.reason = OSError(5, "Input/output error")
    session.painted(token(session))
    session.grade(token(session), 3)
    assert not session.wait(LONG)
    session.settle()
    disk.reason = None
    press(session, "grade", 1)
    labels = read_labels(dataset.workspace.label_folder("demo"), "demo")
    assert [event.seq for event in labels.events] == [1]


def test_close_waits_for_the_save_and_ends_judging(
    dataset: Dataset, begin: Begin, disk: Disk
) -> None:
    session = begin(writer=disk)
    disk.gate.clear()
    session.painted(token(session))
    session.grade(token(session), 3)
    disk.gate.set()
    session.close()
    assert session.save_state == SaveState("saved")
    assert stored(dataset) == [("d1", 3)]
    assert session.undo() == Outcome(False, "key ignored: the session is closed")
    session.close()


def test_two_annotators_with_sessions_of_one_name_lose_nothing(
    dataset: Dataset, begin: Begin, press: Press
) -> None:
    def same(size: int) -> str:
        return "00" * size

    press(begin("ann", token=same), "grade", 1)
    bob = begin("bob", token=same)
    press(bob, "grade", 3)
    press(bob, "skip")
    press(bob, "undo")
    labels = read_labels(dataset.workspace.label_folder("demo"), "demo")
    assert len({event.event_id for event in labels.events}) == 3
    assert len(labels.events) == 4
    grades = {pair.annotator: state.grade for pair, state in labels.states.items()}
    assert grades == {"ann": 1, "bob": 3}


def test_two_sessions_of_one_annotator_at_once_lose_nothing(
    dataset: Dataset, begin: Begin, press: Press
) -> None:
    one, two = begin(), begin()
    press(one, "grade", 1)
    two.go("q2")
    press(two, "grade", 2)
    press(one, "grade", 3)
    assert sorted(stored(dataset)) == [("d1", 1), ("d1", 2), ("d2", 3)]
    assert begin().progress().done == 3
