"""BM25 from its formula, in plain Python and double precision: what the engine is compared with."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def exact(length: int) -> int:
    return length


def one_byte(length: int) -> int:
    """A length as one byte keeps it: of what goes beyond 24, the four leading bits."""
    if length < 24:
        return length
    beyond = length - 24
    dropped = max(0, beyond.bit_length() - 4)
    return 24 + (beyond >> dropped << dropped)


def bm25(
    documents: Mapping[str, Sequence[str]],
    query: Sequence[str],
    *,
    k1: float = 1.2,
    b: float = 0.75,
    length: Callable[[int], int] = exact,
) -> dict[str, float]:
    """The score of each document that has a word of the query; documents and query as words."""
    count = len(documents)
    mean = sum(map(len, documents.values())) / count
    having = Counter(word for words in documents.values() for word in set(words))
    scores = {}
    for doc_id, words in documents.items():
        frequency = Counter(words)
        norm = k1 * (1 - b + b * length(len(words)) / mean)
        parts = [
            math.log(1 + (count - having[word] + 0.5) / (having[word] + 0.5))
            * frequency[word]
            * (k1 + 1)
            / (frequency[word] + norm)
            for word in query
            if frequency[word]
        ]
        if parts:
            scores[doc_id] = math.fsum(parts)
    return scores
