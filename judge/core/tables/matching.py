"""How the judged documents of a run are found, and which rank each has once ties are settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.tables.grouping import blocks
from judge.core.tables.pairs import salts
from judge.core.tables.ties import Ties, comparable, descending

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge.core.tables.qrels import Qrels
    from judge.core.tables.run import Run

LOOKED_UP = 1 << 15


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
    places, judgments = _find(run, qrels, judged)
    places = _settle(run, places, ties)
    order = np.argsort(places)
    places, judgments = places[order], judgments[order]
    run_place = np.searchsorted(run.starts, places, "right") - 1
    ranks = places - run.starts[run_place] + 1
    query = judged[run_place]
    by_query = np.argsort(query, kind="stable")
    sizes = np.append(np.diff(run.starts), 0)
    return Matches(
        query[by_query], ranks[by_query], judgments[by_query], run_query, sizes[run_query]
    )


def _find(
    run: Run, qrels: Qrels, judged: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places of the run whose pair is judged, and the judgment of each."""
    index = qrels.index
    # Queries without judgments get the salt after the last one, which no judgment has.
    every = salts(np.where(judged < 0, len(qrels.query_ids), judged))
    found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for block in blocks(run.starts):
        keys = run.pairs.keys(block, every)
        passed = np.flatnonzero(index.filter[keys >> index.shift])
        keys = keys[passed]
        low = np.searchsorted(index.keys, keys)
        hit = np.flatnonzero(index.keys[np.minimum(low, len(index.keys) - 1)] == keys)
        passed, keys, low = passed[hit], keys[hit], low[hit]
        # Nearly always 1; more if different pairs happen to have the same key.
        count = np.searchsorted(index.keys, keys, "right") - low
        places = np.repeat(passed + block.start, count)
        nth = np.arange(len(places)) - np.repeat(np.cumsum(count) - count, count)
        found.append((places, index.rows[np.repeat(low, count) + nth]))
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    places = np.concatenate([places for places, _ in found])
    rows = np.concatenate([rows for _, rows in found])
    same = judged[np.searchsorted(run.starts, places, "right") - 1] == qrels.queries[rows]
    same &= run.pairs.docs.equal(run.pairs.source(places), qrels.docs, rows)
    return places[same], rows[same]


def _settle(run: Run, places: NDArray[np.int64], ties: Ties) -> NDArray[np.int64]:
    """Where the documents at some places stand once the ties around them are settled."""
    query = np.searchsorted(run.starts, places, "right") - 1
    first, last = run.starts[query], run.starts[query + 1]
    low = _edge(run.scores, places, first, last, ties, before=True)
    high = _edge(run.scores, places, first, last, ties, before=False)
    tied = high - low > 1
    if not tied.any():
        return places
    heads, which = np.unique(low[tied], return_index=True)
    sizes = (high - low)[tied][which]
    groups = np.repeat(np.arange(len(heads)), sizes)
    members = np.arange(len(groups)) + np.repeat(heads - (np.cumsum(sizes) - sizes), sizes)
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
