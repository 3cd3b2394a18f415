"""What the page is made of: everything that whoever makes a report hands over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

JSON = dict[str, Any]


class Shown(NamedTuple):
    """One document in a run's ranking of a query.

    Attributes:
        doc_id: Its id; the same document has the same id in every run.
        title: May be empty.
        snippet: Some of its text; may be empty.
        language: BCP 47, `und` if unknown.
        score: What the run gave it.
        grade: Its grade in the qrels; None if it is unjudged.
        hard_negative: Whether it is marked as one.
    """

    doc_id: str
    title: str
    snippet: str
    language: str
    score: float
    grade: int | None
    hard_negative: bool


@dataclass(frozen=True)
class PageData:
    """Everything that the page tells.

    Attributes:
        title: Of the page.
        made_at: When the report was made.
        report: `judge.score/1`; with the values of every query, or the page has no table of them.
        tops: For each run, by name, and each query id the first documents of its ranking; may lack
            some.
        query_texts: For each query id its text; may lack some, or all.
        grade_labels: For each grade of the scale its words; a grade that is missing has none.
        relevant_from: The least grade that counts as relevant.
        failures: Any number of `judge.failures/1`.
        comparison: `judge.compare/1`.
    """

    title: str
    made_at: dt.datetime
    report: JSON
    tops: Mapping[str, Mapping[str, Sequence[Shown]]] = field(default_factory=dict)
    query_texts: Mapping[str, str] = field(default_factory=dict)
    grade_labels: Mapping[int, str] = field(default_factory=dict)
    relevant_from: int = 1
    failures: Sequence[JSON] = ()
    comparison: JSON | None = None
