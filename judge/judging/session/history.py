"""What undo takes back and what redo brings again, across sessions, is known only here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from judge.judging.labels import STATE_OPS, action_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.core.model import Event, Source
    from judge.judging.labels import Fold

PERSONAL: Final[frozenset[Source]] = frozenset({"human", "propagated"})
"""The sources of what an annotator did: judged, or said of a document that it is like another."""


class Undone(NamedTuple):
    """One event that was taken back, and the undo that did it."""

    undo: Event
    target: Event


class History:
    """The actions that can be undone, and the undos that can be redone, the latest last.

    An action is one event, or all events of a batch of which something counts. Undo has no limit
    and takes only what a person did: imported verdicts stay. A new action ends redo, also when the
    undo was made in an earlier session.

    Args:
        events: One annotator's events in the total order.
        fold: The fold of the same events.
    """

    def __init__(self, events: Sequence[Event], fold: Fold) -> None:
        self._done: list[list[Event]] = []
        self._undone: list[list[Undone]] = []
        self._before: list[list[Undone]] = []
        for event in events:
            if event.op in STATE_OPS and event.source != "adjudicated":
                self._undone = []
                if event.source in PERSONAL and fold.counts(event):
                    self._take_done(event)
            elif (
                event.op == "undo" and (target := fold.held_by(event)) and target.source in PERSONAL
            ):
                self._take_undone(Undone(event, target))

    @property
    def done(self) -> Sequence[Sequence[Event]]:
        """The actions that count, in order."""
        return self._done

    @property
    def to_undo(self) -> Sequence[Event]:
        """The action that an undo would take back; empty if there is none."""
        return self._done[-1] if self._done else ()

    @property
    def to_redo(self) -> Sequence[Undone]:
        """What a redo would bring again, with the undos that took it; empty if there is nothing."""
        return self._undone[-1] if self._undone else ()

    def apply(self, action: Sequence[Event]) -> None:
        """Take an action of this session; undo and redo must be of `to_undo` and `to_redo`."""
        op = action[0].op
        if op == "undo":
            self._undone.append(list(map(Undone, action, self._done.pop())))
        elif op == "redo":
            self._before = [self._undone.pop()]
            self._done.append([undone.target for undone in self._before[0]])
        else:
            self._done.append(list(action))
            self._before, self._undone = self._undone, []

    def retract(self, action: Sequence[Event]) -> None:
        """Take back the last `apply`, which was of this action."""
        if action[0].op == "undo":
            self._done.append([undone.target for undone in self._undone.pop()])
        else:
            self._done.pop()
            self._undone += self._before
            self._before = []

    # The events of a batch have one time and follow one another in their session, so they are
    # neighbours in the total order.

    def _take_done(self, event: Event) -> None:
        if self._done and action_of(self._done[-1][0]) == action_of(event):
            self._done[-1].append(event)
        else:
            self._done.append([event])

    def _take_undone(self, undone: Undone) -> None:
        if self._undone and action_of(self._undone[-1][0].undo) == action_of(undone.undo):
            self._undone[-1].append(undone)
        else:
            self._undone.append([undone])
