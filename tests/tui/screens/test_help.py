"""The help, from every screen; the themes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.tui.actions import JUDGING
from judge.tui.screens.help import HelpScreen
from tests.tui.rig import Rig, drive, make_small, told

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


def test_help_shows_keys_grades_and_guidelines(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("?")
        assert isinstance(rig.app.screen, HelpScreen)
        for needed in ("0-3", "ctrl+r", "space pgdn", "[ left", "grade it and go on"):
            await rig.see(needed)
        await rig.press("G")
        await rig.see("Other keys")
        for wanted in ("While marking evidence", "Read it all.", "directly answers"):
            for _ in range(4):
                if wanted not in rig.text:
                    await rig.press("ctrl+u")
            await rig.see(wanted)
        await rig.press("3", "x", "g", "j", "k", "space", "b", "ctrl+d", "ctrl+u", "?")
        assert rig.card == ("q1", "d1")
        await rig.press("q", "?")
        await rig.see("judge this query")

    drive(workspace, steps)
    assert told(workspace) == []


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
def test_all_keys_of_judging_can_be_read_at_every_size(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("?")
        await rig.see("skip it for now")
        seen = ""
        for _ in range(8):
            seen += rig.text
            await rig.press("ctrl+d")
        for action in JUDGING:
            keys = "0-3" if action.keep else action.shown_keys
            assert f" {keys} " in seen
            assert action.help.split()[0] in seen
        assert "quit: all is saved" in seen

    drive(workspace, steps, size=size, opened="not judged yet")


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
