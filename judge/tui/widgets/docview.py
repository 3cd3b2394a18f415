"""The document: title and text with the words of the query marked, at any size without delay."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from judge.tui.text.cells import cells
from judge.tui.text.flow import Flow
from judge.tui.widgets.ink import Span, safe_row
from judge.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.strip import Strip

    from judge.core.model import Document

COUNTED = 20_000
"""A text up to this many code points is broken into lines at once, so that they can be counted."""


class DocView(Pane):
    """One document. Its place survives a change of size."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._document: Document | None = None
        self._terms: frozenset[str] = frozenset()
        self._title = Flow("", 1)
        self._text = Flow("", 1)
        self.drawn_at: float | None = None
        """When what is shown was drawn first, in seconds of the monotonic clock."""

    @property
    def document(self) -> Document | None:
        """What is shown."""
        return self._document

    def show_document(self, document: Document | None, terms: frozenset[str]) -> None:
        """Show a document from its start; the same one stays where it was.

        Args:
            document: None shows an empty pane.
            terms: The words to mark, as `judge.core.text.words` gives them.
        """
        if document is not self._document or terms != self._terms:
            self._document, self._terms, self.top = document, terms, 0
            self._lay_out()
        self.drawn_at = None
        self.refresh()

    def draw(self, y: int, width: int) -> Strip:
        """Draw one row. The text has passed the gate and been measured when it became lines."""
        if self.drawn_at is None:
            self.drawn_at = time.monotonic()
        index, head = self.top + y, self._head
        line = self._title.line(index) if index < head else self._text.line(index - head)
        edge = self.edge
        used = len(edge.text)
        if line is None or used + self._text.width > width:
            return super().draw(y, width)
        role = "strong" if index < head else "text"
        spans = [edge, *(Span(text, "match" if hit else role) for text, hit in line.runs())]
        used += cells(line.text)
        return safe_row(spans, width, used, self.style_of, column=self.column)

    def content(self, index: int) -> Sequence[Span] | None:
        """Give a line, None after the last."""
        head = self._head
        if index < head:
            line = self._title.line(index)
            return [Span(line.text, "strong")] if line else ()
        line = self._text.line(index - head)
        return [Span(line.text)] if line else None

    def last_line(self) -> int:
        """Give the number of the last line; breaks the whole text into lines."""
        self._text.extend()
        return max(0, self._head + len(self._text) - 1)

    def place(self) -> str:
        """Say which lines are on screen.

        The lines of a long text are not counted before somebody has been there: then it is told in
        per cent.
        """
        first, height = self.top + 1, max(1, self.size.height)
        if self._text.done:
            count = self._head + len(self._text)
            if count <= height:
                return "whole text"
            return f"lines {first}-{min(count, self.top + height)} of {count}"
        line = self._text.line(max(0, self.top + height - 1 - self._head))
        length = max(1, len(self._document.text or "")) if self._document else 1
        percent = 100 * line.origin // length if line else 100
        return f"from line {first}, {percent} % read"

    def on_resize(self) -> None:
        """Break the text anew; what was the first line on screen stays there."""
        if self._text.width == self.text_width:
            self._go(self.top)
            return
        line = self._text.line(self.top - self._head) if self.top >= self._head else None
        origin = line.origin if line else None
        self._lay_out()
        if origin is None:
            self.top = min(self.top, self._head)
        else:
            self.top = self._head + self._text.find(origin)
        self.refresh()

    @property
    def _head(self) -> int:
        """Lines of the title, with the blank line below it."""
        return len(self._title) + 1 if len(self._title) else 0

    def _lay_out(self) -> None:
        width = self.text_width
        document = self._document
        self._title = Flow(document.title if document else "", width, self._terms)
        self._text = Flow((document.text or "") if document else "", width, self._terms)
        self._title.extend(3)
        if document and len(document.text or "") <= COUNTED:
            self._text.extend()
