"""What the dialects that are one JSON document share: loading, parts, streamed records, layout."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from judge.core.errors import FormatError
from judge.core.files import read_lines, read_text, regular
from judge.core.model import Document, Query
from judge.formats.collection import Stream
from judge.formats.reading.fields import Fields, listed
from judge.formats.reading.intake import Intake, Where
from judge.formats.reading.json_lines import kind
from judge.formats.reading.json_text import JsonFault, dump, is_json, parse
from judge.formats.reading.records import Keys, take_document, take_query
from judge.formats.reading.unique import Unique
from judge.formats.writing.output import write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path


_KEY = re.compile(r'"([^"\\]*)"\s*:')
_SCHEMA = re.compile(r'"schema"\s*:\s*"([^"\\]*)"')


def load(path: Path, intake: Intake) -> object:
    """The value of a JSON file.

    Raises:
        InputError: The file is missing, may not be read, or cannot be read twice, such as a pipe.
        FormatError: It is not UTF-8 or not JSON.
    """
    intake.read(regular(path))
    text = read_text(path)
    try:
        value = parse(text)
    except JsonFault as fault:
        lines = _is_json_lines(text)
        message = "JSON Lines, and not one JSON document" if lines else fault.message
        intake.malformed(Where(path, fault.line), message)
        intake.stop()
    intake.lines_of(path, text)
    return value


def _is_json_lines(text: str) -> bool:
    """Whether the first line is a value of its own, with more after it."""
    first, _, rest = text.lstrip().partition("\n")
    return is_json(first) and bool(rest.strip())


class Outline(NamedTuple):
    """What tells the dialects of benchmark JSON apart.

    Attributes:
        schema: What the outermost object says of its schema; empty if nothing.
        asked: All keys of the queries.
    """

    schema: str = ""
    asked: frozenset[str] = frozenset()


def outline(path: Path) -> Outline:
    """What a file shows of its dialect; nothing where it does not look like JSON at all.

    Only the outermost keys and those of queries count: others may stand in anybody's metadata.
    In broken JSON all keys count, so that what is broken can be told.
    """
    if not path.is_file():
        return Outline()
    stat = path.stat()
    return _outline(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=1)
def _outline(path: Path, _size: int, _mtime: int) -> Outline:
    """Kept for one file, as each dialect asks in turn."""
    try:
        # The first line is enough to pass over most files that are something else.
        first = next((line for _, line in read_lines(path) if line.strip()), "")
        text = read_text(path) if first.lstrip()[:1] in ("{", "[") else ""
    except FormatError:
        return Outline()
    try:
        value = parse(text)
    except JsonFault:
        schema = _SCHEMA.search(text)
        return Outline(schema[1] if schema else "", frozenset(_KEY.findall(text)))
    boxes = [
        box for box in (value if isinstance(value, list) else [value]) if isinstance(box, dict)
    ]
    lists = [box.get("queries") for box in boxes]
    queries = [query for found in lists if isinstance(found, list) for query in found]
    asked = frozenset(key for query in queries if isinstance(query, dict) for key in query)
    schema = value.get("schema") if isinstance(value, dict) else None
    return Outline(schema if isinstance(schema, str) else "", asked)


def take_object(value: object, where: Where, intake: Intake) -> Fields:
    """The outermost object.

    Raises:
        DatasetError: It is something else.
    """
    if not isinstance(value, dict):
        intake.invalid(where, f"{kind(value)} where an object was expected")
        intake.stop()
    return Fields(value, where, intake)


def objects(fields: Fields, name: str) -> Iterator[tuple[Where, dict[str, Any]]]:
    """The objects of a list, each with its place; other items are faults."""
    for index, item in enumerate(fields.items(name)):
        where = fields.where.at(name, index)
        if isinstance(item, dict):
            yield where, item
        else:
            fields.intake.invalid(where, f"{kind(item)} where an object was expected")


class Documents:
    """The documents of a JSON document, checked once, then made anew in each pass.

    Args:
        fields: The outermost object, with a list under `documents`.
        keys: What the dialect calls id and text.

    Attributes:
        ids: Their ids.
        stream: The documents, each once.
    """

    def __init__(self, fields: Fields, keys: Keys) -> None:
        intake, place = fields.intake, fields.where.at("documents")
        records = list(objects(fields, "documents"))
        silent = Intake(intake.reading)

        def taken(into: Intake) -> Iterator[tuple[Document, Where]]:
            for where, record in records:
                document = take_document(record, where, keys, into)
                if document is not None:
                    yield document, where

        unique = Unique[Document](intake, place, "document", "documents")
        for document, where in taken(intake):
            unique.add(document, where)
        unique.settle(lambda: taken(silent))
        self.ids = unique.ids
        self.stream = Stream(
            lambda: (d for d, where in taken(silent) if where not in unique.repeats)
        )


class Queries:
    """The queries of a JSON document and the judgments that stand in them, checked.

    Args:
        fields: The outermost object, with a list under `queries`.
        keys: What the dialect calls id and text.
        judged: The key of a query under which its judgments stand.
        judge: Takes the judgments of one query from its fields; gives the query as it is kept.
        numbered: A query without an id is called `q1`, `q2`, ... by its place.

    Attributes:
        ids: Their ids.
        kept: The queries, each once.
    """

    def __init__(
        self,
        fields: Fields,
        keys: Keys,
        judged: str,
        judge: Callable[[Query, Fields], Query],
        *,
        numbered: bool = False,
    ) -> None:
        intake, place = fields.intake, fields.where.at("queries")
        unique = Unique[Query](intake, place, "query", "queries")
        found: list[tuple[Query, Where]] = []
        for number, (where, record) in enumerate(objects(fields, "queries"), start=1):
            default = f"q{number}" if numbered else None
            query = take_query(record, where, keys, intake, other=(judged,), default_id=default)
            if query is not None:
                query = judge(query, Fields(record, where, intake))
                unique.add(query, where)
                found.append((query, where))
        unique.settle(lambda: iter(found))
        self.ids = unique.ids
        self.kept = [query for query, where in found if where not in unique.repeats]


def needs_lists(fields: Fields, *names: str) -> None:
    """Report each of the lists that is missing."""
    for name in names:
        if fields.peek(name) is None:
            fields.fault(name, f"missing; the keys found are {listed(fields.names)}", listed(names))


def tell_unknown_keys(fields: Fields) -> None:
    """Tell which keys of the outermost object are passed over."""
    for name in fields.rest():
        fields.intake.note(f'the key "{name}" of the file, passed over')


def write_document(
    path: Path,
    head: Mapping[str, Any],
    lists: Mapping[str, Iterable[Mapping[str, Any]]],
    *,
    force: bool,
) -> None:
    """Write one JSON document: the head indented, then each list with one record on each line.

    So a change of one judgment is a change of one line, and documents are never all in memory.
    """

    def fill(file: IO[bytes]) -> None:
        text = json.dumps(head, ensure_ascii=False, allow_nan=False, indent=1)
        file.write(text.removesuffix("\n}").encode("utf-8"))
        for name, records in lists.items():
            file.write(f',\n "{name}": ['.encode())
            separator = "\n"
            for record in records:
                file.write(f"{separator}  {dump(record)}".encode())
                separator = ",\n"
            file.write(b"]" if separator == "\n" else b"\n ]")
        file.write(b"\n}\n")

    write_files({path: fill}, force=force)
