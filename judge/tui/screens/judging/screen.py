"""The screen where documents are judged: a key calls one method of the session, then it draws."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING, ClassVar

from textual.worker import WorkerState

from judge.core.text import shown
from judge.judging.session import REASONS
from judge.tui.actions import JUDGING, bindings
from judge.tui.attention import NOTHING, Attention
from judge.tui.phrases import graded
from judge.tui.screens.judging.looking import LookingScreen
from judge.tui.screens.judging.marking import Marking
from judge.tui.screens.judging.modes import Table
from judge.tui.screens.judging.reading import all_judged, nothing_left
from judge.tui.screens.room import WAIT
from judge.tui.widgets.bar import Choice
from judge.tui.widgets.field import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.timer import Timer
    from textual.widgets import Input
    from textual.worker import Worker

    from judge.judging.session import Outcome, Session

PAUSE = 0.15
"""Seconds that a card is looked at before near-copies of it are looked for."""


class JudgingScreen(LookingScreen):
    """One card at a time. The rules are the session's; here is which card a key was meant for."""

    ACTIONS = JUDGING
    BINDINGS: ClassVar = bindings("judging", JUDGING)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._attention = Attention()
        self._near_timer: Timer | None = None
        self._was_finished = self._is_finished()
        self._note_token = NOTHING
        self._was_seen = self._has_compared = False

    def redraw(self) -> None:
        """Draw the session as it is."""
        super().redraw()
        if self._session.card is None:
            self._say_finished()

    def on_mount(self) -> None:
        """Greet, or warn if the session has something to warn of."""
        self._near_timer = self.set_interval(PAUSE, self._look_for_near, pause=True)
        if self._session.warnings:
            self.board.say(self._session.warnings[0], "warn")
        else:
            self.board.say(f"{self.key_of('help')} shows all keys")

    def on_resize(self, event: events.Resize) -> None:
        """Fit the screen; while it is too small nobody sees the card, so no key is meant for it."""
        super().on_resize(event)
        if self.is_small:
            self._attention.painted(NOTHING, event.time)

    def after_display(self) -> None:
        """Report the card whose frame was just sent to the terminal."""
        if not self._is_laid_out or self.is_small:
            return
        painted = self.board.painted()
        if painted is not None:
            self._attention.painted(painted.token, painted.at)
            self._session.painted(painted.token)
            if self._near_timer is not None:
                self._near_timer.reset()
                self._near_timer.resume()
            if not self._was_seen:
                # The screen is complete and stays: not looking through it again spares pauses.
                gc.freeze()
                self._was_seen = True

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
            leave, back, on = map(self.key_of, ("back", "previous", "next"))
            told = f"there is nothing to judge here: {leave} leaves, {on} {back} go back"
            self.board.say(told, "warn")
            return
        outcome = call(self._attention.at(keyboard.pressed))
        self._after(outcome, self._undoable(done), card.query.id)

    def _undoable(self, done: str) -> str:
        """Say what was done, and how it is taken back."""
        return f"{done} ({self.key_of('undo')} undoes)"

    def _after(self, outcome: Outcome, done: str = "", query_id: str = "") -> None:
        if not outcome.accepted:
            self.board.say(outcome.message, "warn")
            return
        if outcome.moved:
            self._leave_document()
        self.board.show()
        card = self._session.card
        told = outcome.message or done
        if query_id and card is not None and card.query.id != query_id:
            # The document alone does not show that it answers another question now.
            notice = f"{outcome.notice}; " if outcome.notice else ""
            self.board.say(f"{notice}NEW QUERY; before it: {told}", "accent")
        elif outcome.notice:
            self.board.say(f"{outcome.notice}; {told}", "accent")
        else:
            self.board.say(told)
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
        done = graded(scale, grade)
        self._act(lambda token: self._session.grade(token, grade), done)

    def action_hard_negative(self) -> None:
        """Mark as hard negative, or take the mark back."""
        card = self._session.card
        state = card.state if card else None
        if state is None or state.grade is None:
            done = f"graded {self._session.scale.min} as hard negative"
        else:
            done = "no hard negative any more" if state.hard_negative else "hard negative"
        self._act(self._session.hard_negative, done)

    def action_skip(self) -> None:
        """Leave unjudged and go on."""
        self._act(self._session.skip, "skipped")

    def action_flag(self) -> None:
        """Flag, or take the flag back."""
        card = self._session.card
        done = "flag taken away" if card and card.state.flagged else "flagged"
        self._act(self._session.flag, done)

    def action_clear(self) -> None:
        """Take the judgment back."""
        self._act(self._session.clear, "judgment taken back")

    def action_undo(self) -> None:
        """Undo the last action."""
        if not self.is_small:
            self._after(self._session.undo(), f"undone ({self.key_of('redo')} redoes)")

    def action_redo(self) -> None:
        """Redo what was undone."""
        if not self.is_small:
            self._after(self._session.redo(), self._undoable("redone"))

    def action_same(self) -> None:
        """Take over the grade of the near-copy."""
        self._act(self._session.same, "graded like its near-copy")

    def action_rest(self) -> None:
        """Give what is unjudged in this query the lowest grade."""
        self._act(self._session.rest, "the rest graded")

    def action_cannot_judge(self) -> None:
        """Ask why."""
        if self._session.card is not None:
            choices = [Choice(key, reason) for key, reason in REASONS.items()]
            self._ask("cannot judge:", choices, self._cannot_judge)

    def _cannot_judge(self, key: str) -> None:
        reason = REASONS[key]
        done = f"cannot judge: {reason}"
        self._act(lambda token: self._session.cannot_judge(token, reason), done)

    # -- evidence

    def action_evidence(self) -> None:
        """Mark lines of the document as evidence."""
        card = self._session.card
        if card is None or self.is_small:
            return
        if not card.document.text:
            self.board.say("this document has no text to mark", "warn")
            return
        self.board.stop_reading()
        self._end_mode()
        keys = Table(self.judge.keys, "evidence")
        self._start_mode(Marking(self.board, keys, self._keep_evidence, self._end_mode))

    def _keep_evidence(self, spans: Sequence[tuple[int, int]], done: str) -> None:
        self._act(lambda token: self._session.evidence(token, spans), done)

    # -- near-copies

    def _look_for_near(self) -> None:
        """Let a worker look for a near-copy of the card that is being looked at."""
        if self._near_timer is not None:
            self._near_timer.pause()
        card = self._session.card
        if card is not None and card.state.grade is None and self._session.graded():
            self.run_worker(
                self._session.look_for_near,
                thread=True,
                group="near-copies",
                exit_on_error=False,
                exclusive=True,
            )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Point out the near-copy that was found."""
        if event.worker.group != "near-copies":
            return
        if event.state is WorkerState.SUCCESS:
            if not self._has_compared:
                # The library that compares is loaded now, and stays.
                gc.freeze()
                self._has_compared = True
            self.board.say_near()
        elif event.state is WorkerState.ERROR:
            self.board.say(f"near-copies cannot be found: {event.worker.error!r}", "warn")

    # -- notes

    async def action_note(self) -> None:
        """Open a line to type a note into."""
        card = self._session.card
        if card is not None:
            self._note_token = self._attention.at(self.judge.keyboard.pressed)
            field = Field("note", card.state.note, "note: enter saves, esc leaves")
            await self.open_field(field, self.bar("status"))

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Save the note, or look for the words."""
        if event.input.id == "find":
            await self._find()
        else:
            await self.save_note()

    async def save_note(self) -> bool:
        """Save a note that is being typed; says whether nothing of it is lost."""
        if self._field is None or self._field.id != "note":
            return True
        # While a judgment is on its way to the disk, a note would be refused.
        await asyncio.to_thread(self._session.wait, WAIT)
        text = await self.close_field(self.bar("status"))
        card = self._session.card
        if card is None or text is None or text == shown(card.state.note):
            return True
        outcome = self._session.note(self._note_token, text)
        self._after(outcome, self._undoable("note saved"))
        return outcome.accepted

    async def keep(self) -> bool:
        """Save a note that is being typed."""
        return await self.save_note()

    async def on_field_left(self) -> None:
        """Forget what was typed."""
        await self.close_field(self.bar("status"))

    # -- saving

    def settled(self, outcome: Outcome) -> None:
        """Draw what became of a save; after a failure the card is back."""
        if outcome.accepted:
            self.board.say_header()
            return
        self._leave_document()
        self.board.show()
        self.board.say(outcome.message, "bad")

    def _say_finished(self) -> None:
        session = self._session
        if self._is_finished():
            title, entries = (
                "all judged",
                all_judged(
                    session.query_rows(), session.progress(), session.dataset.name, self.key_of
                ),
            )
        else:
            title, entries = "nothing left here", nothing_left(self.key_of)
        self.board.read(title, entries, "")
