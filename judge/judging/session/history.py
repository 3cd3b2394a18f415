"""What undo takes back and what redo brings again, across sessions, is known only here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.judging.labels import STATE_OPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.core.model import Event
    from judge.judging.labels import Fold


class History:
    """The actions that can be undone, and the undos that can be redone, the latest last.

    Undo has no limit and takes only what a person did: imported and propagated verdicts stay. A new
    action ends redo, also when the undo was made in an earlier session.

    Args:
        events: One annotator's events in the total order.
        fold: The fold of the same events.
    """

    def __init__(self, events: Sequence[Event], fold: Fold) -> None:
        self._done: list[Event] = []
        self._undone: list[tuple[Event, Event]] = []
        self._before: list[tuple[Event, Event]] = []
        for event in events:
            if event.op in STATE_OPS:
                self._undone = []
                if event.source == "human" and fold.counts(event):
                    self._done.append(event)
            elif event.op == "undo" and (target := fold.held_by(event)):
                self._undone.append((event, target))

    @property
    def done(self) -> Sequence[Event]:
        """The actions that count, in order."""
        return self._done

    @property
    def to_undo(self) -> Event | None:
        """The action that an undo would take back."""
        return self._done[-1] if self._done else None

    @property
    def to_redo(self) -> tuple[Event, Event] | None:
        """The undo that a redo would take back, and the action that it would bring again."""
        return self._undone[-1] if self._undone else None

    def apply(self, event: Event) -> None:
        """Take an action of this session; undo and redo must be of `to_undo` and `to_redo`."""
        if event.op == "undo":
            self._undone.append((event, self._done.pop()))
        elif event.op == "redo":
            self._before = [self._undone.pop()]
            self._done.append(self._before[0][1])
        else:
            self._done.append(event)
            self._before, self._undone = self._undone, []

    def retract(self, event: Event) -> None:
        """Take back the last `apply`, which was of this event."""
        if event.op == "undo":
            self._done.append(self._undone.pop()[1])
        else:
            self._done.pop()
            self._undone += self._before
            self._before = []
