"""How judgments that come along with a dataset are kept: under whose name, and all or none."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Literal, get_args

from judge import __version__
from judge.core.errors import DatasetError, Problem, quoted
from judge.core.files import locked, make_folder, sync_folder
from judge.core.text import digest
from judge.core.workspace import NOT_PEOPLE
from judge.dataset.build import refuse_taken
from judge.judging.labels import SegmentWriter, new_session_id, read_labels, recorded

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from judge.core.model import Judgment
    from judge.core.workspace import Workspace

BATCH = 100_000
"""Judgments in one segment: one file for nearly every set, and memory that stays bounded."""
Given = Literal["import", "gold"]
"""The sources of judgments that come along: whoever made the collection, or its own authors."""


def annotator_of(source: Given) -> str:
    """The annotator in whose name judgments of a source are kept.

    >>> annotator_of("gold")
    'gold'
    """
    return {"import": "import", "gold": "gold"}[source]


def all_given(sources: Iterable[str]) -> bool:
    """Whether judgments of these sources have all come along with a dataset.

    >>> all_given(["import"]), all_given(["import", "human"])
    (True, False)
    """
    return set(sources) <= set(get_args(Given))


def nobody_judged(annotators: Iterable[str]) -> bool:
    """Whether nobody is among these annotators who could judge here.

    >>> nobody_judged(["import", "gold"]), nobody_judged(["ana"])
    (True, False)
    """
    return set(annotators) <= NOT_PEOPLE


class Arrival:
    """The judgments of a dataset that is being made, until both are in place.

    Args:
        workspace: Where the dataset will be.
        name: What it will be called.
        source: Whose judgments they are.
        now: When they come.
    """

    def __init__(self, workspace: Workspace, name: str, source: Given, now: dt.datetime) -> None:
        self._workspace, self._name, self._source, self._now = workspace, name, source, now
        self._annotator = annotator_of(source)

    def refuse_leftover(self) -> None:
        """Refuse a name that a dataset has, or one on which somebody's judgments lie.

        What is left of an arrival that was killed before its last step is replaced: judgments of
        the same source alone, which nobody can have made in any other way.

        Raises:
            DatasetError: The name is taken.
        """
        refuse_taken(self._workspace, self._name)
        folder = self._workspace.label_folder(self._name)
        if not folder.is_dir():
            return
        names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
        found = read_labels(folder, self._name)
        if found.warnings or any(event.source != self._source for event in found.events):
            strange = names
        else:
            strange = names - {self._annotator}
        if strange:
            message = f"there is no dataset {quoted(self._name)}, but judgments on one by"
            raise DatasetError(
                Problem(
                    f"{message} {', '.join(sorted(strange))}",
                    path=folder,
                    expected="another --name, or remove that folder first",
                )
            )

    def write(self, staged: Path, judgments: Iterable[Judgment], facts: Sequence[str]) -> int:
        """Write judgments aside; gives how many there were.

        Args:
            staged: A folder of the label store that nobody reads.
            judgments: In batches, so that memory does not grow with their number.
            facts: What they are made of: the same facts at the same moment make the same bytes.
        """
        folder = staged / self._annotator
        session = new_session_id(
            lambda: self._now, lambda size: digest(self._name, *facts)[: 2 * size]
        )
        writer: SegmentWriter | None = None
        count = 0
        for batch in _batches(judgments):
            if writer is None:
                make_folder(folder)
                writer = SegmentWriter(folder, self._name, session)
            events = recorded(
                batch,
                annotator=self._annotator,
                source=self._source,
                session=session,
                at=self._now,
                first=count,
                tool=f"judge {__version__}",
            )
            writer.append_batch(events)
            count += len(batch)
        if writer is not None:
            writer.close()
        return count

    @contextmanager
    def in_place(self, staged: Path) -> Iterator[None]:
        """Put what was written in place while the dataset gets its name; take it back if it fails.

        The lock lets one arrival at a time take this step, so that none puts its judgments beside
        the dataset of another one.
        """
        folder = self._workspace.label_folder(self._name)
        own = self._annotator
        moves = ((folder / own, staged / "replaced"), (staged / own, folder / own))
        done: list[tuple[Path, Path]] = []
        with locked(self._workspace.corpora):
            self.refuse_leftover()
            had_folder = folder.exists()
            try:
                if (staged / own).exists():
                    make_folder(folder)
                for old, new in moves:
                    if old.exists():
                        old.rename(new)
                        done.append((old, new))
                if folder.exists():
                    sync_folder(folder)
                yield
            except BaseException:
                for old, new in reversed(done):
                    new.rename(old)
                if not had_folder:
                    with suppress(OSError):  # it was not made, or somebody put something there
                        folder.rmdir()
                raise


def _batches(judgments: Iterable[Judgment]) -> Iterator[list[Judgment]]:
    """Give judgments in lists of a fair size."""
    rows = iter(judgments)
    while batch := list(islice(rows, BATCH)):
        yield batch
