"""What there is to see of the scores of a dataset at one moment: figures, parts, rankings.

Only the nouns, light to load; `judge.bench.live` fills them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

Stamp = tuple[tuple[str, int, int], ...]
"""What files were like: path, size and time of each."""
JSON = Mapping[str, Any]


class Figure(NamedTuple):
    """One mean with its interval, None where there is none.

    Attributes:
        judged: The share that is judged of what the measure looks at.
    """

    mean: float | None
    low: float | None = None
    high: float | None = None
    judged: float | None = None


Figures = Mapping[str, Figure]
"""A figure for each measure, by its full name."""


class Measured(NamedTuple):
    """One system: over how many queries, and each measure's figure."""

    name: str
    queries: int
    figures: Figures


@dataclass(frozen=True)
class Snapshot:
    """The scores of all systems as they were at one moment.

    Attributes:
        dataset: The name of the dataset.
        systems: The kept runs by name, then the engines.
        measures: Their full names; `deciding` has those that are not about the judging itself.
        settings: What the numbers depend on, and `settings_hash`, their hash.
        interval: How the intervals were made.
        queries: How many count, and `judgments` likewise.
        rule: How annotators were merged, and `annotators`, who they are.
        unfinished: Judged queries that were left out.
        cuts: What the scores can be cut by.
        query_ids: The queries that count.
        notices: What must be told, and `warnings`, what is probably wrong.
        stamp: What the files were like that all this rests on.
    """

    dataset: str
    systems: tuple[Measured, ...]
    measures: tuple[str, ...]
    deciding: tuple[str, ...]
    settings: JSON
    settings_hash: str
    interval: JSON
    queries: int
    judgments: int
    rule: str
    annotators: tuple[str, ...]
    unfinished: int
    cuts: tuple[str, ...]
    query_ids: tuple[str, ...]
    notices: tuple[str, ...]
    warnings: tuple[str, ...]
    stamp: Stamp = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(system.name for system in self.systems)


class Part(NamedTuple):
    """One part of the queries: its value of a property, and the figures of each system."""

    value: str
    queries: int
    figures: tuple[Figures, ...]


class Cut(NamedTuple):
    """The scores cut by a property; `notice` says why where there are no parts."""

    by: str
    parts: tuple[Part, ...]
    notice: str = ""


class Cell(NamedTuple):
    """One cell of a grid: a mean, and over how many queries."""

    value: float | None
    queries: int


class Grid(NamedTuple):
    """Means by two properties; a pair that no query has is not among the cells."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]


class Bad(NamedTuple):
    """One query that went badly, with the most telling reason first; there may be none."""

    query_id: str
    text: str
    language: str
    value: float
    ideal: float
    judged: float | None
    says: tuple[str, ...]


class Worst(NamedTuple):
    """The queries of one system that went worst by one measure.

    Attributes:
        failed: How many have too little of their ideal value, of `queries`.
        listed: The worst of them.
    """

    failed: int
    queries: int
    listed: tuple[Bad, ...]


class Compared(NamedTuple):
    """Two systems held against each other on one measure; None for what has no value."""

    measure: str
    baseline: float | None
    other: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    won: int
    tied: int
    lost: int
    verdict: str
    says: str


class Comparison(NamedTuple):
    """What the queries can tell of `other` beside `baseline`."""

    baseline: str
    other: str
    family: int
    measures: tuple[Compared, ...]
    notices: tuple[str, ...]


class Placed(NamedTuple):
    """One document of a ranking.

    Attributes:
        grade: None if it is not judged.
        other: Its rank in the other ranking, None if it is not found there.
    """

    rank: int
    doc_id: str
    title: str
    grade: int | None
    hard_negative: bool
    other: int | None


class SideBySide(NamedTuple):
    """The first documents of two systems for one query; `right` is empty without a second one."""

    query_id: str
    text: str
    left: tuple[Placed, ...]
    right: tuple[Placed, ...]


@dataclass(frozen=True)
class Choice:
    """What is looked at; what is empty, or is not there any more, takes the first there is."""

    first: str = ""
    second: str = ""
    measure: str = ""
    by: str = "language"
    query: str = ""


@dataclass(frozen=True)
class View:
    """All that a screen of scores shows; what is not there yet is None."""

    choice: Choice
    snapshot: Snapshot
    pairs: Cut | None = None
    grid: Grid | None = None
    cut: Cut | None = None
    worst: Worst | None = None
    comparison: Comparison | None = None
    tops: SideBySide | None = None

    def filled(self, before: View | None) -> View:
        """This view, with what is not there yet taken from an earlier one as far as that holds."""
        if before is None or before.snapshot is not self.snapshot:
            return self
        kept = {
            part: getattr(before, part)
            for part, needs in _NEEDS.items()
            if getattr(self, part) is None
            and all(getattr(self.choice, n) == getattr(before.choice, n) for n in needs)
        }
        return replace(self, **kept)


_NEEDS = {
    "pairs": (),
    "grid": ("first", "measure"),
    "cut": ("by",),
    "worst": ("first", "measure"),
    "comparison": ("first", "second"),
    "tops": ("first", "second", "query"),
}
"""What of a choice each part of a view depends on."""
