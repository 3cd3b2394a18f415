"""What stands in `export.json`, which the folder formats put beside their files.

It holds the facts about the collection that the files have no place for: name, licence, scale and
where the judgments come from.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypedDict

from judge.core.errors import FormatError, InputError
from judge.core.files import read_text, regular
from judge.formats.reading.fields import Fields
from judge.formats.reading.header import (
    header_record,
    provenance_record,
    scale_record,
    take_header,
    take_scale,
)
from judge.formats.reading.intake import Intake, Where
from judge.formats.reading.json_text import JsonFault, parse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from judge.core.model import Scale
    from judge.formats.collection import Collection

FILE = "export.json"
SCHEMA = "judge.export/1"


class Facts(TypedDict, total=False):
    """The fields of a `Collection` that an export file gives."""

    name: str
    description: str
    version: str
    licence: str
    languages: tuple[str, ...]
    made_by: Mapping[str, Any]
    scale: Scale | None


def export_record(collection: Collection, format_name: str) -> dict[str, Any]:
    """The content of an export file."""
    record = {"schema": SCHEMA, "format": format_name, **header_record(collection)}
    if collection.scale is not None:
        record["scale"] = scale_record(collection.scale)
    return record | provenance_record(collection)


def write_export_file(collection: Collection, format_name: str, folder: Path) -> None:
    """Put an export file into a folder that is being filled."""
    text = json.dumps(
        export_record(collection, format_name), ensure_ascii=False, allow_nan=False, indent=1
    )
    (folder / FILE).write_text(text + "\n", encoding="utf-8", newline="\n")


def is_export(folder: Path) -> bool:
    """Whether an export of ours stands in a folder, known by its export file."""
    try:
        record = parse(read_text(regular(folder / FILE)))
    except (InputError, JsonFault):
        return False
    return isinstance(record, dict) and record.get("schema") == SCHEMA


def take_export_file(folder: Path, intake: Intake) -> Facts:
    """The facts that an export file of ours gives; none where the folder has no such file."""
    path = folder / FILE
    if not path.is_file():
        return Facts()
    intake.read(path)
    try:
        text = read_text(path)
        record = parse(text)
    except FormatError as error:
        intake.take(error)
        return Facts()
    except JsonFault as fault:
        intake.malformed(Where(path, fault.line), fault.message)
        return Facts()
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        intake.note("export.json of another program, passed over", path.name)
        return Facts()
    intake.lines_of(path, text)
    fields = Fields(record, Where(path), intake)
    return Facts(**take_header(fields), scale=take_scale(fields))
