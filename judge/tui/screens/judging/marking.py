"""How lines of a document become evidence: a cursor, a range, or the best passage at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.screens.judging.modes import ESCAPE, PAGING
from judge.tui.widgets.bar import Choice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.tui.widgets.board import Board

    Spans = Sequence[tuple[int, int]]

CHOICES = (
    Choice("j k", "move"),
    Choice("space", "mark from here, to here"),
    Choice("p", "take the best passage"),
    Choice("bksp", "take all away"),
    Choice("esc", "done"),
)
TO_TOP, TO_END = ("g", "home"), ("G", "upper_g", "end")
MOVES = {"j": 1, "down": 1, "k": -1, "up": -1}


class Marking:
    """A cursor on the lines of the document.

    Args:
        board: Shows the document.
        keep: Called with the spans that are to be the evidence, and with what to say of it.
        over: Called when it is left.
    """

    def __init__(
        self, board: Board, keep: Callable[[Spans, str], None], over: Callable[[], None]
    ) -> None:
        self._board, self._keep, self._over = board, keep, over
        board.ask("evidence:", CHOICES)
        board.document.start_marking()

    def key(self, key: str, character: str | None) -> bool:
        """Move, mark, or take the passage."""
        del character
        if key in MOVES:
            self._board.document.move_cursor(MOVES[key])
        elif key in ("space", "enter"):
            self._mark()
        elif key == "p":
            self._take_passage()
        elif key == "backspace":
            self._keep((), "no evidence any more (u undoes)")
        elif key in (ESCAPE, "e", "q"):
            self._over()
            self._board.say("")
        elif key in TO_TOP:
            self._board.document.cursor_to_top()
        elif key in TO_END:
            self._board.document.cursor_to_end()
        elif key in PAGING:
            return False
        else:
            self._board.say("marking evidence: esc leaves it, then keys judge again", "warn")
        return True

    def leave(self) -> None:
        """Take the cursor away."""
        self._board.document.stop_marking()
        self._board.stop_asking()

    def _mark(self) -> None:
        document = self._board.document
        is_first = document.marked_from is None
        span = document.mark()
        if span is not None:
            self._add(span)
        elif is_first:
            self._board.say("from this line on; space at the last line", "accent")
        else:
            self._board.say("there is nothing but blanks in these lines", "warn")

    def _take_passage(self) -> None:
        passage = self._board.document.passage()
        if passage is None:
            self._board.say("no part of this document has words of the query", "warn")
            return
        self._board.document.reveal(passage.start)
        text = self._board.document.text[passage.start : passage.end]
        start = passage.start + len(text) - len(text.lstrip())
        self._add((start, start + len(text.strip())))

    def _add(self, span: tuple[int, int]) -> None:
        size = span[1] - span[0]
        self._keep((*self._board.evidence, span), f"evidence: {size:,} characters kept (u undoes)")
