"""What a live look at the scores of a dataset shows, and how each part of it is come by.

Nothing is computed here: every number is one of an evaluation's report, its comparison or its
failures. What is asked for is given bit by bit, so that whoever looks sees the first numbers early.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar, cast

from judge.bench.asked import Asked
from judge.bench.comparing import MEASURES, comparison_of
from judge.bench.counting import basis_of
from judge.bench.evaluate import Evaluation, evaluate_dataset
from judge.bench.failing import failures_of
from judge.bench.slicing import SLICES, metadata_keys
from judge.bench.views import (
    Bad,
    Cell,
    Choice,
    Compared,
    Comparison,
    Cut,
    Figure,
    Grid,
    Measured,
    Part,
    Placed,
    SideBySide,
    Snapshot,
    View,
    Worst,
)
from judge.core.errors import InputError, Problem, quoted
from judge.core.model import UNKNOWN_LANGUAGE
from judge.scoring.measures import parse_measure
from judge.scoring.slices import PAIR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from judge.bench.systems import ShowProgress
    from judge.bench.views import JSON, Figures, Stamp
    from judge.dataset.store import Dataset

ENGINES = ("bm25", "terms")
"""Measured beside the kept runs, but for one of whose name a run is kept."""
PAIRS = "language-pair"
TOP = 10
"""Documents of each ranking that are set side by side."""
DEEP = 100
"""How deep the other ranking is searched for each of them."""
BELOW = 0.5
"""A query with less than this part of its ideal value went badly."""
WORST = 50
"""Queries that are listed as the worst."""

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Live:
    """Systems scored on the judgments of one moment. Answers are kept; threads take turns.

    Attributes:
        evaluation: The systems on the judgments.
        snapshot: What is said of all of them.
    """

    evaluation: Evaluation
    snapshot: Snapshot
    _kept: dict[tuple[str, ...], object] = field(default_factory=dict, repr=False)
    _turn: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def settled(self, choice: Choice) -> Choice:
        """The choice with a name that there is in every place.

        The second system is another one than the first, or empty if there is only one.
        """
        found = self.snapshot
        first = _one_of(choice.first, found.names)
        others = tuple(name for name in found.names if name != first)
        return Choice(
            first=first,
            second=_one_of(choice.second, others),
            measure=_one_of(choice.measure, found.deciding),
            by=_one_of(choice.by, found.cuts),
            query=choice.query if choice.query in found.query_ids else "",
        )

    def views(self, choice: Choice, progress: ShowProgress) -> Iterator[View]:
        """The view of a choice, each time with one part more; the last one is complete.

        Args:
            choice: What is looked at.
            progress: Opens a bar for each part; it may raise to end the work.
        """
        choice = self.settled(choice)
        view = View(choice, self.snapshot)
        yield view
        pairs = self._once(progress, f"cutting by {PAIRS}", _cut, PAIRS)
        place = self.snapshot.names.index(choice.first)
        view = replace(view, pairs=pairs, grid=grid(pairs, place, choice.measure))
        yield view
        if choice.measure:
            told = f"looking for the worst queries of {choice.first}"
            worst = self._once(progress, told, _worst, choice.first, choice.measure)
            view = replace(view, worst=worst)
            yield view
            if not choice.query and worst.listed:
                choice = replace(choice, query=worst.listed[0].query_id)
        choice = replace(choice, query=choice.query or self.snapshot.query_ids[0])
        told = "reading the first documents"
        tops = self._once(progress, told, _tops, choice.query, choice.first, choice.second)
        view = replace(view, choice=choice, tops=tops)
        yield view
        view = replace(view, cut=self._once(progress, f"cutting by {choice.by}", _cut, choice.by))
        yield view
        if choice.second and choice.measure:
            told = f"comparing {choice.first} and {choice.second}"
            comparison = self._once(progress, told, _compared, choice.first, choice.second)
            yield replace(view, comparison=comparison)

    def _once(
        self, progress: ShowProgress, told: str, answer: Callable[..., Answer], *of: str
    ) -> Answer:
        """An answer, made the first time that it is asked for."""
        with progress(told), self._turn:
            key = (answer.__name__, *of)
            if key not in self._kept:
                self._kept[key] = answer(self.evaluation, *of)
            return cast("Answer", self._kept[key])


def look(dataset: Dataset, progress: ShowProgress) -> Live:
    """Score the kept runs of a dataset, and the engines, on its judgments as they are now.

    Args:
        dataset: The dataset; one of its own for the thread that calls this.
        progress: Opens a progress bar; it may raise to end the work.

    Raises:
        InputError: There are no judgments, or there is no system; says what to do.
        EngineError: An engine failed.
    """
    stamp = stamp_of(dataset)
    kept, engines, notices = _systems(dataset)
    try:
        evaluation = evaluate_dataset(
            dataset, Asked(), runs=kept, engines=engines, progress=progress
        )
    except InputError:
        # One run of other queries must not hide all others; if that was not it, it is told.
        strange = _of_other_queries(dataset, kept)
        kept = [name for name in kept if name not in strange]
        if not strange or not (kept or engines):
            raise
        notices += [f"run {name} is left out: it has no judged query" for name in strange]
        evaluation = evaluate_dataset(
            dataset, Asked(), runs=kept, engines=engines, progress=progress
        )
    with progress("drawing intervals"):
        snapshot = snapshot_of(evaluation, stamp, notices)
    return Live(evaluation, snapshot)


def stamp_of(dataset: Dataset) -> Stamp:
    """What the judgments, runs and pools of a dataset are like: another stamp, other scores."""
    folders = (
        dataset.workspace.label_folder(dataset.name),
        dataset.folder / "runs",
        dataset.folder / "pools",
    )
    stamps = []
    for folder in folders:
        for path in folder.rglob("*.parquet"):
            try:
                found = path.stat()
            except FileNotFoundError:  # it was written anew just now
                continue
            stamps.append((str(path), found.st_size, found.st_mtime_ns))
    return tuple(sorted(stamps))


def snapshot_of(evaluation: Evaluation, stamp: Stamp, notices: Sequence[str] = ()) -> Snapshot:
    """What is said of all systems of an evaluation of a dataset.

    Args:
        evaluation: Systems scored on a dataset.
        stamp: Of the dataset before it was read.
        notices: What is to be told besides.
    """
    report, dataset = evaluation.report, evaluation.dataset
    labels = report["labels"]
    measures = tuple(report["measures"])
    return Snapshot(
        dataset=report["dataset"],
        systems=tuple(
            Measured(run["run"], run["counts"]["queries"], _figures(run["measures"]))
            for run in report["runs"]
        ),
        measures=measures,
        deciding=tuple(m for m in measures if not parse_measure(m).definition.about_judging),
        settings=report["settings"],
        settings_hash=report["settings_hash"],
        interval=report["interval"] or {},
        queries=report["qrels"]["queries"],
        judgments=report["qrels"]["judgments"],
        rule=labels["rule"],
        annotators=tuple(labels["annotators"]),
        unfinished=len(labels["unfinished"]),
        cuts=(*SLICES, *(metadata_keys(dataset) if dataset else ())),
        query_ids=evaluation.systems[0].scores.query_ids,
        notices=(*notices, *report["notices"]),
        warnings=tuple(report["warnings"]),
        stamp=stamp,
    )


def grid(cut: Cut, place: int, measure: str) -> Grid:
    """The means of language pairs as a grid: the language of the query down, of answers across.

    Args:
        cut: Scores cut by language pair.
        place: Which of the systems.
        measure: By which measure.

    >>> part = Part("en > hi", 3, ({"RR": Figure(0.5)},))
    >>> grid(Cut("language-pair", (part,)), 0, "RR").cells
    {('en', 'hi'): Cell(value=0.5, queries=3)}
    """
    cells = {}
    for part in cut.parts:
        asked, _, written = part.value.partition(PAIR)
        cells[asked, written] = Cell(part.figures[place][measure].mean, part.queries)
    rows, columns = ({key[i]: None for key in cells} for i in (0, 1))
    return Grid(tuple(rows), tuple(sorted(columns)), cells)


def _systems(dataset: Dataset) -> tuple[list[str], list[str], list[str]]:
    """Kept runs and engines to measure, and what is to be told of the choice."""
    kept = dataset.run_names()
    first = next(dataset.documents(), None)
    if first is not None and first.text is not None:
        return kept, [name for name in ENGINES if name not in kept], []
    if not kept:
        raise InputError(
            Problem(
                f"{quoted(dataset.name)} has neither texts to search nor runs to score",
                expected=f"`judge pool {dataset.name} --run FILE` keeps a run",
            )
        )
    told = f"the documents have no text, so {' and '.join(ENGINES)} are not measured"
    return kept, [], [told]


def _of_other_queries(dataset: Dataset, kept: Sequence[str]) -> list[str]:
    """The kept runs that have none of the judged queries."""
    judged = set(basis_of(dataset, Asked()).queries)
    return [name for name in kept if judged.isdisjoint(dataset.run(name).query_ids)]


def _figures(measures: JSON) -> Figures:
    return {
        name: Figure(entry["mean"], entry.get("low"), entry.get("high"), entry["judged"])
        for name, entry in measures.items()
    }


def _one_of(name: str, names: Sequence[str]) -> str:
    return name if name in names else next(iter(names), "")


def _cut(evaluation: Evaluation, by: str) -> Cut:
    report = replace(evaluation, asked=replace(evaluation.asked, by=(by,))).report
    parts = [
        Part(
            entries[0]["value"],
            entries[0]["counts"]["queries"],
            tuple(_figures(entry["measures"]) for entry in entries),
        )
        for entries in zip(*(run["slices"] for run in report["runs"]), strict=True)
    ]
    told = [line for line in report["notices"] if line.startswith(f"nothing to cut by {by}:")]
    return Cut(by, tuple(parts), told[0] if told and not parts else "")


def _worst(evaluation: Evaluation, system: str, measure: str) -> Worst:
    alone = _only(evaluation, system)
    relevant = alone.systems[0].scores.options.relevant_from
    taken = {str(found.bound(relevant)): found for found in alone.asked.measures}
    (document,) = failures_of(alone, taken[measure], below=BELOW, worst=WORST)
    dataset = evaluation.dataset
    languages = {query.id: query.language for query in dataset.queries} if dataset else {}
    listed = tuple(
        Bad(
            query_id=failure["query"],
            text=failure["text"],
            language=languages.get(failure["query"], UNKNOWN_LANGUAGE),
            value=failure["value"],
            ideal=failure["ideal"],
            judged=failure["judged"],
            says=tuple(found["says"] for found in failure["diagnoses"]),
        )
        for failure in document["failures"]
    )
    return Worst(document["failed"], document["queries"], listed)


def _compared(evaluation: Evaluation, first: str, second: str) -> Comparison:
    document = comparison_of(_only(evaluation, first, second), measures=MEASURES)
    (other,) = document["runs"]
    fields = set(Compared._fields) - {"measure", "p"}
    rows = tuple(
        Compared(measure=name, p=row["p_adjusted"], **{key: row[key] for key in fields})
        for name, row in other["measures"].items()
    )
    told = [line for line in document["notices"] if line not in evaluation.report["notices"]]
    return Comparison(document["baseline"], other["run"], document["family"], rows, tuple(told))


def _tops(evaluation: Evaluation, query_id: str, first: str, second: str) -> SideBySide:
    names = [name for name in (first, second) if name]
    runs = [system.evidence.run for system in _only(evaluation, *names).systems]
    ranked = [[hit.doc_id for hit in run.hits(query_id, DEEP)] for run in runs]
    dataset = evaluation.dataset
    shown = sorted({doc_id for ids in ranked for doc_id in ids[:TOP]})
    titles = dataset.titles(shown) if dataset else {}
    texts = {query.id: query.text for query in dataset.queries} if dataset else {}
    grades, marked = evaluation.qrels.grades(query_id), evaluation.hard_negatives()

    def placed(ids: Sequence[str], other: Sequence[str]) -> tuple[Placed, ...]:
        ranks = {doc_id: rank for rank, doc_id in enumerate(other, 1)}
        return tuple(
            Placed(
                rank=rank,
                doc_id=doc_id,
                title=titles.get(doc_id, ""),
                grade=grades.get(doc_id),
                hard_negative=(query_id, doc_id) in marked,
                other=ranks.get(doc_id),
            )
            for rank, doc_id in enumerate(ids[:TOP], 1)
        )

    left, right = ranked[0], ranked[1] if len(ranked) > 1 else []
    return SideBySide(query_id, texts.get(query_id, ""), placed(left, right), placed(right, left))


def _only(evaluation: Evaluation, *names: str) -> Evaluation:
    """An evaluation of some of the systems, in this order."""
    by_name = {system.scores.run: system for system in evaluation.systems}
    return replace(evaluation, systems=tuple(by_name[name] for name in names))
