"""The list of queries: what it says of each, and how one gets to the right one."""

from __future__ import annotations

import datetime as dt
import shutil
from typing import TYPE_CHECKING

import pytest

from judge.core.model import Candidate, Document, Query
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.judging.session import QueryRow
from judge.tui.screens.queries import QueriesScreen
from judge.tui.widgets.queries import matches
from tests.tui.rig import Rig, drive, make, make_small, told

if TYPE_CHECKING:
    from pathlib import Path


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
        ("cat:shop", True),
        ("cat:sho", False),
        ("CAT:Shop lang:de", True),
        ('cat:"shop"', True),
        ('cat:"shop front"', False),
        ('"um 10:30"', True),
        ('"10:30 um"', False),
        ("st:flagged", False),
        ("st:skipped", False),
        ("st:", False),
        ("cat:", False),
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


def three(workspace: Workspace) -> None:
    """Make three queries of two categories, one of them with a blank."""
    queries = [
        Query(id="10", text="one", language="de", category="shop"),
        Query(id="2", text="two", language="en", category="how to"),
        Query(id="q[/x]", text="three", language="en", category="how to"),
    ]
    make(workspace, [Document(id="d", text="t")], queries)


def test_the_state_is_asked_for_with_one_key_and_combines(workspace: Workspace) -> None:
    three(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("3", "q", "/")
        await rig.type('cat:"how to"')
        await rig.press("enter")
        await rig.see('queries matching cat:"how to"  2 of 3: 0 done, 0 part, 2 new')
        await rig.press("f")
        await rig.see('cat:"how to" st:new  2 of 3')
        await rig.press("f", "f")
        await rig.see('cat:"how to" st:done  0 of 3')
        await rig.see('there is cat:"how to" cat:shop lang:en lang:de')
        await rig.press("f", "f", "f")
        await rig.see('queries matching cat:"how to"  2 of 3')

    drive(workspace, steps, size=(120, 24))


def test_one_jumps_to_a_query_by_id_number_or_start_of_an_id(workspace: Workspace) -> None:
    three(workspace)

    async def jump(rig: Rig, to: str) -> None:
        await rig.press("#")
        await rig.type(to)
        await rig.press("enter")

    async def steps(rig: Rig) -> None:
        await rig.press("q")
        for to, row in (("2", "2 "), ("1", "10 "), ("q[", "q[/x]"), ("3", "q[/x]"), ("10", "10 ")):
            await jump(rig, to)
            await rig.see(f"▸ new   {row}")
        for absent in ("0", "4", "x", "-1", "٣"):
            await jump(rig, absent)
            await rig.see(f"there is no query {absent}: 1 to 3, or an id")
        await rig.press("#")
        await rig.type("2")
        await rig.press("escape")
        await rig.see("▸ new   10 ")
        await rig.press("#", "enter", "/")
        await rig.type("lang:de")
        await rig.press("enter")
        await jump(rig, "2")
        await rig.see("▸ new   2 ")
        assert "matching" not in rig.text

    drive(workspace, steps)


def test_what_is_new_or_changed_is_told_once_when_a_dataset_opens(
    workspace: Workspace, tmp_path: Path
) -> None:
    make_small(workspace)

    async def judge(rig: Rig) -> None:
        await rig.press("3")

    async def look(rig: Rig) -> None:
        await rig.see("1 new document since you were here  (+1 more: ?)")
        await rig.press("j")
        assert "new document" not in rig.text
        await rig.press("?", "G")
        await rig.see("1 new document since you were here")
        await rig.see("changed since the")
        await rig.press("escape", "q", "?", "escape")
        assert "new document" not in rig.text

    drive(workspace, judge)
    other = Workspace(tmp_path / "other")
    documents = [Document(id="d1", text="t"), Document(id="d2", text="u")]
    make(other, documents, [Query(id="q1", text="alpha"), Query(id="q2", text="delta")])
    changed = other.dataset_folder("small") / "queries.parquet"
    shutil.copy(changed, workspace.dataset_folder("small") / "queries.parquet")
    tomorrow = dt.datetime.now(dt.UTC) + dt.timedelta(days=1)
    pool = [Candidate("q1", "absent", "later", 1, 0)]
    dataset = Dataset.open(workspace, "small")
    dataset.add_pool(pool, order="depth", seed=1, made_by={}, now=tomorrow)
    drive(workspace, look, size=(120, 24), opened="candidates")
