"""What each key does to the card, which card comes next, and what is written of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta, timezone
from typing import Any

import pytest

from judge.core.model import Event
from judge.core.text import digest
from judge.dataset.store import Dataset
from judge.judging.labels import read_labels
from judge.judging.session import REASONS, Outcome, Session

Begin = Callable[..., Session]
Press = Callable[..., Any]


def at(session: Session) -> str:
    """Where the session stands: `q1/d1`, or nothing."""
    return f"{session.card.query.id}/{session.card.document.id}" if session.card else "-"


def events(dataset: Dataset) -> tuple[Event, ...]:
    labels = read_labels(dataset.workspace.label_folder("demo"), "demo")
    assert labels.warnings == ()
    return labels.events


def test_queries_take_turns_in_blocks(begin: Begin, press: Press) -> None:
    session = begin()
    seen = []
    while session.card:
        seen.append(at(session))
        assert press(session, "grade", 1).accepted
    assert " ".join(seen) == "q1/d1 q1/d2 q1/d3 q2/d1 q2/d6 q3/d7 q3/d8 q1/d4 q1/d5"


def test_the_end_is_said(begin: Begin, press: Press) -> None:
    session = begin()
    outcomes = [press(session, "grade", 1) for _ in range(9)]
    assert {o.message for o in outcomes[:-1]} == {""}
    assert outcomes[-1] == Outcome(True, "all candidates are judged", moved=True)
    assert session.card is None
    assert not session.grade(0, 1).accepted
    assert session.grade(0, 1).message == "key ignored: there is no card, everything is judged"
    assert session.previous().accepted
    assert at(session) == "q1/d5"


def test_what_a_grade_writes(dataset: Dataset, begin: Begin, press: Press, clock: Any) -> None:
    session = begin()
    card = session.card
    assert card is not None
    session.painted(card.token)
    clock.forward(seconds=7.25)
    press(session, "grade", 2)
    [event] = events(dataset)
    [name] = [path.stem for path in (dataset.folder / "pools").iterdir()]
    assert event == Event(
        event_id=event.event_id,
        session=event.session,
        seq=0,
        at=clock.now,
        annotator="ann",
        source="human",
        op="grade",
        query_id="q1",
        doc_id="d1",
        grade=2,
        seconds=7.25,
        position=0,
        order="gap",
        pool=name,
        query_sha=digest("query 1", "need 1"),
        doc_sha=digest("Title 1", "Text of 1."),
        guideline_sha=digest("# How to judge\n"),
        tool="t",
    )
    assert event.session.startswith("20250301T090000Z-")


def test_a_clock_set_back_gives_no_seconds(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    session = begin()
    assert session.card
    session.painted(session.card.token)
    clock.forward(hours=-1)
    press(session, "grade", 2)
    assert events(dataset)[0].seconds is None


def test_a_card_says_where_it_stands(begin: Begin) -> None:
    card = begin().card
    assert card is not None
    assert (card.position, card.total) == (0, 5)
    assert (card.document.text, card.query.text) == ("Text of 1.", "query 1")
    assert card.state.kind == "unjudged"


def test_grades_off_the_scale_are_refused(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    for grade in (-1, 4):
        outcome = press(session, "grade", grade)
        assert outcome == Outcome(False, f"grade {grade} is not on the scale 0-3")
    assert events(dataset) == ()


def test_skipped_ones_come_back_when_nothing_else_waits(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "skip")
    press(session, "grade", 1)
    press(session, "skip")
    for _ in range(6):
        press(session, "grade", 1)
    assert at(session) == "q1/d1"
    assert session.card is not None
    assert session.card.state.kind == "skipped"
    press(session, "skip")
    assert at(session) == "q1/d3"
    press(session, "grade", 0)
    assert at(session) == "q1/d1"
    press(session, "skip")
    assert at(session) == "q1/d1"  # the only one that waits
    press(session, "grade", 0)
    assert session.card is None


def test_skipping_does_not_take_a_judgment_away(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 3)
    press(session, "cannot_judge", "l")
    for doc_id in ("d1", "d2"):
        session.go("q1", doc_id)
        outcome = press(session, "skip")
        assert outcome == Outcome(False, "not skipped: it is judged already; clear it first")


def test_cannot_judge_says_why(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    for key, reason in REASONS.items():
        assert len(key) == 1
        assert press(session, "cannot_judge", key).accepted
        assert events(dataset)[-1].reason == reason
    assert press(session, "cannot_judge", "unclear query").accepted
    refused = press(session, "cannot_judge", "mood")
    assert refused.message.startswith("no such reason; there is: l unknown language, ")
    session.go("q1", "d1")
    assert session.rows()[0].state.cannot_judge == "unknown language"


def test_x_on_an_unjudged_card_is_grade_0_and_mark_and_next(begin: Begin, press: Press) -> None:
    session = begin()
    assert press(session, "hard_negative") == Outcome(True, moved=True)
    assert at(session) == "q1/d2"
    state = session.rows()[0].state
    assert (state.grade, state.hard_negative) == (0, True)


@pytest.mark.parametrize("before", ["skip", "cannot_judge"])
def test_x_on_a_skipped_card_too(begin: Begin, press: Press, before: str) -> None:
    session = begin()
    press(session, before, *(["l"] if before == "cannot_judge" else []))
    session.go("q1", "d1")
    press(session, "hard_negative")
    state = session.rows()[0].state
    assert (state.kind, state.grade, state.hard_negative) == ("graded", 0, True)


def test_x_toggles_below_relevant_and_stays(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 1)
    session.previous()
    for expected in (True, False, True):
        assert press(session, "hard_negative") == Outcome(True)
        assert at(session) == "q1/d1"
        state = session.rows()[0].state
        assert (state.grade, state.hard_negative) == (1, expected)


def test_x_is_refused_on_a_relevant_card(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 2)
    session.previous()
    outcome = press(session, "hard_negative")
    assert outcome == Outcome(
        False, "no hard negative: grade 2 is relevant; grade it 1 or lower first"
    )
    assert len(events(dataset)) == 1


def test_raising_a_grade_drops_the_mark_and_lowering_keeps_it(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "hard_negative")
    for grade, marked in ((1, True), (2, False), (0, False)):
        session.go("q1", "d1")
        press(session, "grade", grade)
        state = session.rows()[0].state
        assert (state.grade, state.hard_negative) == (grade, marked)


def test_grading_again_writes_again_and_goes_to_what_waits(
    dataset: Dataset, begin: Begin, press: Press
) -> None:
    session = begin()
    press(session, "grade", 3)
    press(session, "grade", 1)
    session.go("q1", "d1")
    press(session, "grade", 3)
    assert [(e.doc_id, e.grade) for e in events(dataset)] == [("d1", 3), ("d2", 1), ("d1", 3)]
    assert at(session) == "q1/d3"


def test_flags_and_notes_stay_on_the_card(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    assert press(session, "flag") == Outcome(True)
    assert press(session, "note", "ask Maria") == Outcome(True)
    assert press(session, "note", "ask Maria") == Outcome(False, "the note is as it was")
    assert at(session) == "q1/d1"
    assert session.card is not None
    assert (session.card.state.flagged, session.card.state.note) == (True, "ask Maria")
    press(session, "grade", 1)
    state = session.rows()[0].state
    assert (state.grade, state.flagged, state.note) == (1, True, "ask Maria")
    assert events(dataset)[-1].note == "ask Maria"  # a grade carries the whole judgment
    session.previous()
    press(session, "flag")
    press(session, "note", "")
    state = session.rows()[0].state
    assert (state.grade, state.flagged, state.note) == (1, False, "")
    assert [e.op for e in events(dataset)] == ["flag", "note", "grade", "unflag", "note"]


def test_clear_makes_a_card_unjudged_and_stays(begin: Begin, press: Press) -> None:
    session = begin()
    assert press(session, "clear") == Outcome(False, "nothing to clear: it is not judged")
    press(session, "grade", 1)
    session.previous()
    assert press(session, "clear") == Outcome(True)
    assert at(session) == "q1/d1"
    assert session.card is not None
    assert session.card.state.kind == "unjudged"


def test_after_moving_away_judging_goes_on_from_there(begin: Begin, press: Press) -> None:
    session = begin()
    session.go("q2")
    press(session, "grade", 1)
    assert at(session) == "q2/d6"
    press(session, "grade", 1)
    assert at(session) == "q3/d7"
    session.go("q1", "d5")
    press(session, "grade", 1)
    assert at(session) == "q1/d4"  # the rest of that block
    press(session, "grade", 1)
    assert at(session) == "q1/d1"  # and back to the earliest round, not on into the second
    press(session, "grade", 1)
    assert at(session) == "q1/d2"


def test_moving_about_writes_nothing(dataset: Dataset, begin: Begin) -> None:
    session = begin()
    places = [at(session)]
    for move in ("next", "next", "previous", "next_query", "next_query", "previous_query"):
        assert getattr(session, move)().moved
        places.append(at(session))
    assert places == ["q1/d1", "q1/d2", "q1/d3", "q1/d2", "q2/d1", "q3/d7", "q2/d1"]
    assert not dataset.workspace.labels.exists()


def test_moving_stops_at_the_ends(begin: Begin) -> None:
    session = begin()
    assert session.previous() == Outcome(False, "this is the first candidate of the query")
    assert session.previous_query() == Outcome(False, "this is the first query")
    session.go("q3", "d8")
    assert session.next() == Outcome(False, "this is the last candidate of the query")
    assert session.next_query() == Outcome(False, "this is the last query")
    assert session.go("q4") == Outcome(False, "there is no query q4 with candidates")
    assert session.go("q3", "d1") == Outcome(False, "d1 is no candidate of query q3")
    assert at(session) == "q3/d8"


def test_within_a_query_moving_follows_its_list_across_blocks(begin: Begin) -> None:
    session = begin()
    session.go("q1", "d3")
    session.next()
    assert at(session) == "q1/d4"


def test_entering_a_query_finds_what_waits(begin: Begin, press: Press) -> None:
    session = begin()
    session.go("q2")
    press(session, "grade", 1)
    session.go("q1")
    session.go("q2")
    assert at(session) == "q2/d6"
    press(session, "skip")
    session.go("q2")
    assert at(session) == "q2/d6"
    press(session, "grade", 1)
    session.go("q2")
    assert at(session) == "q2/d1"


def test_unfinished_queries_are_found_going_round(begin: Begin, press: Press) -> None:
    session = begin()
    session.go("q2")
    press(session, "grade", 1)
    press(session, "grade", 1)
    session.go("q1")
    session.next_unfinished()
    assert at(session) == "q3/d7"
    session.next_unfinished()
    assert at(session) == "q1/d1"
    session.previous_unfinished()
    assert at(session) == "q3/d7"
    press(session, "grade", 1)
    press(session, "grade", 1)
    session.go("q1")
    assert session.next_unfinished() == Outcome(False, "there is no other unfinished query")


def test_rows_show_the_query_in_serving_order(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 3)
    rows = session.rows()
    assert [row.doc_id for row in rows] == ["d1", "d2", "d3", "d4", "d5"]
    assert [row.title for row in rows[:2]] == ["Title 1", "Text of 2."]
    assert [row.current for row in rows] == [False, True, False, False, False]
    assert [row.state.grade for row in rows] == [3, None, None, None, None]
    session.go("q3")
    assert [row.doc_id for row in session.rows()] == ["d7", "d8"]


def test_query_rows_and_progress_count(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "hard_negative")
    press(session, "skip")
    press(session, "flag")
    press(session, "cannot_judge", "q")
    press(session, "grade", 2)
    press(session, "grade", 2)
    rows = session.query_rows()
    assert [(r.query.id, r.status, r.total, r.judged) for r in rows] == [
        ("q1", "part", 5, 2),
        ("q2", "done", 2, 2),
        ("q3", "new", 2, 0),
    ]
    first = rows[0]
    assert (first.graded, first.cannot_judge, first.skipped) == (1, 1, 1)
    assert (first.hard_negatives, first.flagged) == (1, 1)
    progress = session.progress()
    assert (progress.query_done, progress.query_total) == (0, 2)
    assert (progress.done, progress.total, progress.today) == (4, 9, 4)
    assert (progress.queries_done, progress.queries_total) == (1, 3)
    press(session, "undo")
    assert session.progress().done == 3
    assert session.query_rows()[1].status == "part"


def test_today_is_the_annotators_day(begin: Begin, press: Press, clock: Any) -> None:
    zone = clock.now.astimezone().tzinfo
    clock.now = clock.now.replace(hour=23, minute=50, tzinfo=zone)
    session = begin()
    press(session, "grade", 1)
    press(session, "skip")
    assert session.progress().today == 1  # a skip is no judgment
    clock.forward(minutes=20)
    assert session.progress().today == 0
    press(session, "grade", 1)
    assert session.progress().today == 1
    assert session.progress().done == 2
    again = begin()
    assert again.progress().today == 1


def test_a_day_begins_at_the_midnight_of_the_clocks_zone(
    begin: Begin, press: Press, clock: Any
) -> None:
    clock.now = clock.now.replace(hour=12).astimezone(timezone(timedelta(hours=9)))  # 21:00
    session = begin()
    press(session, "grade", 1)
    clock.forward(hours=2)
    assert session.progress().today == 1
    clock.forward(hours=2)  # 01:00 there, still the same day in UTC
    assert session.progress().today == 0
