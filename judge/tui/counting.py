"""What the list of datasets says of each: its counts, and how much an annotator has judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.errors import JudgeError
from judge.dataset.store import Dataset
from judge.judging.labels import STATE_COLUMNS, UNJUDGED, Pair, read_labels
from judge.tui.widgets.datasets import DatasetRow

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


def counted(workspace: Workspace, name: str, annotator: str) -> DatasetRow:
    """Count one dataset; what is wrong with it becomes part of the row."""
    try:
        return _counted(workspace, name, annotator)
    except (JudgeError, OSError) as error:
        return DatasetRow(name, counted=True, problem=(str(error).splitlines() or ["?"])[0])


def _counted(workspace: Workspace, name: str, annotator: str) -> DatasetRow:
    dataset = Dataset.open(workspace, name)
    manifest = dataset.manifest
    candidates = dataset.candidates()
    folder = workspace.label_folder(name)
    states = read_labels(folder, name, [annotator], STATE_COLUMNS).states
    done = sum(
        states.get(Pair(annotator, query_id, pooled.doc_id), UNJUDGED).kind
        in ("graded", "cannot_judge")
        for query_id, pool in candidates.items()
        for pooled in pool
    )
    total = sum(map(len, candidates.values()))
    return DatasetRow(
        name,
        counted=True,
        documents=manifest.counts.get("documents", 0),
        queries=manifest.counts.get("queries", 0),
        done=done,
        total=total,
        languages=tuple(manifest.languages),
        problem="" if total else f"no candidates yet: judge pool {name} --engine bm25",
    )
