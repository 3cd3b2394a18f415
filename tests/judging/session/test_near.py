"""Near-copies of graded documents: which are found, what taking a grade over writes and counts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.core.model import Candidate, Document, Event, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.judging.labels import SegmentWriter, new_session_id, read_labels
from judge.judging.session import Near, Outcome, Session

Press = Callable[..., Any]
Begin = Callable[..., Session]

PUMP = "Shut both valves, drain the pump, replace the seal and bleed the line before the next run."
MOSS = "Moss on a north roof is scraped off by hand; lime water keeps it from coming back at once."


@pytest.fixture
def copies(tmp_path: Path, clock: Any) -> Dataset:
    """One query; `p1` to `p3` are near-copies, `m1` and `m2` too; `none` has only a title."""
    workspace = Workspace(tmp_path / "copies")
    texts = {
        "p1": PUMP,
        "m1": MOSS,
        "p2": PUMP.replace("Shut", "Close"),
        "p3": PUMP.upper().replace(" ", "\n"),
        "m2": MOSS.replace("at once", "soon"),
        "half": PUMP[: len(PUMP) // 2],
        "none": None,
    }
    with stage(workspace, "copies") as staging:
        staging.write_documents(
            Document(id=doc_id, title="Repairs", text=text) for doc_id, text in texts.items()
        )
        staging.write_queries([Query(id="q", text="seal"), Query(id="r", text="roof")])
        staging.publish(scale=Scale())
    dataset = Dataset.open(workspace, "copies")
    pool = [
        *(Candidate("q", doc_id, "r", n, 0) for n, doc_id in enumerate(texts, 1)),
        Candidate("r", "p1", "r", 1, 0),
        Candidate("r", "m1", "r", 2, 0),
    ]
    dataset.add_pool(pool, order="depth", seed=0, made_by={}, now=clock.now)
    return dataset


@pytest.fixture
def start(copies: Dataset, clock: Any) -> Iterator[Begin]:
    opened: list[Session] = []

    def make() -> Session:
        session = Session.open(copies, "ann", clock=clock, tool="t")
        opened.append(session)
        return session

    yield make
    for session in opened:
        session.close()


def events(dataset: Dataset) -> tuple[Event, ...]:
    return read_labels(dataset.workspace.label_folder("copies"), "copies").events


def looked(session: Session, doc_id: str | None = None) -> Near | None:
    if doc_id is not None:
        session.go("q", doc_id)
    session.look_for_near()
    return session.near()


def test_a_near_copy_of_a_graded_document_is_found(start: Begin, press: Press) -> None:
    session = start()
    assert looked(session) is None
    press(session, "grade", 2)
    session.go("q", "p2")
    assert session.near() is None  # nobody looked yet
    near = looked(session)
    assert near is not None
    assert near == Near("p1", "Repairs", 2, False, near.share)
    # Of the four letters of `Shut` only the s is in `Close`, which has five.
    letters = len(f"Repairs{PUMP}".replace(" ", ""))
    assert near.share == pytest.approx(2 * (letters - 3) / (2 * letters + 1))
    assert looked(session, "m1") is None
    assert looked(session, "half") is None
    assert looked(session, "none") is None


def test_of_several_the_most_like_is_told(start: Begin, press: Press) -> None:
    session = start()
    press(session, "grade", 2)
    session.go("q", "p2")
    press(session, "hard_negative")
    near = looked(session, "p3")
    assert near == Near("p1", "Repairs", 2, False, 1.0)
    session.go("q", "p1")
    press(session, "clear")
    near = looked(session, "p3")
    assert near is not None
    assert (near.doc_id, near.grade, near.hard_negative) == ("p2", 0, True)


def test_what_was_found_follows_the_grade(start: Begin, press: Press) -> None:
    session = start()
    press(session, "grade", 2)
    assert looked(session, "p2") is not None
    session.go("q", "p1")
    press(session, "grade", 1)
    session.go("q", "p2")
    near = session.near()
    assert near is not None
    assert near.grade == 1
    session.go("q", "p1")
    press(session, "skip")
    press(session, "clear")
    session.go("q", "p2")
    assert session.near() is None
    assert looked(session) is None


def test_another_query_is_another_matter(start: Begin, press: Press) -> None:
    session = start()
    press(session, "grade", 3)
    session.go("r", "p1")
    assert looked(session) is None


def test_the_same_grade_is_taken_over_with_its_mark(
    copies: Dataset, start: Begin, press: Press, clock: Any
) -> None:
    session = start()
    press(session, "hard_negative")
    session.go("q", "p3")
    press(session, "note", "shouted")
    looked(session)
    clock.forward(seconds=3)
    outcome = press(session, "same")
    assert outcome == Outcome(True, "graded 0 like p1", moved=True)
    event = events(copies)[-1]
    assert (event.op, event.source, event.grade, event.hard_negative) == (
        "grade",
        "propagated",
        0,
        True,
    )
    assert (event.doc_id, event.note, event.reason) == ("p3", "shouted", "near-copy of p1 (100 %)")
    assert event.seconds == 3.0
    assert session.card is not None
    assert session.card.document.id == "m2"


def test_it_is_refused_without_a_near_copy_or_over_a_grade(start: Begin, press: Press) -> None:
    session = start()
    none = Outcome(False, "no near-copy of this document is graded yet")
    assert press(session, "same") == none
    press(session, "grade", 2)
    session.go("q", "p2")
    assert press(session, "same") == none  # not looked for
    looked(session)
    press(session, "grade", 1)
    session.go("q", "p2")
    assert session.near() is not None
    assert press(session, "same") == Outcome(
        False, "not taken over: it is graded 1 already; clear it first"
    )


def test_a_grade_that_was_taken_over_is_not_passed_on(start: Begin, press: Press) -> None:
    session = start()
    press(session, "grade", 2)
    looked(session, "p2")
    press(session, "same")
    session.go("q", "p1")
    press(session, "clear")
    assert looked(session, "p3") is None  # p2 would be like it
    session.go("q", "p2")
    press(session, "flag")
    assert looked(session, "p3") is None
    session.go("q", "p2")
    press(session, "grade", 2)  # a person says so
    near = looked(session, "p3")
    assert near is not None
    assert near.doc_id == "p2"


@pytest.mark.parametrize(
    ("source", "found"),
    [("adjudicated", True), ("import", False), ("gold", False), ("machine", False)],
)
def test_only_what_people_said_is_lent(
    copies: Dataset, start: Begin, source: Any, found: bool
) -> None:
    before = datetime(2025, 2, 1, tzinfo=UTC)
    name = new_session_id(lambda: before)
    event = Event(f"{name}-0", name, 0, before, "ann", source, "grade", "q", "p1", grade=2)
    SegmentWriter(copies.workspace.label_folder("copies") / "ann", "copies", name).append(event)
    assert (looked(start(), "p2") is not None) == found


def test_undo_and_redo_take_it_over_restarts(start: Begin, press: Press) -> None:
    session = start()
    press(session, "grade", 2)
    looked(session, "p2")
    press(session, "same")
    session = start()
    assert press(session, "undo").message == "undone: grade 2 on p2 (query q)"
    assert session.card is not None
    assert (session.card.document.id, session.card.state.kind) == ("p2", "unjudged")
    session = start()
    assert press(session, "redo").message == "redone: grade 2 on p2 (query q)"
    session.go("q", "p2")
    assert session.card is not None
    assert (session.card.state.grade, session.card.state.source) == (2, "propagated")
    press(session, "undo")
    assert press(session, "undo").message == "undone: grade 2 on p1 (query q)"


def test_they_count_and_are_named_apart(start: Begin, press: Press, clock: Any) -> None:
    session = start()
    for doc_id, seconds, key in (("p1", 8, ("grade", 2)), ("p2", 90, ("same",))):
        session.go("q", doc_id)
        looked(session)
        assert session.card is not None
        session.painted(session.card.token)
        clock.forward(seconds=seconds)
        assert press(session, *key).accepted
    progress = session.progress()
    assert (progress.done, progress.today, progress.propagated) == (2, 2, 1)
    assert session.pace().median == start().pace().median == 8.0
    assert [(row.graded, row.propagated) for row in session.query_rows()] == [(2, 1), (0, 0)]
    again = start()
    assert again.progress() == progress
    press(again, "undo")
    assert again.progress().propagated == 0


def test_looking_in_another_thread_while_keys_are_pressed(start: Begin, press: Press) -> None:
    session = start()
    press(session, "grade", 2)
    session.go("q", "p2")
    worker = threading.Thread(target=session.look_for_near)
    worker.start()
    for _ in range(20):
        session.next()
        session.previous()
    worker.join(30)
    assert not worker.is_alive()
    session.go("q", "p2")
    near = looked(session)
    assert near is not None
    assert near.doc_id == "p1"
    session.go("q", "m1")
    assert session.near() is None  # what was found was for another


def test_without_a_card_there_is_nothing_to_look_at(start: Begin, press: Press) -> None:
    session = start()
    while session.card:
        press(session, "cannot_judge", "o")
    assert looked(session) is None
