"""What an annotator sees of the card: header, query, candidates, document, judgment and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge.core.model import UNKNOWN_LANGUAGE
from judge.core.text import shown
from judge.tui.marking import LONGEST_QUERY, terms_of
from judge.tui.pacing import pace_facts
from judge.tui.phrases import judged_as, saved
from judge.tui.sheets import grade_entries, guideline_entries
from judge.tui.text.cells import fit
from judge.tui.text.wrap import wrap
from judge.tui.widgets.bar import Bar, Choice, ChoiceBar, Line, Rule, grade_choices
from judge.tui.widgets.candidates import Candidates
from judge.tui.widgets.docview import DocView
from judge.tui.widgets.graded import Graded
from judge.tui.widgets.ink import Area, Span, width_of
from judge.tui.widgets.pane import Entry, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult

    from judge.core.model import Document, Query
    from judge.judging.session import Card, Near, Row, Session
    from judge.tui.widgets.pane import Block, Pane

LIST_FROM_WIDTH = 64
"""Below this width the document has the screen for itself."""
ASIDE_FROM_WIDTH, ASIDE_FROM_HEIGHT = 110, 34
"""From this size on the guidelines stand below the list."""
BESIDE_FROM_WIDTH = 110
"""From this width on two documents stand side by side."""
TALL = 30
SAMPLE = 300
"""Queries that are measured to find how many rows the longest takes."""
LANGUAGE_ROOM = 12
MARKS = ("hard_negative", "skip", "cannot_judge", "flag")
"""The actions that stand beside the grades."""


class Painted(NamedTuple):
    """A card that is on screen, and since when, in seconds of the monotonic clock."""

    token: int
    at: float


class Board(Area):
    """The widgets of the judging screen, and how they are filled from a session.

    Args:
        session: What is judged.
        key_of: Gives the key of an action, as a person reads it.
    """

    def __init__(self, session: Session, key_of: Callable[[str], str]) -> None:
        super().__init__(id="board")
        self._session, self._key_of = session, key_of
        self._notice: Span | None = None
        self._question: tuple[Sequence[Choice], str] | None = None
        self._reading_title = self._reading_key = ""
        self._alone = False
        self._beside: Row | None = None
        self._query: Query | None = None
        self._terms: frozenset[str] = frozenset()
        self._near: Near | None = None
        self.highlights = True
        self._query_numbers: dict[str, int] = {}
        self._waiting: int | None = None
        self._is_shown = False

    def compose(self) -> ComposeResult:
        """Put the widgets together from top to bottom."""
        yield Bar("header")
        yield Bar("query")
        yield Rule("rule")
        with Area(id="panes"):
            with Area(id="left"):
                yield Candidates("list")
                yield Graded("graded")
                yield Rule("aside-rule")
                yield Sheet("aside")
            yield DocView("document")
            yield DocView("beside")
            yield Sheet("reader")
        yield Bar("status")
        yield ChoiceBar("grades")
        yield Bar("keys")

    def on_mount(self) -> None:
        """Write what does not change."""
        session = self._session
        for document in self.query(DocView):
            document.whole_key = self._key_of("whole")
        entries = [Entry("Grades", "strong"), *grade_entries(session.scale)]
        if guidelines := guideline_entries(session.guidelines):
            entries += [Entry(), *guidelines]
        self.query_one("#aside", Sheet).say(entries)
        self._query_numbers = {found.query.id: i for i, found in enumerate(session.query_rows(), 1)}

    # -- size

    def fit_size(self, width: int, height: int, list_width: int = 0) -> None:
        """Fit the parts to the size of the screen; a list width of 0 depends on it too."""
        self.set_class(self._alone or width < LIST_FROM_WIDTH, "-alone")
        self.set_class(width >= BESIDE_FROM_WIDTH, "-wide")
        aside = width >= ASIDE_FROM_WIDTH and height >= ASIDE_FROM_HEIGHT
        self.set_class(aside, "-aside")
        usual = list_width or max(28, min(52, width * 3 // 10))
        self.query_one("#left").styles.width = min(usual, width // 2)
        grades = self.query_one("#grades", ChoiceBar)
        most = 1 if height < 12 else 2 if height < TALL else 3
        rows = min(most, grades.rows_needed(self._choices(None), width))
        grades.styles.height = rows
        query_rows = self._query_rows(width, height)
        self.query_one("#query").styles.height = query_rows
        if aside:
            panes = height - query_rows - rows - 4
            most_candidates = max((r.total for r in self._session.query_rows()), default=1)
            self.query_one("#list").styles.height = max(5, min(most_candidates, panes - 12))
        else:
            self.query_one("#list").styles.height = "1fr"
        self._query = None

    def _query_rows(self, width: int, height: int) -> int:
        """Count the rows that query and information need may take: what most of them use."""
        most = 4 if height >= TALL else 2 if height >= 18 else 1
        needed = 1
        for found in self._session.query_rows()[:SAMPLE]:
            lines = first_lines(found.query.text, width - LANGUAGE_ROOM, most)
            if found.query.description.strip():
                lines += first_lines(found.query.description, width - 2, most)
            needed = max(needed, len(lines))
        return min(most, needed)

    # -- content

    def show(self) -> None:
        """Draw the session as it is now."""
        self._is_shown = True
        session = self._session
        card = session.card
        self.say_header()
        if card is None:
            self.document.show_document(None, frozenset())
        else:
            self._show_query(card.query)
            terms = self._terms if self.highlights else frozenset[str]()
            self.document.show_document(card.document, terms, card.query.text)
            self.document.show_evidence(card.state.evidence)
            self._waiting = card.token
        self.query_one("#list", Candidates).show_rows(session.rows())
        self._say_rule(card)
        self._near = session.near()
        self.say_status()
        self._say_grades(card)

    @property
    def document(self) -> DocView:
        """The document of the card."""
        return self.query_one("#document", DocView)

    @property
    def looked_at(self) -> DocView:
        """The document that the keys move: that beside the card's, if there is one."""
        return self.query_one("#beside", DocView) if self.is_beside else self.document

    @property
    def evidence(self) -> Sequence[tuple[int, int]]:
        """What is evidence in the document of the card."""
        card = self._session.card
        return card.state.evidence if card is not None else ()

    def painted(self) -> Painted | None:
        """Give the card whose frame has just been sent, once; None: no new one.

        A key counts for it from the moment when its frame was drawn: between that and the sending
        of the frame nobody can have seen the card, but nobody can have pressed a key for it either.
        """
        drawn_at = self.document.drawn_at
        token = self._waiting
        if token is None or drawn_at is None:
            return None
        self._waiting = None
        return Painted(token, drawn_at)

    def say_header(self) -> None:
        """Write who judges what, how far it is, and whether all is saved."""
        session, card = self._session, self._session.card
        progress = session.progress()
        who = f"{session.dataset.name}  {session.annotator}"
        query = ""
        if card is not None:
            number = self._query_numbers.get(card.query.id, 0)
            query = f"query {number}/{len(self._query_numbers)}   "
        judged = f"judged {progress.query_done}/{progress.query_total}   "
        in_all = f"in all {progress.done:,}/{progress.total:,}   "
        today = f"today {progress.today}   "
        room = self.size.width - len(who) - 20
        counts = f"{progress.query_done}/{progress.query_total}   "
        pace = pace_facts(session.pace())
        most = query + judged + in_all + today
        forms = (most + pace, most, query + judged + today, judged + today, counts)
        facts = next((form for form in forms if len(form) <= room), "")
        self.query_one("#header", Bar).say(
            Line(
                (Span(" judge  ", "accent"), Span(who, "strong")),
                (Span(facts), saved(session.save_state), Span(" ")),
            )
        )

    def say(self, text: str, role: str = "dim") -> None:
        """Show a notice in the status line; an empty one takes the last away."""
        self._notice = Span(text, role) if text else None
        self.say_status()

    def say_status(self) -> None:
        """Write the judgment of the card, and the notice if there is one.

        Nothing is said of a card before it is there to be seen.
        """
        if not self._is_shown:
            return
        card = self._session.card
        left = [Span(" ")]
        if card is not None:
            left += judged_as(card.state)
        right = [self._notice, Span(" ")] if self._notice else []
        near = self._near if self._question is None else None
        if card is not None and card.state.grade is None and near is not None:
            left.append(Span(f"   {self._likeness(near)}", "accent"))
            # That something was done is said again by the list; that they are alike, nowhere.
            is_minor = self._notice is not None and self._notice.role == "dim"
            if is_minor and width_of(left) + width_of(right) >= self.size.width:
                right = []
        self.query_one("#status", Bar).say(Line(tuple(left), tuple(right)))

    def say_near(self) -> None:
        """Point out the near-copy that was found of the card."""
        self._near = self._session.near()
        self.say_status()

    def _likeness(self, near: Near) -> str:
        title = fit(shown(near.title.strip()[:200] or near.doc_id), max(8, self.size.width - 68))
        mark = " as hard negative" if near.hard_negative else ""
        share = int(100 * near.share)
        return (
            f'{share} % like "{title}", which you graded {near.grade}{mark}:'
            f" {self._key_of('same')} gives the same"
        )

    def _show_query(self, query: Query) -> None:
        if query == self._query:
            return
        self._query, self._terms = query, terms_of(query.text)
        self.query_one("#query", Bar).say(*self._query_lines(query))

    def _query_lines(self, query: Query) -> list[Line]:
        rows, width = self.query_one("#query").size.height or 1, self.size.width
        needs = query.description.strip()
        most = max(1, rows // 2) if needs else rows
        language = (Span(f"  {spoken(query.language)} ", "dim"),)
        texts = first_lines(query.text, width - LANGUAGE_ROOM, most)
        lines = [Line((Span(f" {text}", "strong"),)) for text in texts]
        lines[0] = lines[0]._replace(right=language)
        if needs and rows > len(lines):
            more = first_lines(needs, width - 2, rows - len(lines))
            lines += [Line((Span(f" {text}", "dim"),)) for text in more]
        return lines

    def say_place(self) -> None:
        """Write anew which lines of the text are on screen."""
        self._say_rule(self._session.card)

    def _say_rule(self, card: Card | None) -> None:
        left: list[Span] = []
        right: list[Span] = []
        if card is not None:
            left = [
                Span("candidates ", "strong"),
                Span(f"{card.position + 1} of {card.total}", "dim"),
            ]
            place = self.document.place()
            facts = "".join(f"{f}   " for f in (place, spoken(card.document.language)) if f)
            right = [Span("document  ", "strong"), Span(facts, "dim")]
            right.append(Span(fit(shown(card.document.id[:200]), 40), "dim"))
        if self._reading_title:
            keys = " or ".join(key for key in (self._reading_key, self._key_of("back")) if key)
            closes = f"{keys} closes"
            right = [Span(self._reading_title, "strong"), Span(f"  {closes}", "dim")]
        elif self._beside is not None:
            right = self._beside_title(right)
        if self.has_class("-viewing"):
            graded = self.query_one("#graded", Graded)
            left = [Span("graded ", "strong")]
            left.append(Span(f"{graded.cursor + 1} of {graded.count}", "dim"))
        alone = self.has_class("-alone")
        at = 0 if alone else self.query_one("#left").size.width
        if alone and self.has_class("-viewing") and self._beside is None:
            right = left
        self.query_one("#rule", Rule).say([] if alone else left, right, at=at)
        self.query_one("#aside-rule", Rule).say([Span("guidelines", "strong")])

    def _beside_title(self, document: Sequence[Span]) -> list[Span]:
        """Give the titles of the two documents, or of the one that there is room for."""
        if (row := self._beside) is None:
            return list(document)
        title = [Span("beside  ", "strong"), Span(fit(shown(row.doc_id[:200]), 30), "dim")]
        title.append(Span(f", graded {row.state.grade}", "strong"))
        if not self.has_class("-wide"):
            return title
        left = 0 if self.has_class("-alone") else self.query_one("#left").size.width
        room = (self.size.width - left) // 2 - 3
        used = width_of(document)
        if used >= room:
            return title
        return [*document, Span(" " + "─" * (room - used - 2) + " ", "rule"), *title]

    def _say_grades(self, card: Card | None) -> None:
        grades = self.query_one("#grades", ChoiceBar)
        if self._question is not None:
            grades.say(*self._question)
        else:
            grades.say(self._choices(card))

    def _choices(self, card: Card | None) -> list[Choice]:
        scale = self._session.scale
        state = card.state if card is not None else None
        choices = grade_choices(scale, self._key_of, state.grade if state is not None else None)
        chosen = {
            "hard_negative": state is not None and state.hard_negative,
            "skip": state is not None and state.kind == "skipped",
            "cannot_judge": state is not None and state.kind == "cannot_judge",
            "flag": state is not None and state.flagged,
        }
        marks = [Choice(self._key_of(m), m.replace("_", " "), chosen[m]) for m in MARKS]
        return choices + marks

    # -- what may stand in the place of the document or the grades

    def ask(self, title: str, choices: Sequence[Choice]) -> None:
        """Show a question in the place of the grades."""
        self._question = (tuple(choices), title)
        self._say_grades(self._session.card)
        self.say_status()

    def stop_asking(self) -> None:
        """Show the grades again."""
        self._question = None
        self._say_grades(self._session.card)
        self.say_status()

    @property
    def is_reading(self) -> bool:
        """Whether a sheet covers the document."""
        return bool(self._reading_title)

    def read(self, title: str, blocks: Sequence[Block], key: str) -> None:
        """Show a sheet in the place of the document; the key closes it too."""
        self._reading_title, self._reading_key = title, key
        self.query_one("#reader", Sheet).say(blocks)
        self.add_class("-reading")
        self.say_place()

    def stop_reading(self) -> None:
        """Show the document again."""
        if self._reading_title:
            self._reading_title = ""
            self.remove_class("-reading")
            self.say_place()

    def zoom(self) -> None:
        """Give the whole width to the document, or take it back; then the size must be fitted."""
        self._alone = not self._alone

    # -- what was graded before

    def view(self, rows: Sequence[Row]) -> None:
        """Show graded documents in the place of the candidates."""
        self.query_one("#graded", Graded).show_rows(rows)
        self.add_class("-viewing")
        self.move_view(0)

    def move_view(self, step: int) -> Row:
        """Move in that list, and say what is known of the document."""
        graded = self.query_one("#graded", Graded)
        graded.move_to(graded.cursor + step)
        row = graded.rows[graded.cursor]
        known = "".join(span.text for span in judged_as(row.state))
        self.say(f"{row.doc_id}: {known}", "accent")
        self.say_place()
        return row

    @property
    def is_beside(self) -> bool:
        """Whether a document is looked at besides that of the card."""
        return self._beside is not None

    def show_beside(self, document: Document, row: Row) -> None:
        """Show a graded document beside that of the card, or in its place if there is no room."""
        self._beside = row
        query = self._query.text if self._query else ""
        beside = self.query_one("#beside", DocView)
        beside.show_document(document, self._terms, query)
        beside.show_evidence(row.state.evidence)
        self.add_class("-beside")
        self.say_place()

    def stop_beside(self) -> None:
        """Take the second document away."""
        self._beside = None
        self.remove_class("-beside")
        self.say_place()

    def stop_viewing(self) -> None:
        """Show the candidates again."""
        self.stop_beside()
        self.remove_class("-viewing")
        self.say_place()

    @property
    def pane(self) -> Pane:
        """What the paging keys move."""
        if self.is_reading:
            return self.query_one("#reader", Sheet)
        return self.looked_at


def spoken(language: str) -> str:
    """Give a language to show; an unknown one is not worth a word."""
    return "" if language == UNKNOWN_LANGUAGE else language


def first_lines(text: str, width: int, most: int) -> list[str]:
    """Give the first lines of a text as one paragraph, the last of them cut if there are more."""
    flat = " ".join(shown(text[:LONGEST_QUERY]).split())
    breaks = wrap(flat, max(1, width))
    lines = [flat[start:end].rstrip() for start, end, _ in breaks[:most]]
    if len(breaks) > most:
        lines[-1] = fit(flat[breaks[most - 1].start :], width)
    return lines or [""]
