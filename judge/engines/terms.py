"""How the simplest search in memory scores: which of the query's terms a document contains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.model import Hit
from judge.engines.seam import best

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judge.core.model import Document, Query
    from judge.dataset.store import Dataset
    from judge.engines.seam import Progress, Setting

STEP = 1000
"""Documents between two reports of progress."""


class Terms:
    """The baseline to beat: the share of the query's terms that a document contains.

    score = terms of the query that the document contains / terms of the query

    Terms are the query's text (not its description), lower-cased and cut at white space; nothing
    else is cut off, so `token,` is not `token`. A term that stands twice in the query counts twice,
    above and below the line. A document contains a term if the term is a part of its lower-cased
    body (title, line break, text) anywhere, inside words too: `token` is found in `tokenizes`. Any
    one term is enough; documents that contain none are left out, so 0 < score <= 1. Scores
    come in few steps, so ties are many; they are ordered by document id like all ties here.

    Source: the in-memory store that TinyCortex' effectiveness benchmark measures first
    (`query_match_score`, any-term rule; there the newest document wins a tie).

    Holds the lower-cased corpus in memory and reads all of it for every query: for small corpora.
    """

    name = "terms"

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = [(d.id, d.namespace, d.body.lower()) for d in documents]

    @classmethod
    def open(cls, argument: str, dataset: Dataset, progress: Progress | None = None) -> Terms:
        """Read the dataset's documents into memory."""
        total = dataset.manifest.counts.get("documents", 0)

        def counted() -> Iterator[Document]:
            for done, document in enumerate(dataset.documents(), start=1):
                yield document
                if progress is not None and (done % STEP == 0 or done == total):
                    progress(done, total)

        return cls(counted())

    def search(self, query: Query, k: int) -> list[Hit]:
        """The documents that contain at least one term, by the share of terms that they contain.

        >>> from judge.core.model import Document, Query
        >>> engine = Terms([Document(id="d1", text="The Tokenizer"), Document(id="d2", text="-")])
        >>> engine.search(Query(id="q", text="token limits"), 10)
        [Hit(doc_id='d1', score=0.5)]
        """
        terms = query.text.lower().split()
        if not terms:
            return []
        return best(self._matches(terms, query.namespace), k)

    def describe(self) -> dict[str, Setting]:
        """The settings that decide its answers."""
        return {
            "engine": self.name,
            "score": "matched terms / terms",
            "terms": "query text, lower-cased, cut at white space",
            "matched against": "lower-cased title and text, anywhere",
            "documents": len(self._documents),
        }

    def _matches(self, terms: list[str], namespace: str | None) -> Iterator[Hit]:
        for doc_id, home, body in self._documents:
            if namespace is not None and home != namespace:
                continue
            matched = sum(term in body for term in terms)
            if matched:
                yield Hit(doc_id, matched / len(terms))
