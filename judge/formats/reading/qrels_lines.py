"""How judgments come out of a text file one by one, each with its line, and go back into BEIR's."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from judge.core.errors import FormatError, InputError, quoted
from judge.core.files import read_lines, regular
from judge.core.model import Judgment
from judge.formats.reading.grades import take_text
from judge.formats.reading.intake import Intake, Where
from judge.formats.trec.layouts import GRADED, QRELS, fitting, is_header

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from judge.formats.reading.grades import Span
    from judge.formats.reading.judgments import JudgmentBook
    from judge.formats.trec.layouts import Layout

HEADER = ("query-id", "corpus-id", "score")
BLANKS = " \t"
"""All that counts as blank; other white space, such as U+00A0, may be part of an id."""

PROBED = 1000
"""Lines that decide which columns a file has."""


def read_judgments(path: Path, intake: Intake, book: JudgmentBook, span: Span) -> set[str]:
    """Read BEIR's or TREC's judgments into the book; faults go to the intake.

    A header is known by its names, never by its place, so that a file without one loses nothing.
    Blank lines are skipped but counted.

    Args:
        path: The file.
        intake: Gets faults and notes.
        book: Gets the judgments.
        span: The grades that are taken.

    Returns:
        The ids of the queries that the file judges.

    Raises:
        InputError: The file is missing, may not be read, or cannot be read twice, such as a pipe.
    """
    intake.read(regular(path))
    lines = ((number, line) for number, line in read_lines(path) if line.strip(BLANKS))
    queries: set[str] = set()
    try:
        first = list(islice(lines, PROBED))
        if not first:
            intake.note("files of judgments that are empty", path.name)
            return queries
        layout = fitting([line for _, line in first], QRELS, GRADED)
        if layout.exact and is_header(layout.fields(first[0][1])):
            del first[0]
        for judgment, where in _rows(path, chain(first, lines), layout, span, intake):
            queries.add(judgment.query_id)
            book.add(judgment, where)
    except FormatError as error:
        intake.take(error)
    return queries


def _rows(
    path: Path, lines: Iterator[tuple[int, str]], layout: Layout, span: Span, intake: Intake
) -> Iterator[tuple[Judgment, Where]]:
    mapped = intake.reading.map_grade
    # Nearly every grade is one plain digit; anything else takes the long way and is explained.
    plain = {str(grade): grade for grade in range(span.low, span.high + 1) if grade not in mapped}
    queries: dict[str, str] = {}
    for number, line in lines:
        where = Where(path, number)
        columns = layout.fields(line)
        if not _fits(columns, layout, where, intake):
            continue
        # One string for all the rows of a query, which is a tenth of the memory of a row.
        query_id = queries.setdefault(columns[layout.query], columns[layout.query])
        text = columns[layout.number].strip()
        grade = plain.get(text)
        if grade is None:
            graded = take_text(text, where.at(layout.number_name), span, intake)
            grade = graded.grade if graded else None
        if grade is not None:
            yield Judgment(query_id, columns[layout.doc], grade), where


def _fits(columns: list[str], layout: Layout, where: Where, intake: Intake) -> bool:
    """Whether a row has its columns and two ids."""
    width = len(columns)
    if width != layout.width:
        if width < layout.width or layout.exact:
            message = f"expected {layout.width} columns, found {width}"
            intake.malformed(where, message, layout.expected)
            return False
        intake.note(f"lines with more than {layout.width} columns, the rest ignored", where)
    if not columns[layout.query].strip(BLANKS) or not columns[layout.doc].strip(BLANKS):
        intake.invalid(where, "an id is empty", layout.expected)
        return False
    return True


def tab_separated(query_id: str, doc_id: str, grade: int) -> str:
    """One row of BEIR's judgments.

    Raises:
        InputError: An id cannot stand in a column that ends at a tab.
    """
    refuse_tabs(query_id, "query")
    refuse_tabs(doc_id, "document")
    return f"{query_id}\t{doc_id}\t{grade}\n"


def refuse_tabs(name: str, what: str) -> None:
    """Refuse an id that cannot stand in a column that ends at a tab.

    Raises:
        InputError: It is blank, holds a tab or a line break, or begins with a byte-order mark.
    """
    if not name.strip(BLANKS) or name[0] == "\ufeff" or any(c in name for c in "\t\n\r"):
        raise InputError(
            f"the {what} id {quoted(name)} is blank, or has a tab, a line break or a leading"
            " byte-order mark, which columns of text cannot carry; JSON can"
        )
