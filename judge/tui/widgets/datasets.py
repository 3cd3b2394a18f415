"""The datasets of a workspace with their counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.tui.widgets.ink import Span
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDEST_NAME = 24


def columns(names: int) -> str:
    """Give the heading of the list, for names of this width."""
    counts = f"{'documents':>11}{'queries':>9}   {'judged by you':<18}"
    return f"  {'name':<{names}}{counts}{'agreement':<11}languages"


@dataclass(frozen=True)
class DatasetRow:
    """What is known of a dataset.

    Attributes:
        counted: Whether the numbers are there yet.
        agreement: How much people agree on it, in a word; empty if nobody can tell.
        problem: Why it cannot be judged, with what to do; empty if it can.
    """

    name: str
    counted: bool = False
    documents: int = 0
    queries: int = 0
    done: int = 0
    total: int = 0
    languages: tuple[str, ...] = ()
    agreement: str = ""
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
    def name_width(self) -> int:
        """Cells of the column of names."""
        return max(6, min(WIDEST_NAME, max(map(len, self.names), default=0) + 2))

    @property
    def names(self) -> list[str]:
        """The names in order."""
        return [row.name for row in self._rows]

    @property
    def current(self) -> DatasetRow | None:
        """The dataset of the current row."""
        return self._rows[self.cursor] if self._rows else None

    def show_names(self, names: Sequence[str]) -> None:
        """List these names; what was counted before stays until it is counted anew."""
        known = {row.name: row for row in self._rows}
        current = self.current
        self._rows = [known.get(name, DatasetRow(name)) for name in names]
        if current is not None and current.name in names:
            self.cursor = list(names).index(current.name)
        self.refresh()
        self.move_to(self.cursor)

    def show_row(self, counted: DatasetRow) -> None:
        """Show what was counted."""
        for index, found in enumerate(self._rows):
            if found.name == counted.name:
                self._rows[index] = counted
                self.refresh_rows(index)

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give name, counts, progress and languages."""
        found = self._rows[index]
        room = self.name_width
        cut = found.name if len(found.name) < room else f"{found.name[: room - 2]}…"
        name = Span(f"{cut:<{room}}", "strong")
        if not found.counted:
            return [name, Span("counting…", "dim")]
        counts = Span(f"{found.documents:>11,}{found.queries:>9,}   ")
        if found.problem:
            return [name, counts, Span("not ready to judge", "warn")]
        judged = f"{found.done:,} of {found.total:,}"
        role = "good" if found.done >= found.total else "text"
        return [
            name,
            counts,
            Span(f"{judged:<18}", role),
            Span(f"{found.agreement or '-':<11}", "text" if found.agreement else "dim"),
            Span(" ".join(found.languages), "dim"),
        ]
