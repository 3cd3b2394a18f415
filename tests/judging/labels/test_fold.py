"""What histories mean: worked examples of every rule, then the algebra on random ones."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from judge.core.model import Event
from judge.judging.labels import OPS, UNJUDGED, Fold, Pair, PairState, fold, ordered

Make = Callable[..., Event]
PAIR = Pair("ann", "q1", "d1")
START = datetime(2025, 3, 1, 9, 0, tzinfo=UTC)


def test_a_grade_carries_the_whole_judgment(event: Make) -> None:
    made = event(grade=1, hard_negative=True, note="near miss", evidence=((0, 4),))
    assert fold([made]) == {
        PAIR: PairState(
            grade=1,
            hard_negative=True,
            note="near miss",
            source="human",
            evidence=((0, 4),),
            at=made.at,
        )
    }


def test_the_latest_verdict_decides(event: Make) -> None:
    kinds = []
    history: list[Event] = []
    for op, extra in (
        ("grade", {"grade": 3}),
        ("skip", {}),
        ("cannot_judge", {"reason": "unknown language"}),
        ("grade", {"grade": 0}),
        ("clear", {}),
    ):
        history.append(event(op, **extra))
        kinds.append(fold(history).get(PAIR, UNJUDGED))
    assert [state.kind for state in kinds] == [
        "graded",
        "skipped",
        "cannot_judge",
        "graded",
        "unjudged",
    ]
    assert [state.grade for state in kinds] == [3, None, None, 0, None]
    assert kinds[2].cannot_judge == "unknown language"


def test_four_kinds_are_four_things(event: Make) -> None:
    grade_zero = fold([event(grade=0)])[PAIR]
    skipped = fold([event("skip")])[PAIR]
    cannot = fold([event("cannot_judge")])[PAIR]
    assert [s.kind for s in (grade_zero, skipped, cannot, UNJUDGED)] == [
        "graded",
        "skipped",
        "cannot_judge",
        "unjudged",
    ]


def test_notes_and_flags_go_beside_the_verdict(event: Make) -> None:
    history = [event("note", note="odd"), event("flag")]
    assert fold(history)[PAIR] == PairState(flagged=True, note="odd")
    history += [event("skip")]
    assert (fold(history)[PAIR].flagged, fold(history)[PAIR].note) == (True, "odd")
    history += [event("unflag"), event(grade=2, note="odd"), event("note", note="")]
    state = fold(history)[PAIR]
    assert (state.flagged, state.note, state.grade) == (False, "", 2)


def test_a_confirmation_keeps_all(event: Make) -> None:
    graded = event(grade=2, note="n")
    assert fold([graded, event("confirm")]) == fold([graded])


def test_clear_takes_verdict_and_mark_but_not_note_and_flag(event: Make) -> None:
    history = [event(grade=0, hard_negative=True, note="n"), event("flag"), event("clear")]
    assert fold(history)[PAIR] == PairState(flagged=True, note="n")


def test_undo_and_redo(event: Make) -> None:
    first, second = event(grade=1), event(grade=2)
    undo = event("undo", target=second.event_id)
    redo = event("redo", target=undo.event_id)
    assert fold([first, second, undo])[PAIR].grade == 1
    assert fold([first, second, undo, redo])[PAIR].grade == 2


def test_undo_of_the_only_event_leaves_nothing(event: Make) -> None:
    first = event(grade=1)
    assert fold([first, event("undo", target=first.event_id)]) == {}


def test_every_state_op_can_be_undone(event: Make) -> None:
    before = event(grade=2, note="kept")
    for op in ("grade", "skip", "cannot_judge", "note", "flag", "unflag", "confirm", "clear"):
        extra = {"grade": 0, "note": ""} if op == "grade" else {}
        changed = event(op, **extra)
        undo = event("undo", target=changed.event_id)
        assert fold([before, changed, undo]) == fold([before]), op


def test_an_undone_event_may_be_redone_and_undone_again(event: Make) -> None:
    made = event(grade=3)
    undo = event("undo", target=made.event_id)
    redo = event("redo", target=undo.event_id)
    again = event("undo", target=made.event_id)
    assert fold([made, undo, redo, again]) == {}
    last = event("redo", target=again.event_id)
    assert fold([made, undo, redo, again, last])[PAIR].grade == 3


def test_repeated_unknown_and_wrong_targets_change_nothing(event: Make) -> None:
    first, second = event(grade=1), event(grade=2)
    undo = event("undo", target=second.event_id)
    history = [first, second, undo]
    useless = [
        event("undo", target=second.event_id),  # undone already
        event("undo", target="nobody"),
        event("undo", target=None),
        event("undo", target=undo.event_id),  # an undo is undone by redo, not by undo
        event("redo", target="nobody"),
        event("redo", target=first.event_id),  # not an undo
    ]
    assert fold(history + useless) == fold(history)
    repeated = useless[0]
    assert fold([*history, repeated, event("redo", target=repeated.event_id)]) == fold(history)


def test_a_redo_counts_once(event: Make) -> None:
    made = event(grade=3)
    undo = event("undo", target=made.event_id)
    redo = event("redo", target=undo.event_id)
    again = event("undo", target=made.event_id)
    stale = event("redo", target=undo.event_id)
    assert fold([made, undo, redo, again, stale]) == {}


def test_events_that_target_themselves_or_each_other_change_nothing(event: Make) -> None:
    made = event()
    circle = [
        event("undo", event_id="u1", target="u1"),
        event("redo", event_id="r1", target="r1"),
        event("undo", event_id="u2", target="u3"),
        event("undo", event_id="u3", target="u2"),
        event("redo", event_id="r2", target="r3"),
        event("redo", event_id="r3", target="r2"),
    ]
    assert fold([made, *circle]) == fold([made])


def test_an_annotator_undoes_only_own_events(event: Make) -> None:
    made = event(grade=2)
    foreign = event("undo", annotator="bob", session="s-bob", target=made.event_id)
    assert fold([made, foreign]) == fold([made])
    undo = event("undo", target=made.event_id)
    meddling = event("redo", annotator="bob", session="s-bob", target=undo.event_id)
    assert fold([made, undo, meddling]) == {}


def test_an_undo_from_a_slow_clock_still_counts(event: Make) -> None:
    made = event(grade=2, at=START + timedelta(hours=1))
    undo = event("undo", session="s-laptop", at=START, target=made.event_id)
    redo = event("redo", session="s-phone", at=START - timedelta(hours=1), target=undo.event_id)
    assert fold([made, undo]) == {}
    assert fold([made, undo, redo])[PAIR].grade == 2


def test_a_clock_running_backwards_does_not_reorder_a_session(event: Make) -> None:
    first = event(grade=1, at=START + timedelta(hours=2))
    second = event(grade=2, at=START)
    third = event(grade=3, session="other", at=START + timedelta(hours=1))
    assert [e.grade for e in ordered([third, second, first])] == [3, 1, 2]
    assert fold([third, second, first])[PAIR].grade == 2


def test_annotators_and_pairs_are_apart(event: Make) -> None:
    history = [
        event(grade=1),
        event(grade=2, annotator="bob"),
        event(grade=3, doc_id="d2"),
        event(grade=0, query_id="q2"),
    ]
    grades = {tuple(pair): state.grade for pair, state in fold(history).items()}
    assert grades == {
        ("ann", "q1", "d1"): 1,
        ("bob", "q1", "d1"): 2,
        ("ann", "q1", "d2"): 3,
        ("ann", "q2", "d1"): 0,
    }


def test_one_session_name_for_two_annotators_does_not_mix_their_clocks(event: Make) -> None:
    late = event(grade=1, annotator="bob", at=START + timedelta(hours=5))
    early = event(grade=2, at=START)
    later = event(grade=3, session="s2", at=START + timedelta(hours=1))
    assert fold([late, early, later])[PAIR].grade == 3


def test_one_id_with_two_contents_is_settled_without_regard_to_order(event: Make) -> None:
    one = event(grade=1)
    other = one._replace(grade=2)
    assert fold([one, other]) == fold([other, one])
    assert len(ordered([one, other])) == 1


def test_a_fold_kept_up_event_by_event_can_take_back_the_last(event: Make) -> None:
    first, second = event(grade=1), event(grade=2)
    undo = event("undo", target=second.event_id)
    redo = event("redo", target=undo.event_id)
    kept = Fold()
    seen = []
    for made in (first, second, undo, redo):
        seen.append(kept.states())
        assert kept.apply(made)
    for made in (redo, undo, second, first):
        kept.retract(made)
        assert kept.states() == seen.pop()
    assert kept.state(*PAIR) == UNJUDGED


# --- the algebra -------------------------------------------------------------------------------

IDS = [f"e{number}" for number in range(12)]


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Two annotators, each with two sessions, clocks that jump, and targets that may not exist."""
    events: list[Event] = []
    for number, event_id in enumerate(IDS[: draw(st.integers(1, len(IDS)))]):
        annotator = draw(st.sampled_from(["ann", "bob"]))
        op: Any = draw(st.sampled_from([*sorted(OPS), "grade", "undo", "undo", "redo"]))
        events.append(
            Event(
                event_id=event_id,
                session=draw(st.sampled_from(["s1", "s2"])),
                seq=number,
                at=START + timedelta(seconds=draw(st.integers(0, 9))),
                annotator=annotator,
                source="human",
                op=op,
                query_id="q",
                doc_id=draw(st.sampled_from(["d1", "d2"])),
                target=draw(st.sampled_from([*IDS, "nobody"])) if op in ("undo", "redo") else None,
                grade=draw(st.integers(0, 3)) if op == "grade" else None,
                note=draw(st.sampled_from([None, "", "n", "m"])),
            )
        )
    return events


def final(session: str, seq: int, op: Any, **given: Any) -> Event:
    """An event after all others."""
    values = {"query_id": "q", "doc_id": "d1", "annotator": "ann"} | given
    at = START + timedelta(days=1, seconds=seq)
    return Event(
        event_id=f"{session}-{seq}",
        session=session,
        seq=seq,
        at=at,
        op=op,
        source="human",
        **values,
    )


@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_files_and_rows_does_not_matter(events: list[Event], random: Any) -> None:
    mixed = list(events)
    random.shuffle(mixed)
    assert fold(mixed) == fold(events)
    assert ordered(mixed) == ordered(events)


@given(histories(), st.lists(st.booleans(), min_size=12, max_size=12))
def test_merging_is_a_union(events: list[Event], sides: list[bool]) -> None:
    left = [event for event, side in zip(events, sides, strict=False) if side]
    right = [event for event, side in zip(events, sides, strict=False) if not side]
    shared = events[::2]
    assert fold([*left, *right]) == fold([*right, *left]) == fold(events)
    assert fold([*left, *shared, *right, *left]) == fold(events)


@given(histories())
def test_undo_then_redo_is_as_before(events: list[Event]) -> None:
    made = final("z", 0, "grade", grade=3)
    undo = final("z", 1, "undo", target=made.event_id)
    redo = final("z", 2, "redo", target=undo.event_id)
    assert fold([*events, made, undo]) == fold(events)
    assert fold([*events, made, undo, redo]) == fold([*events, made])


@given(histories(), st.sampled_from(["undo", "redo"]))
def test_an_unknown_target_changes_nothing(events: list[Event], op: str) -> None:
    assert fold([*events, final("z", 0, op, target="not there")]) == fold(events)


@given(histories())
def test_keeping_up_is_the_same_as_folding(events: list[Event]) -> None:
    kept = Fold()
    for event in ordered(events):
        kept.apply(event)
    assert kept.states() == fold(events)
    for pair, state in fold(events).items():
        assert kept.state(*pair) == state


@given(histories())
def test_one_annotator_is_as_if_alone(events: list[Event]) -> None:
    own = fold(event for event in events if event.annotator == "ann")
    assert own == {pair: s for pair, s in fold(events).items() if pair.annotator == "ann"}
