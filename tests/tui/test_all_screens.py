"""What every screen must bear: any size, any burst of keys, a terminal that answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from textual import events as textual_events
from textual.widgets import Input

from judge.tui.screens.room import SMALLEST_HEIGHT, SMALLEST_WIDTH, Room
from tests.tui.rig import Rig, drive, make_small, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.core.workspace import Workspace

WAYS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "datasets": (None, ()),
    "import": (None, ("i",)),
    "import, typing": (None, ("i", "enter")),
    "pool": (None, ("p",)),
    "export": (None, ("x",)),
    "queries": ("small", ("q",)),
    "queries, filter": ("small", ("q", "/")),
    "queries, jump": ("small", ("q", "#")),
    "judging": ("small", ()),
    "judging, note": ("small", ("i",)),
    "judging, question": ("small", ("c",)),
    "judging, guidelines": ("small", ("o",)),
    "judging, find": ("small", ("/",)),
    "judging, pace": ("small", ("p",)),
    "help": ("small", ("?",)),
    "settings": ("small", ("comma",)),
    "scores": ("small", ("q", "m")),
    "agreement": ("small", ("q", "a")),
}
"""How each screen is reached: the dataset that is opened, and the keys."""
READY = {None: "0 of 6", "small": "not judged yet"}
SWEEP = (
    *((width, 45) for width in (150, 109, 75, 61, 30, 7)),
    *((80, height) for height in (33, 17, 8, 2)),
    *((1, 1), (2, 1), (1, 2), (59, 20), (60, 19), (60, 20), (300, 100), (160, 45)),
)
FEW = ((150, 45), (60, 20), (59, 20), (1, 1), (160, 45))


@pytest.fixture
def small(workspace: Workspace) -> Workspace:
    make_small(workspace)
    return workspace


async def go(rig: Rig, keys: tuple[str, ...]) -> None:
    for key in keys:
        await rig.press(key)
        await rig.pilot.pause(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_any_size_and_back(small: Workspace, way: str) -> None:
    resized(small, way, SWEEP)


@pytest.mark.parametrize("way", ["judging, note", "queries", "import, typing", "help"])
def test_some_sizes_and_back(small: Workspace, way: str) -> None:
    resized(small, way, FEW)


def resized(small: Workspace, way: str, sizes: Sequence[tuple[int, int]]) -> None:
    """Show a screen at some sizes: every row fits, and small ones say so."""
    dataset, keys = WAYS[way]

    async def steps(rig: Rig) -> None:
        await go(rig, keys)
        screen = rig.app.screen
        for size in sizes:
            await rig.pilot.resize_terminal(*size)
            await rig.pilot.pause()
            strips = rig.app.screen._compositor.render_strips()
            assert {strip.cell_length for strip in strips} <= {size[0]}
            fits = size[0] >= SMALLEST_WIDTH and size[1] >= SMALLEST_HEIGHT
            assert screen.has_class("-small") is not fits
        assert rig.app.screen is screen
        assert rig.app.is_running

    drive(small, steps, dataset=dataset, opened=READY[dataset], size=(160, 45))
    assert told(small) == []


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_what_a_terminal_answers_is_no_key(small: Workspace, way: str) -> None:
    dataset, keys = WAYS[way]

    async def steps(rig: Rig) -> None:
        await go(rig, keys)
        rig.app.post_message(textual_events.Key("left_square_bracket", "["))
        for key in ">1;3c3210":
            rig.app.post_message(textual_events.Key(key, key))
        await rig.settle()
        assert rig.app.is_running
        # In a field it is text like any other, which esc forgets.
        if isinstance(rig.app.focused, Input):
            await rig.press("escape")

    drive(small, steps, dataset=dataset, opened=READY[dataset])
    assert told(small) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [(59, 40), (60, 19), (20, 5)])
def test_below_the_smallest_size_it_says_what_it_needs(
    small: Workspace, size: tuple[int, int]
) -> None:
    async def steps(rig: Rig) -> None:
        await rig.see("terminal too small")
        if size[0] > 20:
            await rig.see(f"{size[0]}x{size[1]}, needs 60x20")
        assert isinstance(rig.app.screen, Room)
        await rig.press("3", "x", "s", "i", "comma", "enter")
        await rig.pilot.resize_terminal(80, 24)
        await rig.press("escape", "escape", "escape")

    drive(small, steps, size=size, opened="")
    assert told(small) == []


@pytest.mark.slow
def test_behind_the_sheet_that_ends_the_work_is_the_last_document(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("3", "2", "1", "0", "2", "1")
        await rig.see("all judged")
        await rig.press("escape")
        assert rig.card == ("q2", "d3")
        await rig.see("gamma delta gamma")
        await rig.see("graded 1")

    drive(small, steps)
