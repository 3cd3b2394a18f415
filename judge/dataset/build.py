"""How a dataset comes to be: built aside in full, then named in one step, or not at all."""

from __future__ import annotations

import json
from contextlib import contextmanager, nullcontext
from typing import IO, TYPE_CHECKING, Any

from judge.core import arrow
from judge.core.arrow import Writer
from judge.core.errors import DatasetError, Problem, quoted
from judge.core.files import make_folder, publish_tree, sha256, write_atomic
from judge.core.model import Manifest, Scale
from judge.core.workspace import safe_name
from judge.dataset.columns import DOCUMENTS, QUERIES, record_columns
from judge.dataset.lookup import DocumentIndex
from judge.dataset.stamps import note_sha

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from judge.core.model import Document, Query
    from judge.core.tables import Run
    from judge.core.workspace import Workspace

ROW_GROUP = 1000
"""Documents in one row group: small enough to read one group for a few documents."""


class Staging:
    """A dataset being built in a folder of its own; nobody sees it before `publish`."""

    def __init__(self, workspace: Workspace, name: str, folder: Path) -> None:
        self.workspace, self.name, self.folder = workspace, name, folder
        self._counts: dict[str, int] = {}
        self._languages: set[str] = set()

    def write_documents(
        self,
        documents: Iterable[Document],
        progress: Callable[[int, int], None] | None = None,
    ) -> int:
        """Write all documents, in batches, so that memory does not grow with the corpus.

        Returns:
            How many there were.

        Raises:
            DatasetError: Two have the same id, or there are none.
        """
        self._counts["documents"] = self._write("documents", DOCUMENTS, documents, progress)
        return self._counts["documents"]

    def write_queries(self, queries: Iterable[Query]) -> int:
        """Write all queries; returns how many there were.

        Raises:
            DatasetError: Two have the same id, or there are none.
        """
        self._counts["queries"] = self._write("queries", QUERIES, queries, None)
        return self._counts["queries"]

    def write_run(self, run: Run, made_by: dict[str, Any] | None = None) -> None:
        """Keep a run with the dataset.

        Raises:
            InputError: The run's name may not become a path.
        """
        folder = self.folder / "runs"
        make_folder(folder)
        name = safe_name(run.name, "run")
        run.write(folder / f"{name}.parquet", {"made_by": json.dumps(made_by or {})})

    def write_guidelines(self, text: str) -> None:
        """Keep the guidelines that are shown while judging (Markdown)."""
        write_atomic(self.folder / "guidelines.md", text.encode("utf-8"))

    def publish(
        self,
        *,
        scale: Scale,
        description: str = "",
        licence: str = "",
        version: str = "1",
        languages: Iterable[str] = (),
        made_by: dict[str, Any] | None = None,
        inside: AbstractContextManager[None] | None = None,
    ) -> Manifest:
        """Write the manifest and give the dataset its name, durably.

        Args:
            scale: The grades and what they mean.
            description: What the dataset is, for people.
            licence: As its source states it.
            version: Of the dataset.
            languages: Named beside those of the documents and queries.
            made_by: Where it comes from, free JSON values.
            inside: Entered right before the dataset gets its name, and left right after: what must
                be in place with it, and is taken back if the name cannot be given.

        Raises:
            DatasetError: A dataset of this name came to be in the meantime.
        """
        manifest = Manifest(
            name=self.name,
            version=version,
            description=description,
            licence=licence,
            languages=sorted(self._languages | set(languages)),
            scale=scale,
            made_by=made_by or {},
            counts=self._counts,
            sha256={k: sha256(self.folder / f"{k}.parquet") for k in ("documents", "queries")},
        )
        write_manifest(self.folder, manifest)
        source, cache = self.folder / "documents.parquet", self.folder / ".cache"
        # Made now, while the user is waiting for an import anyway, and not at the first document.
        DocumentIndex(source, manifest.sha256["documents"], cache).close()
        for name, digest in manifest.sha256.items():
            note_sha(self.folder / f"{name}.parquet", cache, digest)
        with inside or nullcontext():
            try:
                publish_tree(self.folder, self.workspace.dataset_folder(self.name))
            except FileExistsError:
                raise _already(self.workspace, self.name) from None
        return manifest

    def _write(
        self,
        what: str,
        schema: arrow.Schema,
        records: Iterable[Document] | Iterable[Query],
        progress: Callable[[int, int], None] | None,
    ) -> int:
        seen: set[str] = set()

        def fill(file: IO[bytes]) -> None:
            writer = Writer(file, schema)
            batch: list[Any] = []
            for record in records:
                if record.id in seen:
                    raise DatasetError(Problem(f"{what} id {quoted(record.id)} stands twice"))
                seen.add(record.id)
                self._languages.add(record.language)
                batch.append(record)
                if len(batch) == ROW_GROUP:
                    writer.write(record_columns(schema, batch))
                    batch = []
                    if progress:
                        progress(len(seen), 0)
            if batch or not seen:
                writer.write(record_columns(schema, batch))
            writer.close()

        write_atomic(self.folder / f"{what}.parquet", fill)
        if not seen:
            raise DatasetError(Problem(f"there are no {what}"))
        return len(seen)


@contextmanager
def stage(workspace: Workspace, name: str) -> Iterator[Staging]:
    """A folder in which to build a dataset; it is removed unless `publish` was called.

    Raises:
        InputError: The name may not become a path.
        DatasetError: There is a dataset of this name already.
    """
    refuse_taken(workspace, name)
    with workspace.staged_dataset(name) as folder:
        yield Staging(workspace, name, folder)


def refuse_taken(workspace: Workspace, name: str) -> None:
    """Refuse a name that a dataset has.

    Raises:
        InputError: The name may not become a path.
        DatasetError: There is a dataset of this name already.
    """
    if workspace.dataset_folder(name).exists():
        raise _already(workspace, name)


def _already(workspace: Workspace, name: str) -> DatasetError:
    return DatasetError(
        Problem(
            f"there is a dataset {quoted(name)} already",
            path=workspace.dataset_folder(name),
            expected="another --name, or remove that folder first",
        )
    )


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `dataset.json` for people as well as programs: indented, in a fixed order."""
    content = json.dumps(
        manifest.model_dump(mode="json", by_alias=True), ensure_ascii=False, indent=2
    )
    write_atomic(folder / "dataset.json", (content + "\n").encode("utf-8"))
