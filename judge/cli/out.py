"""What leaves the program: data on stdout, talk on stderr, never a control byte from data."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import typer

from judge.core.files import write_atomic
from judge.core.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Cell = str | int | float | None
STDOUT = ("-", "/dev/stdout")
"""Ways to name stdout as a file; replacing what stands there would lose what was printed before."""


@dataclass(frozen=True)
class Output:
    """Where a command's data and talk go.

    Attributes:
        as_json: Print one JSON document instead of a table.
        path: Write the data to this file (whole or not at all) instead of stdout.
        quiet: No talk on stderr; errors are still told.
    """

    as_json: bool = False
    path: Path | None = None
    quiet: bool = False

    @property
    def _to_file(self) -> Path | None:
        return None if self.path is None or str(self.path) in STDOUT else self.path

    def data(self, text: str) -> None:
        """Print lines of data, made safe for any terminal, or write them to the file."""
        self._put(text if self._to_file else shown(text, lines=True))

    def document(self, value: dict[str, Any], *, compact: bool = False) -> None:
        """Print one strict JSON document; a compact one is made in a third of the time."""
        indent = None if compact else 1
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
        if self._to_file is None and shown(text, lines=True) != text:
            # JSON itself escapes C0; C1, bidi marks and their like are escaped for the terminal.
            text = "".join(c if c == "\n" or shown(c) == c else _escaped(c) for c in text)
        self._put(text)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """Print a table: text to the left, numbers to the right."""
        self.data("\n".join(table_lines(header, rows)))

    def table_and_text(
        self, header: Sequence[str], rows: Sequence[Sequence[Cell]], lines: Sequence[str]
    ) -> None:
        """Print a table, and sentences below it."""
        self.data("\n".join([*table_lines(header, rows), "", *lines]))

    def say(self, *lines: str) -> None:
        """Tell the user something, on stderr."""
        if not self.quiet:
            for line in lines:
                _tell(line)

    def warn(self, *lines: str) -> None:
        """Tell the user of damage, on stderr, also when all other talk is unwanted."""
        for line in lines:
            _tell(f"warning: {line}")

    def write(self, path: Path, content: bytes) -> None:
        """Write a file whole or not at all; to a device or a pipe as it comes."""
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                device.write(content)
        else:
            # A link keeps pointing where it points.
            write_atomic(path.resolve(), content)

    @contextmanager
    def progress(self, what: str) -> Iterator[Progress]:
        """A progress bar on stderr while that is a terminal; otherwise nothing."""
        if self.quiet or not sys.stderr.isatty():
            yield _no_progress
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(shown(what), total=None)

            def show(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total or None)

            yield show

    def _put(self, text: str) -> None:
        text = text.removesuffix("\n") + "\n"
        path = self._to_file
        if path is None:
            try:
                sys.stdout.write(text)
                sys.stdout.flush()
            except BrokenPipeError:
                # The reader has gone, as with `| head`: nothing is left to say, and all is well.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                raise typer.Exit(0) from None
        else:
            self.write(path, text.encode("utf-8"))


def _tell(line: str) -> None:
    """Print a line of talk; where nobody can hear it the work goes on, and its exit code counts."""
    try:
        print(shown(line, lines=True), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        sys.stderr = None


class Progress(Protocol):
    """Tells how far a long piece of work is."""

    def __call__(self, done: int, total: int, /) -> None:
        """Show that `done` of `total` things are done."""


def _no_progress(_done: int, _total: int, /) -> None:
    return


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def cell_text(value: Cell) -> str:
    """A value as a table shows it: measures to four digits, `-` for nothing.

    >>> cell_text(0.65432), cell_text(None), cell_text(12)
    ('0.6543', '-', '12')
    """
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else shown(str(value))


def table_lines(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[str]:
    """The lines of a table, columns two blanks apart.

    >>> table_lines(["run", "n"], [["bm25", 3]])
    ['run   n', 'bm25  3']
    """
    texts = [list(map(cell_text, header))] + [[cell_text(v) for v in row] for row in rows]
    widths = [max(_width(row[i]) for row in texts) for i in range(len(header))]
    right = [
        bool(rows) and all(row[i] is None or isinstance(row[i], int | float) for row in rows)
        for i in range(len(header))
    ]
    lines = []
    for row in texts:
        cells = [
            " " * (width - _width(text)) + text if to_right else text + " " * (width - _width(text))
            for text, width, to_right in zip(row, widths, right, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
