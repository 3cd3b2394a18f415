"""How actions count at once, reach the disk in order, and are taken back if they cannot."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from judge.core.model import Event
from judge.judging.labels.events import event_ids
from judge.judging.session.cards import SaveState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from judge.judging.labels import Fold, PairState, Saver
    from judge.judging.session.deeds import Deed
    from judge.judging.session.history import History
    from judge.judging.session.lineup import Lineup
    from judge.judging.session.tally import Tally

SAVED: Final = SaveState("saved")
SAVING: Final = SaveState("saving")


class _Pending(NamedTuple):
    """The save under way: of which action, from where, and how it ends."""

    action: tuple[Event, ...]
    came_from: int | None
    ending: Future[str | None]


class Failure(NamedTuple):
    """A save that failed and was taken back.

    Attributes:
        action: What is not in the store.
        came_from: The place that the annotator acted at, as given to `put`.
        reason: Why.
    """

    action: tuple[Event, ...]
    came_from: int | None
    reason: str


class Record:
    """What one annotator did: counted in memory at once, on disk when acknowledged.

    At most one action is under way. If its save fails, everything is as if it had not been, but for
    its numbers in the session, which are not used again.

    Args:
        fold: What the annotator did before; kept up from here.
        history: What of it can be undone; kept up as well.
        last: When the annotator did the last of it; None if there is nothing.
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
        fold: Fold,
        history: History,
        last: datetime | None,
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
        # On a machine whose clock is behind, or was set back, what is done now would else count as
        # older than what it changes.
        self._earliest = (last or datetime.min.replace(tzinfo=UTC)) + timedelta(microseconds=1)
        self.history = history
        self._pending: _Pending | None = None
        self._subscribers: list[Callable[[], None]] = []
        self.save_state = SAVED
        self._saver = saver

    @property
    def saving(self) -> bool:
        """Whether an action is not acknowledged yet."""
        return self._pending is not None

    def state(self, query_id: str, doc_id: str) -> PairState:
        """What the annotator thinks of a pair now."""
        return self._fold.state(self._annotator, query_id, doc_id)

    def put(self, deeds: Sequence[Deed], came_from: int | None) -> None:
        """Make an action of deeds, count it and send it to disk; only if nothing is under way.

        Args:
            deeds: What was done, at least to one pair; it is saved, undone and redone as one.
            came_from: Where the annotator acted, kept for the failure of this save.
        """
        at = max(self._clock().astimezone(UTC), self._earliest)
        names = event_ids(self._session, self._seq, len(deeds))
        action = tuple(
            Event(
                event_id=name,
                session=self._session,
                seq=seq,
                at=at,
                annotator=self._annotator,
                source=deed.source,
                op=deed.op,
                query_id=deed.query_id,
                doc_id=deed.doc_id,
                tool=self._tool,
                **deed.facts,
            )
            for seq, (name, deed) in enumerate(zip(names, deeds, strict=True), self._seq)
        )
        self._seq += len(action)
        for event in action:
            self._fold.apply(event)
        self.history.apply(action)
        self._count(action)
        self.save_state = SAVING
        self._pending = _Pending(action, came_from, self._saver.submit_all(action, self._tell))

    def settle(self) -> Failure | None:
        """Hear how the save under way ended, if it did; a failed one is taken back here."""
        if self._pending is None or not self._pending.ending.done():
            return None
        action, came_from, ending = self._pending
        self._pending = None
        if (reason := ending.result()) is None:
            self.save_state = SAVED
            return None
        for event in reversed(action):
            self._fold.retract(event)
        self.history.retract(action)
        self._count(action)
        self.save_state = SaveState("failed", reason)
        return Failure(action, came_from, reason)

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

    def _count(self, action: Sequence[Event]) -> None:
        for event in action:
            place = self._lineup.find(event.query_id, event.doc_id)
            if place is not None:
                self._tally.change(place, self.state(event.query_id, event.doc_id))
