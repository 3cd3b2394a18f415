"""By which signs a run does not belong to the judgments that it is scored on, and how that is told.

Such a run scores near 0 and looks bad, where in truth its ids are of another index or its queries
of another set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge.core.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judge.bench.evaluate import Scored
    from judge.dataset.store import Dataset

LOOK = 1000
"""First documents of so many queries are looked up in the dataset."""
FEW = 0.5
"""Share of the judged queries that a run has results for, below which it is doubted."""


def strange_runs(systems: Sequence[Scored], dataset: Dataset | None) -> list[str]:
    """What is probably wrong with runs, a sentence each.

    Args:
        systems: The runs laid beside the judgments.
        dataset: Where the documents are; None of bare files.
    """
    return [line for system in systems for line in _doubts(system, dataset)]


def _doubts(system: Scored, dataset: Dataset | None) -> Iterator[str]:
    evidence, scores = system
    name, queries = quoted(scores.run), len(scores.query_ids)
    here = queries - len(scores.counts.missing)
    if queries and here / queries < FEW:
        yield (
            f"run {name} has results for {here:,} of {queries:,} judged queries only; the others"
            " count 0. Is it whole, and of this dataset?"
        )
    first = _first_documents(system)
    unknown = _unknown(first, dataset) if dataset is not None else []
    if unknown:
        yield (
            f"{len(unknown):,} of the {len(first):,} documents looked at in run {name} are not in"
            f" {dataset and dataset.name}, such as {quoted(unknown[0])}. Are its ids those of"
            " another index?"
        )
    elif here and not len(evidence.matches.judgment):
        yield (
            f"run {name} holds none of the judged documents: it has ids like {quoted(first[0])},"
            f" the judgments like {quoted(evidence.qrels.docs[0])}. Are they of one index?"
        )


def _first_documents(system: Scored) -> list[str]:
    """The first document of each judged query, of the first `LOOK` queries; each once."""
    evidence = system.evidence
    places = evidence.matches.run_query
    starts = evidence.run.starts[places[places >= 0][:LOOK]]
    found = evidence.run.pairs.docs.take(evidence.run.pairs.source(np.asarray(starts)))
    return list(dict.fromkeys(found))


def _unknown(doc_ids: Sequence[str], dataset: Dataset) -> list[str]:
    """Those that the dataset lacks; none where it holds no corpus but only ids from judgments."""
    first = next(dataset.documents(), None)
    if first is None or first.text is None:
        return []
    known = dataset.titles(doc_ids)
    return [doc_id for doc_id in doc_ids if doc_id not in known]
