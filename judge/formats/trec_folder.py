"""The TREC folder: `qrels.trec`, `runs/<run>.trec`, `queries.tsv`.

Read: also `qrels.txt` and the like, several files of judgments, and a single such file in place
of a folder. Such a set has no document texts: its documents are the judged and ranked ids, so it
can be scored but not judged. Queries without a file `queries.tsv` have no text; a first line of it
that names the columns, such as `qid<tab>query`, is passed over and told.

Written: the qrels, every run in its settled order with exact scores, the texts of the queries, and
`export.json` with name, licence, scale and origin.

Lost: everything about documents but the ids of those judged or ranked; of queries everything but
id and text, whose tabs and line breaks become blanks; hard-negative marks, notes, guidelines,
empty runs.
"""

from __future__ import annotations

import re
from itertools import count, islice
from typing import TYPE_CHECKING

from judge.core.errors import FormatError, InputError, Problem
from judge.core.files import legible, read_lines
from judge.core.model import Document, Query
from judge.core.workspace import safe_name
from judge.formats.collection import Collection, Stream
from judge.formats.reading.grades import Span
from judge.formats.reading.intake import AS_IT_STANDS, Intake, Reading, Where
from judge.formats.reading.judgments import JudgmentBook, by_query
from judge.formats.reading.qrels_lines import BLANKS, PROBED, read_judgments, refuse_tabs
from judge.formats.reading.unique import Unique
from judge.formats.trec import read_run, write_qrels, write_run
from judge.formats.trec.layouts import QRELS
from judge.formats.trec.reading import run_name
from judge.formats.writing.export_file import Facts, take_export_file, write_export_file
from judge.formats.writing.losses import Carries, DocumentCount, losses
from judge.formats.writing.output import new_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from judge.core.model import Judgment
    from judge.core.tables import Run

NAME = "trec"
TITLE = "TREC folder: qrels.trec, runs/<run>.trec, queries.tsv (no document texts)"
CARRIES = Carries(hard_negatives=False, notes=False, guidelines=False)

QRELS_FILE = "qrels.trec"
QUERIES_FILE = "queries.tsv"
RUNS = "runs"
_QRELS_NAME = re.compile(r"qrels?([._-].*)?|.*\.qrels?(\.gz)?", re.IGNORECASE)
_BREAKS = re.compile(r"[\t\n\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")
_HEADER = re.compile(r"(_?id|q(uery)?[-_ ]?id|qid|topic)\t(text|query|title)", re.IGNORECASE)
"""A first line of `queries.tsv` that names its columns."""


def sniff(path: Path) -> str | None:
    """Why a path looks like this format, or None if it does not."""
    if path.is_dir():
        files = _qrels_files(path)
        return f"a folder with {files[0].name} and no corpus" if files else None
    try:
        lines = (line for _, line in read_lines(path) if line.strip(BLANKS))
        # Not only the first line, which may be the one that is broken.
        fits = [_is_judgment(line) for line in islice(lines, PROBED)]
    except InputError:
        return None
    if not fits or 2 * sum(fits) < len(fits):
        return None
    return f'{"its first line reads" if fits[0] else "most lines read"} "{QRELS.expected}"'


def _is_judgment(line: str) -> bool:
    columns = QRELS.fields(line)
    return len(columns) == QRELS.width and (
        columns[1] in ("0", "Q0") or bool(_NUMBER.fullmatch(columns[QRELS.number]))
    )


def read(path: Path, reading: Reading = AS_IT_STANDS) -> Collection:
    """Read a folder, or one file of judgments.

    Raises:
        InputError: There are no judgments, or a run is wrong.
        FormatError: Something cannot be parsed; the error holds all problems.
        DatasetError: All was parsed, but rules are broken; likewise complete.
    """
    intake = Intake(reading)
    files = _qrels_files(path) if path.is_dir() else [path]
    if not files:
        raise InputError(Problem("there are no qrels", path=path, expected=TITLE))
    folder = path if path.is_dir() else None
    facts = take_export_file(folder, intake) if folder else Facts()
    span = Span.of(facts.get("scale"), reading)
    book = JudgmentBook(intake)
    for file in files:
        read_judgments(file, intake, book, span)
    runs = _runs(folder / RUNS, intake) if folder else {}
    named = _queries(folder / QUERIES_FILE, intake) if folder else []
    judgments = book.judgments()
    doc_ids = _doc_ids(judgments, runs)
    queries = named or [Query(id=query_id, text="") for query_id in _query_ids(judgments, runs)]
    book.check([query.id for query in queries], doc_ids)
    intake.finish()
    intake.note("documents without text, so the set can be scored but not judged", "", len(doc_ids))
    if not named:
        intake.note("queries without text", "", len(queries))
    return Collection(
        documents=Stream(lambda: (Document(id=doc_id, text=None) for doc_id in doc_ids)),
        queries=queries,
        judgments=judgments,
        runs=runs,
        **facts,
        files=intake.files,
        notes=intake.notes,
    )


def write(collection: Collection, path: Path, *, force: bool = False) -> list[str]:
    """Write a folder.

    Returns:
        What was lost, one line each.

    Raises:
        InputError: The path exists and `force` is off, or an id holds white space.
        OSError: The disk refused; nothing has changed then.
    """
    groups = by_query(collection.judgments, [query.id for query in collection.queries])
    with new_folder(path, force=force) as folder:
        write_qrels((j for group in groups.values() for j in group), folder / QRELS_FILE)
        with (folder / QUERIES_FILE).open("w", encoding="utf-8", newline="\n") as file:
            for query in collection.queries:
                refuse_tabs(query.id, "query")
                file.write(f"{query.id}\t{_BREAKS.sub(' ', query.text)}\n")
        runs = {name: run for name, run in collection.runs.items() if len(run)}
        if runs:
            (folder / RUNS).mkdir()
        for name, run in runs.items():
            write_run(run, folder / RUNS / f"{safe_name(name, 'run')}.trec", name)
        write_export_file(collection, NAME, folder)
    seen = DocumentCount()
    known = set(_doc_ids(collection.judgments, collection.runs))
    return [
        *_document_losses(collection, known, seen),
        *_query_losses(collection.queries),
        *(f"the run {name}, which is empty" for name in collection.runs if name not in runs),
        *losses(collection, CARRIES, seen),
    ]


def _qrels_files(folder: Path) -> list[Path]:
    files = (file for file in folder.iterdir() if file.is_file())
    return sorted(file for file in files if _QRELS_NAME.fullmatch(file.name))


def _runs(folder: Path, intake: Intake) -> dict[str, Run]:
    """Every run of the folder; the faults of all of them go to the intake.

    A run is called by its file's name without the ending; where two are called the same, as with
    `a.trec` and `a.txt`, the later one gets a number.
    """
    runs: dict[str, Run] = {}
    files = sorted(file for file in folder.iterdir()) if folder.is_dir() else []
    for file in files:
        if file.name.startswith(".") or not file.is_file():
            continue
        intake.read(file)
        try:
            run = read_run(file, legible(run_name(file)))
        except InputError as error:
            intake.take(error)
            continue
        if run.name in runs:
            numbered = (f"{run.name}-{number}" for number in count(2))
            free = next(name for name in numbered if name not in runs)
            same = "runs that are called the same as another one, numbered"
            intake.note(same, f"{file.name} is {free}")
            run = run.named(free)
        for note in run.notes:
            intake.note(f"run {run.name}: {note}")
        runs[run.name] = run
    return runs


def _queries(path: Path, intake: Intake) -> list[Query]:
    """The queries of a file of `id <tab> text`, without quoting; none where there is no file."""
    if not path.is_file():
        return []
    intake.read(path)
    unique = Unique[Query](intake, Where(path), "query", "queries")
    found: list[tuple[Query, Where]] = []
    try:
        for number, line in read_lines(path):
            if not line.strip(BLANKS):
                continue
            where = Where(path, number)
            if not found and not intake.faults and _HEADER.fullmatch(line):
                intake.note("first lines of queries.tsv that name the columns, passed over", where)
                continue
            query_id, tab, text = line.partition("\t")
            if not tab or not query_id:
                intake.malformed(where, "no id before a tab", "query_id, a tab, the text")
                continue
            query = Query(id=query_id, text=text)
            unique.add(query, where)
            found.append((query, where))
    except FormatError as error:
        intake.take(error)
    unique.settle(lambda: iter(found))
    return [query for query, where in found if where not in unique.repeats]


def _doc_ids(judgments: Sequence[Judgment], runs: Mapping[str, Run]) -> list[str]:
    ids = dict.fromkeys(judgment.doc_id for judgment in judgments)
    for run in runs.values():
        ids.update(dict.fromkeys(run.pairs.docs))
    return list(ids)


def _query_ids(judgments: Sequence[Judgment], runs: Mapping[str, Run]) -> list[str]:
    ids = dict.fromkeys(judgment.query_id for judgment in judgments)
    for run in runs.values():
        ids.update(dict.fromkeys(run.query_ids))
    return list(ids)


def _document_losses(collection: Collection, known: set[str], seen: DocumentCount) -> Iterator[str]:
    fields = unknown = 0
    for document in collection.documents:
        seen.see(document)
        unknown += document.id not in known
        fields += document != Document(id=document.id, text=None)
    if fields:
        yield f"texts and other fields of documents: {fields:,}"
    if unknown:
        yield f"documents that are neither judged nor ranked: {unknown:,}"


def _query_losses(queries: Sequence[Query]) -> Iterator[str]:
    fields = sum(query != Query(id=query.id, text=query.text) for query in queries)
    if fields:
        yield f"fields of queries other than id and text: {fields:,}"
    breaks = sum(bool(_BREAKS.search(query.text)) for query in queries)
    if breaks:
        yield f"tabs and line breaks in the texts of queries, now blanks: {breaks:,}"
