"""The state machine of judging: which keys count, what each writes, and what comes next."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from judge import __version__
from judge.core.text import digest
from judge.core.workspace import safe_name
from judge.judging.labels import (
    STATE_COLUMNS,
    VERDICT_OPS,
    Saver,
    SegmentWriter,
    new_session_id,
    read_labels,
    without_collector,
)
from judge.judging.session.cards import REASONS, Outcome
from judge.judging.session.deeds import Deed, Facts, about, described, judgment
from judge.judging.session.desk import refused
from judge.judging.session.evidence import merged, misplaced
from judge.judging.session.looking import Looking
from judge.judging.session.opening import first_place, local_now, refuse_unfit
from judge.judging.session.pace import Attention
from judge.judging.session.record import Failure, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path
    from typing import Unpack

    from judge.core.model import Document, Op, Source
    from judge.dataset.store import Dataset, Pooled
    from judge.judging.labels import Labels
    from judge.judging.labels.saver import Appender
    from judge.judging.session.cards import SaveState, Streak

# The pace needs to know how long the verdicts took; nothing else is needed of how they came about.
_COLUMNS = (*STATE_COLUMNS, "seconds")

UNPAINTED = "key ignored: the next document was not on screen yet"
STALE = "key ignored: it was meant for the card before"
UNSAVED = "key ignored: the last judgment is still being saved"
NOTHING = "key ignored: there is no card, everything is judged"
CLOSED = "key ignored: the session is closed"
NO_NEAR = "no near-copy of this document is graded yet"
NO_TEXT = "this document has no text to judge: skip it, or say that it cannot be judged"


class Session(Looking):
    """One annotator at work on one dataset; made by `Session.open`.

    All methods are called from one thread; only what was given to `subscribe` is called from
    another. A key is refused, with the reason, when its token is not that of the card on the desk,
    when that card was not reported painted, and while a save is not acknowledged.

    Args:
        dataset: What is judged.
        candidates: Its pool, for each query in serving order; at least one.
        annotator: Who judges.
        labels: What the annotator did before.
        session: The id of this session.
        clock: Gives the time with the annotator's zone.
        tool: Program and version, for the events.
        saver: The thread that saves.
    """

    def __init__(
        self,
        dataset: Dataset,
        candidates: Mapping[str, Sequence[Pooled]],
        annotator: str,
        labels: Labels,
        *,
        session: str,
        clock: Callable[[], datetime],
        tool: str,
        saver: Saver,
    ) -> None:
        super().__init__(dataset, candidates, annotator, labels, clock)
        self._record = Record(
            self._fold,
            self._history,
            self._last_before,
            self._lineup,
            self._tally,
            annotator=annotator,
            session=session,
            clock=clock,
            tool=tool,
            saver=saver,
        )
        self._attention = Attention(session)
        self._guideline_sha = digest(dataset.guidelines) if dataset.guidelines else None
        self._closed = False
        self._unheard: Outcome | None = None

    def streak(self) -> Streak | None:
        """The row of equal grades that was given last in this session; None: there is none."""
        return self._attention.streak(self._history.done)

    @property
    def break_minutes(self) -> int:
        """After so many minutes of judging a break is suggested; 0: never."""
        return self._attention.stretch

    @break_minutes.setter
    def break_minutes(self, minutes: int) -> None:
        self._attention.stretch = minutes

    @classmethod
    def open(
        cls,
        dataset: Dataset,
        annotator: str,
        *,
        clock: Callable[[], datetime] = local_now,
        tool: str = f"judge {__version__}",
        token: Callable[[int], str] = secrets.token_hex,
        writer: Callable[[Path, str, str], Appender] = SegmentWriter,
    ) -> Session:
        """Go on where the annotator left: at the first waiting candidate after the last judged one.

        Args:
            dataset: What is judged; must have a pool, and documents with text.
            annotator: Who judges.
            clock: Gives the time with its zone; a day begins at midnight of that zone.
            tool: Program and version, for the events.
            token: Gives random hex digits, for the session's id.
            writer: Makes what saves, from the annotator's folder, the dataset's name and the
                session's id.

        Raises:
            InputError: The name may not become a path, there is no pool (the text says which
                command makes one), or the documents have no text.
        """
        safe_name(annotator, "annotator")
        folder = dataset.workspace.label_folder(dataset.name)
        session = new_session_id(clock, token)
        with without_collector():
            candidates = dataset.candidates()
            refuse_unfit(dataset, candidates)
            return cls(
                dataset,
                candidates,
                annotator,
                read_labels(folder, dataset.name, [annotator], _COLUMNS),
                session=session,
                clock=clock,
                tool=tool,
                saver=Saver(writer(folder / annotator, dataset.name, session)),
            )

    # --- actions --------------------------------------------------------------------------------

    def grade(self, token: int, grade: int) -> Outcome:
        """Give the card a grade and go on; a grade that makes it relevant drops the mark."""
        if no := self._refused(token):
            return no
        if grade not in self.scale.grades:
            return refused(f"grade {grade} is not on the scale {self.scale.min}-{self.scale.max}")
        marked = self._state.hard_negative and grade < self.scale.relevant_from
        return self._grade(grade, hard_negative=marked, advance=self.advance)

    def hard_negative(self, token: int) -> Outcome:
        """Mark the card: if it is ungraded, lowest grade, mark and on; if it is graded, toggle."""
        if no := self._refused(token):
            return no
        state, relevant = self._state, self.scale.relevant_from
        if state.grade is None:
            return self._grade(self.scale.min, hard_negative=True, advance=self.advance)
        if state.grade >= relevant:
            return refused(
                f"no hard negative: grade {state.grade} is relevant; "
                f"grade it {relevant - 1} or lower first"
            )
        return self._grade(state.grade, hard_negative=not state.hard_negative, advance=False)

    def skip(self, token: int) -> Outcome:
        """Put the card off until nothing else waits; what is judged stays judged."""
        if no := self._refused(token):
            return no
        if self._state.kind in ("graded", "cannot_judge"):
            return refused("not skipped: it is judged already; clear it first")
        return self._act("skip", advance=True)

    def cannot_judge(self, token: int, reason: str) -> Outcome:
        """Say that the card cannot be judged and why, a key or a value of `REASONS`; and go on."""
        if no := self._refused(token):
            return no
        words = REASONS.get(reason, reason)
        if words not in REASONS.values():
            known = ", ".join(f"{key} {value}" for key, value in REASONS.items())
            return refused(f"no such reason; there is: {known}")
        return self._act("cannot_judge", advance=self.advance, reason=words)

    def flag(self, token: int) -> Outcome:
        """Flag the card as unsure, or take the flag away; the verdict stays."""
        if no := self._refused(token):
            return no
        return self._act("unflag" if self._state.flagged else "flag", advance=False)

    def note(self, token: int, text: str) -> Outcome:
        """Write a note on the card; an empty one takes it away."""
        if no := self._refused(token):
            return no
        if text == self._state.note:
            return refused("the note is as it was")
        return self._act("note", advance=False, note=text)

    def clear(self, token: int) -> Outcome:
        """Make the card unjudged again; note and flag stay."""
        if no := self._refused(token):
            return no
        if self._state.kind == "unjudged":
            return refused("nothing to clear: it is not judged")
        self._evidence.pop(self._desk.place or 0, None)
        return self._act("clear", advance=False)

    def evidence(self, token: int, spans: Sequence[tuple[int, int]]) -> Outcome:
        """Say which parts of the text the grade rests on; none at all takes the evidence away.

        On a graded card this writes the grade anew. On any other it is kept with the card, as long
        as the session lasts, and goes with its grade.

        Args:
            token: That of the card.
            spans: All of the evidence: code-point offsets (start, end) in the text as it is stored,
                in any order; those that overlap or touch are made one.
        """
        if no := self._refused(token):
            return no
        text, state = self._desk.document.text, self._state
        if text is None:
            return refused(NO_TEXT)
        if wrong := misplaced(spans, len(text)):
            return refused(f"evidence {wrong[0]}-{wrong[1]} is not in the text (0-{len(text)})")
        if (found := merged(spans)) == state.evidence:
            return refused("the evidence is as it was")
        if state.grade is None:
            self._evidence[self._desk.place or 0] = found
            return Outcome(accepted=True, message="kept for the grade")
        return self._act(
            "grade",
            advance=False,
            **judgment(
                state._replace(evidence=found), state.grade, hard_negative=state.hard_negative
            ),
        )

    def same(self, token: int) -> Outcome:
        """Give the card the grade and mark of its near-copy; it is recorded as taken over."""
        if no := self._refused(token):
            return no
        if (near := self.near()) is None:
            return refused(NO_NEAR)
        if (grade := self._state.grade) is not None:
            return refused(f"not taken over: it is graded {grade} already; clear it first")
        facts = judgment(self._state, near.grade, hard_negative=near.hard_negative)
        facts["reason"] = f"near-copy of {near.doc_id} ({int(100 * near.share)} %)"
        outcome = self._act("grade", advance=self.advance, source="propagated", **facts)
        done = f"graded {near.grade} like {near.doc_id}"
        return replace(outcome, message=_joined(done, outcome)) if outcome.accepted else outcome

    def rest(self, token: int) -> Outcome:
        """Give all unjudged candidates of the query the lowest grade, as one action.

        Skipped ones and those that cannot be judged stay so, as do documents without text.
        """
        if no := self._refused(token):
            return no
        places = [
            place
            for place in self._lineup.of_query(self._desk.query_id)
            if self._tally.state(place).kind == "unjudged"
        ]
        found = [(place, self._desk.fetch(place)) for place in places]
        deeds = [
            self._lowest(place, document) for place, document in found if document.text is not None
        ]
        if not deeds:
            return refused(NO_TEXT if places else "no candidate of this query is unjudged")
        notice = self._put(deeds)
        done = f"{len(deeds)} document{'s' if len(deeds) > 1 else ''} graded {self.scale.min}"
        if not self.advance:
            return Outcome(accepted=True, message=done, notice=notice)
        first = self._lineup.find(deeds[0].query_id, deeds[0].doc_id)
        outcome = self._desk.show(self._lineup.next_after(-1 if first is None else first))
        return replace(outcome, message=_joined(done, outcome), notice=notice)

    def undo(self) -> Outcome:
        """Take back the last action, of this or an earlier session, and go to its card."""
        if no := self._refused():
            return no
        if not (action := self._history.to_undo):
            return refused("nothing to undo")
        message = f"undone: {described(action)}"
        notice = self._put([about("undo", event, event.event_id) for event in action])
        place = first_place(action, self._lineup)
        return self._arrive(message, place, notice, candidate=place is not None)

    def redo(self) -> Outcome:
        """Bring back what the last undo took, and go to where the action had led."""
        if no := self._refused():
            return no
        if not (undone := self._history.to_redo):
            return refused("nothing to redo")
        action = [target for _, target in undone]
        first = action[0]
        before = self._record.state(first.query_id, first.doc_id)
        notice = self._put([about("redo", target, undo.event_id) for undo, target in undone])
        place = first_place(action, self._lineup)
        candidate = place is not None
        # A verdict had led to the next card; a mark toggled on a graded card had stayed.
        led_on = first.op in VERDICT_OPS and (self.advance or first.op == "skip")
        if place is not None and led_on and before.grade is None:
            place = self._lineup.next_after(place)
        return self._arrive(f"redone: {described(action)}", place, notice, candidate=candidate)

    # --- saving ---------------------------------------------------------------------------------

    @property
    def save_state(self) -> SaveState:
        """Whether all that was judged is on disk."""
        return self._record.save_state

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Have a function called, in the saving thread, whenever a save ended; then `settle`."""
        self._record.subscribe(callback)

    def settle(self) -> Outcome:
        """Apply how the save under way ended; after a failure its card is back.

        A failure that a key heard of first is told here once more, as the screen draws on this.
        """
        if failure := self._record.settle():
            return self._come_back(failure)
        told, self._unheard = self._unheard, None
        return told or Outcome(accepted=True)

    def wait(self, seconds: float) -> bool:
        """Block until the save under way ended; whether everything is in the store then."""
        return self._record.wait(seconds)

    def close(self) -> None:
        """Finish the save under way; nothing can be judged after that."""
        self._closed = True
        self._record.close()
        self.settle()

    # --- inside ---------------------------------------------------------------------------------

    def _refused(self, token: int | None = None) -> Outcome | None:
        """Why a key does not count now; None if it does. Undo and redo have no token."""
        if self._closed:
            return refused(CLOSED)
        if failure := self._record.settle():
            self._unheard = self._come_back(failure)
            return self._unheard
        if token is not None:
            if self._desk.place is None:
                return refused(NOTHING)
            if token != self._desk.token:
                return refused(STALE)
            if self._desk.painted_at is None:
                return refused(UNPAINTED)
        return refused(UNSAVED) if self._record.saving else None

    def _grade(self, grade: int, *, hard_negative: bool, advance: bool) -> Outcome:
        return self._act(
            "grade", advance=advance, **judgment(self._state, grade, hard_negative=hard_negative)
        )

    def _act(
        self, op: Op, *, advance: bool, source: Source = "human", **facts: Unpack[Facts]
    ) -> Outcome:
        """Do one thing to the card, and go on or stay."""
        card, place = self.card, self._desk.place
        if card is None or place is None:
            return refused(NOTHING)
        if op == "grade" and card.document.text is None:
            return refused(NO_TEXT)
        shown: Facts = {"seconds": self._seconds(), **self._seen(place, card.document)}
        deed = Deed(op, card.query.id, card.document.id, {**shown, **facts}, source)
        notice = self._put([deed])
        outcome = (
            self._desk.show(self._lineup.next_after(place)) if advance else Outcome(accepted=True)
        )
        return replace(outcome, notice=notice)

    def _lowest(self, place: int, document: Document) -> Deed:
        """The lowest grade for a candidate that need not be the card."""
        slot = self._lineup.slots[place]
        facts = judgment(self._state_at(place), self.scale.min, hard_negative=False)
        seen = self._seen(place, document)
        return Deed("grade", slot.query_id, slot.doc_id, {**seen, **facts})

    def _seen(self, place: int, document: Document) -> Facts:
        """Which texts a verdict is on, and how the pair came before the annotator."""
        slot = self._lineup.slots[place]
        query = self._queries[slot.query_id]
        return {
            "position": slot.position,
            "order": slot.order,
            "pool": slot.pool,
            "query_sha": digest(query.text, query.description),
            "doc_sha": digest(document.title, document.text),
            "guideline_sha": self._guideline_sha,
        }

    def _put(self, deeds: Sequence[Deed]) -> str:
        """Record an action; says what is to be mentioned beside it."""
        self._unheard = None
        self._record.put(deeds, self._desk.place)
        return self._attention.after(self._history.done, self._clock())

    def _seconds(self) -> float | None:
        """From shown to key; None where the clock was set back in between."""
        if self._desk.painted_at is None:
            return None
        passed = (self._clock() - self._desk.painted_at).total_seconds()
        return passed if passed >= 0 else None

    def _arrive(self, message: str, place: int | None, notice: str, *, candidate: bool) -> Outcome:
        """Go where undo or redo leads; a pair that left the pool is nowhere to go to."""
        if not candidate:
            left = f"{message}; it is no candidate any more"
            return Outcome(accepted=True, message=left, notice=notice)
        self._desk.show(place)
        return Outcome(accepted=True, message=message, moved=True, notice=notice)

    def _come_back(self, failure: Failure) -> Outcome:
        self._desk.show(failure.came_from)
        what = described(failure.action)
        where = self.dataset.workspace.label_folder(self.dataset.name) / self.annotator
        return Outcome(
            accepted=False,
            message=f"NOT SAVED: {what}: {failure.reason}; see to {where}, then do it again",
            moved=True,
        )


def _joined(done: str, outcome: Outcome) -> str:
    return f"{done}; {outcome.message}" if outcome.message else done
