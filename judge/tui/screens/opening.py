"""What is shown while a dataset is opened, and why one cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from judge.tui.actions import OPENING, bindings
from judge.tui.screens.room import Room
from judge.tui.widgets.bar import Bar, Line, Rule
from judge.tui.widgets.ink import Span
from judge.tui.widgets.pane import Entry, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.widget import Widget


class OpeningScreen(Room):
    """Which dataset is being opened, and how far that is."""

    ACTIONS = OPENING
    BINDINGS: ClassVar = bindings("opening", OPENING)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._dataset_name = name
        self._entries: Sequence[Entry] = (Entry(f"opening {name}…", "strong"),)

    def parts(self) -> Iterable[Widget]:
        """Give the widgets from top to bottom."""
        yield Bar("header")
        yield Rule("rule")
        yield Sheet("sheet")
        yield Bar("keys")

    def redraw(self) -> None:
        """Say everything anew."""
        self.bar("header").say(
            Line((Span(" judge  ", "accent"), Span(self._dataset_name, "strong")))
        )
        self.query_one("#sheet", Sheet).say(self._entries)
        self.say_keys()

    def prepared(self, done: int, total: int) -> None:
        """Show how many documents have been indexed."""
        share = 100 * done // total if total else 100
        self._entries = (
            Entry(f"opening {self._dataset_name}…", "strong"),
            Entry(f"indexing documents for the first time: {done:,} of {total:,} ({share} %)"),
        )
        self.redraw()

    def refused(self, problem: str) -> None:
        """Show why the dataset cannot be opened."""
        self._entries = (
            Entry(f"{self._dataset_name} cannot be opened", "strong"),
            Entry(),
            Entry(problem),
            Entry(),
            Entry(f"{self.key_of('back')} goes back", "dim"),
        )
        self.redraw()
