"""Which graded document of a query is a near-copy of the card's is found and kept only here."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from judge.core.errors import NotFound
from judge.core.similar import Sketch, nearest
from judge.judging.session.cards import Near

if TYPE_CHECKING:
    from judge.dataset.lookup import DocumentIndex
    from judge.dataset.store import Dataset
    from judge.judging.labels import PairState
    from judge.judging.session.lineup import Lineup
    from judge.judging.session.tally import Tally


class _Found(NamedTuple):
    """What a look found: for which place, where the near-copy stands, its title, how alike."""

    place: int
    source: int
    title: str
    share: float


def _can_lend(state: PairState) -> bool:
    """Whether a grade may be taken over: only what a person gave to that very document."""
    return state.grade is not None and state.source in ("human", "adjudicated")


class Likeness:
    """Looks for near-copies behind the keys, and remembers what it found last.

    Args:
        dataset: Where documents come from.
        lineup: The candidates.
        tally: Their states; only read.
    """

    def __init__(self, dataset: Dataset, lineup: Lineup, tally: Tally) -> None:
        self._dataset, self._lineup, self._tally = dataset, lineup, tally
        self._lock = threading.Lock()
        self._index: DocumentIndex | None = None
        self._query_id = ""
        self._sketches: dict[str, Sketch] = {}
        self._found: _Found | None = None

    def look(self, place: int) -> None:
        """Compare a candidate with the graded ones of its query; may be called from any thread."""
        with self._lock:
            slot = self._lineup.slots[place]
            if slot.query_id != self._query_id:
                self._query_id, self._sketches = slot.query_id, {}
            sources = [
                other
                for other in self._lineup.of_query(slot.query_id)
                if other != place and _can_lend(self._tally.state(other))
            ]
            match = sources and nearest(
                self._sketch(slot.doc_id),
                [self._sketch(self._lineup.slots[source].doc_id) for source in sources],
            )
            if not match:
                self._found = None
                return
            source = sources[match.place]
            doc_id = self._lineup.slots[source].doc_id
            title = self._documents.opening_words([doc_id]).get(doc_id, "")
            self._found = _Found(place, source, title, match.share)

    def near(self, place: int) -> Near | None:
        """What the last look found, if it was at this candidate and the grade is still there."""
        found = self._found
        if found is None or found.place != place:
            return None
        state = self._tally.state(found.source)
        if state.grade is None or not _can_lend(state):
            return None
        doc_id = self._lineup.slots[found.source].doc_id
        return Near(doc_id, found.title, state.grade, state.hard_negative, found.share)

    @property
    def _documents(self) -> DocumentIndex:
        """A look-up of its own, as the keys use the dataset's at the same time."""
        if self._index is None:
            self._index = self._dataset.index()
        return self._index

    def _sketch(self, doc_id: str) -> Sketch:
        if doc_id not in self._sketches:
            self._sketches[doc_id] = Sketch(self._text(doc_id))
        return self._sketches[doc_id]

    def _text(self, doc_id: str) -> str:
        """Title and text; nothing where there is no text, as what has none is like nothing."""
        try:
            document = self._documents.get(doc_id)
        except NotFound:
            return ""
        return "" if document.text is None else f"{document.title}\n{document.text}"
