"""How columns of plain text are read at full speed; whatever is not quite regular is declined."""

from __future__ import annotations

import io
import os
import zlib
from typing import IO, TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from judge.core.arrow.columns import Collector, Columns, MixedError
from judge.core.arrow.parquet import arrow_type
from judge.core.files import BOM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judge.core.arrow.parquet import Kind

BLOCK = 8 << 20
"""Bytes read, parsed and let go at a time, so that memory does not grow with the file's text."""
PARSED = 1 << 20
"""Bytes that one thread parses at a time."""
STEP = 1 << 17
"""Bytes checked at a time, so that they are still in the cache for the second look."""
BLANK = ord(" ")
OTHER = {b" ": b"\t", b"\t": b" "}
"""For each delimiter the other character that people put between columns."""


class _IrregularError(Exception):
    """The text holds something that the fast reader leaves to the slow one."""


def read_delimited(
    file: IO[bytes], delimiter: bytes, columns: Sequence[tuple[str, Kind] | None]
) -> Columns | None:
    r"""Read regular text: one delimiter between columns, all lines alike, no quoting.

    Args:
        file: Open for reading at its start.
        delimiter: A blank or a tab.
        columns: Name and kind of each column from the left; None for one that is not kept.

    Returns:
        The columns, or None if anything at all is out of the ordinary: it is never guessed at.

    >>> columns = read_delimited(io.BytesIO(b"q1 a 2.5\nq1 b 1\n"), b" ",
    ...     [("query", "category"), None, ("score", "float64")])
    >>> columns.categories["query"].values, columns.numbers["score"].tolist()
    (['q1'], [2.5, 1.0])
    """
    names = [column[0] if column else f"-{i}" for i, column in enumerate(columns)]
    kinds = dict(column for column in columns if column)
    types = {name: arrow_type(kind) for name, kind in kinds.items()}
    collector = Collector(kinds)
    size, read = _size(file), 0
    try:
        for block in line_blocks(file):
            _check(block, delimiter)
            read += len(block)
            table = pa_csv.read_csv(
                pa.BufferReader(_owned_by_arrow(block)),
                read_options=pa_csv.ReadOptions(column_names=names, block_size=PARSED),
                parse_options=pa_csv.ParseOptions(delimiter=delimiter.decode(), quote_char=False),
                convert_options=pa_csv.ConvertOptions(
                    include_columns=list(kinds),
                    column_types=types,
                    strings_can_be_null=False,
                    null_values=[],
                ),
            )
            collector.add(table, read / size if size else 0.0)
    except (_IrregularError, MixedError, pa.ArrowException, OSError, EOFError, zlib.error):
        return None
    return collector.finish() if read else None


def _size(file: IO[bytes]) -> int:
    """How many bytes there are to read; 0 where that is not known before, as in gzip."""
    return os.fstat(file.fileno()).st_size if isinstance(file, io.BufferedReader) else 0


def _owned_by_arrow(block: bytes) -> pa.Buffer:
    """The same bytes in memory that Arrow's threads can let go of by themselves.

    They may do so after everything was read. Memory of Python would need the interpreter for that,
    and where that has ended by then, the whole process would be aborted.
    """
    buffer = pa.allocate_buffer(len(block))
    memoryview(buffer).cast("B")[:] = block
    return buffer


def line_blocks(file: IO[bytes]) -> Iterator[bytes]:
    """A file in blocks of whole lines, without a byte-order mark at the start of any of them.

    A line ends with LF here; a block is larger where a line is.
    """
    while block := file.read(BLOCK):
        lines = block if block.endswith(b"\n") else block + file.readline()
        if BOM[:1] in lines and BOM in lines:
            # Files that begin with one are also put together.
            lines = lines.removeprefix(BOM)
            for end in (b"\n", b"\r"):
                lines = lines.replace(end + BOM, end)
        if lines:
            yield lines


def _check(lines: bytes, delimiter: bytes) -> None:
    """Stop at whole lines that are not regular.

    Regular: UTF-8, one delimiter between two columns and none at either end of a line, no blank
    line, LF or CR LF at the ends, and the other white space nowhere.
    """
    if lines[0] <= BLANK or lines.endswith(delimiter) or OTHER[delimiter] in lines:
        raise _IrregularError
    text = lines.replace(b"\r\n", b"\n") if b"\r" in lines else lines
    if b"\r" in text or _doubled(text):
        raise _IrregularError
    if not lines.isascii():
        try:
            lines.decode("utf-8")
        except UnicodeDecodeError:
            raise _IrregularError from None


def _doubled(text: bytes) -> bool:
    """Whether two white-space or control bytes stand side by side."""
    view = np.frombuffer(text, np.uint8)
    for i in range(0, len(view), STEP):
        white = view[max(0, i - 1) : i + STEP] <= BLANK
        if (white[1:] & white[:-1]).any():
            return True
    return False
