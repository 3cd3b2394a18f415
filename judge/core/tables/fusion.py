"""How rankings are fused into one: reciprocal rank fusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge.core.arrow import Categories, Strings
from judge.core.tables.grouping import group
from judge.core.tables.pairs import Pairs, repeats
from judge.core.tables.run import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def fuse(
    runs: Sequence[Run],
    *,
    k: int = 60,
    weights: Sequence[float] | None = None,
    name: str = "rrf",
) -> Run:
    """Reciprocal rank fusion: score(d) = sum over runs of weight / (k + rank of d), rank from 1.

    A run that does not have the document adds nothing. Equal sums are ordered as all ties are; the
    sum does not depend on the order of the runs.

    Args:
        runs: At least one.
        k: Dampens the first ranks; 60 in the paper.
        weights: One for each run; None weighs all alike.
        name: What the result is called.

    Raises:
        ValueError: There are no runs, weights of another number, or a negative `k`.

    Source: Cormack, Clarke and Buettcher, SIGIR 2009.

    >>> from judge.core.model import Hit
    >>> one = Run.from_hits("one", {"q": [Hit("a", 9.0), Hit("b", 8.0)]})
    >>> two = Run.from_hits("two", {"q": [Hit("b", 0.9)]})
    >>> [hit.doc_id for hit in fuse([one, two]).hits("q")]
    ['b', 'a']
    """
    shares = [1.0] * len(runs) if weights is None else list(weights)
    if not runs or len(shares) != len(runs) or k < 0:
        raise ValueError("fusion takes one run or more, a weight for each, and k of 0 or more")
    parts = [_ranked(run) for run in runs]
    queries = Categories.joined([queries for queries, _, _ in parts])
    docs = Strings.joined([docs for _, docs, _ in parts])
    terms = np.concatenate(
        [share / (k + ranks) for share, (_, _, ranks) in zip(shares, parts, strict=True)]
    )
    groups = group(queries.codes, len(queries.values))
    pairs = Pairs(groups.starts, docs, docs.fingerprints(), groups.rows)
    twice = repeats(pairs)
    first = np.arange(len(terms))
    first[pairs.source(twice.later)] = pairs.source(twice.first)
    # Added from the smallest up, so that the order of the runs cannot change a last bit.
    order = np.lexsort((terms, first))
    sums = np.zeros(len(terms))
    np.add.at(sums, first[order], terms[order])
    keep = np.flatnonzero(first == np.arange(len(terms)))
    kept = Categories(queries.values, queries.codes[keep])
    return Run(name, kept, docs.gather(keep), sums[keep])


def _ranked(run: Run) -> tuple[Categories, Strings, NDArray[np.int64]]:
    """The columns of a run in settled order, with ranks from 1."""
    sizes = np.diff(run.starts)
    codes = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    ranks = np.arange(len(run)) - np.repeat(run.starts[:-1], sizes) + 1
    return Categories(run.query_ids, codes), run.pairs.docs.gather(run.settled()), ranks
