"""Which files of a label store count, and what to say of those that do not, is known only here."""

from __future__ import annotations

import gc
import re
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from judge.core import arrow
from judge.core.errors import FormatError, InputError, LabelStoreError, quoted
from judge.core.workspace import NAME
from judge.judging.labels.events import SCHEMA, SEGMENT_NAME, from_frame
from judge.judging.labels.fold import Fold, Pair, PairState, ordered

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from judge.core.errors import Problem
    from judge.core.model import Event

_FAMILY = re.compile(r"judge\.labels/(\d+)")
_VERSION = 1


@dataclass(frozen=True)
class Labels:
    """All that a label store says of one dataset.

    Attributes:
        events: Every event once, in the total order.
        warnings: One line for every file that could not be taken, with its path and the reason.
    """

    events: tuple[Event, ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def states(self) -> dict[Pair, PairState]:
        """What each annotator thinks of each pair now; absent where nothing is said."""
        with without_collector():
            return Fold(self.events).states()

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        """The names of all who recorded something, in order."""
        return tuple(sorted({event.annotator for event in self.events}))


def read_labels(
    folder: Path,
    dataset_name: str,
    annotators: Collection[str] | None = None,
    columns: Sequence[str] = SCHEMA.names,
) -> Labels:
    """Read a dataset's label store, whatever state some of its files are in.

    A segment that is damaged, of a newer schema, of another dataset, or not where it belongs is
    named in a warning and left out whole; all the others are read. Unfinished temporary files and
    files of other kinds are passed over.

    Args:
        folder: `labels/<dataset>`; need not exist.
        dataset_name: What the segments' metadata must say.
        annotators: Read only theirs; None reads all.
        columns: Read only these, at least `STATE_COLUMNS`, which is faster; what else an event has
            is at its default then.
    """
    warnings: list[str] = []
    events: list[Event] = []
    with without_collector():
        for path in _segments(folder, annotators, warnings):
            try:
                events += _events(path, dataset_name, columns)
            except InputError as error:
                reasons = "; ".join(_reason(problem) for problem in error.problems)
                warnings.append(f"{path}: not read: {reasons}")
            except Exception as error:  # damage can fail in any way, and must not hide other files
                warnings.append(f"{path}: not read: {str(error) or type(error).__name__}")
        return Labels(ordered(events), tuple(warnings))


def _reason(problem: Problem) -> str:
    return f"column {problem.field} {problem.message}" if problem.field else problem.message


@contextmanager
def without_collector() -> Iterator[None]:
    """Hold back the garbage collector: what is made here stays, and it would visit it often."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _segments(
    folder: Path, annotators: Collection[str] | None, warnings: list[str]
) -> Iterator[Path]:
    """The files to read, in order; what looks like a segment but is none gets a warning."""
    for place in _listing(folder, warnings):
        if place.suffix == ".parquet" and not place.is_dir():
            warnings.append(f"{place}: not read: it is not in an annotator's folder")
        if not place.is_dir() or place.name.startswith("."):
            continue
        if annotators is not None and place.name not in annotators:
            continue
        if not NAME.fullmatch(place.name):
            warnings.append(f"{place}: not read: {quoted(place.name)} is not an annotator's name")
            continue
        for path in _listing(place, warnings):
            if path.suffix != ".parquet" or path.name.startswith("."):
                continue
            if SEGMENT_NAME.fullmatch(path.name):
                yield path
            else:
                warnings.append(f"{path}: not read: its name is not that of a segment")


def _listing(folder: Path, warnings: list[str]) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        warnings.append(f"{folder}: not read: {error.strerror or error}")
        return []


def _events(path: Path, dataset_name: str, columns: Sequence[str]) -> list[Event]:
    try:
        frame = arrow.read(path, SCHEMA.only(*columns))
    except FormatError:
        # That another program or a newer one wrote it says more than that it lacks a column.
        _refuse_other_schema(arrow.read_metadata(path)[1].get("schema"))
        raise
    _refuse_other_schema(frame.metadata.get("schema"))
    session = path.name.rpartition("-")[0]
    belongs = {"dataset": dataset_name, "annotator": path.parent.name, "session": session}
    for key, expected in belongs.items():
        if (found := frame.metadata.get(key)) != expected:
            raise LabelStoreError(f"it belongs to {key} {quoted(found)}, not {quoted(expected)}")
    return from_frame(frame, path.parent.name, session)


def _refuse_other_schema(name: str | None) -> None:
    if name == SCHEMA.name:
        return
    match = _FAMILY.fullmatch(name or "")
    if match and int(match[1]) > _VERSION:
        raise LabelStoreError(f"its schema is {name}: a newer judge wrote it; update to read it")
    raise LabelStoreError(f"its schema is {quoted(name)}, not {SCHEMA.name}")
