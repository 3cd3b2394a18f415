"""Which words of a query are worth marking in its documents, and where they stand."""

from __future__ import annotations

import re
from functools import lru_cache

from judge.core.text import fold, tokens, words

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
        stretches = list(_STRETCH.finditer(text))
        folded = _STRETCH.findall(fold(text))
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
