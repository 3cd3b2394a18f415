"""Small collections made to be hard for scorers: odd ids, ties, near-ties, gaps on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For properties: a busy machine makes no test fail."""
ALPHABET = ["a", "b", "Z", "0", "9", "-", "_", "#", ":", "/", "é", "日", "本", "𝄞", "\u0301"]
PREFIXES = ["", "", "doc_", "doc_0000", "collection/part-01/", "日本語の文書"]
SCORES = [
    0.0,
    -0.0,
    1.0,
    0.5,
    0.5 + 1e-9,
    0.5 + 2e-9,
    -2.5e1,
    9e-06,
    1.2e-05,
    16777216.0,
    16777217.0,
]


class Made(NamedTuple):
    """Judgments and results as dictionaries."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]

    def tables(self, rng: Generator | None = None) -> tuple[Qrels, Run]:
        """The same as tables, with rows in any order if there is a generator."""
        judgments = [Judgment(q, d, g) for q, ds in self.qrels.items() for d, g in ds.items()]
        hits = {q: [Hit(d, s) for d, s in ds.items()] for q, ds in self.run.items()}
        if rng is not None:
            judgments = [judgments[i] for i in rng.permutation(len(judgments))]
            hits = {q: [rows[i] for i in rng.permutation(len(rows))] for q, rows in hits.items()}
        return Qrels.from_judgments(judgments), Run.from_hits("made", hits)


ids = st.builds(
    lambda prefix, rest: prefix + rest,
    st.sampled_from(PREFIXES),
    st.text(st.sampled_from(ALPHABET), min_size=1, max_size=12),
)
grades = st.integers(-2, 4)
scores = st.one_of(st.sampled_from(SCORES), st.floats(-1e6, 1e6, allow_nan=False))


@st.composite
def collections(draw: st.DrawFn) -> Made:
    """A collection of a few queries and documents that they share."""
    documents = draw(st.lists(ids, min_size=1, max_size=12, unique=True))
    queries = draw(st.lists(ids, min_size=1, max_size=4, unique=True))
    some = st.sampled_from(documents)
    judged = st.dictionaries(some, grades, min_size=1)
    found = st.dictionaries(some, scores, min_size=0)
    qrels = {q: draw(judged) for q in queries if draw(st.booleans())} or {queries[0]: draw(judged)}
    run = {q: draw(found) for q in queries if draw(st.booleans())}
    # Without any judged query in the run there is nothing to score.
    common = draw(st.sampled_from(sorted(qrels)))
    run[common] = draw(st.dictionaries(some, scores, min_size=1))
    return Made(qrels, {q: found for q, found in run.items() if found})


def random_collection(rng: Generator, queries: int, documents: int) -> Made:
    """A larger collection; about a third of the scores are tied in one way or another."""
    names = [_random_id(rng, i) for i in range(documents)]
    made = Made({}, {})
    for number in range(queries):
        query = _random_id(rng, number)
        if rng.random() < 0.9:
            picked = rng.choice(documents, int(rng.integers(1, documents // 2)), replace=False)
            top = 1 if rng.random() < 0.1 else 5
            made.qrels[query] = {names[i]: int(rng.integers(-2, top)) for i in picked}
        if rng.random() < 0.9:
            picked = rng.choice(documents, int(rng.integers(1, documents)), replace=False)
            values = _random_scores(rng, len(picked))
            made.run[query] = {names[i]: s for i, s in zip(picked, values.tolist(), strict=True)}
    return made


def _random_id(rng: Generator, number: int) -> str:
    prefix = PREFIXES[rng.integers(len(PREFIXES))]
    letters = [ALPHABET[i] for i in rng.integers(len(ALPHABET), size=rng.integers(0, 20))]
    return f"{prefix}{''.join(letters)}{number}"


def _random_scores(rng: Generator, count: int) -> NDArray[np.float64]:
    kind = rng.integers(4)
    if kind == 0:
        return rng.normal(size=count)
    if kind == 1:
        return rng.integers(-20, 20, size=count) / np.float64(10)
    if kind == 2:
        return np.linspace(0.5, 0.5 + 4e-9, 5)[rng.integers(5, size=count)]
    return np.array(SCORES)[rng.integers(len(SCORES), size=count)]
