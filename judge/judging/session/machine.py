"""The state machine of judging: which keys count, what each writes, and what comes next."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from judge import __version__
from judge.core.errors import InputError, Problem, quoted
from judge.core.text import digest
from judge.core.workspace import safe_name
from judge.judging.labels import (
    STATE_COLUMNS,
    UNJUDGED,
    VERDICT_OPS,
    Fold,
    Saver,
    SegmentWriter,
    new_session_id,
    read_labels,
    without_collector,
)
from judge.judging.session.cards import REASONS, Card, Outcome, Progress, QueryRow, Row, SaveState
from judge.judging.session.desk import Desk, refused
from judge.judging.session.lineup import Lineup
from judge.judging.session.record import Facts, Failure, Record, described
from judge.judging.session.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Unpack

    from judge.core.model import Event, Op, Query, Scale
    from judge.dataset.store import Dataset, Pooled
    from judge.judging.labels import Labels, PairState
    from judge.judging.labels.saver import Appender

UNPAINTED = "key ignored: the next document was not on screen yet"
STALE = "key ignored: it was meant for the card before"
UNSAVED = "key ignored: the last judgment is still being saved"
NOTHING = "key ignored: there is no card, everything is judged"
CLOSED = "key ignored: the session is closed"
NO_TEXT = "this document has no text to judge: skip it, or say that it cannot be judged"


def local_now() -> datetime:
    """The time, with the zone of this machine."""
    return datetime.now(UTC).astimezone()


class Session:
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
        self.dataset, self.annotator = dataset, annotator
        self._clock = clock
        queries = [query for query in dataset.queries if query.id in candidates]
        self._queries = {query.id: query for query in queries}
        self.warnings = (*labels.warnings, *_strays(candidates, self._queries))
        self._lineup = Lineup(candidates, list(self._queries))
        fold = Fold(labels.events)
        self._tally = Tally(self._lineup, queries, fold.states(), clock())
        self._record = Record(
            labels,
            fold,
            self._lineup,
            self._tally,
            annotator=annotator,
            session=session,
            clock=clock,
            tool=tool,
            saver=saver,
        )
        self._desk = Desk(dataset, self._lineup)
        self._guideline_sha = digest(dataset.guidelines) if dataset.guidelines else None
        self._titles: tuple[str, dict[str, str]] | None = None
        self._closed = False
        self._unheard: Outcome | None = None
        self._resume()

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
            _refuse_unfit(dataset, candidates)
            return cls(
                dataset,
                candidates,
                annotator,
                read_labels(folder, dataset.name, [annotator], STATE_COLUMNS),
                session=session,
                clock=clock,
                tool=tool,
                saver=Saver(writer(folder / annotator, dataset.name, session)),
            )

    # --- what there is to see -------------------------------------------------------------------

    @property
    def scale(self) -> Scale:
        """The grades of the dataset."""
        return self.dataset.manifest.scale

    @property
    def guidelines(self) -> str:
        """The guidelines to judge by, Markdown; empty if there are none."""
        return self.dataset.guidelines

    @property
    def save_state(self) -> SaveState:
        """Whether all that was judged is on disk."""
        return self._record.save_state

    @property
    def card(self) -> Card | None:
        """What to judge now; None when nothing waits any more."""
        if self._desk.place is None:
            return None
        slot = self._lineup.slots[self._desk.place]
        return Card(
            token=self._desk.token,
            query=self._queries[slot.query_id],
            document=self._desk.document,
            position=slot.position,
            total=len(self._lineup.of_query(slot.query_id)),
            state=self._state,
        )

    def rows(self) -> list[Row]:
        """The candidates of the current query in the order of judging."""
        query_id = self._desk.query_id
        slots = [(place, self._lineup.slots[place]) for place in self._lineup.of_query(query_id)]
        if self._titles is None or self._titles[0] != query_id:
            self._titles = (query_id, self.dataset.titles([slot.doc_id for _, slot in slots]))
        titles = self._titles[1]
        return [
            Row(
                doc_id=slot.doc_id,
                title=titles.get(slot.doc_id, ""),
                state=self._tally.state(place),
                current=place == self._desk.place,
            )
            for place, slot in slots
        ]

    def query_rows(self) -> list[QueryRow]:
        """All queries that have candidates, in order, and how far each is."""
        return self._tally.rows()

    def progress(self) -> Progress:
        """How far the annotator is: in the current query, in all, and today."""
        return self._tally.progress(self._desk.query_id, self._clock())

    def painted(self, token: int) -> None:
        """Hear that the card of this token is on screen; until then it cannot be judged."""
        if token == self._desk.token and self._desk.painted_at is None:
            self._desk.painted_at = self._clock()

    # --- actions --------------------------------------------------------------------------------

    def grade(self, token: int, grade: int) -> Outcome:
        """Give the card a grade and go on; a grade that makes it relevant drops the mark."""
        if no := self._refused(token):
            return no
        if grade not in self.scale.grades:
            return refused(f"grade {grade} is not on the scale {self.scale.min}-{self.scale.max}")
        marked = self._state.hard_negative and grade < self.scale.relevant_from
        return self._grade(grade, hard_negative=marked, advance=True)

    def hard_negative(self, token: int) -> Outcome:
        """Mark the card: if it is ungraded, lowest grade, mark and on; if it is graded, toggle."""
        if no := self._refused(token):
            return no
        state, relevant = self._state, self.scale.relevant_from
        if state.grade is None:
            return self._grade(self.scale.min, hard_negative=True, advance=True)
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
        return self._act("cannot_judge", advance=True, reason=words)

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
        return self._act("clear", advance=False)

    def undo(self) -> Outcome:
        """Take back the last action, of this or an earlier session, and go to its card."""
        if no := self._refused():
            return no
        if (target := self._record.history.to_undo) is None:
            return refused("nothing to undo")
        self._put("undo", target, target.event_id)
        place = self._lineup.find(target.query_id, target.doc_id)
        return self._arrive(f"undone: {described(target)}", place, candidate=place is not None)

    def redo(self) -> Outcome:
        """Bring back what the last undo took, and go to where the action had led."""
        if no := self._refused():
            return no
        if (last := self._record.history.to_redo) is None:
            return refused("nothing to redo")
        undo, target = last
        before = self._record.state(target.query_id, target.doc_id)
        self._put("redo", target, undo.event_id)
        place = self._lineup.find(target.query_id, target.doc_id)
        candidate = place is not None
        # A verdict had led to the next card; a mark toggled on a graded card had stayed.
        if place is not None and target.op in VERDICT_OPS and before.grade is None:
            place = self._lineup.next_after(place)
        return self._arrive(f"redone: {described(target)}", place, candidate=candidate)

    # --- moving about; nothing of it is recorded ------------------------------------------------

    def next(self) -> Outcome:
        """Go to the next candidate of the query, judged or not."""
        return self._desk.step(1)

    def previous(self) -> Outcome:
        """Go to the candidate before, in the query."""
        return self._desk.step(-1)

    def next_query(self) -> Outcome:
        """Go to the next query: to its first waiting candidate."""
        return self._desk.step_query(1)

    def previous_query(self) -> Outcome:
        """Go to the query before."""
        return self._desk.step_query(-1)

    def next_unfinished(self) -> Outcome:
        """Go to the next query in which something waits, going round."""
        return self._desk.seek_unfinished(1)

    def previous_unfinished(self) -> Outcome:
        """Go to the query before in which something waits, going round."""
        return self._desk.seek_unfinished(-1)

    def go(self, query_id: str, doc_id: str | None = None) -> Outcome:
        """Go to a query, or to one of its candidates."""
        return self._desk.go(query_id, doc_id)

    # --- saving ---------------------------------------------------------------------------------

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

    @property
    def _state(self) -> PairState:
        place = self._desk.place
        return UNJUDGED if place is None else self._tally.state(place)

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
        """A grade event carries the whole judgment, so what the card had goes with it."""
        state = self._state
        return self._act(
            "grade",
            advance=advance,
            grade=grade,
            hard_negative=hard_negative,
            note=state.note or None,
            evidence=state.evidence,
        )

    def _act(self, op: Op, *, advance: bool, **facts: Unpack[Facts]) -> Outcome:
        card, place = self.card, self._desk.place
        if card is None or place is None:
            return refused(NOTHING)
        if op == "grade" and card.document.text is None:
            return refused(NO_TEXT)
        slot = self._lineup.slots[place]
        shown: Facts = {
            "seconds": self._seconds(),
            "position": slot.position,
            "order": slot.order,
            "pool": slot.pool,
            "query_sha": digest(card.query.text, card.query.description),
            "doc_sha": digest(card.document.title, card.document.text),
            "guideline_sha": self._guideline_sha,
        }
        self._unheard = None
        self._record.put(op, slot.query_id, slot.doc_id, place, {**shown, **facts})
        if advance:
            return self._desk.show(self._lineup.next_after(place))
        return Outcome(accepted=True)

    def _put(self, op: Op, target: Event, named: str) -> None:
        facts: Facts = {"target": named}
        self._unheard = None
        self._record.put(op, target.query_id, target.doc_id, self._desk.place, facts)

    def _seconds(self) -> float | None:
        """From shown to key; None where the clock was set back in between."""
        if self._desk.painted_at is None:
            return None
        passed = (self._clock() - self._desk.painted_at).total_seconds()
        return passed if passed >= 0 else None

    def _arrive(self, message: str, place: int | None, *, candidate: bool) -> Outcome:
        """Go where undo or redo leads; a pair that left the pool is nowhere to go to."""
        if not candidate:
            return Outcome(accepted=True, message=f"{message}; it is no candidate any more")
        self._desk.show(place)
        return Outcome(accepted=True, message=message, moved=True)

    def _come_back(self, failure: Failure) -> Outcome:
        self._desk.show(failure.came_from)
        what = described(failure.event)
        where = self.dataset.workspace.label_folder(self.dataset.name) / self.annotator
        return Outcome(
            accepted=False,
            message=f"NOT SAVED: {what}: {failure.reason}; see to {where}, then do it again",
            moved=True,
        )

    def _resume(self) -> None:
        for event in reversed(self._record.history.done):
            place = self._lineup.find(event.query_id, event.doc_id)
            if place is None or event.op not in VERDICT_OPS:
                continue
            if self._tally.state(place).kind != "unjudged":  # and not cleared since
                self._desk.query_id = event.query_id
                self._desk.show(self._lineup.next_after(place))
                return
        self._desk.show(self._lineup.next_after(-1))


def _strays(
    candidates: Mapping[str, Sequence[Pooled]], queries: Mapping[str, Query]
) -> tuple[str, ...]:
    strays = [query_id for query_id in candidates if query_id not in queries]
    if not strays:
        return ()
    count = f"{len(strays)} {'queries' if len(strays) > 1 else 'query'}"
    return (f"the pool has candidates of {count} not in the dataset, such as {quoted(strays[0])}",)


def _refuse_unfit(dataset: Dataset, candidates: Mapping[str, Sequence[Pooled]]) -> None:
    """Refuse a dataset that cannot be judged, before anything is made."""
    served = (candidates[query.id] for query in dataset.queries if query.id in candidates)
    first = next((line[0] for line in served), None)
    if first is None:
        raise InputError(
            Problem(
                f"{dataset.name} has no candidates to judge",
                expected=f"a pool: `judge pool {dataset.name} --engine bm25 --depth 20` makes one",
            )
        )
    if dataset.document(first.doc_id).text is None:
        raise InputError(
            Problem(
                f"the documents of {dataset.name} have no text, so nobody can judge them",
                expected="documents with text; such a set can be scored, not judged",
            )
        )
