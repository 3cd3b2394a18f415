"""How one looks at what was graded before, beside the document of the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.core.model import Document
    from judge.judging.session import Row
    from judge.tui.actions import Action
    from judge.tui.screens.judging.modes import Table
    from judge.tui.widgets.board import Board


class Viewing:
    """A list of the graded documents of the query.

    Args:
        board: Shows it.
        keys: What which key does.
        rows: The graded ones, best grade first; at least one.
        fetch: Gives a document by its id.
        over: Called when it is left.
    """

    def __init__(
        self,
        board: Board,
        keys: Table,
        rows: Sequence[Row],
        fetch: Callable[[str], Document],
        over: Callable[[], None],
    ) -> None:
        self._board, self._keys, self._fetch, self._over = board, keys, fetch, over
        board.ask("graded so far:", keys.choices())
        board.view(rows)

    def others(self) -> list[Action]:
        """Give the keys that page."""
        return self._keys.others()

    def key(self, key: str, character: str | None) -> str:
        """Move in the list, look at a document, or go back."""
        name = self._keys.action_of(key, character)
        if name in ("next", "previous"):
            row = self._board.move_view(1 if name == "next" else -1)
            if self._board.is_beside:
                self._board.show_beside(self._fetch(row.doc_id), row)
        elif name == "open":
            row = self._board.move_view(0)
            self._board.show_beside(self._fetch(row.doc_id), row)
        elif name == "back" and self._board.is_beside:
            self._board.stop_beside()
        elif name in ("back", "leave"):
            self._over()
            self._board.say("")
        elif name:
            return name
        else:
            leaves = self._keys.key_of("back")
            self._board.say(f"looking at what is graded: {leaves} leaves it", "warn")
        return ""

    def leave(self) -> None:
        """Show the candidates and the document again."""
        self._board.stop_viewing()
        self._board.stop_asking()
