"""The document: where it opens, what stands out in it, and how one moves in it at any size."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from judge.core.text.passages import best_passage
from judge.tui.marking import Mark, marks_of, terms_of
from judge.tui.text.cells import cells
from judge.tui.text.flow import NO_MARKS, Flow
from judge.tui.widgets.ink import Span, safe_row
from judge.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.strip import Strip

    from judge.core.model import Document
    from judge.core.text.passages import Passage
    from judge.tui.marking import Marks
    from judge.tui.text.flow import Line

    Places = Sequence[tuple[int, int]]

COUNTED, COUNTED_PLAIN = 4_000, 20_000
"""A text of up to so many code points is broken into lines at once, so that they can be counted.

The second number is for ASCII, which costs a tenth of that.
"""
SCREENS = 2
"""A text of more screens than this opens at its best passage."""
TITLE_LINES = 3


class DocView(Pane):
    """One document. Its place survives a change of size.

    A long one opens at its best passage: title and a line that says so, then the text from there
    on. Going up from there, or asking for the whole text, shows all of it. Nothing is broken into
    lines that nobody came near, so a text of any size opens, jumps and ends at once.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._document: Document | None = None
        self._marks: Marks = NO_MARKS
        self._query = ""
        self._passage: Passage | None = None
        self._is_whole = True
        self._title = Flow("", 1)
        self._text = Flow("", 1)
        self._evidence: Places = ()
        self._hits: Places = ()
        self._here: tuple[int, int] | None = None
        self.cursor: int | None = None
        self.marked_from: int | None = None
        self.whole_key = "w"
        """The key that shows the whole text, as the user has it."""
        self.drawn_at: float | None = None
        """When what is shown was drawn first, in seconds of the monotonic clock."""

    @property
    def document(self) -> Document | None:
        """What is shown."""
        return self._document

    @property
    def text(self) -> str:
        """The stored text of what is shown."""
        return (self._document.text or "") if self._document else ""

    def show_document(
        self, document: Document | None, terms: frozenset[str], query: str = ""
    ) -> None:
        """Show a document; the same one stays where it was.

        Args:
            document: None shows an empty pane.
            terms: The words to mark, as `judge.core.text.words` gives them.
            query: What it is to answer: a long one opens where it seems to do so.
        """
        marks = marks_of(terms)
        if document is not self._document or marks is not self._marks:
            self._document, self._marks, self._query = document, marks, query
            self._hits, self._here, self.cursor, self.marked_from = (), None, None, None
            self._open()
        self.drawn_at = None
        self.refresh()

    # -- what stands out

    def show_evidence(self, spans: Places) -> None:
        """Mark the evidence, in places of the stored text."""
        if tuple(spans) != tuple(self._evidence):
            self._evidence = tuple(spans)
            self.refresh()

    def show_hits(self, hits: Places, here: tuple[int, int] | None) -> None:
        """Mark what was found, and among it the hit that one looks at; it comes on screen."""
        self._hits, self._here = hits, here
        self.refresh()
        if here is not None:
            self.reveal(here[0])

    def _over(self, line: Line) -> list[Mark]:
        """Give what is to be marked in a line besides the words of the query."""
        start, end = line.origin, line.end
        places = [Mark(*span, "evidence") for span in (*self._evidence, *self._chosen())]
        hits = self._hits
        first = max(0, _index(hits, start) - 1)
        while first < len(hits) and hits[first][0] < end:
            places.append(Mark(*hits[first], "found"))
            first += 1
        if self._here is not None:
            places.append(Mark(*self._here, "here"))
        return [place for place in places if place.start < end and place.end > start]

    # -- drawing

    def draw(self, y: int, width: int) -> Strip:
        """Draw one row. The text has passed the gate and been measured when it became lines."""
        if self.drawn_at is None:
            self.drawn_at = time.monotonic()
        index = self.top + y - self._head
        line = self._text.line(index) if index >= 0 else None
        if line is None:
            return super().draw(y, width)
        has_more = self._evidence or self._hits or self.cursor is not None
        over = self._over(line) if has_more else ()
        edge = self._edge_of(line, over) if has_more else self.edge
        used = len(edge.text)
        if used + self._text.width > width:
            return super().draw(y, width)
        spans = [edge, *(Span(text, role or "text") for text, role in line.runs(over))]
        if line.indent:
            spans.insert(1, Span(" " * line.indent))
        used += line.indent + cells(line.text)
        return safe_row(spans, width, used, self.style_of, column=self.column)

    def _edge_of(self, line: Line, over: Sequence[Mark]) -> Span:
        """Give what stands left of a line: the cursor, or the sign of evidence."""
        room = len(self.edge.text)
        if self.cursor is not None and line.origin == self.cursor:
            return Span("▸ "[:room], "accent")
        if any(mark.role == "evidence" for mark in over):
            return Span("┃ "[:room], "good")
        return self.edge

    def content(self, index: int) -> Sequence[Span] | None:
        """Give a line, None after the last."""
        if index < self._head:
            return self._head_line(index)
        line = self._text.line(index - self._head)
        return [Span(" " * line.indent + line.text)] if line else None

    def _head_line(self, index: int) -> Sequence[Span]:
        titles = len(self._title)
        if index < titles and (line := self._title.line(index)):
            return [Span(text, role or "strong") for text, role in line.runs()]
        if index == titles and not self._is_whole and self._passage:
            start, end = self._passage
            total = len(self.text)
            return [
                Span(
                    f"passage {start:,}-{end:,} of {total:,}; {self.whole_key} whole text", "accent"
                )
            ]
        return ()

    @property
    def _head(self) -> int:
        """Lines before those of the text: the title, the passage, a blank line."""
        if self._is_whole and self._text.start:
            return 0
        lines = len(self._title) + (not self._is_whole)
        return lines + 1 if lines else 0

    # -- opening

    def _open(self) -> None:
        """Lay the document out from its start, or from its best passage if it is long."""
        self.top, self._passage, self._is_whole = 0, None, True
        self._lay_out_title()
        text = self.text
        self._text = Flow(text, self.text_width, self._marks)
        if self._is_long():
            passage = self._passage = best_passage(text, self._query, terms_of(self._query))
            if passage is not None and not self._is_on_first_screen(passage):
                self._from_passage()
                return
        if len(text) <= self._counted:
            self._text.extend()

    def _is_long(self) -> bool:
        """Whether the text takes more than some screens, nearly: breaking it to know costs more."""
        most, width = SCREENS * self._height, self.text_width
        if len(self.text) > most * width:
            return True
        return cells(self.text) // width + self.text.count("\n") > most

    def _is_on_first_screen(self, passage: Passage) -> bool:
        """Whether the passage is seen where the text starts: all of it, or from early on."""
        height, head = self._height, self._head
        if passage.start > height * self.text_width:
            return False
        if head + self._text.find(passage.start) <= height // 2:
            return True
        return head + self._text.find(passage.end) < height

    def _lay_out_title(self) -> None:
        title = self._document.title if self._document else ""
        self._title = Flow(title, self.text_width, self._marks)
        self._title.extend(TITLE_LINES)

    def _from_passage(self) -> None:
        start = self._passage.start if self._passage else 0
        self._is_whole, self.top = False, 0
        self._text = Flow(self.text, self.text_width, self._marks, start=start)

    def passage(self) -> Passage | None:
        """Give the best passage, also of a short document; None if it has no word of the query."""
        return self._passage or best_passage(self.text, self._query, terms_of(self._query))

    def toggle_whole(self) -> str:
        """Show the whole text instead of the best passage, or that again; says what is shown."""
        if not self._is_whole and self._passage:
            self._to_whole(self._passage.start)
            return f"whole text; {self.whole_key} goes back to the best passage"
        if not self._is_long():
            return "this is the whole text"
        if (passage := self.passage()) is None:
            return "this is the whole text: no part of it has words of the query"
        self._passage = passage
        self._from_passage()
        self._moved()
        return f"best passage; {self.whole_key} shows the whole text"

    def _to_whole(self, origin: int) -> None:
        """Show all of the text, with a place of it on screen."""
        self._is_whole = True
        self._lay_out_around(origin)
        top = self._head + self._text.find(origin) - self._height // 3
        if self.content(top + self._height - 1) is None:
            top = self._head + len(self._text) - self._height  # the last page is full
        if top < 0:
            top += self._extend_up(-top)
        self.top = max(0, top)
        self._moved()

    def _lay_out_around(self, origin: int) -> None:
        """Break the text into lines: all of a text of fair size, else from near a place on."""
        if len(self.text) <= self._counted:
            self._text = Flow(self.text, self.text_width, self._marks)
            self._text.extend()
        else:
            self._text = Flow.around(self.text, self.text_width, self._marks, origin)

    def _moved(self) -> None:
        self.refresh()
        self.post_message(self.Scrolled())

    # -- moving

    @property
    def _height(self) -> int:
        return max(1, self.size.height)

    @property
    def _counted(self) -> int:
        return COUNTED_PLAIN if self.text.isascii() else COUNTED

    def _extend_up(self, lines: int) -> int:
        """Make lines above the first one; says by how many those that were there moved down."""
        added = 0
        while added < lines and self._is_whole and self._text.start:
            added += self._text.extend_up()
            if not self._text.start:
                added += self._head
        return added

    def _go(self, line: int) -> bool:
        if line < 0:
            if not self._is_whole and self._passage and not self.top:
                self._is_whole = True
                self._lay_out_around(self._passage.start)
                here = self._head + self._text.find(self._passage.start)
                self.top, line = here, line + here
            added = self._extend_up(-line)
            self.top += added
            line += added
        return super()._go(line)

    def last_line(self) -> int:
        """Give the number of the last line; breaks the rest of the text into lines."""
        self._text.extend()
        return max(0, self._head + len(self._text) - 1)

    def to_top(self) -> bool:
        """Go to the start of the text, or of the passage."""
        if self._is_whole and self._text.start:
            self._lay_out_around(0)
            self.top = 0
            self._moved()
            return True
        return super().to_top()

    def to_end(self) -> bool:
        """Go to the last page."""
        if len(self.text) - self._text.reach > self._counted:
            self._to_whole(len(self.text) - 1)
            return True
        return super().to_end()

    def reveal(self, place: int) -> None:
        """Bring a place of the stored text on screen, if it is not there."""
        flow = self._text
        if place < flow.start or place - flow.reach > self._counted:
            self._to_whole(place)
            return
        line = self._head + flow.find(place)
        if not self.top <= line < self.top + self._height:
            self._go(max(0, line - self._height // 3))

    def first_place(self) -> int:
        """Give the place in the stored text of the first line on screen."""
        line = self._text.line(max(0, self.top - self._head))
        return line.origin if line else 0

    def place(self) -> str:
        """Say which part of the text is on screen.

        The lines of a long text are not counted before somebody has been there: then it is told in
        per cent.
        """
        height, total = self._height, max(1, len(self.text))
        if self._is_whole and not self._text.start and self._text.done:
            count = self._head + len(self._text)
            if count <= height:
                return "whole text"
            return f"lines {self.top + 1}-{min(count, self.top + height)} of {count}"
        first = 100 * self.first_place() // total
        # The line below the screen says whether there is one.
        line = self._text.line(max(0, self.top + height - self._head))
        last = 100 * line.origin // total if line else 100
        if not self._is_whole and not self.top:
            return f"best passage, at {first} %"
        return f"{first}-{last} % of the text" if first < last else f"{last} % of the text"

    def on_resize(self) -> None:
        """Break the text anew; what was the first line on screen stays there."""
        if self._text.width == self.text_width:
            self._go(self.top)
            return
        if self._text.width == 1:
            self._open()
            self.refresh()
            return
        origin = self.first_place() if self.top >= self._head else None
        self._lay_out_title()
        if not self._is_whole:
            self._from_passage()
        else:
            self._lay_out_around(origin or 0)
        self.top = self._head + self._text.find(origin) if origin is not None else 0
        self.refresh()

    # -- marking lines

    def start_marking(self) -> None:
        """Put a cursor on the first line of text on screen."""
        self.cursor, self.marked_from = self.first_place(), None
        self.refresh()

    def stop_marking(self) -> None:
        """Take the cursor away."""
        self.cursor = self.marked_from = None
        self.refresh()

    def move_cursor(self, lines: int) -> None:
        """Move the cursor; the text follows it."""
        if self.cursor is None:
            return
        index = self._head + self._text.find(self.cursor) + lines
        if index < self._head:
            if not self._text.start:
                return
            if not self.top:
                self._go(-1)
            index = self._head + self._text.find(self.cursor) + lines
        line = self._text.line(index - self._head)
        if line is None:
            return
        self.cursor = line.origin
        if index < self.top:
            self._go(index)
        elif index >= self.top + self._height:
            self._go(index - self._height + 1)
        self.refresh()

    def keep_cursor_visible(self) -> None:
        """After the text moved, bring the cursor to the nearest line on screen."""
        if self.cursor is None:
            return
        last = self._text.line(self.top + self._height - 1 - self._head)
        if self.cursor < self.first_place():
            self.cursor = self.first_place()
        elif last is not None and self.cursor > last.origin:
            self.cursor = last.origin
        else:
            return
        self.refresh()

    def cursor_to_top(self) -> None:
        """Move the cursor to the first line."""
        self.to_top()
        self.cursor = self.first_place()
        self.refresh()

    def cursor_to_end(self) -> None:
        """Move the cursor to the last line."""
        self.to_end()
        if (line := self._text.line(self.last_line() - self._head)) is not None:
            self.cursor = line.origin
        self.refresh()

    def mark(self) -> tuple[int, int] | None:
        """Begin a range at the cursor, or end it there and give its place in the stored text."""
        if self.cursor is None:
            return None
        if self.marked_from is None:
            self.marked_from = self.cursor
            self.refresh()
            return None
        [span] = self._chosen() or [(0, 0)]
        self.marked_from = None
        return span if span[0] < span[1] else None

    def _chosen(self) -> list[tuple[int, int]]:
        """Give the range that is being marked, without the blanks around it."""
        if self.marked_from is None or self.cursor is None:
            return []
        first, last = sorted((self.marked_from, self.cursor))
        line = self._text.line(self._text.find(last))
        text = self.text[first : line.end if line else last]
        start = first + len(text) - len(text.lstrip())
        return [(start, start + len(text.strip()))]


def _index(places: Places, start: int) -> int:
    """Count the places that start before one; they are in order."""
    low, high = 0, len(places)
    while low < high:
        middle = (low + high) // 2
        if places[middle][0] < start:
            low = middle + 1
        else:
            high = middle
    return low
