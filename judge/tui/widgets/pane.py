"""Text that is read by the page: the document, the guidelines, the help."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from textual.message import Message

from judge.core.text import shown
from judge.tui.text.cells import fit
from judge.tui.text.wrap import Break, wrap
from judge.tui.widgets.ink import Inked, Span, row, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.strip import Strip

WIDEST = 100
"""Cells of a line at most: longer lines are hard to read."""
TWO_COLUMNS_FROM = 76
EDGE, MARGIN = Span("│ ", "rule"), Span(" ")
WHEEL = 3
"""Lines that one notch of the mouse wheel moves."""


class Pane(Inked):
    """Lines that scroll, the last pane of its row: nothing stands to the right of it.

    Subclasses give the lines. Each row starts at its own column whatever is drawn left of it,
    because terminals do not agree how wide the text there is.
    """

    class Scrolled(Message):
        """The first line drawn is another one now."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.top = 0

    @property
    def text_width(self) -> int:
        """Cells of a line of text."""
        return max(1, min(WIDEST, self.size.width - self._margin - 1))

    @property
    def _margin(self) -> int:
        return 2 if self.region.x else 1

    def content(self, index: int) -> Sequence[Span] | None:
        """Give a line, None after the last; subclasses do."""
        del index
        return None

    def last_line(self) -> int:
        """Give the number of the last line; subclasses do."""
        return 0

    def draw(self, y: int, width: int) -> Strip:
        """Draw one row, which starts at its column wherever the text to the left of it ended."""
        spans = [self.edge, *(self.content(self.top + y) or ())]
        return row(spans, width, self.style_of, column=self.column)

    @property
    def edge(self) -> Span:
        """What stands left of each line."""
        return EDGE if self.column else MARGIN

    def scroll_lines(self, lines: int) -> bool:
        """Move by lines, as far as there are any; says whether it moved."""
        return self._go(self.top + lines)

    def scroll_pages(self, pages: float) -> bool:
        """Move by pages; a whole page keeps one line of the page before."""
        height = max(1, self.size.height)
        step = max(1, round((height - 1) * abs(pages)))
        return self._go(self.top + (step if pages > 0 else -step))

    def to_top(self) -> bool:
        """Go to the first line."""
        return self._go(0)

    def to_end(self) -> bool:
        """Go to the last page."""
        return self._go(self.last_line())

    def _go(self, line: int) -> bool:
        line = max(0, line)
        top = min(line, self._lowest_top(line))
        if top == self.top:
            return False
        self.top = top
        self.refresh()
        self.post_message(self.Scrolled())
        return True

    def _lowest_top(self, line: int) -> int:
        """Give the furthest line that may be first: the last page stays full."""
        height = max(1, self.size.height)
        if self.content(line + height - 1) is not None:
            return line
        return max(0, self.last_line() + 1 - height)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move down."""
        event.stop()
        self.scroll_lines(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move up."""
        event.stop()
        self.scroll_lines(-WHEEL)


@dataclass(frozen=True)
class Entry:
    """A paragraph of a sheet.

    Attributes:
        text: What it says, as it came; line feeds end lines.
        role: How it is drawn.
        lead: What stands before it, such as a key.
        indent: The column of the text; the lead stands left of it.
    """

    text: str = ""
    role: str = "text"
    lead: str = ""
    indent: int = 0


@dataclass(frozen=True)
class Columns:
    """Paragraphs side by side, or one after the other where there is no room.

    Attributes:
        left: Paragraphs of the left column, and `right`, of the right one.
    """

    left: tuple[Entry, ...]
    right: tuple[Entry, ...]


Block = Entry | Columns


class Sheet(Pane):
    """Paragraphs, some with a lead."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._blocks: tuple[Block, ...] = ()
        self._lines: list[list[Span]] = []
        self._laid_out = -1

    def say(self, blocks: Sequence[Block]) -> None:
        """Show these paragraphs from the top."""
        self._blocks, self._laid_out, self.top = tuple(blocks), -1, 0
        self.refresh()

    def content(self, index: int) -> Sequence[Span] | None:
        """Give a line, None after the last."""
        lines = self._all()
        return lines[index] if index < len(lines) else None

    def last_line(self) -> int:
        """Give the number of the last line."""
        return max(0, len(self._all()) - 1)

    def on_resize(self) -> None:
        """Keep the last page full."""
        self.top = max(0, min(self.top, self.last_line() + 1 - self.size.height))

    def _all(self) -> list[list[Span]]:
        width = self.text_width
        if self._laid_out != width:
            self._laid_out = width
            self._lines = [line for block in self._blocks for line in block_lines(block, width)]
        return self._lines


def block_lines(block: Block, width: int) -> list[list[Span]]:
    """Break a block into lines of at most `width` cells."""
    if isinstance(block, Entry):
        return entry_lines(block, width)
    if width < TWO_COLUMNS_FROM:
        return [
            line
            for part in (block.left, block.right)
            for e in part
            for line in entry_lines(e, width)
        ]
    half = width // 2
    left = [line for entry in block.left for line in entry_lines(entry, half - 2)]
    right = [line for entry in block.right for line in entry_lines(entry, width - half)]
    rows = zip_longest(left, right, fillvalue=())
    return [[*one, Span(" " * (half - width_of(one))), *other] for one, other in rows]


def entry_lines(entry: Entry, width: int) -> list[list[Span]]:
    """Break one paragraph into lines of at most `width` cells."""
    text = shown(entry.text, lines=True)
    indent = min(entry.indent, max(0, width - 10))
    breaks = wrap(text, width - indent) or [Break(0, 0)]
    lines = [
        [Span(" " * indent), Span(text[start:end].rstrip(), entry.role)] for start, end, _ in breaks
    ]
    if entry.lead:
        lead = fit(shown(entry.lead), max(0, indent - 1)) if indent else shown(entry.lead)
        lines[0][0] = Span(lead.ljust(indent), "key")
    return lines
