"""Which documents are near-copies of a target, and which passages of it stand in others as well.

Only targets are compared with all documents, by an index of their shingles: one pass, exact, and no
more memory than the targets need. Comparing all documents with each other would answer a question
that nobody asks.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from judge.core.text import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from judge.core.model import Document
    from judge.synth.own.survey import Survey

    Shingle = tuple[str, ...]

NEAR: Final = 0.7
"""Jaccard coefficient of two documents' shingles from which they are near-copies."""

SHINGLE: Final = 3
"""Words of a shingle; no passage that is looked for may have fewer."""

ALIKE: Final = 0.3
"""Cosine of two documents' tf-idf vectors from which one makes the other redundant."""

SAMPLE: Final = 100
"""Targets that redundancy is measured on."""


@dataclass
class Found:
    """What the corpus says about one target.

    Attributes:
        copies: Id of each near-copy -> which of the passages stand in it.
        elsewhere: Which of the passages stand in a document that is no near-copy.
    """

    copies: dict[str, frozenset[int]] = field(default_factory=dict)
    elsewhere: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Findings:
    """What a pass over the corpus found.

    Attributes:
        by_target: What it says about each target, by id.
        redundancy: Mean number of other documents that make a target redundant.
    """

    by_target: Mapping[str, Found]
    redundancy: float


def shingles(found: Sequence[str]) -> set[Shingle]:
    """All runs of `SHINGLE` words; the whole where there are fewer words, nothing where none.

    >>> sorted(shingles("a b c d".split())), shingles(["a"])
    ([('a', 'b', 'c'), ('b', 'c', 'd')], {('a',)})
    """
    if 0 < len(found) < SHINGLE:
        return {tuple(found)}
    return set(zip(*(found[at:] for at in range(SHINGLE)), strict=False))


def holds(found: Sequence[str], passage: Sequence[str]) -> bool:
    """Whether a row of words stands in another one.

    >>> holds(["a", "bc", "d"], ["bc", "d"]), holds(["a", "bc"], ["c"])
    (True, False)
    """
    return _row(passage) in _row(found)


def _row(found: Sequence[str]) -> str:
    """Words with a blank before and after each, so that none is found inside another."""
    return f" {' '.join(found)} "


def look_for_copies(
    source: Iterable[Document],
    survey: Survey,
    passages: Mapping[str, Sequence[Sequence[str]]],
) -> Findings:
    """Go through a corpus once, with an eye on the targets.

    A near-copy of a target has a Jaccard coefficient of `NEAR` or more, taken over the sets of
    `SHINGLE`-word shingles of both bodies. Redundancy is counted for the first `SAMPLE` targets.

    Args:
        source: All documents.
        survey: The same documents, counted, with the targets.
        passages: Target id -> rows of at least `SHINGLE` words of it.

    Source: Broder, On the resemblance and containment of documents (1997).
    """
    mine = [shingles(words(target.body)) for target in survey.targets]
    index: dict[Shingle, list[int]] = {}
    for number, own in enumerate(mine):
        for shingle in own:
            index.setdefault(shingle, []).append(number)
    known = set(index)
    result = {target.id: Found() for target in survey.targets}
    cosines = _Cosines(survey)
    looked_for = [
        [(len(shingles(passage)), _row(passage)) for passage in passages[target.id]]
        for target in survey.targets
    ]
    for document in source:
        found = words(document.body)
        cosines.see(document.id, found)
        theirs = shingles(found)
        common = Counter(chain.from_iterable(index[s] for s in theirs & known))
        row = _row(found) if common else ""
        for number, shared in common.items():
            target = survey.targets[number].id
            if target == document.id:
                continue
            # A passage stands only where all its shingles do.
            standing = [
                at
                for at, (needed, passage) in enumerate(looked_for[number])
                if shared >= needed and passage in row
            ]
            if shared >= NEAR * (len(theirs) + len(mine[number]) - shared):
                result[target].copies[document.id] = frozenset(standing)
            else:
                result[target].elsewhere.update(standing)
    return Findings(result, cosines.mean())


class _Cosines:
    """Counts the documents that are alike a target: cosine of tf * ln(N / df) from `ALIKE` on."""

    def __init__(self, survey: Survey) -> None:
        self._idf = {
            word: math.log(survey.documents / count) for word, count in survey.having.items()
        }
        targets = survey.targets[:SAMPLE]
        self._ids = {target.id for target in targets}
        vectors = [self._vector(words(target.body)) for target in targets]
        vocabulary = sorted({word for vector in vectors for word in vector})
        self._rows = {word: row for row, word in enumerate(vocabulary)}
        self._targets = np.zeros((len(vocabulary), len(targets)))
        for column, vector in enumerate(vectors):
            for word, weight in vector.items():
                self._targets[self._rows[word], column] = weight
        self._seen = 0

    def see(self, doc_id: str, found: Sequence[str]) -> None:
        vector = self._vector(found)
        rows = [self._rows[word] for word in vector if word in self._rows]
        weights = np.array([vector[word] for word in vector if word in self._rows])
        if rows:
            cosines: NDArray[np.float64] = weights @ self._targets[rows]
            # Each target is alike itself.
            self._seen += int(np.count_nonzero(cosines >= ALIKE)) - (doc_id in self._ids)

    def mean(self) -> float:
        return self._seen / len(self._ids)

    def _vector(self, found: Sequence[str]) -> dict[str, float]:
        """Weights of unit length; words that all documents have weigh nothing and are left out."""
        weights = {
            word: count * weight
            for word, count in Counter(found).items()
            if (weight := self._idf.get(word, 0.0)) > 0
        }
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        return {word: weight / length for word, weight in weights.items()}
