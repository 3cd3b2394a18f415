"""How the facts about a whole collection stand in JSON: name, licence, scale, origin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypedDict

from pydantic import ValidationError

from judge.core.errors import quoted
from judge.core.model import Scale
from judge.formats.reading.fields import Fields
from judge.formats.reading.json_text import in_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.formats.collection import Collection


_GRADE = re.compile(r"0|[1-9][0-9]?")
"""A grade as a key: one spelling for each, and never so long that it is no number any more."""


class Header(TypedDict):
    """The fields of a `Collection` that say something about the whole of it."""

    name: str
    description: str
    version: str
    licence: str
    languages: tuple[str, ...]
    made_by: Mapping[str, Any]


def header_record(collection: Collection) -> dict[str, Any]:
    """The facts that say something, in a fixed order; the scale is apart."""
    record: dict[str, Any] = {"name": collection.name}
    if collection.description:
        record["description"] = collection.description
    if collection.version != "1":
        record["version"] = collection.version
    if collection.licence:
        record["licence"] = collection.licence
    if collection.languages:
        record["languages"] = list(collection.languages)
    return record


def provenance_record(collection: Collection) -> dict[str, Any]:
    """Where the collection comes from, under its key, or nothing."""
    return {"provenance": in_order(dict(collection.made_by))} if collection.made_by else {}


def take_header(fields: Fields) -> Header:
    """Read the facts back; faults go where the fields send them."""
    version = fields.peek("version")
    languages = [
        language
        for index, value in enumerate(fields.items("languages"))
        if (language := fields.as_identifier(value, "languages", index))
    ]
    return Header(
        name=fields.text("name"),
        description=fields.text("description"),
        version=str(fields.number("version", 1))
        if _whole(version)
        else fields.text("version", "1"),
        licence=fields.text("licence") or fields.text("license"),
        languages=tuple(languages),
        made_by=fields.mapping("provenance"),
    )


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def scale_record(scale: Scale) -> dict[str, Any]:
    """A scale as a JSON object: the bounds, the words of each grade, where relevance begins."""
    return {
        "min": scale.min,
        "max": scale.max,
        "labels": {str(grade): scale.labels[grade] for grade in sorted(scale.labels)},
        "relevant_from": scale.relevant_from,
    }


def take_scale(fields: Fields) -> Scale | None:
    """The scale under the key `scale`; None where there is none or it is wrong (a fault then)."""
    if fields.peek("scale") is None:
        return None
    inner = Fields(fields.mapping("scale"), fields.where.at("scale"), fields.intake)
    low, high = inner.number("min", 0), inner.number("max", 3)
    labels = _labels(inner)
    relevant_from = inner.number("relevant_from", min(2, high))
    inner.refuse_rest("a scale")
    if not inner.good:
        return None
    try:
        return Scale(min=low, max=high, labels=labels, relevant_from=relevant_from)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        fields.fault("scale", reason)
        return None


def _labels(inner: Fields) -> dict[int, str]:
    labels: dict[int, str] = {}
    for key, words in inner.mapping("labels").items():
        if _GRADE.fullmatch(key) and isinstance(words, str):
            labels[int(key)] = words
        else:
            message = f"the entry {quoted(key)} is wrong"
            inner.fault("labels", message, 'as in {"0": "does not answer"}')
    return labels
