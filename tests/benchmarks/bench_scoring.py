"""Files to per-query values: whole processes of judge and of its peers in turn, as ratios.

    python tests/benchmarks/bench_scoring.py --queries 2000 --depth 1000 --repeat 3 [--shuffle]

It prints for each contender the least wall and processor time of its runs, how many times that of
judge reading text each is, its largest resident memory, and how far its values are from judge's.
On a busy machine the processor time is the fairer figure.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Listed = Callable[[], "Values"]

MEASURES = ("nDCG@10", "RR", "R@10", "R@100", "AP")
PYTREC = ("ndcg_cut_10", "recip_rank", "recall_10", "recall_100", "map")
Values = dict[str, dict[str, float]]


class Took(NamedTuple):
    """What one process cost: seconds of wall time and of all processors, bytes of memory."""

    wall: float
    cpu: float
    memory: int


# The contenders; each reads the files and scores, and returns how to list the values of every query
# (which is not timed: each has them in a form of its own).


def judge_text(folder: Path) -> Listed:
    from judge.formats.trec import read_qrels, read_run

    return _judge(read_qrels(folder / "qrels.trec"), read_run(folder / "run.trec"))


def judge_parquet(folder: Path) -> Listed:
    from judge.core.tables import Run
    from judge.formats.trec import read_qrels

    return _judge(read_qrels(folder / "qrels.trec"), Run.read(folder / "run.parquet"))


def _judge(qrels: object, run: object) -> Listed:
    from judge.core.tables import Qrels, Run
    from judge.scoring.measures import parse_measure
    from judge.scoring.score import ScoreOptions, score

    assert isinstance(qrels, Qrels)
    assert isinstance(run, Run)
    measures = [parse_measure(name) for name in MEASURES]
    scores = score(qrels, run, measures, ScoreOptions(ties="trec9"))
    return lambda: {
        name: dict(zip(scores.query_ids, column.tolist(), strict=True))
        for name, column in scores.values.items()
    }


def pytrec_eval(folder: Path) -> Listed:
    import pytrec_eval

    with (folder / "qrels.trec").open() as file:
        qrels = pytrec_eval.parse_qrel(file)
    with (folder / "run.trec").open() as file:
        run = pytrec_eval.parse_run(file)
    wanted = {"ndcg_cut.10", "recip_rank", "recall.10,100", "map"}
    found = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)
    return lambda: {
        ours: {query: values[theirs] for query, values in found.items()}
        for ours, theirs in zip(MEASURES, PYTREC, strict=True)
    }


def ir_measures(folder: Path) -> Listed:
    import ir_measures as ir

    read: dict[str, Callable[[str], object]] = vars(ir)
    qrels = read["read_trec_qrels"](str(folder / "qrels.trec"))
    run = read["read_trec_run"](str(folder / "run.trec"))
    values: Values = {name: {} for name in MEASURES}
    for row in ir.iter_calc([ir.parse_measure(name) for name in MEASURES], qrels, run):
        values[str(row.measure)][row.query_id] = row.value
    return lambda: values


def trec_eval(folder: Path) -> Listed:
    names = ("ndcg_cut.10", "recip_rank", "recall.10,100", "map")
    measures = [part for name in names for part in ("-m", name)]
    files = [str(folder / "qrels.trec"), str(folder / "run.trec")]
    program = shutil.which("trec_eval") or "trec_eval"
    text = subprocess.run(
        [program, "-q", *measures, *files], capture_output=True, text=True, check=True
    ).stdout
    values: Values = {name: {} for name in MEASURES}
    ours = dict(zip(PYTREC, MEASURES, strict=True))
    for line in text.splitlines():
        name, query, value = line.split()
        if query != "all":
            values[ours[name]][query] = float(value)
    return lambda: values


def bare_parse(folder: Path) -> Listed:
    from judge.core.arrow import read_delimited
    from judge.formats.trec.reading import RUN_COLUMNS

    with (folder / "run.trec").open("rb") as file:
        assert read_delimited(file, b" ", RUN_COLUMNS) is not None
    return dict


CONTENDERS: dict[str, Callable[[Path], Listed]] = {
    "judge-text": judge_text,
    "judge-parquet": judge_parquet,
    "pytrec_eval": pytrec_eval,
    "ir_measures": ir_measures,
    "trec_eval": trec_eval,
    "bare-parse": bare_parse,
}
DEFAULT = ("judge-text", "judge-parquet", "pytrec_eval", "bare-parse")


# The data


def make(folder: Path, queries: int, depth: int, judged: int, *, shuffle: bool) -> None:
    """Write a run and qrels: ids of mixed length, a quarter of the queries with many ties."""
    import numpy as np

    from judge.formats.trec import read_run

    rng = np.random.default_rng(7)
    documents = max(300_000, 3 * depth)
    names = [_name(i) for i in range(documents)]
    with (folder / "run.trec").open("w") as run, (folder / "qrels.trec").open("w") as qrels:
        for number in range(queries):
            query = f"q{number}"
            first = int(rng.integers(documents))
            step = int(rng.integers(1, 5_000)) * 2 + 1
            found = [(first + i * step) % documents for i in range(depth)]
            found = list(dict.fromkeys(found))
            scores = np.sort(rng.gamma(2.0, 5.0, len(found)))[::-1]
            if number % 4 == 0:
                scores = np.round(scores / 10, 2)
            run.writelines(
                f"{query} Q0 {names[doc]} {rank} {value:.6f} tag\n"
                for rank, (doc, value) in enumerate(zip(found, scores.tolist(), strict=True), 1)
            )
            seen = [found[i] for i in rng.integers(len(found), size=judged * 3 // 4)]
            seen += rng.integers(documents, size=judged - len(seen)).tolist()
            top = 1 if number % 97 == 0 else 4
            qrels.writelines(
                f"{query} 0 {names[doc]} {rng.integers(top)}\n" for doc in dict.fromkeys(seen)
            )
    if shuffle:
        lines = (folder / "run.trec").read_text().splitlines(keepends=True)
        order = rng.permutation(len(lines))
        (folder / "run.trec").write_text("".join(lines[i] for i in order.tolist()))
    read_run(folder / "run.trec").write(folder / "run.parquet")


def _name(number: int) -> str:
    if number % 3 == 0:
        return f"collection/part-{number % 7}/doc_{number:07d}"
    return f"d{number}" if number % 3 == 1 else f"doc_{number:08d}"


# The race


def run_once(name: str, folder: Path, *extra: str) -> Took:
    """One whole process."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, __file__, "--child", name, str(folder), *extra])
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, name
    return Took(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def furthest(values: Values, reference: Values) -> float:
    """The largest difference of any value of any query that both have."""
    return max(
        (
            abs(value - reference[name][query])
            for name, column in values.items()
            for query, value in column.items()
            if query in reference[name]
        ),
        default=0.0,
    )


def race(folder: Path, names: Iterable[str], repeat: int) -> None:
    names = list(names)
    took: dict[str, list[Took]] = {name: [] for name in names}
    for _ in range(repeat):
        for name in names:
            took[name].append(run_once(name, folder))
    reference = _values("judge-text", folder)
    base = min(t.wall for t in took["judge-text"])
    cpu_base = min(t.cpu for t in took["judge-text"])
    header = ("wall s", "ratio", "cpu s", "ratio", "MB", "furthest")
    say(f"{'contender':15}" + "".join(f" {name:>8}" for name in header))
    for name in names:
        wall, memory = min(t.wall for t in took[name]), max(t.memory for t in took[name])
        far = furthest(_values(name, folder), reference)
        cpu = min(t.cpu for t in took[name])
        numbers = (wall, wall / base, cpu, cpu / cpu_base)
        cells = "".join(f" {number:8.2f}" for number in numbers)
        say(f"{name:15}{cells} {memory / 1e6:8.0f} {far:8.1e}")


def _values(name: str, folder: Path) -> Values:
    run_once(name, folder, "--list")
    values: Values = json.loads((folder / f"{name}.json").read_text())
    return values


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--judged", type=int, default=20, help="judgments of a query")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--shuffle", action="store_true")
    parser.add_argument("--contender", action="append", choices=list(CONTENDERS))
    parser.add_argument("--list", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--child", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        name, folder = asked.child[0], Path(asked.child[1])
        listed = CONTENDERS[name](folder)
        if asked.list:
            (folder / f"{name}.json").write_text(json.dumps(listed()))
        return
    if asked.make:
        make(asked.make, asked.queries, asked.depth, asked.judged, shuffle=asked.shuffle)
        return
    names = asked.contender or [*DEFAULT, *(["trec_eval"] if shutil.which("trec_eval") else [])]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        # In a process of its own: a child starts with the resident memory of its parent.
        subprocess.run([sys.executable, __file__, *sys.argv[1:], "--make", str(folder)], check=True)
        size = (folder / "run.trec").stat().st_size / 1e6
        what = f"{asked.queries} queries x {asked.depth}, {asked.judged} judged each"
        say(f"{what}, {size:.0f} MB of text")
        race(folder, dict.fromkeys(["judge-text", *names]), asked.repeat)


if __name__ == "__main__":
    main()
