"""What an annotator sees of the card: header, query, candidates, document, judgment and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge.core.model import UNKNOWN_LANGUAGE
from judge.core.text import shown
from judge.tui.marking import LONGEST_QUERY, terms_of
from judge.tui.phrases import grade_label, judged_as, saved
from judge.tui.sheets import grade_entries, guideline_entries
from judge.tui.text.cells import fit
from judge.tui.text.wrap import wrap
from judge.tui.widgets.bar import Bar, Choice, ChoiceBar, Line, Rule
from judge.tui.widgets.candidates import Candidates
from judge.tui.widgets.docview import DocView
from judge.tui.widgets.ink import Area, Span
from judge.tui.widgets.pane import Entry, Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from judge.core.model import Query
    from judge.judging.session import Card, Session
    from judge.tui.widgets.pane import Block, Pane

LIST_FROM_WIDTH = 64
"""Below this width the document has the screen for itself."""
ASIDE_FROM_WIDTH, ASIDE_FROM_HEIGHT = 110, 34
"""From this size on the guidelines stand below the list."""
TALL = 30
SAMPLE = 300
"""Queries that are measured to find how many rows the longest takes."""
LANGUAGE_ROOM = 12
MARKS = (
    ("x", "hard negative"),
    ("s", "skip"),
    ("c", "cannot judge"),
    ("f", "flag"),
)


class Painted(NamedTuple):
    """A card that is on screen, and since when, in seconds of the monotonic clock."""

    token: int
    at: float


class Board(Area):
    """The widgets of the judging screen, and how they are filled from a session."""

    def __init__(self, session: Session) -> None:
        super().__init__(id="board")
        self._session = session
        self._notice: Span | None = None
        self._question: tuple[Sequence[Choice], str] | None = None
        self._reading_title = ""
        self._alone = False
        self._query: Query | None = None
        self._terms: frozenset[str] = frozenset()
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
                yield Rule("aside-rule")
                yield Sheet("aside")
            yield DocView("document")
            yield Sheet("reader")
        yield Bar("status")
        yield ChoiceBar("grades")
        yield Bar("keys")

    def on_mount(self) -> None:
        """Write what does not change."""
        session = self._session
        entries = [Entry("Grades", "strong"), *grade_entries(session.scale)]
        if guidelines := guideline_entries(session.guidelines):
            entries += [Entry(), *guidelines]
        self.query_one("#aside", Sheet).say(entries)
        self._query_numbers = {found.query.id: i for i, found in enumerate(session.query_rows(), 1)}

    # -- size

    def fit_size(self, width: int, height: int) -> None:
        """Fit the parts to the size of the screen."""
        self.set_class(self._alone or width < LIST_FROM_WIDTH, "-alone")
        aside = width >= ASIDE_FROM_WIDTH and height >= ASIDE_FROM_HEIGHT
        self.set_class(aside, "-aside")
        self.query_one("#left").styles.width = max(28, min(52, width * 3 // 10))
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
            self.query_one("#document", DocView).show_document(None, frozenset())
        else:
            self._show_query(card.query)
            self.query_one("#document", DocView).show_document(card.document, self._terms)
            self._waiting = card.token
        self.query_one("#list", Candidates).show_rows(session.rows())
        self._say_rule(card)
        self.say_status()
        self._say_grades(card)

    def painted(self) -> Painted | None:
        """Give the card whose frame has just been sent, once; None: no new one.

        A key counts for it from the moment when its frame was drawn: between that and the sending
        of the frame nobody can have seen the card, but nobody can have pressed a key for it either.
        """
        drawn_at = self.query_one("#document", DocView).drawn_at
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
        forms = (query + judged + in_all + today, query + judged + today, judged + today, counts)
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
        spans = [Span(" ")]
        if card is not None:
            spans += judged_as(card.state)
        right = (self._notice, Span(" ")) if self._notice else ()
        self.query_one("#status", Bar).say(Line(tuple(spans), right))

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
            place = self.query_one("#document", DocView).place()
            facts = "".join(f"{f}   " for f in (place, spoken(card.document.language)) if f)
            right = [Span("document  ", "strong"), Span(facts, "dim")]
            right.append(Span(fit(shown(card.document.id[:200]), 40), "dim"))
        if self._reading_title:
            right = [Span(self._reading_title, "strong"), Span("  o or esc closes", "dim")]
        alone = self.has_class("-alone")
        at = 0 if alone else self.query_one("#left").size.width
        self.query_one("#rule", Rule).say([] if alone else left, right, at=at)
        self.query_one("#aside-rule", Rule).say([Span("guidelines", "strong")])

    def _say_grades(self, card: Card | None) -> None:
        grades = self.query_one("#grades", ChoiceBar)
        if self._question is not None:
            grades.say(*self._question)
        else:
            grades.say(self._choices(card))

    def _choices(self, card: Card | None) -> list[Choice]:
        scale = self._session.scale
        state = card.state if card is not None else None
        choices = [
            Choice(str(g), grade_label(scale, g), state is not None and state.grade == g)
            for g in scale.grades
        ]
        chosen = {
            "x": state is not None and state.hard_negative,
            "s": state is not None and state.kind == "skipped",
            "c": state is not None and state.kind == "cannot_judge",
            "f": state is not None and state.flagged,
        }
        return choices + [Choice(key, label, chosen[key]) for key, label in MARKS]

    # -- what may stand in the place of the document or the grades

    def ask(self, title: str, choices: Sequence[Choice]) -> None:
        """Show a question in the place of the grades."""
        self._question = (tuple(choices), title)
        self._say_grades(self._session.card)

    def stop_asking(self) -> None:
        """Show the grades again."""
        self._question = None
        self._say_grades(self._session.card)

    @property
    def is_reading(self) -> bool:
        """Whether a sheet covers the document."""
        return bool(self._reading_title)

    def read(self, title: str, blocks: Sequence[Block]) -> None:
        """Show a sheet in the place of the document."""
        self._reading_title = title
        self.query_one("#reader", Sheet).say(blocks)
        self.add_class("-reading")
        self.say_place()

    def stop_reading(self) -> None:
        """Show the document again."""
        if self._reading_title:
            self._reading_title = ""
            self.remove_class("-reading")
            self.say_place()

    def zoom(self, width: int, height: int) -> None:
        """Give the whole width to the document, or take it back."""
        self._alone = not self._alone
        self.fit_size(width, height)

    @property
    def pane(self) -> Pane:
        """What the paging keys move."""
        if self.is_reading:
            return self.query_one("#reader", Sheet)
        return self.query_one("#document", DocView)


def spoken(language: str) -> str:
    """Give a language to show; an unknown one is not worth a word."""
    return "" if language == UNKNOWN_LANGUAGE else language


def first_lines(text: str, width: int, most: int) -> list[str]:
    """Give the first lines of a text as one paragraph, the last of them cut if there are more."""
    flat = " ".join(shown(text[:LONGEST_QUERY]).split())
    breaks = wrap(flat, max(1, width))
    lines = [flat[start:end].rstrip() for start, end in breaks[:most]]
    if len(breaks) > most:
        lines[-1] = fit(flat[breaks[most - 1].start :], width)
    return lines or [""]
