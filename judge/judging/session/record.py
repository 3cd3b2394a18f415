"""How actions count at once, reach the disk in order, and are taken back if they cannot."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

from judge.core.model import Event
from judge.judging.labels.events import event_id
from judge.judging.session.cards import SaveState
from judge.judging.session.history import History

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from judge.core.model import Op
    from judge.judging.labels import Fold, Labels, PairState, Saver
    from judge.judging.session.lineup import Lineup
    from judge.judging.session.tally import Tally

SAVED: Final = SaveState("saved")
SAVING: Final = SaveState("saving")


class Facts(TypedDict, total=False):
    """The fields of an event that depend on the action; see `Event`."""

    target: str
    grade: int
    hard_negative: bool
    reason: str
    note: str | None
    evidence: tuple[tuple[int, int], ...]
    seconds: float | None
    position: int
    order: str
    pool: str
    query_sha: str
    doc_sha: str
    guideline_sha: str | None


def described(event: Event) -> str:
    """An action in words, with the pair that it was done to.

    >>> from judge.core.model import Event
    >>> at = datetime(2025, 3, 1, tzinfo=UTC)
    >>> described(Event("e", "s", 0, at, "ann", "human", "grade", "q3", "d12", grade=2))
    'grade 2 on d12 (query q3)'
    """
    words = {"cannot_judge": "cannot judge", "unflag": "flag taken away"}.get(event.op, event.op)
    if event.op == "grade":
        words = f"grade {event.grade}{' and hard negative' if event.hard_negative else ''}"
    return f"{words} on {event.doc_id} (query {event.query_id})"


def _just_after(labels: Labels) -> datetime:
    """The first moment after all that was done before.

    On a machine whose clock is behind, or was set back, what is done now would else count as older
    than what it changes.
    """
    last = max((event.at for event in labels.events), default=datetime.min.replace(tzinfo=UTC))
    return last + timedelta(microseconds=1)


class _Pending(NamedTuple):
    """The save under way: of which event, from where, and how it ends."""

    event: Event
    came_from: int | None
    ending: Future[str | None]


class Failure(NamedTuple):
    """A save that failed and was taken back.

    Attributes:
        event: What is not in the store.
        came_from: The place that the annotator acted at, as given to `put`.
        reason: Why.
    """

    event: Event
    came_from: int | None
    reason: str


class Record:
    """What one annotator did: counted in memory at once, on disk when acknowledged.

    At most one event is under way. If its save fails, everything is as if it had not been, but for
    its number in the session, which is not used again.

    Args:
        labels: What the annotator did before.
        fold: What that means; kept up from here.
        lineup: The candidates; what was said of other pairs is kept, but has no place in the tally.
        tally: Told of every change.
        annotator: Who acts.
        session: The id of this session.
        clock: Gives the time.
        tool: Program and version.
        saver: The thread that saves.
    """

    def __init__(
        self,
        labels: Labels,
        fold: Fold,
        lineup: Lineup,
        tally: Tally,
        *,
        annotator: str,
        session: str,
        clock: Callable[[], datetime],
        tool: str,
        saver: Saver,
    ) -> None:
        self._fold, self._lineup, self._tally = fold, lineup, tally
        self._annotator, self._session = annotator, session
        self._clock, self._tool = clock, tool
        self._seq = 0
        self._earliest = _just_after(labels)
        self.history = History(labels.events, fold)
        self._pending: _Pending | None = None
        self._subscribers: list[Callable[[], None]] = []
        self.save_state = SAVED
        self._saver = saver

    @property
    def saving(self) -> bool:
        """Whether an event is not acknowledged yet."""
        return self._pending is not None

    def state(self, query_id: str, doc_id: str) -> PairState:
        """What the annotator thinks of a pair now."""
        return self._fold.state(self._annotator, query_id, doc_id)

    def put(self, op: Op, query_id: str, doc_id: str, came_from: int | None, facts: Facts) -> None:
        """Make an event of an action, count it and send it to disk; only when nothing is under way.

        Args:
            op: What was done.
            query_id: To which pair, with `doc_id`.
            doc_id: To which pair.
            came_from: Where the annotator acted, kept for the failure of this save.
            facts: The other fields of the event.
        """
        event = Event(
            event_id=event_id(self._session, self._seq),
            session=self._session,
            seq=self._seq,
            at=max(self._clock().astimezone(UTC), self._earliest),
            annotator=self._annotator,
            source="human",
            op=op,
            query_id=query_id,
            doc_id=doc_id,
            tool=self._tool,
            **facts,
        )
        self._seq += 1
        self._fold.apply(event)
        self.history.apply(event)
        self._count(query_id, doc_id)
        self.save_state = SAVING
        self._pending = _Pending(event, came_from, self._saver.submit(event, self._tell))

    def settle(self) -> Failure | None:
        """Hear how the save under way ended, if it did; a failed one is taken back here."""
        if self._pending is None or not self._pending.ending.done():
            return None
        event, came_from, ending = self._pending
        self._pending = None
        if (reason := ending.result()) is None:
            self.save_state = SAVED
            return None
        self._fold.retract(event)
        self.history.retract(event)
        self._count(event.query_id, event.doc_id)
        self.save_state = SaveState("failed", reason)
        return Failure(event, came_from, reason)

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Have a function called, in the saving thread, whenever a save ended."""
        self._subscribers.append(callback)

    def wait(self, seconds: float) -> bool:
        """Block until nothing is under way; whether all of it is in the store then."""
        if not self._saver.wait(seconds) or self.save_state.kind == "failed":
            return False
        return self._pending is None or self._pending.ending.result() is None

    def close(self) -> None:
        """Finish the save under way and end the thread."""
        self._saver.close()

    def _tell(self) -> None:
        for callback in self._subscribers:
            # A screen that is gone must not keep the others from hearing.
            with contextlib.suppress(Exception):
                callback()

    def _count(self, query_id: str, doc_id: str) -> None:
        place = self._lineup.find(query_id, doc_id)
        if place is not None:
            self._tally.change(place, self.state(query_id, doc_id))
