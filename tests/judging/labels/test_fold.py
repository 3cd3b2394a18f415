"""What histories mean: worked examples of every rule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from judge.core.model import Event
from judge.judging.labels import UNJUDGED, Fold, Pair, PairState, fold, ordered

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
