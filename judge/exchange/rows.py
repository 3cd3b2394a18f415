"""What stands in each row of an exported table of judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.formats.writing.table import Row
from judge.judging.labels import VERDICT_OPS

if TYPE_CHECKING:
    from collections.abc import Collection as Container
    from collections.abc import Iterator

    from judge.core.model import Source
    from judge.dataset.store import Dataset
    from judge.judging.labels import Labels, Pair, PairState
    from judge.judging.merge import Merged


def merged_rows(dataset: Dataset, merged: Merged) -> Iterator[Row]:
    """One row for each merged judgment, by query in the dataset's order, then by document id."""
    words = _Words(dataset, {j.doc_id for j in merged.judgments})
    for judgment in sorted(merged.judgments, key=lambda j: words.place(j.query_id, j.doc_id)):
        query_id, doc_id = judgment.query_id, judgment.doc_id
        yield Row(
            query_id,
            words.queries.get(query_id),
            doc_id,
            words.titles.get(doc_id),
            "graded",
            judgment.grade,
            judgment.hard_negative,
            note=judgment.note,
        )


def annotator_rows(
    dataset: Dataset, labels: Labels, sources: Container[Source] | None, one: str | None
) -> Iterator[Row]:
    """One row for each pair of which an annotator says something now.

    Args:
        dataset: Gives the texts and the order of queries.
        labels: All that was recorded.
        sources: Only verdicts of these sources; None takes all.
        one: Only this annotator.
    """
    states = {
        pair: state
        for pair, state in labels.states.items()
        if (sources is None or state.source in sources) and one in (None, pair.annotator)
    }
    words = _Words(dataset, {pair.doc_id for pair in states})
    seconds = {
        (e.annotator, e.query_id, e.doc_id, e.at): e.seconds
        for e in labels.events
        if e.op in VERDICT_OPS
    }
    order = sorted(states, key=lambda p: (words.place(p.query_id, p.doc_id), p.annotator))
    for pair in order:
        state = states[pair]
        took = seconds.get((*pair, state.at)) if state.at else None
        yield _annotator_row(pair, state, words, took)


def _annotator_row(pair: Pair, state: PairState, words: _Words, seconds: float | None) -> Row:
    return Row(
        pair.query_id,
        words.queries.get(pair.query_id),
        pair.doc_id,
        words.titles.get(pair.doc_id),
        state.kind,
        state.grade,
        state.hard_negative,
        pair.annotator,
        state.source,
        state.cannot_judge,
        state.flagged,
        state.note,
        seconds,
        state.at,
    )


class _Words:
    """Texts of queries, titles of documents, and the place of a pair in a table."""

    def __init__(self, dataset: Dataset, doc_ids: set[str]) -> None:
        self.queries = {query.id: query.text for query in dataset.queries}
        self.titles = dataset.titles(sorted(doc_ids))
        self._places = {query_id: i for i, query_id in enumerate(self.queries)}

    def place(self, query_id: str, doc_id: str) -> tuple[int, str, bytes]:
        """Sorts pairs by query in the dataset's order, unknown ones last, then by document."""
        return self._places.get(query_id, len(self._places)), query_id, doc_id.encode()
