"""The forms that work on whole datasets, and what is seen of the work: how far, what came of it."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message
from textual.worker import Worker, WorkerState

from judge.core.errors import InputError, JudgeError
from judge.core.workspace import safe_from
from judge.tui.actions import FORM, bindings
from judge.tui.screens.paging import Paging
from judge.tui.widgets.bar import Bar, Line, Rule
from judge.tui.widgets.field import Field
from judge.tui.widgets.form import Blank, Form
from judge.tui.widgets.ink import Span
from judge.tui.widgets.pane import Entry, Pane, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from textual.widget import Widget

    from judge.core.workspace import Workspace
    from judge.tui.tasks import Tell
    from judge.tui.widgets.rows import Rows

EVERY = 0.1
"""Seconds between two looks at how far the work is."""
METER = 24
NOTHING_WRITTEN = "cancelled: nothing was written"


class Stopped(BaseException):
    """The work was given up by the one who had asked for it.

    No `Exception`, so that nobody on the way takes it for a fault of an engine or a file.
    """


class Looked(Message):
    """What there is to choose from, or what a choice would mean, was found out."""

    def __init__(self, blanks: Sequence[Blank], lines: Sequence[str]) -> None:
        super().__init__()
        self.blanks, self.lines = blanks, lines


class Told(Message):
    """The work has come this far; a total of 0 is one that is not known."""

    def __init__(self, what: str, done: int, total: int) -> None:
        super().__init__()
        self.what, self.done, self.total = what, done, total


class Ended(Message):
    """The work is done, or why it is not."""

    def __init__(self, lines: Sequence[str], *, is_done: bool) -> None:
        super().__init__()
        self.lines, self.is_done = lines, is_done


class TaskScreen(Paging):
    """A form, the report of its work, and how far that is.

    Args:
        title: What the form is for.
        blanks: What is asked before more is known.
        start: The word on the row that starts.
    """

    ACTIONS = FORM
    BINDINGS: ClassVar = bindings("form", FORM)

    def __init__(self, title: str, blanks: Sequence[Blank], start: str) -> None:
        super().__init__()
        self._heading, self._blanks, self._start_word = title, blanks, start
        self._given_up = threading.Event()
        self._is_working = False
        self._notice = Span("")
        self._last_told = 0.0

    def parts(self) -> Iterable[Widget]:
        """Give the widgets from top to bottom."""
        yield Bar("header")
        yield Rule("rule")
        yield Form("form", self._blanks, self._start_word)
        yield Rule("report-rule")
        yield Sheet("report")
        yield Bar("status")
        yield Bar("keys")

    # -- what subclasses say; the last three run in the thread of a worker

    def value_changed(self, name: str, value: str) -> None:
        """Hear of what was filled in; subclasses may."""

    def look(self, values: Mapping[str, str]) -> tuple[Sequence[Blank], Sequence[str]]:
        """Give the blanks, and what these values would mean; subclasses do."""
        del values
        return self._blanks, ()

    def work(self, values: Mapping[str, str], tell: Tell) -> Sequence[str]:
        """Do it and give the report; subclasses do."""
        del values, tell
        return ()

    # -- drawing

    @property
    def form(self) -> Form:
        """The form."""
        return self.query_one("#form", Form)

    @property
    def report(self) -> Sheet:
        """What came of it."""
        return self.query_one("#report", Sheet)

    def on_mount(self) -> None:
        """Find out what there is to choose from."""
        self.look_again()

    def fit_size(self) -> None:
        """Give the form the rows it has, and the report the rest, but not less than a third."""
        height = self.size.height
        self.form.styles.height = max(1, min(self.form.count, height * 2 // 3 - 4))

    def redraw(self) -> None:
        """Say everything anew."""
        self.bar("header").say(
            Line(
                (Span(" judge  ", "accent"), Span(self._heading, "strong")),
                (Span(f"{self.key_of('back')} goes back ", "dim"),),
            )
        )
        self.query_one("#rule", Rule).say((Span(self._heading.split()[0], "strong"),))
        self.query_one("#report-rule", Rule).say((Span("report", "strong"),))
        self._say_status()
        self.say_keys()

    def say(self, notice: str) -> None:
        """Show a notice until something else happens."""
        self._note(notice, "warn")

    def _note(self, notice: str, role: str = "dim") -> None:
        self._notice = Span(f" {notice}", role)
        self._say_status()

    def _say_status(self) -> None:
        blank = self.form.current
        hint = blank.hint if blank is not None else f"{self.key_of('change')} starts"
        span = self._notice if self._notice.text.strip() else Span(f" {hint}", "dim")
        self.bar("status").say(Line((span,)))

    # -- moving and filling in

    def action_next(self) -> None:
        """Go one row down."""
        self._move(1)

    def action_previous(self) -> None:
        """Go one row up."""
        self._move(-1)

    def _move(self, rows: int) -> None:
        if not self.is_small:
            self.form.move_to(self.form.cursor + rows)
            if not self._is_working:
                self._note("")

    def action_other(self) -> None:
        """Take the next choice."""
        self._choose(1)

    def action_other_before(self) -> None:
        """Take the choice before."""
        self._choose(-1)

    def _choose(self, step: int) -> None:
        blank = self.form.current
        if blank is None or not blank.choices or self._is_busy():
            return
        self.form.choose(step)
        self.value_changed(blank.name, self.form.values[blank.name])

    async def action_change(self) -> None:
        """Type into the current blank, take its next choice, or start."""
        blank = self.form.current
        if self._is_busy():
            return
        if blank is None:
            self._begin()
        elif blank.choices:
            self._choose(1)
        else:
            await self.open_field(Field("blank", blank.value, blank.hint), self.bar("status"))

    async def on_input_submitted(self) -> None:
        """Take what was typed, and go on to the next row."""
        blank = self.form.current
        value = await self.close_field(self.bar("status"))
        if value is not None and blank is not None:
            self.form.fill(blank.name, value)
            self.value_changed(blank.name, value)
            self._move(1)

    async def on_field_left(self) -> None:
        """Forget what was typed."""
        await self.close_field(self.bar("status"))

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Go to the row that was clicked; a click on the current row changes it."""
        event.stop()
        if event.index == self.form.cursor:
            await self.action_change()
        else:
            self._move(event.index - self.form.cursor)

    def _is_busy(self) -> bool:
        if self._is_working:
            self.say(f"still at work: {self.key_of('back')} cancels")
        return self._is_working or self.is_small

    # -- the work

    def look_again(self) -> None:
        """Find out anew what the values mean."""
        values = self.form.values

        def looking() -> None:
            try:
                blanks, lines = self.look(values)
            except (JudgeError, OSError) as error:
                blanks, lines = (), problems_of(error)
            self.post_message(Looked(blanks, lines))

        self._start(looking, "look")

    def on_looked(self, event: Looked) -> None:
        """Show what was found out."""
        event.stop()
        if event.blanks:
            self.form.offer(event.blanks)
            self.fit_size()
        if not self._is_working:
            self._report_on(event.lines)
            self._say_status()

    def _begin(self) -> None:
        values = self.form.values
        self._given_up.clear()
        self._is_working = True
        self._report_on(())
        self._note("working…", "accent")

        def working() -> None:
            try:
                ended = Ended(self.work(values, self._hear), is_done=True)
            except Stopped:
                ended = Ended((NOTHING_WRITTEN,), is_done=False)
            except (JudgeError, OSError) as error:
                ended = Ended(problems_of(error), is_done=False)
            self.post_message(ended)

        self._start(working, "work")

    def _start(self, work: Callable[[], None], group: str) -> None:
        self.run_worker(work, thread=True, exit_on_error=False, group=group)

    def _hear(self, what: str, done: int, total: int) -> None:
        """Called by the thread that works."""
        if self._given_up.is_set():
            raise Stopped
        now = time.monotonic()
        if now - self._last_told >= EVERY or not done:
            self._last_told = now
            self.post_message(Told(what, done, total))

    def on_told(self, event: Told) -> None:
        """Show how far the work is."""
        event.stop()
        if self._is_working and not self._given_up.is_set():
            self._note(meter(event.what, event.done, event.total), "accent")

    def on_ended(self, event: Ended) -> None:
        """Show what came of the work."""
        event.stop()
        asked_to_stop = self._given_up.is_set()
        self._is_working = False
        self._report_on(event.lines, "text" if event.is_done else "warn")
        if event.is_done:
            late = "; it was done before it could be cancelled" if asked_to_stop else ""
            self._note(f"done{late}", "good")
        elif len(event.lines) == 1:
            self.say(event.lines[0])
        else:
            self.say(f"{len(event.lines)} problems: {self.key_of('page_down')} shows more of them")
        self._ended()

    def _ended(self) -> None:
        """Find out what else is true now; subclasses may."""

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Never swallow what went wrong in a worker."""
        event.stop()
        error = event.worker.error
        if event.state is WorkerState.ERROR and error is not None:
            fault = f"the program failed: {type(error).__name__}: {error}"
            self.post_message(Ended((fault,), is_done=False))

    def on_unmount(self) -> None:
        """Let the work stop when nobody waits for it any more."""
        self._given_up.set()

    def _report_on(self, lines: Sequence[str], role: str = "text") -> None:
        self.report.say(
            [Entry(line, role, indent=2, lead="-" if role == "warn" else "") for line in lines]
        )

    async def action_back(self) -> None:
        """Cancel the work; without any, or when it was cancelled already, go back."""
        if self._is_working and not self._given_up.is_set():
            self._given_up.set()
            self.say("cancelling… what was begun is taken back")
            return
        await super().action_back()

    # -- reading the report

    @property
    def read_pane(self) -> Pane:
        """What is read by the page."""
        return self.report


class ImportScreen(TaskScreen):
    """Brings a collection in."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__("import a collection", (), "import")
        self._workspace = workspace

    def look(self, values: Mapping[str, str]) -> tuple[Sequence[Blank], Sequence[str]]:
        """Give the blanks."""
        from judge.tui.tasks import import_blanks  # heavy: not before the first frame

        del values
        return import_blanks(), ("all of it is imported, or nothing",)

    def value_changed(self, name: str, value: str) -> None:
        """Propose a name once there is a path."""
        if name == "path" and value and not self.form.values["name"]:
            stem = Path(value).name.split(".")[0]
            self.form.fill("name", safe_from(stem, "dataset", self._workspace.datasets()))

    def work(self, values: Mapping[str, str], tell: Tell) -> Sequence[str]:
        """Import."""
        from judge.tui.tasks import run_import

        return run_import(self._workspace, values, tell)


class PoolScreen(TaskScreen):
    """Draws the candidates of a dataset."""

    def __init__(self, workspace: Workspace, dataset: str) -> None:
        super().__init__(f"candidates of {dataset}", (), "draw")
        self._workspace, self._dataset = workspace, dataset

    def look(self, values: Mapping[str, str]) -> tuple[Sequence[Blank], Sequence[str]]:
        """Give the blanks."""
        from judge.tui.tasks import pool_blanks

        del values
        told = "the top of each is added to what is there; nothing that was judged moves"
        return pool_blanks(self._workspace, self._dataset), (told,)

    def work(self, values: Mapping[str, str], tell: Tell) -> Sequence[str]:
        """Draw."""
        from judge.tui.tasks import run_pool

        return run_pool(self._workspace, self._dataset, values, tell)


class ExportScreen(TaskScreen):
    """Writes a dataset in another format; says first what that cannot carry."""

    def __init__(self, workspace: Workspace, dataset: str) -> None:
        super().__init__(f"export {dataset}", (), "export")
        self._workspace, self._dataset = workspace, dataset

    def look(self, values: Mapping[str, str]) -> tuple[Sequence[Blank], Sequence[str]]:
        """Give the blanks, and what the format that stands there cannot carry."""
        from judge.tui.tasks import export_blanks, losses

        blanks = export_blanks(self._dataset)
        format_ = values.get("format") or blanks[0].value
        return blanks, losses(self._workspace, self._dataset, format_)

    def value_changed(self, name: str, value: str) -> None:
        """Say what another format cannot carry."""
        if name == "format" and value:
            self.look_again()

    def work(self, values: Mapping[str, str], tell: Tell) -> Sequence[str]:
        """Export."""
        from judge.tui.tasks import run_export

        return run_export(self._workspace, self._dataset, values, tell)


def problems_of(error: Exception) -> list[str]:
    """Give all problems that an error tells of."""
    if isinstance(error, InputError):
        return [str(problem) for problem in error.problems]
    return [str(error) or type(error).__name__]


def meter(what: str, done: int, total: int) -> str:
    """Say how far something is, with a bar where the end is known.

    >>> meter("documents", 1200, 2400)
    '████████████░░░░░░░░░░░░ 50 %  1,200 of 2,400 documents'
    >>> meter("reading", 0, 0)
    'reading…'
    """
    if not total:
        return f"{what}…" if not done else f"{done:,} {what}…"
    filled = METER * done // total
    bar = "█" * filled + "░" * (METER - filled)
    return f"{bar} {100 * done // total} %  {done:,} of {total:,} {what}"
