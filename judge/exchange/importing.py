"""How a collection that people have becomes a dataset of the workspace, all of it or nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core.errors import DatasetError, InputError, Problem, quoted
from judge.core.files import legible, sha256
from judge.core.workspace import safe_from
from judge.dataset.build import stage
from judge.exchange.scales import choose_scale, refuse_top
from judge.formats import registry
from judge.formats.reading.intake import USUAL_TOP, Reading
from judge.formats.registry import Sniffed
from judge.judging.given import Arrival

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from judge.core.model import Judgment, Query, Scale
    from judge.core.tables import Run
    from judge.core.workspace import Workspace
    from judge.formats.collection import Collection
    from judge.judging.given import Given

    Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class ImportReport:
    """What an import took, or would take.

    Attributes:
        name: The dataset.
        format: Which format the path was read as, and `why`.
        counts: `documents`, `queries`, `judgments`, `runs`: all of them kept.
        scale: The scale of the dataset.
        notes: What was odd but could be taken, each kind with count and first place.
        dry_run: Nothing was written.
        can_be_judged: There are texts, of documents and of queries, to judge.
    """

    name: str
    format: str
    why: str
    counts: Mapping[str, int]
    scale: Scale
    notes: Sequence[str] = field(default_factory=tuple)
    dry_run: bool = False
    can_be_judged: bool = True

    def lines(self) -> list[str]:
        """The report for people."""
        counts = ", ".join(f"{count:,} {what}" for what, count in self.counts.items())
        verb = "would be imported" if self.dry_run else "imported"
        scale = self.scale
        return [
            f"taken for {self.format}: {self.why}",
            *(f"note: {note}" for note in self.notes),
            f"scale {scale.min}-{scale.max}, relevant from {scale.relevant_from}",
            f"{self.name}: {verb}: {counts}",
        ]


def import_dataset(
    workspace: Workspace,
    path: Path,
    *,
    name: str,
    now: dt.datetime,
    format_name: str | None = None,
    relevant_from: int | None = None,
    top: int | None = None,
    map_grade: Mapping[int, int | None] | None = None,
    strict: bool = False,
    part: str | None = None,
    source: Given = "import",
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Import a folder or file as a new dataset.

    Everything is read and checked before anything is written. Then the dataset is built aside, its
    judgments are put in the label store, and last it gets its name.

    Args:
        workspace: Where it goes.
        path: What to import.
        name: What to call the dataset.
        now: The moment that the judgments are recorded with.
        format_name: One of `registry.FORMATS`; None finds out.
        relevant_from: Where relevance begins on the scale.
        top: The highest grade of the scale, for sources that do not say it.
        map_grade: Grades to replace; None makes the pair unjudged.
        strict: Refuse judgments on unknown documents or queries.
        part: Which dataset of a file with several.
        source: `gold` for judgments by the collection's own authors.
        dry_run: Only read, check and report.
        progress: Called with (documents written, documents in all).

    Raises:
        InputError: The path, the format, the name or an option cannot be taken; all problems are
            listed.
        DatasetError: A rule of datasets is broken, or the name is taken.
        OSError: The disk refused. The workspace is as before in every one of these cases.
    """
    refuse_top(top)
    arrival = Arrival(workspace, name, source, now)
    arrival.refuse_leftover()
    sniffed = _read_as(path, format_name)
    reading = Reading(map_grade or {}, USUAL_TOP if top is None else top, strict, part)
    collection = sniffed.format.read(path, reading)
    _refuse_part(path, part, collection.name)
    _refuse_empty(path, collection)
    chosen = choose_scale(
        collection.scale, collection.judgments, top=top, relevant_from=relevant_from
    )
    _refuse_marks(collection.judgments, chosen.scale)
    runs = _safe_runs(collection.runs)
    if dry_run:
        documents = sum(1 for _ in collection.documents)
    else:
        said = {"relevant_from": relevant_from, "top": top, "part": part, "map_grade": map_grade}
        made_by = _made_by(path, sniffed, collection, said)
        plan = _Plan(name, collection, chosen.scale, runs.kept, made_by, arrival)
        documents = _write(workspace, plan, progress)
    counts = {
        "documents": documents,
        "queries": len(collection.queries),
        "judgments": len(collection.judgments),
        "runs": len(runs.kept),
    }
    notes = (*collection.notes, *runs.notes, *chosen.notes, *_equal_texts(collection.queries))
    return ImportReport(
        name=name,
        format=sniffed.format.NAME,
        why=sniffed.why,
        counts=counts,
        scale=chosen.scale,
        notes=notes,
        dry_run=dry_run,
        can_be_judged=_has_texts(collection),
    )


def _read_as(path: Path, format_name: str | None) -> Sniffed:
    """The format that was named, or that the path looks like."""
    if format_name is None:
        return registry.sniff(path)
    return Sniffed(registry.named(format_name), "as told")


def _equal_texts(queries: Sequence[Query]) -> tuple[str, ...]:
    """Say which queries have one text; they stay apart, as their needs may differ."""
    by_text: dict[str, list[str]] = {}
    for query in queries:
        if query.text.strip():
            by_text.setdefault(query.text, []).append(query.id)
    equal = [names for names in by_text.values() if len(names) > 1]
    if not equal:
        return ()
    first = " and ".join(map(quoted, equal[0][:2]))
    return (f"queries with the text of another: {sum(map(len, equal)):,} (first: {first})",)


def _has_texts(collection: Collection) -> bool:
    return any(query.text for query in collection.queries) and any(
        document.text is not None for document in collection.documents
    )


class _Plan(NamedTuple):
    """All that is to be written."""

    name: str
    collection: Collection
    scale: Scale
    runs: dict[str, Run]
    made_by: dict[str, Any]
    arrival: Arrival


def _refuse_part(path: Path, part: str | None, name: str) -> None:
    """Refuse a part that was asked for where the input is another one."""
    if part is not None and part != name:
        called = f"one dataset, {quoted(name)}" if name else "one dataset, without a name"
        raise InputError(
            Problem(f"there is no {quoted(part)} in it", path, None, "--part", f"{called}")
        )


def _refuse_empty(path: Path, collection: Collection) -> None:
    """Refuse what would be no dataset, also where nothing is to be written."""
    for what, some in (("documents", collection.documents), ("queries", collection.queries)):
        if next(iter(some), None) is None:
            raise DatasetError(Problem(f"there are no {what} in it", path))


def _refuse_marks(judgments: Sequence[Judgment], scale: Scale) -> None:
    wrong = [j for j in judgments if j.hard_negative and j.grade >= scale.relevant_from]
    if wrong:
        first = f"query {quoted(wrong[0].query_id)}, document {quoted(wrong[0].doc_id)}"
        raise DatasetError(
            f"hard negatives of a grade that is relevant from {scale.relevant_from} on:"
            f" {len(wrong):,} (first: {first})"
        )


class _Runs(NamedTuple):
    """Runs by the names that they are kept under, and what must be said about these."""

    kept: dict[str, Run]
    notes: tuple[str, ...]


def _safe_runs(runs: Mapping[str, Run]) -> _Runs:
    """Runs by names that may become paths."""
    kept: dict[str, Run] = {}
    renamed: list[str] = []
    for name, run in runs.items():
        new = safe_from(name, "run", kept)
        kept[new] = run if new == name else run.named(new)
        if new != name:
            renamed.append(f"{quoted(name)} is {new}")
    note = f"runs whose names cannot be kept, renamed: {len(renamed):,}"
    return _Runs(kept, (f"{note} ({', '.join(renamed[:3])})",) if renamed else ())


def _made_by(
    path: Path, sniffed: Sniffed, collection: Collection, said: Mapping[str, Any]
) -> dict[str, Any]:
    """What the manifest says of the origin: names and hashes of the files, never their places."""
    root = path if path.is_dir() else path.parent
    files = [
        {"name": legible(file.relative_to(root).as_posix()), "sha256": sha256(file)}
        for file in sorted(collection.files)
    ]
    options = {key: value for key, value in said.items() if value not in (None, {})}
    if "map_grade" in options:
        options["map_grade"] = {str(k): options["map_grade"][k] for k in options["map_grade"]}
    source = {"format": sniffed.format.NAME, "files": files, "options": options}
    origin = {"provenance": dict(collection.made_by)} if collection.made_by else {}
    return {"import": source, **origin}


def _write(workspace: Workspace, plan: _Plan, progress: Progress | None) -> int:
    """Build the dataset aside, put its judgments in place, then give it its name."""
    collection = plan.collection
    with stage(workspace, plan.name) as staging, workspace.staged_labels(plan.name) as labels:
        count = staging.write_documents(collection.documents, progress)
        staging.write_queries(collection.queries)
        for run in plan.runs.values():
            staging.write_run(run, {"import": run.name})
        if collection.guidelines:
            staging.write_guidelines(collection.guidelines)
        if collection.judgments:
            files = [file["sha256"] for file in plan.made_by["import"]["files"]]
            plan.arrival.write(labels, collection.judgments, files)
        staging.publish(
            scale=plan.scale,
            description=collection.description,
            licence=collection.licence,
            version=collection.version,
            languages=collection.languages,
            made_by=plan.made_by,
            inside=plan.arrival.in_place(labels),
        )
    return count
