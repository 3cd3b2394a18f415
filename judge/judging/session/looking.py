"""What an annotator sees of the work, and how one moves about in it; nothing of it is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from judge.judging.labels import UNJUDGED, Fold
from judge.judging.session.cards import Card, Row
from judge.judging.session.desk import Desk
from judge.judging.session.history import History
from judge.judging.session.likeness import Likeness
from judge.judging.session.lineup import Lineup
from judge.judging.session.opening import last_judged, last_moment, news, strays
from judge.judging.session.pace import pace
from judge.judging.session.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from judge.core.model import Scale
    from judge.dataset.store import Dataset, Pooled
    from judge.judging.labels import Labels, PairState
    from judge.judging.session.cards import Near, Outcome, Pace, Progress, QueryRow

Revisited = Literal["flagged", "skipped", "cannot_judge"]

_WANTED: Final[Mapping[Revisited, Callable[[PairState], bool]]] = {
    "flagged": lambda state: state.flagged,
    "skipped": lambda state: state.kind == "skipped",
    "cannot_judge": lambda state: state.kind == "cannot_judge",
}


class Looking:
    """The part of a session that changes no judgment: the card, the lists, and moving about.

    Attributes:
        dataset: What is judged.
        annotator: Who judges.
        warnings: What is wrong with files or pool, in words.
        news: What came since the annotator was here, in words; mostly empty.
        advance: Whether a verdict leads to the next card; a skip always does.

    Args:
        dataset: What is judged.
        candidates: Its pool, for each query in serving order; at least one.
        annotator: Who judges.
        labels: What the annotator did before.
        clock: Gives the time with the annotator's zone.
    """

    def __init__(
        self,
        dataset: Dataset,
        candidates: Mapping[str, Sequence[Pooled]],
        annotator: str,
        labels: Labels,
        clock: Callable[[], datetime],
    ) -> None:
        self.dataset, self.annotator = dataset, annotator
        self.advance = True
        self._clock = clock
        queries = [query for query in dataset.queries if query.id in candidates]
        self._queries = {query.id: query for query in queries}
        self.warnings = (*labels.warnings, *strays(candidates, self._queries))
        self._lineup = Lineup(candidates, list(self._queries))
        self._fold = Fold(labels.events)
        self._history = History(labels.events, self._fold)
        self._tally = Tally(self._lineup, queries, self._fold.states(), clock())
        self._last_before = last_moment(labels)
        self.news = news(self._lineup, self._tally, self._last_before)
        self._likeness = Likeness(dataset, self._lineup, self._tally)
        self._titles: tuple[str, dict[str, str]] | None = None
        # Evidence of cards that have no grade yet: it is recorded with the grade.
        self._evidence: dict[int, tuple[tuple[int, int], ...]] = {}
        self._desk = Desk(dataset, self._lineup)
        place = last_judged(self._history.done, self._lineup, self._tally)
        if place >= 0:
            self._desk.query_id = self._lineup.slots[place].query_id
        self._desk.show(self._lineup.next_after(place))

    # --- what there is to see -------------------------------------------------------------------

    @property
    def scale(self) -> Scale:
        """The grades of the dataset."""
        return self.dataset.manifest.scale

    @property
    def guidelines(self) -> str:
        """The guidelines to judge by, Markdown; empty if there are none."""
        return self.dataset.guidelines

    @property
    def card(self) -> Card | None:
        """What to judge now; None when nothing waits any more."""
        if self._desk.place is None:
            return None
        slot = self._lineup.slots[self._desk.place]
        return Card(
            token=self._desk.token,
            query=self._queries[slot.query_id],
            document=self._desk.document,
            position=slot.position,
            total=len(self._lineup.of_query(slot.query_id)),
            state=self._state,
        )

    def rows(self) -> list[Row]:
        """The candidates of the current query in the order of judging."""
        query_id = self._desk.query_id
        slots = [(place, self._lineup.slots[place]) for place in self._lineup.of_query(query_id)]
        if self._titles is None or self._titles[0] != query_id:
            self._titles = (query_id, self.dataset.titles([slot.doc_id for _, slot in slots]))
        titles = self._titles[1]
        return [
            Row(
                doc_id=slot.doc_id,
                title=titles.get(slot.doc_id, ""),
                state=self._tally.state(place),
                current=place == self._desk.place,
            )
            for place, slot in slots
        ]

    def graded(self) -> list[Row]:
        """The graded candidates of the current query, best grade first."""
        graded = [(row.state.grade, row) for row in self.rows() if row.state.grade is not None]
        return [row for _, row in sorted(graded, key=lambda pair: -pair[0])]

    def query_rows(self) -> list[QueryRow]:
        """All queries that have candidates, in order, and how far each is."""
        return self._tally.rows()

    def progress(self) -> Progress:
        """How far the annotator is: in the current query, in all, and today."""
        return self._tally.progress(self._desk.query_id, self._clock())

    def pace(self) -> Pace:
        """The median seconds of the recent verdicts, and what that means for what waits."""
        return pace(self._history.done, self._tally.waiting)

    def look_for_near(self) -> None:
        """Look for a near-copy of the card among the graded documents of its query.

        It reads documents and compares them: call it from another thread, or when nothing else is
        to be done, and then draw what `near` says.
        """
        if (place := self._desk.place) is not None:
            self._likeness.look(place)

    def near(self) -> Near | None:
        """The graded document most like the card's, as far as `look_for_near` has found it.

        Only grades that a person gave to the document itself are looked at, never those that were
        taken over from another.
        """
        return None if self._desk.place is None else self._likeness.near(self._desk.place)

    def painted(self, token: int) -> None:
        """Hear that the card of this token is on screen; until then it cannot be judged."""
        if token == self._desk.token and self._desk.painted_at is None:
            self._desk.painted_at = self._clock()

    # --- moving about ---------------------------------------------------------------------------

    def next(self) -> Outcome:
        """Go to the next candidate of the query, judged or not."""
        return self._desk.step(1)

    def previous(self) -> Outcome:
        """Go to the candidate before, in the query."""
        return self._desk.step(-1)

    def next_query(self) -> Outcome:
        """Go to the next query: to its first waiting candidate."""
        return self._desk.step_query(1)

    def previous_query(self) -> Outcome:
        """Go to the query before."""
        return self._desk.step_query(-1)

    def next_unfinished(self) -> Outcome:
        """Go to the next query in which something waits, going round."""
        return self._desk.seek_unfinished(1)

    def previous_unfinished(self) -> Outcome:
        """Go to the query before in which something waits, going round."""
        return self._desk.seek_unfinished(-1)

    def revisit(self, kind: Revisited) -> Outcome:
        """Go to the next candidate of that kind: on in the query, in the next ones, going round."""
        wanted = _WANTED[kind]
        return self._desk.seek(
            kind.replace("_", "-"),
            lambda query_id: self._tally.has(query_id, kind),
            lambda place: wanted(self._tally.state(place)),
        )

    def go(self, query_id: str, doc_id: str | None = None) -> Outcome:
        """Go to a query, or to one of its candidates."""
        return self._desk.go(query_id, doc_id)

    # --- inside ---------------------------------------------------------------------------------

    @property
    def _state(self) -> PairState:
        place = self._desk.place
        return UNJUDGED if place is None else self._state_at(place)

    def _state_at(self, place: int) -> PairState:
        """The state of a candidate, with the evidence that waits for its grade."""
        state = self._tally.state(place)
        if state.grade is not None or place not in self._evidence:
            return state
        return state._replace(evidence=self._evidence[place])
