"""Benchmark JSON with `expectedResults`: for each query the ids in the order of relevance.

```
{"name": ..., "documents": [{"id", "content", "metadata"}],
 "queries": [{"query", "expectedResults": [...]}]}
```
or a list of such objects, of which one is taken by name. Ids may be file names. Queries have no ids
and get `q1`, `q2`, ... by their place; an `id` that stands there counts. Each expected result is a
judgment of the top grade of a binary scale; the order is kept in the query's metadata and written
back. Written, the order is: grade, then the order kept, then the id. Other keys of ours stand where
they say something and are read back.

Lost: grades (but for their order), judgments below relevance, hard-negative marks, notes, the
scale, guidelines, runs, and judgments on queries that are not there.
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
from judge.formats.reading.fields import Fields, listed
from judge.formats.reading.header import header_record, provenance_record, take_header
from judge.formats.reading.intake import AS_IT_STANDS, Intake, Reading, Where
from judge.formats.reading.judgments import JudgmentBook, by_query
from judge.formats.reading.records import Keys, document_record, query_record
from judge.formats.writing.losses import Carries, DocumentCount, losses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from judge.core.model import Query

NAME = "expected-results"
TITLE = "benchmark JSON with expectedResults, ids in the order of relevance"
CARRIES = Carries(
    grades=False,
    hard_negatives=False,
    notes=False,
    scale=False,
    guidelines=False,
    runs=False,
    missing_text=False,
    dangling_queries=False,
)
DOCUMENT_KEYS = Keys(id="id", text="content")
QUERY_KEYS = Keys(id="id", text="query")
EXPECTED = "expectedResults"


def sniff(path: Path) -> str | None:
    """Why a path looks like this format, or None if it does not."""
    return f'there is "{EXPECTED}" in it' if EXPECTED in outline(path).asked else None


def read(path: Path, reading: Reading = AS_IT_STANDS) -> Collection:
    """Read a file.

    Raises:
        InputError: The file is missing or may not be read.
        FormatError: It is not JSON.
        DatasetError: A rule is broken, or the file holds several datasets and none was chosen.
    """
    intake = Intake(reading)
    fields = _chosen(load(path, intake), Where(path), intake)
    header = take_header(fields)
    needs_lists(fields, "documents", "queries")
    documents = Documents(fields, DOCUMENT_KEYS)
    book = JudgmentBook(intake)

    def judge(query: Query, inner: Fields) -> Query:
        order = _expected(inner, query.id, book)
        return query.model_copy(update={"metadata": {**query.metadata, EXPECTED: order}})

    queries = Queries(fields, QUERY_KEYS, EXPECTED, judge, numbered=True)
    book.check(queries.ids, documents.ids)
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
    lists = {
        "documents": (document_record(seen.see(d), DOCUMENT_KEYS) for d in collection.documents),
        "queries": (
            _query_record(query, f"q{number}", _ordered(query, groups[query.id], collection))
            for number, query in enumerate(collection.queries, start=1)
        ),
    }
    write_document(
        path, header_record(collection) | provenance_record(collection), lists, force=force
    )
    return losses(collection, CARRIES, seen)


def _chosen(value: object, where: Where, intake: Intake) -> Fields:
    """The one dataset of the file that is meant."""
    if not isinstance(value, list):
        return take_object(value, where, intake)
    wanted = intake.reading.part
    names = [str(item.get("name") or "") if isinstance(item, dict) else "" for item in value]
    places = [i for i, name in enumerate(names) if wanted is None or name == wanted]
    if len(places) == 1:
        return take_object(value[places[0]], where.at(places[0]), intake)
    message = f"the file holds {len(names)} datasets: {listed(names)}"
    intake.invalid(where, message, "one of them, chosen by --part NAME")
    intake.stop()


def _expected(fields: Fields, query_id: str, book: JudgmentBook) -> list[str]:
    if fields.peek(EXPECTED) is None:
        fields.fault(EXPECTED, "missing", "a list of document ids, which may be empty")
    order: dict[str, None] = {}
    for index, value in enumerate(fields.items(EXPECTED)):
        doc_id = fields.as_identifier(value, EXPECTED, index)
        if doc_id is not None:
            book.add(Judgment(query_id, doc_id, 1), fields.where.at(EXPECTED, index))
            order[doc_id] = None
    return list(order)


def _ordered(query: Query, judgments: list[Judgment], collection: Collection) -> Iterator[str]:
    """The relevant documents, best first; among equal grades the order that was read counts."""
    kept = query.metadata.get(EXPECTED)
    places = {doc_id: i for i, doc_id in enumerate(kept if isinstance(kept, list) else [])}
    relevant = (j for j in judgments if j.grade >= collection.relevant_from)
    best_first = sorted(relevant, key=lambda j: (-j.grade, places.get(j.doc_id, len(places))))
    return (judgment.doc_id for judgment in best_first)


def _query_record(query: Query, default_id: str, expected: Iterator[str]) -> dict[str, Any]:
    metadata = {name: value for name, value in query.metadata.items() if name != EXPECTED}
    record = query_record(query.model_copy(update={"metadata": metadata}), QUERY_KEYS)
    if query.id == default_id:
        del record[QUERY_KEYS.id]
    return record | {EXPECTED: list(expected)}
