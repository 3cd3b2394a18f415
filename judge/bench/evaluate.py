"""How systems are scored on the judgments of a dataset, or of a qrels file without one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.bench.counting import basis_of, own_pool, strangers
from judge.bench.doubts import strange_runs
from judge.bench.slicing import refuse_unknown, slices
from judge.bench.systems import RUN_DEPTH, systems_on
from judge.core.errors import InputError, Problem, quoted
from judge.core.tables import Qrels
from judge.engines.recorded import load_run
from judge.formats.trec import read_qrels
from judge.judging.staleness import stale_notices
from judge.scoring.report import RunReport, score_report
from judge.scoring.rollup import rolled_up_qrels, rolled_up_run
from judge.scoring.score import Evidence, Scores, evaluate, gather

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from pathlib import Path

    from judge.bench.asked import Asked
    from judge.bench.counting import Basis
    from judge.bench.systems import ShowProgress
    from judge.core.tables import Run
    from judge.dataset.store import Dataset
    from judge.scoring.score import ScoreOptions
    from judge.scoring.slices import Slice


class Scored(NamedTuple):
    """One system: its run laid beside the qrels, and the measures taken of it."""

    evidence: Evidence
    scores: Scores


@dataclass(frozen=True)
class Evaluation:
    """Systems scored on the same judgments; reports, comparisons and pages are made of it.

    Attributes:
        asked: What the user wanted to know.
        qrels: The judgments of the queries that count.
        systems: In the order in which they were named.
        settings: What the numbers depend on besides `asked.options`.
        notices: What must be told of the judgments.
        warnings: What is probably wrong with the input.
        dataset: Where all this comes from; None for bare files.
        basis: Which of its judgments and queries count.
    """

    asked: Asked
    qrels: Qrels
    systems: tuple[Scored, ...]
    settings: Mapping[str, Any]
    notices: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    dataset: Dataset | None = None
    basis: Basis | None = None

    @cached_property
    def report(self) -> dict[str, Any]:
        """The document `judge.score/1`."""
        asked = self.asked
        report = score_report(
            self.qrels,
            self.reported,
            self.settings,
            per_query=asked.per_query,
            intervals=asked.intervals,
        )
        report["warnings"] = list(self.warnings)
        report["notices"] = [*self.notices, *self._uncut(), *report["notices"]]
        if self.dataset is not None and self.basis is not None:
            report["dataset"] = self.dataset.name
            report["labels"] = self.basis.described()
        return report

    def hard_negatives(self) -> frozenset[tuple[str, str]]:
        """The (query id, document id) pairs that are marked; a rolled-up chunk marks its parent."""
        if self.dataset is None or self.basis is None:
            return frozenset()
        parents = self.dataset.parents() if self.asked.roll_up else {}
        return frozenset(
            (judgment.query_id, parents.get(judgment.doc_id, judgment.doc_id))
            for judgment in self.basis.merged.judgments
            if judgment.hard_negative
        )

    @cached_property
    def reported(self) -> list[RunReport]:
        """The scores of each system, and the parts that they were to be cut into."""
        return [self._reported(system) for system in self.systems]

    def _reported(self, system: Scored) -> RunReport:
        parts: list[Slice] = []
        if self.dataset is not None:
            measures = self.asked.measures
            for by in self.asked.parts:
                cut = slices(self.dataset, by, system.evidence, system.scores, measures)
                # A part that is the whole tells nothing, and would be one more test.
                whole = len(cut) == 1 and cut[0].scores.query_ids == system.scores.query_ids
                parts += [] if whole else cut
        return RunReport(system.scores, parts, system.evidence.run.notes)

    def _uncut(self) -> list[str]:
        """What to tell of properties that cut nothing apart."""
        cut = {part.by for part in self.reported[0].slices}
        alike = [by for by in self.asked.parts if by not in cut]
        return [f"nothing to cut by {by}: all queries are alike in it" for by in alike]


def evaluate_dataset(
    dataset: Dataset,
    asked: Asked,
    *,
    runs: Sequence[str] = (),
    engines: Sequence[str] = (),
    progress: ShowProgress,
) -> Evaluation:
    """Score systems on the judgments of a dataset.

    Raises:
        NotFound: There is no such run, engine, annotator, split or slice.
        InputError: There are no judgments, or no system to score.
        EngineError: An engine failed.
    """
    refuse_unknown(dataset, asked.by, roll_up=asked.roll_up)
    basis = basis_of(dataset, asked)
    scale = dataset.manifest.scale
    options = replace(asked.with_relevance(scale.relevant_from, scale.max), top_grade=scale.max)
    wanted = set(basis.queries)
    depth = max((measure.cutoff or 0 for measure in asked.measures), default=0)
    systems = systems_on(
        dataset,
        runs=runs,
        engines=engines,
        progress=progress,
        queries=[query for query in dataset.queries if query.id in wanted],
        depth=depth,
    )
    if not systems:
        raise InputError(
            Problem(
                f"{quoted(dataset.name)} keeps no runs to score",
                expected="--engine bm25, or --run FILE",
            )
        )
    every = Qrels.from_judgments(basis.merged.judgments)
    ranked = _told_apart([system.run for system in systems])
    if asked.roll_up:
        parents = dataset.parents()
        every = rolled_up_qrels(every, parents)
        ranked = [rolled_up_run(run, parents) for run in ranked]
    qrels, judged = every.subset(wanted), set(every.query_ids)
    scored = tuple(_scored(qrels, run, asked, options, judged) for run in ranked)
    settings = _settings(asked, basis, depth if engines else 0)
    told = [*basis.merged.notes, *basis.notices, *strangers(dataset, basis.merged)]
    told += own_pool(dataset, basis.merged, [run.name for run in ranked])
    told += _only_relevant(qrels, options)
    if caveat := dataset.manifest.made_by.get("generate", {}).get("caveat"):
        told.append(str(caveat))
    labels = basis.labels
    stale = stale_notices(dataset, labels.events)
    warnings = (*dataset.warnings(), *labels.warnings, *stale, *strange_runs(scored, dataset))
    return Evaluation(asked, qrels, scored, settings, tuple(told), warnings, dataset, basis)


def _settings(asked: Asked, basis: Basis, depth: int) -> dict[str, Any]:
    """What the numbers depend on besides the options; what is as usual is left out."""
    settings: dict[str, Any] = {"labels": basis.merged.rule, "split": basis.split}
    settings["queries"] = basis.mode
    if depth > RUN_DEPTH:
        settings["depth"] = depth  # what stands deeper counts in measures without a cutoff
    if asked.roll_up:
        settings["roll_up"] = True
    return settings


def evaluate_files(qrels_file: Path, run_files: Sequence[Path], asked: Asked) -> Evaluation:
    """Score run files on a qrels file, without a dataset.

    Raises:
        InputError: A file cannot be read, or something was asked for that only a dataset knows.
    """
    if asked.by or asked.split or asked.queries or asked.roll_up:
        raise InputError(
            Problem(
                "slices, splits, finished queries and the parents of chunks are known of datasets"
                " only",
                expected="`judge import` first, then `judge score DATASET`",
            )
        )
    qrels = read_qrels(qrels_file, negative="keep")
    top = int(qrels.all_grades.max(initial=0))
    options = asked.with_relevance(1, max(top, 1))
    notices: tuple[str, ...] = ()
    if top > 1 and asked.relevant_from is None:
        notices = (
            f"grades go up to {top}; binary measures count grades from 1 as relevant"
            " (--relevant-from 2 is what published work takes on TREC deep learning passages)",
        )
    notices += _only_relevant(qrels, options)
    judged = set(qrels.query_ids)
    runs = _told_apart([load_run(path) for path in run_files])
    scored = tuple(_scored(qrels, run, asked, options, judged) for run in runs)
    return Evaluation(asked, qrels, scored, {}, notices, tuple(strange_runs(scored, None)))


def _scored(
    qrels: Qrels, run: Run, asked: Asked, options: ScoreOptions, judged: Container[str]
) -> Scored:
    evidence = gather(qrels, run, options)
    scores = evaluate(evidence, asked.measures)
    # Queries of another split, or not finished, do have judgments: they are not ignored ones.
    ignored = tuple(query_id for query_id in scores.counts.ignored if query_id not in judged)
    return Scored(evidence, replace(scores, counts=scores.counts._replace(ignored=ignored)))


def _only_relevant(qrels: Qrels, options: ScoreOptions) -> tuple[str, ...]:
    """What to tell of judgments that hold no document that is not relevant."""
    if not holds_only_relevant(qrels, options):
        return ()
    told = (
        "only relevant documents are among the judgments, so the share judged tells how much was"
        " found, not how much was looked at"
    )
    if options.unjudged != "zero":
        told += f"; --unjudged {options.unjudged} makes any run that finds something look perfect"
    return (told,)


def holds_only_relevant(qrels: Qrels, options: ScoreOptions) -> bool:
    """Whether no judgment says that a document is not relevant."""
    return len(qrels) > 0 and int(qrels.all_grades.min()) >= options.relevant_from


def _told_apart(runs: Sequence[Run]) -> list[Run]:
    """The runs, with a number after a name that several have."""
    names: set[str] = set()
    apart = []
    for run in runs:
        name, number = run.name, 1
        while name in names:
            number += 1
            name = f"{run.name}-{number}"
        names.add(name)
        told = f"the next one of the name {quoted(run.name)}"
        apart.append(run if name == run.name else run.named(name).noted(told))
    return apart
