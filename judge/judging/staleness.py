"""Which judged documents and queries have another text now than when they were judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.errors import InputError
from judge.core.text import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judge.core.model import Document, Event
    from judge.dataset.store import Dataset

SHA_COLUMNS = ("query_sha", "doc_sha")
"""What must be known of events besides what their states need."""
SCAN_FROM = 0.1
"""From this share of the documents on it is faster to go through all than to fetch each."""
NAMED = 5


def stale_notices(dataset: Dataset, events: Iterable[Event]) -> tuple[str, ...]:
    """Say which texts changed after they were judged; their judgments are kept.

    What was imported with its dataset has no such record, and is not told of.

    Args:
        dataset: The texts as they are now.
        events: What was judged, oldest first, with `SHA_COLUMNS`; the last word on a pair counts.
    """
    documents: dict[tuple[str, str, str], str] = {}
    queries: dict[tuple[str, str, str], str] = {}
    for event in events:
        if event.op == "grade":
            pair = event.annotator, event.query_id, event.doc_id
            if event.doc_sha is not None:
                documents[pair] = event.doc_sha
            if event.query_sha is not None:
                queries[pair] = event.query_sha
    of_documents = _by_id((pair[2], sha) for pair, sha in documents.items())
    of_queries = _by_id((pair[1], sha) for pair, sha in queries.items())
    try:
        now = {query.id: digest(query.text, query.description) for query in dataset.queries}
        judged = _judged(dataset, of_documents)
        changed = [found.id for found in judged if _is_new(found, of_documents)]
    except InputError:
        return ()  # a file that cannot be read is what `Dataset.warnings` tells of
    asked = [name for name, shas in of_queries.items() if name in now and shas != {now[name]}]
    told = [_told("document", changed), _told("query", asked)]
    return tuple(line for line in told if line)


def _by_id(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    shas: dict[str, set[str]] = {}
    for name, sha in pairs:
        shas.setdefault(name, set()).add(sha)
    return shas


def _is_new(document: Document, shas: dict[str, set[str]]) -> bool:
    return shas[document.id] != {digest(document.title, document.text)}


def _judged(dataset: Dataset, wanted: dict[str, set[str]]) -> Iterator[Document]:
    """Give the documents with these ids that are still there."""
    if len(wanted) > SCAN_FROM * dataset.manifest.counts.get("documents", 0):
        yield from (document for document in dataset.documents() if document.id in wanted)
        return
    for name in dataset.titles(sorted(wanted)):
        yield dataset.document(name)


def _told(what: str, names: list[str]) -> str:
    if not names:
        return ""
    some = ", ".join(sorted(names)[:NAMED])
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return (
        f"the text of a {what} changed after it was judged: {some}{more};"
        f" what was judged is kept, look at it again"
    )
