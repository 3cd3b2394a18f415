"""The fold against the rules written out in full, by hand and on random histories; its algebra."""

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
START = datetime(2025, 3, 1, 9, 0, tzinfo=UTC)


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
    stated: list[Event] = []
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
    ops = {"s": "skip", "c": "clear", "u": "undo", "r": "redo"}
    for step in history.split():
        if step[0] == "g":
            events.append(event(grade=int(step[1:])))
        elif step in "sc":
            events.append(event(ops[step]))
        else:
            target = events[int(step[1:]) - 1].event_id
            events.append(event(ops[step[0]], target=target))
    assert fold(events).get(PAIR, UNJUDGED).grade == grade
    assert literally(events).get(PAIR, UNJUDGED).grade == grade


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
        if kept.apply(last):
            assert kept.states() == literally([*events, last])
            kept.retract(last)
        assert kept.states() == before


@given(histories())
def test_one_annotator_is_as_if_alone(events: list[Event]) -> None:
    own = fold(event for event in events if event.annotator == "ann")
    assert own == {pair: s for pair, s in fold(events).items() if pair.annotator == "ann"}
