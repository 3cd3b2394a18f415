"""Where a text of any script divides into sentences, and what is done where it has none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from judge.core.text import Token, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW = 12
"""Words that stand for a sentence in a text without sentences."""

FEWEST = 3
"""Sentences that make a text one with sentences."""

_CLOSING = "[\"'\u201d\u2019\u00bb\u300d\u300f\uff09)\\]]*"
# An end of its own: the full stops of Chinese and Japanese, Devanagari, Arabic, Urdu, Ethiopic,
# Armenian, Burmese, Khmer, Tibetan.
_ENDS = "\u3002\uff01\uff1f\uff0e\uff61\u0964\u0965\u061f\u06d4\u1362\u1367\u0589\u104b\u17d4\u0f0d"
_BORDER = re.compile(
    rf"(?P<dot>\.{_CLOSING}\s+)|[!?\u2026]+{_CLOSING}\s+|[{_ENDS}]+{_CLOSING}\s*|\s*\n\s*\n\s*"
)


class Span(NamedTuple):
    """A part of a text: `text[start:end]`, in code points."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """Divide a text into sentences.

    A sentence ends with a full stop, question or exclamation mark of any of the scripts that have
    their own, or at an empty line. A Latin full stop ends none before a small letter and after a
    single capital, so `et al. found`, `e.g. this` and `J. Smith` are not torn.

    Args:
        text: Any text.

    Returns:
        Spans in order that together are the whole text: each has the white space after it.

    >>> text = "Dr. J. Smith found 3.5 g. It works! Does it?"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. ', 'J. Smith found 3.5 g. ', 'It works! ', 'Does it?']
    """
    return list(_cut(len(text), _borders(text)))


def passages(text: str, found: list[Token] | None = None) -> list[Span]:
    """Divide a text into what can be taken out of it: sentences, else windows of words.

    Args:
        text: Any text.
        found: Its `tokens`, if they are at hand.

    Returns:
        The sentences, if there are `FEWEST`; otherwise windows of `WINDOW` words, the last one of
        fewer. Spans in order that together are the whole text.

    >>> [(end - start) for start, end in passages("one two three four five six " * 4)]
    [56, 56]
    """
    spans = sentences(text)
    if len(spans) >= FEWEST:
        return spans
    starts = [token.start for token in (tokens(text) if found is None else found)]
    return list(_cut(len(text), iter(starts[WINDOW::WINDOW])))


def _borders(text: str) -> Iterator[int]:
    for match in _BORDER.finditer(text):
        if match["dot"] and (
            text[match.end() : match.end() + 1].islower() or _is_initial(text, match.start())
        ):
            continue
        yield match.end()


def _is_initial(text: str, dot: int) -> bool:
    return text[dot - 1 : dot].isupper() and not text[max(0, dot - 2) : dot - 1].isalnum()


def _cut(length: int, borders: Iterator[int]) -> Iterator[Span]:
    start = 0
    for border in borders:
        if border > start and border < length:
            yield Span(start, border)
            start = border
    if start < length:
        yield Span(start, length)
