"""Durable writes, and lines with the numbers that an editor shows."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gzip
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from judge.core import files
from judge.core.errors import FormatError, InputError


def lines(path: Path, data: bytes) -> list[tuple[int, str]]:
    path.write_bytes(data)
    return list(files.read_lines(path))


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"", []),
        (b"a\nb\n", [(1, "a"), (2, "b")]),
        (b"a\nb", [(1, "a"), (2, "b")]),
        (b"\xef\xbb\xbfa\r\n\r\nb\r\n", [(1, "a"), (2, ""), (3, "b")]),
        (b"a\rb\rc", [(1, "a"), (2, "b"), (3, "c")]),
        ("a\u2028b\x0cc\x85\n".encode(), [(1, "a\u2028b\x0cc\x85")]),
        (gzip.compress(b"x\ny\n"), [(1, "x"), (2, "y")]),
    ],
)
def test_lines(tmp_path: Path, data: bytes, wanted: list[tuple[int, str]]) -> None:
    assert lines(tmp_path / "f", data) == wanted


def test_bytes_that_are_not_utf8_name_line_and_byte(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        lines(tmp_path / "f.txt", b"fine\ncaf\xe9\n")
    assert str(caught.value) == (
        f"{tmp_path / 'f.txt'}:2: byte 0xe9 is not UTF-8 (expected: UTF-8 text)"
    )


def test_text_names_the_line_too(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\nb\n\xff")
    with pytest.raises(FormatError, match=":3: byte 0xff"):
        files.read_text(tmp_path / "f")


def test_damaged_gzip_is_a_named_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="damaged gzip data"):
        lines(tmp_path / "f.gz", gzip.compress(b"a\n" * 1000)[:-20])


@pytest.mark.parametrize("look", [files.read_bytes, files.regular])
def test_missing_files_and_folders_are_named(tmp_path: Path, look: Callable[[Path], str]) -> None:
    for path, problem in (
        (tmp_path / "none", "no such file"),
        (tmp_path, "is a folder (expected: a file)"),
    ):
        with pytest.raises(InputError) as caught:
            look(path)
        assert str(caught.value) == f"{path}: {problem}"


@contextlib.contextmanager
def pipe_of(data: bytes) -> Iterator[Path]:
    """A pipe with some bytes in it, as a shell's `<(...)` gives it."""
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
        os.close(writing)
        yield Path(f"/dev/fd/{reading}")
    finally:
        os.close(reading)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_loses_nothing(pack: Callable[[bytes], bytes]) -> None:
    text = b"".join(b"line %d\n" % i for i in range(2000))
    with pipe_of(pack(text)) as path:
        assert files.read_bytes(path) == text
    with pipe_of(pack(text)) as path:
        assert [line for _, line in files.read_lines(path)] == text.decode().splitlines()


def test_what_cannot_be_read_twice_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to(tmp_path / "fifo")
    with pipe_of(b"x") as pipe:
        kinds = {pipe: "pipe", tmp_path / "fifo": "pipe", tmp_path / "link": "pipe"}
        for path, kind in (kinds | {Path("/dev/null"): "device"}).items():
            with pytest.raises(InputError) as caught:
                files.regular(path)
            assert str(caught.value) == (
                f"{path}: is a {kind} (expected: a file that can be read twice)"
            )
    (tmp_path / "file").touch()
    assert files.regular(tmp_path / "file") == tmp_path / "file"


def test_a_write_is_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "f"
    files.write_atomic(path, b"old")

    def fail_midway(file: IO[bytes]) -> None:
        file.write(b"half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        files.write_atomic(path, fail_midway)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_write_is_durable_before_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def seen_fsync(handle: int) -> None:
        target = Path(f"/proc/self/fd/{handle}").readlink()
        calls.append(f"fsync {'folder' if target == tmp_path else 'file'}")
        fsync(handle)

    def seen_replace(self: Path, target: Path) -> Path:
        calls.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", seen_fsync)
    monkeypatch.setattr(Path, "replace", seen_replace)
    files.write_atomic(tmp_path / "f", b"x")
    assert calls == ["fsync file", "rename", "fsync folder"]


def test_files_that_belong_together_are_all_written_or_none(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"old")

    def fail(file: IO[bytes]) -> None:
        raise OSError("disk full")

    broken: list[dict[Path, bytes | Callable[[IO[bytes]], object]]]
    broken = [{one: fail, other: b"x"}, {one: b"x", other: fail}]
    for contents in broken:
        with pytest.raises(OSError, match="disk full"):
            files.write_together(contents)
        assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("one", b"old")]
    files.write_together({one: b"new", other: lambda file: file.write(b"too")})
    assert (one.read_bytes(), other.read_bytes()) == (b"new", b"too")


def test_a_tree_is_published_once(tmp_path: Path) -> None:
    staged = tmp_path / ".new-x"
    (staged / "inner").mkdir(parents=True)
    (staged / "inner" / "f").write_text("1")
    files.publish_tree(staged, tmp_path / "x")
    assert (tmp_path / "x" / "inner" / "f").read_text() == "1"
    assert not staged.exists()
    staged.mkdir()
    with pytest.raises(FileExistsError):
        files.publish_tree(staged, tmp_path / "x")


def test_who_publishes_second_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f").write_text(name)
    x = tmp_path / "x"
    # As if the other one came to be right after we looked.
    monkeypatch.setattr(files, "sync_tree", lambda _: (tmp_path / "b").rename(x))
    with pytest.raises(FileExistsError):
        files.publish_tree(tmp_path / "a", x)
    assert (x / "f").read_text() == "b"


STAGED = re.compile(r"\.new-set-[0-9a-f]{8}")


def test_a_staged_folder_is_ones_own_and_goes_unless_it_is_renamed(tmp_path: Path) -> None:
    parent = tmp_path / "corpora"
    with files.staged_folder(parent, "set") as one, files.staged_folder(parent, "set") as other:
        assert one != other
        assert STAGED.fullmatch(one.name)
        assert list(one.iterdir()) == []
        (one / "f").write_text("x")
        assert sorted(parent.iterdir()) == sorted([one, other])
    assert list(tmp_path.iterdir()) == []
    with files.staged_folder(parent, "set") as one:
        one.rename(parent / "set")
    assert [p.name for p in parent.iterdir()] == ["set"]


def test_another_program_may_take_an_empty_parent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Path] = []
    make = files.make_folder

    def make_and_lose(folder: Path) -> None:
        make(folder)
        if len(taken) < 2:
            folder.rmdir()
            taken.append(folder)

    monkeypatch.setattr(files, "make_folder", make_and_lose)
    with files.staged_folder(tmp_path / "corpora", "set") as folder:
        assert folder.is_dir()


def test_errors_pass_through_a_staged_folder(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError, match="mine"),
        files.staged_folder(tmp_path / "corpora", "set"),
    ):
        raise FileNotFoundError("mine")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_program_left_is_swept_away(tmp_path: Path) -> None:
    left, kept = tmp_path / ".new-other-set-0a1b2c3d", tmp_path / ".new-hand"
    for folder in (left, kept):
        folder.mkdir()
        (folder / "half").write_text("x")
    with files.staged_folder(tmp_path, "set") as own, files.staged_folder(tmp_path, "set"):
        assert own.exists()
        assert not left.exists()
        assert kept.exists()


def test_without_locks_only_old_leftovers_are_swept_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EBADF, "no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)
    old, young = tmp_path / ".new-a-00000000", tmp_path / ".new-a-00000001"
    for folder in (old, young):
        folder.mkdir()
    os.utime(old, (0, 0))
    with files.staged_folder(tmp_path, "set"):
        assert not old.exists()
        assert young.exists()


def test_a_lock_is_held_by_one_and_goes_with_the_block(tmp_path: Path) -> None:
    with files.locked(tmp_path) as mine, files.locked(tmp_path, wait=False) as second:
        assert (mine, second) == ("mine", "other")
    with files.locked(tmp_path, wait=False) as again:
        assert again == "mine"
    assert list(tmp_path.iterdir()) == []


def test_sha256_is_that_of_the_bytes_on_disk(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    assert files.sha256(tmp_path / "f") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def full(file: IO[bytes]) -> None:
    file.write(b"half")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_errors_of_the_disk_name_what_the_user_knows(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    with pytest.raises(OSError, match="No space left") as caught:
        files.write_atomic(path, full)
    assert caught.value.filename == str(path)
    with pytest.raises(FileNotFoundError) as missing:
        files.write_atomic(tmp_path / "nowhere" / "mine.txt", b"")
    assert missing.value.filename == str(tmp_path / "nowhere" / "mine.txt")
    path.mkdir()
    with pytest.raises(IsADirectoryError) as taken:
        files.write_atomic(path, b"")
    assert taken.value.filename == str(path)
    with (
        pytest.raises(OSError, match="No space left") as inside,
        files.staged_folder(tmp_path, "set") as folder,
    ):
        files.write_atomic(folder / "documents", full)
    assert inside.value.filename == str(tmp_path / "set" / "documents")
    assert list(tmp_path.iterdir()) == [path]


def test_errors_that_are_not_about_what_is_hidden_stay(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError) as caught,
        files.told_as(tmp_path / ".x.tmp", tmp_path / "x"),
    ):
        (tmp_path / "other").read_bytes()
    assert caught.value.filename == str(tmp_path / "other")
    with pytest.raises(OSError, match=r"^in words$"), files.told_as(tmp_path, tmp_path / "x"):
        raise OSError("in words")


def test_files_put_together_keep_no_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes("\ufeffa\n\ufeffb\r\n\ufeffc\ufeff\r\ufeffd".encode())
    assert list(files.read_lines(path)) == [(1, "a"), (2, "b"), (3, "c\ufeff"), (4, "d")]


def test_a_passing_folder_goes_with_the_program() -> None:
    code = (
        "from judge.core.files import passing_folder\n"
        "folder = passing_folder()\n(folder / 'x').write_text('x')\nprint(folder)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert not Path(ended.stdout.strip()).exists()
