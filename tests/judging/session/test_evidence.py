"""Evidence: which spans are taken, in what form, and with which event they are recorded."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.model import Candidate, Event
from judge.dataset.store import Dataset
from judge.judging.labels import read_labels
from judge.judging.session import Outcome, Session
from judge.judging.session.evidence import merged, misplaced

Begin = Callable[..., Session]
Press = Callable[..., Any]

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda s: (s[0], sum(s))))


def events(dataset: Dataset) -> tuple[Event, ...]:
    return read_labels(dataset.workspace.label_folder("demo"), "demo").events


def shown(session: Session) -> Any:
    """The evidence that the card shows."""
    assert session.card is not None
    return session.card.state.evidence


def covered(spans: Any) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


@given(SPANS)
def test_merged_spans_cover_the_same_and_lie_apart(spans: list[tuple[int, int]]) -> None:
    found = merged(spans)
    assert covered(found) == covered(spans)
    assert all(start < end for start, end in found)
    assert all(one[1] < two[0] for one, two in itertools.pairwise(found))
    assert merged(found) == found


@pytest.mark.parametrize("span", [(-1, 3), (2, 2), (3, 2), (0, 11), (11, 12)])
def test_spans_outside_the_text_are_named(span: tuple[int, int]) -> None:
    assert misplaced([(0, 10), span], 10) == span
    assert misplaced([(0, 10), (9, 10)], 10) is None


def test_it_goes_with_the_grade(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()
    outcome = press(session, "evidence", [(5, 7), (0, 4), (3, 5)])
    assert outcome == Outcome(True, "kept for the grade")
    assert events(dataset) == ()
    assert session.card is not None
    assert session.card.state.evidence == ((0, 7),)
    session.next()
    session.previous()
    press(session, "flag")
    press(session, "grade", 2)
    assert [(e.op, e.evidence) for e in events(dataset)] == [("flag", ()), ("grade", ((0, 7),))]
    assert session.rows()[0].state.evidence == ((0, 7),)


@pytest.mark.parametrize("key", [("hard_negative",), ("rest",)])
def test_it_goes_with_other_ways_to_grade(
    dataset: Dataset, begin: Begin, press: Press, key: tuple[Any, ...]
) -> None:
    session = begin()
    press(session, "evidence", [(1, 4)])
    press(session, *key)
    assert events(dataset)[0].evidence == ((1, 4),)
    assert {e.evidence for e in events(dataset)[1:]} <= {()}


def test_on_a_graded_card_the_grade_is_written_anew(
    dataset: Dataset, begin: Begin, press: Press
) -> None:
    session = begin()
    press(session, "note", "n")
    press(session, "hard_negative")
    session.previous()
    assert press(session, "evidence", [(0, 4)]) == Outcome(True)
    assert press(session, "evidence", [(2, 4), (0, 3)]).message == "the evidence is as it was"
    event = events(dataset)[-1]
    assert (event.op, event.grade, event.hard_negative, event.note) == ("grade", 0, True, "n")
    assert event.evidence == ((0, 4),)
    press(session, "grade", 1)
    assert events(dataset)[-1].evidence == ((0, 4),)
    session.previous()
    assert press(session, "evidence", []) == Outcome(True)
    assert events(dataset)[-1].evidence == ()
    press(session, "undo")
    assert session.rows()[0].state.evidence == ((0, 4),)


def test_spans_that_do_not_fit_are_refused(dataset: Dataset, begin: Begin, press: Press) -> None:
    session = begin()  # "Text of 1." has ten characters
    for span in ((-1, 2), (4, 4), (5, 3), (0, 11)):
        outcome = press(session, "evidence", [(0, 1), span])
        assert outcome == Outcome(False, f"evidence {span[0]}-{span[1]} is not in the text (0-10)")
    assert press(session, "evidence", [(0, 10)]).accepted
    assert press(session, "evidence", []).accepted
    press(session, "grade", 1)
    assert events(dataset)[0].evidence == ()


def test_it_is_kept_with_its_card_until_it_is_graded_or_cleared(begin: Begin, press: Press) -> None:
    session = begin()
    press(session, "evidence", [(0, 4)])
    press(session, "skip")
    press(session, "grade", 1)
    rows = session.rows()
    assert rows[1].state.evidence == ()
    session.go("q1", "d1")
    assert shown(session) == ((0, 4),)
    press(session, "grade", 2)
    press(session, "undo")
    assert shown(session) == ((0, 4),)  # as before the grade
    press(session, "clear")
    assert shown(session) == ()
    press(session, "grade", 2)
    assert session.rows()[0].state.evidence == ()


def test_a_document_without_text_has_no_evidence(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    lost = [Candidate("q4", "gone", "r", 1, 0)]
    dataset.add_pool(lost, order="depth", seed=0, made_by={}, now=clock.now)
    session = begin()
    session.go("q4")
    assert press(session, "evidence", []).message.startswith("this document has no text")
