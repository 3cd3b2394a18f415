"""What a history of events means for each pair, in whatever order its files come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from judge.judging.labels.events import VERDICT_OPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from judge.core.model import Event, Source

Kind = Literal["unjudged", "graded", "skipped", "cannot_judge"]


class Pair(NamedTuple):
    """Whose verdict on which document for which query."""

    annotator: str
    query_id: str
    doc_id: str


class PairState(NamedTuple):
    """What one annotator thinks of one pair now.

    Attributes:
        grade: None unless graded.
        hard_negative: The mark; only on a graded pair.
        skipped: Put off; still unjudged for everybody else.
        cannot_judge: The reason, or None.
        flagged: Unsure, whatever the verdict.
        note: The latest note.
        source: Where the verdict comes from; None without one.
        evidence: Code-point spans that the verdict rests on.
        at: When the verdict was given; None without one.
    """

    grade: int | None = None
    hard_negative: bool = False
    skipped: bool = False
    cannot_judge: str | None = None
    flagged: bool = False
    note: str = ""
    source: Source | None = None
    evidence: tuple[tuple[int, int], ...] = ()
    at: datetime | None = None

    @property
    def kind(self) -> Kind:
        """Which of the four different things the pair is."""
        if self.grade is not None:
            return "graded"
        if self.cannot_judge is not None:
            return "cannot_judge"
        return "skipped" if self.skipped else "unjudged"


UNJUDGED = PairState()


def ordered(events: Iterable[Event]) -> tuple[Event, ...]:
    """Events in the total order that all readers agree on, without repeats.

    The order is (running maximum of `at` within the session, session, seq): a clock that runs
    backwards does not reorder a session, and no file order matters. Two annotators are kept apart
    even if their sessions, and so their events, have the same names. Of two events of one annotator
    with one id and different contents (which no writer of ours makes) one is kept by a rule that
    does not depend on the order either.
    """
    sessions: dict[tuple[str, str], list[Event]] = {}
    for event in _without_repeats(events):
        sessions.setdefault((event.annotator, event.session), []).append(event)
    keyed = []
    for group in sessions.values():
        group.sort(key=lambda event: (event.seq, event.event_id))
        latest = group[0].at
        for event in group:
            latest = max(latest, event.at)
            keyed.append((latest, event.session, event.seq, event.annotator, event.event_id, event))
    keyed.sort()
    return tuple([row[-1] for row in keyed])


def _without_repeats(events: Iterable[Event]) -> Iterable[Event]:
    kept: dict[_Key, Event] = {}
    for event in events:
        other = kept.setdefault(_key(event), event)
        if other is not event and other != event:
            kept[_key(event)] = min(other, event, key=repr)
    return kept.values()


_Key = tuple[str, str]
"""An annotator, and the id of an event that is unique among that annotator's."""


def _key(event: Event) -> _Key:
    return event.annotator, event.event_id


def _target_key(event: Event) -> _Key:
    """What an undo or redo speaks of: always something of its own annotator."""
    return event.annotator, event.target or ""


class Fold:
    """The state of every pair, kept up event by event.

    Events must come in the total order (`ordered`). An undo or redo acts only on events of its own
    annotator. One that stands before its target, because two machines' clocks disagree, waits for
    it: an id cannot be known before its event was written. A target that never comes, is of the
    wrong kind, or was already undone or redone changes nothing.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._pairs: dict[Pair, list[Event]] = {}
        self._stated: dict[_Key, Event] = {}
        # Effective undo -> the state event that it took back.
        self._undoing: dict[_Key, Event] = {}
        # State event -> the undo that keeps it from counting now.
        self._holding: dict[_Key, _Key] = {}
        # Effective redo -> the state event that it brought back.
        self._redone: dict[_Key, Event] = {}
        self._waiting: dict[_Key, list[Event]] = {}
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> bool:
        """Take the next event; True if it changed something (a state event always does)."""
        effective = self._apply(event)
        if effective and self._waiting:
            for late in self._waiting.pop(_key(event), ()):
                self.apply(late)
        return effective

    def retract(self, event: Event) -> None:
        """Take back the event applied last, which changed something: its save failed."""
        if event.op == "undo":
            del self._holding[_key(self._undoing.pop(_key(event)))]
        elif event.op == "redo":
            self._holding[_key(self._redone.pop(_key(event)))] = _target_key(event)
        else:
            del self._stated[_key(event)]
            self._pairs[Pair(event.annotator, event.query_id, event.doc_id)].remove(event)

    def counts(self, event: Event) -> bool:
        """Whether this state event, which was applied, is not undone."""
        return _key(event) not in self._holding

    def held_by(self, undo: Event) -> Event | None:
        """The state event that this undo keeps from counting now; None if it was redone."""
        target = self._undoing.get(_key(undo))
        if target is None or self._holding.get(_key(target)) != _key(undo):
            return None
        return target

    def state(self, annotator: str, query_id: str, doc_id: str) -> PairState:
        """What the annotator thinks of the pair; `UNJUDGED` where nothing was said."""
        return self._state(self._pairs.get(Pair(annotator, query_id, doc_id), ()))

    def states(self) -> dict[Pair, PairState]:
        """Every pair of which something is said now; pairs back at `UNJUDGED` are left out."""
        states = ((pair, self._state(said)) for pair, said in self._pairs.items())
        return {pair: state for pair, state in states if state is not UNJUDGED}

    def _apply(self, event: Event) -> bool:
        if event.op == "undo":
            return self._undo(event)
        if event.op == "redo":
            return self._redo(event)
        self._stated[_key(event)] = event
        pair = Pair(event.annotator, event.query_id, event.doc_id)
        self._pairs.setdefault(pair, []).append(event)
        return True

    def _undo(self, undo: Event) -> bool:
        name = _target_key(undo)
        target = self._stated.get(name)
        if target is None:
            self._waiting.setdefault(name, []).append(undo)
            return False
        if name in self._holding:
            return False
        self._holding[name] = _key(undo)
        self._undoing[_key(undo)] = target
        return True

    def _redo(self, redo: Event) -> bool:
        undo = _target_key(redo)
        target = self._undoing.get(undo)
        if target is None:
            self._waiting.setdefault(undo, []).append(redo)
            return False
        if self._holding.get(_key(target)) != undo:
            return False
        del self._holding[_key(target)]
        self._redone[_key(redo)] = target
        return True

    def _state(self, said: Sequence[Event]) -> PairState:
        """A final grade stands above what the same person judged as an annotator."""
        final = self._layer([event for event in said if event.source == "adjudicated"])
        own = self._layer([event for event in said if event.source != "adjudicated"])
        return final if final.grade is not None or own is UNJUDGED else own

    def _layer(self, said: Iterable[Event]) -> PairState:
        verdict: Event | None = None
        flagged, note = False, ""
        for event in said:
            if _key(event) in self._holding:
                continue
            op = event.op
            if op in _DECIDING:
                verdict = event
            if op in _NOTING:
                note = event.note or ""
            elif op in _FLAGGING:
                flagged = op == "flag"
        if verdict is None or verdict.op == "clear":
            return PairState(flagged=flagged, note=note) if flagged or note else UNJUDGED
        return _judged(verdict, flagged=flagged, note=note)


_DECIDING = VERDICT_OPS | {"clear"}
_NOTING = frozenset({"grade", "note"})
_FLAGGING = frozenset({"flag", "unflag"})


def _judged(verdict: Event, *, flagged: bool, note: str) -> PairState:
    graded = verdict.op == "grade"
    return PairState(
        verdict.grade if graded else None,
        verdict.hard_negative and graded,
        verdict.op == "skip",
        (verdict.reason or "") if verdict.op == "cannot_judge" else None,
        flagged,
        note,
        verdict.source,
        verdict.evidence if graded else (),
        verdict.at,
    )


def fold(events: Iterable[Event]) -> dict[Pair, PairState]:
    """The state of every pair after a history, in whatever order and however often its events come.

    A pair of which nothing is said (any more) is absent. `fold(a + b) == fold(b + a)`, and merging
    twice changes nothing.
    """
    return Fold(ordered(events)).states()
