"""Small real datasets, and a hand on the keys of the terminal that judges them."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from typing import TYPE_CHECKING

from textual import events as events_of_textual
from textual.keys import _character_to_key
from textual.widgets import Input

from judge.core.model import Candidate, Document, Query, Scale
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.judging.labels import read_labels
from judge.tui.app import JudgeApp
from judge.tui.attention import AFTER_ESCAPE, HELD, TOGETHER
from judge.tui.screens.judging import JudgingScreen

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from textual.pilot import Pilot

    from judge.core.model import Event
    from judge.core.workspace import Workspace

NOW = dt.datetime(2026, 3, 4, 12, 0, tzinfo=dt.UTC)
NAME, ANNOTATOR = "small", "ann"
SIZE = (80, 24)


def make(
    workspace: Workspace,
    documents: Sequence[Document],
    queries: Sequence[Query],
    *,
    pools: Mapping[str, Sequence[str]] | None = None,
    scale: Scale | None = None,
    guidelines: str = "",
    description: str = "",
    name: str = NAME,
) -> None:
    """Make a dataset; without `pools` every document is a candidate of every query."""
    with stage(workspace, name) as staging:
        staging.write_documents(documents)
        staging.write_queries(queries)
        if guidelines:
            staging.write_guidelines(guidelines)
        staging.publish(scale=scale or Scale(), description=description, licence=description)
    if pools is None:
        pools = {query.id: [document.id for document in documents] for query in queries}
    rows = [
        Candidate(query_id, doc_id, "run", rank, 0)
        for query_id, ids in pools.items()
        for rank, doc_id in enumerate(ids, 1)
    ]
    if rows:
        dataset = Dataset.open(workspace, name)
        dataset.add_pool(rows, order="depth", seed=1, made_by={}, now=NOW)


def make_small(workspace: Workspace) -> None:
    """Make two queries with three documents each."""
    documents = [
        Document(id="d1", title="First", text="alpha beta"),
        Document(id="d2", title="Second", text="beta gamma"),
        Document(id="d3", title="", text="gamma delta " * 200),
    ]
    queries = [
        Query(id="q1", text="alpha beta", description="Which letters?", language="en"),
        Query(id="q2", text="delta"),
    ]
    make(workspace, documents, queries, guidelines="# How\n\nRead it **all**.\n")


BRACKETS = ("[", "]")
"""Keys that could begin what a terminal answers: what a person presses next comes later."""


class Rig:
    """One run of the terminal."""

    def __init__(self, app: JudgeApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot
        self._last = ""

    async def press(self, *keys: str) -> None:
        """Press keys as a person would, each when the last has had its effect."""
        for key in keys:
            if self._last == "escape":
                await asyncio.sleep(AFTER_ESCAPE)
            elif key == self._last:
                await asyncio.sleep(HELD)
            elif self._last in BRACKETS:
                await asyncio.sleep(TOGETHER)
            self._last = key
            self._post(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Type into the field that has the focus."""
        await self.until(lambda: isinstance(self.app.focused, Input))
        for char in text:
            self._post(char)
        await self.settle()

    def _post(self, key: str) -> None:
        """Send a key as the driver would: a character, or a name such as `enter`."""
        names = {"space": " "} if key == "space" else {}
        character = names.get(key, key if len(key) == 1 else None)
        name = _character_to_key(key) if len(key) == 1 else key
        self.app.post_message(events_of_textual.Key(name, character))

    async def settle(self) -> None:
        """Wait until the last key has had its effect, all is saved, and all is painted."""
        for _ in range(3):
            await self.pilot._wait_for_screen()
        await self.until(self._is_saved)
        await self.pilot._wait_for_screen()
        self.app.screen._on_timer_update()

    def _is_saved(self) -> bool:
        session = self.app.session
        return session is None or session.save_state.kind != "saving"

    async def until(self, condition: Callable[[], bool], seconds: float = 3.0) -> None:
        """Wait for something.

        Raises:
            AssertionError: It did not come in time.
        """
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"it never came to be:\n{self.text}"
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def see(self, wanted: str) -> None:
        """Wait until the screen shows something."""
        await self.until(lambda: wanted in self.text)

    @property
    def rows(self) -> list[str]:
        """The rows of the screen as text, without controls."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(s.text for s in strip if not s.control).rstrip() for strip in strips]

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(self.rows)

    @property
    def judging(self) -> JudgingScreen:
        """The judging screen, which must be on top."""
        assert isinstance(self.app.screen, JudgingScreen)
        return self.app.screen

    @property
    def card(self) -> tuple[str, str] | None:
        """Query and document of the card."""
        assert self.app.session is not None
        card = self.app.session.card
        return (card.query.id, card.document.id) if card else None


def drive(
    workspace: Workspace,
    steps: Callable[[Rig], Awaitable[None]],
    *,
    dataset: str | None = NAME,
    size: tuple[int, int] = SIZE,
    opened: str = "candidates",
    config: Path | None = None,
) -> JudgeApp:
    """Run the terminal without a terminal, take some steps, and quit.

    Args:
        workspace: Where the dataset is.
        steps: What is done.
        dataset: What is opened at once.
        size: Columns and rows.
        opened: What the screen shows when it is ready.
        config: The folder of settings and keys.
    """

    async def run() -> JudgeApp:
        app = JudgeApp(workspace, dataset=dataset, annotator=ANNOTATOR, config=config)
        async with app.run_test(size=size) as pilot:
            rig = Rig(app, pilot)
            if opened:
                await rig.see(opened)
            await steps(rig)
            if app.is_running:
                await app.action_quit()
                await pilot.pause()
        return app

    return asyncio.run(run())


def events(workspace: Workspace, name: str = NAME) -> list[Event]:
    """Give what is on disk."""
    labels = read_labels(workspace.label_folder(name), name, [ANNOTATOR])
    assert labels.warnings == ()
    return list(labels.events)


def told(workspace: Workspace) -> list[tuple[str, str, str, int | None]]:
    """Give the events on disk, short: op, query, document, grade."""
    return [(e.op, e.query_id, e.doc_id, e.grade) for e in events(workspace)]
