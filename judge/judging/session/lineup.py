"""In which order all candidates come, and which comes next, is known only here."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.dataset.store import Pooled
    from judge.judging.labels import PairState

JUDGED: Final = 0
PENDING: Final = 1
SKIPPED: Final = 2
_WAITING: Final = {"unjudged": PENDING, "skipped": SKIPPED}


class Slot(NamedTuple):
    """One candidate in the line.

    Attributes:
        position: Place in its query's list, from 0.
        pool: The pool file that it came from, and `order`, the name of its judging order.
    """

    query_id: str
    doc_id: str
    position: int
    pool: str
    order: str


def _stretches(keys: Sequence[object]) -> list[range]:
    """For each place the stretch of neighbours that have the same key.

    >>> _stretches("aab")
    [range(0, 2), range(0, 2), range(2, 3)]
    """
    found: list[range] = []
    for _key, run in groupby(keys):
        stretch = range(len(found), len(found) + len(list(run)))
        found += [stretch] * len(stretch)
    return found


class Lineup:
    """All candidates of a dataset in the order in which they are judged.

    Queries take turns in blocks: the first block of each query in the order of the queries, then
    the second of each, and so on; what a later pool file added comes last.

    Args:
        candidates: For each query its candidates in serving order; bands go on counting from one
            pool file to the next.
        query_ids: The queries in order; those without candidates have no place in the line.
    """

    def __init__(
        self, candidates: Mapping[str, Sequence[Pooled]], query_ids: Sequence[str]
    ) -> None:
        self.query_ids = tuple(q for q in query_ids if candidates.get(q))
        turns = [
            (pooled.band, Slot(query_id, pooled.doc_id, position, pooled.pool, pooled.order))
            for query_id in self.query_ids
            for position, pooled in enumerate(candidates[query_id])
        ]
        # Within a band the queries keep their turns, as sorting is stable.
        turns.sort(key=itemgetter(0))
        self.slots: list[Slot] = [slot for _, slot in turns]
        bands = [band for band, _ in turns]
        self._band = _stretches(bands)
        self._turn = _stretches([(band, slot.query_id) for band, slot in turns])
        self._of_query: dict[str, list[int]] = {query_id: [] for query_id in self.query_ids}
        for place, slot in enumerate(self.slots):
            self._of_query[slot.query_id].append(place)
        self._at = {(slot.query_id, slot.doc_id): i for i, slot in enumerate(self.slots)}
        self._open = bytearray([PENDING]) * len(self.slots)

    def __len__(self) -> int:
        return len(self.slots)

    def find(self, query_id: str, doc_id: str) -> int | None:
        """Where a pair stands in the line; None if it is no candidate."""
        return self._at.get((query_id, doc_id))

    def of_query(self, query_id: str) -> Sequence[int]:
        """Where the candidates of a query stand, in serving order."""
        return self._of_query.get(query_id, ())

    def mark(self, index: int, state: PairState) -> None:
        """Keep whether a candidate still waits."""
        self._open[index] = _WAITING.get(state.kind, JUDGED)

    def next_after(self, index: int) -> int | None:
        """The next candidate that waits; skipped ones when nothing else does.

        First the rest of the query's block, then the next query of the earliest round in which
        something waits, going round: whoever looked ahead comes back to what was left.

        Args:
            index: Where the last one stood; -1 for the start. It may come again itself.
        """
        for kind in (PENDING, SKIPPED):
            earliest = self._open.find(kind)
            if earliest >= 0:
                here = [self._turn[index]] if index >= 0 else []
                return self._round(kind, index, [*here, self._band[earliest]])
        return None

    def _round(self, kind: int, index: int, stretches: Sequence[range]) -> int | None:
        """The first of a kind in the first stretch that has one, going round after `index`."""
        for part in stretches:
            start = index + 1 if index in part else part.start
            for first, last in ((start, part.stop), (part.start, start)):
                found = self._open.find(kind, first, last)
                if found >= 0:
                    return found
        return None

    def entry(self, query_id: str) -> int:
        """The candidate at which one comes in to a query: waiting, else skipped, else the first."""
        places = self._of_query[query_id]
        for kind in (PENDING, SKIPPED):
            for place in places:
                if self._open[place] == kind:
                    return place
        return places[0]

    def waits(self, query_id: str) -> bool:
        """Whether a candidate of the query is still open (unjudged or skipped)."""
        return any(self._open[place] != JUDGED for place in self._of_query[query_id])
