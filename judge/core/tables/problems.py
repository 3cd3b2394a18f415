"""How a fault found in columns is told with the file and line that its row came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge.core.errors import Problem

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


class Origin(NamedTuple):
    """Where the rows of a table stood.

    Attributes:
        path: The file, None if there is none.
        lines: int64 [rows], the physical line of each row, None if not known.
        every: Every line of the file is a row, so that the lines need not be written down.
    """

    path: Path | None = None
    lines: NDArray[np.int64] | None = None
    every: bool = False

    def line(self, row: int) -> int | None:
        """The physical line of a row."""
        if self.every:
            return row + 1
        return None if self.lines is None else int(self.lines[row])

    def problem(self, row: int, field: str, text: str, expected: str) -> Problem:
        """A fault of one row."""
        return Problem(text, self.path, self.line(row), field, expected)
