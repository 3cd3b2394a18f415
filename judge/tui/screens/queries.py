"""The screen of a dataset: its queries, how far each is, and which one to judge next."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from judge.core.text import shown
from judge.tui.actions import QUERIES, bindings
from judge.tui.phrases import count, finished, saved
from judge.tui.screens.listing import Listing
from judge.tui.widgets.bar import Bar, Line, Rule
from judge.tui.widgets.field import Field
from judge.tui.widgets.ink import Span, width_of
from judge.tui.widgets.queries import Queries, choices_of, columns, matches, next_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.widget import Widget

    from judge.judging.session import QueryRow, Session


FILTER, JUMP = "filter", "jump"


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
        title_spans = [Span(title, "strong")]
        if self._filter:
            title_spans.append(Span(f"  {len(listed)} of {len(self._all)}", "dim"))
            title_spans.append(Span(f": {_states(listed)}", "dim"))
        self.query_one("#rule", Rule).say(title_spans)
        heading = columns(self.rows.id_width, self.rows.language_width)
        self.bar("columns").say(Line((Span(heading, "dim"),)))
        self._say_status()
        self.say_keys()

    def _say_header(self) -> None:
        session = self._session
        left = (
            Span(" judge  ", "accent"),
            Span(f"{session.dataset.name}  {session.annotator}", "strong"),
        )
        right: tuple[Span, ...] = (
            Span(f"  {_states(self._all)}  "),
            saved(session.save_state),
            Span(" "),
        )
        in_all = Span(f"  {count(len(self._all), 'query', 'queries')}:", "dim")
        whole = width_of((*left, in_all, *right)) <= self.size.width
        right = (in_all, Span(right[0].text[1:]), *right[1:]) if whole else right
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
                Span(f" press {self.key_of('open')} to judge", "strong"),
                Span(f"  {count(left, 'candidate')} left, {progress.today} judged today", "dim"),
            ]
        else:
            there = choices_of(self._all)
            spans = [
                Span(f" no query matches; {self.key_of('filter')} and enter shows all", "warn"),
                Span(f"   there is {there}" if there else "", "dim"),
            ]
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
        hint = "words, or st:new  st:part  st:done  st:flagged  lang:ja  cat:shop"
        await self.open_field(Field(FILTER, self._filter, hint), self.bar("status"))

    def action_state(self) -> None:
        """Show only the queries in the next state, last all of them."""
        self._show_only(next_state(self._filter))

    def action_agreement(self) -> None:
        """See how far the annotators agree, and settle where they do not."""
        self.judge.open_agreement()

    async def action_jump(self) -> None:
        """Type which query to go to."""
        field = Field(JUMP, "", "number of the query, or its id")
        await self.open_field(field, self.bar("status"))

    async def on_input_submitted(self, event: Field.Submitted) -> None:
        """Show the queries that match, or go to the one that was named."""
        wanted = await self.close_field(self.bar("status"))
        if wanted is None:
            return
        if event.input.id == FILTER:
            self._show_only(wanted)
        elif wanted:
            self._jump(wanted)

    async def on_field_left(self) -> None:
        """Leave everything as it was."""
        await self.close_field(self.bar("status"))

    def _show_only(self, wanted: str) -> None:
        self._filter, self._notice = wanted, ""
        self.rows.move_to(0)
        self.redraw()

    def _jump(self, wanted: str) -> None:
        """Go to a query by its id, else by its number, else by how its id begins."""
        row = query_named(self._all, wanted)
        if row is None:
            self.say(f"there is no query {wanted}: 1 to {len(self._all)}, or an id")
            return
        if not self.rows.show_query(row.query.id):
            # What was asked for by name is shown, whatever else was filtered out.
            self._show_only("")
            self.rows.show_query(row.query.id)
        self.say("")


def query_named(rows: Sequence[QueryRow], wanted: str) -> QueryRow | None:
    """Give the query with this id (as it is shown), else this number, else this start of an id."""
    ids = [shown(row.query.id) for row in rows]
    if wanted in ids:
        return rows[ids.index(wanted)]
    if wanted.isascii() and wanted.isdigit() and 0 < int(wanted) <= len(rows):
        return rows[int(wanted) - 1]
    return next((row for row, id_ in zip(rows, ids, strict=True) if id_.startswith(wanted)), None)


def _states(rows: Sequence[QueryRow]) -> str:
    """Say how many queries are in each state."""
    states = Counter(row.status for row in rows)
    said = [f"{states[name]} {name}" for name in ("done", "part", "new")]
    flagged = sum(row.flagged > 0 for row in rows)
    return ", ".join(said) + (f", {flagged} flagged" if flagged else "")
