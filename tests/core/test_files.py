"""Durable writes, and lines with the numbers that an editor shows."""

from __future__ import annotations

import gzip
import os
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


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(files.read_lines(tmp_path / "none"))
    with pytest.raises(InputError, match=r"[Ii]s a (folder|directory)"):
        list(files.read_lines(tmp_path))


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


def test_sha256_is_that_of_the_bytes_on_disk(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    assert files.sha256(tmp_path / "f") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
