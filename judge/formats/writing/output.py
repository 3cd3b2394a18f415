"""How an export gets its place on disk: whole or not at all, and never over something else."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from judge.core.errors import InputError, Problem
from judge.core.files import (
    TEMPORARY,
    make_folder,
    regular,
    remove_tree,
    sync_folder,
    sync_tree,
    told_as,
    write_together,
)
from judge.formats.writing.export_file import FILE, not_ours

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from judge.core.files import Content


OLD = ".old."
"""In the name of a folder that is being replaced."""


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
    places = {path: place_of_file(path, force=force) for path in contents}
    with ExitStack() as told:
        for path, place in places.items():
            told.enter_context(told_as(place, path))
        write_together({places[path]: contents[path] for path in contents})


@contextmanager
def new_folder(path: Path, *, force: bool) -> Iterator[Path]:
    """A folder to fill, which gets the name `path` when the block ends well.

    Raises:
        InputError: The path exists and `force` is off, or it holds anything but an earlier export.
    """
    place = path.resolve()
    if place.parent.is_dir():
        _restore(place)
    _refuse_folder(path, force=force)
    make_folder(place.parent)
    staged = place.parent / f".{place.name}.{os.getpid()}{TEMPORARY}"
    replaced = place.parent / f".{place.name}{OLD}{os.getpid()}{TEMPORARY}"
    remove_tree(staged)
    try:
        with told_as(staged, path):
            staged.mkdir()
            yield staged
            sync_tree(staged)  # the slow part, before the old folder gives up its name
            _refuse_folder(path, force=force)  # once more, since writing took its time
            if place.exists():
                place.rename(replaced)
            staged.rename(place)
            sync_folder(place.parent)
    except InputError as error:
        raise _renamed(error, staged, path) from None
    finally:
        remove_tree(staged)
        if replaced.exists() and not place.exists():
            replaced.rename(place)
        remove_tree(replaced)


def _restore(place: Path) -> None:
    """Give an export back its name that a killed program took, and sweep what it left behind."""
    begun = re.compile(rf"\.{re.escape(place.name)}(\.old)?\.(\d+){re.escape(TEMPORARY)}")
    for path in sorted(place.parent.iterdir()):
        left = begun.fullmatch(path.name)
        if left and not _is_alive(int(left[2])):
            if left[1] and not place.exists():
                path.rename(place)
            else:
                remove_tree(path)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _refuse_folder(path: Path, *, force: bool) -> None:
    """Refuse a place for a folder that holds anything but an earlier export."""
    refuse_existing(path, force=force)
    if not path.exists():
        return
    if not path.is_dir():
        raise InputError(Problem("is a file", path=path, expected="a folder"))
    if foreign := not_ours(path):
        some = ", ".join(foreign[:5]) + (", …" if len(foreign) > 5 else "")
        expected = (
            f"a new path, an empty folder, or an earlier export, whose {FILE} lists all files"
        )
        message = f"holds what is no export of ours, so it is not replaced: {some}"
        raise InputError(Problem(message, path, None, None, expected))


def _renamed(error: InputError, staged: Path, path: Path) -> InputError:
    """The same error with the places that the user knows."""
    problems = [
        replace(p, path=path / Path(p.path).relative_to(staged))
        if p.path is not None and Path(p.path).is_relative_to(staged)
        else p
        for p in error.problems
    ]
    return type(error)(*problems)
