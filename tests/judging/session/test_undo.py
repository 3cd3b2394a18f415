"""Undo and redo without limit, across queries and restarts; resume where one left."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.core.model import Candidate, Judgment
from judge.dataset.store import Dataset
from judge.judging.labels import SegmentWriter, new_session_id, read_labels, recorded
from judge.judging.session import Outcome, Session

Begin = Callable[..., Session]
Press = Callable[..., Any]


def at(session: Session) -> str:
    return f"{session.card.query.id}/{session.card.document.id}" if session.card else "-"


def grades(session: Session) -> dict[str, Any]:
    """What the annotator thinks of every pair, in short."""
    found = {}
    here = session.card
    for row in session.query_rows():
        session.go(row.query.id)
        for line in session.rows():
            if line.state.kind != "unjudged":
                found[f"{row.query.id}/{line.doc_id}"] = line.state.grade
    if here is not None:
        session.go(here.query.id, here.document.id)
    return found


def test_undo_goes_back_to_the_card_and_says_what(begin: Begin, press: Press) -> None:
    session = begin()
    for grade in (2, 1, 0, 3):
        press(session, "grade", grade)
    assert at(session) == "q2/d6"
    assert press(session, "undo") == Outcome(True, "undone: grade 3 on d1 (query q2)", moved=True)
    assert at(session) == "q2/d1"
    assert press(session, "undo").message == "undone: grade 0 on d3 (query q1)"
    assert at(session) == "q1/d3"
    assert grades(session) == {"q1/d1": 2, "q1/d2": 1}


def test_redo_leads_where_the_keys_had_led(begin: Begin, press: Press) -> None:
    session = begin()
    for grade in (2, 1, 0):
        press(session, "grade", grade)
    for _ in range(3):
        press(session, "undo")
    assert at(session) == "q1/d1"
    messages = [press(session, "redo").message for _ in range(3)]
    assert messages == [
        f"redone: grade {g} on d{n} (query q1)" for g, n in ((2, 1), (1, 2), (0, 3))
    ]
    assert at(session) == "q2/d1"
    assert grades(session) == {"q1/d1": 2, "q1/d2": 1, "q1/d3": 0}


def test_there_are_ends(begin: Begin, press: Press) -> None:
    session = begin()
    assert press(session, "undo") == Outcome(False, "nothing to undo")
    assert press(session, "redo") == Outcome(False, "nothing to redo")


def test_every_action_can_be_undone(begin: Begin, press: Press) -> None:
    session = begin()
    actions: list[tuple[list[Any], str]] = [
        (["hard_negative"], "grade 0 and hard negative on d1 (query q1)"),
        (["skip"], "skip on d2 (query q1)"),
        (["cannot_judge", "l"], "cannot judge on d3 (query q1)"),
        (["flag"], "flag on d1 (query q2)"),
        (["flag"], "flag taken away on d1 (query q2)"),
        (["note", "n"], "note on d1 (query q2)"),
        (["grade", 1], "grade 1 on d1 (query q2)"),
    ]
    for (key, *given_), _ in actions:
        assert press(session, key, *given_).accepted
    for _, words in reversed(actions):
        assert press(session, "undo").message == f"undone: {words}"
    assert grades(session) == {}
    assert at(session) == "q1/d1"


def test_undo_of_a_mark_keeps_the_grade_and_redo_stays(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 1)
    session.previous()
    press(session, "hard_negative")
    press(session, "undo")
    assert at(session) == "q1/d1"
    assert (session.rows()[0].state.grade, session.rows()[0].state.hard_negative) == (1, False)
    press(session, "redo")
    assert at(session) == "q1/d1"
    assert session.rows()[0].state.hard_negative


def test_undo_and_redo_go_on_after_a_restart(begin: Begin, press: Press) -> None:
    first = begin()
    for grade in (2, 1, 0):
        press(first, "grade", grade)
    press(first, "undo")
    second = begin()
    assert at(second) == "q1/d3"
    assert press(second, "redo").message == "redone: grade 0 on d3 (query q1)"
    third = begin()
    assert grades(third) == {"q1/d1": 2, "q1/d2": 1, "q1/d3": 0}
    for _ in range(3):
        assert press(third, "undo").accepted
    assert press(third, "undo").message == "nothing to undo"
    fourth = begin()
    assert grades(fourth) == {}
    for _ in range(3):
        assert press(fourth, "redo").accepted
    assert press(fourth, "redo").message == "nothing to redo"
    assert grades(begin()) == {"q1/d1": 2, "q1/d2": 1, "q1/d3": 0}


def test_a_new_action_ends_redo_also_over_a_restart(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 2)
    press(session, "grade", 1)
    press(session, "undo")
    press(session, "grade", 3)
    assert press(session, "redo").message == "nothing to redo"
    assert press(begin(), "redo").message == "nothing to redo"
    press(session, "undo")
    assert press(session, "undo").message == "undone: grade 2 on d1 (query q1)"


def test_undo_takes_only_what_a_person_did(dataset: Dataset, begin: Begin, press: Press) -> None:
    folder = dataset.workspace.label_folder("demo") / "ann"
    before = datetime(2025, 2, 1, tzinfo=UTC)
    name = new_session_id(lambda: before)
    given_ = recorded(
        [Judgment("q1", "d1", 3)], annotator="ann", source="import", session=name, at=before
    )
    SegmentWriter(folder, "demo", name).append_batch(given_)
    session = begin()
    assert grades(session) == {"q1/d1": 3}
    assert press(session, "undo").message == "nothing to undo"


def test_a_pair_that_left_the_pool_can_be_undone(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    press(begin(), "grade", 2)
    for path in (dataset.folder / "pools").iterdir():
        path.unlink()
    dataset.add_pool(
        [Candidate("q2", "d6", "r", 1, 0)], order="depth", seed=0, made_by={}, now=clock.now
    )
    session = begin()
    outcome = press(session, "undo")
    gone = "grade 2 on d1 (query q1); it is no candidate any more"
    assert outcome == Outcome(True, f"undone: {gone}")
    assert at(session) == "q2/d6"
    assert press(session, "redo") == Outcome(True, f"redone: {gone}")
    labels = read_labels(dataset.workspace.label_folder("demo"), "demo")
    assert [s.grade for s in labels.states.values()] == [2]


def test_a_clock_that_is_behind_does_not_make_new_judgments_old(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    press(begin(), "grade", 1)
    clock.forward(hours=-2)
    session = begin()
    session.go("q1", "d1")
    press(session, "grade", 3)
    press(session, "grade", 2)
    press(session, "undo")
    assert grades(begin()) == {"q1/d1": 3}


def test_a_session_opens_after_the_last_judged(begin: Begin, press: Press) -> None:
    session = begin()
    for _ in range(2):
        press(session, "grade", 1)
    session.go("q3")
    press(session, "grade", 1)
    assert at(begin()) == "q3/d8"
    session.go("q3")  # moving alone is not judging
    assert at(begin()) == "q3/d8"
    press(session, "grade", 1)
    assert at(begin()) == "q1/d3"  # q1's first block still waits
    session.go("q1", "d1")
    press(session, "grade", 0)
    assert at(begin()) == "q1/d3"


def test_a_session_opens_after_a_skip_and_at_a_cleared_card(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "grade", 1)
    press(session, "skip")
    assert at(begin()) == "q1/d3"
    press(session, "grade", 1)
    session.go("q1", "d3")
    press(session, "clear")
    assert at(begin()) == "q1/d3"


def test_a_session_on_finished_work_has_no_card(begin: Begin, press: Press) -> None:
    session = begin()
    while session.card:
        press(session, "grade", 1)
    again = begin()
    assert again.card is None
    assert [row.doc_id for row in again.rows()] == ["d1", "d2", "d3", "d4", "d5"]
    assert press(again, "undo").message == "undone: grade 1 on d5 (query q1)"
    assert at(again) == "q1/d5"
    press(again, "redo")
    assert again.card is None


KEYS = st.sampled_from(
    [
        ("grade", 0),
        ("grade", 1),
        ("grade", 3),
        ("hard_negative",),
        ("skip",),
        ("cannot_judge", "l"),
        ("flag",),
        ("clear",),
        ("note", "a"),
        ("note", ""),
        ("undo",),
        ("undo",),
        ("redo",),
        ("next",),
        ("previous",),
        ("next_query",),
        ("restart",),
    ]
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(keys=st.lists(KEYS, min_size=1, max_size=14), name=st.uuids())
def test_what_a_session_shows_is_what_is_on_disk(
    dataset: Dataset, begin: Begin, press: Press, clock: Any, keys: list[Any], name: Any
) -> None:
    annotator = f"a-{name}"
    session = begin(annotator)
    for key, *given_ in keys:
        clock.forward(seconds=1)
        if key == "restart":
            was, states = session.query_rows(), grades(session)
            session = begin(annotator)
            assert (session.query_rows(), grades(session)) == (was, states)
        elif key in ("next", "previous", "next_query"):
            getattr(session, key)()
        else:
            press(session, key, *given_)
    was = session.query_rows()
    fresh = begin(annotator)
    assert fresh.query_rows() == was
    assert fresh.progress().done == session.progress().done
    while press(fresh, "undo").accepted:
        pass
    assert fresh.progress().done == 0
    assert sum(row.skipped + row.flagged for row in fresh.query_rows()) == 0
