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
    """Put an export file into a folder that is filled but for it; it lists all that is ours."""
    record = {**export_record(collection, format_name), "files": [*_files(folder), FILE]}
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1)
    (folder / FILE).write_text(text + "\n", encoding="utf-8", newline="\n")


def not_ours(folder: Path) -> list[str]:
    """The files of a folder that no export of ours put there, by its export file; in order."""
    try:
        record = parse(read_text(regular(folder / FILE)))
    except (InputError, JsonFault):
        record = None
    ours = (
        record.get("files") if isinstance(record, dict) and record.get("schema") == SCHEMA else []
    )
    known = {name for name in ours if isinstance(name, str)} if isinstance(ours, list) else set()
    return [name for name in _files(folder) if name not in known]


def _files(folder: Path) -> list[str]:
    """Everything below a folder that is not itself a folder, by its path inside, in order."""
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in found)


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
