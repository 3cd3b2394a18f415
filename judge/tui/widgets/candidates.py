"""The candidates of a query: number, judgment and title of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.phrases import mark
from judge.tui.widgets.ink import Span
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.judging.session import Row

LONGEST = 300
"""Code points of a title that are looked at."""


class Candidates(Rows):
    """The list beside the document."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._rows: list[Row] = []

    @property
    def count(self) -> int:
        """How many candidates there are."""
        return len(self._rows)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these; only what changed is repainted."""
        before, self._rows = self._rows, list(rows)
        current = next((i for i, r in enumerate(rows) if r.current), 0)
        same_list = len(before) == len(rows) and all(
            a.doc_id == b.doc_id for a, b in zip(before, rows, strict=True)
        )
        if not same_list:
            self.cursor = self.top = 0
            self.refresh()
        else:
            changed = [i for i, r in enumerate(rows) if r.state != before[i].state]
            self.refresh_rows(*changed)
        self.move_to(current)

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give number, judgment and title."""
        found = self._rows[index]
        digits = len(str(self.count))
        title = found.title.strip() or found.doc_id
        role = "strong" if index == self.cursor else "text"
        number = Span(f"{index + 1:>{digits}} ", "dim")
        return [number, mark(found.state), Span(" "), Span(title[:LONGEST], role)]
