"""How far a dataset is, counted by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from judge.core.errors import NotFound
from judge.core.model import Candidate, Document, Event, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.judging.labels import SegmentWriter
from judge.judging.status import AnnotatorStatus, dataset_status

Make = Callable[..., Event]
SESSION = "20250301T090000Z-00000001"


@pytest.fixture
def dataset(workspace: Workspace) -> Dataset:
    """Four documents and two queries, five pairs to judge, nothing judged."""
    with stage(workspace, "demo") as staging:
        staging.write_documents(Document(id=f"d{n}", text="text") for n in range(1, 5))
        staging.write_queries(Query(id=f"q{n}", text="query") for n in (1, 2))
        staging.publish(scale=Scale())
    made = Dataset.open(workspace, "demo")
    pairs = [("q1", "d1"), ("q1", "d2"), ("q1", "d3"), ("q2", "d1"), ("q2", "d4")]
    pool = [Candidate(query, doc, "bm25", rank, 0) for rank, (query, doc) in enumerate(pairs, 1)]
    made.add_pool(pool, order="depth", seed=0, made_by={}, now=datetime(2025, 3, 1, tzinfo=UTC))
    return made


def write(dataset: Dataset, annotator: str, *events: Event) -> None:
    folder = dataset.workspace.label_folder("demo") / annotator
    SegmentWriter(folder, "demo", SESSION).append_batch(events)


def test_nothing_is_judged_at_first(dataset: Dataset) -> None:
    status = dataset_status(dataset.workspace, "demo")
    assert (status.name, status.documents, status.queries, status.pool) == ("demo", 4, 2, 5)
    assert (status.annotators, status.warnings) == ((), ())


def test_what_each_annotator_did_is_counted_by_source(dataset: Dataset, event: Make) -> None:
    undone = event(grade=3, doc_id="d4", query_id="q2")
    write(
        dataset,
        "ann",
        event(grade=2, doc_id="d1"),
        event(grade=0, doc_id="d1", hard_negative=True),  # judged twice, counts once
        event("cannot_judge", doc_id="d2", reason="other reason"),
        event("skip", doc_id="d3"),
        event("flag", doc_id="d3"),
        event(grade=1, doc_id="d9", source="import"),
        undone,
        event("undo", target=undone.event_id),
    )
    write(dataset, "bob", event("flag", annotator="bob"))
    status = dataset_status(dataset.workspace, "demo")
    assert status.annotators == (
        AnnotatorStatus("ann", "human", 1, 1, 1, 1, 1),
        AnnotatorStatus("ann", "import", 1, 0, 0, 0, 0),
        AnnotatorStatus("bob", "human", 0, 0, 0, 0, 1),
    )


def test_it_becomes_json_values(dataset: Dataset, event: Make) -> None:
    write(dataset, "ann", event(grade=2))
    bad = dataset.workspace.label_folder("demo") / "ann" / f"{SESSION}-0001.parquet"
    bad.write_bytes(b"")
    document = dataset_status(dataset.workspace, "demo").document()
    assert document.pop("warnings")[0].startswith(f"{bad}: not read: ")
    assert document == {
        "name": "demo",
        "documents": 4,
        "queries": 2,
        "pool": 5,
        "annotators": (
            {
                "name": "ann",
                "source": "human",
                "graded": 1,
                "hard_negatives": 0,
                "skipped": 0,
                "cannot_judge": 0,
                "flagged": 0,
            },
        ),
    }


def test_there_must_be_such_a_dataset(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match='no dataset "demo"'):
        dataset_status(workspace, "demo")


def test_files_that_were_changed_are_warned_of(dataset: Dataset) -> None:
    with (dataset.folder / "documents.parquet").open("ab") as file:
        file.write(b"PAR1")
    [warning] = dataset_status(dataset.workspace, "demo").warnings
    assert warning.startswith(f"{dataset.folder}/documents.parquet: changed since")
