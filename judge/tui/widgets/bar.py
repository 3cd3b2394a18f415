"""Rows of words that stand still: header, query, rules, status, grades and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.geometry import Region

from judge.core.text import shown
from judge.tui.phrases import grade_label
from judge.tui.text.cells import cells, fit
from judge.tui.widgets.ink import Inked, Span, both_ends, row, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.strip import Strip

    from judge.core.model import Scale


class Line(NamedTuple):
    """One row: spans from the left, and spans that end at the right edge."""

    left: tuple[Span, ...]
    right: tuple[Span, ...] = ()


class Bar(Inked):
    """Some rows of spans. Setting them repaints only those that changed."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._lines: list[Line] = []

    @property
    def lines(self) -> list[Line]:
        """What is drawn now."""
        return self._lines

    def say(self, *lines: Line) -> None:
        """Draw these rows from now on."""
        before, self._lines = self._lines, list(lines)
        changed = [
            Region(0, y, self.size.width, 1)
            for y in range(max(len(before), len(lines)))
            if before[y : y + 1] != self._lines[y : y + 1]
        ]
        if changed:
            self.refresh(*changed)

    def draw(self, y: int, width: int) -> Strip:
        """Draw one row."""
        if y >= len(self._lines):
            return row([], width, self.style_of)
        line = self._lines[y]
        spans = both_ends(line.left, line.right, width) if line.right else line.left
        return row(spans, width, self.style_of)


class Rule(Inked):
    """A thin line across the screen with a title for each pane below it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._titles: tuple[Sequence[Span], Sequence[Span]] = ((), ())
        self._join, self._at = "┬", 0

    def say(self, left: Sequence[Span], right: Sequence[Span] = (), *, at: int = 0) -> None:
        """Draw these titles; `at` is the column of the line between the panes, 0: there is none."""
        titles = (tuple(left), tuple(right))
        if (titles, at) != (self._titles, self._at):
            self._titles, self._at = titles, at
            self.refresh()

    def draw(self, y: int, width: int) -> Strip:
        """Draw the line."""
        del y
        left, right = self._titles
        if not self._at:
            return row(_ruled([*left, *right], width), width, self.style_of, "rule")
        spans = [*_ruled(left, self._at), Span(self._join, "rule")]
        spans += _ruled(right, width - self._at - 1)
        return row(spans, width, self.style_of, "rule")


def _ruled(title: Sequence[Span], width: int) -> list[Span]:
    """Set a title into a piece of line."""
    if not title or width < 6:
        return [Span("─" * width, "rule")]
    room = width - 4
    kept: list[Span] = []
    for span in title:
        text = shown(span.text)
        if cells(text) > room:
            break
        kept.append(Span(text, span.role))
        room -= cells(text)
    return [Span("─ ", "rule"), *kept, Span(" " + "─" * (room + 1), "rule")]


class Choice(NamedTuple):
    """One key and what it means, as the grade bar shows it."""

    key: str
    label: str
    chosen: bool = False


def grade_choices(scale: Scale, key_of: Callable[[str], str], given: int | None) -> list[Choice]:
    """Give the grades of a scale; one whose key is not its digit says which grade it is.

    Args:
        scale: Of the dataset.
        key_of: Gives the key of an action, as a person reads it.
        given: The grade that is chosen.
    """
    choices = []
    for grade in scale.grades:
        key, label = key_of(f"grade.{grade}"), grade_label(scale, grade)
        told = label if key == str(grade) else f"{grade} {label}".strip()
        choices.append(Choice(key, told, given == grade))
    return choices


class ChoiceBar(Inked):
    """Keys with their meanings, in as many rows as the bar has; what is chosen stands out."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._title = ""
        self._choices: tuple[Choice, ...] = ()

    def say(self, choices: Sequence[Choice], title: str = "") -> None:
        """Show these choices, after a title if there is one."""
        if (tuple(choices), title) != (self._choices, self._title):
            self._choices, self._title = tuple(choices), title
            self.refresh()

    def rows_needed(self, choices: Sequence[Choice], width: int) -> int:
        """Count the rows that these choices take in full."""
        return len(_flow(choices, width, 200))

    def draw(self, y: int, width: int) -> Strip:
        """Draw one row."""
        height = max(1, self.size.height)
        longest = next(
            (n for n in (200, 40, 30, 24, 18, 14, 10, 6, 3) if self._rows(width, n) <= height), 0
        )
        rows = _flow(self._choices, width, longest, self._title)
        spans: list[Span] = []
        for choice in rows[y] if y < len(rows) else ():
            spans += _chip(choice, longest)
        if y == 0 and self._title:
            spans.insert(0, Span(f" {self._title}", "strong"))
        return row(spans, width, self.style_of)

    def _rows(self, width: int, longest: int) -> int:
        return len(_flow(self._choices, width, longest, self._title))


def _chip(choice: Choice, longest: int) -> list[Span]:
    label = fit(shown(choice.label), longest)
    if choice.chosen:
        return [Span(f" {choice.key} {label} ", "chosen"), Span(" ")]
    return [Span(f" {choice.key} ", "key"), Span(f"{label}  ")]


def _flow(
    choices: Sequence[Choice], width: int, longest: int, title: str = ""
) -> list[list[Choice]]:
    rows: list[list[Choice]] = [[]]
    used = cells(title) + 2 if title else 0
    for choice in choices:
        needed = width_of(_chip(choice, longest)) - 2
        if rows[-1] and used + needed > width:
            rows.append([])
            used = 0
        rows[-1].append(choice)
        used += needed + 2
    return rows
