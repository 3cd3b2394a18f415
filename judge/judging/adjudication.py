"""How disagreements are settled: final grades beside those of the annotators, each safe on disk."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

from judge import __version__
from judge.core.errors import NotFound
from judge.core.model import Event
from judge.core.text import digest
from judge.core.workspace import annotator_name
from judge.judging.labels import (
    STATE_OPS,
    UNJUDGED,
    Fold,
    Saver,
    SegmentWriter,
    new_session_id,
)
from judge.judging.labels.events import event_id
from judge.judging.session import SaveState, local_now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future
    from pathlib import Path
    from typing import Unpack

    from judge.core.model import Op, Scale
    from judge.dataset.store import Dataset
    from judge.judging.labels import Labels, PairState
    from judge.judging.labels.saver import Appender

SOURCE: Final = "adjudicated"
SAVED: Final = SaveState("saved")
SAVING: Final = SaveState("saving")
UNSAVED = "key ignored: the last final grade is still being saved"
CLOSED = "key ignored: the adjudication is closed"


class FinalGrade(NamedTuple):
    """What an adjudicator settled on for a pair."""

    adjudicator: str
    grade: int
    hard_negative: bool = False
    note: str = ""


@dataclass(frozen=True)
class Ruling:
    """What became of an action.

    Attributes:
        accepted: Whether it was done.
        message: What the adjudicator should read; may be empty.
        pair: Query and document that it leads to; None: to none.
    """

    accepted: bool
    message: str = ""
    pair: tuple[str, str] | None = None


class _Pending(NamedTuple):
    """The save under way: of which event, and how it ends."""

    event: Event
    ending: Future[str | None]


class _Facts(TypedDict, total=False):
    """The fields of an event that depend on the action; see `Event`."""

    target: str
    grade: int
    hard_negative: bool
    note: str | None
    query_sha: str
    doc_sha: str


def final_grades(labels: Labels) -> dict[tuple[str, str], FinalGrade]:
    """The final grade of each pair that has one, by query and document id.

    Of several adjudicators the one who spoke last counts, as in merging; of several at once the one
    with the lowest grade.
    """
    given: dict[tuple[str, str], list[tuple[str, PairState]]] = {}
    for pair, state in Fold(_final_events(labels)).states().items():
        given.setdefault((pair.query_id, pair.doc_id), []).append((pair.annotator, state))
    latest = {pair: _latest(states) for pair, states in given.items()}
    return {pair: final for pair, final in latest.items() if final is not None}


def _final_events(labels: Labels) -> list[Event]:
    return [event for event in labels.events if event.source == SOURCE]


def _latest(given: Iterable[tuple[str, PairState]]) -> FinalGrade | None:
    best: tuple[datetime, int] | None = None
    final = None
    for name, state in given:
        if state.grade is None or state.at is None:
            continue
        rank = (state.at, -state.grade)
        if best is None or rank > best:
            best = rank
            final = FinalGrade(name, state.grade, state.hard_negative, state.note)
    return final


class Adjudication:
    """One adjudicator at work on one dataset; made by `Adjudication.open`.

    Final grades are events of source `adjudicated` under the adjudicator's own name, in a session
    of their own. What the same person judged as an annotator is another matter: it is not seen
    here, and undo and redo go through final grades only, of this and of earlier sessions.

    At most one event is under way; until it is acknowledged, every further action is refused. If
    its save fails, everything is as if it had not been. All methods are called from one thread.

    Args:
        dataset: What the pairs are of.
        adjudicator: Who settles.
        labels: What everybody did before, with at least `STATE_COLUMNS`.
        session: The id of this session.
        clock: Gives the time.
        tool: Program and version, for the events.
        saver: The thread that saves.
    """

    def __init__(
        self,
        dataset: Dataset,
        adjudicator: str,
        labels: Labels,
        *,
        session: str,
        clock: Callable[[], datetime],
        tool: str,
        saver: Saver,
    ) -> None:
        self.dataset, self.adjudicator = dataset, adjudicator
        self._session, self._clock, self._tool, self._saver = session, clock, tool, saver
        finals = _final_events(labels)
        self._fold = Fold(finals)
        self._own = [event for event in finals if event.annotator == adjudicator]
        self._names: dict[tuple[str, str], set[str]] = {}
        for event in finals:
            self._names.setdefault((event.query_id, event.doc_id), set()).add(event.annotator)
        last = max((e.at for e in labels.events), default=datetime.min.replace(tzinfo=UTC))
        # On a machine whose clock is behind, what is settled now would else count as older.
        self._earliest = last + timedelta(microseconds=1)
        self._seq = 0
        self._pending: _Pending | None = None
        self._subscribers: list[Callable[[], None]] = []
        self._closed = False
        self.save_state = SAVED

    @classmethod
    def open(
        cls,
        dataset: Dataset,
        adjudicator: str,
        labels: Labels,
        *,
        clock: Callable[[], datetime] = local_now,
        tool: str = f"judge {__version__}",
        token: Callable[[int], str] = secrets.token_hex,
        writer: Callable[[Path, str, str], Appender] = SegmentWriter,
    ) -> Adjudication:
        """Begin to settle; nothing is written before the first action.

        Args:
            dataset: What the pairs are of.
            adjudicator: Who settles.
            labels: What everybody did before, with at least `STATE_COLUMNS`.
            clock: Gives the time with its zone.
            tool: Program and version, for the events.
            token: Gives random hex digits, for the session's id.
            writer: Makes what saves, from the adjudicator's folder, the dataset's name and the
                session's id.

        Raises:
            InputError: Nobody may judge under this name.
        """
        folder = dataset.workspace.label_folder(dataset.name) / annotator_name(adjudicator)
        session = new_session_id(clock, token)
        saver = Saver(writer(folder, dataset.name, session))
        return cls(
            dataset, adjudicator, labels, session=session, clock=clock, tool=tool, saver=saver
        )

    # --- what there is to see -------------------------------------------------------------------

    @property
    def scale(self) -> Scale:
        """The grades of the dataset."""
        return self.dataset.manifest.scale

    def final(self, query_id: str, doc_id: str) -> FinalGrade | None:
        """The final grade of a pair now, whoever gave it; None while there is none."""
        names = self._names.get((query_id, doc_id), ())
        return _latest((name, self._fold.state(name, query_id, doc_id)) for name in sorted(names))

    def note_on(self, query_id: str, doc_id: str) -> str:
        """The adjudicator's own note on a pair, which may be there before a grade is."""
        return self._state(query_id, doc_id).note

    # --- actions --------------------------------------------------------------------------------

    def grade(
        self, query_id: str, doc_id: str, grade: int, *, hard_negative: bool | None = None
    ) -> Ruling:
        """Settle on a grade.

        Args:
            query_id: Of which pair, with `doc_id`.
            doc_id: Of which pair.
            grade: One of the scale.
            hard_negative: The mark; None keeps the one of the final grade so far. A grade that is
                relevant has none.
        """
        if no := self._refused():
            return no
        if grade not in self.scale.grades:
            return _no(f"grade {grade} is not on the scale {self.scale.min}-{self.scale.max}")
        before = self.final(query_id, doc_id)
        kept = before is not None and before.hard_negative
        marked = kept if hard_negative is None else hard_negative
        return self._grade(query_id, doc_id, grade, marked=marked)

    def hard_negative(self, query_id: str, doc_id: str) -> Ruling:
        """Mark a pair: without a final grade lowest grade and mark; with one, toggle the mark."""
        if no := self._refused():
            return no
        before, relevant = self.final(query_id, doc_id), self.scale.relevant_from
        if before is None:
            return self._grade(query_id, doc_id, self.scale.min, marked=True)
        if before.grade >= relevant:
            return _no(
                f"no hard negative: grade {before.grade} is relevant; "
                f"grade it {relevant - 1} or lower first"
            )
        return self._grade(query_id, doc_id, before.grade, marked=not before.hard_negative)

    def note(self, query_id: str, doc_id: str, text: str) -> Ruling:
        """Write a note on a pair, with or without a final grade; an empty one takes it away."""
        if no := self._refused():
            return no
        if text == self.note_on(query_id, doc_id):
            return _no("the note is as it was")
        return self._put("note", query_id, doc_id, note=text)

    def clear(self, query_id: str, doc_id: str) -> Ruling:
        """Take the adjudicator's own final grade away; that of another one counts again then."""
        if no := self._refused():
            return no
        if self._state(query_id, doc_id).grade is None:
            return _no("nothing to clear: you gave it no final grade")
        return self._put("clear", query_id, doc_id)

    def undo(self) -> Ruling:
        """Take back the adjudicator's last action, of this or an earlier session."""
        if no := self._refused():
            return no
        stated = (e for e in reversed(self._own) if e.op in STATE_OPS and self._fold.counts(e))
        if (target := next(stated, None)) is None:
            return _no("nothing to undo")
        self._put("undo", target.query_id, target.doc_id, target=target.event_id)
        return Ruling(True, f"undone: {_described(target)}", (target.query_id, target.doc_id))

    def redo(self) -> Ruling:
        """Bring back what the last undo took, unless something was done since."""
        if no := self._refused():
            return no
        if (last := self._to_redo()) is None:
            return _no("nothing to redo")
        undo, target = last
        self._put("redo", target.query_id, target.doc_id, target=undo.event_id)
        return Ruling(True, f"redone: {_described(target)}", (target.query_id, target.doc_id))

    # --- saving ---------------------------------------------------------------------------------

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Have a function called, in the saving thread, whenever a save ended; then `settle`."""
        self._subscribers.append(callback)

    def settle(self) -> Ruling:
        """Apply how the save under way ended, if it did; a failed one is taken back here."""
        if self._pending is None or not self._pending.ending.done():
            return Ruling(accepted=True)
        event, ending = self._pending
        self._pending = None
        if (reason := ending.result()) is None:
            self.save_state = SAVED
            return Ruling(accepted=True)
        self._fold.retract(event)
        self._own.pop()
        self.save_state = SaveState("failed", reason)
        where = self.dataset.workspace.label_folder(self.dataset.name) / self.adjudicator
        return Ruling(
            False,
            f"NOT SAVED: {_described(event)}: {reason}; see to {where}, then do it again",
            (event.query_id, event.doc_id),
        )

    def wait(self, seconds: float) -> bool:
        """Block until the save under way ended; whether everything is in the store then."""
        if not self._saver.wait(seconds) or self.save_state.kind == "failed":
            return False
        return self._pending is None or self._pending.ending.result() is None

    def close(self) -> None:
        """Finish the save under way; nothing can be settled after that."""
        self._closed = True
        self._saver.close()
        self.settle()

    # --- inside ---------------------------------------------------------------------------------

    def _state(self, query_id: str, doc_id: str) -> PairState:
        if (query_id, doc_id) not in self._names:
            return UNJUDGED
        return self._fold.state(self.adjudicator, query_id, doc_id)

    def _refused(self) -> Ruling | None:
        """Why an action does not count now; None if it does."""
        if self._closed:
            return _no(CLOSED)
        settled = self.settle()
        if not settled.accepted:
            return settled
        return _no(UNSAVED) if self._pending is not None else None

    def _to_redo(self) -> tuple[Event, Event] | None:
        """The last undo that still holds, and its target; none once something new was done."""
        for event in reversed(self._own):
            if event.op in STATE_OPS:
                return None
            if event.op == "undo" and (target := self._fold.held_by(event)):
                return event, target
        return None

    def _grade(self, query_id: str, doc_id: str, grade: int, *, marked: bool) -> Ruling:
        """A grade event carries the whole judgment, so the note goes with it."""
        try:
            query, document = self.dataset.query(query_id), self.dataset.document(doc_id)
        except NotFound:
            return _no("nothing to judge by: the dataset has this query or document no more")
        if document.text is None:
            return _no("nothing to judge by: this document has no text")
        return self._put(
            "grade",
            query_id,
            doc_id,
            grade=grade,
            hard_negative=marked and grade < self.scale.relevant_from,
            note=self.note_on(query_id, doc_id) or None,
            query_sha=digest(query.text, query.description),
            doc_sha=digest(document.title, document.text),
        )

    def _put(self, op: Op, query_id: str, doc_id: str, **facts: Unpack[_Facts]) -> Ruling:
        """Make an event of an action, count it and send it to disk."""
        event = Event(
            event_id=event_id(self._session, self._seq),
            session=self._session,
            seq=self._seq,
            at=max(self._clock().astimezone(UTC), self._earliest),
            annotator=self.adjudicator,
            source=SOURCE,
            op=op,
            query_id=query_id,
            doc_id=doc_id,
            tool=self._tool,
            **facts,
        )
        self._seq += 1
        self._fold.apply(event)
        self._own.append(event)
        self._names.setdefault((query_id, doc_id), set()).add(self.adjudicator)
        self.save_state = SAVING
        self._pending = _Pending(event, self._saver.submit(event, self._tell))
        return Ruling(True, pair=(query_id, doc_id))

    def _tell(self) -> None:
        for callback in self._subscribers:
            # A screen that is gone must not keep the others from hearing.
            with contextlib.suppress(Exception):
                callback()


def _no(message: str) -> Ruling:
    return Ruling(False, message)


def _described(event: Event) -> str:
    """An action in words, with the pair that it was done to."""
    words: str = event.op
    if event.op == "grade":
        words = f"final grade {event.grade}{' and hard negative' if event.hard_negative else ''}"
    return f"{words} on {event.doc_id} (query {event.query_id})"
