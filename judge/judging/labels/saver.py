"""That saves go on behind the keys, in one thread, and how each ends, is known only here."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.core.model import Event


class Appender(Protocol):
    """What a saver writes to: a `SegmentWriter`, or a stand-in that fails on purpose."""

    def append(self, event: Event) -> None:
        """Make one event durable, or raise."""

    def close(self) -> None:
        """End the writing; may be called again."""


class Saver:
    """One thread that appends events in the order of `submit`.

    An event that fails does not hold up the next one. Whoever submits must therefore hear how a
    save ended before submitting what makes no sense without it, as an undo without what it undoes.

    Args:
        writer: Where events go; used by the saver's thread until `close`.
    """

    def __init__(self, writer: Appender) -> None:
        self._writer = writer
        self._thread = ThreadPoolExecutor(1, "judge-saver")
        self._told: Future[None] | None = None

    def submit(self, event: Event, ended: Callable[[], None]) -> Future[str | None]:
        """Have an event appended, and return at once.

        Args:
            event: What is to be saved.
            ended: Called in the saver's thread when the save has ended.

        Returns:
            When done: why the event is not in the store; None if it is, durably.

        Raises:
            RuntimeError: The saver is closed.
        """
        saving = self._thread.submit(self._append, event)
        self._told = self._thread.submit(ended)
        return saving

    def wait(self, seconds: float) -> bool:
        """Block until everything submitted has ended and is told; False if it takes longer."""
        return self._told is None or not wait([self._told], seconds).not_done

    def close(self) -> None:
        """Finish what is submitted, then end the thread; a second call does nothing."""
        self._thread.shutdown()
        self._writer.close()

    def _append(self, event: Event) -> str | None:
        try:
            self._writer.append(event)
        except OSError as error:
            return error.strerror or str(error)
        # Whatever else fails must be told as well, or the key would count as saved.
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None
