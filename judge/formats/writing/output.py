"""How an export gets its place on disk: whole or not at all, and never over something else."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from judge.core.errors import InputError, Problem
from judge.core.files import (
    TEMPORARY,
    make_folder,
    publish_tree,
    regular,
    remove_tree,
    write_together,
)
from judge.formats.writing.export_file import FILE, is_export

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from judge.core.files import Content


def refuse_existing(path: Path, *, force: bool) -> None:
    """Refuse to write where something stands already.

    Raises:
        InputError: The path exists and `force` is off.
    """
    if not force and (path.exists() or path.is_symlink()):
        raise InputError(
            Problem("exists already", path=path, expected="a new path, or --force to replace it")
        )


def place_of_file(path: Path, *, force: bool) -> Path:
    """Where a file is to be written, with the folder for it: where a link leads, not the link.

    Raises:
        InputError: The path exists and `force` is off, or is no regular file.
    """
    refuse_existing(path, force=force)
    if path.exists():
        regular(path, "a regular file, or a new path")
    place = path.resolve()
    make_folder(place.parent)
    return place


def write_files(contents: Mapping[Path, Content], *, force: bool) -> None:
    """Write the files of an export, all of them or none.

    Raises:
        InputError: A path exists and `force` is off, or is no regular file.
        OSError: The disk refused.
    """
    write_together({place_of_file(path, force=force): contents[path] for path in contents})


@contextmanager
def new_folder(path: Path, *, force: bool) -> Iterator[Path]:
    """A folder to fill, which gets the name `path` when the block ends well.

    Raises:
        InputError: The path exists and `force` is off, or it holds anything but an earlier export.
    """
    _refuse_folder(path, force=force)
    place = path.resolve()
    make_folder(place.parent)
    staged = place.parent / f".{place.name}.{os.getpid()}{TEMPORARY}"
    replaced = place.parent / f".{place.name}.old.{os.getpid()}{TEMPORARY}"
    remove_tree(staged)
    staged.mkdir()
    try:
        yield staged
        _refuse_folder(path, force=force)  # once more, since writing took its time
        if place.exists():
            place.rename(replaced)
        publish_tree(staged, place)
    except InputError as error:
        raise _renamed(error, staged, path) from None
    finally:
        remove_tree(staged)
        if replaced.exists() and not place.exists():
            replaced.rename(place)
        remove_tree(replaced)


def _refuse_folder(path: Path, *, force: bool) -> None:
    """Refuse a place for a folder that holds anything but an earlier export."""
    refuse_existing(path, force=force)
    if not path.exists():
        return
    if not path.is_dir():
        raise InputError(Problem("is a file", path=path, expected="a folder"))
    if any(path.iterdir()) and not is_export(path):
        expected = f"a new path, an empty folder, or an earlier export, which holds {FILE}"
        raise InputError(Problem("is no export, so it is not replaced", path, None, None, expected))


def _renamed(error: InputError, staged: Path, path: Path) -> InputError:
    """The same error with the places that the user knows."""
    problems = [
        replace(p, path=path / Path(p.path).relative_to(staged))
        if p.path is not None and Path(p.path).is_relative_to(staged)
        else p
        for p in error.problems
    ]
    return type(error)(*problems)
