"""The datasets of a workspace with their counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.tui.widgets.ink import Span
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS = f"  {'name':<24}{'documents':>11}{'queries':>9}   {'judged by you':<18}languages"


@dataclass(frozen=True)
class DatasetRow:
    """What is known of a dataset.

    Attributes:
        counted: Whether the numbers are there yet.
        problem: Why it cannot be judged, with what to do; empty if it can.
    """

    name: str
    counted: bool = False
    documents: int = 0
    queries: int = 0
    done: int = 0
    total: int = 0
    languages: tuple[str, ...] = ()
    problem: str = ""


class Datasets(Rows):
    """The list of datasets."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._rows: list[DatasetRow] = []

    @property
    def count(self) -> int:
        """How many datasets there are."""
        return len(self._rows)

    @property
    def names(self) -> list[str]:
        """The names in order."""
        return [row.name for row in self._rows]

    @property
    def current(self) -> DatasetRow | None:
        """The dataset of the current row."""
        return self._rows[self.cursor] if self._rows else None

    def show_names(self, names: Sequence[str]) -> None:
        """List these names, nothing counted yet."""
        self._rows = [DatasetRow(name) for name in names]
        self.refresh()

    def show_row(self, counted: DatasetRow) -> None:
        """Show what was counted."""
        for index, found in enumerate(self._rows):
            if found.name == counted.name:
                self._rows[index] = counted
                self.refresh_rows(index)

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give name, counts, progress and languages."""
        found = self._rows[index]
        name = Span(f"{found.name:<24}", "strong")
        if not found.counted:
            return [name, Span("counting…", "dim")]
        counts = Span(f"{found.documents:>11,}{found.queries:>9,}   ")
        if found.problem:
            return [name, counts, Span("not ready to judge", "warn")]
        judged = f"{found.done:,} of {found.total:,}"
        role = "good" if found.done >= found.total else "text"
        return [name, counts, Span(f"{judged:<18}", role), Span(" ".join(found.languages), "dim")]
