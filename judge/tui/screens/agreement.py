"""The agreement screen: how far annotators agree, and one final grade after the other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from judge.core.text import shown
from judge.tui.actions import AGREEMENT, bindings
from judge.tui.attention import NOTHING, Attention
from judge.tui.docket import loaded
from judge.tui.phrases import graded
from judge.tui.screens.paging import Paging
from judge.tui.screens.room import WAIT
from judge.tui.widgets.disagreements import figure_entries, verdict_entries
from judge.tui.widgets.field import Field
from judge.tui.widgets.pane import Entry
from judge.tui.widgets.settling import Settling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.widget import Widget

    from judge.dataset.store import Dataset
    from judge.judging.adjudication import Ruling
    from judge.tui.docket import Docket
    from judge.tui.widgets.pane import Pane
    from judge.tui.widgets.rows import Rows

UNPAINTED = "key ignored: the next document was not on screen yet"
STALE = "key ignored: it was meant for the document before"
NOTHING_THERE = "there is nothing to settle here"
NOT_SAVED = "the last final grade is NOT saved; the same key again leaves without it"


class Loaded(Message):
    """The labels were compared; a text says why they could not be."""

    def __init__(self, found: Docket | str) -> None:
        super().__init__()
        self.found = found


class SaveEnded(Message):
    """The writer has something to settle."""


class AgreementScreen(Paging):
    """One disagreement at a time. What a final grade means is the adjudication's business."""

    ACTIONS = AGREEMENT
    BINDINGS: ClassVar = bindings("agreement", AGREEMENT)

    def __init__(self, dataset: Dataset, adjudicator: str) -> None:
        super().__init__()
        self._dataset, self._adjudicator = dataset, adjudicator
        self._docket: Docket | None = None
        self._problem = ""
        self._attention = Attention()
        self._note_token = NOTHING
        self._leaving = False

    def parts(self) -> Iterable[Widget]:
        """Give the widgets."""
        yield Settling(self.key_of)

    @property
    def board(self) -> Settling:
        """The widgets."""
        return self.query_one(Settling)

    @property
    def _undo_key(self) -> str:
        return self.key_of("undo")

    @property
    def docket(self) -> Docket | None:
        """What is settled here; None until it is loaded."""
        return self._docket

    def fit_size(self) -> None:
        """Fit the board to the size."""
        self.board.fit_size(*self.size)

    def redraw(self) -> None:
        """Draw everything as it is."""
        self.say_keys()
        if self._docket is not None:
            self.board.show(self._docket)
        elif self._problem:
            self.board.read("agreement", [Entry(self._problem, "warn")])
        else:
            self.board.read("agreement", [Entry("comparing the judgments…", "dim")])

    def say(self, notice: str) -> None:
        """Show a warning in the status line."""
        self.board.say(notice, "warn")

    # -- loading

    def on_mount(self) -> None:
        """Paint first; reading all labels takes time."""
        self.call_after_refresh(self._start)

    def _start(self) -> None:
        self.run_worker(self._load, thread=True, exit_on_error=False, group="agreement")

    def _load(self) -> None:
        found = loaded(self._dataset, self._adjudicator, self.judge.clock)
        if not get_current_worker().is_cancelled:
            self.post_message(Loaded(found))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show what went wrong in the worker; it is no reason to end the program."""
        event.stop()
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.on_loaded(Loaded(str(error) or type(error).__name__))

    def on_loaded(self, event: Loaded) -> None:
        """Show the disagreements, or why there are none to show."""
        if isinstance(event.found, str):
            self._problem = event.found
        else:
            self._docket = event.found
            self._docket.adjudication.subscribe(self._save_ended)
            self.board.stop_reading()
        self.redraw()
        if self._docket is not None and self._docket.warnings:
            self.say(self._docket.warnings[0])

    async def on_unmount(self) -> None:
        """Let the last save end."""
        if self._docket is not None:
            await asyncio.to_thread(self._docket.adjudication.close)

    # -- keys, frames and saves

    def after_display(self) -> None:
        """Note which pair was in the frame that was just sent to the terminal."""
        if self._is_laid_out and not self.is_small and (painted := self.board.painted()):
            self._attention.painted(painted.token, painted.at)

    def _save_ended(self) -> None:
        """Called by the writer's thread."""
        self.post_message(SaveEnded())

    def on_save_ended(self) -> None:
        """Show what became of a save; after a failure its pair is back."""
        if self._docket is None:
            return
        ruling = self._docket.adjudication.settle()
        if ruling.accepted:
            self._leaving = False
            self.judge.forget_warning()
            self.board.say_header()
        else:
            self._come_back(ruling)

    def _come_back(self, ruling: Ruling) -> None:
        """Go to what a ruling speaks of, as it is now."""
        docket = self._docket
        if docket is None:
            return
        if docket.changed(ruling.pair) and ruling.pair is not None:
            docket.go_to(ruling.pair)
            self.board.refresh_row(docket.cursor)
        self.board.stop_reading()
        self.board.show(docket)
        self.board.say(ruling.message, "dim" if ruling.accepted else "bad")

    # -- settling

    def _act(self, call: Callable[[Docket, str, str], Ruling], done: str, *, go_on: bool) -> None:
        """Settle the pair that was on screen when the key was pressed, then show the next."""
        keyboard, docket = self.judge.keyboard, self._docket
        if self.is_small or docket is None:
            return
        if (current := docket.current) is None:
            self.say(NOTHING_THERE)
        elif keyboard.doubt:
            self.say(keyboard.doubt)
        elif (token := self._attention.at(keyboard.pressed)) != self.board.token:
            self.say(UNPAINTED if token == NOTHING else STALE)
        else:
            self._after(call(docket, current.query_id, current.doc_id), done, go_on=go_on)

    def _after(self, ruling: Ruling, done: str, *, go_on: bool) -> None:
        docket = self._docket
        if docket is None:
            return
        if not ruling.accepted:
            if ruling.pair is not None:
                self._come_back(ruling)
            else:
                self.say(ruling.message)
            return
        docket.changed(ruling.pair)
        self.board.refresh_row(docket.cursor)
        if go_on:
            docket.seek_open(1)
        self.board.stop_reading()
        self.board.show(docket)
        if docket.left == 0 and go_on:
            name = self._dataset.name
            self.board.say(f"all settled. Next: judge score {name} --labels adjudicated", "good")
        else:
            self.board.say(done)

    def action_grade(self, grade: int) -> None:
        """Settle on a grade and go on."""
        scale = self._dataset.manifest.scale
        if grade not in scale.grades:
            self.say(f"there is no grade {grade}: {scale.min} to {scale.max}")
            return
        done = f"final: {graded(scale, grade)} ({self._undo_key} undoes)"
        self._act(lambda docket, *pair: docket.adjudication.grade(*pair, grade), done, go_on=True)

    def action_accept(self) -> None:
        """Settle on the highest grade given, with the mark if most set it, and go on."""
        current = self._docket.current if self._docket else None
        if current is None:
            return
        given = graded(self._dataset.manifest.scale, current.highest)
        self._act(
            lambda docket, *pair: docket.adjudication.grade(
                *pair, current.highest, hard_negative=current.marked
            ),
            f"final: {given} ({self._undo_key} undoes)",
            go_on=True,
        )

    def action_hard_negative(self) -> None:
        """Mark as hard negative, or take the mark back."""
        docket = self._docket
        final = docket.final(docket.cursor) if docket and docket.disagreements else None
        done = "no hard negative any more" if final and final.hard_negative else "hard negative"
        self._act(
            lambda docket, *pair: docket.adjudication.hard_negative(*pair),
            f"final: {done} ({self._undo_key} undoes)",
            go_on=final is None,
        )

    def action_clear(self) -> None:
        """Take the final grade back."""
        done = f"final grade taken back ({self._undo_key} undoes)"
        self._act(lambda docket, *pair: docket.adjudication.clear(*pair), done, go_on=False)

    def action_undo(self) -> None:
        """Undo the last action, and go to its pair."""
        if self._docket is not None and not self.is_small:
            self._come_back_from(self._docket.adjudication.undo())

    def action_redo(self) -> None:
        """Redo what was undone."""
        if self._docket is not None and not self.is_small:
            self._come_back_from(self._docket.adjudication.redo())

    def _come_back_from(self, ruling: Ruling) -> None:
        if ruling.accepted or ruling.pair is not None:
            self._come_back(ruling)
        else:
            self.say(ruling.message)

    def action_skip(self) -> None:
        """Leave it unsettled and go to the next that is."""
        self._go(lambda docket: docket.seek_open(1), "nothing else is left to settle")

    # -- notes

    async def action_note(self) -> None:
        """Open a line to type a note into."""
        docket = self._docket
        if docket is None or (current := docket.current) is None:
            return
        self._note_token = self._attention.at(self.judge.keyboard.pressed)
        note = docket.adjudication.note_on(current.query_id, current.doc_id)
        await self.open_field(
            Field("note", note, "note: enter saves, esc leaves"), self.bar("status")
        )

    async def keep(self) -> bool:
        """Save a note that is being typed, and wait until all is on disk."""
        is_kept = await self.save_note()
        docket = self._docket
        return docket is None or (await self._wait(docket) and is_kept)

    async def _wait(self, docket: Docket) -> bool:
        return await asyncio.to_thread(docket.adjudication.wait, WAIT)

    async def on_input_submitted(self) -> None:
        """Save the note."""
        await self.save_note()

    async def save_note(self) -> bool:
        """Save the note that is being typed; says whether nothing of it is lost."""
        docket = self._docket
        if self._field is None or docket is None or (current := docket.current) is None:
            return True
        # While a final grade is on its way to the disk, a note would be refused.
        await self._wait(docket)
        text = await self.close_field(self.bar("status"))
        before = docket.adjudication.note_on(current.query_id, current.doc_id)
        if text is None or text == shown(before):
            return True
        if self._note_token != self.board.token:
            self.say(STALE)
            return False
        ruling = docket.adjudication.note(current.query_id, current.doc_id, text)
        self._after(ruling, f"note saved ({self._undo_key} undoes)", go_on=False)
        return ruling.accepted

    async def on_field_left(self) -> None:
        """Forget what was typed."""
        await self.close_field(self.bar("status"))

    # -- moving

    def _go(self, move: Callable[[Docket], bool], refusal: str) -> None:
        docket = self._docket
        if docket is None or self.is_small or docket.current is None:
            return
        if move(docket):
            self.board.stop_reading()
            self.board.show(docket)
            self.board.say("")
        else:
            self.say(refusal)

    def action_next(self) -> None:
        """Go to the next disagreement; in a sheet, one line down."""
        if self.board.is_reading:
            self.board.pane.scroll_lines(1)
        else:
            self._go(lambda docket: docket.step(1), "this is the last disagreement")

    def action_previous(self) -> None:
        """Go to the disagreement before; in a sheet, one line up."""
        if self.board.is_reading:
            self.board.pane.scroll_lines(-1)
        else:
            self._go(lambda docket: docket.step(-1), "this is the first disagreement")

    def action_next_unfinished(self) -> None:
        """Go to the next disagreement without a final grade."""
        self._go(lambda docket: docket.seek_open(1), "nothing else is left to settle")

    def action_previous_unfinished(self) -> None:
        """Go to the disagreement before without a final grade."""
        self._go(lambda docket: docket.seek_open(-1), "nothing else is left to settle")

    def action_next_couple(self) -> None:
        """Lay the next two annotators side by side."""
        self._go(lambda docket: docket.next_couple(1), "there are only two annotators")

    def action_previous_couple(self) -> None:
        """Lay the two annotators before side by side."""
        self._go(lambda docket: docket.next_couple(-1), "there are only two annotators")

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Go to the disagreement that was clicked."""
        event.stop()
        self._go(lambda docket: docket.go(event.index), "")

    # -- reading

    def on_pane_scrolled(self, event: Pane.Scrolled) -> None:
        """Say which lines are on screen."""
        event.stop()
        self.board.say_place()

    @property
    def read_pane(self) -> Pane:
        """What is read by the page."""
        return self.board.pane

    def action_zoom(self) -> None:
        """Show the document alone, or with the list."""
        self.board.zoom(*self.size)
        self.call_after_refresh(self.redraw)

    def action_names(self) -> None:
        """Tell the names of the annotators, or hide them again."""
        if self._docket is not None and not self.is_small:
            self._docket.revealed = not self._docket.revealed
            self.redraw()

    def action_figures(self) -> None:
        """Read all figures in the place of the document, or go back to it."""
        docket = self._docket
        if docket is None or docket.current is None:
            return
        if self.board.is_reading:
            self.board.stop_reading()
        else:
            self.board.read("all figures", figure_entries(docket.agreement))

    def action_whole(self) -> None:
        """Read the notes in full in the place of the document, or go back to it."""
        docket = self._docket
        if docket is None or (current := docket.current) is None:
            return
        if self.board.is_reading:
            self.board.stop_reading()
            return
        note = docket.adjudication.note_on(current.query_id, current.doc_id)
        entries = verdict_entries(
            current.blind(),
            docket.final(docket.cursor),
            note,
            docket.adjudication.scale,
            named=docket.names_known,
        )
        self.board.read("verdicts and notes", entries)

    async def action_back(self) -> None:
        """Close what covers the document, else go back when all is saved."""
        docket = self._docket
        if self.board.is_reading and docket is not None and docket.current is not None:
            self.board.stop_reading()
            return
        if docket is not None and not self._leaving and not await self._wait(docket):
            self._leaving = True
            self.say(NOT_SAVED)
            return
        await super().action_back()
