"""How bytes get to disk so that they survive, and come back as numbered lines, is known here."""

from __future__ import annotations

import atexit
import contextlib
import errno
import fcntl
import gzip
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, cast

from judge.core.errors import FormatError, InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Content = bytes | Callable[[IO[bytes]], object]
    Lock = Literal["mine", "other", "none"]

BOM = b"\xef\xbb\xbf"
TEMPORARY = ".tmp"
"""Every unfinished file of ours ends with this and starts with a dot; no reader looks at one."""
GZIP = b"\x1f\x8b"
STALE = 24 * 3600
"""Seconds after which an unfinished folder counts as left behind where there are no locks."""
_STAGED = re.compile(r"\.new-.+-[0-9a-f]{8}")


@contextlib.contextmanager
def told_as(hidden: Path, shown: Path) -> Iterator[None]:
    """Have errors of the disk name what the user knows, and not what is still hidden.

    Args:
        hidden: An unfinished file or folder of ours.
        shown: What it is going to be; also named where an error names nothing, as when a disk is
            full.
    """
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(shown)
        elif isinstance(error.filename, str) and Path(error.filename).is_relative_to(hidden):
            error.filename = str(shown / Path(error.filename).relative_to(hidden))
        raise


def legible(name: str) -> str:
    r"""The name of a file as text that can be written anywhere.

    Disks keep bytes, and Python stands in half characters for those that are not UTF-8; such text
    can neither be printed nor kept.

    >>> legible("caf\udce9.trec"), legible("café.trec")
    ('caf\\xe9.trec', 'café.trec')
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable (fsync of the folder itself)."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with told_as(folder, folder):
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


def write_atomic(path: Path, content: Content) -> None:
    """Write a file whole or not at all, and return only when it would survive a power cut.

    Order: temporary file in the same folder, write, flush, fsync, rename, fsync of the folder.

    Args:
        path: Where the file shall stand; a file already there is replaced.
        content: The bytes, or a function that writes them to the open file.

    Raises:
        OSError: The disk refused; nothing has changed then and no temporary file is left. Only if
            the last step failed, the fsync of the folder, does the new file stand there already,
            and a power cut may take it away again.
    """
    write_together({path: content})


def write_together(contents: Mapping[Path, Content]) -> None:
    """Write several files as `write_atomic` does: none gets its name before all are written.

    Raises:
        OSError: The disk refused; as with `write_atomic`, or a rename failed after others.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            staged[path] = path.parent / f".{path.name}.{os.getpid()}{TEMPORARY}"
            with told_as(staged[path], path), staged[path].open("wb") as file:
                if isinstance(content, bytes):
                    file.write(content)
                else:
                    content(file)
                file.flush()
                os.fsync(file.fileno())
        for path, temporary in staged.items():
            with told_as(temporary, path):
                temporary.replace(path)
    except BaseException:
        for temporary in staged.values():
            with contextlib.suppress(OSError):  # why it failed says more
                temporary.unlink(missing_ok=True)
        raise
    for folder in {path.parent for path in contents}:
        sync_folder(folder)


def sync_tree(folder: Path) -> None:
    """Fsync every file and folder below a folder, and the folder itself."""
    for root, _, names in os.walk(folder, topdown=False):
        for name in names:
            path = Path(root) / name
            with told_as(path, path), path.open("rb") as file:
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
    try:
        staged.rename(final)
    except OSError as error:
        # Another program was faster: a folder cannot be renamed over one that holds something.
        if error.errno == errno.ENOTEMPTY:
            raise FileExistsError(final) from None
        raise
    sync_folder(final.parent)


def may_not_write(error: OSError) -> bool:
    """Whether the disk refused because it is only to be read, and not because it is full or broken.

    >>> may_not_write(OSError(errno.EROFS, "")), may_not_write(OSError(errno.ENOSPC, ""))
    (True, False)
    """
    return error.errno in (errno.EROFS, errno.EACCES, errno.EPERM)


def passing_folder() -> Path:
    """A new folder outside the workspace, which is removed when the program ends."""
    folder = Path(tempfile.mkdtemp(prefix="judge-"))
    atexit.register(remove_tree, folder)
    return folder


def remove_tree(folder: Path) -> None:
    """Remove a folder of ours (staged or derived); silent when it is not there."""
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def staged_folder(parent: Path, name: str) -> Iterator[Path]:
    """A folder of one's own in which to build what gets its name last: `.new-<name>-<8 hex>`.

    It is removed when the block ends, unless it was renamed by then; so is a parent that was made
    for it and is empty again. What killed programs left in the parent is swept away first. A
    running program keeps its folder locked, so that nobody takes that for a leftover; where the
    file system has no locks, a leftover is what nobody has touched for a day.
    """
    had_parent = parent.exists()
    for left in list(parent.iterdir()) if had_parent else ():
        if _STAGED.fullmatch(left.name):
            _sweep(left)
    folder, handle = _new_folder(parent, name)
    try:
        with told_as(folder, parent / name):
            yield folder
    finally:
        remove_tree(folder)
        os.close(handle)
        if not had_parent:
            with contextlib.suppress(OSError):  # it is no longer empty
                parent.rmdir()


def _new_folder(parent: Path, name: str) -> tuple[Path, int]:
    """A new empty folder, and the handle that keeps it locked until it is closed."""
    while True:
        folder = parent / f".new-{name}-{os.urandom(4).hex()}"
        make_folder(parent)
        # Other programs may take the empty parent away, and this folder as one left behind.
        with contextlib.suppress(FileNotFoundError):
            with told_as(folder, parent / name):
                folder.mkdir()
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            if _lock(handle, wait=False) != "other" and folder.exists():
                return folder, handle
            os.close(handle)


def _sweep(folder: Path) -> None:
    """Remove a staged folder if no running program builds in it."""
    with contextlib.suppress(OSError), locked(folder, wait=False) as lock:
        old = time.time() - folder.stat().st_mtime > STALE
        if lock == "mine" or (lock == "none" and old):
            remove_tree(folder)


@contextlib.contextmanager
def locked(folder: Path, *, wait: bool = True) -> Iterator[Lock]:
    """Hold the lock of a folder, which goes when the program does, however it ends.

    Args:
        folder: Must be there; nothing in it changes.
        wait: Wait until no other program holds it.

    Yields:
        `mine`; `other` if another one holds it; `none` where the file system has no locks.

    Raises:
        OSError: The folder is not there or may not be read.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield _lock(handle, wait=wait)
    finally:
        os.close(handle)


def _lock(handle: int, *, wait: bool) -> Lock:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return "other"
    except OSError:
        return "none"
    return "mine"


def regular(path: Path, expected: str = "a file that can be read twice") -> Path:
    """The path itself, if it is a regular file.

    Readers ask this before they look into a file and then read it: what comes out of a pipe, such
    as `/dev/stdin` or a shell's `<(...)`, comes only once, and the second look would miss it.

    Args:
        path: What to look at; links are followed.
        expected: What the message says would have been right.

    Raises:
        InputError: There is no such file, or it is a folder, a pipe or a device.
    """
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise InputError(_cannot_open(path, error)) from None
    if stat.S_ISREG(mode):
        return path
    if stat.S_ISDIR(mode):
        raise InputError(Problem("is a folder", path=path, expected="a file"))
    kind = "pipe" if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) else "device"
    raise InputError(Problem(f"is a {kind}", path=path, expected=expected))


class _Unpacked(gzip.GzipFile):
    """Unpacks an open file, and closes it in the end."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        super().__init__(fileobj=packed, mode="rb")

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._packed.close()


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading; gzip (known by its first bytes, whatever its name) is unpacked.

    It is opened once, so that a pipe loses nothing.

    Raises:
        InputError: The file is missing, a folder, or may not be read.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(_cannot_open(path, error)) from error
    try:
        packed = file.peek(len(GZIP)).startswith(GZIP)
    except OSError as error:
        file.close()
        raise InputError(_cannot_open(path, error)) from error
    return cast("IO[bytes]", _Unpacked(file)) if packed else file


def _cannot_open(path: Path, error: OSError) -> Problem:
    if isinstance(error, FileNotFoundError):
        return Problem("no such file", path=path)
    if isinstance(error, IsADirectoryError):
        return Problem("is a folder", path=path, expected="a file")
    return Problem(error.strerror or str(error), path=path)


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
    are text. A byte-order mark at the start of a line is dropped, since files that begin with one
    are also put together; gzip is unpacked; memory is bounded by the longest line.

    Raises:
        InputError: The file is missing or may not be read.
        FormatError: Bytes that are not UTF-8 (names line and byte), or damaged gzip data.
    """
    number = 0
    with open_bytes(path) as file, _damage_named(path):
        for raw in file:
            body = raw[:-2] if raw.endswith(b"\r\n") else raw.removesuffix(b"\n")
            for piece in body.split(b"\r") if b"\r" in body else (body,):
                number += 1
                try:
                    yield number, piece.removeprefix(BOM).decode("utf-8")
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
    except OSError as error:
        raise InputError(_cannot_open(path, error)) from error


def _not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> Problem:
    byte = error.object[error.start]
    return Problem(f"byte 0x{byte:02x} is not UTF-8", path=path, line=line, expected="UTF-8 text")
