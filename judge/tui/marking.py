"""Which words of a query are worth marking in its documents, and where they stand."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import OSA

from judge.core.text import fold, tokens, words

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_QUERY = 2_000
"""Code points of a query that are looked at."""

_EMPTY = frozenset(
    words(
        "a an and are as at be by can do does for from has have how i if in into is it its not of"
        " on or s t than that the their there this to was we were what when where which who why"
        " will with you your"
        " der die das den dem des ein eine einen einem eines und oder ist sind war im in zu zum"
        " zur von vom mit auf für an bei wie was wer wo warum wann welche nicht es ich sie er wir"
        " le la les un une des du de et ou est sont dans en au aux pour par sur avec que qui quoi"
        " comment pourquoi quel quelle ne pas ce cette"
        " el los las una unos del y o es son en por para con como qué cuál cuándo dónde quién no"
        " se lo su al il gli i di da che chi come dove quando perché per non nel della"
        " os as um uma do dos da das e em no na nos nas com não"
        " het een van te dat op voor met niet hoe wat wie waar waarom"
    )
)
"""Words that stand in every text of their language; marking them would only make it restless."""


@lru_cache(maxsize=64)
def terms_of(query: str) -> frozenset[str]:
    """Give the terms of a query to mark; a query of nothing but small words keeps them.

    >>> sorted(terms_of("Why use a hard hat?")), sorted(terms_of("to be or not"))
    (['hard', 'hat', 'use'], ['be', 'not', 'or', 'to'])
    """
    terms = frozenset(words(query[:LONGEST_QUERY]))
    return terms - _EMPTY or terms


class Mark(NamedTuple):
    """A stretch of a text, in code points, and the role in which it is drawn."""

    start: int
    end: int
    role: str


NEAR_FROM = 5
"""Letters of a word that may stand out for its likeness to a word of the query."""
KNOWN = 20_000
"""Words that are remembered at most."""

_PLAIN_WORD = re.compile(f"[A-Za-z0-9]{{{NEAR_FROM},}}")


class Marks:
    """What one query marks in its documents: its words, and more weakly what is spelled nearly so.

    A word is near one of the query if both have at least `NEAR_FROM` letters and start alike, and
    if one edit (two, from eight letters on) makes one of the other; two neighbours that changed
    places are one edit. What was found out about a word is remembered, as words come again.

    Args:
        terms: The words to mark, as `judge.core.text.words` gives them.
    """

    def __init__(self, terms: frozenset[str] = frozenset()) -> None:
        self.terms = terms
        self._alike: dict[str, list[str]] = {}
        for term in sorted(terms):
            if len(term) >= NEAR_FROM:
                self._alike.setdefault(term[0], []).append(term)
        self._plain: dict[str, bool] = {}
        self._places: dict[str, list[tuple[int, int]]] = {}

    def find(self, text: str) -> list[Mark]:
        """Give the marks of a text, near spellings first; they may overlap.

        >>> Marks(frozenset(["negative"])).find("a negative, two negatives")
        [Mark(start=16, end=25, role='near'), Mark(start=2, end=10, role='match')]
        """
        near = self._near(text) if self._alike else []
        marks = [Mark(start, end, "near") for start, end in near]
        return marks + [Mark(start, end, "match") for start, end in find(text, self.terms)]

    def _near(self, text: str) -> list[tuple[int, int]]:
        if text.isascii():
            found = _PLAIN_WORD.finditer(text)
            return [m.span() for m in found if self._ask(m[0])]
        places: list[tuple[int, int]] = []
        for stretch in _STRETCH.finditer(text):
            if len(stretch[0]) >= NEAR_FROM:
                first = stretch.start()
                places += [(first + start, first + end) for start, end in self._within(stretch[0])]
        return places

    def _ask(self, word: str) -> bool:
        """Whether a word of ASCII is near; asked once for each."""
        if (known := self._plain.get(word)) is None:
            if len(self._plain) >= KNOWN:
                self._plain.clear()
            known = self._plain[word] = self._is_near(word.lower())
        return known

    def _within(self, stretch: str) -> list[tuple[int, int]]:
        """Give the near words of a stretch; looked for once in each."""
        if (places := self._places.get(stretch)) is None:
            if len(self._places) >= KNOWN:
                self._places.clear()
            folded = fold(stretch)
            # Taking all tokens is dear, and hardly any word starts like one of the query.
            likely = folded[:1] in self._alike or not _JOINED.isdisjoint(folded)
            found = tokens(stretch) if likely else []
            places = [(start, end) for term, start, end in found if self._is_near(term)]
            self._places[stretch] = places
        return places

    def _is_near(self, word: str) -> bool:
        if len(word) < NEAR_FROM or word in self.terms:
            return False
        for term in self._alike.get(word[0], ()):
            edits = 1 if min(len(word), len(term)) < 8 else 2
            if OSA.distance(word, term, score_cutoff=edits) <= edits:
                return True
        return False


@lru_cache(maxsize=16)
def marks_of(terms: frozenset[str]) -> Marks:
    """Give what terms mark; the same terms get the same marks, with what they remember."""
    return Marks(terms)


_JOINED = frozenset("-'_/\u2019\u2010\u2011\u2013\u2014\"")
"""Signs that may stand between words of one stretch."""
_STRETCH = re.compile(r"[^\s。、，．！？；：（）「」『』,.!?;:()]+")
"""Text between two places where no term goes on, before and after folding alike."""
WORTH = 3
"""Of so many stretches one must be likely at most; else looking through all at once is cheaper."""


def find(text: str, terms: frozenset[str]) -> list[tuple[int, int]]:
    """Give where the terms stand in a text: (start, end) in code points, ascending.

    Gives what looking through all tokens gives, but looks closely only where a term can be: to take
    the tokens of a screen of Devanagari costs more than to draw it.

    >>> find("Der Fuß, der Füße", frozenset(["fuss"]))
    [(4, 7)]
    """
    if not terms:
        return []
    if not text.isascii():
        whole = fold(text)
        there = [term for term in terms if term in whole]
        if all(map(_is_unspaced, there)) and whole == text.lower() and len(whole) == len(text):
            return sorted(place for term in there for place in _unspaced(whole, term))
        stretches = list(_STRETCH.finditer(text))
        folded = _STRETCH.findall(whole)
        # Where folding makes or takes away a blank or a stop, there is no pairing.
        if len(folded) == len(stretches):
            pairs = zip(stretches, folded, strict=True)
            likely = [pair for pair in pairs if any(term in pair[1] for term in terms)]
            if len(likely) * WORTH < len(stretches):
                return [place for pair in likely for place in _within(*pair, terms)]
    return [(start, end) for term, start, end in tokens(text) if term in terms]


def _within(stretch: re.Match[str], folded: str, terms: frozenset[str]) -> list[tuple[int, int]]:
    """Give where the terms stand in one stretch of a text."""
    first, after = stretch.span()
    if folded in terms:
        return [(first, after)]
    found = tokens(stretch[0])
    return [(first + start, first + end) for term, start, end in found if term in terms]


@lru_cache(maxsize=1024)
def _is_unspaced(term: str) -> bool:
    """Whether a term is one or two letters, without marks, of a script without blanks.

    Each place where two such letters follow each other is a term of a text, and one that stands
    alone is, so that they can be looked for instead of taking all tokens.
    """
    return len(term) <= 2 and len(words(term * (4 // len(term)))) == 3


def _unspaced(text: str, term: str) -> Iterator[tuple[int, int]]:
    """Give where such a term stands in a folded text."""
    size = len(term)
    at = text.find(term)
    while at >= 0:
        start = at - 1
        while start > 0 and unicodedata.category(text[start])[0] == "M":
            start -= 1  # a mark belongs to the letter before it
        if _is_apart(text[max(0, start) : at], term, text[at + size : at + size + 1]):
            yield at, at + size
        at = text.find(term, at + 1)


@lru_cache(maxsize=1 << 14)
def _is_apart(before: str, term: str, after: str) -> bool:
    """Whether what stands around a term leaves it the term it is."""
    if after and unicodedata.category(after)[0] == "M":
        return False  # a mark makes it another one
    return len(term) == 2 or term in words(before + term + after)
