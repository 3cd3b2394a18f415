"""How one goes from hit to hit in a document while it is still being looked through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from judge.core.text import shown
from judge.tui.text.cells import fit
from judge.tui.text.finding import Finder

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.tui.widgets.board import Board

AT_ONCE = 100_000
"""Code points that are looked through before the key that asked has its effect."""
SLICE = 20_000
"""Code points that are looked through between two keys: some ms."""


class Finding:
    """The hits of some words in the document of the card.

    Args:
        board: Shows the document.
        wanted: What is looked for.
        keys: The keys that go from hit to hit and end it, as a person reads them.
        later: Calls a function when the screen has nothing else to do.
    """

    def __init__(
        self,
        board: Board,
        wanted: str,
        keys: str,
        later: Callable[[Callable[[], None]], object],
    ) -> None:
        self._board, self._wanted, self._keys, self._later = board, wanted, keys, later
        self._finder = Finder(board.document.text, wanted)
        self._from = board.document.first_place()
        self._at: int | None = None
        self._asked: Literal["", "next", "last"] = "next"
        self._over = False
        self._look(AT_ONCE)

    def next(self) -> None:
        """Go to the next hit, after the last one to the first."""
        if self._at is None:
            self._asked = "next"
        elif self._at + 1 < len(self._finder.hits):
            self._at += 1
        elif self._finder.done:
            self._at = 0 if self._finder.hits else None
        else:
            self._asked = "next"
            self._from = self._finder.hits[self._at].start + 1
        self._show()

    def previous(self) -> None:
        """Go to the hit before; before the first one is the last."""
        if self._at:
            self._at -= 1
        elif self._finder.done:
            self._at = len(self._finder.hits) - 1 if self._finder.hits else None
        else:
            self._asked = "last"
        self._show()

    def stop(self) -> None:
        """Take the marks of the hits away."""
        self._over = True
        self._board.document.show_hits((), None)

    def _look(self, size: int) -> None:
        if self._over:
            return
        finder = self._finder
        finder.look(size)
        hits = finder.hits
        if self._asked == "next":
            found = finder.at_or_after(self._from)
            if found is None and finder.done and hits:
                found = 0
            if found is not None:
                self._at, self._asked = found, ""
        elif self._asked == "last" and finder.done and hits:
            self._at, self._asked = len(hits) - 1, ""
        self._show()
        if not finder.done:
            self._later(lambda: self._look(SLICE))

    def _show(self) -> None:
        hits = self._finder.hits
        here = hits[self._at] if self._at is not None and hits else None
        self._board.document.show_hits(hits, here)
        self._board.say_place()
        self._board.say(*self._told())

    def _told(self) -> tuple[str, str]:
        hits, done = self._finder.hits, self._finder.done
        wanted = fit(shown(self._wanted), 24)
        if self._at is None or self._asked:
            if done:
                return f'no hit for "{wanted}"', "warn"
            return f'looking for "{wanted}"…', "accent"
        more = "" if done else " so far"
        return f'"{wanted}": hit {self._at + 1} of {len(hits):,}{more}; {self._keys}', "accent"
