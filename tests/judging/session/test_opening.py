"""Opening: what cannot be judged is refused before anything is made, and the rest is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.core.errors import InputError, NotFound
from judge.core.model import Candidate, Document, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.judging.session import Session

Begin = Callable[..., Session]
Press = Callable[..., Any]


def at(session: Session) -> str:
    """Where the session stands: `q1/d1`, or nothing."""
    return f"{session.card.query.id}/{session.card.document.id}" if session.card else "-"


def test_what_a_session_has(dataset: Dataset, begin: Begin) -> None:
    session = begin()
    assert session.annotator == "ann"
    assert session.scale == Scale()
    assert session.guidelines == "# How to judge\n"
    assert session.warnings == ()
    assert session.dataset is dataset


def test_annotators_do_not_see_each_other(begin: Begin, press: Press) -> None:
    press(begin("ann"), "grade", 3)
    other = begin("bob")
    assert at(other) == "q1/d1"
    assert other.progress().done == 0


def test_a_broken_file_is_told_and_does_no_harm(
    dataset: Dataset, begin: Begin, press: Press
) -> None:
    press(begin(), "grade", 3)
    bad = dataset.workspace.label_folder("demo") / "ann" / "20250301T090000Z-0000000f-0000.parquet"
    bad.write_bytes(b"")
    session = begin()
    assert len(session.warnings) == 1
    assert at(session) == "q1/d2"


def test_a_dataset_without_a_pool_says_what_makes_one(dataset: Dataset) -> None:
    for path in (dataset.folder / "pools").iterdir():
        path.unlink()
    with pytest.raises(
        InputError, match=r"demo has no candidates .*`judge pool demo --engine bm25"
    ):
        Session.open(dataset, "ann")


def test_a_name_that_cannot_be_a_folder_is_refused(dataset: Dataset) -> None:
    with pytest.raises(InputError, match="cannot name an annotator"):
        Session.open(dataset, "../ann")


def numbers_only(tmp_path: Path, *texts: str | None) -> Dataset:
    workspace = Workspace(tmp_path / "other")
    with stage(workspace, "ids") as staging:
        staging.write_documents(Document(id=f"d{n}", text=t) for n, t in enumerate(texts))
        staging.write_queries([Query(id="q", text="query")])
        staging.publish(scale=Scale())
    return Dataset.open(workspace, "ids")


def fill(dataset: Dataset, clock: Any, *pairs: tuple[str, str]) -> None:
    candidates = [Candidate(q, d, "r", rank, 0) for rank, (q, d) in enumerate(pairs, 1)]
    dataset.add_pool(candidates, order="depth", seed=0, made_by={}, now=clock.now)


def test_documents_without_text_refuse_judging(tmp_path: Path, clock: Any) -> None:
    dataset = numbers_only(tmp_path, None, None)
    fill(dataset, clock, ("q", "d0"))
    with pytest.raises(InputError, match="the documents of ids have no text"):
        Session.open(dataset, "ann")


def test_single_documents_without_text_can_be_passed_but_not_graded(
    tmp_path: Path, clock: Any, press: Press
) -> None:
    dataset = numbers_only(tmp_path, "text", None)
    fill(dataset, clock, ("q", "d0"), ("q", "d1"), ("q", "gone"))
    session = Session.open(dataset, "ann", clock=clock)
    press(session, "grade", 1)
    for action in (["grade", 1], ["hard_negative"]):
        outcome = press(session, *action)
        assert not outcome.accepted
        assert outcome.message.startswith("this document has no text to judge")
    assert press(session, "cannot_judge", "b").accepted
    assert session.card is not None
    assert session.card.document.id == "gone"  # in the pool, not in the corpus
    assert not press(session, "grade", 1).accepted
    assert press(session, "skip").accepted
    session.close()


def test_a_pool_whose_first_document_is_missing_is_an_error(tmp_path: Path, clock: Any) -> None:
    dataset = numbers_only(tmp_path, "text")
    fill(dataset, clock, ("q", "gone"))
    with pytest.raises(NotFound, match='no document "gone"'):
        Session.open(dataset, "ann")


def test_candidates_of_unknown_queries_are_told(tmp_path: Path, clock: Any) -> None:
    dataset = numbers_only(tmp_path, "text")
    fill(dataset, clock, ("q", "d0"), ("qx", "d0"))
    session = Session.open(dataset, "ann", clock=clock)
    assert session.warnings == (
        'the pool has candidates of 1 query not in the dataset, such as "qx"',
    )
    session.close()


def test_a_later_pool_adds_to_the_end_and_moves_nothing(
    dataset: Dataset, begin: Begin, press: Press, clock: Any
) -> None:
    press(begin(), "grade", 1)
    clock.forward(hours=1)
    fill(dataset, clock, ("q1", "d1"), ("q1", "d9"), ("q2", "d9"))
    session = begin()
    seen = []
    while session.card:
        seen.append(at(session))
        press(session, "grade", 1)
    expected = "q1/d2 q1/d3 q2/d1 q2/d6 q3/d7 q3/d8 q1/d4 q1/d5 q1/d9 q2/d9"
    assert " ".join(seen) == expected
