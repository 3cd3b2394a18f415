"""How the candidates of a dataset are drawn from systems and kept as a pool."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.bench.systems import systems_on
from judge.core.errors import InputError, Problem, quoted
from judge.core.workspace import safe_from
from judge.judging.pool import build_pool, default_order

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from judge.bench.systems import ShowProgress, System
    from judge.core.model import Candidate
    from judge.core.tables import Run
    from judge.dataset.store import Dataset


@dataclass(frozen=True)
class Drawn:
    """What a draw added to the pool of a dataset.

    Attributes:
        pairs: New query-document pairs.
        known: Pairs of these systems that the pool had already.
        queries: Queries that got new pairs.
        in_all: Pairs of the pool now.
        runs: The systems that were drawn from.
        order: The order of judging.
        depth: How many documents of each run were drawn.
        foreign: Pairs left out because the dataset lacks their query or document.
    """

    pairs: int
    known: int
    queries: int
    in_all: int
    runs: tuple[str, ...]
    order: str
    depth: int
    foreign: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """What to tell the user."""
        lines = [
            f"{self.pairs} new pairs for {self.queries} queries,"
            f" the top {self.depth} of {', '.join(self.runs)}, order {self.order};"
            f" {self.known} were in the pool already, which now has {self.in_all}."
        ]
        if self.foreign:
            lines.append(
                f"warning: {len(self.foreign)} pairs were left out, because the dataset does not"
                f" have their query or document: {', '.join(self.foreign[:3])}"
                + (", ..." if len(self.foreign) > 3 else "")
            )
        return lines


def draw_candidates(
    dataset: Dataset,
    *,
    runs: Sequence[str],
    engines: Sequence[str],
    depth: int,
    order: str | None,
    seed: int,
    now: dt.datetime,
    progress: ShowProgress,
) -> Drawn:
    """Draw the first `depth` documents of each system and add those that are new to the pool.

    The runs are kept with the dataset, so that they can be scored and shown later.

    Raises:
        NotFound: There is no such run, engine or order.
        InputError: No system was named and the dataset keeps none; a run cannot be read.
        EngineError: An engine failed.
    """
    found = systems_on(dataset, runs=runs, engines=engines, progress=progress, depth=depth)
    if not found:
        raise InputError(
            Problem(
                f"nothing to draw candidates of {quoted(dataset.name)} from",
                expected="--engine bm25, or --run FILE",
            )
        )
    systems = _named(dataset, found)
    drawable = [system.run for system in systems]
    order = order or default_order(len(drawable))
    everything = build_pool(drawable, depth=depth, order=order, seed=seed)
    foreign = _foreign(dataset, everything)
    pool = dataset.candidates()
    known = {query_id: {c.doc_id for c in rows} for query_id, rows in pool.items()}
    left_out = {query_id: set(docs) for query_id, docs in known.items()}
    for candidate in foreign:
        left_out.setdefault(candidate.query_id, set()).add(candidate.doc_id)
    new = build_pool(drawable, depth=depth, order=order, seed=seed, known=left_out)
    names = tuple(run.name for run in drawable)
    for system in systems:
        if not system.kept:
            dataset.add_run(system.run, system.made_by)
    if new:
        made_by = {"depth": depth, "order": order, "seed": seed, "runs": list(names)}
        dataset.add_pool(new, order=order, seed=seed, made_by=made_by, now=now)
    return Drawn(
        pairs=len(new),
        known=len(everything) - len(new) - len(foreign),
        queries=len({c.query_id for c in new}),
        in_all=sum(map(len, known.values())) + len(new),
        runs=names,
        order=order,
        depth=depth,
        foreign=tuple(f"{c.query_id} {c.doc_id} (run {c.run})" for c in foreign),
    )


def _named(dataset: Dataset, found: Sequence[System]) -> list[System]:
    """The systems under names that the dataset can keep their runs by.

    A kept run never changes, since pools and reports go by its name: another run of that name gets
    a number after it, and the very same run under its name is not kept, or drawn from, again.
    """
    taken = {name: dataset.run(name) for name in dataset.run_names()}
    named: list[System] = []
    for system in found:
        run, kept = system.run, system.kept
        name = safe_from(run.name, "run")
        numbered = re.compile(rf"{re.escape(name)}(-\d+)?")
        same = [n for n, other in taken.items() if numbered.fullmatch(n) and _same(run, other)]
        if not kept and same:
            name, kept = same[0], True
        elif not kept:
            name = safe_from(run.name, "run", taken)
        run = run if run.name == name else run.named(name)
        if not kept:
            taken[name] = run
        if name not in {system.run.name for system in named}:
            named.append(system._replace(run=run, kept=kept))
    return named


def _same(one: Run, other: Run) -> bool:
    return len(one) == len(other) and all(
        a == b for a, b in zip(one.rows(), other.rows(), strict=True)
    )


def _foreign(dataset: Dataset, drawn: Sequence[Candidate]) -> list[Candidate]:
    """Those that name a query or document which the dataset does not have."""
    queries = {query.id for query in dataset.queries}
    documents = dataset.titles(sorted({c.doc_id for c in drawn}))
    return [c for c in drawn if c.query_id not in queries or c.doc_id not in documents]
