"""Which judgments and which queries of a dataset count, and what must be said of the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core.errors import InputError, NotFound, Problem, quoted
from judge.core.workspace import safe_from
from judge.judging.labels import read_labels
from judge.judging.merge import PEOPLE, merge_labels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judge.bench.asked import Asked
    from judge.dataset.store import Dataset
    from judge.judging.labels import Labels
    from judge.judging.merge import Merged


class Basis(NamedTuple):
    """What the scores of a dataset rest on.

    Attributes:
        labels: What its label store says.
        merged: One grade for each judged pair.
        queries: The judged queries that count.
        split: Which split was chosen, or `all`.
        mode: `finished` or `all`.
        unfinished: Judged queries left out, because their pool is not done.
        notices: What must be told.
    """

    labels: Labels
    merged: Merged
    queries: tuple[str, ...]
    split: str
    mode: str
    unfinished: tuple[str, ...]
    notices: tuple[str, ...]

    def described(self) -> dict[str, Any]:
        """For a report: it may change without making two numbers incomparable."""
        return {
            "rule": self.merged.rule,
            "ties": self.merged.ties,
            "annotators": list(self.merged.annotators),
            "sources": self.merged.sources,
            "unfinished": list(self.unfinished),
        }


def basis_of(dataset: Dataset, asked: Asked) -> Basis:
    """Merge the judgments of a dataset and choose the queries that count.

    Raises:
        NotFound: There is no such rule, annotator or split.
        InputError: There are no judgments, or none on the queries that were asked for.
    """
    labels = read_labels(dataset.workspace.label_folder(dataset.name), dataset.name)
    merged = merge_labels(labels, dataset.manifest.scale, asked.labels, asked.sources)
    if not merged.judgments:
        raise InputError(
            Problem(
                f"there are no judgments on {quoted(dataset.name)} to score with",
                expected=f"`judge annotate {dataset.name}` to make some",
            ),
            *(Problem(warning) for warning in labels.warnings),
        )
    split, notices = _split(dataset, asked.split)
    judged = _inside(dataset, split, (judgment.query_id for judgment in merged.judgments))
    unfinished = _unfinished(dataset, labels, merged)
    queries, mode, said = _counted(judged, unfinished, asked.queries)
    if not unfinished and PEOPLE & set(merged.sources):
        mode = "finished"  # and all: it is the same choice
    left = tuple(q for q in judged if q in unfinished) if mode == "finished" else ()
    return Basis(labels, merged, queries, split, mode, left, (*notices, *said))


def _inside(dataset: Dataset, split: str, judged: Iterable[str]) -> list[str]:
    """The judged queries of a split, each once."""
    queries = list(dict.fromkeys(judged))
    if split == "all":
        return queries
    members = {query.id for query in dataset.queries if query.split == split}
    queries = [query_id for query_id in queries if query_id in members]
    if not queries:
        raise InputError(
            Problem(
                f"no query of the split {quoted(split)} has judgments",
                field="--split",
                expected="--split all takes every query",
            )
        )
    return queries


class _Counted(NamedTuple):
    queries: tuple[str, ...]
    mode: str
    said: tuple[str, ...] = ()


def _counted(judged: list[str], unfinished: set[str], wanted: str | None) -> _Counted:
    """The queries that count while some are not finished yet."""
    if wanted == "all" or not unfinished:
        return _Counted(tuple(judged), "all")
    done = tuple(query_id for query_id in judged if query_id not in unfinished)
    if not done and wanted is None:
        said = "no query is finished yet, so all judged ones count; their numbers will change"
        return _Counted(tuple(judged), "all", (said,))
    if not done:
        raise InputError(
            Problem("no query is finished yet", field="--queries", expected="--queries all")
        )
    if not (left := len(judged) - len(done)):
        return _Counted(done, "finished")
    what = "query is" if left == 1 else "queries are"
    said = f"{left:,} {what} not finished and left out; --queries all takes all"
    return _Counted(done, "finished", (said,))


def _split(dataset: Dataset, wanted: str | None) -> tuple[str, tuple[str, ...]]:
    splits = sorted({query.split for query in dataset.queries if query.split})
    if wanted is None:
        if "dev" in splits:
            return "dev", ("scored on the dev split; --split all takes every query",)
        return "all", ()
    if wanted != "all" and wanted not in splits:
        raise NotFound("split", wanted, [*splits, "all"])
    return wanted, ()


def _unfinished(dataset: Dataset, labels: Labels, merged: Merged) -> set[str]:
    """Queries whose pool is not done; none where the judgments did not come from judging it."""
    if not PEOPLE & set(merged.sources):
        return set()
    handled = {(j.query_id, j.doc_id) for j in merged.judgments}
    handled |= {
        (pair.query_id, pair.doc_id)
        for pair, state in labels.states.items()
        if state.kind == "cannot_judge"
    }
    return {
        query_id
        for query_id, rows in dataset.candidates().items()
        if any((query_id, row.doc_id) not in handled for row in rows)
    }


def own_pool(dataset: Dataset, merged: Merged, runs: Iterable[str]) -> list[str]:
    """What to tell of runs that alone fed the pool: their recall is too high."""
    if not PEOPLE & set(merged.sources):
        return []
    drawn = dataset.pool_runs()
    return [
        f"recall of {name} is relative to its own pool: candidates were drawn from it alone"
        for name in runs
        if drawn == {safe_from(name, "run")}
    ]


def strangers(dataset: Dataset, merged: Merged) -> list[str]:
    """What to tell of judgments on queries and documents that the dataset does not have."""
    queries = {query.id for query in dataset.queries}
    known = dataset.titles(sorted({judgment.doc_id for judgment in merged.judgments}))
    strange = [j for j in merged.judgments if j.query_id not in queries or j.doc_id not in known]
    if not strange:
        return []
    first = strange[0]
    return [
        f"{len(strange):,} judgments name a query or document that the dataset does not have,"
        f" such as {quoted(first.query_id)} {quoted(first.doc_id)}; they count like all others"
    ]
