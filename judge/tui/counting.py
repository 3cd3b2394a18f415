"""What the list of datasets says of each: counts, how much is judged, how much people agree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from judge.bench.agreement import agreement_of
from judge.core.errors import JudgeError
from judge.core.workspace import NOT_PEOPLE
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


def agreed(workspace: Workspace, row: DatasetRow) -> DatasetRow | None:
    """Add to a counted row how much people agree; None where fewer than two judged.

    Apart from the counts, because all judgments of all people are read for it.
    """
    folder = workspace.label_folder(row.name)
    if row.problem or not folder.is_dir():
        return None
    people = {path.name for path in folder.iterdir() if path.is_dir()} - NOT_PEOPLE
    if len(people) < 2:
        return None
    try:
        scale = Dataset.open(workspace, row.name).manifest.scale
        labels = read_labels(folder, row.name, columns=STATE_COLUMNS)
    except (JudgeError, OSError):
        return None  # whoever opens the dataset is told
    alpha = agreement_of(labels, scale, rng=np.random.default_rng(1)).figures.alpha
    return replace(row, agreement=f"alpha {alpha:.2f}") if isinstance(alpha, float) else None
