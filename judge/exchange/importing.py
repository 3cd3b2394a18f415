"""How a collection that people have becomes a dataset of the workspace, all of it or nothing."""

from __future__ import annotations

import copy
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from judge import __version__
from judge.core.errors import DatasetError, Problem, quoted
from judge.core.files import make_folder, remove_tree, sha256, sync_folder
from judge.core.text import digest
from judge.core.workspace import RESERVED
from judge.dataset.build import stage
from judge.exchange.scales import choose_scale
from judge.formats import registry
from judge.formats.reading.intake import USUAL_TOP, Reading
from judge.formats.registry import Sniffed
from judge.judging.labels import SegmentWriter, new_session_id, recorded

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from judge.core.model import Judgment, Scale
    from judge.core.tables import Run
    from judge.core.workspace import Workspace
    from judge.formats.collection import Collection

    Progress = Callable[[int, int], None]

Given = Literal["import", "gold"]
GIVEN: tuple[Given, ...] = get_args(Given)
"""The sources that judgments can come along from; each is the name of their annotator as well."""

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
    """

    name: str
    format: str
    why: str
    counts: Mapping[str, int]
    scale: Scale
    notes: Sequence[str] = field(default_factory=tuple)
    dry_run: bool = False

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
    format: str | None = None,  # noqa: A002
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
    judgments are put in the label store (annotator and source both `source`), and last it gets
    its name.

    Args:
        workspace: Where it goes.
        path: What to import.
        name: What to call the dataset.
        now: The moment that the judgments are recorded with.
        format: One of `registry.FORMATS`; None finds out.
        relevant_from: Where relevance begins on the scale.
        top: The highest grade of the scale, for sources that do not say it.
        map_grade: Grades to replace; None makes the pair unjudged.
        strict: Refuse judgments on unknown documents or queries.
        part: Which dataset of a file with several.
        source: `gold` for judgments by the collection's own authors.
        dry_run: Only read, check and report.
        progress: Called with (documents written, documents in all).

    Raises:
        InputError: The path, the format or the name cannot be taken; all problems are listed.
        DatasetError: A rule of datasets is broken, or the name is taken.
        OSError: The disk refused. The workspace is as before in every one of these cases.
    """
    _refuse_taken(workspace, name)
    sniffed = registry.sniff(path) if format is None else Sniffed(registry.named(format), "as told")
    reading = Reading(map_grade or {}, USUAL_TOP if top is None else top, strict, part)
    collection = sniffed.format.read(path, reading)
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
        plan = _Plan(name, collection, chosen.scale, runs, made_by, now, source)
        documents = _write(workspace, plan, progress)
    counts = {
        "documents": documents,
        "queries": len(collection.queries),
        "judgments": len(collection.judgments),
        "runs": len(runs),
    }
    notes = (*collection.notes, *chosen.notes)
    return ImportReport(
        name, sniffed.format.NAME, sniffed.why, counts, chosen.scale, notes, dry_run
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


def _refuse_taken(workspace: Workspace, name: str) -> None:
    """Refuse a name that a dataset has, or one on which people's judgments lie.

    Judgments by the importer alone are what an import leaves that was killed before its last step;
    they are replaced.
    """
    final = workspace.dataset_folder(name)
    if final.exists():
        message = f"there is a dataset {quoted(name)} already"
        raise DatasetError(Problem(message, path=final, expected="another --name"))
    labels = workspace.label_folder(name)
    others = sorted(p.name for p in labels.iterdir()) if labels.is_dir() else []
    others = [other for other in others if other not in GIVEN and not other.startswith(".")]
    if others:
        message = f"there is no dataset {quoted(name)}, but judgments on one by {', '.join(others)}"
        raise DatasetError(Problem(message, path=labels, expected="another --name"))


def _refuse_marks(judgments: Sequence[Judgment], scale: Scale) -> None:
    wrong = [j for j in judgments if j.hard_negative and j.grade >= scale.relevant_from]
    if wrong:
        first = f"query {quoted(wrong[0].query_id)}, document {quoted(wrong[0].doc_id)}"
        raise DatasetError(
            f"hard negatives of a grade that is relevant from {scale.relevant_from} on:"
            f" {len(wrong):,} (first: {first})"
        )


def _safe_runs(runs: Mapping[str, Run]) -> dict[str, Run]:
    """Runs by names that may become paths: lower case, other characters replaced."""
    safe: dict[str, Run] = {}
    for name, run in runs.items():
        base = re.sub(r"[^a-z0-9._-]", "-", name.lower()).strip("-._")[:56] or "run"
        base = f"run-{base}" if base.split(".")[0] in RESERVED else base
        new, number = base, 1
        while new in safe:
            number += 1
            new = f"{base}-{number}"
        renamed = copy.copy(run)
        renamed.name = new
        safe[new] = renamed
    return safe


def _made_by(
    path: Path, sniffed: Sniffed, collection: Collection, said: Mapping[str, Any]
) -> dict[str, Any]:
    """What the manifest says of the origin: names and hashes of the files, never their places."""
    root = path if path.is_dir() else path.parent
    files = [
        {"name": file.relative_to(root).as_posix(), "sha256": sha256(file)}
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
    with stage(workspace, plan.name) as staging:
        count = staging.write_documents(collection.documents, progress)
        staging.write_queries(collection.queries)
        for run in plan.runs.values():
            staging.write_run(run, {"import": run.name})
        if collection.guidelines:
            staging.write_guidelines(collection.guidelines)
        with _labels_in_place(workspace, plan):
            staging.publish(
                scale=plan.scale,
                description=collection.description,
                licence=collection.licence,
                version=collection.version,
                languages=collection.languages,
                made_by=plan.made_by,
            )
    return count


@contextmanager
def _labels_in_place(workspace: Workspace, plan: _Plan) -> Iterator[None]:
    """The imported judgments in the label store; taken back if the block fails."""
    if not plan.collection.judgments:
        yield
        return
    final = workspace.label_folder(plan.name)
    staged = workspace.labels / f".new-{plan.name}"
    had_labels = workspace.labels.exists()
    try:
        remove_tree(staged)
        _write_labels(staged / plan.source, plan)
        remove_tree(final)  # the leftover of an import that was killed; nobody else's
        staged.rename(final)
        sync_folder(workspace.labels)
        try:
            yield
        except BaseException:
            remove_tree(final)
            raise
    except BaseException:
        remove_tree(staged)
        if not had_labels and workspace.labels.exists() and not any(workspace.labels.iterdir()):
            workspace.labels.rmdir()
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
            annotator=plan.source,
            source=plan.source,
            session=session,
            at=plan.now,
            first=first,
            tool=f"judge {__version__}",
        )
        writer.append_batch(events)
    writer.close()
