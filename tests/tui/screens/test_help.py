"""The help, from every screen; the themes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.screens.help import HelpScreen
from tests.tui.rig import Rig, drive, make_small, told

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


def test_help_shows_keys_grades_and_guidelines(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("?")
        assert isinstance(rig.app.screen, HelpScreen)
        for needed in ("0-3", "ctrl+r", "space pgdn", "[ left", "grade it and go on", "ctrl+q"):
            await rig.see(needed)
        await rig.press("G")
        await rig.see("Read it all.")
        await rig.see("directly answers")
        await rig.press("3", "x", "g", "j", "k", "space", "b", "ctrl+d", "ctrl+u", "?")
        assert rig.card == ("q1", "d1")
        await rig.press("q", "?")
        await rig.see("judge this query")

    drive(workspace, steps)
    assert told(workspace) == []


def test_all_keys_of_judging_fit_on_a_small_screen(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("?")
        await rig.see("skip it for now")
        await rig.see("quit: all is saved")

    drive(workspace, steps)


def test_themes_take_turns(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        seen = []
        for _ in range(4):
            seen.append(rig.app.theme)
            await rig.press("t")
            await rig.see("not judged yet")
        assert seen == ["judge-dark", "judge-light", "judge-contrast", "judge-dark"]

    drive(workspace, steps)
