"""The screen of a dataset: its queries, how far each is, and which one to judge next."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from judge.tui.actions import QUERIES, bindings
from judge.tui.phrases import count, finished, saved
from judge.tui.screens.listing import Listing
from judge.tui.widgets.bar import Bar, Line, Rule
from judge.tui.widgets.field import Field
from judge.tui.widgets.ink import Span
from judge.tui.widgets.queries import Queries, columns, matches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from judge.judging.session import QueryRow, Session


class QueriesScreen(Listing):
    """All queries of the open dataset."""

    ACTIONS = QUERIES
    BINDINGS: ClassVar = bindings("queries", QUERIES)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._filter = ""
        self._notice = ""
        self._all: list[QueryRow] = []

    def parts(self) -> Iterable[Widget]:
        """Give the widgets from top to bottom."""
        yield Bar("header")
        yield Rule("rule")
        yield Bar("columns")
        yield Queries("list")
        yield Bar("status")
        yield Bar("keys")

    @property
    def rows(self) -> Queries:
        """The list."""
        return self.query_one("#list", Queries)

    def redraw(self) -> None:
        """Say everything anew."""
        card = self._session.card
        self._all = self._session.query_rows()
        listed = [row for row in self._all if matches(row, self._filter)]
        self.rows.show_rows(listed, card.query.id if card else None)
        self._say_header()
        title = f"queries matching {self._filter}" if self._filter else "queries"
        shown = f"  {len(listed)} of {len(self._all)}" if self._filter else ""
        self.query_one("#rule", Rule).say((Span(title, "strong"), Span(shown, "dim")))
        heading = columns(self.rows.id_width, self.rows.language_width)
        self.bar("columns").say(Line((Span(heading, "dim"),)))
        self._say_status()
        self.say_keys()

    def _say_header(self) -> None:
        session = self._session
        states = [row.status for row in self._all]
        done, part, new = (states.count(name) for name in ("done", "part", "new"))
        left = (
            Span(" judge  ", "accent"),
            Span(f"{session.dataset.name}  {session.annotator}", "strong"),
        )
        right = (
            Span(f"{count(len(states), 'query', 'queries')}: ", "dim"),
            Span(f"{done} done, {part} part, {new} new  "),
            saved(session.save_state),
            Span(" "),
        )
        self.bar("header").say(Line(left, right))

    def _say_status(self) -> None:
        progress = self._session.progress()
        if self._notice:
            spans = [Span(f" {self._notice}", "warn")]
        elif self._session.warnings:
            spans = [Span(f" {self._session.warnings[0]}", "warn")]
        elif progress.total and progress.done >= progress.total:
            lines = finished(self._all, progress, self._session.dataset.name)
            spans = [Span(f" {lines[0]} ", "good"), Span(lines[-1], "strong")]
        elif self.rows.current:
            left = progress.total - progress.done
            spans = [
                Span(" press enter to judge", "strong"),
                Span(f"  {count(left, 'candidate')} left, {progress.today} judged today", "dim"),
            ]
        else:
            spans = [Span(" no query matches; / and enter shows all again", "warn")]
        self.bar("status").say(Line(tuple(spans)))

    def say(self, notice: str) -> None:
        """Show a notice until something else happens."""
        self._notice = notice
        self._say_status()

    def action_open(self) -> None:
        """Judge the current query; the card that was left off stays the one that is shown."""
        row = self.rows.current
        if row is None or self.is_small:
            return
        self._notice = ""
        card = self._session.card
        if card is None or card.query.id != row.query.id:
            outcome = self._session.go(row.query.id)
            if not outcome.accepted:
                self.say(outcome.message)
                return
        self.judge.open_judging()

    def action_next_unfinished(self) -> None:
        """Go to the next query with work left."""
        self.say("" if self.rows.next_unfinished(1) else "no other query has work left")

    def action_previous_unfinished(self) -> None:
        """Go to the query before with work left."""
        self.say("" if self.rows.next_unfinished(-1) else "no other query has work left")

    async def action_filter(self) -> None:
        """Type which queries to show."""
        field = Field("filter", self._filter, "words, or st:new  st:part  st:done  lang:ja")
        await self.open_field(field, self.bar("status"))

    async def on_input_submitted(self) -> None:
        """Show the queries that match."""
        wanted = await self.close_field(self.bar("status"))
        if wanted is not None:
            self._filter = wanted
            self.rows.move_to(0)
            self.redraw()

    async def on_field_left(self) -> None:
        """Leave the filter as it was."""
        await self.close_field(self.bar("status"))
