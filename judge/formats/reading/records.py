"""How a JSON record becomes a document or a query and back, whatever a dialect calls its keys.

What a dialect has no key for is written under one of ours (`language`, `parent_id`, ...) and read
back; programs that do not know these keys pass over them. Keys that we do not know are kept in the
metadata, and told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core.model import DEFAULT_NAMESPACE, UNKNOWN_LANGUAGE, Document, Query
from judge.formats.reading.fields import Fields, listed
from judge.formats.reading.json_text import INNER_DEPTH, in_order, is_deep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.formats.reading.intake import Intake, Where


class Keys(NamedTuple):
    """What a dialect calls the two fields that every record has.

    Attributes:
        id: The key of the id.
        text: The key of the text.
        closed: Unknown keys are errors, and `text` must stand even where it is null.
    """

    id: str
    text: str
    closed: bool = False


def take_document(
    record: Mapping[str, Any], where: Where, keys: Keys, intake: Intake
) -> Document | None:
    """The document that a record describes; None, and faults in the intake, if it is wrong."""
    fields = Fields(record, where, intake)
    if not _has_words(fields, keys):
        return None
    doc_id = fields.identifier(keys.id)
    title = fields.text("title")
    text = _document_text(fields, keys, title, intake)
    language = _language(fields)
    namespace = fields.identifier("namespace") or DEFAULT_NAMESPACE
    parent_id = fields.identifier("parent_id")
    metadata = _metadata(fields, keys, intake)
    if doc_id is None or not fields.good:
        return None
    return Document(
        id=doc_id,
        text=text,
        title=title,
        language=language,
        namespace=namespace,
        parent_id=parent_id,
        metadata=metadata,
    )


def _has_words(fields: Fields, keys: Keys) -> bool:
    """Whether the id and one key of words stand; a record of another format fails here."""
    if keys.closed:
        enough = fields.stands(keys.text)
    else:
        enough = fields.stands(keys.text) or bool(fields.raw("title"))
    if enough:
        return fields.has(keys.id)
    return fields.has(keys.id, keys.text)


def _document_text(fields: Fields, keys: Keys, title: str, intake: Intake) -> str | None:
    if fields.raw(keys.text) is not None:
        return fields.text(keys.text)
    if keys.closed or not title:
        return None
    # A title is something to judge; only a document without any words is known by its id alone.
    intake.note("documents with a title and no text, taken as empty text", fields.where)
    return ""


def _language(fields: Fields) -> str:
    """The language, which some collections call `lang`."""
    if fields.stands("language") or not isinstance(fields.peek("lang"), str):
        return fields.text("language") or UNKNOWN_LANGUAGE
    return fields.text("lang") or UNKNOWN_LANGUAGE


def _metadata(fields: Fields, keys: Keys, intake: Intake) -> dict[str, Any]:
    metadata = fields.mapping("metadata")
    if keys.closed:
        fields.refuse_rest("judge.benchmark/1")
    rest = {} if keys.closed else fields.rest()
    for name, value in (("metadata", metadata), *((name, {name: rest[name]}) for name in rest)):
        if is_deep(value, INNER_DEPTH):
            fields.fault(name, f"nested deeper than {INNER_DEPTH} levels")
    if rest:
        clash = [name for name in rest if name in metadata]
        if clash:
            fields.fault(clash[0], "stands both beside the metadata and in it")
        first = f"{fields.where}: {listed(sorted(rest))}"
        intake.note("records with keys of their own, kept in their metadata", first)
    return {**metadata, **rest}


def take_query(
    record: Mapping[str, Any],
    where: Where,
    keys: Keys,
    intake: Intake,
    *,
    other: tuple[str, ...] = (),
    default_id: str | None = None,
) -> Query | None:
    """The query that a record describes; None, and faults in the intake, if it is wrong.

    Args:
        record: The JSON object.
        where: Its place.
        keys: What the dialect calls id and text.
        intake: Gets the faults.
        other: Keys that the caller reads itself, such as those of the judgments.
        default_id: The id where the dialect has none.
    """
    fields = Fields(record, where, intake)
    needed = (keys.text,) if default_id is not None else (keys.id, keys.text)
    if not fields.has(*needed):
        return None
    for name in other:
        fields.raw(name)
    query_id = fields.identifier(keys.id) or default_id
    text, description, language = (
        fields.text(keys.text),
        fields.text("description"),
        _language(fields),
    )
    namespace, category = fields.identifier("namespace"), fields.identifier("category")
    split, metadata = fields.identifier("split"), _metadata(fields, keys, intake)
    if query_id is None or not fields.good:
        return None
    return Query(
        id=query_id,
        text=text,
        description=description,
        language=language,
        namespace=namespace,
        category=category,
        split=split,
        metadata=metadata,
    )


def document_record(document: Document, keys: Keys) -> dict[str, Any]:
    """A document as a JSON object: the dialect's own keys, then ours where they say something."""
    record: dict[str, Any] = {keys.id: document.id}
    if document.title:
        record["title"] = document.title
    # Beside a title, dialects that are read by others have an empty text and never null.
    record[keys.text] = "" if document.title and not keys.closed else None
    if document.text is not None:
        record[keys.text] = document.text
    if document.language != UNKNOWN_LANGUAGE:
        record["language"] = document.language
    if document.namespace != DEFAULT_NAMESPACE:
        record["namespace"] = document.namespace
    if document.parent_id is not None:
        record["parent_id"] = document.parent_id
    if document.metadata:
        record["metadata"] = in_order(document.metadata)
    return record


def query_record(query: Query, keys: Keys) -> dict[str, Any]:
    """A query as a JSON object, without its judgments."""
    record: dict[str, Any] = {keys.id: query.id, keys.text: query.text}
    if query.description:
        record["description"] = query.description
    if query.language != UNKNOWN_LANGUAGE:
        record["language"] = query.language
    for name in ("namespace", "category", "split"):
        if (value := getattr(query, name)) is not None:
            record[name] = value
    if query.metadata:
        record["metadata"] = in_order(query.metadata)
    return record
