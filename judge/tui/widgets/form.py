"""A form: a row for each blank to fill in, and last the row that starts the work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judge.tui.widgets.ink import Span
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

LABEL = 16


@dataclass(frozen=True)
class Blank:
    """Something to fill in.

    Attributes:
        name: What the work calls it.
        label: What it is called on screen.
        value: What stands there now.
        hint: What may stand there, shown while nothing does and while it is typed.
        choices: The values to choose from; without any it is typed.
    """

    name: str
    label: str
    value: str = ""
    hint: str = ""
    choices: tuple[str, ...] = ()


class Form(Rows):
    """Blanks, and the row that starts."""

    def __init__(self, name: str, blanks: Sequence[Blank], start: str) -> None:
        super().__init__(name)
        self._blanks, self._start = list(blanks), start

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._blanks) + 1

    @property
    def current(self) -> Blank | None:
        """The blank of the current row; None on the row that starts."""
        return self._blanks[self.cursor] if self.cursor < len(self._blanks) else None

    @property
    def values(self) -> dict[str, str]:
        """What stands in the blanks."""
        return {blank.name: blank.value for blank in self._blanks}

    def fill(self, name: str, value: str) -> None:
        """Write a value into a blank."""
        for index, blank in enumerate(self._blanks):
            if blank.name == name and blank.value != value:
                self._blanks[index] = replace(blank, value=value)
                self.refresh_rows(index)

    def choose(self, step: int) -> None:
        """Write the next choice of the current row, or the one before."""
        blank = self.current
        if blank is not None and blank.choices:
            at = blank.choices.index(blank.value) if blank.value in blank.choices else -1
            self.fill(blank.name, blank.choices[(at + step) % len(blank.choices)])

    def offer(self, blanks: Sequence[Blank]) -> None:
        """Show other blanks, the values kept that stand in those of the same name."""
        kept = self.values
        self._blanks = [replace(b, value=kept.get(b.name) or b.value) for b in blanks]
        self.refresh()
        self.move_to(self.cursor)

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give label and value; the row that starts stands apart by its sign."""
        del width
        if index == len(self._blanks):
            return [Span(f"[ {self._start} ]", "accent")]
        blank = self._blanks[index]
        label = Span(f"{blank.label:<{LABEL}}")
        if blank.choices:
            number = f"  {blank.choices.index(blank.value) + 1} of {len(blank.choices)}"
            return [label, Span(f"< {blank.value} >", "strong"), Span(number, "dim")]
        if blank.value:
            return [label, Span(blank.value, "strong")]
        return [label, Span(blank.hint, "dim")]
