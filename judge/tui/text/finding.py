"""Where the words somebody looks for stand in a text: folded, literal, piece by piece."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

from judge.core.text import fold

CHUNK = 4_000
"""Code points that are looked through at once."""
LONGEST = 200
"""Code points of what is looked for."""


class Hit(NamedTuple):
    """Where what is looked for stands: `text[start:end]`."""

    start: int
    end: int


class Finder:
    """Looks for words in a text; several are a phrase, with any blanks between them.

    Folding is that of `judge.core.text`, so neither case nor most accents matter; signs are looked
    for as they are, and words also inside of others. Hits do not overlap.

    Args:
        text: A stored text.
        wanted: What is looked for; blanks alone are found nowhere.

    Attributes:
        hits: What was found so far, in the order of the text.
    """

    def __init__(self, text: str, wanted: str) -> None:
        self._text = text
        parts = fold(wanted[:LONGEST]).split()
        self._pattern = re.compile(r"\s+".join(map(re.escape, parts))) if parts else None
        self._beyond = 4 * len(wanted) + 64
        self._next = 0 if parts else len(text)
        self.hits: list[Hit] = []

    @property
    def done(self) -> bool:
        """Whether the whole text was looked through."""
        return self._next >= len(self._text)

    def look(self, size: int) -> None:
        """Look through so many code points more, or the rest.

        >>> finder = Finder("Die Straße, die STRASSE", "strasse")
        >>> finder.look(1000)
        >>> finder.hits
        [Hit(start=4, end=10), Hit(start=16, end=23)]
        """
        until = self._next + size
        while not self.done and self._next < until:
            self._look_on()

    def at_or_after(self, place: int) -> int | None:
        """Give the number of the first hit at a place or after it; None: none so far."""
        index = bisect_right(self.hits, place - 1, key=_start)
        return index if index < len(self.hits) else None

    def _look_on(self) -> None:
        pattern = self._pattern
        if pattern is None:
            return
        text, start = self._text, self._next
        end = _chunk_end(text, start)
        part = text[start : min(len(text), end + self._beyond)]
        folded = fold(part)
        way = _Way(part, folded)
        after = end
        for match in pattern.finditer(folded):
            first = start + way.back(match.start())
            if first >= end:
                break
            after = start + way.back(match.end(), up=True)
            self.hits.append(Hit(first, after))
        self._next = max(end, after)


def _start(hit: Hit) -> int:
    return hit.start


def _chunk_end(text: str, start: int) -> int:
    end = start + CHUNK
    if end >= len(text):
        return len(text)
    blank = text.rfind(" ", start + 1, end)
    return blank + 1 if blank > 0 else end


class _Way:
    """The way from places in a folded text back to the text; made when it is first needed."""

    def __init__(self, text: str, folded: str) -> None:
        self._text = text
        # Letters that became one and one that became two may make up for each other.
        self._same = len(text) == len(folded) and folded == text.lower()
        self._words: list[str] = []
        self._starts: list[int] = []
        self._origins: list[int] = []

    def back(self, place: int, *, up: bool = False) -> int:
        """Give a place in the text.

        Args:
            place: A place in the folded text.
            up: Where it is inside of what one character became, go to the end of that character.
        """
        if self._same:
            return place
        if not self._words:
            self._words = re.findall(r"\s+|\S+", self._text)
            self._starts = list(accumulate((len(fold(w)) for w in self._words), initial=0))
            self._origins = list(accumulate(map(len, self._words), initial=0))
        index = min(max(0, bisect_right(self._starts, place) - 1), len(self._words) - 1)
        word, rest = self._words[index], place - self._starts[index]
        inside = bisect_right(range(len(word) + 1), rest, key=lambda n: len(fold(word[:n]))) - 1
        if up and len(fold(word[:inside])) < rest:
            inside += 1
        return self._origins[index] + min(max(0, inside), len(word))
