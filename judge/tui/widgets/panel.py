"""A titled part of a screen: lines made for its width, with a current one or without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.message import Message
from textual.strip import Strip

from judge.tui.widgets.ink import Inked, Span, fitted, row, width_of
from judge.tui.widgets.rows import POINTER

if TYPE_CHECKING:
    from textual import events

Spans = Sequence[Span]


class Halves(NamedTuple):
    """A line of two halves; the right one starts at its column, however wide the left one is."""

    left: Spans
    right: Spans


PanelLine = Spans | Halves


class Page(NamedTuple):
    """What a panel shows.

    Attributes:
        lines: All lines, the text from data last in each.
        heading: The lines above them that stay.
    """

    lines: Sequence[PanelLine] = ()
    heading: Sequence[PanelLine] = ()


MakePage = Callable[[int], Page]
"""Gives what is shown in so many cells."""


def nothing(width: int) -> Page:
    """Show nothing."""
    del width
    return Page()


class Panel(Inked):
    """A title, a heading that stays, and lines that scroll.

    Args:
        name: Of the widget.
        chooses: Whether one line is the current one, which the keys move; else they scroll.
    """

    class Chosen(Message):
        """Clicked: the panel, and the line if it was on one."""

        def __init__(self, panel: Panel, index: int | None) -> None:
            super().__init__()
            self.panel, self.index = panel, index

    def __init__(self, name: str, *, chooses: bool = False) -> None:
        super().__init__(name)
        self.chooses = chooses
        self.active = False
        self.cursor = self.top = 0
        self._title: tuple[Span, ...] = ()
        self._make: MakePage = nothing
        self._page = Page()
        self._laid_out = -1

    def say(self, title: Spans, make: MakePage) -> None:
        """Show this; the place is kept as far as there are lines."""
        self._title, self._make, self._laid_out = tuple(title), make, -1
        self.refresh()
        self.move(0)

    def set_active(self, *, active: bool) -> None:
        """Say whether the keys go to this panel."""
        if active != self.active:
            self.active = active
            self.refresh()

    @property
    def page(self) -> Page:
        """What is shown, made for the width of the panel."""
        width = self.text_width
        if self._laid_out != width:
            self._laid_out, self._page = width, self._make(width)
        return self._page

    @property
    def text_width(self) -> int:
        """Cells of a line."""
        return max(1, self.size.width - self._lead - 1)

    @property
    def _edge(self) -> list[Span]:
        return [Span("│ ", "rule")] if self.region.x else [Span(" ")]

    @property
    def _lead(self) -> int:
        return width_of(self._edge) + (2 if self.chooses else 0)

    @property
    def room(self) -> int:
        """Lines that there is room for."""
        return max(1, self.size.height - 1 - len(self.page.heading))

    def needed(self) -> int:
        """Rows that the panel takes in full, title and heading too."""
        return 1 + len(self.page.heading) + len(self.page.lines)

    def move(self, lines: int) -> bool:
        """Go to another line, or scroll; says whether the current line is another one now."""
        last = max(0, len(self.page.lines) - 1)
        before = (self.cursor, self.top)
        if self.chooses:
            self.cursor = max(0, min(self.cursor + lines, last))
            top = max(self.cursor - self.room + 1, min(self.top, self.cursor))
        else:
            top = self.top + lines
        self.top = max(0, min(top, last + 1 - self.room))
        if (self.cursor, self.top) != before:
            self.refresh()
        return self.cursor != before[0]

    def show(self, line: int) -> None:
        """Scroll so that a line is the first one, as far as the last page stays full."""
        self.move(line - (self.cursor if self.chooses else self.top))

    def draw(self, y: int, width: int) -> Strip:
        """Draw one row."""
        page = self.page
        if y == 0:
            return self._draw_title(width)
        heading = page.heading
        if y <= len(heading):
            return self._draw(heading[y - 1], width, is_current=False)
        index = self.top + y - 1 - len(heading)
        if index >= len(page.lines):
            return row(self._edge, width, self.style_of, column=self.column)
        is_current = self.chooses and self.active and index == self.cursor
        return self._draw(page.lines[index], width, is_current=is_current)

    def _draw_title(self, width: int) -> Strip:
        line, role = ("━", "accent") if self.active else ("─", "rule")
        ends = ("┝" if self.active else "├") if self.region.x else line
        place = self._extent()
        room = max(0, width - len(place) - 5)
        title = [Span(f"{ends}{line} ", role), *fitted(self._title, room), Span(" ", role)]
        used = width_of(title)
        fill = Span(line * max(0, width - used - len(place)), role)
        return row([*title, fill, Span(place, "dim")], width, self.style_of, column=self.column)

    def _extent(self) -> str:
        """Which lines are shown, if not all are."""
        count = len(self.page.lines)
        if count <= self.room:
            return ""
        return f" {self.top + 1}-{min(count, self.top + self.room)} of {count:,} "

    def _draw(self, line: PanelLine, width: int, *, is_current: bool) -> Strip:
        lead = self._edge
        if self.chooses:
            lead = [*lead, Span(f"{POINTER} ", "accent") if is_current else Span("  ")]
        style_of = self.style_on_cursor if is_current else self.style_of
        if not isinstance(line, Halves):
            # The last cell stays blank, as a margin to what stands at the right.
            spans = fitted([*lead, *line], width - 1)
            return row(spans, width, style_of, column=self.column)
        half = width // 2
        left = row(fitted([*lead, *line.left], half - 1), half, style_of, column=self.column)
        right = fitted(line.right, width - half - 1)
        other = row(right, width - half, style_of, column=self.column + half)
        return Strip([*left, *other], width)

    def on_resize(self) -> None:
        """Keep the place."""
        self.move(0)

    def on_click(self, event: events.Click) -> None:
        """Say what was clicked."""
        index = self.top + event.y - 1 - len(self.page.heading)
        there = event.y > len(self.page.heading) and index < len(self.page.lines)
        self.post_message(self.Chosen(self, index if there else None))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move down."""
        event.stop()
        self.move(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move up."""
        event.stop()
        self.move(-3)
