"""The part of the judging screen that judges nothing: moving, reading, finding, looking back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.errors import NotFound
from judge.core.model import Document
from judge.core.text import shown
from judge.tui.actions import key_bar
from judge.tui.screens.judging.finding import Finding
from judge.tui.screens.judging.modes import Question, Table
from judge.tui.screens.judging.reading import guidelines, pace_sheet
from judge.tui.screens.judging.viewing import Viewing
from judge.tui.screens.paging import Paging
from judge.tui.widgets.bar import Choice
from judge.tui.widgets.board import Board
from judge.tui.widgets.field import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual import events
    from textual.widget import Widget

    from judge.judging.session import Outcome, Session
    from judge.judging.session.looking import Revisited
    from judge.tui.screens.judging.modes import Mode
    from judge.tui.widgets.pane import Pane
    from judge.tui.widgets.rows import Rows

REVISITED: dict[str, Revisited] = {"f": "flagged", "s": "skipped", "c": "cannot_judge"}


class LookingScreen(Paging):
    """Shows the session's card and lets one look around."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._mode: Mode | None = None
        self._finding: Finding | None = None
        self._wanted = ""
        self._list_width = 0

    def parts(self) -> Iterable[Widget]:
        """Give the board."""
        yield Board(self._session, self.key_of)

    @property
    def board(self) -> Board:
        """The widgets."""
        return self.query_one(Board)

    def fit_size(self) -> None:
        """Fit the board to the size."""
        self._list_width = self.judge.settings.list_width
        self.board.fit_size(*self.size, self._list_width)

    def redraw(self) -> None:
        """Draw the session as it is."""
        self.board.highlights = self.judge.settings.highlights
        self.board.show()
        self.say_keys()
        if self._list_width != self.judge.settings.list_width:
            self.fit_size()
            self.call_after_refresh(self.redraw)

    def say(self, notice: str) -> None:
        """Show a warning in the status line."""
        self.board.say(notice, "warn")

    def _leave_document(self) -> None:
        """Let go of what was done with the document that is not shown any more."""
        self.board.stop_reading()
        self._end_mode()
        self._finding = None

    # -- modes

    def _ask(self, title: str, choices: list[Choice], done: Callable[[str], None]) -> None:
        if not self.is_small:
            self._end_mode()
            self._start_mode(Question(self.board, title, choices, done, self._end_mode))

    def _start_mode(self, mode: Mode) -> None:
        self._mode = mode
        self.say_keys()

    def _end_mode(self) -> None:
        mode, self._mode = self._mode, None
        if mode is not None:
            mode.leave()
            self.say_keys()

    def shown_keys(self) -> list[tuple[int, str, str]]:
        """Give the keys that work now."""
        return key_bar(self._mode.others()) if self._mode is not None else super().shown_keys()

    async def on_key(self, event: events.Key) -> None:
        """Give a key to the mode that there is."""
        if self._mode is None or self.is_small:
            return
        self.judge.keyboard.press(event.key, event.time)
        event.stop()
        event.prevent_default()
        if name := self._mode.key(event.key, event.character):
            await self.run_action(name)

    def action_revisit(self) -> None:
        """Ask what to come back to, and go to the next of that kind."""
        choices = [
            Choice("f", "flagged"),
            Choice("s", "skipped"),
            Choice("c", "cannot judge"),
        ]
        self._ask("go to the next:", choices, self._revisit)

    def _revisit(self, key: str) -> None:
        self._go(self._session.revisit(REVISITED[key]))

    def action_view(self) -> None:
        """Look at the documents of this query that are graded."""
        if self.is_small:
            return
        rows = self._session.graded()
        if not rows:
            self.board.say("no document of this query is graded yet", "warn")
            return
        self._leave_document()
        keys = Table(self.judge.keys, "graded")
        self._start_mode(Viewing(self.board, keys, rows, self._fetch, self._end_mode))

    def _fetch(self, doc_id: str) -> Document:
        try:
            return self._session.dataset.document(doc_id)
        except NotFound:
            return Document(id=doc_id, text=None)

    # -- finding

    async def action_find(self) -> None:
        """Open a line to type into what is looked for in the document."""
        if self._session.card is not None:
            self.board.stop_reading()
            last = f"; enter alone: {shown(self._wanted)}" if self._wanted else ""
            field = Field("find", "", f"find in this document{last}")
            await self.open_field(field, self.bar("status"))

    async def _find(self) -> None:
        wanted = await self.close_field(self.bar("status")) or self._wanted
        self._end_finding()
        if wanted:
            self._wanted = wanted
            self._finding = self._find_words()

    def _find_words(self) -> Finding:
        keys = " ".join(map(self.key_of, ("next_hit", "previous_hit", "back")))
        return Finding(self.board, self._wanted, keys, self.call_later)

    def _end_finding(self) -> None:
        if self._finding is not None:
            self._finding.stop()
            self._finding = None
            self.board.say("")

    def _hits(self) -> Finding | None:
        """Give what is being looked for; in a new document, the last words anew."""
        if self.is_small or self.board.is_reading:
            return None
        if self._finding is None and self._wanted:
            self._finding = self._find_words()
            return None
        if self._finding is None:
            self.board.say(f"nothing was looked for yet: {self.key_of('find')} does", "warn")
        return self._finding

    def action_next_hit(self) -> None:
        """Go to the next hit."""
        if (hits := self._hits()) is not None:
            hits.next()

    def action_previous_hit(self) -> None:
        """Go to the hit before."""
        if (hits := self._hits()) is not None:
            hits.previous()

    # -- moving

    def _go(self, outcome: Outcome) -> None:
        if self.is_small:
            return
        if outcome.accepted:
            self._leave_document()
            self.board.show()
        self.board.say(outcome.message, "dim" if outcome.accepted else "warn")

    def action_next(self) -> None:
        """Go to the next candidate; in a sheet, one line down."""
        if self.board.is_reading:
            self.board.pane.scroll_lines(1)
        else:
            self._go(self._session.next())

    def action_previous(self) -> None:
        """Go to the candidate before; in a sheet, one line up."""
        if self.board.is_reading:
            self.board.pane.scroll_lines(-1)
        else:
            self._go(self._session.previous())

    def action_next_query(self) -> None:
        """Go to the next query."""
        self._go(self._session.next_query())

    def action_previous_query(self) -> None:
        """Go to the query before."""
        self._go(self._session.previous_query())

    def action_next_unfinished(self) -> None:
        """Go to the next query with work left."""
        self._go(self._session.next_unfinished())

    def action_previous_unfinished(self) -> None:
        """Go to the query before with work left."""
        self._go(self._session.previous_unfinished())

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Go to the candidate that was clicked."""
        event.stop()
        if event.rows.id != "list":
            return
        card, rows = self._session.card, self._session.rows()
        if card is not None and event.index < len(rows):
            self._go(self._session.go(card.query.id, rows[event.index].doc_id))

    # -- reading

    def on_pane_scrolled(self, event: Pane.Scrolled) -> None:
        """Say which lines are on screen."""
        event.stop()
        self.board.document.keep_cursor_visible()
        self.board.say_place()

    @property
    def read_pane(self) -> Pane:
        """What is read by the page."""
        return self.board.pane

    def action_zoom(self) -> None:
        """Show the document alone, or with the list."""
        self.board.zoom()
        self.fit_size()
        self.call_after_refresh(self.redraw)

    def action_whole(self) -> None:
        """Show the whole text instead of its best passage, or the passage again."""
        if self._session.card is not None and not self.board.is_reading:
            self.board.say(self.board.looked_at.toggle_whole())

    def action_pace(self) -> None:
        """Read how fast it goes and how much is left, or close that again."""
        if self.board.is_reading:
            self.board.stop_reading()
            return
        session = self._session
        entries = pace_sheet(session.pace(), session.progress(), session.streak())
        self.board.read("pace", entries, self.key_of("pace"))

    def action_guidelines(self) -> None:
        """Read the guidelines in the place of the document, or go back to it."""
        if self.board.is_reading:
            self.board.stop_reading()
            return
        session = self._session
        query = session.card.query if session.card is not None else None
        entries = guidelines(query, session.scale, session.guidelines)
        self.board.read("guidelines", entries, self.key_of("guidelines"))

    async def action_back(self) -> None:
        """Close what covers the document, else go back to the queries."""
        if self.board.is_reading:
            self.board.stop_reading()
            if self._session.card is None:
                # Under the sheet that ends the work there is no document: show the last one.
                self._go(self._session.previous())
        elif self._finding is not None:
            self._end_finding()
        else:
            await super().action_back()
