"""The judging screen when things come thick and fast, go small, or go wrong."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, get_args

import pytest
from textual import events as textual_events

from judge.core.model import Op
from judge.tui.actions import JUDGING, QUERIES
from judge.tui.screens.judging import JudgingScreen
from tests.tui.rig import NAME, Rig, drive, events, make_small, told

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


@pytest.fixture
def small(workspace: Workspace) -> Workspace:
    make_small(workspace)
    return workspace


def test_a_digit_right_behind_the_note_key_grades_nothing(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        for key in "i321":
            rig.app.post_message(textual_events.Key(key, key))
        await rig.until(lambda: bool(rig.app.screen.query("#note")))
        await rig.type("ok")
        await rig.press("enter")
        await rig.see("note saved")

    drive(small, steps)
    assert [e.op for e in events(small)] == ["note"]


def test_keys_pressed_before_the_next_card_was_painted_are_dropped(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        for _ in range(50):
            rig.app.post_message(textual_events.Key("3", "3"))
        await rig.settle()
        await rig.see("key ignored")

    drive(small, steps)
    assert told(small) == [("grade", "q1", "d1", 3)]


def test_different_keys_in_one_burst_judge_one_card(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        for key in "3210":
            rig.app.post_message(textual_events.Key(key, key))
        await rig.settle()
        await rig.see("key ignored")

    drive(small, steps)
    assert told(small) == [("grade", "q1", "d1", 3)]


def test_what_a_terminal_answers_after_escape_judges_nothing(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("c")
        for key in ("escape", "3"):
            rig.app.post_message(textual_events.Key(key, key if len(key) == 1 else None))
        await rig.see("too soon after esc")

    drive(small, steps)
    assert told(small) == []


def test_resizing_keeps_document_and_place_and_grades_nothing_blind(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("j", "j", "space")
        before = rig.judging.board.query_one("#document")
        for size in ((200, 60), (40, 12), (10, 3), (1, 1)):
            await rig.pilot.resize_terminal(*size)
            await rig.pilot.pause()
        await rig.press("2", "x", "u")
        await rig.pilot.resize_terminal(10, 3)
        await rig.pilot.pause()
        await rig.see("terminal")
        await rig.press("2")
        await rig.pilot.resize_terminal(80, 24)
        await rig.see("candidates 3 of 3")
        assert rig.card == ("q1", "d3")
        assert rig.judging.board.query_one("#document") is before
        assert "lines 1-" not in rig.text
        await rig.press("2")

    drive(small, steps)
    assert told(small) == [("grade", "q1", "d3", 2)]


@pytest.mark.parametrize("size", [(60, 20), (63, 22), (80, 24), (120, 34), (160, 45), (300, 80)])
def test_rows_are_never_wider_than_the_screen(small: Workspace, size: tuple[int, int]) -> None:
    async def steps(rig: Rig) -> None:
        strips = rig.app.screen._compositor.render_strips()
        assert {strip.cell_length for strip in strips} == {size[0]}
        assert "0 does not" in rig.text or " 0 " in rig.text

    drive(small, steps, size=size, opened="not judged yet")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_any_burst_of_keys_leaves_it_alive(small: Workspace, seed: int) -> None:
    chosen = random.Random(seed)
    keys = [
        key for action in JUDGING + QUERIES for key in action.keys if key not in ("q", "escape")
    ]
    keys += ["enter", "escape", "l", "b", "tab", "n"]

    async def steps(rig: Rig) -> None:
        for key in chosen.choices(keys, k=150):
            rig.app.post_message(textual_events.Key(key, key if len(key) == 1 else None))
            if chosen.random() < 0.1:
                await rig.pilot.pause()
        await rig.settle()
        assert rig.app.is_running or rig.app.return_code == 0

    drive(small, steps)
    assert {e.op for e in events(small)} <= set(get_args(Op))


def test_a_failed_save_brings_the_card_back_and_says_why(small: Workspace) -> None:
    folder = small.label_folder(NAME)

    async def steps(rig: Rig) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        blocked = folder / "ann"
        blocked.write_text("in the way")
        await rig.press("3")
        await rig.see("NOT SAVED")
        assert rig.card == ("q1", "d1")
        await rig.see("1  -   First")
        assert "NOT SAVED" in rig.rows[0]
        assert "judged 0/3" in rig.rows[0]
        blocked.unlink()
        await rig.press("2")
        await rig.see("graded 2")
        assert "NOT" not in rig.rows[0]
        assert rig.card == ("q1", "d2")

    drive(small, steps)
    assert told(small) == [("grade", "q1", "d1", 2)]


def test_leaving_with_something_unsaved_takes_a_second_key(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        small.label_folder(NAME).mkdir(parents=True, exist_ok=True)
        (small.label_folder(NAME) / "ann").write_text("in the way")
        await rig.press("3")
        await rig.see("NOT SAVED")
        await rig.press("ctrl+q")
        await rig.see("ctrl+q again")
        assert rig.app.is_running
        await rig.press("ctrl+q")
        await rig.until(lambda: not rig.app.is_running)

    drive(small, steps)


@pytest.mark.parametrize("size", [(39, 24), (80, 9), (10, 3), (1, 1)])
def test_in_a_terminal_that_is_too_small_nothing_can_be_judged(
    small: Workspace, size: tuple[int, int]
) -> None:
    async def steps(rig: Rig) -> None:
        await rig.until(lambda: isinstance(rig.app.screen, JudgingScreen))
        assert "alpha" not in rig.text
        await rig.press("3", "x", "s", "c", "l", "i", "u", "f")
        await rig.pilot.resize_terminal(80, 24)
        await rig.see("candidates 1 of 3")

    drive(small, steps, size=size, opened="")
    assert told(small) == []
