"""Two annotators who differ, and a hand on the keys of whoever settles it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from judge.core.model import Document, Judgment, Query, Scale
from judge.judging.labels import SegmentWriter, read_labels, recorded
from judge.tui.screens.agreement import AgreementScreen
from tests.tui.rig import ANNOTATOR, NAME, Rig, drive, make

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from judge.core.model import Event
    from judge.core.workspace import Workspace
    from judge.tui.app import JudgeApp
    from judge.tui.docket import Docket

WIDE = (160, 45)
LONG_NOTE = "because " * 60 + "of the last word"


def judged(
    workspace: Workspace,
    annotator: str,
    given: Mapping[str, tuple[Any, ...]],
    *,
    apart: str = "/",
) -> None:
    """Store what somebody graded: `query/document` to grade, mark and note."""
    judgments = []
    for pair, said in given.items():
        query_id, doc_id = pair.split(apart)
        judgments.append(Judgment(query_id, doc_id, *said))
    session = f"20260301T080000Z-{sum(map(ord, annotator)):08x}"
    writer = SegmentWriter(workspace.label_folder(NAME) / annotator, NAME, session)
    at = dt.datetime(2026, 3, 1, 8, tzinfo=dt.UTC)
    writer.append_batch(
        recorded(judgments, annotator=annotator, source="human", session=session, at=at)
    )


def two_queries(workspace: Workspace, scale: Scale | None = None) -> None:
    """Make two queries with three documents each."""
    documents = [
        Document(id="d1", title="First", text="alpha beta"),
        Document(id="d2", title="Second", text="beta gamma"),
        Document(id="d3", title="", text="gamma delta " * 300),
    ]
    queries = [
        Query(id="q1", text="alpha beta", description="Which letters?", language="en"),
        Query(id="q2", text="delta"),
    ]
    make(workspace, documents, queries, scale=scale)


def dispute(workspace: Workspace) -> None:
    """Let Maria and Li grade six pairs: apart by 3, 2, 1, a mark, and twice at one."""
    two_queries(workspace)
    grades = {"q1/d1": (3,), "q1/d2": (0, True), "q1/d3": (2,), "q2/d1": (0,), "q2/d2": (1,)}
    judged(workspace, "maria", {**grades, "q2/d3": (1, True, "looks like it")})
    judged(
        workspace,
        "li",
        {
            "q1/d1": (1, False, LONG_NOTE),
            "q1/d2": (0,),
            "q1/d3": (2,),
            "q2/d1": (3, False, "says it"),
            "q2/d2": (1,),
            "q2/d3": (0,),
        },
    )


def finals(workspace: Workspace) -> list[tuple[str, str, str, int | None, bool, str | None]]:
    """Give the events that adjudication left on disk."""
    return [
        (e.op, e.query_id, e.doc_id, e.grade, e.hard_negative, e.note)
        for e in settled_events(workspace)
    ]


def settled_events(workspace: Workspace) -> list[Event]:
    labels = read_labels(workspace.label_folder(NAME), NAME)
    assert labels.warnings == ()
    found = [e for e in labels.events if e.source == "adjudicated"]
    assert {e.annotator for e in found} <= {ANNOTATOR}
    return found


class Judge:
    """A hand on the keys of the agreement screen."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig

    @property
    def screen(self) -> AgreementScreen:
        screen = self.rig.app.screen
        assert isinstance(screen, AgreementScreen)
        return screen

    @property
    def docket(self) -> Docket:
        assert self.screen.docket is not None
        return self.screen.docket

    @property
    def pair(self) -> str:
        """Query and document on the table."""
        current = self.docket.current
        assert current is not None
        return f"{current.query_id}/{current.doc_id}"

    async def press(self, *keys: str) -> None:
        """Press keys, each when the last has had its effect and is saved."""
        for key in keys:
            await self.rig.press(key)
            await self.settle()

    async def settle(self) -> None:
        """Wait until all is saved and painted."""
        screen = self.rig.app.screen
        if isinstance(screen, AgreementScreen) and screen.docket is not None:
            await self.rig.until(
                lambda: self.docket.adjudication.save_state.kind != "saving", seconds=10
            )
            await self.rig.settle()

    async def see(self, wanted: str) -> None:
        await self.rig.see(wanted)


def settle(
    workspace: Workspace,
    steps: Callable[[Judge], Awaitable[None]],
    *,
    size: tuple[int, int] = (80, 24),
) -> JudgeApp:
    """Open the agreement screen and take some steps."""

    async def first(rig: Rig) -> None:
        await rig.press("q", "a")
        await rig.until(lambda: isinstance(rig.app.screen, AgreementScreen), 10)
        screen = rig.app.screen
        assert isinstance(screen, AgreementScreen)
        await rig.until(lambda: "comparing" not in rig.text, 20)
        await rig.settle()
        await steps(Judge(rig))

    return drive(workspace, first, size=size, opened="judged")
