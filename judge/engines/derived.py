"""How files that an engine derives from a dataset are built aside, named in one step, found again.

A derived folder is named after the hash of everything that it was made from, so what changed is
made anew, and it can be deleted at any time. A reader sees it whole or not at all: it is built
under another name, fsynced, and renamed last. One process builds at a time; others wait for it and
use what it made. The lock goes with its process, so whatever unfinished folder the next builder
finds was left by a build that was killed, and is removed. A list of the files and their hashes lies
in the folder; one that does not agree with its list is damaged, and is made anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from judge.core.errors import EngineError
from judge.core.files import (
    TEMPORARY,
    make_folder,
    may_not_write,
    passing_folder,
    publish_tree,
    remove_tree,
    sha256,
    write_atomic,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIST = "files.json"
LOCK = ".lock"
KEY_LETTERS = 16
"""How much of the key stands in the folder's name; the list in the folder has all of it."""


class Derived:
    """One derived folder.

    Args:
        home: Where derived folders lie.
        name: What it is, such as `bm25`.
        key: Hash of all that it is made from; a later key takes the place of an earlier one.
    """

    def __init__(self, home: Path, name: str, key: str) -> None:
        self._home, self._name, self._key = home, name, key
        self.folder = home / f"{name}-{key[:KEY_LETTERS]}"

    def ensure(self, build: Callable[[Path], None], *, anew: bool = False) -> Path:
        """The folder, whole; built now if it is missing or damaged.

        Args:
            build: Fills the empty folder that it is given; whatever it raises goes through, and
                nothing is left of the attempt then.
            anew: Build even if the folder looks whole.

        Raises:
            EngineError: The disk refused.
        """
        if not anew and self._whole():
            return self.folder
        try:
            self._ensure_home()
            with self._sole_builder() as sole:
                if anew or not self._whole():  # or another process made it while we waited
                    if sole:
                        self._remove_left_behind()
                    self._build(build)
        except OSError as error:
            reason = error.strerror or str(error)
            raise EngineError(f"cannot build {self.folder}: {reason}") from error
        return self.folder

    def _ensure_home(self) -> None:
        """Make the home; where nothing may be written, one that goes when the program ends."""
        try:
            make_folder(self._home)
            (self._home / LOCK).open("ab").close()
        except OSError as error:
            if not may_not_write(error):
                raise
            self._home = passing_folder()
            self.folder = self._home / self.folder.name

    def _whole(self) -> bool:
        """Whether the folder is there and every file in it is as its list says."""
        try:
            listed = json.loads((self.folder / LIST).read_bytes())
            return listed["key"] == self._key and all(
                sha256(self.folder / name) == digest for name, digest in listed["files"].items()
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False

    def _build(self, build: Callable[[Path], None]) -> None:
        staged = self._temporary_folder()
        try:
            build(staged)
            files = {path.name: sha256(path) for path in sorted(staged.iterdir())}
            content = json.dumps({"key": self._key, "files": files}, indent=1)
            write_atomic(staged / LIST, content.encode())
            self._take_away()
            self._publish(staged)
        finally:
            remove_tree(staged)
        for other in self._home.glob(f"{self._name}-*"):
            if other != self.folder:
                remove_tree(other)

    def _take_away(self) -> None:
        """Remove a damaged folder, in one step for those who look for it."""
        aside = self._temporary_folder()
        with contextlib.suppress(FileNotFoundError):
            self.folder.rename(aside)
        remove_tree(aside)

    def _publish(self, staged: Path) -> None:
        try:
            publish_tree(staged, self.folder)
        except OSError:
            # Where there are no locks, another process may have been faster: its folder will do.
            if not self._whole():
                raise

    @contextlib.contextmanager
    def _sole_builder(self) -> Iterator[bool]:
        """Wait until no other process builds here; gives False where file systems have no locks."""
        with (self._home / LOCK).open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
            except OSError:
                yield False
            else:
                yield True

    def _remove_left_behind(self) -> None:
        for left in self._home.glob(f"{self._prefix}*{TEMPORARY}"):
            remove_tree(left)

    def _temporary_folder(self) -> Path:
        return Path(tempfile.mkdtemp(prefix=self._prefix, suffix=TEMPORARY, dir=self._home))

    @property
    def _prefix(self) -> str:
        return f".{self._name}-"
