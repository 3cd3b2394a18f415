"""How one document is found by its id without loading the corpus: a derived SQLite index.

Parquet is the truth; the index lies in the dataset's cache, is named after the hash of what it was
made from, and can be deleted at any time (half a gigabyte for a million documents).
"""

from __future__ import annotations

import errno
import os
import sqlite3
import weakref
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core import arrow
from judge.core.errors import DatasetError, NotFound, Problem
from judge.core.files import (
    TEMPORARY,
    make_folder,
    may_not_write,
    passing_folder,
    remove_tree,
    sync_folder,
    told_as,
)
from judge.dataset.columns import DOCUMENTS, document_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from judge.core.model import Document

_COLUMNS = ", ".join(f'"{name}"' for name in DOCUMENTS.names)
BATCH = 5000


class Opening(NamedTuple):
    """How a document begins: its title, 300 characters of its text, and its language."""

    title: str
    text: str
    language: str


class DocumentIndex:
    """Documents of one dataset by id; may be used from several threads, one at a time.

    Args:
        source: The dataset's `documents.parquet`.
        sha: The hash of that file; the index is made anew when it changes.
        cache: The dataset's cache folder.
        progress: Called with (documents done, documents in all) while the index is made.

    Raises:
        DatasetError: Two documents have the same id.
        FormatError: The source is damaged, or not what it should be.
        OSError: The disk refused; nothing half-written is left.
    """

    def __init__(
        self,
        source: Path,
        sha: str,
        cache: Path,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._source, self._progress = source, progress
        self._path = cache / f"documents-{sha[:16]}.sqlite"
        if not self._path.is_file():
            self._make()
        self._store = self._open()

    def get(self, doc_id: str) -> Document:
        """The document with this id.

        Raises:
            NotFound: There is none.
        """
        row = self._row("SELECT * FROM document WHERE id = ?", doc_id)
        if row is None:
            raise NotFound("document", doc_id, hint=f"Looked in {self._source}.")
        return document_from(row, self._source)

    def opening_words(self, doc_ids: Iterable[str]) -> dict[str, str]:
        """Title, or the first characters of the text where there is no title, of each document.

        An id without a document is left out.
        """
        return self._values(
            "SELECT CASE WHEN title != '' THEN substr(title, 1, 120)"
            " ELSE substr(coalesce(text, ''), 1, 120) END FROM document WHERE id = ?",
            doc_ids,
        )

    def languages(self, doc_ids: Iterable[str]) -> dict[str, str]:
        """The language of each document; an id without a document is left out."""
        return self._values("SELECT language FROM document WHERE id = ?", doc_ids)

    def openings(self, doc_ids: Iterable[str]) -> dict[str, Opening]:
        """How each document begins; an id without a document is left out."""
        question = (
            "SELECT title, substr(coalesce(text, ''), 1, 300), language FROM document WHERE id = ?"
        )
        rows = ((doc_id, self._row(question, doc_id)) for doc_id in doc_ids)
        return {doc_id: Opening(*row) for doc_id, row in rows if row is not None}

    def lengths(self, doc_ids: Iterable[str]) -> dict[str, int]:
        """Characters of the text of each document; an id without a document is left out."""
        question = "SELECT length(coalesce(text, '')) FROM document WHERE id = ?"
        return {doc_id: int(size) for doc_id, size in self._values(question, doc_ids).items()}

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def _values(self, question: str, doc_ids: Iterable[str]) -> dict[str, str]:
        rows = ((doc_id, self._row(question, doc_id)) for doc_id in doc_ids)
        return {doc_id: row[0] for doc_id, row in rows if row is not None}

    def _row(self, question: str, doc_id: str) -> tuple[str, ...] | None:
        try:
            return self._ask(question, doc_id)
        except sqlite3.DatabaseError:
            # Damaged, or not ours: it is only derived, so it is made anew, once.
            self._store.close()
            self._make()
            self._store = self._open()
            with _disk_named(self._path):
                return self._ask(question, doc_id)

    def _ask(self, question: str, doc_id: str) -> tuple[str, ...] | None:
        row: tuple[str, ...] | None = self._store.execute(question, (doc_id,)).fetchone()
        return row

    def _make(self) -> None:
        try:
            make_folder(self._path.parent)
            if self._path.is_dir():
                remove_tree(self._path)
            _build(self._source, self._path, self._progress)
        except OSError as error:
            if not may_not_write(error):
                raise
            # A workspace that is only read is searched all the same.
            self._path = passing_folder() / self._path.name
            _build(self._source, self._path, self._progress)
        _remove_older(self._path)

    def _open(self) -> sqlite3.Connection:
        # `immutable` spares the locks: a finished index never changes.
        where = f"{self._path.absolute().as_uri()}?mode=ro&immutable=1"
        with _disk_named(self._path):
            store = sqlite3.connect(where, uri=True, check_same_thread=False)
        # Nobody owns an index for certain: it lets go of its file when it goes itself.
        weakref.finalize(self, store.close)
        return store


def _build(source: Path, path: Path, progress: Callable[[int, int], None] | None) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        with told_as(temporary, path), _disk_named(path):
            temporary.unlink(missing_ok=True)
            with closing(sqlite3.connect(temporary)) as store:
                # Nobody reads the file before its rename: a journal would only cost time.
                store.execute("PRAGMA journal_mode = OFF")
                store.execute("PRAGMA synchronous = OFF")
                store.execute(f"CREATE TABLE document ({_COLUMNS}, PRIMARY KEY (id)) WITHOUT ROWID")
                _fill(store, source, progress)
                store.commit()
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            temporary.replace(path)
    except BaseException:
        with suppress(OSError):  # why it failed says more
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


@contextmanager
def _disk_named(path: Path) -> Iterator[None]:
    """What SQLite says when the disk refuses, as the error of the disk that it stands for."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # The low byte is the kind of error, the others say more of it.
        full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
        number = errno.ENOSPC if full else errno.EIO
        reason = os.strerror(number) if full else str(error)
        raise OSError(number, reason, str(path)) from error


def _fill(
    store: sqlite3.Connection, source: Path, progress: Callable[[int, int], None] | None
) -> None:
    total, _ = arrow.read_metadata(source)
    done = 0
    for frame in arrow.read_batches(source, DOCUMENTS, BATCH):
        columns: list[list[Any]] = [frame.values(name) for name in DOCUMENTS.names]
        try:
            store.executemany(
                "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?)", zip(*columns, strict=True)
            )
        except sqlite3.IntegrityError:
            raise DatasetError(
                Problem("two documents have the same id", path=source, field="id")
            ) from None
        done += frame.rows
        if progress:
            progress(done, total)


def _remove_older(path: Path) -> None:
    for other in path.parent.glob("documents-*.sqlite"):
        if other != path:
            other.unlink(missing_ok=True)
