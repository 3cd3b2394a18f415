"""What the forms do with what was filled in: import, drawing candidates, export.

Imported by a worker, because the rooms below are heavy; runs in its thread. Whoever calls gives a
`tell`, which hears how far the work is and stops it by raising `Stopped`: what was begun is undone
then by those who began it.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from judge.bench.draw import draw_candidates
from judge.core.errors import InputError, Problem, quoted
from judge.dataset.store import Dataset
from judge.engines import ENGINES
from judge.exchange.exporting import export_dataset, format_names
from judge.exchange.importing import import_dataset
from judge.formats.registry import FORMATS
from judge.judging.labels import read_labels
from judge.judging.pool import ORDERS
from judge.tui.widgets.form import Blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from judge.core.model import Document
    from judge.core.workspace import Workspace

    Tell = Callable[[str, int, int], None]

NO_YES = ("no", "yes")
FOUND_OUT = "found out"
BY_ITSELF = "chosen by itself"
DEPTH = 20


def import_blanks() -> list[Blank]:
    """Give what an import asks for."""
    return [
        Blank("path", "path", hint="a folder or file: BEIR, TREC, JSON"),
        Blank("name", "name", hint="what to call the dataset: a-z 0-9 . _ -"),
        Blank("format", "format", FOUND_OUT, choices=(FOUND_OUT, *FORMATS)),
        Blank("relevant_from", "relevant from", hint="the lowest grade that counts as relevant"),
        Blank("dry_run", "only check", NO_YES[0], choices=NO_YES),
    ]


def run_import(workspace: Workspace, values: Mapping[str, str], tell: Tell) -> list[str]:
    """Import what a form says.

    Raises:
        JudgeError: It cannot be imported; all problems are listed.
        OSError: The disk refused.
    """
    path, name = _needed(values, "path"), _needed(values, "name")
    dry_run = values["dry_run"] == NO_YES[1]
    tell("reading and checking", 0, 0)
    report = import_dataset(
        workspace,
        Path(path).expanduser(),
        name=name,
        now=dt.datetime.now(dt.UTC),
        format_name=None if values["format"] == FOUND_OUT else values["format"],
        relevant_from=_number(values, "relevant_from", None),
        dry_run=dry_run,
        progress=lambda done, total: tell("documents", done, total),
    )
    lines = report.lines()
    if dry_run:
        return [*lines, "nothing was written: it was only checked"]
    after = "draws the candidates to judge" if report.can_be_judged else ""
    return [*lines, f"next: p on {name} {after}"] if after else lines


def pool_blanks(workspace: Workspace, name: str) -> list[Blank]:
    """Give what a draw asks for: the engines and kept runs of a dataset, depth and order."""
    dataset = Dataset.open(workspace, name)
    runs = dataset.run_names()
    engines = [engine for engine in ENGINES if not engine.argument]
    first = NO_YES[0] if runs else NO_YES[1]
    systems = [Blank(f"run {run}", f"run {run}", NO_YES[1], choices=NO_YES) for run in runs]
    systems += [
        Blank(
            f"engine {engine.kind}",
            f"engine {engine.kind}",
            NO_YES[0] if at else first,
            choices=NO_YES,
        )
        for at, engine in enumerate(engines)
    ]
    return [
        *systems,
        Blank("file", "run file", hint="a TREC or Parquet run, if there is one more"),
        Blank("depth", "depth", str(DEPTH), hint="how many documents of each are drawn"),
        Blank("order", "order", BY_ITSELF, choices=(BY_ITSELF, *ORDERS)),
    ]


def run_pool(workspace: Workspace, name: str, values: Mapping[str, str], tell: Tell) -> list[str]:
    """Draw the candidates that a form asks for.

    Raises:
        JudgeError: They cannot be drawn.
        OSError: The disk refused.
    """
    chosen = [key.split(" ", 1) for key, value in values.items() if value == NO_YES[1]]
    runs = [which for kind, which in chosen if kind == "run"]
    engines = [which for kind, which in chosen if kind == "engine"]
    if file := values["file"]:
        runs.append(str(Path(file).expanduser()))
    if not runs and not engines:
        raise InputError(Problem("nothing to draw from", expected="a run or an engine: yes"))

    @contextmanager
    def progress(what: str) -> Iterator[Callable[[int, int], None]]:
        tell(what, 0, 0)
        yield lambda done, total: tell(what, done, total)

    dataset = Dataset.open(workspace, name)
    depth = _number(values, "depth", DEPTH)
    if depth is None or depth < 1:
        raise InputError(Problem(f"{quoted(values['depth'])} is too small", field="depth"))
    drawn = draw_candidates(
        dataset,
        runs=runs,
        engines=engines,
        depth=depth,
        order=None if values["order"] == BY_ITSELF else values["order"],
        seed=1,
        now=dt.datetime.now(dt.UTC),
        progress=progress,
    )
    warnings = [f"warning: {warning}" for warning in dataset.warnings()]
    return [*warnings, *drawn.lines(), f"next: open {name} to judge them"]


def export_blanks(name: str) -> list[Blank]:
    """Give what an export asks for."""
    formats = tuple(format_names())
    return [
        Blank("format", "format", formats[0], choices=formats),
        Blank("path", "path", hint=f"a new file or folder, such as {name}-export"),
        Blank("force", "replace", NO_YES[0], choices=NO_YES),
    ]


def losses(workspace: Workspace, name: str, format_: str) -> list[str]:
    """Say what a format cannot carry of a dataset, before it is written.

    It is written aside for that, but with the judged documents only: what is told of those without
    a judgment is in the report of the export itself.
    """
    whole = Dataset.open(workspace, name)
    dataset = _Judged(workspace, whole.folder, whole.manifest)
    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        lost = export_dataset(dataset, format_, Path(folder) / "export").losses
    if not lost:
        return [f"{format_} carries all of {name}"]
    return [f"what {format_} cannot carry of {name}:", *(f"- {line}" for line in lost)]


def run_export(workspace: Workspace, name: str, values: Mapping[str, str], tell: Tell) -> list[str]:
    """Write what a form asks for.

    Raises:
        JudgeError: It cannot be written.
        OSError: The disk refused; nothing has changed then.
    """
    path = Path(_needed(values, "path")).expanduser()
    whole = Dataset.open(workspace, name)
    dataset = _Watched(workspace, whole.folder, whole.manifest)
    dataset.tell = tell
    tell("judgments and runs", 0, 0)
    force = values["force"] == NO_YES[1]
    return export_dataset(dataset, values["format"], path, force=force).lines()


class _Watched(Dataset):
    """A dataset whose documents are counted as they go by."""

    tell: Tell

    def documents(self) -> Iterator[Document]:
        """All documents; the work can be stopped between two of them."""
        total = self.manifest.counts.get("documents", 0)
        for number, document in enumerate(super().documents(), 1):
            self.tell("documents", number, total)
            yield document


class _Judged(Dataset):
    """A dataset of which only the judged documents are gone through."""

    def documents(self) -> Iterator[Document]:
        """The documents that somebody judged and that are there, by id."""
        states = read_labels(self.workspace.label_folder(self.name), self.name).states
        ids = sorted({pair.doc_id for pair in states})
        for doc_id in sorted(self.titles(ids)):
            yield self.document(doc_id)


def _needed(values: Mapping[str, str], name: str) -> str:
    if not values[name]:
        raise InputError(Problem("is needed", field=name))
    return values[name]


def _number(values: Mapping[str, str], name: str, usual: int | None) -> int | None:
    value = values[name]
    if not value:
        return usual
    if not (value.isascii() and value.isdigit()):
        label = name.replace("_", " ")
        raise InputError(Problem(f"{quoted(value)} is no number", field=label, expected="digits"))
    return int(value)
