"""The command `generate`: datasets whose truth is known, made of facts or of a corpus."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli.options import QuietOption, WorkspaceOption, workspace_at
from judge.cli.out import Output
from judge.core.errors import InputError, NotFound, Problem, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judge.core.model import Document
    from judge.core.workspace import Workspace
    from judge.dataset.store import Dataset
    from judge.synth.seam import Kind


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("generate")(generate)


def generate(
    kind: Annotated[
        str, typer.Argument(help="What to make: `judge explain generators` lists the kinds.")
    ],
    name: Annotated[str, typer.Option("--name", help="What to call the dataset.")],
    size: Annotated[
        int | None, typer.Option("--size", min=20, help="How many documents, nearly.")
    ] = None,
    queries: Annotated[
        int | None, typer.Option("--queries", min=1, help="How many queries.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Another seed makes another set.")] = 1,
    languages: Annotated[
        str | None, typer.Option("--languages", help="BCP 47 tags, such as en,hi.")
    ] = None,
    dial: Annotated[
        list[str] | None, typer.Option("--dial", help="NAME=NUMBER. May be repeated.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", help="A dataset or folder, for the kinds own-... and cloze-mix."),
    ] = None,
    workspace: WorkspaceOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make a labelled dataset whose truth is known by construction, without any model.

    The same command makes the same rows on every machine. Grades and hard negatives are kept as
    gold judgments; a card (card.md) beside the data says what the set can and cannot tell.
    """
    from judge.synth.building import generate as make
    from judge.synth.seam import Request

    place, out = workspace_at(workspace), Output(quiet=quiet)
    wanted = _kind(kind, source, place)
    spoken = tuple(languages.split(",")) if languages else wanted.languages
    request = Request(
        size=size or wanted.size,
        queries=queries or wanted.queries,
        seed=seed,
        languages=() if source else spoken,
        dials=dict(map(_dial, dial or [])),
    )
    with out.progress(f"making {kind}") as progress:
        made = make(
            place, wanted, request, name=name, now=dt.datetime.now(dt.UTC), progress=progress
        )
    out.say(*made.lines())
    out.say(f"Next: `judge score {name} --engine bm25 --by difficulty`.")


def _dial(given: str) -> tuple[str, float]:
    name, _, value = given.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise InputError(
            Problem(f"{quoted(given)} is no dial", field="--dial", expected="NAME=NUMBER")
        ) from None


def _kind(name: str, source: str | None, workspace: Workspace) -> Kind:
    """Give the kind of this name; those of a corpus need one."""
    from judge.synth.kinds import KINDS
    from judge.synth.own import own_kinds

    of_corpus = {kind.name: kind for kind in own_kinds(_documents(source, workspace))}
    if name in KINDS and source is None:
        return KINDS[name]
    if name in of_corpus and source is not None:
        return of_corpus[name]
    if name in KINDS:
        expected = f"without it, or one of {', '.join(of_corpus)}"
        raise InputError(Problem(f"{name} is made of no corpus", field="--from", expected=expected))
    if name in of_corpus:
        expected = "--from DATASET, or --from FOLDER"
        raise InputError(Problem(f"{name} is made of a corpus", expected=expected))
    raise NotFound("generator", name, [*KINDS, *of_corpus])


def _documents(source: str | None, workspace: Workspace) -> Iterable[Document]:
    """Give the documents of a dataset, or of a folder; nothing is read yet."""
    from judge.dataset.store import Dataset
    from judge.synth.own import Folder

    if source is None:
        return ()
    if source in workspace.datasets():
        return _Documents(Dataset.open(workspace, source))
    path = Path(source).expanduser()
    if path.is_dir():
        return Folder(path)
    raise NotFound("dataset or folder", source, workspace.datasets())


class _Documents:
    """The documents of a dataset, which may be gone through again and again."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def __iter__(self) -> Iterator[Document]:
        return self._dataset.documents()
