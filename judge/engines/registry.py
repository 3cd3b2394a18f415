"""Which engines there are, and how one is named on the command line, is known only here.

A name is `KIND` or `KIND:WHAT`, such as `bm25` or `run:results/mine.trec`. Each engine is a class
whose docstring is its manual and whose `open(argument, dataset, progress)` makes it ready. Its
module is loaded only when it is asked for, so that no engine needs what another one does.
"""

from __future__ import annotations

import importlib
import inspect
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from judge.core.errors import InputError, NotFound, Problem, quoted
from judge.engines import seam

if TYPE_CHECKING:
    from judge.dataset.store import Dataset
    from judge.engines.seam import Engine, Progress


class EngineKind(NamedTuple):
    """One row of the table of engines.

    Attributes:
        kind: What stands before the colon.
        argument: What stands after it, as the manual calls it; empty if nothing may.
        summary: One line for people who choose.
        home: Module and class.
    """

    kind: str
    argument: str
    summary: str
    home: tuple[str, str]

    @property
    def spelling(self) -> str:
        """How it is written: `bm25`, `run:FILE`."""
        return f"{self.kind}:{self.argument}" if self.argument else self.kind


ENGINES: tuple[EngineKind, ...] = (
    EngineKind(
        "bm25",
        "",
        "words weighed by how rare they are, any language; an index in the dataset's cache",
        ("judge.engines.bm25", "Bm25"),
    ),
    EngineKind(
        "terms",
        "",
        "the share of the query's terms that the document contains; the baseline to beat",
        ("judge.engines.terms", "Terms"),
    ),
    EngineKind(
        "run",
        "FILE",
        "what another system answered: a TREC or Parquet run, or a run kept with the dataset",
        ("judge.engines.recorded", "Recorded"),
    ),
)


class _Opener(Protocol):
    def open(self, argument: str, dataset: Dataset, progress: Progress | None) -> Engine: ...


def open_engine(spec: str, dataset: Dataset, progress: Progress | None = None) -> Engine:
    """Make the engine of this name ready to search a dataset.

    Args:
        spec: `bm25`, `terms`, `run:FILE`; see `ENGINES`.
        dataset: What it shall search.
        progress: Told (documents done, documents in all) while an index is built.

    Raises:
        NotFound: There is no such engine, or not what it is to be opened on.
        InputError: What stands after the colon is missing, or does not belong there.
        EngineError: The engine cannot be made ready.
    """
    name, colon, argument = spec.partition(":")
    found = _kind(name, spec)
    if bool(argument) != bool(found.argument) or (colon and not argument):
        raise InputError(Problem(f"engine {quoted(spec)}", expected=found.spelling))
    module, class_name = found.home
    opener = cast("_Opener", getattr(importlib.import_module(module), class_name))
    return opener.open(argument, dataset, progress)


def manual(topic: str) -> str:
    """The manual of one engine, or for `engines` what all promise and which there are.

    Args:
        topic: `engines`, `bm25`, `terms`, `run`.

    Raises:
        NotFound: There is no such engine.

    >>> print(manual("terms").splitlines()[0])
    The baseline to beat: the share of the query's terms that a document contains.
    """
    if topic == "engines":
        width = max(len(found.spelling) for found in ENGINES)
        rows = [f"  {found.spelling:{width}}  {found.summary}" for found in ENGINES]
        promises = inspect.cleandoc(seam.__doc__ or "").partition("\n\n")[2]
        return "\n".join(["Engines, as `--engine` takes them:", "", *rows, "", promises])
    module, class_name = _kind(topic.partition(":")[0], topic).home
    return inspect.getdoc(getattr(importlib.import_module(module), class_name)) or ""


def _kind(name: str, spec: str) -> EngineKind:
    for found in ENGINES:
        if found.kind == name:
            return found
    known = [found.spelling for found in ENGINES]
    raise NotFound("engine", spec, known, hint="`judge explain engines` tells what each does.")
