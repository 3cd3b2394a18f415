"""How scores are made away from the keys: told step by step, given up at once.

What runs here runs in a thread of a worker, with a dataset of its own. The heavy rooms are loaded
when the work begins.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, NamedTuple

from judge.dataset.store import Dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from judge.bench.live import Live
    from judge.bench.views import Choice, View
    from judge.core.workspace import Workspace

    Tell = Callable[[str, int, int], None]

EVERY = 0.1
"""Seconds between two reports of progress."""


class GivenUp(Exception):
    """Nobody waits for the work any more."""


class Watch:
    """Tells how far work is, and ends it when nobody waits for it any more.

    Args:
        tell: Called with (what is done, done, in all); 0 in all: that is not known.
        is_over: Whether nobody waits any more.
        clock: Gives seconds.
    """

    def __init__(
        self,
        tell: Tell,
        is_over: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell, self._is_over, self._clock = tell, is_over, clock
        self._told_at = -EVERY

    @contextlib.contextmanager
    def progress(self, what: str, /) -> Iterator[Callable[[int, int], None]]:
        """Tell of a step while it is done.

        Raises:
            GivenUp: Nobody waits any more.
        """
        self.step(what)
        yield lambda done, total: self.step(what, done, total)

    def check(self) -> None:
        """End the work if nobody waits for it any more.

        Raises:
            GivenUp: Nobody waits any more.
        """
        if self._is_over():
            raise GivenUp

    def step(self, what: str, done: int = 0, total: int = 0) -> None:
        """Tell how far a step is, if the last time is long enough ago.

        Raises:
            GivenUp: Nobody waits any more.
        """
        self.check()
        now = self._clock()
        if not done or now - self._told_at >= EVERY:
            self._told_at = now
            self._tell(what, done, total)


class Seen(NamedTuple):
    """A view, and what it was taken from."""

    live: Live
    view: View


def seen(
    workspace: Workspace, name: str, choice: Choice, before: Live | None, watch: Watch
) -> Iterator[Seen]:
    """Give views of the scores of a dataset, each with more in it than the last.

    Args:
        workspace: Where the dataset lies.
        name: Its name.
        choice: What is looked at.
        before: What was measured before; measured anew if anything changed since, or if None.
        watch: Told of every step.

    Raises:
        JudgeError: There is nothing to measure; says what to do.
        OSError: The disk refused.
        GivenUp: Nobody waits any more.
    """
    from judge.bench.live import look, stamp_of

    dataset = Dataset.open(workspace, name)
    live = before
    if live is None or live.snapshot.stamp != stamp_of(dataset):
        with watch.progress("reading judgments"):
            live = look(dataset, watch.progress)
    for view in live.views(choice, watch.progress):
        yield Seen(live, view)
