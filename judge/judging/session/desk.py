"""Which card lies in front of the annotator, whether it was seen, and how one moves about."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from judge.core.errors import NotFound
from judge.core.model import Document
from judge.judging.session.cards import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from judge.dataset.store import Dataset
    from judge.judging.session.lineup import Lineup


def refused(message: str) -> Outcome:
    """The outcome of a key that was not obeyed."""
    return Outcome(accepted=False, message=message)


class Desk:
    """The card on the desk.

    Attributes:
        token: Names this showing of the card; it grows by one whenever another is put there, or the
            same anew.
        place: Where the card stands in the line; None if nothing waits.
        query_id: The current query, also when there is no card.
        painted_at: When the card was on screen; None before that.

    Args:
        dataset: Where documents come from.
        lineup: The candidates; at least one.
    """

    def __init__(self, dataset: Dataset, lineup: Lineup) -> None:
        self._dataset, self._lineup = dataset, lineup
        self._document: Document | None = None
        self.token = 0
        self.place: int | None = None
        self.query_id = lineup.query_ids[0]
        self.painted_at: datetime | None = None

    @property
    def document(self) -> Document:
        """The document of the card, fetched when first asked for.

        One that left the corpus has no text: it can be skipped, but not graded.
        """
        if self._document is None:
            self._document = self.fetch(self.place or 0)
        return self._document

    def fetch(self, place: int) -> Document:
        """The document of any candidate."""
        doc_id = self._lineup.slots[place].doc_id
        try:
            return self._dataset.document(doc_id)
        except NotFound:
            return Document(id=doc_id, text=None)

    def show(self, place: int | None) -> Outcome:
        """Put a card on the desk; None clears it."""
        self.token += 1
        self.place, self._document, self.painted_at = place, None, None
        if place is None:
            return Outcome(accepted=True, message="all candidates are judged", moved=True)
        self.query_id = self._lineup.slots[place].query_id
        return Outcome(accepted=True, moved=True)

    def step(self, step: int) -> Outcome:
        """Move among the candidates of the current query, judged or not."""
        places = self._lineup.of_query(self.query_id)
        if self.place is None:
            return self.show(places[0] if step > 0 else places[-1])
        position = self._lineup.slots[self.place].position + step
        if not 0 <= position < len(places):
            return refused(f"this is the {'last' if step > 0 else 'first'} candidate of the query")
        return self.show(places[position])

    def step_query(self, step: int) -> Outcome:
        """Move to a neighbouring query, to its first waiting candidate."""
        queries = self._lineup.query_ids
        turn = queries.index(self.query_id) + step
        if not 0 <= turn < len(queries):
            return refused(f"this is the {'last' if step > 0 else 'first'} query")
        return self.show(self._lineup.entry(queries[turn]))

    def seek_unfinished(self, step: int) -> Outcome:
        """Move to the nearest other query in which something waits, going round."""
        queries = self._lineup.query_ids
        here = queries.index(self.query_id)
        for away in range(1, len(queries)):
            query_id = queries[(here + step * away) % len(queries)]
            if self._lineup.waits(query_id):
                return self.show(self._lineup.entry(query_id))
        return refused("there is no other unfinished query")

    def seek(
        self, name: str, among: Callable[[str], bool], wanted: Callable[[int], bool]
    ) -> Outcome:
        """Move to the next wanted candidate: on in the query, through the others, going round.

        Args:
            name: What is sought, in words.
            among: Whether a query has any.
            wanted: Whether to stop at a place.
        """
        queries = self._lineup.query_ids
        turn = queries.index(self.query_id)
        here = self._lineup.of_query(self.query_id)
        start = 0 if self.place is None else self._lineup.slots[self.place].position + 1
        others = (
            place
            for query_id in (*queries[turn + 1 :], *queries[:turn])
            if among(query_id)
            for place in self._lineup.of_query(query_id)
        )
        for place in chain(here[start:], others, here[:start]):
            if wanted(place):
                if place == self.place:
                    return refused(f"this is the only {name} candidate")
                return self.show(place)
        return refused(f"there is no {name} candidate")

    def go(self, query_id: str, doc_id: str | None) -> Outcome:
        """Move to a query, or to one of its candidates."""
        if query_id not in self._lineup.query_ids:
            return refused(f"there is no query {query_id} with candidates")
        if doc_id is None:
            return self.show(self._lineup.entry(query_id))
        if (place := self._lineup.find(query_id, doc_id)) is None:
            return refused(f"{doc_id} is no candidate of query {query_id}")
        return self.show(place)
