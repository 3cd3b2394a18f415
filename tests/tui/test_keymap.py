"""The user's own keys: which are obeyed, and what is said of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.tui.actions import JUDGING, SCREENS, clashes, key_bar
from judge.tui.keymap import Keymap, load_keymap

if TYPE_CHECKING:
    from pathlib import Path


def load(tmp_path: Path, text: str) -> Keymap:
    path = tmp_path / "keys.toml"
    path.write_text(text, "utf-8")
    return load_keymap(path)


def told(keymap: Keymap, tmp_path: Path) -> list[str]:
    return [notice.removeprefix(f"{tmp_path}/keys.toml:") for notice in keymap.notices]


def test_keys_are_taken_in_every_way_that_toml_has(tmp_path: Path) -> None:
    dotted = 'judging.flag = "F"\n"queries"."jump" = ";"\njudging.grade.3 = "d"\n'
    keymap = load(tmp_path, dotted)
    assert keymap.notices == ()
    assert keymap.keys == {
        "judging.flag": ("F",),
        "queries.jump": (";",),
        "judging.grade.3": ("d",),
    }
    tables = '[judging]\nnext = [";", "Down"]\nredo = "ctrl+y"\n[judging.grade]\n2 = "a"\n'
    keymap = load(tmp_path, tables)
    assert keymap.notices == ()
    assert keymap.keys == {
        "judging.next": (";", "down"),
        "judging.redo": ("ctrl+y",),
        "judging.grade.2": ("a",),
    }


def test_no_file_changes_nothing(tmp_path: Path) -> None:
    assert load_keymap(tmp_path / "keys.toml") == Keymap() == load_keymap(None)
    assert load(tmp_path, "") == Keymap()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('judging.flag = "alt+f"', "not every terminal sends"),
        ('judging.flag = "f5"', "not every terminal sends"),
        ('judging.flag = "ctrl+f1"', "not every terminal sends"),
        ('judging.flag = "ctrl+shift+f"', "not every terminal sends"),
        ('judging.flag = "ctrl+q"', '"ctrl+q" quits everywhere'),
        ('judging.flag = "ctrl+p"', "opens the palette everywhere"),
        ('judging.flag = "ctrl+m"', "is enter to a terminal"),
        ('judging.flag = "flag"', "is no key"),
        ('judging.flag = ""', "is no key"),
        ('judging.flag = "\\u0007"', "is no key"),
        ("judging.flag = 3", "a key is written"),
        ("judging.flag = []", "a key is written"),
        ("judging.flag = ['F', 'F']", "one key is enough"),
    ],
)
def test_a_key_that_cannot_be_used_is_named_with_what_is_used_instead(
    tmp_path: Path, line: str, said: str
) -> None:
    keymap = load(tmp_path, f"# my keys\n\n{line}\n")
    (notice,) = told(keymap, tmp_path)
    assert notice.startswith("3: judging.flag keeps f: ")
    assert said in notice
    assert keymap.keys == {}


def test_a_grade_has_one_key(tmp_path: Path) -> None:
    keymap = load(tmp_path, 'judging.grade.1 = ["y", "w"]')
    assert told(keymap, tmp_path) == ["1: judging.grade.1 keeps 1: one key is enough"]


def test_an_unknown_action_is_named_with_the_nearest(tmp_path: Path) -> None:
    keymap = load(tmp_path, 'judging.flagg = "F"\njudging.skip = "S"\nxyzzy.plugh = "x"\n')
    first, second = told(keymap, tmp_path)
    assert first.startswith('1: "judging.flagg" is no action')
    assert first.endswith("did you mean judging.flag?")
    assert second.startswith('3: "xyzzy.plugh" is no action')
    assert keymap.keys == {"judging.skip": ("S",)}


def test_two_actions_never_have_one_key(tmp_path: Path) -> None:
    keymap = load(tmp_path, 'judging.flag = "x"\n')
    assert told(keymap, tmp_path) == ['1: judging.flag keeps f: "x" is judging.hard_negative']
    # The later line gives way; so does one that took the key which the first one gets back.
    keymap = load(tmp_path, 'judging.skip = "f"\njudging.flag = "W"\nhelp.top = "W"\n')
    assert keymap.notices == ()
    keymap = load(tmp_path, 'judging.skip = "f"\njudging.flag = "W"\njudging.undo = "W"\n')
    assert told(keymap, tmp_path) == ['3: judging.undo keeps u: "W" is judging.flag']
    keymap = load(tmp_path, 'judging.undo = "W"\njudging.skip = "f"\njudging.flag = "W"\n')
    assert told(keymap, tmp_path) == [
        '2: judging.skip keeps s: "f" is judging.flag',
        '3: judging.flag keeps f: "W" is judging.undo',
    ]
    for screen, actions in SCREENS.items():
        assert clashes(keymap.applied(screen, actions)) == []


def test_keys_can_be_exchanged(tmp_path: Path) -> None:
    keymap = load(tmp_path, 'judging.flag = "x"\njudging.hard_negative = "f"\n')
    assert keymap.notices == ()
    assert clashes(keymap.applied("judging", JUDGING)) == []


@pytest.mark.parametrize("text", ["judging.flag = ", "[", "a = 1\na = 2", "\x00"])
def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path: Path, text: str) -> None:
    keymap = load(tmp_path, f"# one\n{text}")
    (notice,) = keymap.notices
    assert notice.startswith(f"{tmp_path}/keys.toml:")
    assert notice.endswith("; the usual keys are used")
    assert keymap.keys == {}


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_bytes(b"\xff\xfe")
    (notice,) = load_keymap(tmp_path / "keys.toml").notices
    assert str(tmp_path) in notice


def test_bar_and_help_show_the_users_keys(tmp_path: Path) -> None:
    keymap = load(
        tmp_path, 'judging.undo = "U"\njudging.next = [";"]\njudging.grade.0 = "a"\nhelp.top = "T"'
    )
    applied = keymap.applied("judging", JUDGING)
    bar = {label: keys for _, keys, label in key_bar(applied)}
    assert bar["undo"] == "U"
    assert bar["move"] == "; k"
    shown = {action.name: action.shown_keys for action in applied}
    assert shown["grade"] == "a 1 2 3 4 5 6 7 8 9"
    assert shown["next"] == ";"
    assert shown["top"] == "g home"
    assert [keymap.key_of("judging", name) for name in ("undo", "grade.0", "back")] == [
        "U",
        "a",
        "esc",
    ]
    assert Keymap().applied("judging", JUDGING) == JUDGING
