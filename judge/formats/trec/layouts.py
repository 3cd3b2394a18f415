"""Which columns TREC's files have, in their own form and in the three-column ones met in use."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

HIGHEST = np.iinfo(np.int32).max

_FIELDS = re.compile(r"[^ \t]+")
_WORD = re.compile(r"[A-Za-z_-]+")
A_RUN = "this looks like a run, not qrels"
LOOK = 100
"""Lines that a guess looks at."""
_QUERY_NAMES = frozenset({"query-id", "query_id", "queryid", "qid", "query", "topic"})
_NUMBER_NAMES = frozenset({"score", "grade", "rel", "relevance", "label", "judgment", "rank"})


class Layout(NamedTuple):
    """Which column holds what.

    Attributes:
        expected: The columns by name, for messages.
        width: How many columns a line has at least.
        exact: Whether more are a fault.
        query: Column of the query id; `doc`, `number` and `rank` likewise.
        number: The score, the grade, or the rank where there is no score.
        number_name: What messages call the number.
        rank: None where the file has no rank, or only that.
        at_tabs: Columns end at each tab, so that ids may hold blanks; otherwise at runs of both.
    """

    expected: str
    width: int
    exact: bool
    query: int
    doc: int
    number: int
    number_name: str
    rank: int | None = None
    at_tabs: bool = False

    def takes(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which numbers [n] may stand in the number's column."""
        fine: NDArray[np.bool_] = np.isfinite(numbers)
        if self.number_name != "score":
            fine &= (np.abs(numbers) <= HIGHEST) & (numbers == np.rint(numbers))
        return fine

    def fields(self, line: str) -> list[str]:
        """The columns of a line; those of a blank line are none."""
        if self.at_tabs:
            if not line.strip(" \t"):
                return []
            columns = line.split("\t")
            return columns if self.exact else [column.strip(" ") for column in columns]
        return _FIELDS.findall(line)


RUN = Layout("query_id Q0 doc_id rank score tag", 6, False, 0, 2, 4, "score", rank=3)
QRELS = Layout("query_id 0 doc_id grade", 4, False, 0, 2, 3, "grade")
RANKED = Layout("query_id doc_id rank (MS MARCO)", 3, True, 0, 1, 2, "rank")
GRADED = Layout("query_id doc_id grade", 3, True, 0, 1, 2, "grade")


def fitting(lines: Sequence[str], own: Layout, short: Layout) -> Layout:
    """The layout of a file from its first lines: its own, or the one of three columns.

    >>> fitting(["q1 0 d1 2"], QRELS, GRADED) == QRELS, fitting(["q1 d1 2"], QRELS, GRADED).width
    (True, 3)
    """
    widths = Counter(len(_FIELDS.findall(line)) for line in lines if line.strip(" \t"))
    tabbed = Counter(line.count("\t") + 1 for line in lines if line.strip(" \t"))
    if tabbed and tabbed.most_common(1)[0][0] == short.width:
        return short._replace(at_tabs=True)
    if widths and widths.most_common(1)[0][0] == short.width:
        return short
    # Where each line has its tabs, the blanks between them belong to the ids.
    return own._replace(at_tabs=True) if set(tabbed) == {own.width} else own


def guess(lines: Sequence[str], layout: Layout) -> str:
    """What a file is in truth, if its first lines are of another kind than was asked for.

    >>> guess(["q1 0 d1 2", "q1 0 d2 0"], RUN)
    'this looks like qrels, not a run'
    >>> guess(["q1,d1,0.5"], RUN)
    'this looks like a table with commas: columns end at blanks or tabs here'
    >>> guess(["q1 Q0 d1 1 2.5 t"], RUN)
    ''
    """
    rows = [fields for line in lines[:LOOK] if (fields := _FIELDS.findall(line))]
    widths = {len(fields) for fields in rows}
    if widths == {1} and all("," in fields[0] for fields in rows):
        return "this looks like a table with commas: columns end at blanks or tabs here"
    if layout.number_name == "score" and widths == {QRELS.width}:
        return "this looks like qrels, not a run"
    is_wide = layout.number_name == "grade" and widths == {RUN.width}
    if is_wide and {fields[1] for fields in rows} == {"Q0"}:
        return A_RUN
    if layout == RANKED or layout == RANKED._replace(at_tabs=True):
        if any("." in fields[-1] for fields in rows[1:]):
            return f"three columns with scores are no run: each line must be {RUN.expected}"
    elif len(rows) > 1 and all(_WORD.fullmatch(field) for field in rows[0]):
        return "the first line looks like a header: take it away"
    return ""


def is_header(fields: Sequence[str]) -> bool:
    """Whether a line of three columns names them; only well-known names do.

    >>> is_header(["query-id", "corpus-id", "score"]), is_header(["q1", "d1", "x"])
    (True, False)
    """
    if len(fields) != GRADED.width:
        return False
    return fields[0].lower() in _QUERY_NAMES and fields[2].lower() in _NUMBER_NAMES
