"""What histories mean: worked examples of every rule, then the algebra on random ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.model import Event
from judge.judging.labels import OPS, UNJUDGED, Fold, Pair, PairState, fold, ordered

Make = Callable[..., Event]
PAIR = Pair("ann", "q1", "d1")
SESSION = "20250301T090000Z-00000001"
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


@pytest.mark.parametrize(
    ("history", "grade"),
    [
        # 1. An older event is taken back: the newer one stays.
        ("g1 g2 u1", 2),
        ("g1 g2 u1 r3", 2),
        ("g1 g2 u1 u2", None),
        # 2. Two are taken back, and one or both come again.
        ("g1 g2 u2 u1", None),
        ("g1 g2 u2 u1 r4", 1),
        ("g1 g2 u2 u1 r3", 2),
        ("g1 g2 u2 u1 r4 r3", 2),
        # 3. What comes again keeps its old place in the history.
        ("g1 u1 g2 r2", 2),
        ("g1 u1 g2 u3 r2", 1),
        ("g1 u1 g2 r2 u3", 1),
        # 4. A verdict of another kind, or none, comes between.
        ("g3 c u2", 3),
        ("g3 c u2 r3", None),
        ("g3 s u1", None),
        ("g3 s u1 u2 r3", 3),
        # 5. Undone, redone, and undone again: only the last undo can be redone.
        ("g1 u1 r2 u1", None),
        ("g1 u1 r2 u1 r4", 1),
        ("g1 u1 r2 u1 r2", None),
        ("g1 u1 r2 r2", 1),
        ("g1 u1 r2 u1 r4 u1 r4", None),
        # 6. The second undo of one event does nothing, so there is nothing to redo of it.
        ("g1 u1 u1 r3", None),
        ("g1 u1 u1 r2", 1),
        ("g1 u1 u1 r3 r2", 1),
        # 7. Undo of an undo or of a redo, and redo of a grade or of a redo, do nothing.
        ("g1 u1 u2", None),
        ("g1 u1 r2 u3", 1),
        ("g1 g2 r1", 2),
        ("g1 u1 r2 u1 r3", None),
    ],
)
def test_undo_and_redo_worked_by_hand(event: Make, history: str, grade: int | None) -> None:
    """`g2` grades 2, `s` skips, `c` clears, `u1` undoes the first event, `r3` redoes the third."""
    events: list[Event] = []
    for op, *number in history.split():
        if op == "g":
            events.append(event(grade=int(number[0])))
        elif op in "sc":
            events.append(event({"s": "skip", "c": "clear"}[op]))
        else:
            target = events[int(number[0]) - 1].event_id
            events.append(event({"u": "undo", "r": "redo"}[op], target=target))
    assert fold(events).get(PAIR, UNJUDGED).grade == grade
    assert literally(events).get(PAIR, UNJUDGED).grade == grade


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


def test_equal_ids_of_two_annotators_are_two_events(event: Make) -> None:
    same = {"session": SESSION, "event_id": f"{SESSION}-0", "seq": 0}
    ann, bob = event(grade=1, **same), event(grade=3, annotator="bob", **same)
    assert set(ordered([ann, bob, ann])) == {ann, bob}
    grades = {pair.annotator: state.grade for pair, state in fold([ann, bob]).items()}
    assert grades == {"ann": 1, "bob": 3}


def test_an_undo_means_the_event_of_its_own_annotator(event: Make) -> None:
    first = {"session": SESSION, "event_id": f"{SESSION}-0", "seq": 0}
    second = {"session": SESSION, "event_id": f"{SESSION}-1", "seq": 1}
    history = [
        event(grade=1, **first),
        event(grade=3, annotator="bob", **first),
        event("undo", target=f"{SESSION}-0", **second),
    ]
    assert {pair.annotator: s.grade for pair, s in fold(history).items()} == {"bob": 3}
    history += [
        event("undo", annotator="bob", target=f"{SESSION}-0", **second),
        event("redo", target=f"{SESSION}-1", event_id=f"{SESSION}-2", seq=2),
    ]
    assert {pair.annotator: s.grade for pair, s in fold(history).items()} == {"ann": 1}


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

SESSIONS = ["s1", "s2"]
IDS = [f"{session}-{seq}" for session in SESSIONS for seq in range(7)]
WHO = ["ann", "bob"]


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Two annotators with sessions of the same names, clocks that jump, targets that may not be."""
    events: list[Event] = []
    made: Counter[tuple[str, str]] = Counter()
    for _ in range(draw(st.integers(1, 14))):
        annotator, session = draw(st.sampled_from(WHO)), draw(st.sampled_from(SESSIONS))
        seq = made[annotator, session]
        made[annotator, session] += 1
        op: Any = draw(st.sampled_from([*sorted(OPS), "grade", "grade", "undo", "undo", "redo"]))
        own = [e.event_id for e in events if e.annotator == annotator]
        targets = st.sampled_from([*own, *own, *IDS, "nobody"])
        events.append(
            Event(
                event_id=f"{session}-{seq}",
                session=session,
                seq=seq,
                at=START + timedelta(seconds=draw(st.integers(0, 9))),
                annotator=annotator,
                source="human",
                op=op,
                query_id="q",
                doc_id=draw(st.sampled_from(["d1", "d2"])),
                target=draw(targets) if op in ("undo", "redo") else None,
                grade=draw(st.integers(0, 3)) if op == "grade" else None,
                hard_negative=draw(st.booleans()) if op == "grade" else False,
                reason=draw(st.sampled_from([None, "r"])) if op == "cannot_judge" else None,
                note=draw(st.sampled_from([None, "", "n", "m"])),
                evidence=((0, 4),) if op == "grade" and draw(st.booleans()) else (),
            )
        )
    return events


def literally(events: Iterable[Event]) -> dict[Pair, PairState]:
    """What a history means, as the rules say it, one annotator after the other."""
    states = {}
    unique = list(dict.fromkeys(events))
    for annotator in dict.fromkeys(event.annotator for event in unique):
        line = in_order([event for event in unique if event.annotator == annotator])
        for (query_id, doc_id), state in said_last(line).items():
            if state != UNJUDGED:
                states[Pair(annotator, query_id, doc_id)] = state
    return states


def in_order(events: list[Event]) -> list[Event]:
    """One annotator's events by the clock, and undo and redo not before what they speak of."""
    timed = []
    for event in events:
        before = [e.at for e in events if e.session == event.session and e.seq <= event.seq]
        timed.append((max(before), event.session, event.seq, event))
    line: list[Event] = []
    early: list[Event] = []

    def put(event: Event) -> None:
        line.append(event)
        for late in [e for e in early if e.target == event.event_id]:
            early.remove(late)
            put(late)

    for *_, event in sorted(timed):
        if event.op in ("undo", "redo") and event.target not in [e.event_id for e in line]:
            early.append(event)
        else:
            put(event)
    return line


def said_last(line: list[Event]) -> dict[tuple[str, str], PairState]:
    """What one annotator's events, in order, come to."""
    undone: dict[str, str] = {}  # what does not count now, and by which undo
    took: dict[str, str] = {}  # what each undo took back
    stated = []
    for event in line:
        target = event.target or ""
        if event.op == "undo":
            if target in [e.event_id for e in stated] and target not in undone:
                undone[target] = event.event_id
                took[event.event_id] = target
        elif event.op == "redo":
            if target in took and undone.get(took[target]) == target:
                del undone[took[target]]
        else:
            stated.append(event)
    now: dict[tuple[str, str], dict[str, Any]] = {}
    for event in stated:
        if event.event_id not in undone:
            pair = now.setdefault((event.query_id, event.doc_id), {"flagged": False, "note": ""})
            pair |= changes(event)
            if event.op == "clear":
                now[event.query_id, event.doc_id] = {k: pair[k] for k in ("flagged", "note")}
    return {pair: PairState(**fields) for pair, fields in now.items()}


def changes(event: Event) -> dict[str, Any]:
    """The fields of a state that an event sets."""
    none = {"grade": None, "hard_negative": False, "skipped": False, "cannot_judge": None}
    verdict = {**none, "evidence": (), "source": event.source, "at": event.at}
    if event.op == "grade":
        given_ = {"grade": event.grade, "hard_negative": event.hard_negative}
        return {**verdict, **given_, "evidence": event.evidence, "note": event.note or ""}
    if event.op == "skip":
        return {**verdict, "skipped": True}
    if event.op == "cannot_judge":
        return {**verdict, "cannot_judge": event.reason or ""}
    others: dict[str, dict[str, Any]] = {
        "flag": {"flagged": True},
        "unflag": {"flagged": False},
        "note": {"note": event.note or ""},
    }
    return others.get(event.op, {})


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


@given(histories(), st.lists(st.booleans(), min_size=14, max_size=14))
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
def test_a_history_means_what_the_rules_say(events: list[Event]) -> None:
    assert fold(events) == literally(events)


@given(histories())
def test_a_fold_kept_up_says_of_every_pair_what_the_rules_say(events: list[Event]) -> None:
    line = ordered(events)
    kept = Fold()
    for number, event in enumerate(line, 1):
        kept.apply(event)
        expected = literally(line[:number])
        for annotator in WHO:
            for doc_id in ("d1", "d2"):
                state = expected.get(Pair(annotator, "q", doc_id), UNJUDGED)
                assert kept.state(annotator, "q", doc_id) == state


@given(histories())
def test_taking_back_the_last_is_as_if_it_had_not_been(events: list[Event]) -> None:
    kept = Fold(ordered(events))
    before = kept.states()
    for last in (
        final("z", 0, "grade", grade=3),
        *(final("z", 0, "undo", target=event.event_id) for event in events),
        *(final("z", 0, "redo", target=event.event_id) for event in events),
    ):
        kept.apply(last)
        assert kept.states() == literally([*events, last])
        kept.retract(last)
        assert kept.states() == before


@given(histories())
def test_one_annotator_is_as_if_alone(events: list[Event]) -> None:
    own = fold(event for event in events if event.annotator == "ann")
    assert own == {pair: s for pair, s in fold(events).items() if pair.annotator == "ann"}
