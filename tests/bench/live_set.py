"""A set with two kept runs, small enough to work out every number by hand.

Relevant (grade 2 or 3) are d1 and d4 for q1, and d3 for q2; d1 and d2 are English, the others
German. Nobody judged d5, nor anything of q3.
"""

from __future__ import annotations

import datetime as dt
from contextlib import contextmanager
from typing import TYPE_CHECKING

from judge.core.model import Candidate, Document, Hit, Query, Scale
from judge.core.tables import Run
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.judging.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from judge.core.workspace import Workspace

NAME = "small"
NOW = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
DOCUMENTS = tuple(
    Document(id=f"d{n}", title=f"Title {n}", text=f"word{n} chain", language=language)
    for n, language in enumerate(("en", "en", "de", "de", "de"), 1)
)
QUERIES = (
    Query(id="q1", text="word1 first", language="en", metadata={"kind": "short"}),
    Query(id="q2", text="word3 second", language="de", metadata={"kind": "long"}),
    Query(id="q3", text="word5 third", language="de", metadata={"kind": "long"}),
)
GRADES = {
    "q1": {"d1": 3, "d2": 0, "d3": 0, "d4": 2},
    "q2": {"d1": 0, "d2": 0, "d3": 3, "d4": 1},
}
RUNS: dict[str, dict[str, Sequence[str]]] = {
    "alpha": {"q1": ("d2", "d1", "d4"), "q2": ("d3", "d4")},
    "beta": {"q1": ("d1", "d4", "d2"), "q2": ("d1", "d5", "d3")},
}


@contextmanager
def no_bar(_what: str, /) -> Iterator[Callable[[int, int], None]]:
    """Show no progress."""
    yield lambda _done, _total: None


def make_set(
    workspace: Workspace,
    *,
    documents: Sequence[Document] = DOCUMENTS,
    queries: Sequence[Query] = QUERIES,
    runs: Mapping[str, Mapping[str, Sequence[str]]] = RUNS,
    pool: Mapping[str, Iterable[str]] = GRADES,
) -> Dataset:
    """Make the dataset with its runs and pool; nothing is judged."""
    with stage(workspace, NAME) as staging:
        staging.write_documents(documents)
        staging.write_queries(queries)
        staging.publish(scale=Scale())
    dataset = Dataset.open(workspace, NAME)
    for name, ranked in runs.items():
        hits = {
            query_id: [Hit(doc_id, float(-rank)) for rank, doc_id in enumerate(ids)]
            for query_id, ids in ranked.items()
        }
        dataset.add_run(Run.from_hits(name, hits), {})
    rows = [
        Candidate(query_id, doc_id, "alpha", rank, 0)
        for query_id, ids in pool.items()
        for rank, doc_id in enumerate(ids, 1)
    ]
    if rows:
        dataset.add_pool(rows, order="depth", seed=1, made_by={}, now=NOW)
    return dataset


def judge(
    dataset: Dataset, grades: Mapping[str, Mapping[str, int]] = GRADES, hard: Sequence[str] = ()
) -> None:
    """Give these grades as one annotator; the documents of `hard` are hard negatives of q1."""
    session = Session.open(dataset, "ann")
    for query_id, of_documents in grades.items():
        for doc_id, grade in of_documents.items():
            session.go(query_id, doc_id)
            assert session.card is not None
            token = session.card.token
            session.painted(token)
            is_hard = query_id == "q1" and doc_id in hard
            outcome = session.hard_negative(token) if is_hard else session.grade(token, grade)
            assert outcome.accepted
            assert session.wait(10)
            session.settle()
    session.close()
