"""The list of queries: what it says of each, and how one gets to the right one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.core.model import Document, Query
from judge.judging.session import QueryRow
from judge.tui.screens.queries import QueriesScreen
from judge.tui.widgets.queries import matches
from tests.tui.rig import Rig, drive, make, make_small, told

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


@pytest.fixture
def small(workspace: Workspace) -> Workspace:
    make_small(workspace)
    return workspace


def test_progress_of_each_query(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("x", "f", "q")
        await rig.see("2 queries: 0 done, 1 part, 1 new")
        row = next(row for row in rig.rows if "alpha beta" in row)
        assert row.split() == ["▸", "part", "q1", "en", "1/3", "1", "1", "alpha", "beta"]
        await rig.see("press enter to judge")
        await rig.see("5 candidates left, 1 judged today")

    drive(small, steps)


def test_enter_goes_on_where_one_was(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("j", "q", "enter")
        assert rig.card == ("q1", "d2")
        await rig.press("q", "j", "enter")
        assert rig.card == ("q2", "d1")

    drive(small, steps)


def test_the_next_unfinished_query(workspace: Workspace) -> None:
    documents = [Document(id="d", text="t")]
    make(workspace, documents, [Query(id=f"q{n}", text=f"text {n}") for n in range(5)])

    async def steps(rig: Rig) -> None:
        await rig.press("3", "3", "q", "g")
        assert isinstance(rig.app.screen, QueriesScreen)
        await rig.press("}")
        await rig.see("▸ new   q2")
        await rig.press("{")
        await rig.see("▸ new   q4")

    drive(workspace, steps)


def test_a_filter_narrows_the_list_and_esc_keeps_it(workspace: Workspace) -> None:
    documents = [Document(id="d", text="t")]
    queries = [
        Query(id="q1", text="Straße", language="de"),
        Query(id="q2", text="[/foo] street", language="en"),
        Query(id="q3", text="検索", language="ja"),
    ]
    make(workspace, documents, queries)

    async def steps(rig: Rig) -> None:
        await rig.press("q", "/")
        await rig.type("lang:ja")
        await rig.press("enter")
        await rig.see("1 of 3")
        await rig.see("検索")
        assert "Straße" not in rig.text
        await rig.press("/", "ctrl+u")
        await rig.type("[/foo")
        await rig.press("escape")
        await rig.see("1 of 3")
        await rig.press("/", "ctrl+u")
        await rig.type("[/foo")
        await rig.press("enter")
        await rig.see("▸ new   q2")
        await rig.press("/", "ctrl+u", "enter")
        await rig.see("Straße")
        await rig.press("/")
        await rig.type("3210 nothing")
        await rig.press("enter")
        await rig.see("no query matches")
        await rig.press("enter", "j", "}")

    drive(workspace, steps)
    assert told(workspace) == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", True),
        ("strasse", True),
        ("STRASSE", True),
        ("st:new", True),
        ("st:done", False),
        ("lang:de st:new", True),
        ("lang:d", False),
        ("shop", True),
        ("strasse missing", False),
        ("10:30", True),
    ],
)
def test_matches(wanted: str, found: bool) -> None:
    query = Query(id="q1", text="Straße um 10:30", language="de", category="shop")
    assert matches(QueryRow(query, total=3), wanted) is found


def test_long_lists_scroll(workspace: Workspace) -> None:
    documents = [Document(id="d", text="t")]
    make(workspace, documents, [Query(id=f"q{n:03}", text=f"text {n}") for n in range(200)])

    async def steps(rig: Rig) -> None:
        await rig.press("q", "G")
        await rig.see("▸ new   q199")
        await rig.press("b", "ctrl+u", "k", "up")
        assert "q199" not in rig.text or "▸ new   q199" not in rig.text
        await rig.press("g")
        await rig.see("▸ new   q000")
        await rig.press("space", "ctrl+d", "pagedown", "pageup", "down")

    drive(workspace, steps)
