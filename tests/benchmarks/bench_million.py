"""A million documents in a pty at 160x45: `python -m tests.benchmarks.bench_million [--grades N]`.

Makes a workspace of a million short documents of which 500 pooled ones have 20 KB and 50 have
200 KB, grades through the pool, and prints: CPU of the main thread per key by the size of the
document that comes next; time from start to the first frame beside that of a minimal Textual
program in the same run; resident memory; and how long a document of 5 MB takes to open.

    --folder FOLDER   keep the workspace there, and take it again when it is there already
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from judge.core.model import Candidate, Document, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from tests.tui.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENTS, MIDDLE, LARGE = 1_000_000, 500, 50
DEPTH = 20
FIRST = 250
"""So many of the documents of 20 KB, and of the short ones, are among the first to be graded."""
SENTENCE = "A hard negative is an item that looks close to the query but must not be retrieved. "
SIZES = {"short": 200, "20 KB": 20_000, "200 KB": 200_000}
PROMISES = {"short": 16.0, "20 KB": 16.0, "200 KB": 25.0}
HUGE = 5_000_000
MINIMAL = (
    "from textual.app import App\nfrom textual.widgets import Static\n"
    "class Small(App):\n    def compose(self):\n        yield Static('ready')\nSmall().run()"
)
STARTS, OPENINGS = 5, 9


def kind(number: int) -> str:
    if number < LARGE:
        return "200 KB"
    return "20 KB" if number < LARGE + MIDDLE else "short"


def documents() -> Iterator[Document]:
    for number in range(DOCUMENTS):
        size = SIZES[kind(number)]
        text = f"{number} {SENTENCE * max(1, size // len(SENTENCE))}"
        yield Document(id=f"d{number:07}", title=f"Document {number}", text=text)
    yield Document(id="huge", title="The huge one", text=SENTENCE * (HUGE // len(SENTENCE)))


def build(folder: Path) -> None:
    """Make the workspace: all large documents and some of each other size come first, mixed."""
    workspace = Workspace(folder)
    rng = random.Random(1)
    pooled = list(range(2 * (LARGE + MIDDLE)))
    middle, short = pooled[LARGE : LARGE + MIDDLE], pooled[LARGE + MIDDLE :]
    first = pooled[:LARGE] + middle[:FIRST] + short[:FIRST]
    rest = middle[FIRST:] + short[FIRST:]
    rng.shuffle(first)
    rng.shuffle(rest)
    pooled = first + rest
    queries = -(-len(pooled) // DEPTH)
    with stage(workspace, "million") as staging:
        staging.write_documents(documents())
        staging.write_queries(
            [Query(id=f"q{i}", text="why use a hard negative query?") for i in range(queries)]
            + [Query(id="huge", text="which item is huge?")]
        )
        staging.publish(scale=Scale())
    pool = [
        Candidate(f"q{i // DEPTH}", f"d{number:07}", "run", 1 + i % DEPTH, 0)
        for i, number in enumerate(pooled)
    ]
    dataset = Dataset.open(workspace, "million")
    pool.append(Candidate("huge", "huge", "run", 1, 0))
    now = dt.datetime.now(dt.UTC)
    dataset.add_pool(pool, order="depth", seed=1, made_by={}, now=now)
    dataset.index()


def grade(folder: Path, grades: int) -> None:
    """Grade, and print the CPU of each key by the size of the document that it brings."""
    candidates = Dataset.open(Workspace(folder), "million").candidates()
    line = [row.doc_id for rows in candidates.values() for row in rows]
    spent: dict[str, list[float]] = {name: [] for name in SIZES}
    with Terminal(folder, "million", (160, 45)) as terminal:
        terminal.wait("not judged yet", 120)
        terminal.settle(0.5)
        for number in range(min(grades, len(line) - 2)):
            cost = terminal.press("0123"[number % 4])
            terminal.wait("saved")
            spent[kind(int(line[number + 1][1:]))].append(cost)
        memory = resident(terminal.pid)
        terminal.keys("\x11")
        terminal.exit_code()
    say(f"{sum(map(len, spent.values()))} grades, resident {memory / 1e6:.0f} MB")
    for name, costs in spent.items():
        if costs:
            costs.sort()
            p95 = costs[min(len(costs) - 1, round(0.95 * len(costs)))]
            verdict = "kept" if p95 <= PROMISES[name] else "BROKEN"
            say(
                f"{name:>7}  {len(costs):4} keys  p50 {statistics.median(costs):5.1f} ms"
                f"  p95 {p95:5.1f} ms  promised {PROMISES[name]:.0f}: {verdict}"
            )


def resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def start(folder: Path) -> None:
    """Print the time to the first frame of judge and of a minimal program, in turn."""
    ours, minimal = [], []
    for _ in range(STARTS):
        began = time.monotonic()
        with Terminal(folder, "million", (160, 45)) as terminal:
            while not terminal.text.strip():
                time.sleep(0.002)
            ours.append(time.monotonic() - began)
        began = time.monotonic()
        with Terminal(folder, "", (160, 45), program=MINIMAL) as terminal:
            while "ready" not in terminal.text:
                time.sleep(0.002)
            minimal.append(time.monotonic() - began)
    one, other = statistics.median(ours), statistics.median(minimal)
    say(f"first frame {one:.2f} s, minimal program {other:.2f} s: {one / other:.2f} times")


def open_huge(folder: Path) -> None:
    """Print how long the huge document takes from the key to its text on screen."""
    with Terminal(folder, "million", (160, 45)) as terminal:
        terminal.wait("not judged yet", 120)
        for _ in range(200):  # its query is the last one
            if "which item is huge?" in terminal.text:
                break
            terminal.press("]")
        waited, spent = [], []
        for _ in range(OPENINGS):
            terminal.press("[")
            before, began = terminal.cpu_ms(), time.monotonic()
            terminal.keys("]")
            while "The huge one" not in terminal.text:
                time.sleep(0.001)
            waited.append(1000 * (time.monotonic() - began))
            terminal.settle()
            spent.append(terminal.cpu_ms() - before)
        say(
            f"5 MB: on screen after {statistics.median(waited):.0f} ms (at most {max(waited):.0f}),"
            f" {statistics.median(spent):.0f} ms of CPU; promised 300 ms"
        )


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--grades", type=int, default=500)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        if not (folder / "corpora" / "million").exists():
            began = time.monotonic()
            build(folder)
            say(f"workspace made in {time.monotonic() - began:.0f} s")
        start(folder)
        open_huge(folder)
        grade(folder, asked.grades)


if __name__ == "__main__":
    main()
