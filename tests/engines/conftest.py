"""Small datasets for engines to search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from judge.core.model import Document, Query, Scale
from judge.dataset.build import stage
from judge.dataset.store import Dataset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.core.workspace import Workspace


class MakeDataset(Protocol):
    def __call__(self, documents: Sequence[Document], name: str = "small") -> Dataset: ...


@pytest.fixture
def make_dataset(workspace: Workspace) -> MakeDataset:
    """Build a dataset of these documents and one query in an empty workspace."""

    def make(documents: Sequence[Document], name: str = "small") -> Dataset:
        with stage(workspace, name) as staging:
            staging.write_documents(documents)
            staging.write_queries([Query(id="q1", text="river")])
            staging.publish(scale=Scale())
        return Dataset.open(workspace, name)

    return make
