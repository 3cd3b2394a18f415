"""The BEIR folder: `corpus.jsonl`, `queries.jsonl`, `qrels/<split>.tsv`.

Read: the three may be gzipped; judgments may also lie beside the corpus as `qrels.tsv`,
`qrels.trec` or `qrels.txt`, in three columns or in TREC's four. Where there are several files in
`qrels/` and no query says its split itself, a query's split is the name of the file that judges it.
Repeated identical records are kept once and told; the same id with another content is an error.
A document without text but with a title has an empty text; one with neither is known by id only.

Written: keys that BEIR does not have (`language`, `namespace`, `parent_id`, `description`,
`category`, `split`) stand where they say something; BEIR's own loader passes over them. Name,
licence, scale and origin go to `export.json` and are read back from there.

Lost: hard-negative marks, notes, guidelines, runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from judge.core.errors import InputError, Problem
from judge.core.files import legible
from judge.core.model import Document, Query
from judge.formats.collection import Collection, Stream
from judge.formats.reading.grades import Span
from judge.formats.reading.intake import AS_IT_STANDS, Intake, Reading, Where
from judge.formats.reading.json_lines import read_records
from judge.formats.reading.json_text import dump
from judge.formats.reading.judgments import JudgmentBook, by_query
from judge.formats.reading.qrels_lines import HEADER, read_judgments, tab_separated
from judge.formats.reading.records import (
    Keys,
    document_record,
    query_record,
    take_document,
    take_query,
)
from judge.formats.reading.unique import Unique
from judge.formats.writing.export_file import take_export_file, write_export_file
from judge.formats.writing.losses import Carries, DocumentCount, losses
from judge.formats.writing.output import new_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from judge.core.model import Judgment

NAME = "beir"
TITLE = "BEIR folder: corpus.jsonl, queries.jsonl, qrels/<split>.tsv"
CARRIES = Carries(
    hard_negatives=False, notes=False, guidelines=False, runs=False, missing_text=False
)
KEYS = Keys(id="_id", text="text")

CORPUS = ("corpus.jsonl", "corpus.jsonl.gz", "corpus.json", "corpus.json.gz")
QUERIES = ("queries.jsonl", "queries.jsonl.gz", "queries.json", "queries.json.gz")
QRELS_ENDS = (".tsv", ".txt", ".trec", ".qrels")
DEFAULT_SPLIT = "test"
_SPLIT_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def sniff(path: Path) -> str | None:
    """Why a path looks like this format, or None if it does not."""
    if path.is_dir() and (corpus := _one_of(path, CORPUS)):
        return f"a folder with {corpus.name}"
    return None


def read(path: Path, reading: Reading = AS_IT_STANDS) -> Collection:
    """Read a folder.

    Raises:
        InputError: The folder or one of its two files is missing.
        FormatError: Something cannot be parsed; the error holds all problems of all files.
        DatasetError: All was parsed, but rules are broken; likewise complete.
    """
    intake = Intake(reading)
    facts = take_export_file(path, intake)
    corpus, queries_file = _needed(path, CORPUS), _needed(path, QUERIES)
    before = _state(corpus)
    documents = Unique[Document](intake, Where(corpus), "document", "documents")
    for document, where in _documents(corpus, intake):
        documents.add(document, where)
    documents.settle(lambda: _documents(corpus, Intake(reading)))
    queries = Unique[Query](intake, Where(queries_file), "query", "queries")
    found: list[tuple[Query, Where]] = list(_queries(queries_file, intake))
    for query, where in found:
        queries.add(query, where)
    queries.settle(lambda: iter(found))
    book, splits = _judgments(path, intake, Span.of(facts.get("scale"), reading))
    _tell_unread(path, intake)
    book.check(queries.ids, documents.ids)
    intake.finish()
    kept = [query for query, where in found if where not in queries.repeats]
    repeats = documents.repeats
    return Collection(
        documents=Stream(lambda: _again(corpus, reading, repeats, before)),
        queries=_with_splits(kept, splits, intake),
        judgments=book.judgments(),
        **facts,
        notes=intake.notes,
        files=intake.files,
    )


def write(collection: Collection, path: Path, *, force: bool = False) -> list[str]:
    """Write a folder.

    Returns:
        What was lost, one line each.

    Raises:
        InputError: The path exists and `force` is off, or an id holds a tab or a line break.
        OSError: The disk refused; nothing has changed then.
    """
    seen = DocumentCount()
    with new_folder(path, force=force) as folder:
        with (folder / CORPUS[0]).open("w", encoding="utf-8", newline="\n") as file:
            for document in collection.documents:
                file.write(dump(document_record(seen.see(document), KEYS)) + "\n")
        with (folder / QUERIES[0]).open("w", encoding="utf-8", newline="\n") as file:
            for query in collection.queries:
                file.write(dump(query_record(query, KEYS)) + "\n")
        (folder / "qrels").mkdir()
        for name, judgments in _files(collection).items():
            with (folder / "qrels" / name).open("w", encoding="utf-8", newline="\n") as file:
                file.write("\t".join(HEADER) + "\n")
                file.writelines(tab_separated(*judgment[:3]) for judgment in judgments)
        write_export_file(collection, NAME, folder)
    return losses(collection, CARRIES, seen)


def _one_of(folder: Path, names: Sequence[str]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _needed(folder: Path, names: Sequence[str]) -> Path:
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise InputError(Problem(what, path=folder, expected="a folder with corpus.jsonl"))
    found = _one_of(folder, names)
    if found is None:
        there = ", ".join(sorted(p.name for p in folder.iterdir())[:10]) or "nothing"
        raise InputError(
            Problem(f"there is no {names[0]}; there is {there}", path=folder, expected=TITLE)
        )
    return found


def _documents(path: Path, intake: Intake) -> Iterator[tuple[Document, Where]]:
    for where, record in read_records(path, intake):
        document = take_document(record, where, KEYS, intake)
        if document is not None:
            yield document, where


def _queries(path: Path, intake: Intake) -> Iterator[tuple[Query, Where]]:
    for where, record in read_records(path, intake):
        query = take_query(record, where, KEYS, intake)
        if query is not None:
            yield query, where


def _again(
    path: Path, reading: Reading, repeats: set[Where], before: tuple[int, int, int]
) -> Iterator[Document]:
    """Another pass over documents that were found good before.

    Raises:
        InputError: The file is not what it was: taking what it holds now would take a part.
    """
    intake = Intake(reading)
    for document, where in _documents(path, intake):
        if where not in repeats:
            yield document
    if intake.faults or _state(path) != before:
        raise InputError(Problem("changed while it was read", path, expected="a file at rest"))


def _state(path: Path) -> tuple[int, int, int]:
    """What changes when a file does: which file it is, its size and its time."""
    stat = path.stat()
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _tell_unread(folder: Path, intake: Intake) -> None:
    """Name everything in the folder that was passed over, so that nothing is missed in silence."""
    qrels = folder / "qrels"
    inside = [*folder.iterdir(), *(qrels.iterdir() if qrels.is_dir() else ())]
    for path in sorted(inside):
        known = path in intake.files or (path == qrels and path.is_dir())
        if not known and not path.name.startswith("."):
            intake.note("files or folders passed over", path.relative_to(folder).as_posix())


def _judgments(
    folder: Path, intake: Intake, span: Span
) -> tuple[JudgmentBook, dict[str, set[str]]]:
    """All judgments, and the queries of each split where the folder tells splits apart."""
    book = JudgmentBook(intake)
    inside = _qrels_files(folder / "qrels") if (folder / "qrels").is_dir() else []
    splits: dict[str, set[str]] = {}
    for file in inside:
        splits.setdefault(_stem(file), set()).update(read_judgments(file, intake, book, span))
    for file in _qrels_files(folder):
        if _stem(file) == "qrels":
            read_judgments(file, intake, book, span)
    return book, splits if len(splits) > 1 else {}


def _qrels_files(folder: Path) -> list[Path]:
    files = (file for file in folder.iterdir() if file.is_file())
    return sorted(file for file in files if file.name.removesuffix(".gz").endswith(QRELS_ENDS))


def _stem(file: Path) -> str:
    return legible(file.name.removesuffix(".gz").rsplit(".", 1)[0])


def _with_splits(queries: list[Query], splits: dict[str, set[str]], intake: Intake) -> list[Query]:
    """Queries with the split of the file that judges them, unless some say it themselves."""
    if not splits or any(query.split is not None for query in queries):
        return queries
    result = []
    for query in queries:
        names = [name for name, judged in splits.items() if query.id in judged]
        if len(names) > 1:
            intake.note(
                "queries judged in several splits, put in the first",
                f"{query.id}: {', '.join(names)}",
            )
        result.append(query.model_copy(update={"split": names[0]}) if names else query)
    return result


def _files(collection: Collection) -> dict[str, list[Judgment]]:
    """The judgments of each file; a split whose name cannot be a file's shares the default one.

    The records of the queries say the true split, so file names need only be harmless.
    """
    splits = {query.id: query.split or DEFAULT_SPLIT for query in collection.queries}
    files: dict[str, list[Judgment]] = defaultdict(list)
    spelled: dict[str, str] = {}
    for query_id, judgments in by_query(collection.judgments, splits).items():
        split = splits.get(query_id, DEFAULT_SPLIT)
        split = split if _SPLIT_FILE.fullmatch(split) else DEFAULT_SPLIT
        # Some disks take `Dev` and `dev` for one file.
        split = spelled.setdefault(split.lower(), split)
        files[f"{split}.tsv"].extend(judgments)
    return dict(files) or {f"{DEFAULT_SPLIT}.tsv": []}
