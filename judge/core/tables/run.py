"""One system's ranked results as columns: how they are checked, ordered and stored."""

from __future__ import annotations

import copy
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from judge.core import arrow
from judge.core.arrow import Categories, Column, Schema, Strings
from judge.core.errors import InputError, Problem, listed, quoted
from judge.core.files import write_atomic
from judge.core.tables.grouping import blocks, group, run_starts, stable_order
from judge.core.tables.pairs import Pairs, Repeats, repeats
from judge.core.tables.problems import Origin
from judge.core.tables.ties import descending

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from judge.core.model import Hit

RUN_SCHEMA = Schema(
    "judge.run/1",
    (
        Column("query_id", "category"),
        Column("doc_id", "string", repeats=False),
        Column("score", "float64"),
    ),
)
ROW_GROUP = 1 << 20


class Run:
    """One system's ranked results: for each query documents with scores, no document twice.

    The settled order is: score descending (compared as 64-bit floats), then document id descending
    by UTF-8 bytes. Nothing else decides it, so shuffled rows make the same run.

    Attributes:
        name: What the system is called.
        query_ids: The queries with results, in the order of first use.
        starts: int64 [queries + 1], where the places of each query begin, and the end.
        scores: float64 [places], not rising inside a query.
        pairs: The document of each place; inside equal scores their order is not settled yet.
        notes: What was odd about the source, for people.

    >>> from judge.core.model import Hit
    >>> run = Run.from_hits("mine", {"q1": [Hit("d1", 0.5), Hit("d9", 0.7), Hit("d2", 0.5)]})
    >>> run.hits("q1", 2)
    [Hit(doc_id='d9', score=0.7), Hit(doc_id='d2', score=0.5)]
    """

    def __init__(
        self,
        name: str,
        queries: Categories,
        docs: Strings,
        scores: NDArray[np.float64],
        *,
        notes: Sequence[str] = (),
        origin: Origin | None = None,
    ) -> None:
        """Take columns, in any order of rows.

        Args:
            name: What the system is called.
            queries: The query id of each row.
            docs: The document id of each row.
            scores: float64 [rows], higher is better.
            notes: What was odd about the source.
            origin: Where the rows stood, for messages.

        Raises:
            InputError: A score is not finite, or a document stands twice in one ranking.
        """
        self.name = name
        self.notes = tuple(notes)
        origin = origin or Origin()
        _refuse_infinite(queries, docs, scores, origin)
        groups = group(queries.codes, len(queries.values))
        rows = _by_score(groups.starts, groups.rows, scores)
        self.query_ids = [queries.values[code] for code in groups.codes.tolist()]
        self.starts = groups.starts
        self.scores = scores if rows is None else scores[rows]
        self.pairs = Pairs(groups.starts, docs, docs.fingerprints(), rows)
        self._place = {query_id: i for i, query_id in enumerate(self.query_ids)}
        twice = repeats(self.pairs)
        if len(twice.later):
            raise InputError(*listed(self._twice(twice, origin), len(twice.later), origin.path))

    @classmethod
    def from_hits(cls, name: str, hits: Mapping[str, Sequence[Hit]]) -> Run:
        """A run from a ranking for each query; a query without hits is left out.

        Raises:
            InputError: A score is not finite, or a document stands twice in one ranking.
        """
        sizes = np.array([len(ranking) for ranking in hits.values()], np.int64)
        codes = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        rows = [hit for ranking in hits.values() for hit in ranking]
        scores = np.array([hit.score for hit in rows], np.float64)
        docs = Strings.of([hit.doc_id for hit in rows])
        return cls(name, Categories(list(hits), codes), docs, scores)

    @classmethod
    def read(cls, path: Path, name: str | None = None) -> Run:
        """Read a run from Parquet with columns `query_id`, `doc_id` and `score`.

        Args:
            path: The file; other columns are ignored.
            name: What the system is called; None takes the name of the file.

        Raises:
            InputError: There is no such file, or the rows break a rule of runs.
            FormatError: It is not Parquet, lacks a column, or one holds something else.
        """
        columns = arrow.read_columns(path, RUN_SCHEMA)
        queries, docs = columns.categories["query_id"], columns.strings["doc_id"]
        if "" in queries.values or (len(docs) and not docs.shortest()):
            raise InputError(
                Problem("an id is empty", path, expected="ids of one character or more")
            )
        scores = columns.numbers["score"].astype(np.float64, copy=False)
        return cls(name or path.stem, queries, docs, scores, origin=Origin(path))

    def write(self, path: Path, metadata: Mapping[str, str] | None = None) -> None:
        """Write the run as Parquet in its settled order, whole or not at all.

        Args:
            path: Where it shall stand; a file already there is replaced.
            metadata: Free texts that the file carries along.

        Raises:
            OSError: The disk refused.
        """
        codes = np.repeat(np.arange(len(self.query_ids), dtype=np.int32), np.diff(self.starts))
        rows = self.settled()

        def fill(file: IO[bytes]) -> None:
            writer = arrow.Writer(file, RUN_SCHEMA, metadata)
            for first in range(0, max(len(self), 1), ROW_GROUP):
                part = slice(first, first + ROW_GROUP)
                columns: dict[str, Any] = {
                    "query_id": Categories(self.query_ids, codes[part]),
                    "doc_id": self.pairs.docs.gather(rows[part]),
                    "score": self.scores[part],
                }
                writer.write(columns)
            writer.close()

        write_atomic(path, fill)

    def noted(self, *notes: str) -> Run:
        """The same run with more notes."""
        run = copy.copy(self)
        run.notes = (*self.notes, *notes)
        return run

    def named(self, name: str) -> Run:
        """The same run under another name."""
        renamed = copy.copy(self)
        renamed.name = name
        return renamed

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {len(self.query_ids)} queries, {len(self)} rows)"

    def hits(self, query_id: str, k: int | None = None) -> list[Hit]:
        """The first `k` documents of a query (None: all) in settled order; empty if it has none."""
        from judge.core.model import Hit  # loads pydantic, which scoring does without

        place = self._place.get(query_id)
        if place is None or (k is not None and k <= 0):
            return []
        first, last = int(self.starts[place]), int(self.starts[place + 1])
        if k is not None and first + k < last:
            # All that are tied with the last one wanted must be looked at to know which it is.
            tied = -self.scores[first + k - 1]
            last = first + int(np.searchsorted(-self.scores[first:last], tied, "right"))
        docs = self.pairs.docs.take(self._settled(first, last)[:k])
        return [
            Hit(doc_id, score)
            for doc_id, score in zip(docs, self.scores[first:last].tolist(), strict=False)
        ]

    def rows(self) -> Iterator[tuple[str, str, float]]:
        """All rows as (query id, document id, score), query by query, each in settled order."""
        for query_id in self.query_ids:
            for doc_id, score in self.hits(query_id):
                yield query_id, doc_id, score

    def settled(self) -> NDArray[np.int64]:
        """The row of `pairs.docs` at each place in settled order, int64 [places]."""
        parts = [self._settled(block.start, block.stop) for block in blocks(self.starts)]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def _settled(self, first: int, last: int) -> NDArray[np.int64]:
        """The rows at the places [first, last), which no tie crosses, in settled order."""
        rows = self.pairs.source(np.arange(first, last))
        scores = self.scores[first:last]
        new = np.zeros(last - first, bool)
        new[run_starts(scores)] = True
        begin, end = np.searchsorted(self.starts, (first, last))
        new[self.starts[begin:end] - first] = True
        groups = np.cumsum(new)
        return rows[descending(self.pairs.docs, rows, groups)]

    def _twice(self, twice: Repeats, origin: Origin) -> Iterator[Problem]:
        later, first = self.pairs.source(twice.later), self.pairs.source(twice.first)
        queries = np.searchsorted(self.starts, twice.later, "right") - 1
        by_source = np.argsort(later, kind="stable")
        for i in by_source.tolist():
            doc, query = self.pairs.docs[int(later[i])], self.query_ids[int(queries[i])]
            text = f"{quoted(doc)} is ranked twice for query {quoted(query)}"
            if line := origin.line(int(first[i])):
                text += f"; first on line {line}"
            yield origin.problem(int(later[i]), "doc_id", text, "each document once per query")


def _refuse_infinite(
    queries: Categories, docs: Strings, scores: NDArray[np.float64], origin: Origin
) -> None:
    if np.isfinite(scores).all():
        return
    wrong = np.flatnonzero(~np.isfinite(scores))

    def problems() -> Iterator[Problem]:
        for row in wrong.tolist():
            where = f"query {quoted(queries.values[queries.codes[row]])}, {quoted(docs[row])}"
            text = f"{float(scores[row])} is not a finite number ({where})"
            yield origin.problem(row, "score", text, "a finite number")

    raise InputError(*listed(problems(), len(wrong), origin.path))


def _by_score(
    starts: NDArray[np.int64], rows: NDArray[np.int64] | None, scores: NDArray[np.float64]
) -> NDArray[np.int64] | None:
    """The row at each place when every query's rows stand by score; None if they did before."""
    if rows is None and _never_rise(scores, starts):
        return None
    order = np.arange(len(scores)) if rows is None else rows
    new = np.empty(len(scores), np.int64)
    for block in blocks(starts):
        at = slice(block.start, block.stop)
        by_score = np.argsort(-scores[order[at]])
        sizes = np.diff(starts[block.first : block.last + 1])
        query = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        by_both = by_score[stable_order(query[by_score], len(sizes))]
        new[at] = order[at][by_both]
    return new


def _never_rise(scores: NDArray[np.float64], starts: NDArray[np.int64]) -> bool:
    falls = scores[1:] <= scores[:-1]
    falls[starts[1:-1] - 1] = True
    return bool(falls.all())
