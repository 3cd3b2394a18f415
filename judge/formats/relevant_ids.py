"""Benchmark JSON with `relevant_ids`: binary ground truth beside each query.

```
{"name": ..., "description": ..., "documents": [{"id", "title", "text", "namespace"}],
 "queries": [{"id", "query", "namespace", "relevant_ids": [...]}]}
```
A document's namespace defaults to `bench`; a query without one searches all. Every relevant id must
be the id of a document. Keys that the dialect does not have (`language`, `description`, `category`,
`split`, `metadata`, ...) stand where they say something and are read back.

Lost: grades, judgments below relevance, hard-negative marks, notes, the scale, guidelines, runs,
and judgments on documents or queries that are not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.core.model import Judgment, Scale
from judge.formats.collection import Collection
from judge.formats.json_document import (
    Documents,
    Queries,
    load,
    needs_lists,
    outline,
    take_object,
    tell_unknown_keys,
    write_document,
)
from judge.formats.reading.fields import Fields
from judge.formats.reading.header import header_record, provenance_record, take_header
from judge.formats.reading.intake import AS_IT_STANDS, Intake, Reading, Where
from judge.formats.reading.judgments import JudgmentBook, by_query
from judge.formats.reading.records import Keys, document_record, query_record
from judge.formats.writing.losses import Carries, DocumentCount, losses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from judge.core.model import Query

NAME = "relevant-ids"
TITLE = "benchmark JSON with relevant_ids beside each query (binary)"
CARRIES = Carries(
    grades=False,
    hard_negatives=False,
    notes=False,
    scale=False,
    guidelines=False,
    runs=False,
    missing_text=False,
    dangling_queries=False,
    dangling_documents=False,
)
DOCUMENT_KEYS = Keys(id="id", text="text")
QUERY_KEYS = Keys(id="id", text="query")
RELEVANT = "relevant_ids"


def sniff(path: Path) -> str | None:
    """Why a path looks like this format, or None if it does not."""
    return f'there is "{RELEVANT}" in it' if RELEVANT in outline(path).asked else None


def read(path: Path, reading: Reading = AS_IT_STANDS) -> Collection:
    """Read a file.

    Raises:
        InputError: The file is missing or may not be read.
        FormatError: It is not JSON.
        DatasetError: A rule is broken; the error holds all problems.
    """
    intake = Intake(reading)
    fields = take_object(load(path, intake), Where(path), intake)
    header = take_header(fields)
    needs_lists(fields, "documents", "queries")
    documents = Documents(fields, DOCUMENT_KEYS)
    book = JudgmentBook(intake)

    def judge(query: Query, inner: Fields) -> Query:
        _relevant(inner, query.id, book)
        return query

    queries = Queries(fields, QUERY_KEYS, RELEVANT, judge)
    book.check(queries.ids, documents.ids, strict=True)
    tell_unknown_keys(fields)
    intake.finish()
    return Collection(
        documents=documents.stream,
        queries=queries.kept,
        judgments=book.judgments(),
        **header,
        scale=Scale.binary(),
        notes=intake.notes,
        files=intake.files,
    )


def write(collection: Collection, path: Path, *, force: bool = False) -> list[str]:
    """Write a file.

    Returns:
        What was lost, one line each.

    Raises:
        InputError: The path exists and `force` is off.
        OSError: The disk refused; nothing has changed then.
    """
    seen = DocumentCount()
    groups = by_query(collection.judgments, [query.id for query in collection.queries])
    relevant_from = collection.relevant_from

    def query_records() -> Iterator[dict[str, Any]]:
        for query in collection.queries:
            relevant = [
                j.doc_id
                for j in groups[query.id]
                if j.grade >= relevant_from and j.doc_id in seen.ids
            ]
            yield query_record(query, QUERY_KEYS) | {RELEVANT: sorted(relevant, key=str.encode)}

    lists = {
        "documents": (document_record(seen.see(d), DOCUMENT_KEYS) for d in collection.documents),
        "queries": query_records(),
    }
    write_document(
        path, header_record(collection) | provenance_record(collection), lists, force=force
    )
    return losses(collection, CARRIES, seen)


def _relevant(fields: Fields, query_id: str, book: JudgmentBook) -> None:
    """Take the relevant ids of one query; without any, the query has no relevant document."""
    if fields.peek(RELEVANT) is None:
        fields.fault(RELEVANT, "missing", "a list of document ids, which may be empty")
        return
    for index, value in enumerate(fields.items(RELEVANT)):
        doc_id = fields.as_identifier(value, RELEVANT, index)
        if doc_id is not None:
            book.add(Judgment(query_id, doc_id, 1), fields.where.at(RELEVANT, index))
