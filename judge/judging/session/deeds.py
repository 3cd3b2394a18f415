"""What is done to a pair, in the fields of an event and in words, before it is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.core.model import Event, Op, Source
    from judge.judging.labels import PairState


class Facts(TypedDict, total=False):
    """The fields of an event that depend on what is done; see `Event`."""

    target: str
    grade: int
    hard_negative: bool
    reason: str
    note: str | None
    evidence: tuple[tuple[int, int], ...]
    seconds: float | None
    position: int
    order: str
    pool: str
    query_sha: str
    doc_sha: str
    guideline_sha: str | None


class Deed(NamedTuple):
    """What is done to one pair, before it is an event.

    Attributes:
        facts: The fields of the event besides these.
    """

    op: Op
    query_id: str
    doc_id: str
    facts: Facts
    source: Source = "human"


def described(action: Sequence[Event]) -> str:
    """An action in words, with the pair (or the query and how many pairs) that it was done to.

    >>> from datetime import UTC, datetime
    >>> from judge.core.model import Event
    >>> at = datetime(2025, 3, 1, tzinfo=UTC)
    >>> event = Event("e", "s", 0, at, "ann", "human", "grade", "q3", "d12", grade=2)
    >>> described([event]), described([event, event])
    ('grade 2 on d12 (query q3)', 'grade 2 on 2 documents (query q3)')
    """
    event = action[0]
    words = {"cannot_judge": "cannot judge", "unflag": "flag taken away"}.get(event.op, event.op)
    if event.op == "grade":
        words = f"grade {event.grade}{' and hard negative' if event.hard_negative else ''}"
    what = event.doc_id if len(action) == 1 else f"{len(action)} documents"
    return f"{words} on {what} (query {event.query_id})"


def judgment(state: PairState, grade: int, *, hard_negative: bool) -> Facts:
    """A grade event carries the whole judgment, so what the pair had goes with it."""
    return {
        "grade": grade,
        "hard_negative": hard_negative,
        "note": state.note or None,
        "evidence": state.evidence,
    }


def about(op: Op, event: Event, named: str) -> Deed:
    """An undo or redo of an event."""
    return Deed(op, event.query_id, event.doc_id, {"target": named})
