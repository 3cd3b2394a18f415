"""Derived folders: whole or not there, made anew when damaged, safe with many builders."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from judge.core.errors import EngineError
from judge.engines.derived import Derived

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEY = "0123456789abcdef" * 4


class Builder:
    """Builds a folder of two files, and counts how often."""

    def __init__(self, content: str = "first") -> None:
        self.content, self.built = content, 0

    def __call__(self, folder: Path) -> None:
        self.built += 1
        (folder / "a.bin").write_text(self.content)
        (folder / "b.bin").write_bytes(b"\x00" * 1000)


def names(home: Path) -> list[str]:
    return sorted(path.name for path in home.iterdir() if path.name != ".lock")


def test_it_is_built_once(tmp_path: Path) -> None:
    home, build = tmp_path / "cache" / "engines", Builder()
    folder = Derived(home, "bm25", KEY).ensure(build)
    assert Derived(home, "bm25", KEY).ensure(build) == folder
    assert build.built == 1
    assert names(home) == [folder.name] == ["bm25-0123456789abcdef"]
    assert (folder / "a.bin").read_text() == "first"


def test_another_key_takes_its_place_but_not_that_of_another_name(tmp_path: Path) -> None:
    Derived(tmp_path, "bm25", KEY).ensure(Builder())
    other = Derived(tmp_path, "dense", KEY).ensure(Builder())
    later = Derived(tmp_path, "bm25", KEY[::-1]).ensure(Builder("second"))
    assert names(tmp_path) == sorted([other.name, later.name])
    assert (later / "a.bin").read_text() == "second"


def cut(folder: Path) -> None:
    (folder / "b.bin").write_bytes(b"\x00" * 999)


def flip(folder: Path) -> None:
    (folder / "b.bin").write_bytes(b"\x00" * 500 + b"\x01" + b"\x00" * 499)


def lose(folder: Path) -> None:
    (folder / "b.bin").unlink()


def lose_the_list(folder: Path) -> None:
    (folder / "files.json").unlink()


def spoil_the_list(folder: Path) -> None:
    (folder / "files.json").write_text('{"key": []')


def list_of_something_else(folder: Path) -> None:
    listed = json.loads((folder / "files.json").read_text())
    (folder / "files.json").write_text(json.dumps({**listed, "key": KEY[::-1]}))


@pytest.mark.parametrize(
    "damage", [cut, flip, lose, lose_the_list, spoil_the_list, list_of_something_else]
)
def test_a_damaged_folder_is_made_anew(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    build = Builder()
    folder = Derived(tmp_path, "bm25", KEY).ensure(build)
    damage(folder)
    assert Derived(tmp_path, "bm25", KEY).ensure(build) == folder
    assert build.built == 2
    assert (folder / "b.bin").read_bytes() == b"\x00" * 1000
    assert names(tmp_path) == [folder.name]


def test_it_is_built_anew_on_demand(tmp_path: Path) -> None:
    build = Builder()
    Derived(tmp_path, "bm25", KEY).ensure(build)
    Derived(tmp_path, "bm25", KEY).ensure(build, anew=True)
    assert build.built == 2


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Derived(tmp_path, "bm25", KEY).ensure(fail)
    assert names(tmp_path) == []


def test_a_failed_renewal_keeps_what_was_there(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        raise ValueError(folder)

    folder = Derived(tmp_path, "bm25", KEY).ensure(Builder())
    with pytest.raises(ValueError, match="bm25"):
        Derived(tmp_path, "bm25", KEY).ensure(fail, anew=True)
    assert names(tmp_path) == [folder.name]


def test_the_disk_refusing_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "engines").write_text("a file where the folder should be")
    with pytest.raises(EngineError, match=r"cannot build .*bm25-0123456789abcdef: Not a directory"):
        Derived(tmp_path / "engines", "bm25", KEY).ensure(Builder())


KILLED = """
import pathlib, signal, sys
from judge.engines.derived import Derived
def build(folder):
    (folder / "half").write_text("half")
    print("building", flush=True)
    signal.pause()
Derived(pathlib.Path(sys.argv[1]), "bm25", sys.argv[2]).ensure(build)
"""


def test_a_killed_build_is_cleared_away(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path), KEY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "building\n"
        process.kill()
    left = names(tmp_path)
    assert len(left) == 1
    assert left[0].startswith(".bm25-")
    folder = Derived(tmp_path, "bm25", KEY).ensure(Builder())
    assert names(tmp_path) == [folder.name]


def test_builders_wait_for_each_other(tmp_path: Path) -> None:
    build, start = Builder(), threading.Barrier(4)

    def ensure(_: int) -> Path:
        start.wait()
        return Derived(tmp_path, "bm25", KEY).ensure(build)

    with ThreadPoolExecutor(4) as threads:
        folders = set(threads.map(ensure, range(4)))
    assert build.built == 1
    assert len(folders) == 1
    assert names(tmp_path) == [next(iter(folders)).name]


def test_without_locks_the_first_to_finish_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr("judge.engines.derived.fcntl.flock", no_locks)
    faster = Builder("faster")

    def slow(folder: Path) -> None:
        Derived(tmp_path, "bm25", KEY).ensure(faster)
        (folder / "a.bin").write_text("slower")

    folder = Derived(tmp_path, "bm25", KEY).ensure(slow)
    assert (folder / "a.bin").read_text() in {"faster", "slower"}
    assert faster.built == 1
    assert names(tmp_path) == [folder.name]
