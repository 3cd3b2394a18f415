"""How one looks at what was graded before, beside the document of the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.screens.judging.marking import MOVES
from judge.tui.screens.judging.modes import ESCAPE, PAGING
from judge.tui.widgets.bar import Choice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.core.model import Document
    from judge.judging.session import Row
    from judge.tui.widgets.board import Board

CHOICES = (
    Choice("j k", "move"),
    Choice("enter", "look at it beside"),
    Choice("esc", "back"),
)


class Viewing:
    """A list of the graded documents of the query.

    Args:
        board: Shows it.
        rows: The graded ones, best grade first; at least one.
        fetch: Gives a document by its id.
        over: Called when it is left.
    """

    def __init__(
        self,
        board: Board,
        rows: Sequence[Row],
        fetch: Callable[[str], Document],
        over: Callable[[], None],
    ) -> None:
        self._board, self._rows, self._fetch, self._over = board, rows, fetch, over
        board.ask("graded so far:", CHOICES)
        board.view(rows)

    def key(self, key: str, character: str | None) -> bool:
        """Move in the list, look at a document, or go back."""
        del character
        if key in MOVES:
            row = self._board.move_view(MOVES[key])
            if self._board.is_beside:
                self._board.show_beside(self._fetch(row.doc_id), row)
        elif key == "enter":
            row = self._board.move_view(0)
            self._board.show_beside(self._fetch(row.doc_id), row)
        elif key in (ESCAPE, "v", "q"):
            if key != "v" and self._board.is_beside:
                self._board.stop_beside()
            else:
                self._over()
                self._board.say("")
        elif key in PAGING or key == "space":
            return False
        else:
            self._board.say("looking at what is graded: esc leaves it", "warn")
        return True

    def leave(self) -> None:
        """Show the candidates and the document again."""
        self._board.stop_viewing()
        self._board.stop_asking()
