"""How a dataset with its judgments leaves: in which format, by which rule, and what is lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from judge.core.errors import InputError, NotFound, Problem
from judge.exchange.rows import annotator_rows, merged_rows
from judge.formats import csv_table, parquet_table, registry
from judge.formats.collection import Collection, Stream
from judge.formats.writing.export_file import export_record
from judge.judging.given import all_given, nobody_judged
from judge.judging.labels import read_labels
from judge.judging.merge import DEFAULT_RULE, ONE, merge_labels

if TYPE_CHECKING:
    from collections.abc import Collection as Container
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from judge.core.model import Source
    from judge.core.workspace import Workspace
    from judge.dataset.store import Dataset
    from judge.judging.merge import Merged

TABLES = {module.NAME: module for module in (csv_table, parquet_table)}
"""The formats that are written only: one judgment in a row."""

Rows = Literal["merged", "annotators"]


@dataclass(frozen=True)
class ExportReport:
    """What an export wrote.

    Attributes:
        format: The format's name.
        paths: What was written.
        counts: `documents`, `queries`, `judgments`, `runs` of the dataset.
        losses: What the format could not carry, one line each.
        rule: How several annotators became one grade; empty where each stands for itself.
        ties: On how many pairs the rule had to break a tie.
        notes: What else a reader must know.
    """

    format: str
    paths: Sequence[Path]
    counts: Mapping[str, int]
    losses: Sequence[str]
    rule: str
    ties: int = 0
    notes: Sequence[str] = field(default_factory=tuple)

    def lines(self) -> list[str]:
        """The report for people."""
        counts = ", ".join(f"{count:,} {what}" for what, count in self.counts.items())
        but = "; what it cannot carry is listed above as lost" if self.losses else ""
        return [
            *(f"note: {note}" for note in self.notes),
            *(f"lost: {loss}" for loss in self.losses),
            *([f"grades merged by {self.rule}, ties: {self.ties}"] if self.rule else []),
            f"written as {self.format}: {', '.join(map(str, self.paths))}",
            f"from a dataset of {counts}{but}",
        ]


def format_names() -> list[str]:
    """All formats that a dataset can be exported to."""
    return [*registry.FORMATS, *TABLES]


def export_dataset(
    dataset: Dataset,
    format_name: str,
    path: Path,
    *,
    rule: str = DEFAULT_RULE,
    sources: Container[Source] | None = None,
    rows: Rows = "merged",
    spreadsheet: bool = False,
    force: bool = False,
) -> ExportReport:
    """Write a dataset with its judgments in an outside format.

    The same dataset with the same judgments gives the same bytes, in whatever order they were made.

    Args:
        dataset: What to write.
        format_name: One of `format_names()`.
        path: A file or folder that does not exist.
        rule: How several annotators become one grade; an annotator's name takes that one alone.
        sources: Only judgments of these sources; None takes people's, else imported and gold ones.
        rows: For tables: one row for each merged judgment, or for what each annotator said.
        spreadsheet: For CSV: texts that a spreadsheet would run as formulas are made harmless.
        force: Replace a file or an earlier export that stands there.

    Raises:
        NotFound: The format or the rule is not known.
        InputError: The path exists, it holds or lies in a part of the workspace, `force` would
            replace something that is no export, or an id cannot stand in this format.
        OSError: The disk refused; nothing has changed then.
    """
    if format_name not in format_names():
        raise NotFound("format", format_name, format_names())
    _refuse_inside(dataset.workspace, path)
    labels = read_labels(dataset.workspace.label_folder(dataset.name), dataset.name)
    merged = merge_labels(labels, dataset.manifest.scale, rule, sources)
    collection = _collection(dataset, merged)
    if format_name in TABLES:
        if rows == "annotators":
            one = merged.rule.removeprefix(ONE) if merged.rule.startswith(ONE) else None
            table = annotator_rows(dataset, labels, sources, one)
        else:
            table = merged_rows(dataset, merged)
        facts = export_record(collection, format_name)
        if format_name == csv_table.NAME:
            paths = csv_table.write_rows(table, facts, path, force=force, spreadsheet=spreadsheet)
        else:
            paths = TABLES[format_name].write_rows(table, facts, path, force=force)
        lost = _table_losses(collection)
    else:
        lost = registry.named(format_name).write(collection, path, force=force)
        paths = [path]
    lost = [*lost, *_merging_losses(dataset, merged, rows if format_name in TABLES else "merged")]
    counts = {
        "documents": dataset.manifest.counts.get("documents", 0),
        "queries": len(dataset.queries),
        "judgments": len(merged.judgments),
        "runs": len(collection.runs),
    }
    warnings = (*dataset.warnings(), *labels.warnings)
    if format_name in TABLES and rows == "annotators":
        return ExportReport(format_name, paths, counts, lost, "", 0, warnings)
    notes = (*warnings, *merged.notes)
    return ExportReport(format_name, paths, counts, lost, merged.rule, merged.ties, notes)


def _refuse_inside(workspace: Workspace, path: Path) -> None:
    """Refuse a place where an export would become or replace a part of the workspace."""
    place = path.resolve()
    for kept in (workspace.corpora, workspace.labels):
        there = kept.resolve()
        if place.is_relative_to(there) or there.is_relative_to(place):
            how = "lies in" if place.is_relative_to(there) else "holds"
            raise InputError(
                Problem(
                    f"{how} {kept.name}/ of the workspace, which is no place for an export",
                    path=path,
                    expected="a path apart from corpora/ and labels/",
                )
            )


def _collection(dataset: Dataset, merged: Merged) -> Collection:
    manifest = dataset.manifest
    return Collection(
        documents=Stream(dataset.documents),
        queries=dataset.queries,
        judgments=merged.judgments,
        runs={name: dataset.run(name) for name in dataset.run_names()},
        name=dataset.name,
        description=manifest.description,
        version=manifest.version,
        licence=manifest.licence,
        languages=manifest.languages,
        scale=manifest.scale,
        guidelines=dataset.guidelines,
        made_by=_provenance(manifest.made_by, merged),
    )


def _provenance(made_by: Mapping[str, Any], merged: Merged) -> dict[str, Any]:
    """Where the dataset and its judgments come from.

    What the imported source said of itself stays, so that exporting, importing and exporting again
    gives the same bytes; so does what it said of its judgments, while nobody here has judged.
    """
    origin = dict(made_by.get("provenance") or made_by)
    untouched = "judgments" in origin and nobody_judged(merged.annotators)
    if merged.judgments and not untouched:
        origin["judgments"] = {
            "rule": merged.rule,
            "ties": merged.ties,
            "annotators": list(merged.annotators),
            "sources": dict(merged.sources),
        }
    return origin


def _merging_losses(dataset: Dataset, merged: Merged, rows: Rows) -> list[str]:
    """What no export carries that has one grade for each pair, and no pools."""
    lost = []
    pairs = sum(map(len, dataset.candidates().values()))
    if pairs:
        lost.append(f"the pool: {pairs:,} candidates")
    if rows == "annotators":
        return lost
    if len(merged.annotators) > 1:
        lost.append(
            f"who said what: {len(merged.annotators)} annotators become one by {merged.rule}"
        )
    if not all_given(merged.sources):
        lost.append("the history of the judgments: by whom, when, in how many seconds")
    if merged.unjudged:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(merged.unjudged.items()))
        lost.append(f"pairs without a grade: {kinds}")
    return lost


def _table_losses(collection: Collection) -> list[str]:
    """What a table of judgments does not hold."""
    lost = ["the documents: only titles or opening words, and only of those that are judged"]
    judged = {judgment.query_id for judgment in collection.judgments}
    without = sum(query.id not in judged for query in collection.queries)
    if without:
        lost.append(f"queries without judgments: {without:,}")
    if collection.guidelines:
        lost.append("the guidelines")
    if collection.runs:
        lost.append(f"runs: {len(collection.runs)} ({', '.join(sorted(collection.runs))})")
    return lost
