"""A dataset that is there: its manifest, documents, queries, runs, pools and guidelines."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from judge.core import arrow
from judge.core.errors import DatasetError, InputError, NotFound, Problem
from judge.core.files import make_folder, read_text
from judge.core.model import Manifest
from judge.core.tables import Run
from judge.core.workspace import safe_name
from judge.dataset.columns import DOCUMENTS, POOL, QUERIES, documents_from, queries_from
from judge.dataset.lookup import DocumentIndex, Opening
from judge.dataset.stamps import current_sha

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from judge.core.model import Candidate, Document, Query
    from judge.core.workspace import Workspace


class Pooled(NamedTuple):
    """One candidate as the dataset keeps it.

    Attributes:
        run: The run that ranked it best, and `rank`, from 1.
        band: The block that it is served in, from 0 in each pool file.
        pool: The name of its pool file, and `order`, the name of the judging order.
    """

    doc_id: str
    run: str
    rank: int
    band: int
    pool: str
    order: str


class Dataset:
    """One dataset of a workspace. What it holds does not change but for added runs and pools."""

    def __init__(self, workspace: Workspace, folder: Path, manifest: Manifest) -> None:
        self.workspace, self.folder, self.manifest = workspace, folder, manifest

    @classmethod
    def open(cls, workspace: Workspace, name: str) -> Dataset:
        """Open the dataset of this name.

        Raises:
            NotFound: There is none; the nearest names are given.
            DatasetError: Its manifest cannot be read, or was written by a newer program.
        """
        folder = workspace.existing_dataset(name)
        return cls(workspace, folder, _read_manifest(folder / "dataset.json"))

    @property
    def name(self) -> str:
        """The dataset's name: that of its folder."""
        return self.folder.name

    @property
    def cache(self) -> Path:
        """Where derived files lie; may be deleted at any time."""
        return self.workspace.cache_folder(self.name)

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """All queries in file order."""
        frame = arrow.read(self.folder / "queries.parquet", QUERIES)
        return tuple(queries_from(frame))

    @cached_property
    def _query_by_id(self) -> dict[str, Query]:
        return {query.id: query for query in self.queries}

    def query(self, query_id: str) -> Query:
        """The query with this id.

        Raises:
            NotFound: There is none; the nearest ids are given.
        """
        if query_id not in self._query_by_id:
            raise NotFound("query", query_id, list(self._query_by_id))
        return self._query_by_id[query_id]

    def documents(self) -> Iterator[Document]:
        """All documents in file order, streamed: memory does not grow with the corpus."""
        for frame in arrow.read_batches(self.folder / "documents.parquet", DOCUMENTS):
            yield from documents_from(frame)

    @cached_property
    def documents_sha(self) -> str:
        """The SHA-256 of `documents.parquet` as it lies there now."""
        return current_sha(self.folder / "documents.parquet", self.cache)

    def warnings(self) -> tuple[str, ...]:
        """One line for each of its two files that is not what the manifest says.

        Judgments may be on other texts then, and numbers rest on other documents. It costs next to
        nothing unless a file is new here or was touched; then it is hashed once.
        """
        return tuple(
            f"{self.folder / name}.parquet: {fault}"
            for name in ("documents", "queries")
            if (fault := self._changed(name))
        )

    def _changed(self, name: str) -> str:
        """What is wrong with one of the files; empty if it is as the manifest says."""
        path = self.folder / f"{name}.parquet"
        try:
            sha = current_sha(path, self.cache)
        except InputError as error:
            return error.problems[0].message
        except OSError as error:
            return f"not read: {error.strerror or error}"
        if self.manifest.sha256.get(name, sha) == sha:
            return ""
        return "changed since the dataset was made (its SHA-256 is not that of dataset.json)"

    def index(self, progress: Callable[[int, int], None] | None = None) -> DocumentIndex:
        """The documents by id, with the index made first where it is missing."""
        source = self.folder / "documents.parquet"
        return DocumentIndex(source, self.documents_sha, self.cache, progress)

    @cached_property
    def _documents(self) -> DocumentIndex:
        return self.index()

    def document(self, doc_id: str) -> Document:
        """The document with this id, without loading the corpus.

        Raises:
            NotFound: There is none.
        """
        return self._documents.get(doc_id)

    def titles(self, doc_ids: Sequence[str]) -> dict[str, str]:
        """Title, or opening words, of each document that is there."""
        return self._documents.opening_words(doc_ids)

    def document_languages(self, doc_ids: Sequence[str]) -> dict[str, str]:
        """Language of each document that is there."""
        return self._documents.languages(doc_ids)

    def openings(self, doc_ids: Sequence[str]) -> dict[str, Opening]:
        """How each document begins that is there: title, some of the text, language."""
        return self._documents.openings(doc_ids)

    def document_lengths(self, doc_ids: Sequence[str]) -> dict[str, int]:
        """Characters of the text of each document that is there; 0 where it has none."""
        return self._documents.lengths(doc_ids)

    def parents(self) -> dict[str, str]:
        """For the id of each document that is a chunk, that of the document it is part of."""
        path = self.folder / "documents.parquet"
        return {
            doc_id: parent
            for frame in arrow.read_batches(path, DOCUMENTS.only("id", "parent_id"))
            for doc_id, parent in zip(frame.values("id"), frame.values("parent_id"), strict=True)
            if parent is not None
        }

    @cached_property
    def guidelines(self) -> str:
        """The guidelines shown while judging, Markdown; empty if there are none."""
        path = self.folder / "guidelines.md"
        return read_text(path) if path.exists() else ""

    def run_names(self) -> list[str]:
        """The names of the runs kept with the dataset, in order."""
        return [path.stem for path in _ours(self.folder / "runs")]

    def run(self, name: str) -> Run:
        """A run kept with the dataset.

        Raises:
            NotFound: There is none of that name; the nearest names are given.
        """
        if name not in self.run_names():
            raise NotFound("run", name, self.run_names(), hint=f"Looked in {self.folder / 'runs'}.")
        return Run.read(self.folder / "runs" / f"{name}.parquet")

    def add_run(self, run: Run, made_by: dict[str, Any]) -> None:
        """Keep a run; one of the same name is replaced.

        Raises:
            InputError: The run's name may not become a path.
        """
        folder = self.folder / "runs"
        make_folder(folder)
        path = folder / f"{safe_name(run.name, 'run')}.parquet"
        run.write(path, {"made_by": json.dumps(made_by, ensure_ascii=False)})

    def add_pool(
        self,
        candidates: Sequence[Candidate],
        *,
        order: str,
        seed: int,
        made_by: dict[str, Any],
        now: dt.datetime,
    ) -> str:
        """Keep a pool, in the order in which it shall be served; pools are never changed.

        Returns:
            The name of the pool file.
        """
        rows: dict[str, list[Any]] = {
            "query_id": [c.query_id for c in candidates],
            "doc_id": [c.doc_id for c in candidates],
            "run": [c.run for c in candidates],
            "rank": [c.rank for c in candidates],
            "band": [c.band for c in candidates],
            "order": [order] * len(candidates),
            "seed": [seed] * len(candidates),
            "stratum": [None] * len(candidates),
            "probability": [None] * len(candidates),
        }
        content = json.dumps([rows, made_by], ensure_ascii=False).encode()
        folder = self.folder / "pools"
        make_folder(folder)
        name = f"{_later_stamp(arrow.utc(now), folder)}-{_short_hash(content)}"
        note = {"made_by": json.dumps(made_by, ensure_ascii=False)}
        arrow.write(folder / f"{name}.parquet", POOL, rows, note)
        return name

    def pool_runs(self) -> set[str]:
        """The names of the runs that the pool was drawn from."""
        names: set[str] = set()
        for path in _ours(self.folder / "pools"):
            _, metadata = arrow.read_metadata(path)
            names.update(_named_runs(metadata.get("made_by", "")))
        return names

    def pool_depths(self) -> dict[str, int]:
        """For each run that the pool was drawn from, how deep its deepest draw went."""
        depths: dict[str, int] = {}
        for path in _ours(self.folder / "pools"):
            _, metadata = arrow.read_metadata(path)
            depth = _said(metadata.get("made_by", ""), "depth")
            for name in _named_runs(metadata.get("made_by", "")):
                if isinstance(depth, int):
                    depths[name] = max(depth, depths.get(name, 0))
        return depths

    def candidates(self) -> dict[str, list[Pooled]]:
        """The pool of each query: the union of the pool files in the order of their names.

        A pair keeps its first place, so what a later pool adds comes after all that was there.
        Bands go on counting from one pool file to the next.
        """
        pooled: dict[str, list[Pooled]] = {}
        seen: set[tuple[str, str]] = set()
        first_band = 0
        for path in _ours(self.folder / "pools"):
            frame = arrow.read(path, POOL)
            highest, pool = 0, path.stem
            names = ("query_id", "doc_id", "run", "rank", "band", "order")
            for query_id, doc_id, run, rank, band, order in zip(
                *(frame.values(name) for name in names), strict=True
            ):
                highest = max(highest, band)
                if (query_id, doc_id) not in seen:
                    seen.add((query_id, doc_id))
                    entry = Pooled(doc_id, run, rank, first_band + band, pool, order)
                    pooled.setdefault(query_id, []).append(entry)
            first_band += highest + 1
        return pooled


def _ours(folder: Path) -> list[Path]:
    """The Parquet files of a folder by name; what systems leave behind hidden is none of ours."""
    seen = (path for path in folder.glob("*.parquet") if not path.name.startswith("."))
    return sorted(seen, key=lambda path: path.stem)


def _named_runs(made_by: str) -> list[str]:
    """The runs that a pool file says it was drawn from; none where it does not say it readably."""
    runs = _said(made_by, "runs")
    return [run for run in runs if isinstance(run, str)] if isinstance(runs, list) else []


def _said(made_by: str, name: str) -> object:
    """What a pool file says of how it was made; None where it does not say it readably."""
    try:
        return json.loads(made_by)[name]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


STAMP = "%Y%m%dT%H%M%SZ"
POOL_NAME = re.compile(r"(\d{8}T\d{6}Z)-[0-9a-f]{8}")


def _later_stamp(now: dt.datetime, folder: Path) -> str:
    """The moment as a name, later than every pool of the folder: names give pools their order."""
    names = (POOL_NAME.fullmatch(path.stem) for path in _ours(folder))
    newest = max((name[1] for name in names if name), default="")
    stamp = now.strftime(STAMP)
    if stamp > newest:
        return stamp
    last = dt.datetime.strptime(newest, STAMP).replace(tzinfo=dt.UTC)
    return (last + dt.timedelta(seconds=1)).strftime(STAMP)


def _short_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:8]


def _read_manifest(path: Path) -> Manifest:
    text = read_text(path)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise DatasetError(Problem(f"not valid JSON: {error}", path=path, line=line)) from None
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != "judge.dataset/1":
        raise DatasetError(
            Problem(
                f"the schema is {json.dumps(schema)}",
                path=path,
                field="schema",
                expected='"judge.dataset/1"; a newer judge may have written this dataset',
            )
        )
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        raise DatasetError(
            *(
                Problem(e["msg"], path=path, field=".".join(map(str, e["loc"])) or None)
                for e in error.errors()
            )
        ) from None
