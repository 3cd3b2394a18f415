"""How documents, queries and pools lie in Parquet columns is known only here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from judge.core.arrow import Column, Frame, Schema
from judge.core.errors import FormatError, Problem
from judge.core.model import Document, Query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

DOCUMENTS = Schema(
    "judge.documents/1",
    (
        Column("id", "string"),
        Column("text", "string", nullable=True),
        Column("title", "string"),
        Column("language", "string"),
        Column("namespace", "string"),
        Column("parent_id", "string", nullable=True),
        Column("metadata", "string"),
    ),
)
QUERIES = Schema(
    "judge.queries/1",
    (
        Column("id", "string"),
        Column("text", "string"),
        Column("description", "string"),
        Column("language", "string"),
        Column("namespace", "string", nullable=True),
        Column("category", "string", nullable=True),
        Column("split", "string", nullable=True),
        Column("metadata", "string"),
    ),
)
POOL = Schema(
    "judge.pool/1",
    (
        Column("query_id", "string"),
        Column("doc_id", "string"),
        Column("run", "string"),
        Column("rank", "int32"),
        Column("band", "int32"),
        Column("order", "string"),
        Column("seed", "int64"),
        Column("stratum", "string", nullable=True),
        Column("probability", "float64", nullable=True),
    ),
)


def record_columns(schema: Schema, records: Sequence[Document | Query]) -> dict[str, list[Any]]:
    """Validated records as columns of their schema; metadata becomes one JSON text each."""
    columns: dict[str, list[Any]] = {
        name: [getattr(record, name) for record in records] for name in schema.names
    }
    columns["metadata"] = [
        json.dumps(m, ensure_ascii=False, allow_nan=False, sort_keys=True) if m else ""
        for m in columns["metadata"]
    ]
    return columns


def document_from(values: Sequence[Any], source: Path | None) -> Document:
    """A document from its column values in schema order, which fit the schema.

    Validation is not repeated: the values passed it on their way in.

    Args:
        values: One for each column.
        source: The file that they come from, for messages.

    Raises:
        FormatError: The metadata is no JSON object.
    """
    return Document.model_construct(**_fields(DOCUMENTS, values, source))


def documents_from(frame: Frame) -> Iterator[Document]:
    """The documents of a frame in file order; a `FormatError` as with `document_from`."""
    rows = zip(*(frame.values(name) for name in DOCUMENTS.names), strict=True)
    return (document_from(row, frame.path) for row in rows)


def queries_from(frame: Frame) -> Iterator[Query]:
    """The queries of a frame in file order; a `FormatError` as with `document_from`."""
    rows = zip(*(frame.values(name) for name in QUERIES.names), strict=True)
    return (Query.model_construct(**_fields(QUERIES, row, frame.path)) for row in rows)


def _fields(schema: Schema, values: Sequence[Any], source: Path | None) -> dict[str, Any]:
    fields = dict(zip(schema.names, values, strict=True))
    fields["metadata"] = _metadata(fields["metadata"], source) if fields["metadata"] else {}
    return fields


def _metadata(text: str, source: Path | None) -> dict[str, Any]:
    try:
        metadata = json.loads(text)
    except (ValueError, RecursionError):
        metadata = None
    if isinstance(metadata, dict):
        return metadata
    message = "holds a text that is no JSON object"
    raise FormatError(Problem(message, source, field="metadata"))
