"""How the systems that a user names (run files, kept runs, engines) become runs."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from judge.core.errors import NotFound
from judge.engines import ENGINES, open_engine, run_engine
from judge.engines.recorded import Recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.core.model import Query
    from judge.core.tables import Run
    from judge.dataset.store import Dataset

RUN_DEPTH = 1000
"""Documents for each query that an engine is asked for at least: as deep as published runs."""


class ShowProgress(Protocol):
    """Opens a progress bar with a title; what it gives is told (done, in all)."""

    def __call__(self, what: str, /) -> AbstractContextManager[Callable[[int, int], None]]:
        """Show a bar while the block runs."""


class System(NamedTuple):
    """One system on one dataset.

    Attributes:
        run: What it ranked.
        made_by: How: the engine's settings, or the file it was read from.
        kept: Whether the dataset has this run already.
    """

    run: Run
    made_by: dict[str, Any]
    kept: bool


def systems_on(
    dataset: Dataset,
    *,
    runs: Sequence[str],
    engines: Sequence[str],
    progress: ShowProgress,
    queries: Sequence[Query] | None = None,
    depth: int,
) -> list[System]:
    """The named systems on a dataset; without any name, the runs that the dataset keeps.

    Args:
        dataset: The dataset that the engines search.
        runs: Run files, or names of runs kept with the dataset.
        engines: Engines, as `judge explain engines` spells them.
        progress: Opens a progress bar.
        queries: Which the engines answer; all by default.
        depth: Documents for each query that are needed; engines are asked for at least a thousand.

    Raises:
        NotFound: There is no such run or engine.
        InputError: A run file cannot be read.
        EngineError: An engine failed.
    """
    kept = dataset.run_names()
    if not runs and not engines:
        runs = kept
    found = [_recorded(dataset, name, kept) for name in runs]
    for spec in engines:
        with progress(f"preparing {spec}") as bar:
            engine = open_engine(spec, dataset, bar)
        with progress(f"searching with {spec}") as bar:
            asked = dataset.queries if queries is None else queries
            run = run_engine(engine, asked, max(depth, RUN_DEPTH), bar)
        found.append(System(run, dict(engine.describe()), kept=False))
    return found


def system_named(name: str, dataset: Dataset) -> str:
    """What a bare name of a system means: a run kept with the dataset, a run file, or an engine.

    Returns:
        How `--engine` spells it.

    Raises:
        NotFound: It is none of these.
    """
    kinds = [engine.kind for engine in ENGINES if not engine.argument]
    if name in dataset.run_names() or Path(name).exists():
        return f"run:{name}"
    if name.partition(":")[0] in {engine.kind for engine in ENGINES}:
        return name
    hint = "A system is a run kept with the dataset, a run file, or an engine."
    raise NotFound("system", name, [*dataset.run_names(), *kinds], hint=hint)


def _recorded(dataset: Dataset, name: str, kept: Sequence[str]) -> System:
    if name not in kept and not Path(name).exists():
        is_engine = name.partition(":")[0] in {engine.kind for engine in ENGINES}
        hint = f"{name} is an engine: --engine {name}." if is_engine else ""
        raise NotFound("run file or kept run", name, kept, hint=hint)
    engine = Recorded.open(name, dataset)
    return System(engine.run, dict(engine.describe()), kept=name in kept)
