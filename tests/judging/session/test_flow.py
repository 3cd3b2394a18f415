"""What makes long days easier: pace, notices, news, going back to what was left, no advance."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from judge.core.model import Candidate, Event
from judge.dataset.store import Dataset
from judge.judging.session import Outcome, Pace, Session
from judge.judging.session.pace import streak

SESSION = "20250301T090000Z-00000001"
Begin = Callable[..., Session]
Press = Callable[..., Any]


def at(session: Session) -> str:
    return f"{session.card.query.id}/{session.card.document.id}" if session.card else "-"


@pytest.fixture
def timed(press: Press, clock: Any) -> Callable[..., Any]:
    """Presses a key so many seconds after the card was painted."""

    def key(session: Session, seconds: float, action: str, *given: Any) -> Any:
        assert session.card is not None
        session.painted(session.card.token)
        clock.forward(seconds=seconds)
        return press(session, action, *given)

    return key


@pytest.fixture
def wide(dataset: Dataset, clock: Any) -> Dataset:
    """Many more candidates, for long rows: q4 has nine, seven of them new to the pool's queries."""
    more = [Candidate(q, f"d{n}", "r", n, 0) for q in ("q4", "q3", "q2") for n in range(1, 10)]
    dataset.add_pool(more, order="depth", seed=0, made_by={}, now=clock.now)
    return dataset


def test_pace_is_the_median_without_pauses(begin: Begin, timed: Any) -> None:
    session = begin()
    assert session.pace() == Pace(None, None)
    for seconds in (4, 10, 120.5, 6):
        timed(session, seconds, "grade", 1)
    assert session.pace() == Pace(6.0, 30.0)  # five of nine wait
    timed(session, 120, "cannot_judge", "l")
    assert session.pace() == Pace(8.0, 32.0)
    timed(session, 1, "skip")  # no verdict
    timed(session, 1, "flag")
    assert session.pace() == Pace(8.0, 32.0)


def test_pace_takes_a_document_once_and_forgets_what_is_undone(
    begin: Begin, press: Press, timed: Any
) -> None:
    session = begin()
    timed(session, 10, "grade", 1)
    session.previous()
    timed(session, 1, "hard_negative")
    timed(session, 1, "evidence", [(0, 2)])
    assert session.pace().median == 10.0
    session.next()
    timed(session, 20, "grade", 1)
    assert session.pace().median == 15.0
    press(session, "undo")
    assert session.pace().median == 10.0


def test_pace_leaves_out_the_rest_and_lasts_over_a_restart(begin: Begin, timed: Any) -> None:
    session = begin()
    timed(session, 7, "grade", 1)
    timed(session, 100, "rest")
    assert session.pace() == begin().pace() == Pace(7.0, 28.0)


def test_pace_at_the_end(begin: Begin, timed: Any) -> None:
    session = begin()
    while session.card:
        timed(session, 3, "grade", 1)
    assert session.pace() == Pace(3.0, 0.0)


def row(session: Session, press: Press, *grades: int) -> list[str]:
    return [press(session, "grade", grade).notice for grade in grades]


def test_a_row_of_equal_grades_is_told_once(wide: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    assert row(session, press, 1, *[0] * 11) == [""] * 12
    assert row(session, press, 0) == ["12 times grade 0 in a row"]
    assert row(session, press, 0, 0) == ["", ""]
    assert row(session, press, 1) == [""]
    assert press(session, "undo").notice == ""
    assert row(session, press, 0) == [""]  # the same row still
    assert row(session, press, 2, *[0] * 11) == [""] * 12
    assert row(session, press, 0) == ["12 times grade 0 in a row"]


def test_what_does_not_count_in_a_row_and_what_ends_it(
    wide: Dataset, begin: Begin, press: Press
) -> None:
    session = begin()
    row(session, press, *[0] * 6)
    press(session, "flag")
    press(session, "note", "n")
    for _ in range(8):  # one document graded again and again
        assert press(session, "grade", 0).notice == ""
        session.previous()
    session.go("q4")
    assert row(session, press, *[0] * 4) == [""] * 4
    assert row(session, press, 0) == ["12 times grade 0 in a row"]
    row(session, press, *[2] * 6)
    press(session, "skip")
    assert row(session, press, *[2] * 6) == [""] * 6


def test_a_row_ends_with_its_session(wide: Dataset, begin: Begin, press: Press, clock: Any) -> None:
    row(begin(), press, *[0] * 11)
    clock.forward(hours=12)
    assert row(begin(), press, 0) == [""]


def test_the_rest_is_no_row(wide: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    session.go("q4")
    assert press(session, "rest").notice == ""
    session.go("q3")
    assert press(session, "rest").notice == ""
    session.go("q1")
    assert row(session, press, 0) == [""]


def test_grades_taken_over_neither_count_in_a_row_nor_end_it(event: Callable[..., Event]) -> None:
    row = [[event(grade=0, doc_id=f"d{n}")] for n in range(3)]
    taken = [[event(grade=g, doc_id=f"t{g}", source="propagated")] for g in (0, 2)]
    done = [[event(grade=2)], *row[:2], *taken, row[2], *taken]
    assert streak(done, SESSION) == [row[n][0] for n in (2, 1, 0)]


def test_a_long_stretch_is_told_once(begin: Begin, press: Press, clock: Any) -> None:
    session = begin()
    told = []
    for minute in range(0, 64, 4):
        told.append((minute, press(session, "flag").notice))
        clock.forward(minutes=4)
    assert [entry for entry in told if entry[1]] == [(52, "52 minutes without a break")]
    clock.forward(minutes=1)  # five without an action: a break
    assert press(session, "flag").notice == ""
    for _ in range(12):
        clock.forward(minutes=4)
        assert press(session, "flag").notice == ""
    clock.forward(minutes=2)
    assert press(session, "undo").notice == "50 minutes without a break"


def test_two_notices_at_once(wide: Dataset, begin: Begin, press: Press, clock: Any) -> None:
    session = begin()
    for _ in range(11):
        assert row(session, press, 3) == [""]
        clock.forward(minutes=4, seconds=50)
    assert row(session, press, 3) == ["12 times grade 3 in a row; 53 minutes without a break"]


def test_what_was_pooled_since_is_news(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    assert begin().news == ""
    clock.forward(hours=1)
    press(begin(), "grade", 1)
    assert begin().news == ""
    clock.forward(hours=1)
    more = [Candidate("q2", f"d{n}", "r", n, 0) for n in (1, 6, 7, 8, 9)]  # two are there
    dataset.add_pool(more, order="depth", seed=0, made_by={}, now=clock.now)
    session = begin()
    assert session.news == "3 new documents since you were here"
    assert begin("bob").news == ""  # to whom all is new
    clock.forward(seconds=2)
    press(session, "grade", 1)
    assert session.news == "3 new documents since you were here"  # as long as it is open
    assert begin().news == ""
    clock.forward(hours=1)
    one = [Candidate("q4", "d1", "r", 1, 0)]
    dataset.add_pool(one, order="depth", seed=0, made_by={}, now=clock.now)
    assert begin().news == "1 new document since you were here"


def test_a_pool_of_the_past_is_no_news(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    clock.forward(days=1)
    press(begin(), "grade", 1)
    more = [Candidate("q4", "d1", "r", 1, 0)]
    earlier = clock.now - timedelta(hours=2)
    dataset.add_pool(more, order="depth", seed=0, made_by={}, now=earlier)
    assert begin().news == ""


def test_graded_are_listed_best_first(begin: Begin, press: Press) -> None:
    session = begin()
    assert session.graded() == []
    row(session, press, 1, 3)
    press(session, "skip")
    session.go("q1", "d4")
    row(session, press, 3)
    press(session, "hard_negative")
    session.go("q1", "d1")
    found = [(r.doc_id, r.state.grade, r.title, r.current) for r in session.graded()]
    assert found == [
        ("d2", 3, "Text of 2.", False),
        ("d4", 3, "Text of 4.", False),
        ("d1", 1, "Title 1", True),
        ("d5", 0, "Title 5", False),
    ]
    session.go("q2")
    assert session.graded() == []


def test_what_was_left_is_visited_again_going_round(begin: Begin, press: Press) -> None:
    session = begin()
    for query_id, doc_id in (("q3", "d8"), ("q1", "d2"), ("q1", "d5"), ("q2", "d6")):
        session.go(query_id, doc_id)
        press(session, "flag")
    press(session, "grade", 1)  # flagged and graded
    session.go("q1", "d3")
    seen = []
    for _ in range(5):
        assert session.revisit("flagged") == Outcome(True, moved=True)
        seen.append(at(session))
    assert seen == ["q1/d5", "q2/d6", "q3/d8", "q1/d2", "q1/d5"]


@pytest.mark.parametrize("kind", ["flagged", "skipped", "cannot_judge"])
def test_each_kind_is_visited_apart(begin: Begin, press: Press, kind: Any) -> None:
    session = begin()
    name = kind.replace("_", "-")
    assert session.revisit(kind) == Outcome(False, f"there is no {name} candidate")
    places = {"flagged": "d1", "skipped": "d2", "cannot_judge": "d3"}
    for key, given in (("flag", []), ("skip", []), ("cannot_judge", ["l"])):
        session.go("q1", places["flagged" if key == "flag" else f"{key}ped" if not given else key])
        press(session, key, *given)
    session.go("q2")
    assert session.revisit(kind).moved
    assert at(session) == f"q1/{places[kind]}"
    assert session.revisit(kind) == Outcome(False, f"this is the only {name} candidate")


def test_what_was_left_is_found_from_the_end_of_all_work(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "flag")
    row(session, press, *[1] * 9)
    assert session.card is None
    assert session.revisit("flagged").moved
    assert at(session) == "q1/d1"


def test_without_advance_a_verdict_stays(begin: Begin, press: Press) -> None:
    session = begin()
    assert session.advance
    session.advance = False
    assert press(session, "grade", 2) == Outcome(True)
    assert press(session, "grade", 1) == Outcome(True)
    assert (at(session), session.rows()[0].state.grade) == ("q1/d1", 1)
    session.next()
    assert press(session, "hard_negative") == Outcome(True)
    assert at(session) == "q1/d2"
    session.next()
    assert press(session, "cannot_judge", "l") == Outcome(True)
    assert at(session) == "q1/d3"
    session.next()
    assert press(session, "skip").moved  # that is what a skip is for
    assert at(session) == "q1/d5"
    for _ in range(2):
        press(session, "undo")
    press(session, "redo")
    assert at(session) == "q1/d3"
    press(session, "redo")
    assert at(session) == "q1/d5"
    session.advance = True
    assert press(session, "grade", 2).moved
