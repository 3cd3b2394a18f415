"""Which part of a long document answers a query best, as far as its words can tell."""

import math
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from typing import NamedTuple

from judge.core.text.analyser import fold, tokens, words

LENGTH = 900
"""Code points of a passage at most."""

FOLDED_UP_TO = 40_000
"""A text of so many code points at most is folded; in longer ones only case makes no difference."""

TOO_OFTEN = 50
"""A word that a text has more often than this says nothing about a place in it."""

MOST_TERMS = 32
"""The words of a query that are looked for, the first ones."""

BEFORE = 200
"""Code points that a passage may have before the words that were found."""

_CHUNK = 500
_BLANK = re.compile(r"\s+")
_SENTENCE = re.compile(
    r"[.!?\u2026]+[\"'\u201d\u2019\u00bb)\]]*\s+"
    r"|[\u3002\uff01\uff1f\uff0e\uff61\u0964\u0965\u061f\u06d4\u1362\u1367]+[\"'\u201d\u2019\u300d\u300f\uff09)]*\s*"
    r"|\s*\n\s*"
)
_JOINERS = "\u200d\u200c"


class Passage(NamedTuple):
    """A part of a text: `text[start:end]`, in code points."""

    start: int
    end: int


class _Hit(NamedTuple):
    """A word of the query in the text: where it stands, and its number in the query."""

    start: int
    end: int
    term: int


class _Cover(NamedTuple):
    """A stretch from one hit to another, and how much it promises."""

    score: float
    start: int
    end: int


def best_passage(
    text: str, query: str, terms: Collection[str] | None = None, length: int = LENGTH
) -> Passage | None:
    """Give the part of a text in which the words of a query stand together best.

    Among all stretches from one hit to another of at most two thirds of `length`, that one is
    taken whose distinct words weigh most, times how close they stand: the sum of
    `ln(1 + n / n_t)` over its words t, with n hits in all and n_t of t, times
    `2 - stretch / longest stretch`. Of equal ones the earliest. It then grows to whole sentences
    or lines, else to whole words, as far as `length` allows.

    In a text of more than `FOLDED_UP_TO` code points a word is found only as the query spells it,
    in upper or lower case; a word that comes more than `TOO_OFTEN` times counts only if all do,
    and then only the first of them.

    Args:
        text: Any text of any script.
        query: What is asked.
        terms: The words of the query that count, as `words` gives them; None: all.
        length: Code points of the passage at most.

    Returns:
        The passage, which tears no character; None if the text has none of the words.

    >>> text = "One thing. A hard hat. Another. The negative is hard, a hard negative. End."
    >>> found = best_passage(text, "hard negative", length=60)
    >>> text[found.start:found.end]
    'The negative is hard, a hard negative. End.'
    """
    wanted = _spellings(query, terms, folded=len(text) <= FOLDED_UP_TO or text.isascii())
    haystack = _Haystack(text)
    hits = _hits(haystack, wanted)
    if not hits:
        return None
    cover = _best_cover(hits, max(1, length * 2 // 3))
    return _grown(text, haystack.origin(cover.start), haystack.origin(cover.end), length)


def _spellings(query: str, terms: Collection[str] | None, *, folded: bool) -> list[str]:
    """Give the words to look for, each once."""
    found: dict[str, str] = {}
    for term, start, end in tokens(query):
        if term not in found and (terms is None or term in terms):
            found[term] = term if folded else query[start:end].casefold()
            if len(found) == MOST_TERMS:
                break
    return list(found.values())


# --- where the words stand -----------------------------------------------------------------------


class _Haystack:
    """A text as it is searched, and the way back from places in it."""

    def __init__(self, text: str) -> None:
        self._stored = text
        self._likened = fold if len(text) <= FOLDED_UP_TO else str.casefold
        chunks = [text] if text.isascii() else list(_chunks(text))
        pieces = [self._likened(chunk) for chunk in chunks]
        self.text = "".join(pieces)
        self._starts = list(accumulate(map(len, pieces), initial=0))
        self._origins = list(accumulate(map(len, chunks), initial=0))

    def origin(self, place: int) -> int:
        """Give the place in the stored text of a place in this one."""
        chunk = min(bisect_right(self._starts, place), len(self._starts) - 1) - 1
        rest = place - self._starts[chunk]
        first, after = self._origins[chunk], self._origins[chunk + 1]
        piece = self.text[self._starts[chunk] : self._starts[chunk + 1]]
        if len(piece) == after - first and piece == self._stored[first:after].lower():
            return first + rest
        sizes = range(after - first + 1)
        # How long the start of the chunk becomes grows with its size.
        return first + bisect_right(sizes, rest, key=lambda n: self._length(first, n)) - 1

    def _length(self, first: int, size: int) -> int:
        return len(self._likened(self._stored[first : first + size]))

    def places(self, word: str) -> Iterator[tuple[int, int]]:
        """Give where a word stands, in this text."""
        text = self.text
        whole = _joins(word[0])
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            before, after = text[start - 1 : start], text[end : end + 1]
            if not whole or not (_joins(before) or _joins(after) or (after and after in "+#")):
                yield start, end
            start = text.find(word, start + 1)


def _chunks(text: str) -> Iterator[str]:
    """Divide a text where no word is torn, if there are blanks."""
    start = 0
    while start < len(text):
        end = start + _CHUNK
        blank = text.rfind(" ", start + 1, end) if end < len(text) else -1
        end = blank + 1 if blank > 0 else end
        yield text[start:end]
        start = end


@lru_cache(maxsize=4096)
def _joins(char: str) -> bool:
    """Whether a character makes a longer word of the letters beside it."""
    return bool(char) and len(words(f"a{char}a")) == 1


def _hits(haystack: _Haystack, wanted: Sequence[str]) -> list[_Hit]:
    """Find the words, in the order of their places."""
    found = [list(islice(haystack.places(word), TOO_OFTEN + 1)) for word in wanted]
    rare = [places if len(places) <= TOO_OFTEN else [] for places in found]
    if not any(rare):
        rare = found
    return sorted(
        _Hit(start, end, number) for number, places in enumerate(rare) for start, end in places
    )


# --- which of them stand together ----------------------------------------------------------------


def _best_cover(hits: Sequence[_Hit], longest: int) -> _Cover:
    """Give the best stretch that ends with a hit, for all hits in turn.

    Of each word only the last place so far can be of use; so the stretches to look at for one hit
    are those that start at such a place.
    """
    counts = Counter(hit.term for hit in hits)
    weights = {term: math.log1p(len(hits) / count) for term, count in counts.items()}
    last: dict[int, _Hit] = {}
    best = _Cover(0.0, 0, 0)
    for hit in hits:
        last.pop(hit.term, None)
        last[hit.term] = hit  # the dictionary goes from the furthest place to the nearest
        weight = 0.0
        for before in reversed(last.values()):
            stretch = hit.end - before.start
            if stretch > longest and before is not hit:
                break
            weight += weights[before.term]
            score = weight * (2.0 - min(stretch, longest) / longest)
            if score > best.score + 1e-9:
                best = _Cover(score, before.start, hit.end)
    return best


# --- how far a passage reaches -------------------------------------------------------------------


def _grown(text: str, start: int, end: int, length: int) -> Passage:
    """Let a stretch grow to a border not far before it, and to the furthest after it that fits.

    What is read first should be what was found.
    """
    floor = max(0, start - min(BEFORE, (length - (end - start)) * 2 // 3))
    first = 0 if floor == 0 else _first(text, floor, start)
    ceiling = max(end, min(len(text), first + length))
    last = len(text) if ceiling == len(text) else _last(text, end, ceiling)
    return Passage(first, last)


def _first(text: str, floor: int, start: int) -> int:
    """Give where a passage begins: at the last start of a sentence, else some words before."""
    sentences = [match.end() for match in _SENTENCE.finditer(text, floor, start)]
    if sentences:
        return sentences[-1]
    blank = _BLANK.search(text, floor, start)
    return blank.end() if blank else _whole(text, floor, -1)


def _last(text: str, end: int, ceiling: int) -> int:
    """Give where a passage ends: after the last sentence that fits, else the last word."""
    for border in (_SENTENCE, _BLANK):
        places = [match.end() for match in border.finditer(text, end, ceiling)]
        if places:
            return places[-1]
    place = _whole(text, ceiling, -1)
    return place if place >= end else _whole(text, end, 1)


def _whole(text: str, place: int, step: int) -> int:
    """Move a place until it tears no character."""
    while 0 < place < len(text) and _tears(text[place - 1], text[place]):
        place += step
    return place


def _tears(last: str, char: str) -> bool:
    return (
        unicodedata.category(char)[0] == "M"
        or char in _JOINERS
        or last in _JOINERS
        or unicodedata.combining(last) == 9  # a virama
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # a skin tone
        or (last, char) == ("\r", "\n")
    )
