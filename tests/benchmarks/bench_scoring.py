"""Files to per-query values: whole processes of judge and of its peers in turn, as ratios.

    python -m tests.benchmarks.bench_scoring [--sizes 1000x100,7000x1000,50000x100]
        [--order given|shuffled|both] [--repeat 3] [--contender NAME]...

Needs the extras `dev` (pytrec_eval, ir_measures) and `bench` (ranx); whoever is not installed is
left out and named, trec_eval is taken from PATH. It prints for each contender the least wall and
processor time of its runs, its largest resident memory, how far its values are from judge's, and
how many times judge's wall (processor) time it took. On a busy machine the processor time is the
fairer figure.

`judge-text` and `judge-parquet` are the library; `score-text` and `score-parquet` the command
`judge score --per-query --json -o FILE`, with its intervals. Peers read text only.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Listed = Callable[[], "Values"]

MEASURES = ("nDCG@10", "RR", "R@10", "R@100", "AP")
PYTREC = ("ndcg_cut_10", "recip_rank", "recall_10", "recall_100", "map")
RANX = ("ndcg@10", "mrr", "recall@10", "recall@100", "map")
SIZES = "1000x100,7000x1000,50000x100"
ORDERS = {"given": ("given",), "shuffled": ("shuffled",), "both": ("given", "shuffled")}
ROOT = Path(__file__).parents[2]
ITSELF = (sys.executable, "-m", "tests.benchmarks.bench_scoring")
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


def ranx(folder: Path) -> Listed:
    import ranx as rx

    qrels = rx.Qrels.from_file(str(folder / "qrels.trec"), kind="trec")
    run = rx.Run.from_file(str(folder / "run.trec"), kind="trec")
    rx.evaluate(qrels, run, list(RANX), return_mean=False)
    return lambda: {
        ours: {query: float(value) for query, value in run.scores[theirs].items()}
        for ours, theirs in zip(MEASURES, RANX, strict=True)
    }


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


READERS: dict[str, Callable[[Path], Listed]] = {
    "judge-text": judge_text,
    "judge-parquet": judge_parquet,
    "pytrec_eval": pytrec_eval,
    "ir_measures": ir_measures,
    "ranx": ranx,
    "trec_eval": trec_eval,
    "bare-parse": bare_parse,
}
COMMANDS = {"score-text": "run.trec", "score-parquet": "run.parquet"}
OURS = ("judge-text", "judge-parquet", "score-text", "score-parquet")
PEERS = ("pytrec_eval", "ir_measures", "ranx", "trec_eval")
SLOW = ("ir_measures", "ranx")
"""Timed once only: they take so long that the turn of a second does not matter."""


def there(name: str) -> bool:
    """Whether a contender can take part here."""
    if name == "trec_eval":
        return shutil.which(name) is not None
    return name not in PEERS or importlib.util.find_spec(name) is not None


def command(name: str, folder: Path) -> list[str]:
    """The whole process that is timed."""
    if name not in COMMANDS:
        return [*ITSELF, "--child", name, str(folder)]
    files = ["--qrels", str(folder / "qrels.trec"), "--run", str(folder / COMMANDS[name])]
    measures = [part for measure in MEASURES for part in ("-m", measure)]
    asked = ["--ties", "trec9", "--per-query", "--json", "-q", "-o", str(folder / f"{name}.json")]
    return [sys.executable, "-m", "judge.cli.main", "score", *files, *measures, *asked]


def listed(name: str, folder: Path) -> Values:
    """The values of every query that a contender comes to."""
    if name not in COMMANDS:
        return READERS[name](folder)()
    run_once(command(name, folder))
    queries = json.loads((folder / f"{name}.json").read_text())["runs"][0]["queries"]
    return {
        measure: {query: values[measure] for query, values in queries.items()}
        for measure in MEASURES
    }


# The data


def make(folder: Path, queries: int, depth: int, judged: int) -> None:
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
    read_run(folder / "run.trec").write(folder / "run.parquet")


def _name(number: int) -> str:
    if number % 3 == 0:
        return f"collection/part-{number % 7}/doc_{number:07d}"
    return f"d{number}" if number % 3 == 1 else f"doc_{number:08d}"


def shuffle(folder: Path) -> None:
    """Put the rows of both files of the run into one and the same random order."""
    import numpy as np

    from judge.core import arrow
    from judge.core.tables.run import RUN_SCHEMA
    from judge.formats.trec.reading import RUN_COLUMNS

    text = folder / "run.trec"
    lines = text.read_text().splitlines(keepends=True)
    order = np.random.default_rng(8).permutation(len(lines))
    text.write_text("".join(lines[i] for i in order.tolist()))
    with text.open("rb") as file:
        read = arrow.read_delimited(file, b" ", RUN_COLUMNS)
    assert read is not None
    columns: dict[str, Any] = {
        "query_id": read.categories["query"],
        "doc_id": read.strings["doc"],
        "score": read.numbers["score"],
    }
    arrow.write(folder / "run.parquet", RUN_SCHEMA, columns)


# The race


def run_once(arguments: Sequence[str]) -> Took:
    """One whole process."""
    start = time.perf_counter()
    process = subprocess.Popen(arguments, cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return Took(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def furthest(values: Values, reference: Values) -> float:
    """The largest difference of any value of any query; both have values of the same ones."""
    for name, column in reference.items():
        assert values[name].keys() == column.keys(), name
    return max(
        abs(value - reference[name][query])
        for name, column in values.items()
        for query, value in column.items()
    )


def race(folder: Path, names: Sequence[str], repeat: int) -> None:
    took: dict[str, list[Took]] = {name: [] for name in names}
    if "ranx" in names:
        run_once(command("ranx", folder))  # so that it finds what it compiles in its cache
    for turn in range(repeat):
        for name in names:
            if turn == 0 or name not in SLOW:
                took[name].append(run_once(command(name, folder)))
    wall = {name: min(t.wall for t in took[name]) for name in names}
    cpu = {name: min(t.cpu for t in took[name]) for name in names}
    ours = [name for name in OURS if name in names]
    heads = ("wall s", "cpu s", "MB", "furthest")
    titles = [f"{'x ' + name:>16}" for name in ours]
    say(f"{'contender':14}" + "".join(f" {head:>8}" for head in heads) + "".join(titles))
    for name in names:
        memory = max(t.memory for t in took[name]) / 1e6
        ratios = [f"{wall[name] / wall[o]:.2f} ({cpu[name] / cpu[o]:.2f})" for o in ours]
        cells = (
            f"{name:14} {wall[name]:8.2f} {cpu[name]:8.2f} {memory:8.0f} {_far(name, folder):>8}"
        )
        say(cells + "".join(f"{ratio:>16}" for ratio in ratios))


def _far(name: str, folder: Path) -> str:
    if name == "bare-parse":
        return "-"
    # In a process of its own: a child starts with the resident memory of its parent.
    asked = [*ITSELF, "--far", name, str(folder)]
    return subprocess.run(
        asked, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def race_all(asked: argparse.Namespace) -> None:
    wanted = asked.contender or [*OURS, *PEERS, "bare-parse"]
    names = [name for name in dict.fromkeys(wanted) if there(name)]
    if missing := [name for name in wanted if not there(name)]:
        say(f"not here: {', '.join(missing)}")
    for size in asked.sizes.split(","):
        queries, depth = map(int, size.split("x"))
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            data = (str(folder), str(queries), str(depth), str(asked.judged))
            run_once([*ITSELF, "--make", *data])
            for order in ORDERS[asked.order]:
                if order == "shuffled":
                    run_once([*ITSELF, "--shuffle", str(folder)])
                text = (folder / "run.trec").stat().st_size / 1e6
                what = f"{queries:,} queries x {depth:,}, {asked.judged} judged each"
                say(f"\n{what}, {text:.0f} MB of text, rows {order}")
                race(folder, names, asked.repeat)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = [*OURS, *PEERS, "bare-parse"]
    parser.add_argument("--sizes", default=SIZES, help=f"QUERIESxDEPTH,... (default {SIZES})")
    parser.add_argument("--judged", type=int, default=20, help="judgments of a query")
    parser.add_argument("--order", choices=list(ORDERS), default="both", help="of the run's rows")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--contender", action="append", choices=every)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--far", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--make", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--shuffle", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        READERS[asked.child[0]](Path(asked.child[1]))
    elif asked.far:
        name, folder = asked.far[0], Path(asked.far[1])
        say(f"{furthest(listed(name, folder), listed('judge-text', folder)):.1e}")
    elif asked.make:
        folder, (queries, depth, judged) = asked.make[0], map(int, asked.make[1:])
        make(Path(folder), queries, depth, judged)
    elif asked.shuffle:
        shuffle(asked.shuffle)
    else:
        race_all(asked)


if __name__ == "__main__":
    main()
