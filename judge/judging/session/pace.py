"""How fast the judging goes, and when a row of equal grades or a long stretch is worth a word."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from statistics import median
from typing import TYPE_CHECKING, Final

from judge.judging.session.cards import Pace, Streak

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from judge.core.model import Event

    Actions = Sequence[Sequence[Event]]

PAUSE: Final = 120.0
"""Whoever looks at a card for more seconds than that did something else meanwhile."""

RECENT: Final = 200
"""How many actions back the pace is taken from: it changes with practice and with the queries."""

STREAK: Final = 12
"""So many equal grades in a row are worth a word."""

STRETCH: Final = 50
"""After so many minutes without a break one is suggested."""

BREAK: Final = timedelta(minutes=5)
"""Without any action for so long, the annotator had a break."""

_JUDGING: Final = frozenset({"grade", "cannot_judge"})
_BREAKING: Final = frozenset({"skip", "cannot_judge", "clear"})


def pace(done: Actions, waiting: int) -> Pace:
    """The median time from card to verdict over the recent actions, and what is left at that pace.

    Each pair counts once, with its first verdict among those actions. Grades taken over from a
    near-copy are left out, and so is what took longer than `PAUSE` or was given without a look (as
    the rest of a query at once).

    Args:
        done: The actions that count, the latest last.
        waiting: How many candidates still need a verdict.
    """
    seconds: dict[tuple[str, str], float] = {}
    for event, *_others in islice(reversed(done), RECENT):
        if event.source == "human" and event.op in _JUDGING and event.seconds is not None:
            seconds[event.query_id, event.doc_id] = event.seconds
    counted = [value for value in seconds.values() if value <= PAUSE]
    if not counted:
        return Pace(None, None)
    middle = median(counted)
    return Pace(middle, middle * waiting)


def streak(done: Actions, session: str) -> list[Event]:
    """The row of equal grades that the last grade of a session belongs to, the latest first.

    Grades taken over from a near-copy and whole batches neither count nor end a row; other verdicts
    end it. A document graded twice counts once.

    Args:
        done: The actions that count, the latest last.
        session: What was done in others is long ago.
    """
    row: dict[tuple[str, str], Event] = {}
    grade: int | None = None
    for event, *others in reversed(done):
        if event.session != session or event.op in _BREAKING:
            break
        if event.op != "grade" or event.source != "human" or others:
            continue
        if grade not in (None, event.grade):
            break
        grade = event.grade
        row[event.query_id, event.doc_id] = event
    return list(row.values())


class Attention:
    """What is worth a word beside an action, each thing once: it never holds anything up.

    Attributes:
        stretch: After so many minutes without a break one is suggested; 0: never.

    Args:
        session: The session whose actions are looked at.
    """

    def __init__(self, session: str) -> None:
        self.stretch = STRETCH
        self._session = session
        self._told_rows: set[str] = set()
        self._told_stretch = False
        self._since: datetime | None = None
        self._last: datetime | None = None

    def after(self, done: Actions, now: datetime) -> str:
        """What to mention after an action; mostly nothing.

        Args:
            done: The actions that count, the latest last.
            now: The time of the action.
        """
        return "; ".join(filter(None, (self._row(done), self._stint(now))))

    def streak(self, done: Actions) -> Streak | None:
        """The row of equal grades that the last grade belongs to; None: there is none."""
        row = streak(done, self._session)
        grade = row[0].grade if row else None
        return None if grade is None else Streak(grade, len(row))

    def _row(self, done: Actions) -> str:
        row = streak(done, self._session)
        if len(row) < STREAK or row[-1].event_id in self._told_rows:
            return ""
        self._told_rows.add(row[-1].event_id)
        return f"{len(row)} times grade {row[0].grade} in a row"

    def _stint(self, now: datetime) -> str:
        if self._since is None or self._last is None or not self._last <= now < self._last + BREAK:
            self._since, self._told_stretch = now, False
        self._last = now
        stretch = timedelta(minutes=self.stretch)
        if self._told_stretch or not self.stretch or now - self._since < stretch:
            return ""
        self._told_stretch = True
        minutes = int((now - self._since).total_seconds() // 60)
        return f"{minutes} minutes without a break"
