"""How bytes get to disk so that they survive, and come back as numbered lines, is known here."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import shutil
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from judge.core.errors import FormatError, InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BOM = b"\xef\xbb\xbf"
TEMPORARY = ".tmp"
"""Every unfinished file of ours ends with this and starts with a dot; no reader looks at one."""


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable (fsync of the folder itself)."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, each made durable in its own parent."""
    missing = [f for f in (folder, *folder.parents) if not f.exists()]
    for new in reversed(missing):
        with contextlib.suppress(FileExistsError):
            new.mkdir()
        sync_folder(new.parent)


def write_atomic(path: Path, content: bytes | Callable[[IO[bytes]], object]) -> None:
    """Write a file whole or not at all, and return only when it would survive a power cut.

    Order: temporary file in the same folder, write, flush, fsync, rename, fsync of the folder.

    Args:
        path: Where the file shall stand; a file already there is replaced.
        content: The bytes, or a function that writes them to the open file.

    Raises:
        OSError: The disk refused; nothing has changed then and no temporary file is left.
    """
    temporary = path.parent / f".{path.name}.{os.getpid()}{TEMPORARY}"
    try:
        with temporary.open("wb") as file:
            if isinstance(content, bytes):
                file.write(content)
            else:
                content(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_tree(folder: Path) -> None:
    """Fsync every file and folder below a folder, and the folder itself."""
    for root, _, names in os.walk(folder, topdown=False):
        for name in names:
            with (Path(root) / name).open("rb") as file:
                os.fsync(file.fileno())
        sync_folder(Path(root))


def publish_tree(staged: Path, final: Path) -> None:
    """Give a finished folder its name, durably: it is there whole or not at all.

    Raises:
        FileExistsError: Something stands at `final` already.
    """
    if final.exists():
        raise FileExistsError(final)
    sync_tree(staged)
    staged.rename(final)
    sync_folder(final.parent)


def remove_tree(folder: Path) -> None:
    """Remove a folder of ours (staged or derived); silent when it is not there."""
    shutil.rmtree(folder, ignore_errors=True)


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading; gzip (known by its first bytes, whatever its name) is unpacked.

    Raises:
        InputError: The file is missing, a folder, or may not be read.
    """
    try:
        with path.open("rb") as probe:
            packed = probe.read(2) == b"\x1f\x8b"
        return cast("IO[bytes]", gzip.open(path, "rb")) if packed else path.open("rb")
    except FileNotFoundError:
        raise InputError(Problem("no such file", path=path)) from None
    except OSError as error:
        raise InputError(Problem(error.strerror or str(error), path=path)) from error


def read_bytes(path: Path) -> bytes:
    """All bytes of a file, unpacked if it is gzip.

    Raises:
        InputError: The file is missing or may not be read.
        FormatError: The gzip data are damaged.
    """
    with open_bytes(path) as file, _damage_named(path):
        return file.read()


def read_text(path: Path) -> str:
    """All text of a UTF-8 file, without a byte-order mark.

    Raises:
        FormatError: The bytes are not UTF-8; names the line and the byte.
    """
    data = read_bytes(path).removeprefix(BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(_not_utf8(path, line, error)) from None


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    r"""The lines of a UTF-8 file with their physical numbers from 1, without their ends.

    A line ends with LF, CR LF or a lone CR and with nothing else: U+2028, form feed and their like
    are text. A byte-order mark at the start is dropped; gzip is unpacked; memory is bounded by the
    longest line.

    Raises:
        InputError: The file is missing or may not be read.
        FormatError: Bytes that are not UTF-8 (names line and byte), or damaged gzip data.
    """
    number = 0
    with open_bytes(path) as file, _damage_named(path):
        for raw in file:
            if number == 0:
                raw = raw.removeprefix(BOM)
            body = raw[:-2] if raw.endswith(b"\r\n") else raw.removesuffix(b"\n")
            for piece in body.split(b"\r") if b"\r" in body else (body,):
                number += 1
                try:
                    yield number, piece.decode("utf-8")
                except UnicodeDecodeError as error:
                    raise FormatError(_not_utf8(path, number, error)) from None


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes as they lie on disk, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(Problem(f"damaged gzip data: {error}", path=path)) from error
    except IsADirectoryError:
        raise InputError(Problem("is a folder", path=path, expected="a file")) from None


def _not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> Problem:
    byte = error.object[error.start]
    return Problem(f"byte 0x{byte:02x} is not UTF-8", path=path, line=line, expected="UTF-8 text")
