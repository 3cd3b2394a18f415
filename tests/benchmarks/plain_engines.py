"""Small search systems in plain numpy that differ as real ones do, for measuring synthetic sets."""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from judge.core.text import words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from judge.core.model import Document

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Analyse = Callable[[Document], list[str]]
    AnalyseQuery = Callable[[str], list[str]]

FEATURES = 3000
"""Terms that latent semantic analysis looks at: those that most documents have, but not all."""


def body(document: Document) -> list[str]:
    return words(document.body)


def title(document: Document) -> list[str]:
    """The title; where there is none, the first words."""
    return words(document.title) or words(document.body)[:10]


def first64(document: Document) -> list[str]:
    return body(document)[:64]


def prefixes(text: str) -> list[str]:
    return [word[:5] for word in words(text)]


def grams(text: str) -> list[str]:
    """Runs of three and four letters of ` word word `."""
    spaced = f" {' '.join(words(text))} "
    return [spaced[at : at + size] for size in (3, 4) for at in range(len(spaced) - size + 1)]


class Index:
    """Which documents have a term, and how often."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.count = len(texts)
        self.lengths = np.array([len(text) for text in texts], np.float64)
        self.mean = float(self.lengths.mean()) or 1.0
        rows: dict[str, list[int]] = {}
        times: dict[str, list[int]] = {}
        for number, text in enumerate(texts):
            for term, often in Counter(text).items():
                rows.setdefault(term, []).append(number)
                times.setdefault(term, []).append(often)
        self.postings = {
            term: (np.array(found, np.int64), np.array(times[term], np.float64))
            for term, found in rows.items()
        }

    def bm25(self, query: Sequence[str], k1: float, b: float, *, idf: bool = True) -> Floats:
        scores = np.zeros(self.count)
        for term, often in Counter(query).items():
            if term in self.postings:
                rows, tf = self.postings[term]
                rare = math.log(1 + (self.count - len(rows) + 0.5) / (len(rows) + 0.5))
                size = k1 * (1 - b + b * self.lengths[rows] / self.mean)
                scores[rows] += often * (rare if idf else 1.0) * tf * (k1 + 1) / (tf + size)
        return scores

    def likelihood(self, query: Sequence[str], mu: float = 1000.0) -> Floats:
        """Query likelihood with Dirichlet smoothing, less what no document changes."""
        scores = np.zeros(self.count)
        total = float(self.lengths.sum())
        known = [term for term in query if term in self.postings]
        for term in known:
            rows, tf = self.postings[term]
            scores[rows] += np.log1p(tf / (mu * tf.sum() / total))
        touched = scores > 0
        scores[touched] += len(known) * np.log(mu / (mu + self.lengths[touched])) + 1e3
        return scores

    def cosine(self, query: Sequence[str]) -> Floats:
        scores = np.zeros(self.count)
        for term, often in Counter(query).items():
            if term in self.postings:
                rows, tf = self.postings[term]
                scores[rows] += often * tf * math.log(1 + self.count / len(rows)) ** 2
        return scores / self._norms

    @cached_property
    def _norms(self) -> Floats:
        squares = np.zeros(self.count)
        for rows, tf in self.postings.values():
            squares[rows] += (tf * math.log(1 + self.count / len(rows))) ** 2
        return np.sqrt(np.maximum(squares, 1e-12))

    def coordination(self, query: Sequence[str]) -> Floats:
        scores = np.zeros(self.count)
        for term in set(query):
            if term in self.postings:
                scores[self.postings[term][0]] += 1
        return scores


class Latent:
    """Latent semantic analysis: the leading singular vectors of the tf-idf matrix, by its Gram."""

    def __init__(self, index: Index, size: int) -> None:
        often = [t for t, (rows, _) in index.postings.items() if len(rows) < index.count / 3]
        often.sort(key=lambda term: (-len(index.postings[term][0]), term))
        self._columns = {term: column for column, term in enumerate(often[:FEATURES])}
        matrix = np.zeros((index.count, len(self._columns)), np.float32)
        self._idf = np.zeros(len(self._columns))
        for term, column in self._columns.items():
            rows, tf = index.postings[term]
            self._idf[column] = math.log(index.count / len(rows))
            matrix[rows, column] = (1 + np.log(tf)) * self._idf[column]
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
        _, vectors = np.linalg.eigh((matrix.T @ matrix).astype(np.float64))
        self._basis = vectors[:, -size:]
        self._documents = matrix @ self._basis
        self._documents /= np.maximum(np.linalg.norm(self._documents, axis=1, keepdims=True), 1e-9)

    def search(self, query: Sequence[str]) -> Floats:
        vector = np.zeros(len(self._columns))
        for term, often in Counter(query).items():
            if term in self._columns:
                column = self._columns[term]
                vector[column] = (1 + math.log(often)) * self._idf[column]
        folded = vector @ self._basis
        return np.asarray(self._documents @ (folded / max(float(np.linalg.norm(folded)), 1e-9)))


def best(scores: Floats, order: Ints, k: int) -> Ints:
    """The k best rows above 0; ties by the documents' order (their ids downwards)."""
    ranked = order[np.argsort(-scores[order], kind="stable")][:k]
    return ranked[scores[ranked] > 0]


def fused(rankings: Sequence[Ints], count: int) -> Floats:
    """Reciprocal rank fusion."""
    scores = np.zeros(count)
    for rows in rankings:
        scores[rows] += 1.0 / (60 + np.arange(1, len(rows) + 1))
    return scores


class Plain:
    """All systems over one corpus."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.ids = [document.id for document in documents]
        ordered = sorted(range(len(self.ids)), key=self.ids.__getitem__, reverse=True)
        self._order = np.array(ordered, np.int64)
        self._body = Index([body(document) for document in documents])
        self._title = Index([title(document) for document in documents])
        self._first = Index([first64(document) for document in documents])
        self._prefix = Index([prefixes(document.body) for document in documents])
        self._grams = Index([grams(document.body) for document in documents])
        self._latent = Latent(self._body, 150)
        having = self._body.postings
        self._stop = {t for t, (rows, _) in having.items() if len(rows) > 0.2 * len(self.ids)}

    def search(self, query: str) -> Mapping[str, list[str]]:
        """The ten best ids of each system."""
        found = words(query)
        telling = [word for word in found if word not in self._stop]
        scores = {
            "bm25 .9/.4": self._body.bm25(found, 0.9, 0.4),
            "bm25 2/1": self._body.bm25(found, 2.0, 1.0),
            "bm25 1.2/0": self._body.bm25(found, 1.2, 0.0),
            "no idf": self._body.bm25(found, 1.2, 0.75, idf=False),
            "no stop words": self._body.bm25(telling, 1.2, 0.75),
            "coordination": self._body.coordination(found),
            "tf-idf cosine": self._body.cosine(found),
            "ql dirichlet": self._body.likelihood(found),
            "title": self._title.bm25(found, 1.2, 0.75),
            "first 64": self._first.bm25(found, 1.2, 0.75),
            "prefix 5": self._prefix.bm25(prefixes(query), 1.2, 0.75),
            "char 3/4": self._grams.bm25(grams(query), 1.2, 0.75),
            "lsa 150": self._latent.search(found),
        }
        deep = {name: best(values, self._order, 100) for name, values in scores.items()}
        for name, parts in {
            "rrf bm25+lsa": ("bm25 .9/.4", "lsa 150"),
            "rrf bm25+char": ("bm25 .9/.4", "char 3/4"),
            "rrf prefix+lsa+char": ("prefix 5", "lsa 150", "char 3/4"),
        }.items():
            together = fused([deep[part] for part in parts], len(self.ids))
            deep[name] = best(together, self._order, 100)
        return {name: [self.ids[row] for row in rows[:10]] for name, rows in deep.items()}
