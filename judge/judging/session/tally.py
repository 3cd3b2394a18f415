"""How many pairs are in which state, per query, in all and today, is counted only here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from judge.judging.labels import UNJUDGED
from judge.judging.session.cards import Progress, QueryRow
from judge.judging.session.history import PERSONAL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.core.model import Query
    from judge.judging.labels import Pair, PairState
    from judge.judging.session.lineup import Lineup


class _Counts:
    """How many candidates of one query are so; mutable, as every key changes one of them."""

    __slots__ = (
        "cannot_judge",
        "flagged",
        "graded",
        "hard_negatives",
        "propagated",
        "skipped",
        "total",
    )

    def __init__(self, total: int) -> None:
        self.total = total
        self.graded = self.cannot_judge = self.skipped = self.hard_negatives = self.flagged = 0
        self.propagated = 0

    @property
    def judged(self) -> int:
        return self.graded + self.cannot_judge

    def add(self, state: PairState, times: int) -> None:
        if state.grade is not None:
            self.graded += times
            self.hard_negatives += times * state.hard_negative
            self.propagated += times * (state.source == "propagated")
        elif state.cannot_judge is not None:
            self.cannot_judge += times
        elif state.skipped:
            self.skipped += times
        self.flagged += times * state.flagged


class Tally:
    """The states of all candidates with their counts kept up, so that no key counts everything.

    Args:
        lineup: The candidates; it is told of every change.
        queries: Those of the line-up, in its order.
        states: What the annotator thought before; pairs that are no candidates are not counted.
        now: The time at the annotator's place; its zone says when a day begins.
    """

    def __init__(
        self,
        lineup: Lineup,
        queries: Sequence[Query],
        states: Mapping[Pair, PairState],
        now: datetime,
    ) -> None:
        self._lineup = lineup
        self._states: list[PairState] = [UNJUDGED] * len(lineup)
        self._queries = {query.id: query for query in queries}
        self._counts = {query.id: _Counts(len(lineup.of_query(query.id))) for query in queries}
        for (_, query_id, doc_id), state in states.items():
            if (place := lineup.find(query_id, doc_id)) is not None:
                self._states[place] = state
                lineup.mark(place, state)
                self._counts[query_id].add(state, 1)
        counts = self._counts.values()
        self._done = sum(count.judged for count in counts)
        self._propagated = sum(count.propagated for count in counts)
        self._queries_done = sum(count.judged == count.total for count in counts)
        self._start_day(now)

    def state(self, index: int) -> PairState:
        """The state of the candidate at this place of the line."""
        return self._states[index]

    @property
    def waiting(self) -> int:
        """How many candidates still need a verdict."""
        return len(self._states) - self._done

    def has(self, query_id: str, kind: Literal["flagged", "skipped", "cannot_judge"]) -> bool:
        """Whether a candidate of the query is so."""
        count: int = getattr(self._counts[query_id], kind)
        return count > 0

    def rows(self) -> list[QueryRow]:
        """All queries with their counts, in order."""
        return [
            QueryRow(
                query,
                (counts := self._counts[query_id]).total,
                graded=counts.graded,
                cannot_judge=counts.cannot_judge,
                skipped=counts.skipped,
                hard_negatives=counts.hard_negatives,
                flagged=counts.flagged,
                propagated=counts.propagated,
            )
            for query_id, query in self._queries.items()
        ]

    def change(self, index: int, state: PairState) -> None:
        """Keep the new state of a candidate."""
        before = self._states[index]
        self._states[index] = state
        self._lineup.mark(index, state)
        counts = self._counts[self._lineup.slots[index].query_id]
        judged, propagated = counts.judged, counts.propagated
        counts.add(before, -1)
        counts.add(state, 1)
        self._done += counts.judged - judged
        self._propagated += counts.propagated - propagated
        self._queries_done += (counts.judged == counts.total) - (judged == counts.total)
        self._today += self._is_today(state) - self._is_today(before)

    def progress(self, query_id: str, now: datetime) -> Progress:
        """Where the annotator is; a new day begins when its midnight has passed."""
        if not self._midnight <= now.astimezone(UTC) < self._next_midnight:
            self._start_day(now)
        return Progress(
            query_done=self._counts[query_id].judged,
            query_total=self._counts[query_id].total,
            done=self._done,
            total=len(self._states),
            today=self._today,
            queries_done=self._queries_done,
            queries_total=len(self._counts),
            propagated=self._propagated,
        )

    def _start_day(self, now: datetime) -> None:
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        self._midnight = midnight.astimezone(UTC)
        self._next_midnight = (midnight + timedelta(days=1)).astimezone(UTC)
        self._today = sum(self._is_today(state) for state in self._states)

    def _is_today(self, state: PairState) -> bool:
        if state.at is None or state.source not in PERSONAL:
            return False
        judged = state.grade is not None or state.cannot_judge is not None
        return judged and self._midnight <= state.at < self._next_midnight
