"""How scores and exports are made away from the keys: told step by step, given up at once.

What runs here runs in a thread of a worker, with a dataset of its own. The heavy rooms are loaded
when the work begins.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from judge.dataset.store import Dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from judge.bench.live import Live
    from judge.bench.views import Choice, View
    from judge.core.model import Document
    from judge.core.workspace import Workspace

    Tell = Callable[[str, int, int], None]

EVERY = 0.1
"""Seconds between two reports of progress."""
STRIDE = 500
"""Documents between two looks at the clock."""


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


class Export(NamedTuple):
    """An export that somebody thinks about.

    Attributes:
        format: The name of the format.
        path: Where to.
        lost: What the format cannot carry, a line each.
        lines: What was told of it when it was written; empty before.
    """

    format: str
    path: Path
    lost: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def rehearsed(workspace: Workspace, name: str, wanted: Export, watch: Watch) -> Export:
    """Say what an export would lose, by making it in a passing folder that is deleted again.

    Raises:
        JudgeError: It cannot be made so; says why.
        OSError: The disk refused.
        GivenUp: Nobody waits any more.
    """
    from judge.core.errors import InputError, Problem
    from judge.exchange.exporting import export_dataset

    if wanted.path.exists():
        raise InputError(Problem("is there already", wanted.path, expected="a new name"))
    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        dataset = _watched(workspace, name, "looking what would be lost", watch)
        there = Path(folder) / (wanted.path.name or "export")
        report = export_dataset(dataset, wanted.format, there)
    return wanted._replace(lost=tuple(report.losses), lines=())


def written(workspace: Workspace, name: str, wanted: Export, watch: Watch) -> Export:
    """Make an export; given up, nothing of it is left.

    Raises:
        JudgeError: It cannot be made so; says why.
        OSError: The disk refused; nothing has changed then.
        GivenUp: Nobody waits any more.
    """
    from judge.exchange.exporting import export_dataset

    dataset = _watched(workspace, name, f"writing {wanted.format}", watch)
    report = export_dataset(dataset, wanted.format, wanted.path)
    return wanted._replace(lost=tuple(report.losses), lines=tuple(report.lines()))


class _Watched(Dataset):
    """A dataset that tells how many of its documents were read."""

    what = ""
    watch: Watch | None = None

    def documents(self) -> Iterator[Document]:
        """Give all documents, and tell of it."""
        total = self.manifest.counts.get("documents", 0)
        for done, document in enumerate(super().documents()):
            if self.watch is not None and done % STRIDE == 0:
                self.watch.step(self.what, done, total)
            yield document


def _watched(workspace: Workspace, name: str, what: str, watch: Watch) -> _Watched:
    folder = Dataset.open(workspace, name)
    dataset = _Watched(workspace, folder.folder, folder.manifest)
    dataset.what, dataset.watch = what, watch
    return dataset
