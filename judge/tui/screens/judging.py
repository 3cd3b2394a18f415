"""The screen where documents are judged: a key calls one method of the session, then it draws."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, ClassVar

from judge.core.text import shown
from judge.judging.session import REASONS
from judge.tui.actions import JUDGING, bindings
from judge.tui.attention import NOTHING, Attention
from judge.tui.phrases import finished, graded
from judge.tui.screens.room import Room
from judge.tui.sheets import grade_entries, guideline_entries
from judge.tui.widgets.bar import Choice
from judge.tui.widgets.board import Board
from judge.tui.widgets.field import Field
from judge.tui.widgets.pane import Entry, Pane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual import events
    from textual.widget import Widget

    from judge.judging.session import Outcome, Session
    from judge.tui.widgets.rows import Rows


NOTHING_LEFT = (
    Entry("Nothing is left to judge here.", "strong"),
    Entry("goes to the next query with work left", lead="}", indent=5),
    Entry("goes back to the list of queries", lead="esc", indent=5),
)


class JudgingScreen(Room):
    """One card at a time. The rules are the session's; here is which card a key was meant for."""

    ACTIONS = JUDGING
    BINDINGS: ClassVar = bindings("judging", JUDGING)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._attention = Attention()
        self._asking = False
        self._was_finished = self._is_finished()
        self._note_token = NOTHING
        self._was_seen = False

    def parts(self) -> Iterable[Widget]:
        """Give the board."""
        yield Board(self._session)

    @property
    def board(self) -> Board:
        """The widgets."""
        return self.query_one(Board)

    def fit_size(self) -> None:
        """Fit the board to the size."""
        self.board.fit_size(*self.size)

    def redraw(self) -> None:
        """Draw the session as it is."""
        self.board.show()
        self.say_keys()
        if self._session.card is None:
            self._say_finished()

    def on_mount(self) -> None:
        """Greet, or warn if the session has something to warn of."""
        if self._session.warnings:
            self.board.say(self._session.warnings[0], "warn")
        else:
            self.board.say("? shows all keys")

    def after_display(self) -> None:
        """Report the card whose frame was just sent to the terminal."""
        if not self._is_laid_out or self.is_small:
            return
        painted = self.board.painted()
        if painted is not None:
            self._attention.painted(painted.token, painted.at)
            self._session.painted(painted.token)
            if not self._was_seen:
                # The screen is complete and stays: not looking through it again spares pauses.
                gc.freeze()
                self._was_seen = True

    def say(self, notice: str) -> None:
        """Show a warning in the status line."""
        self.board.say(notice, "warn")

    # -- judging

    def _act(self, call: Callable[[int], Outcome], done: str) -> None:
        """Judge the card that was on screen when the key was pressed, then draw what follows."""
        keyboard = self.judge.keyboard
        if self.is_small:
            return
        if keyboard.doubt:
            self.board.say(keyboard.doubt, "warn")
            return
        card = self._session.card
        if card is None:
            self.board.say("there is nothing to judge here: esc leaves, j k go back", "warn")
            return
        self._after(call(self._attention.at(keyboard.pressed)), done, card.query.id)

    def _after(self, outcome: Outcome, done: str = "", query_id: str = "") -> None:
        if not outcome.accepted:
            self.board.say(outcome.message, "warn")
            return
        if outcome.moved:
            self.board.stop_reading()
        self.board.show()
        card = self._session.card
        if query_id and card is not None and card.query.id != query_id:
            # The document alone does not show that it answers another question now.
            self.board.say(f"NEW QUERY; before it: {outcome.message or done}", "accent")
        else:
            self.board.say(outcome.message or done)
        if self._is_finished() and not self._was_finished:
            self._say_finished()
        self._was_finished = self._is_finished()

    def _is_finished(self) -> bool:
        progress = self._session.progress()
        return bool(progress.total) and progress.done >= progress.total

    def action_grade(self, grade: int) -> None:
        """Grade and go on."""
        scale = self._session.scale
        if grade not in scale.grades:
            self.board.say(f"there is no grade {grade}: {scale.min} to {scale.max}", "warn")
            return
        done = f"{graded(scale, grade)} (u undoes)"
        self._act(lambda token: self._session.grade(token, grade), done)

    def action_hard_negative(self) -> None:
        """Mark as hard negative, or take the mark back."""
        card = self._session.card
        state = card.state if card else None
        if state is None or state.grade is None:
            done = f"graded {self._session.scale.min} as hard negative"
        else:
            done = "no hard negative any more" if state.hard_negative else "hard negative"
        self._act(self._session.hard_negative, f"{done} (u undoes)")

    def action_skip(self) -> None:
        """Leave unjudged and go on."""
        self._act(self._session.skip, "skipped (u undoes)")

    def action_flag(self) -> None:
        """Flag, or take the flag back."""
        card = self._session.card
        done = "flag taken away" if card and card.state.flagged else "flagged"
        self._act(self._session.flag, f"{done} (u undoes)")

    def action_clear(self) -> None:
        """Take the judgment back."""
        self._act(self._session.clear, "judgment taken back (u undoes)")

    def action_undo(self) -> None:
        """Undo the last action."""
        if not self.is_small:
            self._after(self._session.undo(), "undone (ctrl+r redoes)")

    def action_redo(self) -> None:
        """Redo what was undone."""
        if not self.is_small:
            self._after(self._session.redo(), "redone (u undoes)")

    def action_cannot_judge(self) -> None:
        """Ask why."""
        if self._session.card is None or self.is_small:
            return
        self._asking = True
        choices = [Choice(key, reason) for key, reason in REASONS.items()]
        self.board.ask("cannot judge:", [*choices, Choice("esc", "cancel")])

    def on_key(self, event: events.Key) -> None:
        """Take the reason, while one is asked for; other keys ask again."""
        if not self._asking:
            return
        event.stop()
        event.prevent_default()
        self.judge.keyboard.press(event.key, event.time)
        if event.key != "escape" and event.character not in REASONS:
            self.board.say("press the key of a reason, or esc", "warn")
            return
        self._asking = False
        self.board.stop_asking()
        if event.key == "escape" or event.character is None:
            self.board.say("")
            return
        reason = REASONS[event.character]
        done = f"cannot judge: {reason} (u undoes)"
        self._act(lambda token: self._session.cannot_judge(token, reason), done)

    # -- notes

    async def action_note(self) -> None:
        """Open a line to type a note into."""
        card = self._session.card
        if card is not None:
            self._note_token = self._attention.at(self.judge.keyboard.pressed)
            field = Field("note", card.state.note, "note: enter saves, esc leaves")
            await self.open_field(field, self.bar("status"))

    async def on_input_submitted(self) -> None:
        """Save the note."""
        text = await self.close_field(self.bar("status"))
        card = self._session.card
        if card is not None and text is not None and text != shown(card.state.note):
            self._after(self._session.note(self._note_token, text), "note saved (u undoes)")

    async def save_note(self) -> None:
        """Save a note that is being typed."""
        await self.on_input_submitted()

    async def on_field_left(self) -> None:
        """Forget what was typed."""
        await self.close_field(self.bar("status"))

    # -- moving

    def _go(self, outcome: Outcome) -> None:
        if self.is_small:
            return
        if outcome.accepted:
            self.board.stop_reading()
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
        card, rows = self._session.card, self._session.rows()
        if card is not None and event.index < len(rows):
            self._go(self._session.go(card.query.id, rows[event.index].doc_id))

    # -- reading

    def on_pane_scrolled(self, event: Pane.Scrolled) -> None:
        """Say which lines are on screen."""
        event.stop()
        self.board.say_place()

    def action_page_down(self) -> None:
        """Move one page down."""
        self.board.pane.scroll_pages(1)

    def action_page_up(self) -> None:
        """Move one page up."""
        self.board.pane.scroll_pages(-1)

    def action_half_down(self) -> None:
        """Move half a page down."""
        self.board.pane.scroll_pages(0.5)

    def action_half_up(self) -> None:
        """Move half a page up."""
        self.board.pane.scroll_pages(-0.5)

    def action_top(self) -> None:
        """Go to the start of the text."""
        self.board.pane.to_top()

    def action_bottom(self) -> None:
        """Go to the end of the text."""
        self.board.pane.to_end()

    def action_zoom(self) -> None:
        """Show the document alone, or with the list."""
        self.board.zoom(*self.size)
        self.call_after_refresh(self.redraw)

    def action_guidelines(self) -> None:
        """Read the guidelines in the place of the document, or go back to it."""
        if self.board.is_reading:
            self.board.stop_reading()
            return
        card = self._session.card
        entries: list[Entry] = []
        if card is not None:
            entries += [
                Entry("Query", "strong"),
                Entry(card.query.text),
                Entry(card.query.description),
                Entry(),
            ]
        entries += [Entry("Grades", "strong"), *grade_entries(self._session.scale), Entry()]
        guidelines = guideline_entries(self._session.guidelines)
        entries += guidelines or [Entry("This dataset has no guidelines.", "dim")]
        self.board.read("guidelines", entries)

    async def action_back(self) -> None:
        """Close what covers the document, else go back to the queries."""
        if self.board.is_reading:
            self.board.stop_reading()
        else:
            await super().action_back()

    # -- saving

    def settled(self, outcome: Outcome) -> None:
        """Draw what became of a save; after a failure the card is back."""
        if outcome.accepted:
            self.board.say_header()
            return
        self.board.stop_reading()
        self.board.show()
        self.board.say(outcome.message, "bad")

    def _say_finished(self) -> None:
        rows, progress = self._session.query_rows(), self._session.progress()
        if not self._is_finished():
            self.board.read("nothing left here", NOTHING_LEFT)
            return
        lines = finished(rows, progress, self._session.dataset.name)
        entries = [Entry(lines[0], "good"), Entry()]
        entries += [Entry(line) for line in lines[1:]]
        entries += [
            Entry(),
            Entry("esc closes this; then j k and [ ] look back at what was judged", "dim"),
        ]
        self.board.read("all judged", entries)
