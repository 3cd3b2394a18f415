"""That saves go on behind the keys, in one thread, and how each ends, is known only here."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.core.model import Event


class Appender(Protocol):
    """What a saver writes to: a `SegmentWriter`, or a stand-in that fails on purpose."""

    def append(self, *events: Event) -> None:
        """Make the events of one action durable, or raise and keep none of them."""

    def close(self) -> None:
        """End the writing; may be called again."""


class Saver:
    """One thread that appends the events of actions in the order of `submit`.

    An action that fails does not hold up the next one. Whoever submits must therefore hear how a
    save ended before submitting what makes no sense without it, as an undo without what it undoes.

    Args:
        writer: Where events go; used by the saver's thread until `close`.
    """

    def __init__(self, writer: Appender) -> None:
        self._writer = writer
        self._thread = ThreadPoolExecutor(1, "judge-saver")
        self._told: Future[None] | None = None

    def submit(self, event: Event, ended: Callable[[], None]) -> Future[str | None]:
        """Have an action of one event appended, as `submit_all` does."""
        return self.submit_all([event], ended)

    def submit_all(self, events: Sequence[Event], ended: Callable[[], None]) -> Future[str | None]:
        """Have the events of one action appended, and return at once.

        Args:
            events: What is to be saved, all of it or nothing.
            ended: Called in the saver's thread when the save has ended.

        Returns:
            When done: why the events are not in the store; None if they are, durably.

        Raises:
            RuntimeError: The saver is closed.
        """
        saving = self._thread.submit(self._append, tuple(events))
        self._told = self._thread.submit(ended)
        return saving

    def wait(self, seconds: float) -> bool:
        """Block until everything submitted has ended and is told; False if it takes longer."""
        return self._told is None or not wait([self._told], seconds).not_done

    def close(self) -> None:
        """Finish what is submitted, then end the thread; a second call does nothing."""
        self._thread.shutdown()
        self._writer.close()

    def _append(self, events: tuple[Event, ...]) -> str | None:
        try:
            self._writer.append(*events)
        except OSError as error:
            return error.strerror or str(error)
        # Whatever else fails must be told as well, or the key would count as saved.
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None
