"""Which texts changed after they were judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.model import Document, Query
from judge.dataset.store import Dataset
from judge.judging.labels import read_labels
from judge.judging.staleness import stale_notices
from tests.bench.live_set import NAME, judge, make_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.core.workspace import Workspace

DOCUMENTS = tuple(Document(id=f"d{n}", title="", text=f"text {n}") for n in range(1, 40))
QUERIES = (Query(id="q1", text="first"), Query(id="q2", text="second"))
GRADES = {"q1": {"d1": 3, "d2": 0}, "q2": {"d1": 1}}


def told(
    workspace: Workspace, documents: Sequence[Document], queries: Sequence[Query] = QUERIES
) -> tuple[str, ...]:
    """Judge, lay other texts in the place of those that were judged, and ask."""
    judge(make_set(workspace, documents=DOCUMENTS, queries=QUERIES, runs={}, pool=GRADES), GRADES)
    elsewhere = type(workspace)(workspace.root.parent / "elsewhere")
    make_set(elsewhere, documents=documents, queries=queries, runs={}, pool={})
    for name in ("documents.parquet", "queries.parquet", "dataset.json"):
        new = elsewhere.dataset_folder(NAME) / name
        (workspace.dataset_folder(NAME) / name).write_bytes(new.read_bytes())
    dataset = Dataset.open(workspace, NAME)
    labels = read_labels(workspace.label_folder(NAME), NAME)
    return stale_notices(dataset, labels.events)


def test_nothing_changed(workspace: Workspace) -> None:
    assert told(workspace, DOCUMENTS) == ()


def test_a_judged_text_that_changed_is_named_and_others_are_not(workspace: Workspace) -> None:
    changed = [
        d.model_copy(update={"text": "new"}) if d.id in ("d2", "d9") else d for d in DOCUMENTS
    ]
    (line,) = told(workspace, changed)
    assert "the text of a document changed after it was judged: d2;" in line


def test_where_most_documents_are_judged_all_are_gone_through(workspace: Workspace) -> None:
    changed = [Document(id="d1", title="a title now", text="text 1"), DOCUMENTS[1]]
    (line,) = told(workspace, changed)
    assert "d1;" in line


def test_a_query_that_changed_is_named(workspace: Workspace) -> None:
    queries = (QUERIES[0], Query(id="q2", text="second", description="and why"))
    (line,) = told(workspace, DOCUMENTS, queries)
    assert "the text of a query changed after it was judged: q2;" in line


def test_a_document_that_is_gone_is_no_changed_text(workspace: Workspace) -> None:
    assert told(workspace, DOCUMENTS[1:]) == ()
