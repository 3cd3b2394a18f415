"""How chunks are rolled up: a ranking or a judgment of chunks becomes one of whole documents.

One level is followed and no more: where `a` is a chunk of `b` and `b` one of `c`, `a` counts as `b`
and `b` as `c`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.arrow import Categories, Strings
from judge.core.tables import Qrels, Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


def rolled_up_run(run: Run, parents: Mapping[str, str]) -> Run:
    """The run in which every chunk stands for its parent.

    A parent's score is that of its best chunk, or its own where it is ranked itself and better. A
    document without a parent stays itself. Ties are settled anew, by the ids of the parents.

    Args:
        run: The ranked results.
        parents: For each chunk id the id of the document that it is a chunk of, one level.

    Returns:
        A run of the same name and queries, with a note on how many documents remain.

    >>> from judge.core.model import Hit
    >>> run = Run.from_hits("r", {"q": [Hit("a1", 3.0), Hit("b", 2.0), Hit("a2", 1.0)]})
    >>> rolled_up_run(run, {"a1": "a", "a2": "a"}).hits("q")
    [Hit(doc_id='a', score=3.0), Hit(doc_id='b', score=2.0)]
    """
    rolled = _rolled(run.pairs.docs, run.pairs.prints, parents)
    codes = rolled.codes[run.pairs.source(np.arange(len(run)))]
    queries = np.repeat(np.arange(len(run.query_ids), dtype=np.int32), np.diff(run.starts))
    # Scores do not rise inside a query, so that the first is the best; nor do they when sorted.
    kept = np.sort(_first(queries, codes))
    return Run(
        run.name,
        Categories(run.query_ids, queries[kept]),
        rolled.names.gather(codes[kept]),
        run.scores[kept],
        notes=(*run.notes, _note("ranked documents", rolled, len(kept))),
    )


def rolled_up_qrels(qrels: Qrels, parents: Mapping[str, str]) -> Qrels:
    """The qrels in which every chunk stands for its parent.

    A parent's grade is the highest of its judged chunks and of itself, so it is below 0 (no
    judgment) only if nothing else was said. A document without a parent stays itself.

    Args:
        qrels: The judgments.
        parents: For each chunk id the id of the document that it is a chunk of, one level.

    Returns:
        Qrels of the same queries, with a note on how many judgments remain.

    >>> from judge.core.model import Judgment
    >>> qrels = Qrels.from_judgments([Judgment("q", "a1", 0), Judgment("q", "a2", 3)])
    >>> rolled_up_qrels(qrels, {"a1": "a", "a2": "a"}).grades("q")
    {'a': 3}
    """
    rolled = _rolled(qrels.docs, qrels.prints, parents)
    falling = np.argsort(-qrels.all_grades, kind="stable")
    kept = np.sort(falling[_first(qrels.queries[falling], rolled.codes[falling])])
    return Qrels(
        Categories(qrels.query_ids, qrels.queries[kept].astype(np.int32)),
        rolled.names.gather(rolled.codes[kept]),
        qrels.all_grades[kept],
        notes=(*qrels.notes, _note("judgments", rolled, len(kept))),
    )


class _Rolled(NamedTuple):
    """What the documents of a table are called once chunks stand for their parents.

    Attributes:
        names: The distinct ids.
        codes: int64 [rows], which of them each row has.
        chunks: How many rows are of a document with a parent.
    """

    names: Strings
    codes: Ints
    chunks: int


def _rolled(docs: Strings, prints: NDArray[np.uint64], parents: Mapping[str, str]) -> _Rolled:
    ids, codes = _distinct(docs, prints)
    index: dict[str, int] = {}
    renamed = [index.setdefault(parents.get(doc_id, doc_id), len(index)) for doc_id in ids]
    chunk = np.array([doc_id in parents for doc_id in ids], bool)
    names = Strings.of(index)
    return _Rolled(names, np.array(renamed, np.int64)[codes], int(chunk[codes].sum()))


def _distinct(docs: Strings, prints: NDArray[np.uint64]) -> tuple[list[str], Ints]:
    """The distinct strings of a column, and which of them each row has, int64 [rows]."""
    _, first, codes = np.unique(prints, return_index=True, return_inverse=True)
    if docs.equal(np.arange(len(docs)), docs, first[codes]).all():
        return docs.take(first), codes
    # Two different ids share a fingerprint, which chance all but never does: look at the ids.
    exact = Categories.of(docs)
    return exact.values, exact.codes.astype(np.int64)


def _first(queries: NDArray[np.integer], codes: Ints) -> Ints:
    """The first row of each (query, document) pair, int64 [pairs]."""
    keys = queries.astype(np.int64) * (int(codes.max(initial=0)) + 1) + codes
    first: Ints = np.unique(keys, return_index=True)[1]
    return first


def _note(what: str, rolled: _Rolled, kept: int) -> str:
    return (
        f"{rolled.chunks:,} of {len(rolled.codes):,} {what} are of chunks and stand for their"
        f" parents; merged, {kept:,} remain"
    )
