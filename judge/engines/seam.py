"""What every engine promises, and what happens to one that breaks its word, is known only here.

An engine ranks documents for a query. For `search(query, k)` it promises:

- at most `k` hits, no document twice, every score a finite number;
- best first: by score downwards, and equal scores by document id downwards (by UTF-8 bytes), also
  where `k` cuts through documents of equal score;
- only documents of the query's namespace; a query without one searches all;
- nothing for a query without words, and nothing that has no reason to be there: a score that only
  pads (0) is never a hit;
- the same answer to the same question, and `search(query, 10)` is the start of
  `search(query, 100)`.

A recorded run (`run:`) replays what another system answered: its scores may have any sign, and it
holds whatever that system returned.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from judge.core.errors import EngineError, InputError, Problem, quoted
from judge.core.tables import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from judge.core.model import Hit, Query

Setting = str | int | float | bool | None
"""One value of an engine's settings: what JSON can hold, flat."""

Progress = Callable[[int, int], None]
"""Told (done, in all) while long work goes on."""


@runtime_checkable
class Engine(Protocol):
    """Anything that ranks documents for a query; the module's docstring has the promises."""

    @property
    def name(self) -> str:
        """What its run is called."""

    def search(self, query: Query, k: int) -> list[Hit]:
        """The best `k` documents, best first."""

    def describe(self) -> dict[str, Setting]:
        """The settings that decide its answers, for reports; the same settings, the same dict."""


def best(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The best k of many hits, ties ordered as everywhere: by document id downwards.

    Args:
        hits: In any order, each document once.
        k: How many at most; below 1 gives none.

    >>> from judge.core.model import Hit
    >>> [hit.doc_id for hit in best([Hit("a", 1.0), Hit("c", 2.0), Hit("b", 1.0)], 2)]
    ['c', 'b']
    """
    # Python orders text by code point, which is the order of its UTF-8 bytes.
    return heapq.nlargest(k, hits, key=lambda hit: (hit.score, hit.doc_id))


def run_engine(
    engine: Engine, queries: Sequence[Query], k: int, progress: Progress | None = None
) -> Run:
    """Let an engine answer many queries and keep the answers as a run of the engine's name.

    A query without hits has no rows in the run.

    Args:
        engine: The engine; it is checked against its promises while it answers.
        queries: In the order in which the run shall list them.
        k: At most so many documents for each query.
        progress: Told (queries done, queries in all) after each query.

    Raises:
        InputError: `k` is below 1.
        EngineError: The engine failed, or broke a promise.
    """
    if k < 1:
        raise InputError(Problem(f"{k} documents for each query", field="k", expected="1 or more"))
    answers: dict[str, list[Hit]] = {}
    for done, query in enumerate(queries, start=1):
        hits = engine.search(query, k)
        _check(engine.name, query, hits, k)
        answers[query.id] = hits
        if progress is not None:
            progress(done, len(queries))
    return Run.from_hits(engine.name, answers)


def _check(name: str, query: Query, hits: Sequence[Hit], k: int) -> None:
    """Refuse an answer that no measure could be trusted on."""
    fault = None
    if len(hits) > k:
        fault = f"gave {len(hits)} documents where {k} were asked for"
    elif len({hit.doc_id for hit in hits}) < len(hits):
        fault = "gave a document twice"
    elif not all(math.isfinite(hit.score) for hit in hits):
        fault = "gave a score that is not a finite number"
    elif any((b.score, b.doc_id) > (a.score, a.doc_id) for a, b in itertools.pairwise(hits)):
        fault = "did not order its documents by score and id"
    if fault:
        raise EngineError(f"engine {quoted(name)} {fault} (query {quoted(query.id)})")
