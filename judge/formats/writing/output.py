"""How an export gets its place on disk: whole or not at all, and never over something else."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from judge.core.errors import InputError, Problem
from judge.core.files import TEMPORARY, make_folder, publish_tree, remove_tree, write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def refuse_existing(path: Path, *, force: bool) -> None:
    """Refuse to write where something stands already.

    Raises:
        InputError: The path exists and `force` is off.
    """
    if not force and (path.exists() or path.is_symlink()):
        raise InputError(
            Problem("exists already", path=path, expected="a new path, or --force to replace it")
        )


def write_file(path: Path, content: bytes | Callable[[IO[bytes]], object], *, force: bool) -> None:
    """Write one export file.

    Raises:
        InputError: The path exists and `force` is off, or is a folder.
    """
    refuse_existing(path, force=force)
    if path.is_dir():
        raise InputError(Problem("is a folder", path=path, expected="a file"))
    make_folder(path.parent)
    write_atomic(path, content)


@contextmanager
def new_folder(path: Path, *, force: bool) -> Iterator[Path]:
    """A folder to fill, which gets the name `path` when the block ends well.

    Raises:
        InputError: The path exists and `force` is off, or is a file.
    """
    refuse_existing(path, force=force)
    if path.exists() and not path.is_dir():
        raise InputError(Problem("is a file", path=path, expected="a folder"))
    make_folder(path.parent)
    staged = path.parent / f".{path.name}.{os.getpid()}{TEMPORARY}"
    replaced = path.parent / f".{path.name}.old.{os.getpid()}{TEMPORARY}"
    remove_tree(staged)
    staged.mkdir()
    try:
        yield staged
        if path.exists():
            path.rename(replaced)
        publish_tree(staged, path)
    except InputError as error:
        raise _renamed(error, staged, path) from None
    finally:
        remove_tree(staged)
        if replaced.exists() and not path.exists():
            replaced.rename(path)
        if replaced.is_symlink():
            replaced.unlink()  # a link is replaced itself; what it leads to stays
        remove_tree(replaced)


def _renamed(error: InputError, staged: Path, path: Path) -> InputError:
    """The same error with the places that the user knows."""
    problems = [
        replace(p, path=path / Path(p.path).relative_to(staged))
        if p.path is not None and Path(p.path).is_relative_to(staged)
        else p
        for p in error.problems
    ]
    return type(error)(*problems)
