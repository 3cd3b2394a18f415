"""How the options that many commands share are spelled, and where the workspace is."""

from __future__ import annotations

import getpass
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from judge.core.errors import NotFound
from judge.core.workspace import Workspace, annotator_name, safe_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from judge.core.model import Source


def _inherited(context: typer.Context, option: typer.CallbackParam, value: object) -> object:
    """What was said before the command counts for it, unless it was said again after it."""
    source = context.get_parameter_source(str(option.name))
    said_here = source is not None and source.name == "COMMANDLINE"
    if said_here or context.parent is None:
        return value
    return context.parent.params.get(str(option.name), value)


WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        envvar="JUDGE_WORKSPACE",
        callback=_inherited,
        help="The folder that holds corpora/ and labels/. Default: the current folder.",
        show_default=False,
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document instead of a table.")
]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write the data to this file instead of stdout."),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="No talk and no progress bars on stderr.")
]
AnnotatorOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        envvar="JUDGE_ANNOTATOR",
        callback=_inherited,
        help="Whose judgments these are. Default: your login name.",
        show_default=False,
    ),
]


def refuse_overwriting(outputs: Mapping[str, Path | None], inputs: Iterable[object]) -> None:
    """Refuse to write onto a file that is read, or two things onto one file.

    Args:
        outputs: What is written where, by the option.
        inputs: Names of what is read; those that are no files do not matter.
    """
    taken = {_place(Path(str(name))): "what is read" for name in inputs if name is not None}
    for option, path in outputs.items():
        if path is None or (path.exists() and not path.is_file()):
            continue
        if other := taken.get(_place(path)):
            raise typer.BadParameter(f"{path} is {other} too", param_hint=option)
        taken[_place(path)] = f"what {option} writes"


def _place(path: Path) -> str:
    return os.path.realpath(path)


def workspace_at(option: Path | None) -> Workspace:
    """The workspace: the option, else `JUDGE_WORKSPACE`, else the current folder."""
    folder = option or os.environ.get("JUDGE_WORKSPACE") or "."
    return Workspace(Path(folder))


def annotator_named(option: str | None) -> str:
    """The annotator: the option (which must be a safe name), else the login name made safe.

    Raises:
        InputError: The option may not become a path.
    """
    if option is not None:
        return annotator_name(option)
    try:
        login = getpass.getuser()
    except (OSError, KeyError):  # no password entry and no variable, as in bare containers
        login = ""
    return annotator_name(safe_from(login, "me"))


def sources_named(names: list[str] | None) -> list[Source] | None:
    """The sources of judgments that were asked for; None for the default ones.

    Raises:
        NotFound: There is no such source.
    """
    from judge.core.model import Source

    for name in names or ():
        if name not in get_args(Source):
            raise NotFound("source", name, get_args(Source))
    return cast("list[Source]", names) if names else None
