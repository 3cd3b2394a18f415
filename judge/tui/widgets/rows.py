"""Lists of any length: only the rows on screen are drawn, and moving repaints two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Region
from textual.message import Message

from judge.tui.widgets.ink import Inked, Span, fitted, row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.strip import Strip

POINTER = "▸"
"""Marks the current row, with or without colour."""


class Rows(Inked):
    """A list with a current row, which is kept on screen."""

    class Chosen(Message):
        """A row was clicked."""

        def __init__(self, rows: Rows, index: int) -> None:
            super().__init__()
            self.rows, self.index = rows, index

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.cursor = 0
        self.top = 0

    @property
    def count(self) -> int:
        """How many rows there are; subclasses say."""
        return 0

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give what a row says, the text from data last; subclasses do."""
        del index, width
        return ()

    def move_to(self, index: int) -> None:
        """Make a row the current one."""
        before, self.cursor = self.cursor, max(0, min(index, self.count - 1))
        if not self._keep_visible() and before != self.cursor:
            self.refresh_rows(before, self.cursor)

    def refresh_rows(self, *indices: int) -> None:
        """Repaint some rows."""
        height, width = self.size.height, self.size.width
        regions = [
            Region(0, index - self.top, width, 1)
            for index in indices
            if 0 <= index - self.top < height
        ]
        if regions:
            self.refresh(*regions)

    def draw(self, y: int, width: int) -> Strip:
        """Draw one row."""
        index = self.top + y
        if index >= self.count:
            return row([], width, self.style_of)
        # The last cell stays blank, as a margin to what stands at the right.
        if index != self.cursor:
            spans = fitted([Span("  "), *self.spans(index, width - 3)], width - 1)
            return row(spans, width, self.style_of)
        spans = fitted([Span(f"{POINTER} ", "accent"), *self.spans(index, width - 3)], width - 1)
        return row(spans, width, self.style_on_cursor)

    def on_resize(self) -> None:
        """Keep the current row on screen."""
        self._keep_visible()

    def on_click(self, event: events.Click) -> None:
        """Say which row was clicked."""
        index = self.top + event.y
        if index < self.count:
            self.post_message(self.Chosen(self, index))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move down."""
        event.stop()
        self._scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move up."""
        event.stop()
        self._scroll(-3)

    def _scroll(self, rows: int) -> None:
        top = max(0, min(self.top + rows, self.count - self.size.height))
        if top != self.top:
            self.top = top
            self.refresh()

    def _keep_visible(self) -> bool:
        """Scroll so that the current row is on screen; says whether that was needed."""
        height = max(1, self.size.height)
        top = self.top
        if self.cursor < top:
            top = self.cursor
        elif self.cursor >= top + height:
            top = self.cursor - height + 1
        top = max(0, min(top, self.count - height))
        if top == self.top:
            return False
        self.top = top
        self.refresh()
        return True
