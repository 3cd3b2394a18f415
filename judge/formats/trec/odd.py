"""How files with odd white space but without faults are read fast: made regular, block by block."""

from __future__ import annotations

import io
import re
import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.arrow import line_blocks, read_delimited
from judge.core.files import open_bytes
from judge.formats.trec.layouts import is_header
from judge.formats.trec.rows import Rows, joined
from judge.formats.trec.tidy import tidy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from judge.core.arrow import Categories
    from judge.core.arrow.parquet import Kind
    from judge.formats.trec.layouts import Layout


_WHOLE = re.compile(r"[+-]?[0-9]{1,15}(\.0{0,15})?")


class Tidied(NamedTuple):
    """The rows of a file, and how many lines have more columns than were looked at."""

    rows: Rows
    wide: int


def read_tidied(path: Path, layout: Layout, first: Sequence[str]) -> Tidied | None:
    """Read a file block by block, or decline if anything in it needs words.

    Args:
        path: The file.
        layout: Which column holds what.
        first: Its first lines.
    """
    head = next((line for line in first if line.strip(" \t")), "")
    header = layout.exact and is_header(layout.fields(head))
    parts: list[Rows] = []
    above = wide = 0
    try:
        with open_bytes(path) as file:
            for block in line_blocks(file):
                tidied = None if layout.at_tabs and b" " in block else tidy(block, layout.width)
                if tidied is None or (layout.exact and tidied.wide):
                    return None
                text, lines = tidied.text, tidied.lines
                if header and len(lines):
                    header, text, lines = False, text[text.index(b"\n") + 1 :], lines[1:]
                if len(lines):
                    rows = _rows(text, layout)
                    if rows is None:
                        return None
                    parts.append(rows._replace(lines=lines + above + 1))
                above += tidied.seen
                wide += tidied.wide
    except (OSError, EOFError, zlib.error):
        return None
    return Tidied(joined(parts), wide) if parts else None


def _rows(text: bytes, layout: Layout) -> Rows | None:
    """The columns of regular lines, without line numbers; None if a number is none."""
    scored = layout.number_name == "score"
    columns: list[tuple[str, Kind] | None] = [None] * layout.width
    columns[layout.query] = ("query", "category")
    columns[layout.doc] = ("doc", "string")
    columns[layout.number] = ("number", "float64" if scored else "category")
    if layout.rank is not None:
        columns[layout.rank] = ("rank", "float64")
    read = read_delimited(io.BytesIO(text), b" ", columns)
    if read is None:
        return None
    numbers = read.numbers["number"] if scored else _whole(read.categories["number"])
    if numbers is None or not layout.takes(numbers).all():
        return None
    docs = read.strings["doc"]
    lines = np.zeros(len(docs), np.int64)
    return Rows(read.categories["query"], docs, numbers, read.numbers.get("rank"), lines)


def _whole(texts: Categories) -> NDArray[np.float64] | None:
    """Grades or ranks; None if one is not plainly whole as it is written."""
    if not all(_WHOLE.fullmatch(text) for text in texts.values):
        return None
    return np.array(list(map(float, texts.values)), np.float64)[texts.codes]
