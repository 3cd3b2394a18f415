"""Which columns a table of judgments has, for spreadsheets and data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge.core.arrow import Column, Schema

if TYPE_CHECKING:
    from datetime import datetime

SCHEMA = Schema(
    "judge.judgments/1",
    (
        Column("query_id", "string"),
        Column("query", "string", nullable=True),
        Column("doc_id", "string"),
        Column("title", "string", nullable=True),
        Column("verdict", "string"),
        Column("grade", "int32", nullable=True),
        Column("hard_negative", "bool"),
        Column("annotator", "string", nullable=True),
        Column("source", "string", nullable=True),
        Column("reason", "string", nullable=True),
        Column("flagged", "bool"),
        Column("note", "string"),
        Column("seconds", "float64", nullable=True),
        Column("at", "time", nullable=True),
    ),
)


class Row(NamedTuple):
    """One row: a merged judgment, or what one annotator said of one pair.

    Attributes:
        query: The text of the query; None where it is not in the dataset.
        title: Of the document, or its opening words; None where it is not in the dataset.
        verdict: `graded`, `cannot_judge`, `skipped` or `unjudged` (then only flagged or noted).
        grade: None unless graded.
        annotator: None for a merged judgment, as are source, reason, seconds and at.
        reason: Why it cannot be judged.
        seconds: From the card being shown to the key.
        at: When the verdict was given.
    """

    query_id: str
    query: str | None
    doc_id: str
    title: str | None
    verdict: str
    grade: int | None
    hard_negative: bool
    annotator: str | None = None
    source: str | None = None
    reason: str | None = None
    flagged: bool = False
    note: str = ""
    seconds: float | None = None
    at: datetime | None = None
