"""What an adjudicator sees: figures and disagreements left, verdicts and document right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from judge.core.text import shown
from judge.tui.marking import terms_of
from judge.tui.phrases import saved
from judge.tui.text.cells import fit
from judge.tui.widgets.bar import Bar, Choice, ChoiceBar, Line, Rule, grade_choices
from judge.tui.widgets.board import Painted, first_lines, spoken
from judge.tui.widgets.disagreements import (
    Disagreements,
    agreed_entries,
    couple_title,
    figure_lines,
    figures_to_tell,
    how_apart,
    nobody_entries,
    table_lines,
    table_width,
    verdict_entries,
)
from judge.tui.widgets.docview import DocView
from judge.tui.widgets.ink import Area, Span
from judge.tui.widgets.pane import Entry, Sheet, entry_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult

    from judge.core.model import Document, Query
    from judge.tui.docket import Docket
    from judge.tui.widgets.pane import Block, Pane

BOTH_FROM_WIDTH = 64
"""Below this width the document has the screen for itself, or the list has."""
NARROWEST, WIDEST = 30, 56
TALL = 30
LIST_ROWS = 4
"""Rows of the list that are kept free of figures."""
LANGUAGE_ROOM = 12


class Settling(Area):
    """The widgets of the agreement screen, and how they are filled from a docket.

    Args:
        key_of: Gives the key of an action, as a person reads it.
    """

    DEFAULT_CSS: ClassVar[str] = """
    Settling { width: 1fr; height: 1fr; layout: vertical; overflow: hidden; }
    Settling #side { width: 30; height: 1fr; layout: vertical; overflow: hidden; }
    Settling #pair { width: 1fr; height: 1fr; layout: vertical; overflow: hidden; }
    Settling #verdicts { height: 3; }
    Settling #sheet { display: none; }
    Settling.-reading #sheet { display: block; }
    Settling.-reading #verdicts, Settling.-reading #document { display: none; }
    Settling.-alone #side { display: none; }
    """

    def __init__(self, key_of: Callable[[str], str]) -> None:
        super().__init__(id="settling")
        self._key_of = key_of
        self._docket: Docket | None = None
        self._notice: Span | None = None
        self._reading = ""
        self._alone: bool | None = None
        self._token = 0
        self._on_table: tuple[str, str] | None = None
        self._document: Document | None = None
        self._query: Query | None = None
        self._waiting: int | None = None

    def compose(self) -> ComposeResult:
        """Put the widgets together from top to bottom."""
        yield Bar("header")
        yield Bar("query")
        yield Rule("rule")
        with Area(id="panes"):
            with Area(id="side"):
                yield Bar("figures")
                yield Rule("table-rule")
                yield Bar("table")
                yield Rule("list-rule")
                yield Bar("heading")
                yield Disagreements("list")
            with Area(id="pair"):
                yield Sheet("verdicts")
                yield DocView("document")
                yield Sheet("sheet")
        yield Bar("status")
        yield ChoiceBar("grades")
        yield Bar("keys")

    # -- size

    def fit_size(self, width: int, height: int) -> None:
        """Fit the parts to the size of the screen."""
        alone = width < BOTH_FROM_WIDTH if self._alone is None else self._alone
        self.set_class(alone, "-alone")
        side = self.query_one("#side")
        side.styles.width = max(NARROWEST, min(WIDEST, width * 35 // 100))
        self.query_one("#query").styles.height = 2 if height >= TALL else 1
        grades = self.query_one("#grades", ChoiceBar)
        rows = min(2, grades.rows_needed(self._choices(), width))
        grades.styles.height = rows
        if self._docket is not None:
            self._fit_side(self._docket, height - rows - (6 if height >= TALL else 5))

    def _fit_side(self, docket: Docket, height: int) -> None:
        """Give the figures and the table what the list can spare."""
        couple = docket.couple
        table = 1 + len(couple.confusion) if couple else 0
        width = max(NARROWEST, min(WIDEST, self.app.size.width * 35 // 100))
        spare = height - 2 - LIST_ROWS
        fits = couple is not None and table_width(couple) < width and spare >= table + 2
        spare -= table + 1 if fits else 0
        told = len(figures_to_tell(docket.agreement))
        figures = 1 + told if spare > told + 2 else max(1, min(4, spare))
        self.query_one("#table").display = self.query_one("#table-rule").display = fits
        self.query_one("#table").styles.height = table
        self.query_one("#figures").styles.height = figures

    def zoom(self, width: int, height: int) -> None:
        """Show the document without the list, or with it again."""
        self._alone = not self.has_class("-alone")
        self.fit_size(width, height)

    # -- content

    @property
    def token(self) -> int:
        """Names this showing of a pair."""
        return self._token

    @property
    def pane(self) -> Pane:
        """What the paging keys move."""
        return self.query_one(
            "#sheet" if self._reading else "#document", Sheet if self._reading else DocView
        )

    @property
    def is_reading(self) -> bool:
        """Whether a sheet covers the document."""
        return bool(self._reading)

    def show(self, docket: Docket) -> None:
        """Draw a docket as it is now."""
        if docket is not self._docket:
            self._docket = docket
            self.fit_size(*self.app.size)
        self._say_side(docket)
        current = docket.current
        if current is None:
            name = docket.adjudication.dataset.name
            if docket.agreement.figures.pairs:
                self.read("agreement", agreed_entries(docket.agreement))
            else:
                self.read("agreement", nobody_entries(docket.agreement, name))
        elif (current.query_id, current.doc_id) != self._on_table:
            self._put_on_table(docket)
        if current is not None:
            self._say_query(self._query, current.query_id)
        self.say_header()
        self._say_verdicts()
        self._say_rule()
        # The verdicts decide how much room the document has, so its place is known only then.
        self.call_after_refresh(self._say_rule)
        self.say_status()
        self._say_grades()

    def _put_on_table(self, docket: Docket) -> None:
        """Show another pair; a key counts for it only when it was painted."""
        current = docket.current
        if current is None:
            return
        self._on_table = (current.query_id, current.doc_id)
        self._token += 1
        self._query, self._document = docket.texts()
        query = self._query
        terms = terms_of(query.text) if query else frozenset[str]()
        self.query_one("#document", DocView).show_document(self._document, terms)
        self._waiting = self._token

    def painted(self) -> Painted | None:
        """Give the pair whose frame has just been sent, once; None: no new one."""
        drawn_at = self.query_one("#document", DocView).drawn_at
        token = self._waiting
        if token is None or drawn_at is None:
            return None
        self._waiting = None
        return Painted(token, drawn_at)

    def say_header(self) -> None:
        """Write of which dataset, how much is left, and whether all is saved."""
        docket = self._docket
        if docket is None:
            return
        adjudication = docket.adjudication
        total = len(docket.disagreements)
        left = f"{docket.left:,} of {total:,} to settle   " if total else ""
        names = "" if not total else "names shown   " if docket.revealed else "names hidden   "
        who = f"{adjudication.dataset.name}  agreement  {adjudication.adjudicator}"
        room = self.app.size.width - len(who) - 20
        short = f"{docket.left:,} left   " if total else ""
        facts = next((text for text in (names + left, left, short) if len(text) <= room), "")
        self.query_one("#header", Bar).say(
            Line(
                (Span(" judge  ", "accent"), Span(who, "strong")),
                (Span(facts), saved(adjudication.save_state), Span(" ")),
            )
        )

    def say(self, text: str, role: str = "dim") -> None:
        """Show a notice in the status line; an empty one takes the last away."""
        self._notice = Span(text, role) if text else None
        self.say_status()

    def say_status(self) -> None:
        """Write how far apart the grades are, and the notice if there is one."""
        docket = self._docket
        spans = [Span(" ")]
        if docket is not None and (current := docket.current) is not None:
            place = f"{docket.cursor + 1} of {len(docket.disagreements)}  "
            spans += [Span(place, "dim"), Span(how_apart(current), "strong")]
        right = (Span("  "), self._notice, Span(" ")) if self._notice else ()
        self.query_one("#status", Bar).say(Line(tuple(spans), right))

    def say_place(self) -> None:
        """Write anew which lines of the text are on screen."""
        self._say_rule()

    def _say_query(self, query: Query | None, query_id: str) -> None:
        bar, width = self.query_one("#query", Bar), self.app.size.width
        if query is None:
            bar.say(Line((Span(f" {query_id}", "strong"), Span("  not in the dataset", "warn"))))
            return
        text = first_lines(query.text, width - LANGUAGE_ROOM, 1)[0]
        lines = [
            Line((Span(f" {text}", "strong"),), (Span(f"  {spoken(query.language)} ", "dim"),))
        ]
        if query.description.strip():
            need = first_lines(query.description, width - 2, 1)[0]
            lines.append(Line((Span(f" {need}", "dim"),)))
        bar.say(*lines)

    def _say_side(self, docket: Docket) -> None:
        width = self._side_width
        agreement, couple = docket.agreement, docket.couple
        figures = self.query_one("#figures", Bar)
        rows = int(figures.styles.height.value) if figures.styles.height else 1
        figures.say(*figure_lines(agreement, rows, width))
        if couple is not None:
            title = couple_title(couple, width)
            self.query_one("#table-rule", Rule).say([Span(title, "strong")])
            self.query_one("#table", Bar).say(*table_lines(couple, agreement.grades))
        rows_of = self.query_one("#list", Disagreements)
        rows_of.show_docket(docket)
        total = len(docket.disagreements)
        self.query_one("#list-rule", Rule).say([Span(f"disagreements {total:,}", "strong")])
        heading = rows_of.heading() if total else ""
        self.query_one("#heading", Bar).say(Line((Span(heading, "dim"),)))

    def refresh_row(self, index: int) -> None:
        """Draw a row of the list anew: its final grade is another."""
        self.query_one("#list", Disagreements).refresh_rows(index)

    @property
    def _side_width(self) -> int:
        return max(NARROWEST, min(WIDEST, self.app.size.width * 35 // 100))

    def _say_verdicts(self) -> None:
        docket = self._docket
        if docket is None or (current := docket.current) is None:
            return
        final = docket.final(docket.cursor)
        note = docket.adjudication.note_on(current.query_id, current.doc_id)
        entries = verdict_entries(
            current.blind(), final, note, docket.adjudication.scale, named=docket.names_known
        )
        if self._document is None:
            entries.insert(0, Entry("this document is not in the dataset", "warn"))
        sheet = self.query_one("#verdicts", Sheet)
        width = sheet.text_width if sheet.size.width else self.app.size.width
        most = max(2, self.app.size.height // 3)
        if sum(len(entry_lines(entry, width)) for entry in entries) > most:
            entries = [replace(e, text=fit(shown(e.text), width - e.indent)) for e in entries]
        # What is final comes last, and is seen however many annotators there are.
        entries = [*entries[: most - 1], *entries[max(most - 1, len(entries) - 1) :]]
        entries.append(Entry("─" * width, "rule"))
        sheet.styles.height = sum(len(entry_lines(entry, width)) for entry in entries)
        sheet.say(entries)

    def _say_rule(self) -> None:
        docket = self._docket
        left: list[Span] = [Span("figures", "strong")]
        right: list[Span] = []
        if docket is not None and (current := docket.current) is not None:
            document = self._document
            place = self.query_one("#document", DocView).place()
            language = spoken(document.language) if document else ""
            facts = "".join(f"{fact}   " for fact in (place, language) if fact)
            name = fit(shown(current.doc_id[:200]), 40)
            right = [Span("document  ", "strong"), Span(facts, "dim"), Span(name, "dim")]
        if self._reading:
            right = [Span(self._reading, "strong")]
            if docket is not None and docket.current is not None:
                right.append(Span(f"  {self._key_of('back')} closes", "dim"))
        alone = self.has_class("-alone")
        at = 0 if alone else self._side_width
        self.query_one("#rule", Rule).say([] if alone else left, right, at=at)

    def _say_grades(self) -> None:
        self.query_one("#grades", ChoiceBar).say(self._choices())

    def _choices(self) -> list[Choice]:
        docket = self._docket
        if docket is None or (current := docket.current) is None:
            return []
        scale, final = docket.adjudication.scale, docket.final(docket.cursor)
        given = final.grade if final is not None else None
        grades = grade_choices(scale, self._key_of, given)
        marked = final is not None and final.hard_negative
        which = "higher" if current.size or current.marks_differ else "one given"
        return [
            *grades,
            Choice(self._key_of("hard_negative"), "hard negative", marked),
            Choice(self._key_of("accept"), f"{current.highest}, the {which}"),
            Choice(self._key_of("skip"), "skip"),
        ]

    # -- what may stand in the place of the document

    def read(self, title: str, blocks: Sequence[Block]) -> None:
        """Show a sheet in the place of verdicts and document."""
        self._reading = title
        self.query_one("#sheet", Sheet).say(blocks)
        self.add_class("-reading")
        self._say_rule()

    def stop_reading(self) -> None:
        """Show the document again."""
        if self._reading:
            self._reading = ""
            self.remove_class("-reading")
            self._say_rule()
