"""How far the judging of a dataset is, put together from its pool and its label store."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from judge.dataset.store import Dataset
from judge.judging.labels import STATE_COLUMNS, read_labels
from judge.judging.staleness import SHA_COLUMNS, stale_notices

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


@dataclass(frozen=True)
class AnnotatorStatus:
    """What one annotator has done, from one source of judgments; counts are pairs."""

    name: str
    source: str
    graded: int
    hard_negatives: int
    skipped: int
    cannot_judge: int
    flagged: int


@dataclass(frozen=True)
class DatasetStatus:
    """How far one dataset is; `pool` is the number of pairs to judge."""

    name: str
    documents: int
    queries: int
    pool: int
    annotators: tuple[AnnotatorStatus, ...]
    warnings: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def dataset_status(workspace: Workspace, name: str) -> DatasetStatus:
    """How far one dataset is.

    Raises:
        NotFound: There is no such dataset.
    """
    dataset = Dataset.open(workspace, name)
    labels = read_labels(workspace.label_folder(name), name, columns=(*STATE_COLUMNS, *SHA_COLUMNS))
    counts: dict[tuple[str, str], Counter[str]] = {}
    for (annotator, _query, _doc), state in labels.states.items():
        count = counts.setdefault((annotator, state.source or "human"), Counter())
        count[state.kind] += 1
        count["hard_negatives"] += state.kind == "graded" and state.hard_negative
        count["flagged"] += state.flagged
    return DatasetStatus(
        name=name,
        documents=dataset.manifest.counts.get("documents", 0),
        queries=dataset.manifest.counts.get("queries", 0),
        pool=sum(map(len, dataset.candidates().values())),
        annotators=tuple(
            AnnotatorStatus(
                name=annotator,
                source=source,
                graded=count["graded"],
                hard_negatives=count["hard_negatives"],
                skipped=count["skipped"],
                cannot_judge=count["cannot_judge"],
                flagged=count["flagged"],
            )
            for (annotator, source), count in sorted(counts.items())
        ),
        warnings=(*dataset.warnings(), *labels.warnings, *stale_notices(dataset, labels.events)),
    )
