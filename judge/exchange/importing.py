"""How a collection that people have becomes a dataset of the workspace, all of it or nothing."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from judge import __version__
from judge.core.errors import DatasetError, InputError, Problem, quoted
from judge.core.files import legible, locked, make_folder, sha256, sync_folder
from judge.core.text import digest
from judge.core.workspace import safe_from
from judge.dataset.build import refuse_taken, stage
from judge.exchange.given import annotator_of
from judge.exchange.scales import choose_scale, refuse_top
from judge.formats import registry
from judge.formats.reading.intake import USUAL_TOP, Reading
from judge.formats.registry import Sniffed
from judge.judging.labels import SegmentWriter, new_session_id, read_labels, recorded

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from judge.core.model import Judgment, Query, Scale
    from judge.core.tables import Run
    from judge.core.workspace import Workspace
    from judge.exchange.given import Given
    from judge.formats.collection import Collection

    Progress = Callable[[int, int], None]

BATCH = 100_000
"""Judgments in one segment: one file for nearly every set, and memory that stays bounded."""


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
    _refuse_leftover(workspace, name, source)
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
        plan = _Plan(name, collection, chosen.scale, runs.kept, made_by, now, source)
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
    now: dt.datetime
    source: Given


def _refuse_leftover(workspace: Workspace, name: str, source: Given) -> None:
    """Refuse a name that a dataset has, or one on which somebody's judgments lie.

    What an import leaves that was killed before its last step is replaced: judgments by the
    importer alone, which nobody can have made in any other way.
    """
    refuse_taken(workspace, name)
    folder = workspace.label_folder(name)
    if not folder.is_dir():
        return
    importer = annotator_of(source)
    names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    found = read_labels(folder, name)
    if found.warnings or any(event.source != source for event in found.events):
        strange = names
    else:
        strange = names - {importer}
    if strange:
        message = f"there is no dataset {quoted(name)}, but judgments on one by"
        raise DatasetError(
            Problem(
                f"{message} {', '.join(sorted(strange))}",
                path=folder,
                expected="another --name, or remove that folder first",
            )
        )


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
            _write_labels(labels / annotator_of(plan.source), plan)
        staging.publish(
            scale=plan.scale,
            description=collection.description,
            licence=collection.licence,
            version=collection.version,
            languages=collection.languages,
            made_by=plan.made_by,
            inside=_labels_in_place(workspace, plan, labels),
        )
    return count


@contextmanager
def _labels_in_place(workspace: Workspace, plan: _Plan, staged: Path) -> Iterator[None]:
    """The judgments in the label store while the dataset gets its name; taken back if it does not.

    The lock lets one import at a time take this step, so that no import puts its judgments beside
    the dataset of another one.
    """
    folder = workspace.label_folder(plan.name)
    annotator = annotator_of(plan.source)
    moves = ((folder / annotator, staged / "replaced"), (staged / annotator, folder / annotator))
    done: list[tuple[Path, Path]] = []
    with locked(workspace.corpora):
        _refuse_leftover(workspace, plan.name, plan.source)
        had_folder = folder.exists()
        try:
            if plan.collection.judgments:
                make_folder(folder)
            for old, new in moves:
                if old.exists():
                    old.rename(new)
                    done.append((old, new))
            if folder.exists():
                sync_folder(folder)
            yield
        except BaseException:
            for old, new in reversed(done):
                new.rename(old)
            if not had_folder:
                with suppress(OSError):  # it was not made, or somebody put something there
                    folder.rmdir()
            raise


def _write_labels(folder: Path, plan: _Plan) -> None:
    make_folder(folder)
    judgments = plan.collection.judgments
    facts = [plan.name, *(f["sha256"] for f in plan.made_by["import"]["files"])]
    # Not random: importing the same files at the same moment makes the same bytes.
    session = new_session_id(lambda: plan.now, lambda size: digest(*facts)[: 2 * size])
    writer = SegmentWriter(folder, plan.name, session)
    for first in range(0, len(judgments), BATCH):
        events = recorded(
            judgments[first : first + BATCH],
            annotator=annotator_of(plan.source),
            source=plan.source,
            session=session,
            at=plan.now,
            first=first,
            tool=f"judge {__version__}",
        )
        writer.append_batch(events)
    writer.close()
