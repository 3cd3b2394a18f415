"""The documents of a query that are graded already: judgment, title and note of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.phrases import mark
from judge.tui.widgets.candidates import LONGEST
from judge.tui.widgets.ink import Span
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.judging.session import Row


class Graded(Rows):
    """The list in the place of the candidates."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.rows: Sequence[Row] = ()

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.rows)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these from the first."""
        self.rows, self.cursor, self.top = tuple(rows), 0, 0
        self.refresh()

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give judgment, title and note."""
        del width
        found = self.rows[index]
        title = found.title.strip() or found.doc_id
        spans = [mark(found.state), Span(" "), Span(title[:LONGEST])]
        if found.state.note:
            spans.append(Span(f"  {found.state.note[:LONGEST]}", "dim"))
        return spans
