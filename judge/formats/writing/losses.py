"""What a format cannot carry, and whether a given collection has any of it to lose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.core.model import Scale

if TYPE_CHECKING:
    from judge.core.model import Document
    from judge.formats.collection import Collection


@dataclass(frozen=True)
class Carries:
    """What a format holds beyond documents, queries and which document answers which query.

    Attributes:
        grades: Grades, and judgments below relevance, instead of relevant documents only.
        hard_negatives: The marks.
        notes: The notes on judgments.
        scale: What the grades mean and where relevance begins.
        guidelines: The text for annotators.
        runs: Ranked results.
        missing_text: A document that has a title but whose text is not known.
        dangling_queries: Judgments on queries that are not in the collection.
        dangling_documents: Judgments on documents that are not in the collection.
    """

    grades: bool = True
    hard_negatives: bool = True
    notes: bool = True
    scale: bool = True
    guidelines: bool = True
    runs: bool = True
    missing_text: bool = True
    dangling_queries: bool = True
    dangling_documents: bool = True


class DocumentCount:
    """Watches the documents that a writer writes, so that losses need no second pass."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.titled_without_text = 0

    def see(self, document: Document) -> Document:
        """Count a document, and hand it on."""
        self.ids.add(document.id)
        self.titled_without_text += document.text is None and bool(document.title)
        return document


def losses(collection: Collection, carries: Carries, seen: DocumentCount) -> list[str]:
    """What writing this collection in a format loses, one line each; empty if nothing.

    Args:
        collection: What was written.
        carries: What the format holds.
        seen: The documents that were written.
    """
    lost = [*_judgments(collection, carries), *_dangling(collection, carries, seen)]
    if not carries.scale and collection.scale not in (None, Scale.binary()):
        lost.append("the scale: the words of the grades and where relevance begins")
    if not carries.guidelines and collection.guidelines:
        lost.append("the guidelines")
    if not carries.runs and collection.runs:
        lost.append(f"runs: {len(collection.runs)} ({', '.join(sorted(collection.runs))})")
    if not carries.missing_text and seen.titled_without_text:
        count = seen.titled_without_text
        lost.append(f"that the text is not known (read back as empty): {count:,} documents")
    return lost


def _judgments(collection: Collection, carries: Carries) -> list[str]:
    lost = []
    relevant_from = collection.relevant_from
    if not carries.grades:
        below = sum(j.grade < relevant_from for j in collection.judgments)
        if below:
            lost.append(f"judgments below relevance: {below:,}")
        levels = {j.grade for j in collection.judgments if j.grade >= relevant_from}
        if levels - {1}:
            lost.append(f"the grades: every grade from {relevant_from} becomes just relevant")
    if not carries.hard_negatives:
        marks = sum(j.hard_negative for j in collection.judgments)
        if marks:
            lost.append(f"hard-negative marks: {marks:,}")
    if not carries.notes:
        notes = sum(bool(j.note) for j in collection.judgments)
        if notes:
            lost.append(f"notes on judgments: {notes:,}")
    return lost


def _dangling(collection: Collection, carries: Carries, seen: DocumentCount) -> list[str]:
    lost = []
    if not carries.dangling_queries:
        known = {query.id for query in collection.queries}
        count = sum(j.query_id not in known for j in collection.judgments)
        if count:
            lost.append(f"judgments on queries that are not in the dataset: {count:,}")
    if not carries.dangling_documents:
        count = sum(j.doc_id not in seen.ids for j in collection.judgments)
        if count:
            lost.append(f"judgments on documents that are not in the dataset: {count:,}")
    return lost
