"""What may take the keys for a while: a question, lines to mark, a list to look through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from judge.tui.widgets.bar import Choice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.tui.widgets.board import Board

ESCAPE = "escape"
PAGING = frozenset(
    ("pageup", "pagedown", "b", "ctrl+d", "ctrl+u", "g", "G", "upper_g", "home", "end")
)
"""Keys that move the text on in every mode."""


class Mode(Protocol):
    """Takes the keys of the judging screen until it is left."""

    def key(self, key: str, character: str | None) -> bool:
        """Take a key; says whether it was meant for the mode, else it does what it always does."""

    def leave(self) -> None:
        """Clean up, because the mode is left."""


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

    def key(self, key: str, character: str | None) -> bool:
        """Take the answer."""
        if key == ESCAPE:
            self._over()
            self._board.say("")
        elif character in self._keys and character is not None:
            self._over()
            self._done(character)
        else:
            self._board.say("press one of the keys that are shown, or esc", "warn")
        return True

    def leave(self) -> None:
        """Show the grades again."""
        self._board.stop_asking()
