"""The queries of a dataset with what has been done on each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.text import fold, shown
from judge.tui.text.cells import cells, fit
from judge.tui.widgets.ink import Span
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.judging.session import QueryRow

STATUS_ROLES = {"done": "good", "part": "warn", "new": "dim"}
LONGEST_ID, LONGEST_TEXT = 14, 400


def columns(ids: int, languages: int) -> str:
    """Give the heading of the list."""
    return f"  {'state':<6}{'id':<{ids}}  {'lang':<{languages}}  {'judged':>9}   H   f  query"


class Queries(Rows):
    """The list of queries."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._rows: list[QueryRow] = []
        self.id_width = self.language_width = 4

    @property
    def count(self) -> int:
        """How many queries are listed."""
        return len(self._rows)

    @property
    def current(self) -> QueryRow | None:
        """The query of the current row."""
        return self._rows[self.cursor] if self._rows else None

    def show_rows(self, rows: Sequence[QueryRow], current: str | None) -> None:
        """Show these queries, and go to the one with the id `current` if it is among them."""
        self._rows = list(rows)
        self.id_width = min(LONGEST_ID, max((len(r.query.id) for r in rows), default=4))
        self.id_width = max(2, self.id_width)
        longest = max((len(r.query.language) for r in rows), default=4)
        self.language_width = max(4, min(8, longest))
        at = next((i for i, r in enumerate(rows) if r.query.id == current), self.cursor)
        self.refresh()
        self.move_to(at)

    def next_unfinished(self, step: int) -> bool:
        """Go to the next query, or the one before, with work left; says whether there is one."""
        order = range(1, self.count) if step > 0 else range(-1, -self.count, -1)
        for offset in order:
            index = (self.cursor + offset) % self.count
            if self._rows[index].status != "done":
                self.move_to(index)
                return True
        return False

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give state, id, language, counts and text."""
        found = self._rows[index]
        judged = f"{found.judged}/{found.total}"
        role = "strong" if index == self.cursor else "text"
        return [
            Span(f"{found.status:<6}", STATUS_ROLES[found.status]),
            Span(_cell(found.query.id, self.id_width), "dim"),
            Span(f"  {_cell(found.query.language, self.language_width)}  ", "dim"),
            Span(f"{judged:>9} "),
            Span(f"{found.hard_negatives or '-':>3} ", "dim"),
            Span(f"{found.flagged or '-':>3}  ", "warn" if found.flagged else "dim"),
            Span(found.query.text[:LONGEST_TEXT], role),
        ]


def _cell(text: str, width: int) -> str:
    safe = fit(shown(text[:200]), width)
    return safe + " " * (width - cells(safe))


def matches(row: QueryRow, wanted: str) -> bool:
    """Whether a query has all of these words in its state, id, language, category or text.

    `st:new` and `lang:ja` ask for exactly that state or language.
    """
    query = row.query
    text = fold(" ".join((row.status, query.id, query.language, query.category or "", query.text)))
    facts = {"st": row.status, "lang": fold(query.language)}
    for word in fold(wanted).split():
        name, colon, value = word.partition(":")
        if colon and name in facts:
            if facts[name] != value:
                return False
        elif word not in text:
            return False
    return True
