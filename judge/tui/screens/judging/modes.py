"""What may take the keys for a while: a question, lines to mark, a list to look through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from judge.tui.actions import SCREENS, spoken
from judge.tui.widgets.bar import Choice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.tui.actions import Action
    from judge.tui.keymap import Keymap
    from judge.tui.widgets.board import Board


class Mode(Protocol):
    """Takes the keys of the judging screen until it is left."""

    def others(self) -> list[Action]:
        """Give what its keys do besides what it shows in the place of the grades."""

    def key(self, key: str, character: str | None) -> str:
        """Take a key; gives the name of the screen's own action that it is to do, mostly none."""

    def leave(self) -> None:
        """Clean up, because the mode is left."""


class Table:
    """The keys of a mode, as the user has them.

    Args:
        keymap: The user's keys.
        name: Of the mode: a table of `SCREENS`.
    """

    def __init__(self, keymap: Keymap, name: str) -> None:
        self._keymap, self._name = keymap, name

    def action_of(self, key: str, character: str | None) -> str:
        """Give the name of the action of a key; empty: none."""
        return self._keymap.action_of(self._name, key, character)

    def key_of(self, action: str) -> str:
        """Give the key of an action, as a person reads it."""
        return self._keymap.key_of(self._name, action)

    def others(self) -> list[Action]:
        """Give the actions that `choices` leaves out."""
        actions = self._keymap.applied(self._name, SCREENS[self._name])
        return [a for a in actions if not a.rank and a.name not in ("next", "previous")]

    def choices(self) -> list[Choice]:
        """Give the keys to show, the most needed first."""
        moves = Choice(f"{self.key_of('next')} {self.key_of('previous')}", "move")
        actions = self._keymap.applied(self._name, SCREENS[self._name])
        ranked = sorted((action for action in actions if action.rank), key=lambda a: a.rank)
        return [moves, *(Choice(spoken(action.keys[0]), action.label) for action in ranked)]


class Question:
    """A question that one key answers; others ask again.

    Args:
        board: Where it is asked.
        title: The question.
        answers: The keys and what each means.
        done: Called with the key of the answer; the question is over then.
        over: Called when it is over.
    """

    def __init__(
        self,
        board: Board,
        title: str,
        answers: Sequence[Choice],
        done: Callable[[str], None],
        over: Callable[[], None],
    ) -> None:
        self._board, self._done, self._over = board, done, over
        self._keys = {answer.key for answer in answers}
        board.ask(title, [*answers, Choice("esc", "cancel")])

    def others(self) -> list[Action]:
        """Give nothing: what is shown is all."""
        return []

    def key(self, key: str, character: str | None) -> str:
        """Take the answer."""
        if key == "escape":
            self._over()
            self._board.say("")
        elif character in self._keys and character is not None:
            self._over()
            self._done(character)
        else:
            self._board.say("press one of the keys that are shown, or esc", "warn")
        return ""

    def leave(self) -> None:
        """Show the grades again."""
        self._board.stop_asking()
