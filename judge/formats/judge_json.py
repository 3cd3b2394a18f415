"""The project's own benchmark JSON, `judge.benchmark/1`.

```
{"schema": "judge.benchmark/1", "name": ..., "description": ..., "version": ..., "licence": ...,
 "languages": [...], "scale": {"min": 0, "max": 3, "labels": {"0": ...}, "relevant_from": 2},
 "guidelines": ..., "provenance": {...},
 "documents": [{"id", "title", "text", "language", "namespace", "parent_id", "metadata"}],
 "queries": [{"id", "text", "description", "language", "namespace", "category", "split", "metadata",
              "judgments": [{"doc_id", "grade", "hard_negative", "note"}]}],
 "judgments": [{"query_id", "doc_id", "grade", ...}]}
```
`judgments` at the end holds those on queries that the document does not have. What says nothing may
be left out; keys that are not ours are errors, because own things have a place in `metadata`. A
hard-negative mark needs a grade below `relevant_from`.

Lost: runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.core.model import Judgment
from judge.formats.collection import Collection
from judge.formats.json_document import (
    Documents,
    Queries,
    load,
    needs_lists,
    objects,
    outline,
    take_object,
    write_document,
)
from judge.formats.reading.fields import Fields, described
from judge.formats.reading.grades import Span, take_value
from judge.formats.reading.header import (
    header_record,
    provenance_record,
    scale_record,
    take_header,
    take_scale,
)
from judge.formats.reading.intake import AS_IT_STANDS, Intake, Reading, Where
from judge.formats.reading.judgments import JudgmentBook, by_query
from judge.formats.reading.records import Keys, document_record, query_record
from judge.formats.writing.losses import Carries, DocumentCount, losses

if TYPE_CHECKING:
    from pathlib import Path

    from judge.core.model import Query, Scale

NAME = "judge"
TITLE = "benchmark JSON of this program (judge.benchmark/1)"
CARRIES = Carries(runs=False)
KEYS = Keys(id="id", text="text", closed=True)
SCHEMA = "judge.benchmark/1"


def sniff(path: Path) -> str | None:
    """Why a path looks like this format, or None if it does not."""
    found = outline(path).schema.startswith("judge.benchmark/")
    return "its schema is judge.benchmark" if found else None


def read(path: Path, reading: Reading = AS_IT_STANDS) -> Collection:
    """Read a file.

    Raises:
        InputError: The file is missing or may not be read.
        FormatError: It is not JSON, or of another schema.
        DatasetError: A rule is broken; the error holds all problems.
    """
    intake = Intake(reading)
    fields = take_object(load(path, intake), Where(path), intake)
    schema = fields.raw("schema")
    if schema != SCHEMA:
        intake.malformed(
            fields.where.at("schema"),
            f"{described(schema)}, not a schema that is known here",
            f'"{SCHEMA}"',
        )
        intake.stop()
    header, scale = take_header(fields), take_scale(fields)
    guidelines = fields.text("guidelines")
    needs_lists(fields, "documents", "queries")
    documents = Documents(fields, KEYS)
    book = JudgmentBook(intake)

    def judge(query: Query, inner: Fields) -> Query:
        for where, record in objects(inner, "judgments"):
            _judgment(Fields(record, where, intake), query.id, book, scale)
        return query

    queries = Queries(fields, KEYS, "judgments", judge)
    for where, record in objects(fields, "judgments"):
        _judgment(Fields(record, where, intake), None, book, scale)
    book.check(queries.ids, documents.ids)
    fields.refuse_rest(SCHEMA)
    intake.finish()
    return Collection(
        documents=documents.stream,
        queries=queries.kept,
        judgments=book.judgments(),
        **header,
        scale=scale,
        guidelines=guidelines,
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
    head = {"schema": SCHEMA, **header_record(collection)}
    if collection.scale is not None:
        head["scale"] = scale_record(collection.scale)
    if collection.guidelines:
        head["guidelines"] = collection.guidelines
    known = {query.id: None for query in collection.queries}
    groups = by_query(collection.judgments, known)
    dangling = [j for query_id in groups if query_id not in known for j in groups[query_id]]
    lists = {
        "documents": (document_record(seen.see(d), KEYS) for d in collection.documents),
        "queries": (_query_record(query, groups[query.id]) for query in collection.queries),
    }
    if dangling:
        lists["judgments"] = ({"query_id": j.query_id, **_judgment_record(j)} for j in dangling)
    write_document(path, head | provenance_record(collection), lists, force=force)
    return losses(collection, CARRIES, seen)


def _judgment(
    fields: Fields, query_id: str | None, book: JudgmentBook, scale: Scale | None
) -> None:
    """Take one judgment; of the query that encloses it, or of the one that it names."""
    needed = ("doc_id", "grade") if query_id is not None else ("query_id", "doc_id", "grade")
    if not fields.has(*needed):
        return
    if query_id is None:
        query_id = fields.identifier("query_id")
    doc_id = fields.identifier("doc_id")
    span = Span.of(scale, fields.intake.reading)
    graded = take_value(fields.raw("grade"), fields.where.at("grade"), span, fields.intake)
    hard_negative, note = fields.flag("hard_negative"), fields.text("note")
    fields.refuse_rest("a judgment")
    if not fields.good or graded is None or query_id is None or doc_id is None:
        return
    grade, relevant_from = graded.grade, scale.relevant_from if scale else 1
    if grade is None:
        return
    if hard_negative and grade >= relevant_from:
        message = f"a document of grade {grade} is relevant"
        fields.fault("hard_negative", message, f"the mark only below grade {relevant_from}")
        return
    book.add(Judgment(query_id, doc_id, grade, hard_negative, note), fields.where)


def _query_record(query: Query, judgments: list[Judgment]) -> dict[str, Any]:
    record = query_record(query, KEYS)
    if judgments:
        record["judgments"] = list(map(_judgment_record, judgments))
    return record


def _judgment_record(judgment: Judgment) -> dict[str, Any]:
    record: dict[str, Any] = {"doc_id": judgment.doc_id, "grade": judgment.grade}
    if judgment.hard_negative:
        record["hard_negative"] = True
    if judgment.note:
        record["note"] = judgment.note
    return record
