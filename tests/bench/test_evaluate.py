"""Which judgments and queries a score rests on, worked out by hand on four documents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from judge.bench.asked import Asked
from judge.bench.draw import draw_candidates
from judge.bench.evaluate import evaluate_dataset
from judge.core.errors import InputError, NotFound
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.exchange.importing import import_dataset
from judge.judging.session import Session
from judge.scoring.measures import parse_measure

NOW = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
RR = (parse_measure("RR@10"),)


@contextmanager
def no_bar(_what: str, /) -> Iterator[Callable[[int, int], None]]:
    yield lambda _done, _total: None


@pytest.fixture
def dataset(workspace: Workspace, beir: Path) -> Dataset:
    """The four documents, with the top of two runs to judge: 3 pairs for q1, 1 for q2."""
    import_dataset(workspace, beir, name="tiny", now=NOW, relevant_from=2)
    opened = Dataset.open(workspace, "tiny")
    draw(opened, ["bm25", "terms"])
    return opened


def draw(dataset: Dataset, engines: list[str]) -> None:
    draw_candidates(
        dataset, runs=[], engines=engines, depth=3, order=None, seed=1, now=NOW, progress=no_bar
    )


def judge_all(dataset: Dataset, grades: dict[str, dict[str, int]]) -> None:
    """Give these grades as one annotator; everything else stays unjudged."""
    session = Session.open(dataset, "ana")
    for query_id, of_documents in grades.items():
        for doc_id, grade in of_documents.items():
            session.go(query_id, doc_id)
            assert session.card is not None
            assert session.card.document.id == doc_id
            session.painted(session.card.token)
            assert session.grade(session.card.token, grade).accepted
            assert session.wait(10)
            session.settle()
    session.close()


def report(dataset: Dataset, **asked: Any) -> dict[str, Any]:
    wanted = Asked(measures=RR, **asked)
    return evaluate_dataset(dataset, wanted, engines=["terms"], progress=no_bar).report


def mean(found: dict[str, Any]) -> float:
    (run,) = found["runs"]
    (measure,) = run["measures"].values()
    value = measure["mean"]
    assert isinstance(value, float)
    return value


def test_imported_judgments_score_until_people_have_judged(dataset: Dataset) -> None:
    before = report(dataset)
    assert before["labels"]["sources"] == {"import": 4}
    assert before["qrels"]["queries"] == 2
    judge_all(dataset, {"q2": {"d4": 0}})
    after = report(dataset)
    assert after["labels"]["sources"] == {"human": 1}
    assert after["labels"]["annotators"] == ["ana"]
    # Only q2 is finished, and its only judged document is graded 0.
    assert mean(after) == 0.0
    named = report(dataset, sources=["import"])
    assert named["labels"]["sources"] == {"import": 4}


def test_unfinished_queries_are_left_out_and_counted(dataset: Dataset) -> None:
    judge_all(dataset, {"q1": {"d1": 3}, "q2": {"d4": 3}})
    finished = report(dataset)
    assert finished["settings"]["queries"] == "finished"
    assert finished["labels"]["unfinished"] == ["q1"]
    assert [r["counts"]["queries"] for r in finished["runs"]] == [1]
    assert any("1 query is not finished" in notice for notice in finished["notices"])
    everything = report(dataset, queries="all")
    assert everything["settings"]["queries"] == "all"
    assert [r["counts"]["queries"] for r in everything["runs"]] == [2]


def test_the_settings_hash_does_not_change_with_more_judgments(dataset: Dataset) -> None:
    judge_all(dataset, {"q2": {"d4": 3}})
    before = report(dataset)
    judge_all(dataset, {"q1": {"d1": 3}})
    after = report(dataset)
    assert (before["settings"], before["settings_hash"]) == (
        after["settings"],
        after["settings_hash"],
    )
    # q1 is being judged: it is left out, but nobody may say that it has no judgments.
    assert not any("ignored" in notice for notice in after["notices"])


def test_all_queries_count_with_a_notice_when_none_is_finished(dataset: Dataset) -> None:
    judge_all(dataset, {"q1": {"d1": 3}})
    found = report(dataset)
    assert found["settings"]["queries"] == "all"
    assert any("no query is finished yet" in notice for notice in found["notices"])
    with pytest.raises(InputError, match="no query is finished yet"):
        report(dataset, queries="finished")


def test_cannot_judge_finishes_a_pair_without_a_grade(dataset: Dataset) -> None:
    judge_all(dataset, {"q2": {"d4": 3}, "q1": {"d1": 3, "d2": 0}})
    session = Session.open(dataset, "ana")
    session.go("q1", "d3")
    assert session.card is not None
    session.painted(session.card.token)
    assert session.cannot_judge(session.card.token, "unknown language").accepted
    session.close()
    found = report(dataset)
    assert found["labels"]["unfinished"] == []
    assert found["qrels"]["judgments"] == 3


def test_recall_within_its_own_pool_is_said(workspace: Workspace, beir: Path) -> None:
    import_dataset(workspace, beir, name="alone", now=NOW)
    dataset = Dataset.open(workspace, "alone")
    draw(dataset, ["terms"])
    judge_all(dataset, {"q2": {"d4": 3}})
    assert any("relative to its own pool" in notice for notice in report(dataset)["notices"])
    other = workspace.root / "Terms.trec"
    other.write_text("q2 Q0 d4 1 1.0 t\n")
    found = evaluate_dataset(dataset, Asked(), runs=[str(other)], progress=no_bar).report
    assert any("relative to its own pool" in notice for notice in found["notices"])


def test_splits(dataset: Dataset) -> None:
    assert report(dataset)["settings"]["split"] == "all"
    with pytest.raises(NotFound, match='no split "dev"'):
        report(dataset, split="dev")


def test_slices_are_named(dataset: Dataset) -> None:
    (run,) = report(dataset, by=["category"])["runs"]
    assert [(part["value"], part["counts"]["queries"]) for part in run["slices"]] == [
        ("air", 1),
        ("parts", 1),
    ]
    with pytest.raises(NotFound, match='no slice "colour"'):
        report(dataset, by=["colour"])


def test_no_judgments_and_no_runs_say_what_to_do(workspace: Workspace, beir: Path) -> None:
    import_dataset(workspace, beir, name="tiny", now=NOW)
    dataset = Dataset.open(workspace, "tiny")
    with pytest.raises(InputError, match="keeps no runs to score"):
        evaluate_dataset(dataset, Asked(), progress=no_bar)
    with pytest.raises(InputError, match="nothing to draw candidates"):
        draw(dataset, [])
    with pytest.raises(InputError, match="judge annotate tiny"):
        evaluate_dataset(dataset, Asked(sources=["human"]), engines=["terms"], progress=no_bar)


def test_pairs_that_the_dataset_does_not_have_are_left_out_and_told(
    dataset: Dataset, tmp_path: Path
) -> None:
    run = tmp_path / "Mine (v2).trec"
    run.write_text("q1 Q0 d9 1 3.0 t\nq1 Q0 d4 2 2.0 t\nq9 Q0 d1 1 1.0 t\n")
    drawn = draw_candidates(
        dataset, runs=[str(run)], engines=[], depth=5, order=None, seed=1, now=NOW, progress=no_bar
    )
    assert (drawn.pairs, drawn.known, drawn.in_all) == (1, 0, 5)
    assert len(drawn.foreign) == 2
    assert "2 pairs were left out" in "\n".join(drawn.lines())
    assert "mine-v2" in dataset.run_names()
    assert [c.doc_id for c in dataset.candidates()["q1"]][-1] == "d4"


def test_the_top_grade_is_that_of_the_scale_and_no_setting(dataset: Dataset) -> None:
    judge_all(dataset, {"q1": {"d1": 2}, "q2": {"d4": 2}})
    measures = (parse_measure("ERR@1"),)
    found = evaluate_dataset(
        dataset, Asked(measures=measures, queries="all"), engines=["bm25"], progress=no_bar
    ).report
    assert dataset.manifest.scale.max == 3
    # Grade 2 of 3 satisfies with (2^2 - 1) / 2^3; both queries have it first.
    assert mean(found) == 3 / 8
    assert found["qrels"]["top_grade"] == 3
    assert "top_grade" not in found["settings"]


def test_a_deeper_search_is_another_setting(dataset: Dataset) -> None:
    judge_all(dataset, {"q1": {"d1": 3}})
    hashes = set()
    for name in ("RR", "R@5000"):
        asked = Asked(measures=(parse_measure(name),), queries="all")
        found = evaluate_dataset(dataset, asked, engines=["terms"], progress=no_bar).report
        hashes.add(found["settings_hash"])
    assert len(hashes) == 2
