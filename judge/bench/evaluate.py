"""How labels and systems become one score report: which judgments and queries count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.bench.systems import systems_on
from judge.core.errors import InputError, NotFound, Problem, quoted
from judge.core.tables import Qrels
from judge.engines.recorded import load_run
from judge.formats.trec import read_qrels
from judge.judging.labels import read_labels
from judge.judging.merge import DEFAULT_RULE, merge_labels
from judge.scoring.measures import DEFAULT_MEASURES
from judge.scoring.report import RunReport, score_report
from judge.scoring.score import Evidence, ScoreOptions, gather
from judge.scoring.score import evaluate as take
from judge.scoring.slices import Slice, by_language_pair, by_query

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from judge.bench.systems import ShowProgress
    from judge.core.model import Query, Source
    from judge.core.tables import Run
    from judge.dataset.store import Dataset
    from judge.judging.labels import Labels
    from judge.judging.merge import Merged
    from judge.scoring.measures import Measure

SLICES: tuple[str, ...] = ("language", "language-pair", "category", "namespace", "split")
"""What scores can be cut by."""

PEOPLE = frozenset({"human", "adjudicated", "propagated"})


@dataclass(frozen=True)
class Asked:
    """What a user wants to know.

    Attributes:
        measures: Which to take.
        by: What to cut the scores by, of `SLICES`.
        options: Ties, unjudged, no-relevant, relevance.
        relevant_from: None takes the scale's.
        labels: The rule that merges annotators.
        sources: Only judgments of these; None takes people's, else imported ones.
        queries: `finished`, `all`, or None: finished ones, or all if none is.
        split: A split's name, `all`, or None: `dev` if the dataset has one, else all.
        per_query: Whether to report the values of every query.
    """

    measures: Sequence[Measure] = DEFAULT_MEASURES
    by: Sequence[str] = ()
    options: ScoreOptions = field(default_factory=ScoreOptions)
    relevant_from: int | None = None
    labels: str = DEFAULT_RULE
    sources: Collection[Source] | None = None
    queries: str | None = None
    split: str | None = None
    per_query: bool = False

    def with_relevance(self, default: int) -> ScoreOptions:
        """The options, with the least relevant grade that was asked for or is the default."""
        chosen = default if self.relevant_from is None else self.relevant_from
        kept = self.options
        return ScoreOptions(kept.ties, kept.unjudged, kept.no_relevant, chosen)


class Chosen(NamedTuple):
    """The queries that count, and what must be said of the choice.

    Attributes:
        ids: The judged queries that count.
        split: Which split was chosen, or `all`.
        mode: `finished` or `all`.
        unfinished: Judged queries left out, because their pool is not done.
        notices: What must be told.
    """

    ids: tuple[str, ...]
    split: str
    mode: str
    unfinished: tuple[str, ...]
    notices: tuple[str, ...]


def score_dataset(
    dataset: Dataset,
    asked: Asked,
    *,
    runs: Sequence[str] = (),
    engines: Sequence[str] = (),
    progress: ShowProgress,
) -> dict[str, Any]:
    """Score systems on the judgments of a dataset.

    Returns:
        The document `judge.score/1`.

    Raises:
        NotFound: There is no such run, engine, annotator or split.
        InputError: There are no judgments, or no system to score.
        EngineError: An engine failed.
    """
    labels = read_labels(dataset.workspace.label_folder(dataset.name), dataset.name)
    merged = merge_labels(labels, dataset.manifest.scale, asked.labels, asked.sources)
    if not merged.judgments:
        raise InputError(
            Problem(
                f"there are no judgments on {quoted(dataset.name)} to score with",
                expected=f"`judge annotate {dataset.name}` to make some",
            )
        )
    chosen = _chosen(dataset, labels, merged, asked)
    qrels = Qrels.from_judgments(merged.judgments).subset(set(chosen.ids))
    systems = systems_on(
        dataset,
        runs=runs,
        engines=engines,
        progress=progress,
        queries=[dataset.query(i) for i in chosen.ids if i in _ids(dataset.queries)],
    )
    if not systems:
        raise InputError(
            Problem(
                f"{quoted(dataset.name)} keeps no runs to score",
                expected="--engine bm25, or --run FILE",
            )
        )
    options = asked.with_relevance(dataset.manifest.scale.relevant_from)
    reports = [_report(gather(qrels, s.run, options), asked, dataset) for s in systems]
    report = score_report(
        qrels, reports, _settings(dataset, merged, chosen), per_query=asked.per_query
    )
    told = [*labels.warnings, *merged.notes, *chosen.notices]
    told += _own_pool(dataset, merged, [s.run for s in systems])
    return {**report, "dataset": dataset.name, "notices": [*told, *report["notices"]]}


def score_files(qrels_file: Path, run_files: Sequence[Path], asked: Asked) -> dict[str, Any]:
    """Score run files on a qrels file, without a dataset.

    Returns:
        The document `judge.score/1`.

    Raises:
        InputError: A file cannot be read, or cutting by a property of a dataset was asked for.
    """
    if asked.by or asked.split or asked.queries:
        raise InputError(
            Problem(
                "slices, splits and finished queries are known of datasets only",
                expected="`judge import` first, then `judge score DATASET`",
            )
        )
    qrels = read_qrels(qrels_file)
    options = asked.with_relevance(1)
    runs = [load_run(path) for path in run_files]
    notices = []
    top = max((judgment.grade for judgment in qrels.judgments()), default=0)
    if top > 1 and asked.relevant_from is None:
        notices.append(
            f"grades go up to {top}; binary measures count grades from 1 as relevant"
            " (--relevant-from 2 is what published work takes on TREC deep learning passages)"
        )
    reports = [_report(gather(qrels, run, options), asked, None) for run in runs]
    report = score_report(qrels, reports, {}, per_query=asked.per_query)
    return {**report, "notices": [*notices, *report["notices"]]}


def _report(evidence: Evidence, asked: Asked, dataset: Dataset | None) -> RunReport:
    scores = take(evidence, asked.measures)
    slices: list[Slice] = []
    for by in asked.by:
        if dataset is None:
            break
        if by == "language-pair":
            languages = {query.id: query.language for query in dataset.queries}
            spoken = dataset.document_languages(sorted(set(evidence.qrels.docs)))
            slices += by_language_pair(evidence, asked.measures, languages, spoken)
        else:
            slices += by_query(scores, by, _property(dataset, by))
    return RunReport(scores, slices, evidence.run.notes)


def _property(dataset: Dataset, by: str) -> Mapping[str, str | None]:
    if by not in SLICES:
        raise NotFound("slice", by, SLICES)
    return {query.id: getattr(query, by) for query in dataset.queries}


def _ids(queries: Sequence[Query]) -> set[str]:
    return {query.id for query in queries}


def _chosen(dataset: Dataset, labels: Labels, merged: Merged, asked: Asked) -> Chosen:
    judged = list(dict.fromkeys(judgment.query_id for judgment in merged.judgments))
    split, notices = _split(dataset, asked.split)
    if split != "all":
        inside = {query.id for query in dataset.queries if query.split == split}
        judged = [query_id for query_id in judged if query_id in inside]
    unfinished = _unfinished(dataset, labels, merged)
    done = [query_id for query_id in judged if query_id not in unfinished]
    if asked.queries == "all" or not unfinished:
        return Chosen(tuple(judged), split, "all" if unfinished else "finished", (), notices)
    if not done and asked.queries is None:
        said = "no query is finished yet, so all judged ones count; their numbers will change"
        return Chosen(tuple(judged), split, "all", (), (*notices, said))
    if not done:
        raise InputError(
            Problem("no query is finished yet", field="--queries", expected="--queries all")
        )
    left = tuple(query_id for query_id in judged if query_id in unfinished)
    if left:
        what = "query is" if len(left) == 1 else "queries are"
        said = f"{len(left):,} {what} not finished and left out; --queries all takes all"
        notices = (*notices, said)
    return Chosen(tuple(done), split, "finished", left, notices)


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


def _own_pool(dataset: Dataset, merged: Merged, runs: Sequence[Run]) -> list[str]:
    if not PEOPLE & set(merged.sources):
        return []
    drawn = dataset.pool_runs()
    return [
        f"recall of {run.name} is relative to its own pool: candidates were drawn from it alone"
        for run in runs
        if drawn == {run.name}
    ]


def _settings(dataset: Dataset, merged: Merged, chosen: Chosen) -> dict[str, Any]:
    scale = dataset.manifest.scale
    return {
        "labels": merged.rule,
        "label_ties": merged.ties,
        "annotators": list(merged.annotators),
        "sources": merged.sources,
        "split": chosen.split,
        "queries": chosen.mode,
        "unfinished": list(chosen.unfinished),
        "scale": {"min": scale.min, "max": scale.max},
    }
