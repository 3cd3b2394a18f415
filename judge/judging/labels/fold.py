"""What a history of events means for each pair, in whatever order its files come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from judge.core.model import Event, Source

Kind = Literal["unjudged", "graded", "skipped", "cannot_judge"]


class Pair(NamedTuple):
    """Whose verdict on which document for which query."""

    annotator: str
    query_id: str
    doc_id: str


@dataclass(frozen=True, slots=True)
class PairState:
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
    backwards does not reorder a session, and no file order matters. Sessions of two annotators are
    kept apart even if their names are the same. Of two events with one id and different contents
    (which no writer of ours makes) one is kept by a rule that does not depend on the order either.
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
    return tuple(row[-1] for row in keyed)


def _without_repeats(events: Iterable[Event]) -> Iterable[Event]:
    kept: dict[str, Event] = {}
    for event in events:
        other = kept.setdefault(event.event_id, event)
        if other is not event and other != event:
            kept[event.event_id] = min(other, event, key=repr)
    return kept.values()


class Fold:
    """The state of every pair, kept up event by event.

    Events must come in the total order (`ordered`). An undo or redo acts only on events of its own
    annotator. One that stands before its target, because two machines' clocks disagree, waits for
    it: an id cannot be known before its event was written. A target that never comes, is of the
    wrong kind, or was already undone or redone changes nothing.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._pairs: dict[tuple[str, str, str], list[Event]] = {}
        self._stated: dict[str, Event] = {}
        self._undoing: dict[str, Event] = {}  # effective undo -> the state event it took back
        self._holding: dict[
            str, str
        ] = {}  # state event -> the undo that keeps it from counting now
        self._redone: dict[str, Event] = {}  # effective redo -> the state event it brought back
        self._waiting: dict[str, list[Event]] = {}
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> bool:
        """Take the next event; True if it changed something (a state event always does)."""
        effective = self._apply(event)
        if effective and self._waiting:
            for late in self._waiting.pop(event.event_id, ()):
                self.apply(late)
        return effective

    def retract(self, event: Event) -> None:
        """Take back the event applied last, as if it had never been (its save failed)."""
        if event.op == "undo":
            undone = self._undoing.pop(event.event_id, None)
            if undone is not None:
                del self._holding[undone.event_id]
        elif event.op == "redo":
            again = self._redone.pop(event.event_id, None)
            if again is not None and event.target is not None:
                self._holding[again.event_id] = event.target
        else:
            del self._stated[event.event_id]
            self._pairs[event.annotator, event.query_id, event.doc_id].remove(event)

    def counts(self, event_id: str) -> bool:
        """Whether this is a state event that is not undone."""
        return event_id in self._stated and event_id not in self._holding

    def held_by(self, undo_id: str) -> Event | None:
        """The state event that this undo keeps from counting now; None if it was redone."""
        target = self._undoing.get(undo_id)
        if target is None or self._holding.get(target.event_id) != undo_id:
            return None
        return target

    def state(self, annotator: str, query_id: str, doc_id: str) -> PairState:
        """What the annotator thinks of the pair; `UNJUDGED` where nothing was said."""
        return self._state(self._pairs.get((annotator, query_id, doc_id), ()))

    def states(self) -> dict[Pair, PairState]:
        """Every pair of which something is said now; pairs back at `UNJUDGED` are left out."""
        states = ((Pair(*pair), self._state(said)) for pair, said in self._pairs.items())
        return {pair: state for pair, state in states if state is not UNJUDGED}

    def _apply(self, event: Event) -> bool:
        if event.op == "undo":
            return self._undo(event)
        if event.op == "redo":
            return self._redo(event)
        self._stated[event.event_id] = event
        pair = (event.annotator, event.query_id, event.doc_id)
        self._pairs.setdefault(pair, []).append(event)
        return True

    def _undo(self, undo: Event) -> bool:
        target = self._stated.get(undo.target or "")
        if target is None:
            self._waiting.setdefault(undo.target or "", []).append(undo)
            return False
        if target.annotator != undo.annotator or target.event_id in self._holding:
            return False
        self._holding[target.event_id] = undo.event_id
        self._undoing[undo.event_id] = target
        return True

    def _redo(self, redo: Event) -> bool:
        undo_id = redo.target or ""
        target = self._undoing.get(undo_id)
        if target is None:
            self._waiting.setdefault(undo_id, []).append(redo)
            return False
        if target.annotator != redo.annotator or self._holding.get(target.event_id) != undo_id:
            return False
        del self._holding[target.event_id]
        self._redone[redo.event_id] = target
        return True

    def _state(self, said: Iterable[Event]) -> PairState:
        verdict: Event | None = None
        flagged, note = False, ""
        for event in said:
            if event.event_id in self._holding:
                continue
            op = event.op
            if op in _VERDICTS:
                verdict = event
            if op in _NOTING:
                note = event.note or ""
            elif op in _FLAGGING:
                flagged = op == "flag"
        if verdict is None or verdict.op == "clear":
            return PairState(flagged=flagged, note=note) if flagged or note else UNJUDGED
        return _judged(verdict, flagged=flagged, note=note)


_VERDICTS = frozenset({"grade", "skip", "cannot_judge", "clear"})
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
