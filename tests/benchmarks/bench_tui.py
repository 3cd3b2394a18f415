"""How much CPU a key costs the screen: `python -m tests.benchmarks.bench_tui [KEYS]`.

Drives the terminal in a pty at 160x45 on datasets of documents of one size, presses grade keys, and
prints the CPU time of the main thread from key to quiet (next card painted, save shown).
"""

from __future__ import annotations

import datetime as dt
import statistics
import sys
import tempfile
from pathlib import Path

from judge.core.model import Candidate, Document, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from tests.tui.terminal import Terminal

SENTENCES = {
    "ascii": "A hard negative is an item that looks close to the query but must not be retrieved. ",
    "cjk": "検索モデルの評価は難しい。東京都に住んでいる人が多いので、そこで検証する。",
    "devanagari": "पासवर्ड भूल जाने पर उपयोगकर्ता को नया पासवर्ड मिलता है और वह फिर प्रवेश करता है। ",
}
QUERIES = {
    "ascii": "why use a hard negative query?",
    "cjk": "東京都の検索モデル",
    "devanagari": "नया पासवर्ड भूल",
}
PROMISES = {4_000: 16.0, 20_000: 16.0, 200_000: 25.0}


def build(workspace: Workspace, script: str, size: int, keys: int) -> None:
    """Make a dataset of documents of one size in bytes."""
    sentence = SENTENCES[script]
    text = sentence * max(1, size // len(sentence.encode()))
    documents = [
        Document(id=f"d{i:04}", title=f"Document {i}", text=f"{i} {text}") for i in range(keys + 5)
    ]
    with stage(workspace, "bench") as staging:
        staging.write_documents(documents)
        staging.write_queries(
            [Query(id=f"q{i}", text=QUERIES[script]) for i in range(1 + keys // 20)]
        )
        staging.publish(scale=Scale())
    dataset = Dataset.open(workspace, "bench")
    pool = [
        Candidate(f"q{i // 20}", document.id, "run", 1 + i % 20, 0)
        for i, document in enumerate(documents[: keys + 2])
        if i // 20 <= keys // 20
    ]
    now = dt.datetime.now(dt.UTC)
    dataset.add_pool(pool, order="depth", seed=1, made_by={}, now=now)


def measure(script: str, size: int, keys: int) -> list[float]:
    """Give the CPU time of each key in ms."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        build(workspace, script, size, keys)
        with Terminal(Path(folder), "bench", (160, 45)) as terminal:
            terminal.wait("not judged yet")
            terminal.settle(0.5)
            spent = [terminal.press("0123"[i % 4]) for i in range(keys)]
            terminal.wait("saved")
            terminal.keys("\x11")
            terminal.exit_code()
    return spent


def main() -> None:
    """Print one line per kind of document."""
    keys = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    sys.stdout.write("CPU of the main thread per grade key, ms, 160x45\n")
    for script in SENTENCES:
        for size, promise in PROMISES.items():
            spent = sorted(measure(script, size, keys))
            p50 = statistics.median(spent)
            p95 = spent[min(len(spent) - 1, round(0.95 * len(spent)))]
            verdict = "kept" if p95 <= promise else "BROKEN"
            sys.stdout.write(
                f"{script:<11}{size // 1000:>4} KB   p50 {p50:5.1f}   p95 {p95:5.1f}"
                f"   max {spent[-1]:5.1f}   promised p95 {promise:.0f}: {verdict}\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
