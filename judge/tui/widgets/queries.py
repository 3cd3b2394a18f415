"""The queries of a dataset with what has been done on each."""

from __future__ import annotations

import re
from collections import Counter
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
SAID = 6
"""Categories and languages that are named where nothing matches."""


def columns(ids: int, languages: int) -> str:
    """Give the heading of the list."""
    return f"  {'state':<6}{'id':<{ids}}  {'lang':<{languages}}  {'judged':>9}   x   f  query"


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

    def show_query(self, query_id: str) -> bool:
        """Go to a query; says whether it is listed."""
        at = next((i for i, r in enumerate(self._rows) if r.query.id == query_id), None)
        if at is not None:
            self.move_to(at)
        return at is not None

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


STATES = ("new", "part", "done", "flagged", "skipped")
"""What `st:` may ask for."""
_WORD = re.compile(r'(?:(st|lang|cat):)?(?:"([^"]*)"|(\S+))')


def matches(row: QueryRow, wanted: str) -> bool:
    """Whether a query is all of this: words of its state, id, language, category or text.

    `st:new`, `lang:ja` and `cat:shop` ask for exactly that state, language or category; what has
    blanks in it stands in double quotes, as `cat:"how to"`.
    """
    query = row.query
    text = fold(" ".join((row.status, query.id, query.language, query.category or "", query.text)))
    states: set[str] = {row.status}
    states |= {"flagged"} if row.flagged else set()
    states |= {"skipped"} if row.skipped else set()
    facts = {"st": states, "lang": {fold(query.language)}, "cat": {fold(query.category or "")}}
    for name, phrase, word in _WORD.findall(fold(wanted)):
        value = phrase or word
        if name and value not in facts[name]:
            return False
        if not name and value not in text:
            return False
    return True


def next_state(wanted: str) -> str:
    """Give a filter with the next state asked for, after the last one none, all else as it was.

    >>> next_state("lang:ja"), next_state("lang:ja st:skipped")
    ('lang:ja st:new', 'lang:ja')
    """
    words = wanted.split()
    now = next((word for word in words if word.startswith("st:")), "")
    states = ["", *(f"st:{state}" for state in STATES)]
    after = states[(states.index(now) + 1) % len(states)] if now in states else ""
    return " ".join([word for word in words if word != now] + ([after] if after else []))


def choices_of(rows: Sequence[QueryRow]) -> str:
    """Say which categories and languages there are to ask for, the most frequent first."""
    said = []
    for name, values in (
        ("cat", Counter(row.query.category for row in rows if row.query.category)),
        ("lang", Counter(row.query.language for row in rows)),
    ):
        most = [value for value, _ in values.most_common(SAID)]
        if len(most) > 1 or name == "cat":
            said += [f'{name}:"{value}"' if " " in value else f"{name}:{value}" for value in most]
    return " ".join(said)
