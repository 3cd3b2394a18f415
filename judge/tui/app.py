"""The application: which screen opens when, how a session is opened, and how one leaves safely."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.app import App, SystemCommand
from textual.filter import NoColor
from textual.worker import Worker, WorkerState, get_current_worker

from judge.core.errors import JudgeError
from judge.tui.attention import TOO_SOON, Answers, Keyboard
from judge.tui.ending import EVERY, on_signals, terminal_gone
from judge.tui.keymap import load_keymap
from judge.tui.messages import Counted, Opened, Prepared, Refused, SaveEnded
from judge.tui.screens.datasets import DatasetsScreen
from judge.tui.screens.help import HelpScreen
from judge.tui.screens.opening import OpeningScreen
from judge.tui.screens.queries import QueriesScreen
from judge.tui.screens.room import WAIT, Room
from judge.tui.settings import KEYS_FILE, Remembered, config_folder
from judge.tui.themes import PREFIX, THEMES
from judge.tui.widgets.field import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from textual.filter import LineFilter
    from textual.screen import Screen

    from judge.bench.live import Live
    from judge.core.workspace import Workspace
    from judge.judging.session import Session
    from judge.tui.actions import Action
    from judge.tui.screens.judging import JudgingScreen
    from judge.tui.settings import Settings
    from judge.tui.widgets.datasets import DatasetRow

AUTOWRAP_OFF, AUTOWRAP_ON = "\x1b[?7l", "\x1b[?7h"
"""A row that a terminal draws wider than we count is cut at the edge and spoils no other row."""
NOT_SAVED = "the last change is NOT saved; ctrl+q again leaves without it"
LOST = "the last change could NOT be saved before the program had to end"
STORE_FAILED = 3
"""The exit code for that."""


class JudgeApp(App[None]):
    """The terminal of `judge`.

    Args:
        workspace: Where datasets and judgments lie.
        dataset: What to open at once; None lists the datasets.
        annotator: Whose judgments are made.
        clock: Gives the time of events, with the annotator's zone; None: that of the machine.
        config: The folder of the user's settings and keys; None: the usual ones, and none is kept.
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
        config: Path | None = None,
    ) -> None:
        super().__init__()
        self.workspace, self.dataset, self.annotator = workspace, dataset, annotator
        self.clock = clock
        self.keyboard = Keyboard()
        self._answers = Answers()
        self.session: Session | None = None
        self.failure: BaseException | None = None
        self._ending = ExitStack()
        self._warned = self._must_leave = False
        self._judging: JudgingScreen | None = None
        self.live: Live | None = None
        """The scores as they were last measured."""
        self._config = config
        self.remembered = Remembered.load(config)
        self.keys = load_keymap(config / KEYS_FILE if config else None)
        self.notices = [*self.remembered.notices, *self.keys.notices]
        """What was wrong with the user's files, and with the dataset when it was opened."""
        self._untold = list(self.notices)
        self.set_keymap(self.keys.for_textual())
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = f"{PREFIX}{self.settings.theme}"

    @property
    def keys_file(self) -> Path:
        """Where the user's own keys would be."""
        return (self._config or config_folder(os.environ)) / KEYS_FILE

    @property
    def settings(self) -> Settings:
        """What the user has set."""
        return self.remembered.settings

    # -- opening

    def on_mount(self) -> None:
        """Paint first; what takes time is done by a worker."""
        self._write(AUTOWRAP_OFF)
        if not self.is_headless:
            self._ending.enter_context(on_signals(self._leave_soon))
            self.set_interval(EVERY, self._leave_without_a_terminal)
        if self.dataset is None:
            self.push_screen(DatasetsScreen(self.workspace, self.annotator))
            self.call_after_refresh(self._tell)
        else:
            self.open_dataset(self.dataset)

    def on_unmount(self) -> None:
        """Let go of what was kept for the whole run."""
        self._ending.close()
        gc.unfreeze()

    def _leave_without_a_terminal(self) -> None:
        if terminal_gone():
            self._leave_soon()

    def _leave_soon(self) -> None:
        """Leave without being asked to: what is being typed is kept all the same."""
        if not self._must_leave:
            self._must_leave = True
            self.call_later(self._leave)

    async def _leave(self) -> None:
        is_kept = False
        try:
            is_kept = await self._keep_all()
        finally:
            if is_kept:
                self.exit()
            else:
                self.exit(return_code=STORE_FAILED, message=LOST)

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
        from judge.tui.loading import open_session, told_of  # heavy: not before the first frame

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
            self.post_message(Opened(session, told_of(session)))

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
        self.notices = [*self.remembered.notices, *self.keys.notices, *event.told]
        self._untold += event.told
        self.apply_settings()
        await self.push_screen(QueriesScreen(session))
        if self.dataset is not None and session.card is not None:
            self.open_judging()
        self.call_after_refresh(self._tell)

    def _tell(self) -> None:
        """Show once what was wrong when something was opened."""
        screen, untold = self.screen, self._untold
        if untold and isinstance(screen, Room):
            self._untold = []
            more = f"  (+{len(untold) - 1} more: {screen.key_of('help')})"
            screen.say(self._short(untold[0]) + (more if len(untold) > 1 else ""))

    def _short(self, notice: str) -> str:
        """Give a notice for one row: the whole path is in the help, here it would push all out."""
        return notice.replace(f"{self._config}/", "") if self._config else notice

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
        error = event.worker.error
        if event.state is not WorkerState.ERROR or error is None:
            return
        if event.worker.group == "open":
            self._refuse(error)
        elif isinstance(self.screen, Room):
            self.screen.say(f"{event.worker.group} failed: {type(error).__name__}: {error}")

    def open_judging(self) -> None:
        """Show the session's card."""
        from judge.tui.screens.judging import JudgingScreen  # loads what a session needs

        if self.session is not None:
            self._judging = JudgingScreen(self.session)
            self.push_screen(self._judging)

    def open_agreement(self) -> None:
        """Show how far the annotators of the open dataset agree."""
        from judge.tui.screens.agreement import AgreementScreen  # loads the statistics

        if self.session is not None:
            self.push_screen(AgreementScreen(self.session.dataset, self.session.annotator))

    def open_scores(self) -> None:
        """Show the scores on what is judged in the session."""
        from judge.tui.screens.scores import ScoresScreen  # not before somebody wants it

        if self.session is not None:
            self.push_screen(ScoresScreen(self.session))

    async def judge_from_scores(self) -> None:
        """Show the session's card: go back to where it is judged, or open that."""
        if self._judging is not None:
            await self.pop_screen()
        else:
            self.open_judging()

    def open_help(self, table: Sequence[Action]) -> None:
        """Show the help for a screen with this table of actions."""
        self.push_screen(HelpScreen(table, self.session, self.notices))

    def open_settings(self) -> None:
        """Show the sheet of settings."""
        from judge.tui.screens.settings import SettingsScreen

        self.push_screen(SettingsScreen())

    def open_task(self, task: str, dataset: str = "") -> None:
        """Show a form.

        Args:
            task: `import`, `pool` or `export`.
            dataset: What to draw from or to export.
        """
        from judge.tui.screens.tasks import ExportScreen, ImportScreen, PoolScreen

        if task == "import":
            self.push_screen(ImportScreen(self.workspace))
        elif dataset:
            screen = PoolScreen if task == "pool" else ExportScreen
            self.push_screen(screen(self.workspace, dataset))

    # -- counting

    def count_datasets(self, names: Sequence[str]) -> None:
        """Count datasets in a worker."""
        self.call_after_refresh(self._start, partial(self._count, list(names)), "count")

    def _count(self, names: Sequence[str]) -> None:
        from judge.tui.counting import agreed, counted  # heavy: not before the first frame

        worker = get_current_worker()
        rows: list[DatasetRow] = []
        for name in names:
            if worker.is_cancelled:
                return
            rows.append(counted(self.workspace, name, self.annotator))
            self.post_message(Counted(rows[-1]))
        for row in rows:
            if worker.is_cancelled:
                return
            if (more := agreed(self.workspace, row)) is not None:
                self.post_message(Counted(more))

    def on_counted(self, event: Counted) -> None:
        """Show the numbers of a dataset."""
        for screen in self.screen_stack:
            if isinstance(screen, DatasetsScreen):
                screen.counted(event.row)

    # -- keys, frames and saves

    async def on_event(self, event: events.Event) -> None:
        """Drop what a terminal answered, before anybody takes it for keys."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            is_text = event.is_printable
            is_answer = self._answers.are_heard(event.key, event.time, is_text=is_text)
            # What is pasted into a field may look the same, and stores nothing by itself.
            if is_answer and not isinstance(self.focused, Field):
                screen = self.screen
                if isinstance(screen, Room):
                    screen.call_later(screen.say, TOO_SOON)  # after what esc did there
                return
        await super().on_event(event)

    def on_key(self, event: events.Key) -> None:
        """Note when a key was pressed, before its binding runs."""
        self.keyboard.press(event.key, event.time)

    def post_display_hook(self) -> None:
        """Tell the screen on top that its frame has just been sent."""
        top = self.screen_stack[-1] if self.screen_stack else None
        if isinstance(top, Room):
            top.after_display()

    def _save_ended(self) -> None:
        """Called by the writer's thread."""
        if self.is_running:
            self.post_message(SaveEnded())

    def on_save_ended(self) -> None:
        """Let the session take note, and show it."""
        if self.session is None:
            return
        outcome = self.session.settle()
        if outcome.accepted:
            self.forget_warning()
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
        if await self._keep_all() or self._warned:
            self.exit()
            return
        self._warned = True
        if isinstance(screen, Room):
            screen.say(NOT_SAVED)

    async def _keep_all(self) -> bool:
        """Save what is being typed on any screen, and close the session; says if all is saved."""
        kept = [await one.keep() for one in self.screen_stack if isinstance(one, Room)]
        return all(kept) and await self._leave_session()

    def forget_warning(self) -> None:
        """Take note that all is saved: what fails from now on is warned of again."""
        self._warned = False

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
        self.next_setting("theme")

    def next_setting(self, name: str, step: int = 1) -> None:
        """Change a setting to its next value, or the one before, and remember it."""
        problem = self.remembered.next(name, step)
        self.apply_settings()
        if problem and isinstance(self.screen, Room):
            self.screen.say(self._short(problem))

    def apply_settings(self) -> None:
        """Let the settings have their effect."""
        self.theme = f"{PREFIX}{self.settings.theme}"
        if self.session is not None:
            self.session.advance = self.settings.auto_advance
            self.session.break_minutes = self.settings.break_minutes

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Give what the palette lists: the actions of the screen, and the work on datasets."""
        if isinstance(screen, Room):
            for action in screen.actions:
                if not action.keep:
                    run = partial(self._run_from_palette, screen, action.name)
                    yield SystemCommand(action.label, f"{action.help} ({action.shown_keys})", run)
        if self.session is not None and isinstance(screen, Room):
            name = self.session.dataset.name
            yield SystemCommand(
                "import", "bring a collection in", partial(self.open_task, "import")
            )
            for task, does in (("pool", "draw more documents to judge"), ("export", "write it")):
                run = partial(self.open_task, task, name)
                yield SystemCommand(f"{task} {name}", does, run)
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
    config = config_folder(os.environ)
    app = JudgeApp(workspace, dataset=dataset, annotator=annotator, config=config)
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
