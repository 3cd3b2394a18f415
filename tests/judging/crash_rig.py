"""Kills writers at random moments and counts what the label store lost; a program of its own.

It forks, so it must be a fresh process without threads: `python crash_rig.py ROUNDS FOLDER SEED`.
Each child appends through the real `SegmentWriter`, single events and batches in turn, and, after
each append has returned, writes the ids of its events to a pipe: the acknowledgement. The parent
kills it (SIGKILL) at a random moment and drains the pipe. At the end it prints, as JSON: kills,
acknowledged, lost, doubled, torn, halved (batches of which only a part is there), batches (that are
there), and leftovers (unfinished temporary files, which do no harm but show that kills hit a write
midway).

`python crash_rig.py trace FOLDER` appends three actions and writes each acknowledgement to stdout,
for a system-call trace.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from judge.core import arrow
from judge.core.errors import FormatError
from judge.core.model import Event
from judge.judging.labels import SegmentWriter, action_of, new_session_id, read_labels
from judge.judging.labels.events import event_ids

ANNOTATOR = "ann"
ROWS = 7
"""Small segments, so that many kills fall on a roll."""
SIZES = (1, 3, 1, 5, 12)
"""How many events the actions of a child have, in turn: some fill a segment, one needs its own."""


def now() -> datetime:
    return datetime.now(UTC)


def actions(session: str) -> Iterator[list[Event]]:
    """Endless actions of one session; each event says in `position` how many its action has."""

    def make(seq: int, name: str, size: int) -> Event:
        return Event(
            event_id=name,
            session=session,
            seq=seq,
            at=now(),
            annotator=ANNOTATOR,
            source="human",
            op="grade",
            query_id=f"q{seq % 3}",
            doc_id=f"{session}-{seq}",
            grade=seq % 4,
            position=size,
        )

    first = 0
    for size in itertools.cycle(SIZES):
        names = event_ids(session, first, size)
        yield [make(seq, name, size) for seq, name in enumerate(names, first)]
        first += size


def append_and_acknowledge(folder: Path, say: Callable[[str], object]) -> None:
    session = new_session_id(now)
    writer = SegmentWriter(folder, "demo", session, rows=ROWS)
    for action in actions(session):
        writer.append(*action)
        say(" ".join(event.event_id for event in action))


def killed_child(folder: Path, after: float) -> list[str]:
    """What a child acknowledged before it was killed, `after` seconds from its first sign."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            append_and_acknowledge(folder, lambda text: os.write(writer, text.encode() + b"\n"))
        finally:
            os._exit(1)
    os.close(writer)
    select.select([reader], [], [], 30)
    time.sleep(after)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    with os.fdopen(reader) as pipe:
        return pipe.read().split()


def rounds(count: int, labels: Path, seed: int) -> dict[str, int]:
    chance = random.Random(seed)
    folder = labels / ANNOTATOR
    acknowledged: list[str] = []
    for _ in range(count):
        acknowledged += killed_child(folder, chance.uniform(0, 0.04))
    read = read_labels(labels, "demo")
    whole = {event.event_id: event for event in read.events}
    there = Counter(map(action_of, read.events))
    sizes = {action_of(event): event.position for event in read.events}
    on_disk: Counter[str] = Counter()
    for path in folder.glob("*.parquet"):
        with contextlib.suppress(FormatError):  # torn, and counted as such
            on_disk.update(arrow.read(path, ["event_id"]).values("event_id"))
    return {
        "kills": count,
        "acknowledged": len(acknowledged),
        "lost": len(set(acknowledged) - set(whole)),
        "doubled": sum(1 for times in on_disk.values() if times > 1),
        "torn": len(read.warnings) + sum(1 for e in whole.values() if e.grade != e.seq % 4),
        "halved": sum(times != sizes[name] for name, times in there.items()),
        "batches": sum(times > 1 for times in there.values()),
        "leftovers": len(list(folder.glob(".*.tmp"))),
        "unacknowledged": len(there) - len({name.partition("~")[0] for name in acknowledged}),
    }


def trace(labels: Path) -> None:
    done = itertools.count(1)

    def say(text: str) -> None:
        os.write(1, f"acknowledged {text}\n".encode())
        if next(done) == 3:
            raise SystemExit

    append_and_acknowledge(labels / ANNOTATOR, say)


if __name__ == "__main__":
    if sys.argv[1] == "trace":
        trace(Path(sys.argv[2]))
    else:
        figures = rounds(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
        sys.stdout.write(json.dumps(figures) + "\n")
