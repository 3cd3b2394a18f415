"""Systems whose answers tell how hard a set is: BM25 over words, letters and concepts."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from judge.core.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Analyser = Callable[[str], list[str]]

K1, B = 1.2, 0.75


class BM25:
    """The BM25 of Lucene over any tokens, exact: no stemming, no stop words.

    score(q, d) = sum over t in q of qf(t) idf(t) f (k1 + 1) / (f + k1 (1 - b + b |d| / avgdl)),
    idf(t) = ln(1 + (N - n + .5) / (n + .5)), with k1 = 1.2 and b = .75.

    Args:
        texts: One for each document.
        analyse: Gives the tokens of a text.

    Source: Robertson, Zaragoza: The Probabilistic Relevance Framework (2009); the idf of Lucene.
    """

    def __init__(self, texts: Iterable[str], analyse: Analyser) -> None:
        self._analyse = analyse
        places: dict[str, list[int]] = defaultdict(list)
        counts: dict[str, list[int]] = defaultdict(list)
        lengths: list[int] = []
        for number, text in enumerate(texts):
            tokens = analyse(text)
            lengths.append(len(tokens))
            for token, count in Counter(tokens).items():
                places[token].append(number)
                counts[token].append(count)
        self.size = len(lengths)
        length = np.array(lengths, dtype=np.float64)
        mean = max(1.0, float(length.mean())) if self.size else 1.0
        self._norm = K1 * (1 - B + B * length / mean)
        self._places = {token: np.array(found, np.int32) for token, found in places.items()}
        self._counts = {token: np.array(found, np.float64) for token, found in counts.items()}

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score all documents for a query; shape (documents,)."""
        scores = np.zeros(self.size)
        for token, times in Counter(self._analyse(query)).items():
            places = self._places.get(token)
            if places is None:
                continue
            idf = math.log(1 + (self.size - len(places) + 0.5) / (len(places) + 0.5))
            counts = self._counts[token]
            scores[places] += times * idf * counts * (K1 + 1) / (counts + self._norm[places])
        return scores


def character_grams(text: str, sizes: Sequence[int] = (3, 4)) -> list[str]:
    """Give all runs of three and four letters, white space as one blank.

    >>> character_grams("ab")
    [' ab', 'ab ', ' ab ']
    """
    flat = f" {' '.join(fold(text).split())} "
    return [flat[at : at + n] for n in sizes for at in range(len(flat) - n + 1)]
