"""How the judged documents of a run are found, and which rank each has once ties are settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.tables.grouping import blocks, ranges
from judge.core.tables.pairs import keyed, salts
from judge.core.tables.ties import Ties, comparable, descending

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge.core.tables.qrels import Qrels
    from judge.core.tables.run import Run

FILTER_BITS = 4
"""A filter has 2^4 cells or more for each key, so that few others pass it."""
LEAST_BITS = 10


class Matches(NamedTuple):
    """The judged documents of a run, by query and rank.

    Attributes:
        query: int64 [n], place of the query in the qrels.
        rank: int64 [n], from 1, rising inside a query; ties are settled.
        judgment: int64 [n], row of the qrels.
        run_query: int64 [queries of the qrels], place of the query in the run, -1 if it is missing.
        retrieved: int64 [queries of the qrels], documents that the run has for it.
    """

    query: NDArray[np.int64]
    rank: NDArray[np.int64]
    judgment: NDArray[np.int64]
    run_query: NDArray[np.int64]
    retrieved: NDArray[np.int64]


def match(run: Run, qrels: Qrels, ties: Ties = "trec") -> Matches:
    """Find the judged documents of a run and their ranks.

    Pairs are looked up by 64-bit keys and every match is verified byte for byte. Ties are settled
    only where a judged document stands in one; the rank of the others is not needed by any measure.

    Args:
        run: The ranked results.
        qrels: The judgments.
        ties: Which scores are equal.

    >>> from judge.core.model import Hit, Judgment
    >>> from judge.core.tables.qrels import Qrels
    >>> from judge.core.tables.run import Run
    >>> run = Run.from_hits("r", {"q": [Hit("a", 1.0), Hit("b", 1.0)]})
    >>> match(run, Qrels.from_judgments([Judgment("q", "a", 1)])).rank.tolist()
    [2]
    """
    place = {query_id: i for i, query_id in enumerate(run.query_ids)}
    run_query = np.array([place.get(q, -1) for q in qrels.query_ids], np.int64)
    judged = np.full(len(run.query_ids) + 1, -1, np.int64)
    judged[run_query] = np.arange(len(run_query))
    judged = judged[:-1]  # the queries missing from the run were written to the last place
    found = _find(run, qrels, judged)
    places = _settle(run, found, ties)
    ranks = places - run.starts[found.queries] + 1
    query = judged[found.queries]
    # One number for both: stable sorting is fast where nearly all stands in order already.
    order = np.argsort(query * (len(run) + 1) + ranks, kind="stable")
    sizes = np.append(np.diff(run.starts), 0)
    return Matches(query[order], ranks[order], found.judgments[order], run_query, sizes[run_query])


class _Found(NamedTuple):
    """Judged documents of the run, int64 [n] each.

    Attributes:
        places: Where they stand in the run.
        queries: The place of their query in the run.
        judgments: Their rows in the qrels.
    """

    places: NDArray[np.int64]
    queries: NDArray[np.int64]
    judgments: NDArray[np.int64]


def _find(run: Run, qrels: Qrels, judged: NDArray[np.int64]) -> _Found:
    """Find the places of the run whose pair is judged.

    Args:
        run: The ranked results.
        qrels: The judgments.
        judged: int64 [queries of the run], place of each in the qrels, -1 if it has no judgments.
    """
    every = salts(np.arange(len(run.query_ids)))
    sizes = np.where(judged < 0, 0, np.diff(qrels.starts, append=0)[judged])
    numbers = np.arange(len(run.query_ids))
    found = [_Found(*[np.empty(0, np.int64)] * 3)]
    for block in blocks(run.starts):
        here = slice(block.first, block.last)
        # The judgments of these queries are few, so that all lookups stay in the cache.
        rows = ranges(qrels.starts[judged[here]], sizes[here])
        if len(rows):
            queries = np.repeat(numbers[here], sizes[here])
            keys = keyed(qrels.prints[rows], every[queries])
            passed, which = _look_up(keys, run.pairs.keys(block, every))
            alike = _Found(passed + block.start, queries[which], rows[which])
            found.append(_verified(run, qrels, alike))
    return _Found(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _look_up(
    known: NDArray[np.uint64], keys: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which of `keys` are among the known ones, and where: two int64 [n]."""
    order = np.argsort(known)
    known = known[order]
    bits = max(LEAST_BITS, len(known).bit_length() + FILTER_BITS)
    shift = np.uint64(64 - bits)
    cells = np.zeros(1 << bits, bool)
    cells[known >> shift] = True
    passed = np.flatnonzero(cells[keys >> shift])
    low = np.searchsorted(known, keys[passed])
    hit = np.flatnonzero(known[np.minimum(low, len(known) - 1)] == keys[passed])
    passed, low = passed[hit], low[hit]
    if (known[1:] != known[:-1]).all():
        return passed, order[low]
    # Different pairs happen to have the same key.
    count = np.searchsorted(known, keys[passed], "right") - low
    return np.repeat(passed, count), order[ranges(low, count)]


def _verified(run: Run, qrels: Qrels, alike: _Found) -> _Found:
    """Those of which query and document are the same, byte for byte."""
    places, queries, judgments = alike
    same = (places >= run.starts[queries]) & (places < run.starts[queries + 1])
    same &= run.pairs.docs.equal(run.pairs.source(places), qrels.docs, judgments)
    return _Found(places[same], queries[same], judgments[same])


def _settle(run: Run, found: _Found, ties: Ties) -> NDArray[np.int64]:
    """Where judged documents stand once the ties around them are settled."""
    places = found.places
    first, last = run.starts[found.queries], run.starts[found.queries + 1]
    own = comparable(run.scores[places], ties)
    above = comparable(run.scores[np.maximum(places - 1, first)], ties)
    below = comparable(run.scores[np.minimum(places + 1, last - 1)], ties)
    alone = ((above != own) | (places == first)) & ((below != own) | (places + 1 == last))
    tied = np.flatnonzero(~alone)
    if not len(tied):
        return places
    low = _edge(run.scores, places[tied], first[tied], last[tied], ties, before=True)
    high = _edge(run.scores, places[tied], first[tied], last[tied], ties, before=False)
    heads, which = np.unique(low, return_index=True)
    sizes = (high - low)[which]
    groups = np.repeat(np.arange(len(heads)), sizes)
    members = ranges(heads, sizes)
    order = descending(run.pairs.docs, run.pairs.source(members), groups)
    settled = np.empty(len(members), np.int64)
    settled[order] = members
    result = places.copy()
    result[tied] = settled[np.searchsorted(members, places[tied])]
    return result


def _edge(
    scores: NDArray[np.float64],
    places: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    ties: Ties,
    *,
    before: bool,
) -> NDArray[np.int64]:
    """The first place of the tie around each place, or the place after its last one.

    Scores do not rise inside [first, last), so the edge is found by halving, all places at once.
    """
    own = comparable(scores[places], ties)
    low = first.copy() if before else places + 1
    high = places.copy() if before else last.copy()
    while (open_ := low < high).any():
        middle = (low + high) // 2
        seen = comparable(scores[np.minimum(middle, len(scores) - 1)], ties)
        goes_on = (seen > own) if before else (seen >= own)
        low = np.where(open_ & goes_on, middle + 1, low)
        high = np.where(open_ & ~goes_on, middle, high)
    return low
