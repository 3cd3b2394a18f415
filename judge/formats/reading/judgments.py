"""Which judgments one input holds: repeated, contradicting and dangling ones are found here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.errors import nearest, quoted
from judge.formats.reading.intake import Where

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from judge.core.model import Judgment
    from judge.formats.reading.intake import Intake

SEARCHED = 20_000
HINTED = 10
"""Ids among which the nearest to a mistyped one is looked for, and how many such ids get a hint:
more would take too long."""


FILE_BITS = 40
"""A line number needs fewer bits; above them stands the number of the file."""


class JudgmentBook:
    """The judgments of one input, in order, each pair once.

    There may be millions, so a place in a file of lines is kept as one number.

    Args:
        intake: Gets faults and notes.
    """

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._judgments: list[Judgment] = []
        self._places: list[int | Where] = []
        self._rows: dict[str, dict[str, int]] = {}
        self._files: list[Path] = []

    def add(self, judgment: Judgment, where: Where) -> None:
        """Keep a judgment; an exact repetition is told, a contradiction is a fault."""
        row = len(self._judgments)
        first = self._rows.setdefault(judgment.query_id, {}).setdefault(judgment.doc_id, row)
        if first == row:
            self._judgments.append(judgment)
            self._places.append(self._packed(where))
            return
        before, there = self._judgments[first], self._where(first)
        if before == judgment:
            self._intake.note("judgments that stand twice and say the same, kept once", where)
            return
        grades = f"{before.grade} at {_short(there, where)} and {judgment.grade} here"
        if before.grade == judgment.grade:
            grades = f"also at {_short(there, where)} with another mark or note"
        self._intake.invalid(
            where,
            f"query {quoted(judgment.query_id)}, document {quoted(judgment.doc_id)}: {grades}",
            "one judgment for each pair",
        )

    def check(
        self, query_ids: Collection[str], doc_ids: Collection[str], *, strict: bool | None = None
    ) -> None:
        """Report judgments on documents or queries that are not there; they are kept.

        Args:
            query_ids: All queries of the input.
            doc_ids: All documents of the input.
            strict: Make them faults; None asks what the user said.
        """
        wrong = self._intake.reading.strict if strict is None else strict
        for words, column, ids in (
            (("query", "queries"), 0, query_ids),
            (("document", "documents"), 1, doc_ids),
        ):
            known = ids if isinstance(ids, set) else set(ids)
            dangling = [
                (str(judgment[column]), row)
                for row, judgment in enumerate(self._judgments)
                if judgment[column] not in known
            ]
            if dangling and wrong:
                self._refuse(words[0], dangling, known)
            elif dangling:
                self._tell(words, dangling)

    def _tell(self, words: tuple[str, str], dangling: list[tuple[str, int]]) -> None:
        different = len({name for name, _ in dangling})
        name, row = dangling[0]
        what = f"judgments on {different:,} {words[different > 1]} not in the data, kept"
        self._intake.note(what, f"{self._where(row)}: {quoted(name)}", len(dangling))

    def _refuse(self, one: str, dangling: list[tuple[str, int]], known: set[str]) -> None:
        for place, (name, row) in enumerate(dangling):
            near = nearest(name, known, 1) if place < HINTED and len(known) <= SEARCHED else []
            hint = f"; did you mean {quoted(near[0])}?" if near else ""
            self._intake.invalid(self._where(row), f"there is no {one} {quoted(name)}{hint}")

    def judgments(self) -> list[Judgment]:
        """All judgments, in the order in which they came."""
        return self._judgments.copy()

    def _packed(self, where: Where) -> int | Where:
        if where.line is None or where.keys:
            return where
        if not self._files or self._files[-1] != where.path:
            self._files.append(where.path)
        return (len(self._files) - 1 << FILE_BITS) | where.line

    def _where(self, row: int) -> Where:
        place = self._places[row]
        if isinstance(place, Where):
            return place
        return Where(self._files[place >> FILE_BITS], place & ((1 << FILE_BITS) - 1))


def _short(first: Where, here: Where) -> str:
    """A place, without the file name where both are in one file."""
    if first.path != here.path or (first.line is None and first.keys):
        return str(first)
    return f"line {first.line}"


def by_query(judgments: Iterable[Judgment], query_ids: Iterable[str]) -> dict[str, list[Judgment]]:
    """Judgments grouped in the one order that every writer uses, so that same data are same bytes.

    Queries stand in the order given, unknown ones after them by id; in a query the highest grade
    comes first, then the document ids in the order of their bytes.
    """
    groups: dict[str, list[Judgment]] = {query_id: [] for query_id in query_ids}
    unknown: dict[str, list[Judgment]] = {}
    for judgment in judgments:
        group = groups.get(judgment.query_id)
        if group is None:
            group = unknown.setdefault(judgment.query_id, [])
        group.append(judgment)
    groups.update({query_id: unknown[query_id] for query_id in sorted(unknown)})
    return {
        query_id: sorted(group, key=lambda j: (-j.grade, j.doc_id.encode()))
        for query_id, group in groups.items()
    }
