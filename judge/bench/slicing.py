"""Which properties of queries and documents scores can be cut by, and where each is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.errors import InputError, NotFound, Problem
from judge.scoring.slices import Slice, by_document, by_query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.dataset.store import Dataset
    from judge.scoring.measures import Measure
    from judge.scoring.score import Evidence, Scores

QUERY_FIELDS = ("language", "category", "namespace", "split")
SLICES: tuple[str, ...] = ("language-pair", "document-length", *QUERY_FIELDS)
"""What the scores of any dataset can be cut by, besides what its queries' metadata say."""

LENGTHS = ((500, "up to 500"), (2_000, "501 to 2,000"), (10_000, "2,001 to 10,000"))
"""Characters of a document's text, and what documents of that length are called."""
LONGER = "over 10,000"


def metadata_keys(dataset: Dataset) -> list[str]:
    """The keys of the queries' metadata that scores can be cut by, in order."""
    return sorted({key for query in dataset.queries for key in query.metadata})


def refuse_unknown(dataset: Dataset, by: Sequence[str], *, roll_up: bool) -> None:
    """Refuse properties that the dataset does not have, before any work is done.

    Raises:
        NotFound: There is no such property.
        InputError: A document in chunks has no length of its own.
    """
    if roll_up and "document-length" in by:
        raise InputError(
            Problem("documents in chunks have no length of their own", field="--by document-length")
        )
    for name in by:
        if name not in SLICES and name not in metadata_keys(dataset):
            raise NotFound("slice", name, [*SLICES, *metadata_keys(dataset)])


def slices(
    dataset: Dataset, by: str, evidence: Evidence, scores: Scores, measures: Sequence[Measure]
) -> list[Slice]:
    """Cut the scores of a run by one property.

    Args:
        dataset: Where the property is looked up.
        by: One of `SLICES`, or a key of the queries' metadata, such as `kind`.
        evidence: The run and the qrels.
        scores: Its scores.
        measures: What was taken.
    """
    judged = sorted(set(evidence.qrels.docs))
    if by == "language-pair":
        asked = {query.id: query.language for query in dataset.queries}
        return by_document(evidence, measures, by, _languages(dataset, judged), asked)
    if by == "document-length":
        lengths = dataset.document_lengths(judged)
        named = {doc_id: _length(length) for doc_id, length in lengths.items()}
        order = [*(name for _, name in LENGTHS), LONGER]
        return by_document(evidence, measures, by, named, order=order)
    return by_query(scores, by, query_values(dataset, by))


def _languages(dataset: Dataset, doc_ids: Sequence[str]) -> Mapping[str, str]:
    """The language of each document; of one that is there in chunks only, that of its chunks."""
    known = dataset.document_languages(doc_ids)
    lacking = set(doc_ids) - set(known)
    chunks: dict[str, list[str]] = {}
    for chunk, parent in dataset.parents().items() if lacking else ():
        if parent in lacking:
            chunks.setdefault(parent, []).append(chunk)
    for parent, parts in chunks.items():
        spoken = set(dataset.document_languages(parts).values())
        if len(spoken) == 1:
            known[parent] = spoken.pop()
    return known


def query_values(dataset: Dataset, by: str) -> Mapping[str, str | None]:
    """For each query id its value of a property of queries; None where it has none."""
    if by in QUERY_FIELDS:
        return {query.id: getattr(query, by) for query in dataset.queries}
    said = {query.id: query.metadata.get(by) for query in dataset.queries}
    return {query_id: None if value is None else str(value) for query_id, value in said.items()}


def _length(characters: int) -> str:
    return next((name for most, name in LENGTHS if characters <= most), LONGER)
