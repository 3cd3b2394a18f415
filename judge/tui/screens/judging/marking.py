"""How lines of a document become evidence: a cursor, a range, or the best passage at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.tui.actions import Action
    from judge.tui.screens.judging.modes import Table
    from judge.tui.widgets.board import Board

    Spans = Sequence[tuple[int, int]]


class Marking:
    """A cursor on the lines of the document.

    Args:
        board: Shows the document.
        keys: What which key does.
        keep: Called with the spans that are to be the evidence, and with what to say of it.
        over: Called when it is left.
    """

    def __init__(
        self,
        board: Board,
        keys: Table,
        keep: Callable[[Spans, str], None],
        over: Callable[[], None],
    ) -> None:
        self._board, self._keys, self._keep, self._over = board, keys, keep, over
        board.ask("evidence:", keys.choices())
        board.document.start_marking()

    def others(self) -> list[Action]:
        """Give the keys that page."""
        return self._keys.others()

    def key(self, key: str, character: str | None) -> str:
        """Move, mark, or take the passage."""
        name = self._keys.action_of(key, character)
        document = self._board.document
        if name in ("next", "previous"):
            document.move_cursor(1 if name == "next" else -1)
        elif name == "mark":
            self._mark()
        elif name == "passage":
            self._take_passage()
        elif name == "clear":
            self._keep((), "no evidence any more")
        elif name == "back":
            self._over()
            self._board.say("")
        elif name == "top":
            document.cursor_to_top()
        elif name == "bottom":
            document.cursor_to_end()
        elif name:
            return name
        else:
            leaves = self._keys.key_of("back")
            self._board.say(f"marking evidence: {leaves} leaves it, then keys judge again", "warn")
        return ""

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
            key = self._keys.key_of("mark")
            self._board.say(f"from this line on; {key} at the last line", "accent")
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
        self._keep((*self._board.evidence, span), f"evidence: {size:,} characters kept")
