"""The sheet of settings, what each does, and the user's keys on the screens."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.tui.rig import Rig, drive, make_small, told

if TYPE_CHECKING:
    from pathlib import Path

    from judge.core.workspace import Workspace


def kept(config: Path) -> dict[str, object]:
    found = json.loads((config / "settings.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def test_a_setting_is_changed_with_one_key_and_remembered(
    workspace: Workspace, tmp_path: Path
) -> None:
    make_small(workspace)

    async def change(rig: Rig) -> None:
        await rig.press("comma")
        await rig.see("settings")
        await rig.press("right")
        assert rig.app.theme == "judge-light"
        await rig.press("left", "left")
        assert rig.app.theme == "judge-contrast"
        await rig.press("t", "t", "j", "enter", "down", "l", "h", "k", "up", "comma")
        await rig.see("candidates")

    async def look(rig: Rig) -> None:
        assert rig.app.theme == "judge-light"
        await rig.press("t")
        await rig.press("3")
        assert rig.card == ("q1", "d1")
        await rig.see("graded 3")

    drive(workspace, change, config=tmp_path)
    assert kept(tmp_path)["theme"] == "light"
    assert kept(tmp_path)["auto_advance"] is False
    drive(workspace, look, config=tmp_path)
    assert kept(tmp_path)["theme"] == "contrast"
    assert told(workspace) == [("grade", "q1", "d1", 3)]


def test_auto_advance_can_be_turned_on_again_at_once(workspace: Workspace, tmp_path: Path) -> None:
    make_small(workspace)
    (tmp_path / "settings.json").write_text('{"auto_advance": false}', "utf-8")

    async def steps(rig: Rig) -> None:
        await rig.press("3")
        assert rig.card == ("q1", "d1")
        await rig.press("comma", "j", "enter", "escape")
        await rig.see("candidates")
        await rig.press("2")
        assert rig.card == ("q1", "d2")

    drive(workspace, steps, config=tmp_path)


def test_a_file_of_settings_that_is_broken_is_told_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    make_small(workspace)
    (tmp_path / "settings.json").write_text("{[/x] \x1b[2J", "utf-8")

    async def steps(rig: Rig) -> None:
        await rig.see("settings.json: ")
        await rig.press("j")
        assert "settings.json" not in rig.text
        await rig.press("?", "G")
        await rig.see("the usual settings hold")
        await rig.press("escape", "comma", "enter")
        await rig.see("the usual settings hold")

    drive(workspace, steps, config=tmp_path)


def test_a_setting_that_cannot_be_kept_is_told_and_holds(
    workspace: Workspace, tmp_path: Path
) -> None:
    make_small(workspace)
    (tmp_path / "file").write_text("in the way")

    async def steps(rig: Rig) -> None:
        await rig.press("comma", "enter")
        await rig.see("not remembered")
        assert rig.app.theme == "judge-light"

    drive(workspace, steps, config=tmp_path / "file" / "judge", size=(160, 45))


def test_the_users_keys_act_and_are_shown_in_bar_and_help(
    workspace: Workspace, tmp_path: Path
) -> None:
    make_small(workspace)
    keys = '[judging]\nundo = "U"\nnext = [";", "down"]\n[judging.grade]\n0 = "a"\n'
    (tmp_path / "keys.toml").write_text(keys, "utf-8")

    async def steps(rig: Rig) -> None:
        assert " U undo" in rig.rows[-1]
        await rig.press("0", "u", "j")
        assert rig.card == ("q1", "d1")
        await rig.press("a")
        assert rig.card == ("q1", "d2")
        await rig.press(";", "k", "down")
        assert rig.card == ("q1", "d3")
        await rig.press("U")
        await rig.see("undone: grade 0 on d1")
        await rig.press("?")
        await rig.see("a 1 2 3  ")
        await rig.see("; down")

    drive(workspace, steps, config=tmp_path)
    assert [op for op, *_ in told(workspace)] == ["grade", "undo"]


def test_a_line_of_keys_that_is_not_obeyed_is_told(workspace: Workspace, tmp_path: Path) -> None:
    make_small(workspace)
    (tmp_path / "keys.toml").write_text('datasets.open = "x"\nlist.open = "o"\n', "utf-8")

    async def steps(rig: Rig) -> None:
        await rig.see('keys.toml:1: datasets.open keeps enter: "x" is datasets.export')
        await rig.see("(+1 more: ?)")
        await rig.press("?", "G")
        await rig.see('"list.open" is no')

    drive(workspace, steps, dataset=None, opened="small", config=tmp_path, size=(100, 24))
