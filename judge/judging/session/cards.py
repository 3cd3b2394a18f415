"""What a session shows and answers: cards, rows, progress, outcomes; no rule is known here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.core.model import Document, Query
    from judge.judging.labels import PairState

REASONS: Final[Mapping[str, str]] = {
    "l": "unknown language",
    "b": "broken or missing text",
    "k": "lack of knowledge",
    "q": "unclear query",
    "o": "other reason",
}
"""Why a pair cannot be judged: the key, and the reason that is recorded."""


@dataclass(frozen=True)
class Card:
    """One document to judge for one query.

    Attributes:
        token: Names this showing of the card; actions and paints must carry it.
        position: Place in the query's list, from 0, and `total`, the length of that list.
        state: What the annotator thinks of it now.
    """

    token: int
    query: Query
    document: Document
    position: int
    total: int
    state: PairState


@dataclass(frozen=True)
class Row:
    """One candidate in the list of the current query, in the order of judging.

    Attributes:
        title: Title, or opening words where there is none; may be empty.
        current: Whether it is the card.
        snippet: What else there is to show of it; may be empty.
    """

    doc_id: str
    title: str
    state: PairState
    current: bool
    snippet: str = ""


@dataclass(frozen=True)
class QueryRow:
    """One query and how far its candidates are.

    Attributes:
        total: Its candidates; the other numbers say how many of them are so.
        propagated: Of the graded ones, how many took their grade over from a near-copy.
    """

    query: Query
    total: int
    graded: int = 0
    cannot_judge: int = 0
    skipped: int = 0
    hard_negatives: int = 0
    flagged: int = 0
    propagated: int = 0

    @property
    def judged(self) -> int:
        """Candidates that need no more work: graded, or said to be impossible to judge."""
        return self.graded + self.cannot_judge

    @property
    def status(self) -> Literal["done", "part", "new"]:
        """`done` when all are judged, `new` when nobody began."""
        if self.judged == self.total:
            return "done"
        return "part" if self.judged or self.skipped else "new"


@dataclass(frozen=True)
class Progress:
    """How far the annotator is.

    Attributes:
        query_done: Judged candidates of the current query, of `query_total`.
        done: Judged candidates of all queries, of `total`.
        today: Of those, how many were judged since midnight where the annotator is.
        queries_done: Queries without an open candidate, of `queries_total`.
        propagated: Of `done`, how many took their grade over from a near-copy.
    """

    query_done: int
    query_total: int
    done: int
    total: int
    today: int
    queries_done: int
    queries_total: int
    propagated: int = 0


@dataclass(frozen=True)
class Outcome:
    """What became of an action.

    Attributes:
        accepted: Whether it was done.
        message: What the annotator should read; may be empty.
        moved: Whether another card (or another showing of it) is there now.
        notice: What to mention beside it, such as a long row of equal grades; each thing once.
    """

    accepted: bool
    message: str = ""
    moved: bool = False
    notice: str = ""


@dataclass(frozen=True)
class Near:
    """The graded document of the query that is most like the card's.

    Attributes:
        title: Title, or opening words where there is none; may be empty.
        grade: What it was given, with `hard_negative`, its mark.
        share: How alike the two are, from 0.9 to 1.
    """

    doc_id: str
    title: str
    grade: int
    hard_negative: bool
    share: float


@dataclass(frozen=True)
class Pace:
    """How fast the judging goes.

    Attributes:
        median: Seconds from card to verdict, pauses left out; None before the first verdict.
        left: Seconds that what waits will take at that pace; None where the pace is unknown.
    """

    median: float | None
    left: float | None


class Streak(NamedTuple):
    """A row of equal grades, and how many they are."""

    grade: int
    length: int


@dataclass(frozen=True)
class SaveState:
    """Whether all that was judged is on disk: `saving` until it is acknowledged."""

    kind: Literal["saved", "saving", "failed"]
    reason: str = ""
