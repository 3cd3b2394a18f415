"""What the state machine judges, what it holds the session against, and a disk that can fail."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from judge.core.model import Event
from judge.judging.labels import PairState, SegmentWriter

LONG = 30.0
START = datetime(2025, 3, 1, 9, 0, tzinfo=UTC)
RELEVANT = 2
PUMP = "Shut both valves, drain the pump, replace the seal and bleed the line before the next run."
MOSS = "Moss on a north roof is scraped off by hand; lime water keeps it from coming back at once."
TEXTS = {
    "pump": PUMP,
    "pump-copy": PUMP.replace("Shut", "Close"),
    "moss": MOSS,
    "moss-copy": MOSS.replace("at once", "soon"),
    "oil": "Oil the chain every week, wipe off what is too much, keep the rest in a dark place.",
}
TWIN = {"pump": "pump-copy", "moss": "moss-copy"}
TWIN |= {copy: original for original, copy in TWIN.items()}
POOL = {
    "q1": ["pump", "oil", "pump-copy", "moss"],
    "q2": ["moss-copy", "pump", "moss", "oil"],
}

Key = tuple[str, str]
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Thought:
    """What is thought of a pair."""

    kind: str = "unjudged"
    grade: int | None = None
    mark: bool = False
    source: str | None = None
    evidence: Spans = ()
    flagged: bool = False
    note: str = ""

    def unjudged(self, kind: str = "unjudged") -> Thought:
        """Without its judgment; flag and note stay."""
        source = None if kind == "unjudged" else "human"
        return Thought(kind, source=source, flagged=self.flagged, note=self.note)

    def graded(self, grade: int, mark: bool, source: str, evidence: Spans) -> Thought:
        return replace(
            self, kind="graded", grade=grade, mark=mark, source=source, evidence=evidence
        )


def as_thought(state: PairState) -> Thought:
    return Thought(
        state.kind,
        state.grade,
        state.hard_negative,
        state.source,
        state.evidence,
        state.flagged,
        state.note,
    )


Thoughts = dict[Key, Thought]


class Disk:
    """The real writer, which can be full or be held up."""

    def __init__(self) -> None:
        self.full = False
        self.gate = threading.Event()
        self.gate.set()
        self._writer: SegmentWriter | None = None

    def __call__(self, folder: Path, dataset: str, session: str) -> Disk:
        # Small segments, so that batches meet their ends.
        self._writer = SegmentWriter(folder, dataset, session, rows=5)
        return self

    def append(self, *events: Event) -> None:
        assert self.gate.wait(LONG)
        if self.full:
            raise OSError(28, "No space left on device")
        assert self._writer is not None
        self._writer.append(*events)

    def close(self) -> None:
        assert self._writer is not None
        self._writer.close()
