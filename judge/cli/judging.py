"""The commands of people who judge: `demo`, `annotate`, `status`, and opening the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli.options import (
    AnnotatorOption,
    JsonOption,
    OutputOption,
    QuietOption,
    WorkspaceOption,
    annotator_named,
    workspace_at,
)
from judge.cli.out import Output
from judge.core.errors import InputError, JudgeError, Problem

if TYPE_CHECKING:
    from judge.core.workspace import Workspace
    from judge.judging.status import DatasetStatus

DEMO = "demo"


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command()(demo)
    app.command()(annotate)
    app.command()(status)


def demo(
    workspace: WorkspaceOption = None,
    annotator: AnnotatorOption = None,
    quiet: QuietOption = False,
) -> None:
    """Open a small dataset to try everything on; without a terminal, score it and print that.

    It is copied into the workspace as `demo` on first use. Your judgments stay yours.
    """
    from judge.exchange.demo import place_demo

    place = workspace_at(workspace)
    out = Output(quiet=quiet)
    if place_demo(place):
        out.say(f"The demo dataset is now in {place.dataset_folder(DEMO)}.")
    if _at_a_terminal():
        open_terminal(place.root, DEMO, annotator)
    else:
        from judge.cli.scoring import print_scores

        print_scores(place, DEMO, engines=["bm25", "terms"], out=out)


def annotate(
    dataset: Annotated[str, typer.Argument(help="The dataset.")],
    workspace: WorkspaceOption = None,
    annotator: AnnotatorOption = None,
) -> None:
    """Judge documents: a key gives a grade and brings the next. Press ? there for all keys.

    It opens where you stopped. Every judgment is on disk before the screen says "saved".
    """
    open_terminal(workspace, dataset, annotator)


def _at_a_terminal() -> bool:
    # A stream that the caller has closed is None.
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def open_terminal(workspace: Path | None, dataset: str | None, annotator: str | None) -> None:
    """Open the screens on a workspace, or on one dataset of it.

    Raises:
        InputError: There is no terminal to open them in.
        NotFound: There is no such dataset.
    """
    place = workspace_at(workspace)
    name = annotator_named(annotator)
    if dataset is not None:
        place.existing_dataset(dataset)
    if not _at_a_terminal():
        raise InputError(Problem("judging needs a terminal, and this is a pipe or a file"))
    from judge.tui.app import run_app

    code = run_app(place, dataset, name)
    if code:
        raise typer.Exit(code)


def status(
    dataset: Annotated[
        str | None, typer.Argument(help="The dataset. Default: all of the workspace.")
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Tell how far judging is: documents, queries, pool, judgments of each annotator."""
    from judge.judging.status import dataset_status

    place = workspace_at(workspace)
    out = Output(as_json=as_json, path=output, quiet=quiet)
    names = [dataset] if dataset else place.datasets()
    found, broken = [], []
    for name in names:
        try:
            found.append(dataset_status(place, name))
        except JudgeError as error:
            broken.append(error)
    if broken and not found:
        raise broken[0]
    if as_json:
        out.document({"schema": "judge.status/1", "datasets": [s.document() for s in found]})
    elif not found:
        out.say(f"No datasets in {place.corpora}. `judge demo` makes one to try.")
    else:
        _print_status(out, found, place)
    out.say(*(f"judge: {error}" for error in broken))
    for one in found:
        out.say(*(f"warning: {warning}" for warning in one.warnings))
    if broken:
        raise typer.Exit(JudgeError.exit_code)


def _print_status(out: Output, found: list[DatasetStatus], place: Workspace) -> None:
    header = (
        *("dataset", "documents", "queries", "pool", "annotator", "source"),
        *("graded", "hard negative", "cannot judge", "skipped", "flagged"),
    )
    rows: list[tuple[str | int | None, ...]] = []
    for one in found:
        about: tuple[str | int | None, ...] = (one.name, one.documents, one.queries, one.pool)
        for person in one.annotators:
            graded = (person.name, person.source, person.graded, person.hard_negatives)
            rows.append((*about, *graded, person.cannot_judge, person.skipped, person.flagged))
            about = ("", None, None, None)
        if not one.annotators:
            rows.append((*about, "-", "-", 0, 0, 0, 0, 0))
    out.table(header, rows)
    out.say(f"Workspace: {place.root.resolve()}")
