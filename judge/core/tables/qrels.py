"""The grades that scoring uses, as columns: one grade for each judged pair."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from judge.core.arrow import Categories, Strings
from judge.core.errors import InputError, Problem, listed, quoted
from judge.core.tables.grouping import group
from judge.core.tables.pairs import Pairs, Repeats, repeats
from judge.core.tables.problems import Origin
from judge.core.tables.ties import descending

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from judge.core.model import Judgment


class Qrels:
    """The grades of judged (query, document) pairs, each pair once, brought together by query.

    A grade below 0 (TREC's "pooled but not judged", or junk) is kept as it is; scoring treats the
    pair as unjudged.

    Attributes:
        query_ids: The judged queries, in the order of first use.
        starts: int64 [queries + 1], where the judgments of each query begin, and the end.
        docs: The document id of each judgment.
        prints: uint64 [judgments], the fingerprint of each document id.
        all_grades: int32 [judgments].
        notes: What was odd about the source, for people.

    >>> from judge.core.model import Judgment
    >>> qrels = Qrels.from_judgments([Judgment("q1", "d1", 3), Judgment("q1", "d2", 0)])
    >>> qrels.grades("q1")
    {'d1': 3, 'd2': 0}
    """

    def __init__(
        self,
        queries: Categories,
        docs: Strings,
        grades: NDArray[np.int32],
        *,
        notes: Sequence[str] = (),
        origin: Origin | None = None,
    ) -> None:
        """Take columns, in any order of rows.

        Args:
            queries: The query id of each row.
            docs: The document id of each row.
            grades: int32 [rows].
            notes: What was odd about the source.
            origin: Where the rows stood, for messages.

        Raises:
            InputError: A pair has two different grades; the same grade twice only makes a note.
        """
        origin = origin or Origin()
        groups = group(queries.codes, len(queries.values))
        pairs = Pairs(groups.starts, docs, docs.fingerprints(), groups.rows)
        query_ids = [queries.values[code] for code in groups.codes.tolist()]
        twice = repeats(pairs)
        _refuse_contradictions(query_ids, pairs, grades, twice, origin)
        places = np.setdiff1d(np.arange(len(grades)), twice.later, assume_unique=True)
        rows = pairs.source(places)
        moved = groups.rows is not None or len(twice.later) > 0
        self.query_ids = query_ids
        self.docs = docs.gather(rows) if moved else docs
        self.prints = pairs.prints[rows] if moved else pairs.prints
        self.all_grades = grades[rows] if moved else grades
        self.starts = np.searchsorted(places, groups.starts)
        self.notes = (*notes, *_repeat_notes(pairs, twice, origin))

    @classmethod
    def from_judgments(cls, judgments: Iterable[Judgment]) -> Qrels:
        """Qrels of judgments.

        Raises:
            InputError: A pair has two different grades.
        """
        rows = list(judgments)
        return cls(
            Categories.of(row.query_id for row in rows),
            Strings.of([row.doc_id for row in rows]),
            np.array([row.grade for row in rows], np.int32),
        )

    def __len__(self) -> int:
        return len(self.all_grades)

    def __repr__(self) -> str:
        return f"Qrels({len(self.query_ids)} queries, {len(self)} judgments)"

    @cached_property
    def query_index(self) -> dict[str, int]:
        """The place of each query in `query_ids`."""
        return {query_id: i for i, query_id in enumerate(self.query_ids)}

    @cached_property
    def queries(self) -> NDArray[np.int64]:
        """The place of each judgment's query in `query_ids`, int64 [judgments]."""
        return np.repeat(np.arange(len(self.query_ids)), np.diff(self.starts))

    def grades(self, query_id: str) -> dict[str, int]:
        """The grade of each judged document of a query; empty if it has none."""
        place = self.query_index.get(query_id)
        if place is None:
            return {}
        rows = np.arange(self.starts[place], self.starts[place + 1])
        return dict(zip(self.docs.take(rows), self.all_grades[rows].tolist(), strict=True))

    def judgments(self) -> Iterator[Judgment]:
        """All judgments, query by query."""
        from judge.core.model import Judgment  # loads pydantic, which scoring does without

        for query_id in self.query_ids:
            for doc_id, grade in self.grades(query_id).items():
                yield Judgment(query_id, doc_id, grade)

    def subset(self, query_ids: Container[str]) -> Qrels:
        """The judgments of some queries, in the same order."""
        places = [i for i, query_id in enumerate(self.query_ids) if query_id in query_ids]
        keep = np.isin(self.queries, np.array(places, np.int64))
        return self._where(keep, self.all_grades)

    def regraded(self, grades: NDArray[np.int32]) -> Qrels:
        """The same pairs with other grades, int32 [judgments]."""
        return self._where(np.ones(len(self), bool), grades)

    def _where(self, keep: NDArray[np.bool_], grades: NDArray[np.int32]) -> Qrels:
        rows = np.flatnonzero(keep)
        codes = self.queries[rows].astype(np.int32)
        queries = Categories(self.query_ids, codes)
        return Qrels(queries, self.docs.gather(rows), grades[rows], notes=self.notes)

    def digest(self) -> str:
        """SHA-256 of the judgments, in hex: the same for the same judgments in any order."""
        by_id = sorted(range(len(self.query_ids)), key=lambda i: self.query_ids[i].encode())
        places = np.empty(len(by_id), np.int64)
        places[by_id] = np.arange(len(by_id))
        rows = np.argsort(places[self.queries], kind="stable")
        rows = rows[descending(self.docs, rows, places[self.queries][rows])]
        docs = self.docs.gather(rows)
        ids = Strings.of([self.query_ids[i] for i in by_id])
        sizes = np.diff(self.starts)[by_id]
        state = hashlib.sha256()
        # Lengths stand before the bytes, so that ids cannot run into each other.
        for column in (ids.offsets, ids.data, sizes, docs.offsets, docs.data):
            state.update(np.ascontiguousarray(column, column.dtype.newbyteorder("<")).data)
        state.update(self.all_grades[rows].astype("<i4").data)
        return state.hexdigest()


def _refuse_contradictions(
    query_ids: list[str], pairs: Pairs, grades: NDArray[np.int32], twice: Repeats, origin: Origin
) -> None:
    later, first = pairs.source(twice.later), pairs.source(twice.first)
    wrong = np.flatnonzero(grades[later] != grades[first])
    if not len(wrong):
        return
    queries = np.searchsorted(pairs.starts, twice.later, "right") - 1

    def problems() -> Iterator[Problem]:
        for i in wrong[np.argsort(later[wrong], kind="stable")].tolist():
            doc, query = pairs.docs[int(later[i])], query_ids[int(queries[i])]
            line = origin.line(int(first[i]))
            before = f"{grades[first[i]]}" + (f" on line {line}" if line else "")
            text = (
                f"{quoted(doc)} has grade {grades[later[i]]} for query {quoted(query)}"
                f", but {before}"
            )
            yield origin.problem(int(later[i]), "grade", text, "one grade for each pair")

    raise InputError(*listed(problems(), len(wrong), origin.path))


def _repeat_notes(pairs: Pairs, twice: Repeats, origin: Origin) -> list[str]:
    if not len(twice.later):
        return []
    later, first = pairs.source(twice.later), pairs.source(twice.first)
    example = int(np.argmin(later))
    lines = origin.line(int(later[example])), origin.line(int(first[example]))
    where = f" (first: line {lines[0]} repeats line {lines[1]})" if lines[0] else ""
    times = len(later)
    what = "judgment is" if times == 1 else "judgments are"
    return [f"{times:,} {what} given twice with the same grade and counted once{where}"]
