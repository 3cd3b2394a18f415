"""A small dataset to judge, a clock that is told to go on, and sessions that are closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from judge.core.model import Candidate, Document, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.judging.session import Session

START = datetime(2025, 3, 1, 9, 0, tzinfo=UTC)


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **delta: float) -> None:
        self.now += timedelta(**delta)


@pytest.fixture
def clock() -> Clock:
    """Nine in the morning of 1 March 2025."""
    return Clock()


def pool(**queries: str) -> list[Candidate]:
    """Candidates from words; a bar ends a block: `q1="d1 d2 | d3"`."""
    return [
        Candidate(query_id, doc_id, "bm25", rank, band)
        for query_id, blocks in queries.items()
        for band, block in enumerate(blocks.split("|"))
        for rank, doc_id in enumerate(block.split(), 1)
    ]


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """Three queries; q1 has two blocks, q2 and q3 one; the pool is named by its time."""
    workspace = Workspace(tmp_path)
    with stage(workspace, "demo") as staging:
        staging.write_documents(
            Document(id=f"d{n}", title=f"Title {n}" if n % 2 else "", text=f"Text of {n}.")
            for n in range(1, 10)
        )
        staging.write_queries(
            Query(id=f"q{n}", text=f"query {n}", description=f"need {n}") for n in range(1, 5)
        )
        staging.write_guidelines("# How to judge\n")
        staging.publish(scale=Scale())
    made = Dataset.open(workspace, "demo")
    made.add_pool(
        pool(q1="d1 d2 d3 | d4 d5", q2="d1 d6", q3="d7 d8"),
        order="gap",
        seed=0,
        made_by={},
        now=START,
    )
    return made


@pytest.fixture
def begin(dataset: Dataset, clock: Clock) -> Iterator[Callable[..., Session]]:
    """Opens sessions of `ann` (or whom is named) on the dataset, and closes all of them."""
    opened: list[Session] = []

    def start(annotator: str = "ann", **given: Any) -> Session:
        session = Session.open(dataset, annotator, clock=clock, tool="t", **given)
        opened.append(session)
        return session

    yield start
    for session in opened:
        session.close()


@pytest.fixture
def press() -> Callable[..., Any]:
    """Paints the card, presses a key as a name of a method, and waits until it is saved."""

    def key(session: Session, action: str, *given: Any) -> Any:
        card = session.card
        if card is not None:
            session.painted(card.token)
        token = [] if action in ("undo", "redo") or card is None else [card.token]
        outcome = getattr(session, action)(*token, *given)
        assert session.wait(30)
        session.settle()
        return outcome

    return key
