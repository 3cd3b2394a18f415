"""How a file's hash is known without reading the file again, by its size and time, only here."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

from judge.core.errors import InputError, Problem
from judge.core.files import make_folder, sha256, write_atomic

if TYPE_CHECKING:
    from pathlib import Path


def current_sha(path: Path, cache: Path) -> str:
    """The SHA-256 of a file as it lies there now, in hex.

    It is read anew only when its size or its time changed since the note in the cache was made.
    Where the cache cannot be written, as in a workspace that is only read, it is read each time.

    Args:
        path: The file.
        cache: The dataset's cache folder.

    Raises:
        InputError: There is no such file.
        OSError: It cannot be read.
    """
    seen = _size_and_time(path)
    try:
        known = json.loads(_note(path, cache).read_text("utf-8"))
        if {name: known[name] for name in seen} == seen:
            return str(known["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # no note yet, or a damaged one: it is only derived
    digest = sha256(path)
    note_sha(path, cache, digest)
    return digest


def note_sha(path: Path, cache: Path, digest: str) -> None:
    """Remember the hash of a file as it lies there now, if the disk allows."""
    content = json.dumps({**_size_and_time(path), "sha256": digest})
    with contextlib.suppress(OSError):
        make_folder(cache)
        write_atomic(_note(path, cache), content.encode())


def _size_and_time(path: Path) -> dict[str, int]:
    try:
        stat = path.stat()
    except FileNotFoundError:
        raise InputError(Problem("no such file", path=path)) from None
    return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}


def _note(path: Path, cache: Path) -> Path:
    return cache / f"{path.stem}-sha.json"
