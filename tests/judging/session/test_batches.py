"""The rest of a query at once: one action that is saved, undone and redone as a whole."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.core import arrow
from judge.core.model import Candidate, Event
from judge.core.text import digest
from judge.dataset.store import Dataset
from judge.judging.labels import SCHEMA, SegmentWriter, fold, read_labels
from judge.judging.labels.events import to_columns
from judge.judging.session import Outcome, Session

Begin = Callable[..., Session]
Press = Callable[..., Any]
LONG = 30.0


def at(session: Session) -> str:
    return f"{session.card.query.id}/{session.card.document.id}" if session.card else "-"


def states(session: Session, query_id: str = "q1") -> str:
    """The candidates of a query in short: grades, `-` unjudged, `s` skipped, `c` cannot judge."""
    signs = {"unjudged": "-", "skipped": "s", "cannot_judge": "c"}
    here = session.card
    session.go(query_id)
    found = [str(signs.get(row.state.kind, row.state.grade)) for row in session.rows()]
    if here is not None:
        session.go(here.query.id, here.document.id)
    return " ".join(found)


def stored(dataset: Dataset) -> tuple[Event, ...]:
    labels = read_labels(dataset.workspace.label_folder("demo"), "demo")
    assert labels.warnings == ()
    return labels.events


def segments(dataset: Dataset) -> list[Path]:
    return sorted((dataset.workspace.label_folder("demo") / "ann").glob("*.parquet"))


def test_the_rest_gets_the_lowest_grade_and_the_others_stay(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 3)
    press(session, "skip")
    press(session, "cannot_judge", "l")
    session.go("q1", "d4")
    outcome = press(session, "rest")
    assert outcome == Outcome(True, "2 documents graded 0", moved=True)
    assert states(session) == "3 s c 0 0"
    assert states(session, "q2") == "- -"
    assert at(session) == "q2/d1"
    assert session.progress().done == 4


def test_what_the_rest_writes(dataset: Dataset, begin: Begin, press: Press, clock: Any) -> None:
    session = begin()
    press(session, "note", "why?")
    press(session, "flag")
    clock.forward(seconds=5)
    press(session, "rest")
    events = stored(dataset)[2:]
    batch = f"{events[0].session}-2"
    assert [e.event_id for e in events] == [f"{batch}~{n}" for n in range(5)]
    assert [e.seq for e in events] == [2, 3, 4, 5, 6]
    assert {(e.op, e.grade, e.hard_negative, e.source, e.at, e.seconds) for e in events} == {
        ("grade", 0, False, "human", clock.now, None)  # nobody looked, so no time was taken
    }
    assert [(e.doc_id, e.position, e.note) for e in events] == [
        ("d1", 0, "why?"),
        *((f"d{n}", n - 1, None) for n in range(2, 6)),
    ]
    assert events[1].doc_sha == digest("", "Text of 2.")
    assert {e.query_sha for e in events} == {digest("query 1", "need 1")}
    assert {(e.order, e.guideline_sha) for e in events} == {("gap", digest("# How to judge\n"))}
    session.go("q1", "d1")
    assert session.card is not None
    assert (session.card.state.flagged, session.card.state.note) == (True, "why?")
    assert len(segments(dataset)) == 1  # beside what was there, as it fits


def test_one_undo_takes_all_back_and_one_redo_brings_all(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 2)
    press(session, "rest")
    assert at(session) == "q2/d1"
    words = "grade 0 on 4 documents (query q1)"
    assert press(session, "undo") == Outcome(True, f"undone: {words}", moved=True)
    assert at(session) == "q1/d2"
    assert states(session) == "2 - - - -"
    assert press(session, "redo") == Outcome(True, f"redone: {words}", moved=True)
    assert at(session) == "q2/d1"
    assert states(session) == "2 0 0 0 0"
    press(session, "undo")
    assert press(session, "undo").message == "undone: grade 2 on d1 (query q1)"
    assert press(session, "undo").message == "nothing to undo"
    assert press(session, "redo").message == "redone: grade 2 on d1 (query q1)"
    assert press(session, "redo").message == f"redone: {words}"
    assert press(session, "redo").message == "nothing to redo"


def test_undo_of_a_batch_is_a_batch(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    for key in ("rest", "undo", "redo", "undo"):
        press(session, key)
    events = stored(dataset)
    name = events[0].session
    assert [e.event_id for e in events] == [
        f"{name}-{first}~{n}" for first in (0, 5, 10, 15) for n in range(5)
    ]
    rest, undo, redo, again = (events[first : first + 5] for first in (0, 5, 10, 15))
    assert [e.target for e in undo] == [e.event_id for e in rest]
    assert [e.target for e in redo] == [e.event_id for e in undo]
    assert [e.target for e in again] == [e.event_id for e in rest]
    assert fold(events) == {}


def test_undo_and_redo_of_a_batch_go_on_after_a_restart(begin: Begin, press: Press) -> None:
    press(begin(), "rest")
    second = begin()
    assert at(second) == "q2/d1"
    assert press(second, "undo").message == "undone: grade 0 on 5 documents (query q1)"
    third = begin()
    assert states(third) == "- - - - -"
    assert at(third) == "q1/d1"
    assert press(third, "redo").message == "redone: grade 0 on 5 documents (query q1)"
    fourth = begin()
    assert states(fourth) == "0 0 0 0 0"
    press(fourth, "undo")
    assert press(begin(), "redo").accepted
    assert states(begin()) == "0 0 0 0 0"


def test_a_new_action_ends_the_redo_of_a_batch(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "rest")
    press(session, "undo")
    press(session, "grade", 1)
    assert press(session, "redo").message == "nothing to redo"
    assert press(begin(), "redo").message == "nothing to redo"


def test_nothing_left_is_said(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "rest")
    press(session, "grade", 1)
    press(session, "skip")
    session.go("q2", "d6")
    assert press(session, "rest") == Outcome(False, "no candidate of this query is unjudged")
    assert len(stored(dataset)) == 7


def test_one_left_is_an_action_like_others(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    session.go("q2")
    press(session, "grade", 1)
    assert press(session, "rest").message == "1 document graded 0"
    assert stored(dataset)[-1].event_id.endswith("-1")
    assert press(session, "undo").message == "undone: grade 0 on d6 (query q2)"


def test_the_end_is_said_too(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "rest")
    press(session, "rest")
    outcome = press(session, "rest")
    assert outcome.message == "2 documents graded 0; all candidates are judged"
    assert session.card is None
    assert press(session, "undo").moved
    assert at(session) == "q3/d7"


def test_without_advance_the_card_stays(begin: Begin, press: Press) -> None:
    session = begin()
    session.advance = False
    session.next()
    assert press(session, "rest") == Outcome(True, "5 documents graded 0")
    assert at(session) == "q1/d2"


def test_documents_without_text_are_left(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    later = [Candidate("q2", "gone", "r", 1, 0), Candidate("q4", "gone", "r", 1, 0)]
    dataset.add_pool(later, order="depth", seed=0, made_by={}, now=clock.now)
    session = begin()
    session.go("q2")
    assert press(session, "rest").message == "2 documents graded 0"
    assert states(session, "q2") == "0 0 -"
    session.go("q4")
    outcome = press(session, "rest")
    assert outcome.message.startswith("this document has no text to judge")


def test_it_needs_the_card_of_its_token(begin: Begin) -> None:
    session = begin()
    assert session.card
    token = session.card.token
    for key in (session.rest, session.same, lambda token: session.evidence(token, [(0, 1)])):
        assert key(token).message == "key ignored: the next document was not on screen yet"
        assert key(token - 1).message == "key ignored: it was meant for the card before"
    session.close()
    assert session.rest(token).message == "key ignored: the session is closed"


class Disk:
    """The real writer; keeps nothing while it is full, and counts what it was asked for."""

    def __init__(self) -> None:
        self.full = False
        self.actions: list[int] = []
        self._writer: SegmentWriter | None = None

    def __call__(self, folder: Path, dataset: str, session: str) -> Disk:
        self._writer = SegmentWriter(folder, dataset, session)
        return self

    def append(self, *events: Event) -> None:
        self.actions.append(len(events))
        if self.full:
            raise OSError(28, "No space left on device")
        assert self._writer is not None
        self._writer.append(*events)

    def close(self) -> None:
        assert self._writer is not None
        self._writer.close()


@pytest.mark.parametrize("key", ["rest", "undo", "redo"])
def test_a_failed_batch_changes_nothing(
    dataset: Dataset, begin: Begin, press: Press, key: str
) -> None:
    disk = Disk()
    session = begin(writer=disk)
    press(session, "grade", 2)
    for before in {"rest": [], "undo": ["rest"], "redo": ["rest", "undo"]}[key]:
        press(session, before)
    session.go("q1", "d3")
    was, rows, kept = states(session), session.query_rows(), len(stored(dataset))
    disk.full = True
    assert session.card
    session.painted(session.card.token)
    given = [session.card.token] if key == "rest" else []
    assert getattr(session, key)(*given).accepted
    assert not session.wait(LONG)
    what = {"rest": "grade 0", "undo": "undo", "redo": "redo"}[key]
    outcome = session.settle()
    assert outcome.message.startswith(
        f"NOT SAVED: {what} on 4 documents (query q1): No space left on device; see to "
    )
    assert at(session) == "q1/d3"  # the card is back
    assert (states(session), session.query_rows(), len(stored(dataset))) == (was, rows, kept)
    disk.full = False
    assert press(session, key).accepted
    assert states(session) == ("2 - - - -" if key == "undo" else "2 0 0 0 0")
    assert states(begin()) == states(session)
    assert disk.actions[-2:] == [4, 4]


def test_a_large_batch_is_one_segment(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    many = [Candidate("q4", f"d{n % 9 + 1}", "r", n, 0) for n in range(9)]
    dataset.add_pool(many, order="depth", seed=0, made_by={}, now=clock.now)

    def small(folder: Path, name: str, session: str) -> SegmentWriter:
        return SegmentWriter(folder, name, session, rows=3)

    session = begin(writer=small)
    press(session, "grade", 1)
    press(session, "grade", 1)
    session.go("q4")
    press(session, "rest")
    press(session, "grade", 1)
    rows = [arrow.read(path, ["event_id"]).rows for path in segments(dataset)]
    assert rows == [2, 9, 1]
    assert states(begin(), "q4") == " ".join("000000000")


def rewrite(path: Path, keep: Callable[[Event], bool]) -> None:
    """Make a segment hold only some of its events, as no writer would."""
    _, metadata = arrow.read_metadata(path)
    folder = path.parents[2]
    events = [e for e in read_labels(folder / "demo", "demo").events if keep(e)]
    note = {key: metadata[key] for key in ("dataset", "annotator", "session")}
    arrow.write(path, SCHEMA, to_columns(events), note)


@pytest.mark.parametrize("lost", [{"0"}, {"1", "3"}, {"0", "1", "2", "3"}])
def test_half_a_batch_is_undone_and_redone_in_one(
    dataset: Dataset, begin: Begin, press: Press, lost: set[str]
) -> None:
    first = begin()
    press(first, "rest")
    first.close()
    rewrite(segments(dataset)[0], lambda e: e.event_id.partition("~")[2] not in lost)
    session = begin()
    half = states(session)
    assert half == " ".join("-" if str(n) in lost else "0" for n in range(5))
    assert press(session, "undo").accepted
    assert states(session) == "- - - - -"
    assert press(session, "undo").message == "nothing to undo"
    assert press(session, "redo").accepted
    assert states(session) == half
    assert press(begin(), "undo").accepted
    assert states(begin()) == "- - - - -"


def test_half_an_undo_leaves_two_actions(dataset: Dataset, begin: Begin, press: Press) -> None:
    first = begin()
    press(first, "rest")
    first.close()
    second = begin()
    press(second, "undo")
    second.close()
    held = [e.event_id for e in stored(dataset) if e.op == "undo"][:2]
    path = next(p for p in segments(dataset) if held[0].startswith(p.name[:25]))
    rewrite(path, lambda e: e.event_id in held)
    session = begin()
    assert states(session) == "- - 0 0 0"
    assert press(session, "redo").message == "redone: grade 0 on 2 documents (query q1)"
    assert press(session, "undo").message == "undone: grade 0 on 2 documents (query q1)"
    assert press(session, "undo").message == "undone: grade 0 on 3 documents (query q1)"
    assert press(session, "undo").message == "nothing to undo"
    assert states(begin()) == "- - - - -"


def test_merging_folders_twice_changes_nothing(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    session = begin()
    for key in ("rest", "undo", "redo"):
        clock.forward(seconds=1)
        press(session, key)
    expected, rows = stored(dataset), session.query_rows()
    [path] = segments(dataset)
    for number in (7, 8):  # the same events in a file of another name, once and once more
        shutil.copy(path, path.with_name(path.name.replace("-0000.", f"-{number:04d}.")))
        assert stored(dataset) == expected
        again = begin()
        assert again.query_rows() == rows
    press(again, "undo")
    assert states(again) == "- - - - -"
    assert fold((*expected, *reversed(expected))) == fold(expected)
