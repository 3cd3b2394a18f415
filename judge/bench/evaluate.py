"""How labels and systems become one score report: which judgments and queries count."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.bench.systems import systems_on
from judge.core.errors import InputError, NotFound, Problem, quoted
from judge.core.tables import Qrels
from judge.core.workspace import safe_from
from judge.engines.recorded import load_run
from judge.formats.trec import read_qrels
from judge.judging.labels import read_labels
from judge.judging.merge import DEFAULT_RULE, PEOPLE, merge_labels
from judge.scoring.measures import DEFAULT_MEASURES
from judge.scoring.report import RunReport, score_report
from judge.scoring.score import Evidence, ScoreOptions, gather
from judge.scoring.score import evaluate as take
from judge.scoring.slices import Slice, by_language_pair, by_query

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Mapping, Sequence
    from pathlib import Path

    from judge.bench.systems import ShowProgress
    from judge.core.model import Source
    from judge.core.tables import Run
    from judge.dataset.store import Dataset
    from judge.judging.labels import Labels
    from judge.judging.merge import Merged
    from judge.scoring.measures import Measure

SLICES: tuple[str, ...] = ("language", "language-pair", "category", "namespace", "split")
"""What scores can be cut by."""


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

    def with_relevance(self, default: int, top: int | None) -> ScoreOptions:
        """The options, with the least relevant grade that was asked for or is the default.

        Raises:
            InputError: It is not above 0, or above the top grade.
        """
        chosen = default if self.relevant_from is None else self.relevant_from
        if chosen < 1 or (top is not None and chosen > top):
            raise InputError(
                Problem(
                    f"grade {chosen} cannot be the lowest relevant one",
                    field="--relevant-from",
                    expected="1 or more" if top is None else f"1 to {top}",
                )
            )
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
    labels, merged = _judgments(dataset, asked)
    scale = dataset.manifest.scale
    options = asked.with_relevance(scale.relevant_from, scale.max)
    chosen = _chosen(dataset, labels, merged, asked)
    wanted = set(chosen.ids)
    every = Qrels.from_judgments(merged.judgments)
    systems = systems_on(
        dataset,
        runs=runs,
        engines=engines,
        progress=progress,
        queries=[query for query in dataset.queries if query.id in wanted],
        depth=max((measure.cutoff or 0 for measure in asked.measures), default=0),
    )
    if not systems:
        raise InputError(
            Problem(
                f"{quoted(dataset.name)} keeps no runs to score",
                expected="--engine bm25, or --run FILE",
            )
        )
    qrels = every.subset(wanted)
    judged = set(every.query_ids)
    reports = [_report(gather(qrels, s.run, options), asked, dataset, judged) for s in systems]
    settings = {"labels": merged.rule, "split": chosen.split, "queries": chosen.mode}
    report = score_report(qrels, reports, settings, per_query=asked.per_query)
    told = [*labels.warnings, *merged.notes, *chosen.notices, *_strangers(dataset, merged)]
    told += _own_pool(dataset, merged, [s.run for s in systems])
    return {
        **report,
        "dataset": dataset.name,
        "labels": _labels(merged, chosen),
        "notices": [*told, *report["notices"]],
    }


def _judgments(dataset: Dataset, asked: Asked) -> tuple[Labels, Merged]:
    labels = read_labels(dataset.workspace.label_folder(dataset.name), dataset.name)
    merged = merge_labels(labels, dataset.manifest.scale, asked.labels, asked.sources)
    if not merged.judgments:
        raise InputError(
            Problem(
                f"there are no judgments on {quoted(dataset.name)} to score with",
                expected=f"`judge annotate {dataset.name}` to make some",
            )
        )
    return labels, merged


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
    qrels = read_qrels(qrels_file, negative="keep")
    options = asked.with_relevance(1, None)
    runs = [load_run(path) for path in run_files]
    notices = []
    top = int(qrels.all_grades.max(initial=0))
    if top > 1 and asked.relevant_from is None:
        notices.append(
            f"grades go up to {top}; binary measures count grades from 1 as relevant"
            " (--relevant-from 2 is what published work takes on TREC deep learning passages)"
        )
    judged = set(qrels.query_ids)
    reports = [_report(gather(qrels, run, options), asked, None, judged) for run in runs]
    report = score_report(qrels, reports, {}, per_query=asked.per_query)
    return {**report, "notices": [*notices, *report["notices"]]}


def _report(
    evidence: Evidence, asked: Asked, dataset: Dataset | None, judged: Container[str]
) -> RunReport:
    scores = take(evidence, asked.measures)
    # Queries of another split, or not finished, do have judgments: they are not ignored ones.
    ignored = tuple(query_id for query_id in scores.counts.ignored if query_id not in judged)
    scores = replace(scores, counts=scores.counts._replace(ignored=ignored))
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


def _chosen(dataset: Dataset, labels: Labels, merged: Merged, asked: Asked) -> Chosen:
    judged = list(dict.fromkeys(judgment.query_id for judgment in merged.judgments))
    split, notices = _split(dataset, asked.split)
    if split != "all":
        inside = {query.id for query in dataset.queries if query.split == split}
        judged = [query_id for query_id in judged if query_id in inside]
        if not judged:
            raise InputError(
                Problem(
                    f"no query of the split {quoted(split)} has judgments",
                    field="--split",
                    expected="--split all takes every query",
                )
            )
    unfinished = _unfinished(dataset, labels, merged)
    done = [query_id for query_id in judged if query_id not in unfinished]
    people = bool(PEOPLE & set(merged.sources))
    if asked.queries == "all" or not unfinished:
        mode = "finished" if people and asked.queries != "all" else "all"
        return Chosen(tuple(judged), split, mode, (), notices)
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
        if drawn == {safe_from(run.name, "run")}
    ]


def _strangers(dataset: Dataset, merged: Merged) -> list[str]:
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


def _labels(merged: Merged, chosen: Chosen) -> dict[str, Any]:
    """What the judgments rest on; it may change without making two numbers incomparable."""
    return {
        "rule": merged.rule,
        "ties": merged.ties,
        "annotators": list(merged.annotators),
        "sources": merged.sources,
        "unfinished": list(chosen.unfinished),
    }
