"""What is remembered between two runs, and that nothing about its file can stop the program."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from judge.tui.settings import FILE, SETTINGS, Remembered, Settings, config_folder

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_set_is_there_the_next_time(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    first = Remembered.load(folder)
    assert (first.settings, first.notices) == (Settings(), ())
    assert not folder.exists()
    assert first.change("theme", "light") == ""
    assert first.change("auto_advance", value=False) == ""
    assert first.change("break_minutes", 90) == ""
    second = Remembered.load(folder)
    assert second.settings == Settings("light", auto_advance=False, break_minutes=90)
    assert json.loads((folder / FILE).read_text("utf-8")) == {
        "theme": "light",
        "auto_advance": False,
        "highlights": True,
        "break_minutes": 90,
        "list_width": 0,
    }
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[" * 100_000, b'"dark"', b"", b"null"])
def test_a_file_that_cannot_be_understood_is_told_and_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / FILE
    path.write_bytes(content)
    remembered = Remembered.load(tmp_path)
    assert remembered.settings == Settings()
    (notice,) = remembered.notices
    assert str(path) in notice
    assert notice.startswith(f"{path}: the usual settings hold, and none is kept: ")
    assert remembered.change("theme", "contrast") == notice
    assert remembered.settings.theme == "contrast"
    assert path.read_bytes() == content


def test_one_wrong_value_spoils_no_other(tmp_path: Path) -> None:
    wrong = {"theme": "pink", "auto_advance": 1, "break_minutes": -1, "list_width": True}
    (tmp_path / FILE).write_text(json.dumps({**wrong, "highlights": False, "later": 1}), "utf-8")
    remembered = Remembered.load(tmp_path)
    assert remembered.settings == Settings(highlights=False)
    assert [notice.split(": ")[1] for notice in remembered.notices] == list(wrong)
    assert '"pink" is no choice; dark is used' in remembered.notices[0]


def test_a_value_by_hand_that_is_no_choice_of_the_sheet_holds(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"break_minutes": 33, "list_width": 40}', "utf-8")
    remembered = Remembered.load(tmp_path)
    assert remembered.notices == ()
    assert (remembered.settings.break_minutes, remembered.settings.list_width) == (33, 40)
    assert remembered.next("break_minutes") == ""
    assert remembered.settings.break_minutes == 25


def test_a_folder_that_cannot_be_written_is_told_and_the_setting_holds(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    remembered = Remembered(Settings(), blocked / "judge" / FILE)
    assert "not remembered" in remembered.change("theme", "light")
    assert remembered.settings.theme == "light"


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    remembered = Remembered.load(tmp_path)
    assert remembered.settings == Settings()
    assert len(remembered.notices) == 1


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_all_choices_come_round_both_ways_and_can_be_read_back(
    tmp_path: Path, setting: tuple[str, ...]
) -> None:
    name, choices = setting[0], len(setting[2])
    remembered = Remembered.load(tmp_path)
    usual = getattr(remembered.settings, name)
    seen = []
    for _ in range(choices):
        remembered.next(name)
        seen.append(getattr(remembered.settings, name))
        loaded = Remembered.load(tmp_path)
        assert (loaded.settings, loaded.notices) == (remembered.settings, ())
    assert len(set(seen)) == choices
    assert seen[-1] == usual
    remembered.next(name, -1)
    assert getattr(remembered.settings, name) == seen[-2]


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"HOME": "/home/a"}, "/home/a/.config/judge"),
        ({"HOME": "/home/a", "XDG_CONFIG_HOME": "/x"}, "/x/judge"),
        ({"HOME": "/home/a", "XDG_CONFIG_HOME": ""}, "/home/a/.config/judge"),
        ({"HOME": "/home/a", "XDG_CONFIG_HOME": "not/absolute"}, "/home/a/.config/judge"),
        ({"HOME": "/home/a", "XDG_CONFIG_HOME": "/x", "JUDGE_CONFIG": "/mine"}, "/mine"),
    ],
)
def test_where_the_folder_is(environment: dict[str, str], folder: str) -> None:
    assert config_folder(environment).as_posix() == folder
