"""How well sets made from a corpus predict the ranking by human judgments, with 18 systems.

    python -m tests.benchmarks.bench_own_corpus [--data FOLDER] [--sets scifact,vaswani_npl]
        [--queries 300] [--seed 1] [--kinds KIND,...]

Prints for each kind: tau-b over the systems between the mean nDCG@10 on its queries (cloze-mix:
standardised within halves) and on the human queries; beside it what others measured with 27 systems
of their own. The set `mixed` is both collections in one, each a domain. The systems are the engines
bm25 and terms, and those of `plain_engines`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.errors import InputError
from judge.core.model import Document, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.engines.bm25 import Bm25
from judge.engines.terms import Terms
from judge.scoring.stats import Undefined, tau_b
from judge.synth.own import System, own_kinds, verdict
from judge.synth.seam import Request
from tests.benchmarks.plain_engines import Plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from judge.engines.seam import Engine

    Floats = NDArray[np.float64]

PUBLISHED = {
    ("scifact", "own-ngram"): ".38",
    ("scifact", "own-terms"): ".59 (2 terms)",
    ("scifact", "own-title"): ".34",
    ("scifact", "cloze typos"): ".78",
    ("scifact", "cloze informative"): ".77",
    ("vaswani_npl", "own-ngram"): ".35",
    ("vaswani_npl", "own-terms"): ".47 (2 terms)",
    ("vaswani_npl", "cloze typos"): ".61",
    ("vaswani_npl", "cloze informative"): ".64",
}
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


class Queries(NamedTuple):
    """Queries and their grades."""

    queries: Sequence[Query]
    grades: Mapping[str, Mapping[str, int]]


def read(folder: Path) -> tuple[list[Document], Queries]:
    """A collection of the shared ones."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    documents = [Document(id=r["_id"], title=r.get("title", ""), text=r["text"]) for r in rows]
    lines = (folder / "queries.jsonl").read_text("utf-8").splitlines()
    queries = [Query(id=r["_id"], text=r["text"]) for r in map(json.loads, lines)]
    grades: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.trec").read_text("utf-8").splitlines():
        query, _, doc, grade = line.split()
        grades.setdefault(query, {})[doc] = int(grade)
    return documents, Queries([query for query in queries if query.id in grades], grades)


def ndcg(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """nDCG@10 with linear gains."""
    best = sorted(grades.values(), reverse=True)[:10]
    ideal = sum(grade / math.log2(rank + 2) for rank, grade in enumerate(best))
    gain = sum(grades.get(doc, 0) / math.log2(rank + 2) for rank, doc in enumerate(ranked[:10]))
    return gain / ideal if ideal else 0.0


def read_all(data: Path, name: str) -> tuple[list[Document], Queries]:
    """A collection, or the two as the domains of one."""
    if name != "mixed":
        return read(data / name / "norm")
    documents: list[Document] = []
    queries: list[Query] = []
    grades: dict[str, Mapping[str, int]] = {}
    for domain in ("scifact", "vaswani_npl"):
        found, people = read(data / domain / "norm")
        documents += [
            item.model_copy(update={"id": f"{domain}-{item.id}", "metadata": {"domain": domain}})
            for item in found
        ]
        for query in people.queries:
            queries.append(query.model_copy(update={"id": f"{domain}-{query.id}"}))
            right = {f"{domain}-{doc}": grade for doc, grade in people.grades[query.id].items()}
            grades[queries[-1].id] = right
    return documents, Queries(queries, grades)


class Systems:
    """All systems over one corpus, which is indexed and fitted here."""

    def __init__(self, documents: Sequence[Document], folder: Path) -> None:
        workspace = Workspace(folder)
        with stage(workspace, "corpus") as staging:
            staging.write_documents(documents)
            staging.write_queries([Query(id="none", text="none")])
            staging.publish(scale=Scale())
        self._engines: list[Engine] = [
            Bm25.open("", Dataset.open(workspace, "corpus")),
            Terms(documents),
        ]
        self._plain = Plain(documents)

    def score(self, asked: Queries) -> tuple[list[str], Floats]:
        """Names [S] and nDCG@10 [S, Q]."""
        columns = []
        names: list[str] = []
        for query in asked.queries:
            answers = {
                engine.name: [hit.doc_id for hit in engine.search(query, 10)]
                for engine in self._engines
            }
            answers.update(self._plain.search(query.text))
            names = list(answers)
            grades = asked.grades[query.id]
            columns.append([ndcg(ranked, grades) for ranked in answers.values()])
        return names, np.array(columns).T


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tau(one: Floats, other: Floats) -> float:
    found = tau_b(one, other)
    return math.nan if isinstance(found, Undefined) else found


def line(name: str, label: str, human: Floats, means: Floats, note: str = "") -> None:
    shown = f"{tau(human, means):.2f}"
    published = PUBLISHED.get((name, label), "-")
    say(f"| {name} | {label} | {shown} | {published} | {means.max():.3f} | {note} |")


def measure(name: str, given: argparse.Namespace, folder: Path) -> None:
    documents, people = read_all(given.data, name)
    systems = Systems(documents, folder / "plain")
    names, scores = systems.score(people)
    human = scores.mean(axis=1)
    ranked = sorted(zip(names, human, strict=True), key=lambda pair: -pair[1])
    say(f"# {name}: human " + ", ".join(f"{n} {value:.3f}" for n, value in ranked))
    wanted = given.kinds.split(",") if given.kinds else None
    for kind in own_kinds(documents):
        if wanted and kind.name not in wanted:
            continue
        began = time.perf_counter()
        try:
            found = kind.make(Request(size=0, queries=given.queries, seed=given.seed))
        except InputError as error:
            say(f"| {name} | {kind.name} | - | - | - | {error} |")
            continue
        took = time.perf_counter() - began
        asked = list(found.asked())
        mine = Queries([a.query for a in asked], {a.query.id: a.grades for a in asked})
        facts = getattr(found, "facts", {})
        note = f"n={len(asked)}, {took:.0f} s, redundancy {facts.get('redundancy')}"
        fresh = kind.name in {"own-burial", "cloze-mix"}
        used = Systems(list(found.documents()), folder / kind.name) if fresh else systems
        _, scores = used.score(mine)
        if kind.name == "cloze-mix":
            cloze(name, names, human, scores, mine, note)
        else:
            line(name, kind.name, human, scores.mean(axis=1), note)


def cloze(
    name: str, names: list[str], human: Floats, scores: Floats, mine: Queries, note: str
) -> None:
    """The halves apart, the blend, and how often the words of the pairs were right."""
    halves = [query.metadata["half"] for query in mine.queries]
    lexical = [System(system, "lexical") for system in names]
    found = verdict(lexical, scores, halves, np.random.default_rng(1))
    for half, means in found.halves.items():
        values = np.array([means[system] for system in names])
        line(name, f"cloze {half}", human, values, f"n={halves.count(half)}")
    if found.rejected:
        say(f"| {name} | cloze-mix | rejected | - | - | {found.rejected} |")
        return
    blend = np.array([found.standing[system] for system in names])
    line(name, "cloze-mix", human, blend, f"{note}, split-half {found.split_half:.2f}")
    order = sorted(zip(names, blend, strict=True), key=lambda pair: -pair[1])
    say("  cloze-mix: " + ", ".join(f"{n} {value:+.2f}" for n, value in order))
    level = dict(zip(names, human, strict=True))
    for word in ("likely", "open"):
        pairs = [pair for pair in found.pairs if pair.word == word]
        right = sum(level[pair.better] > level[pair.other] for pair in pairs)
        say(f"  {word}: {right}/{len(pairs)} pairs have the human sign")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--sets", default="scifact,vaswani_npl")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="")
    given = parser.parse_args()
    say("| collection | queries | tau-b | published | best nDCG@10 | |\n|---|---|---|---|---|---|")
    for name in given.sets.split(","):
        with tempfile.TemporaryDirectory() as folder:
            measure(name, given, Path(folder))


if __name__ == "__main__":
    main()
