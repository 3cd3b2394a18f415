"""That saves happen in order, one thread behind the keys, and how each ends, is known only here."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.core.model import Event

NOT_TRIED = "not tried, because the save before it failed"


class Appender(Protocol):
    """What a saver writes to: a `SegmentWriter`, or a stand-in that fails on purpose."""

    def append(self, event: Event) -> None:
        """Make one event durable, or raise."""

    def close(self) -> None:
        """End the writing."""


class Saved(NamedTuple):
    """How a save ended.

    Attributes:
        event: What was to be saved.
        reason: Why it is not in the store; None when it is, durably.
    """

    event: Event
    reason: str | None


class Saver:
    """One thread that appends events strictly in the order of `submit`.

    When an event fails, those that were already waiting behind it fail as well: an undo must not
    reach the disk without what it undoes. Events submitted after the failure was reported are tried
    again.

    Args:
        writer: Where events go; used by the saver's thread only.
        ended: Called in the saver's thread after every save, in order.
    """

    def __init__(self, writer: Appender, ended: Callable[[Saved], None]) -> None:
        self._writer = writer
        self._ended = ended
        self._queue: deque[Event] = deque()
        self._changed = threading.Condition()
        self._busy = False
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="judge-saver", daemon=True)
        self._thread.start()

    def submit(self, event: Event) -> None:
        """Queue an event and return at once.

        Raises:
            ValueError: The saver is closed.
        """
        with self._changed:
            if self._closing:
                raise ValueError("the saver is closed")
            self._queue.append(event)
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Block until everything submitted has ended, well or badly; False if it takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._queue and not self._busy, seconds)

    def close(self) -> None:
        """Finish what is queued, then end the thread; a second call does nothing."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while (event := self._next()) is not None:
            reason = self._append(event)
            # Taken before the failure is told: what is submitted on hearing of it is a new attempt.
            behind = () if reason is None else self._take_all()
            self._ended(Saved(event, reason))
            for late in behind:
                self._ended(Saved(late, NOT_TRIED))
            with self._changed:
                self._busy = False
                self._changed.notify_all()
        self._writer.close()

    def _next(self) -> Event | None:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            if not self._queue:
                return None
            self._busy = True
            return self._queue.popleft()

    def _append(self, event: Event) -> str | None:
        try:
            self._writer.append(event)
        except OSError as error:
            return error.strerror or str(error)
        except (
            Exception
        ) as error:  # a thread that died would leave every later key unsaved and unsaid
            return f"{type(error).__name__}: {error}"
        return None

    def _take_all(self) -> tuple[Event, ...]:
        with self._changed:
            taken = tuple(self._queue)
            self._queue.clear()
        return taken
