"""The application: which screen opens when, how a session is opened, and how one leaves safely."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from textual.app import App, SystemCommand
from textual.filter import NoColor
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from judge.core.errors import JudgeError
from judge.tui.attention import Keyboard
from judge.tui.ending import EVERY, on_signals, terminal_gone
from judge.tui.screens.datasets import DatasetsScreen
from judge.tui.screens.help import HelpScreen
from judge.tui.screens.opening import OpeningScreen
from judge.tui.screens.queries import QueriesScreen
from judge.tui.screens.room import Room
from judge.tui.themes import THEMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from textual import events
    from textual.filter import LineFilter
    from textual.screen import Screen

    from judge.core.workspace import Workspace
    from judge.judging.session import Session
    from judge.tui.actions import Action
    from judge.tui.screens.judging import JudgingScreen
    from judge.tui.widgets.datasets import DatasetRow

AUTOWRAP_OFF, AUTOWRAP_ON = "\x1b[?7l", "\x1b[?7h"
"""A row that a terminal draws wider than we count is cut at the edge and spoils no other row."""
NOT_SAVED = "the last change is NOT saved; ctrl+q again leaves without it"
WAIT = 30.0
"""Seconds that leaving waits for the last save."""


class Opened(Message):
    """A session was opened."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session


class Refused(Message):
    """A dataset could not be opened."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class Prepared(Message):
    """Some documents more are in the index."""

    def __init__(self, done: int, total: int) -> None:
        super().__init__()
        self.done, self.total = done, total


class Counted(Message):
    """The numbers of a dataset are there."""

    def __init__(self, row: DatasetRow) -> None:
        super().__init__()
        self.row = row


class SaveEnded(Message):
    """The writer has something for the session to settle."""


class JudgeApp(App[None]):
    """The terminal of `judge`.

    Args:
        workspace: Where datasets and judgments lie.
        dataset: What to open at once; None lists the datasets.
        annotator: Whose judgments are made.
        clock: Gives the time of events, with the annotator's zone; None: that of the machine.
    """

    CSS_PATH = "judge.tcss"
    TITLE = "judge"
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        workspace: Workspace,
        *,
        dataset: str | None,
        annotator: str,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        super().__init__()
        self.workspace, self.dataset, self.annotator = workspace, dataset, annotator
        self.clock = clock
        self.keyboard = Keyboard()
        self.session: Session | None = None
        self.failure: BaseException | None = None
        self._ending = ExitStack()
        self._warned = False
        self._judging: JudgingScreen | None = None
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    # -- opening

    def on_mount(self) -> None:
        """Paint first; what takes time is done by a worker."""
        self._write(AUTOWRAP_OFF)
        if not self.is_headless:
            self._ending.enter_context(on_signals(self.exit))
            self.set_interval(EVERY, self._leave_without_a_terminal)
        if self.dataset is None:
            self.push_screen(DatasetsScreen(self.workspace, self.annotator))
        else:
            self.open_dataset(self.dataset)

    def on_unmount(self) -> None:
        """Let go of what was kept for the whole run."""
        self._ending.close()
        gc.unfreeze()

    def _leave_without_a_terminal(self) -> None:
        if terminal_gone():
            self.exit()

    def _write(self, control: str) -> None:
        """Send a control sequence of our own to the terminal."""
        if self._driver is not None:
            self._driver.write(control)

    def open_dataset(self, name: str) -> None:
        """Open a dataset and show what is being done."""
        self.push_screen(OpeningScreen(name))
        self.call_after_refresh(self._start, partial(self._open, name), "open")

    def _start(self, work: Callable[[], None], group: str) -> None:
        """Let a worker do something, in the place of what its group did before."""
        self.run_worker(work, thread=True, exit_on_error=False, group=group, exclusive=True)

    def _open(self, name: str) -> None:
        from judge.tui.loading import open_session  # heavy: not before the first frame

        worker = get_current_worker()

        def progress(done: int, total: int) -> None:
            if worker.is_cancelled:
                raise _Cancelled
            self.post_message(Prepared(done, total))

        try:
            session = open_session(
                self.workspace, name, self.annotator, clock=self.clock, progress=progress
            )
        except _Cancelled:
            return
        except (JudgeError, OSError) as error:
            self.post_message(Refused(error))
            return
        if worker.is_cancelled:
            session.close()
        else:
            self.post_message(Opened(session))

    def on_prepared(self, event: Prepared) -> None:
        """Show how far opening is."""
        if isinstance(self.screen, OpeningScreen):
            self.screen.prepared(event.done, event.total)

    async def on_opened(self, event: Opened) -> None:
        """Show the queries, and the card at once if this dataset was asked for."""
        session = self.session = event.session
        session.subscribe(self._save_ended)
        if isinstance(self.screen, OpeningScreen):
            await self.pop_screen()
        await self.push_screen(QueriesScreen(session))
        if self.dataset is not None and session.card is not None:
            self.open_judging()

    def on_refused(self, event: Refused) -> None:
        """Say why a dataset cannot be opened."""
        self._refuse(event.error)

    def _refuse(self, error: BaseException) -> None:
        if self.dataset is not None:
            self.failure = error
            self.exit(return_code=getattr(error, "exit_code", 1))
        elif isinstance(self.screen, OpeningScreen):
            self.screen.refused(str(error) or type(error).__name__)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Never swallow what went wrong in a worker."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self._refuse(event.worker.error)

    def open_judging(self) -> None:
        """Show the session's card."""
        from judge.tui.screens.judging import JudgingScreen  # loads what a session needs

        if self.session is not None:
            self._judging = JudgingScreen(self.session)
            self.push_screen(self._judging)

    def open_help(self, actions: Sequence[Action]) -> None:
        """Show the help for a screen with these actions."""
        self.push_screen(HelpScreen(actions, self.session))

    # -- counting

    def count_datasets(self, names: Sequence[str]) -> None:
        """Count datasets in a worker."""
        self.call_after_refresh(self._start, partial(self._count, list(names)), "count")

    def _count(self, names: Sequence[str]) -> None:
        from judge.tui.counting import counted  # heavy: not before the first frame

        worker = get_current_worker()
        for name in names:
            if worker.is_cancelled:
                return
            self.post_message(Counted(counted(self.workspace, name, self.annotator)))

    def on_counted(self, event: Counted) -> None:
        """Show the numbers of a dataset."""
        for screen in self.screen_stack:
            if isinstance(screen, DatasetsScreen):
                screen.counted(event.row)

    # -- keys, frames and saves

    def on_key(self, event: events.Key) -> None:
        """Note when a key was pressed, before its binding runs."""
        self.keyboard.press(event.key, event.time)

    def post_display_hook(self) -> None:
        """Report the card whose frame has just been sent."""
        judging = self._judging
        if judging is not None and self.screen_stack and self.screen_stack[-1] is judging:
            judging.after_display()

    def _save_ended(self) -> None:
        """Called by the writer's thread."""
        if self.is_running:
            self.post_message(SaveEnded())

    def on_save_ended(self) -> None:
        """Let the session take note, and show it."""
        if self.session is None:
            return
        outcome = self.session.settle()
        if self._judging is not None:
            self._judging.settled(outcome)

    # -- leaving

    async def go_back(self) -> None:
        """Leave the screen; on the first one, quit."""
        screen = self.screen
        if isinstance(screen, DatasetsScreen) or (
            isinstance(screen, QueriesScreen) and self.dataset is not None
        ):
            await self.action_quit()
            return
        if isinstance(screen, OpeningScreen):
            self.workers.cancel_group(self, "open")
            if self.dataset is not None:
                self.exit()
                return
        if isinstance(screen, QueriesScreen) and not await self._leave_session():
            screen.say(NOT_SAVED)
            return
        if screen is self._judging:
            self._judging = None
        await self.pop_screen()

    async def action_quit(self) -> None:
        """Quit when all is saved; what is not saved is told first."""
        screen = self.screen
        if self._judging is not None and screen is self._judging:
            await self._judging.save_note()
        if await self._leave_session() or self._warned:
            self.exit()
            return
        self._warned = True
        if isinstance(screen, Room):
            screen.say(NOT_SAVED)

    def action_help_quit(self) -> None:
        """Say how to quit: ctrl+c, which many press for that, does not."""
        if isinstance(self.screen, Room):
            self.screen.say("ctrl+q quits")

    async def _leave_session(self) -> bool:
        """Wait for the last save and close the session; says whether all is saved."""
        session = self.session
        if session is None:
            return True
        if not await asyncio.to_thread(session.wait, WAIT):
            return False
        self.session = None
        await asyncio.to_thread(session.close)
        return True

    # -- looks

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Leave out all colours, not only hues, where none are wanted (`NO_COLOR`)."""
        return (NoColor(),) if self.no_color else super().get_line_filters()

    def next_theme(self) -> None:
        """Change to the next theme."""
        names = [theme.name for theme in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Give what the palette lists: the actions of the screen."""
        if isinstance(screen, Room):
            for action in screen.ACTIONS:
                if not action.keep:
                    run = partial(self._run_from_palette, screen, action.name)
                    yield SystemCommand(action.label, f"{action.help} ({action.shown_keys})", run)
        yield SystemCommand("quit", "quit; all work is already saved (ctrl+q)", self.action_quit)

    def _run_from_palette(self, screen: Room, name: str) -> None:
        self.keyboard.press("palette", time.monotonic())
        screen.call_later(screen.run_action, name)


class _Cancelled(Exception):
    """Opening was given up."""


def run_app(workspace: Workspace, dataset: str | None, annotator: str) -> int:
    """Run the terminal until it is left.

    Args:
        workspace: Where datasets and judgments lie.
        dataset: What to open at once; None lists the datasets.
        annotator: Whose judgments are made.

    Returns:
        The exit code.

    Raises:
        JudgeError: The dataset that was asked for cannot be judged; the text says what to do.
    """
    app = JudgeApp(workspace, dataset=dataset, annotator=annotator)
    try:
        app.run()
    finally:
        if sys.__stderr__ is not None and sys.__stderr__.isatty():
            sys.__stderr__.write(AUTOWRAP_ON)
            sys.__stderr__.flush()
        if app.session is not None:
            app.session.close()
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
