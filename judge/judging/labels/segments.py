"""How events become durable segments that have one writer for ever is known only here."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from judge.core import arrow
from judge.core.files import TEMPORARY, make_folder, sync_folder
from judge.judging.labels.events import SCHEMA, SEGMENT_NAME, segment_name, to_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from judge.core.model import Event

SEGMENT_ROWS = 256
"""Rows of a segment while judging: few enough to rewrite at every key, enough for few files."""


class SegmentWriter:
    """Appends the events of one session to its own files below `labels/<dataset>/<annotator>/`.

    Each append rewrites the open segment to a temporary file, makes it durable, renames it over the
    segment and makes the name durable; when `append` returns, the event survives a kill and a power
    cut. A full segment is closed and never touched again. Nothing is created before the first
    append. Two writers of one annotator are safe together, because no two have the same session.

    Args:
        folder: `labels/<dataset>/<annotator>`; its name is the annotator's.
        dataset_name: Written into every file.
        session: From `new_session_id`, fresh for every process.
        rows: How many events a segment holds when it is closed.
    """

    def __init__(
        self, folder: Path, dataset_name: str, session: str, *, rows: int = SEGMENT_ROWS
    ) -> None:
        self._folder = folder
        self._session = session
        self._limit = rows
        self._metadata = {"dataset": dataset_name, "annotator": folder.name, "session": session}
        self._open: list[Event] = []
        self._number: int | None = None
        self._rooted = False
        self._uncertain = False

    @property
    def session(self) -> str:
        """The session that this writer belongs to."""
        return self._session

    def append(self, *events: Event) -> None:
        """Make the events of one action durable, all or none; blocks until they are.

        They are in one segment, which is longer than others if they are more than it holds.

        Raises:
            OSError: The disk refused. The events are not in the store as far as this writer is
                concerned: the next append writes the segment without them.
            ValueError: An event is of another session or annotator, or does not fit the schema.
        """
        self._refuse_foreign(events)
        if self._open and len(self._open) + len(events) > self._limit:
            self._roll()
        self._write([*self._open, *events])
        self._open += events

    def append_batch(self, events: Iterable[Event]) -> None:
        """Make many events durable as one closed segment, however many; no events write nothing.

        Raises:
            OSError: The disk refused; none of the events is in the store.
            ValueError: An event is of another session or annotator, or does not fit the schema.
        """
        batch = list(events)
        if not batch:
            return
        self._refuse_foreign(batch)
        if self._open:
            self._roll()
        self._write(batch)
        self._roll()

    def close(self) -> None:
        """Take back what a failed append may have left in the segment, if the disk allows."""
        with contextlib.suppress(OSError):
            self._settle()
        self._uncertain = False

    def _refuse_foreign(self, events: Sequence[Event]) -> None:
        for event in events:
            if (event.session, event.annotator) != (self._session, self._folder.name):
                raise ValueError(
                    f"event {event.event_id} of {event.annotator}, session {event.session}, "
                    f"does not belong to {self._folder.name}, {self._session}"
                )

    def _settle(self) -> None:
        """Bring the open segment on disk back to what was acknowledged, if a failure left doubt."""
        if not self._uncertain:
            return
        if self._open:
            self._write(self._open)
        elif self._number is not None:
            (self._folder / segment_name(self._session, self._number)).unlink(missing_ok=True)

    def _roll(self) -> None:
        self._settle()
        self._open = []
        self._number = (self._number or 0) + 1

    def _write(self, events: Sequence[Event]) -> None:
        self._root()
        if self._number is None:
            self._number = self._first_number()
        path = self._folder / segment_name(self._session, self._number)
        # A failure can come after the rename (the folder's fsync): then the file may hold the event
        # all the same.
        self._uncertain = True
        arrow.write(path, SCHEMA, to_columns(events), self._metadata)
        self._uncertain = False

    def _root(self) -> None:
        """Make the folder, and its place in the folders above it, durable once per session.

        That a folder exists does not say that its maker lived to make its name durable, so the
        three names that may be new (annotator, dataset, labels) are synced here whoever made them.
        """
        make_folder(self._folder)
        if not self._rooted:
            for parent in tuple(self._folder.parents)[:3]:
                sync_folder(parent)
            self._remove_own_leftovers()
            self._rooted = True

    def _first_number(self) -> int:
        """One more than any file of this session has; a file that exists is never overwritten."""
        names = (SEGMENT_NAME.fullmatch(path.name) for path in self._folder.iterdir())
        taken = [int(match[2]) for match in names if match and match[1] == self._session]
        return max(taken, default=-1) + 1

    def _remove_own_leftovers(self) -> None:
        """Remove unfinished files of this very session; those of others may be in use elsewhere."""
        for path in self._folder.glob(f".{self._session}-*{TEMPORARY}"):
            path.unlink(missing_ok=True)
