"""A screen on which work goes on in a thread while its keys stay quick: told, and given up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from judge.core.errors import JudgeError
from judge.tui.measuring import GivenUp, Watch
from judge.tui.screens.room import Room

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[Watch], None]


class Told(Message):
    """How far some work is; an empty `what`: it is done."""

    def __init__(self, what: str, done: int, total: int) -> None:
        super().__init__()
        self.what, self.done, self.total = what, done, total


class Failed(Message):
    """Some work could not be done."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class Working(Room):
    """A room with a worker; what it does is in `busy` while it lasts."""

    def __init__(self) -> None:
        super().__init__()
        self.busy = ""

    def start(self, work: Work) -> None:
        """Let the worker do something, in the place of what it did before."""
        run = partial(self._work, work)
        self.run_worker(run, thread=True, exit_on_error=False, group="work", exclusive=True)

    def _work(self, work: Work) -> None:
        """Do something in the worker's thread; what goes wrong is told."""
        worker = get_current_worker()

        def tell(what: str, done: int, total: int) -> None:
            self.post_message(Told(what, done, total))

        watch = Watch(tell, lambda: worker.is_cancelled)
        try:
            work(watch)
            watch.step("")
        except GivenUp:
            return
        except (JudgeError, OSError) as error:
            if not worker.is_cancelled:
                self.post_message(Failed(error))

    def on_unmount(self) -> None:
        """Let all work go."""
        self.workers.cancel_node(self)

    def on_told(self, event: Told) -> None:
        """Show how far the work is."""
        part = f" {event.done:,} of {event.total:,}" if event.total else ""
        self.busy = f"{event.what}{part}…" if event.what else ""
        self.progressed()

    def on_failed(self, event: Failed) -> None:
        """Say what went wrong."""
        self.busy = ""
        self.failed(str(event.error) or repr(event.error))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Never swallow what nobody thought of."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.busy = ""
            self.failed(repr(event.worker.error))

    def progressed(self) -> None:
        """Show what is in `busy`; subclasses do."""

    def failed(self, told: str) -> None:
        """Show what went wrong; subclasses do."""
