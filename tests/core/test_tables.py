"""Runs and qrels: what they refuse, the order of ties, and how they come back from disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.arrow import Categories, Strings
from judge.core.errors import FormatError, InputError
from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run, fuse
from judge.core.tables.problems import Origin
from tests.oracles.collections import CALM, Made, collections, ids, scores
from tests.oracles.measures import ranked

if TYPE_CHECKING:
    from pathlib import Path


def run_of(**queries: dict[str, float]) -> Run:
    return Run.from_hits("r", {q: [Hit(*hit) for hit in d.items()] for q, d in queries.items()})


def test_ties_are_ordered_by_id_descending_by_bytes() -> None:
    run = run_of(q={"doc10": 1.0, "doc9": 1.0, "doc1": 1.0, "z": 0.5, "é": 1.0, "日": 1.0})
    assert [hit.doc_id for hit in run.hits("q")] == ["日", "é", "doc9", "doc10", "doc1", "z"]


def test_the_longer_of_two_ids_with_one_beginning_comes_first() -> None:
    alike = {"a" * n: 0.0 for n in (1, 7, 8, 9, 16, 17)} | {"a\0": 0.0, "a" * 8 + "\0": 0.0}
    found = [hit.doc_id for hit in run_of(q=alike).hits("q")]
    assert found == sorted(alike, key=str.encode, reverse=True)


def test_scores_compare_as_64_bit_floats() -> None:
    run = run_of(q={"a": 0.5 + 1e-9, "b": 0.5})
    assert [hit.doc_id for hit in run.hits("q")] == ["a", "b"]
    assert [hit.doc_id for hit in run_of(q={"a": -0.0, "b": 0.0}).hits("q")] == ["b", "a"]


@given(collections(), st.integers(0, 9), st.integers(0, 5))
@CALM
def test_hits_are_the_first_of_the_settled_order(made: Made, seed: int, k: int) -> None:
    _, run = made.tables(np.random.default_rng(seed))
    for query, found in made.run.items():
        expected = [Hit(doc, found[doc]) for doc in ranked(found)]
        assert run.hits(query) == expected
        assert run.hits(query, k) == expected[:k]
    assert run.hits("no such query") == []
    assert len(run) == sum(map(len, made.run.values()))
    assert list(run.rows()) == [(q, *hit) for q in run.query_ids for hit in run.hits(q)]


@given(st.lists(st.tuples(st.sampled_from("pqr"), ids, scores), unique_by=lambda row: row[:2]))
@CALM
def test_rows_may_come_in_any_order(rows: list[tuple[str, str, float]]) -> None:
    run = Run(
        "r",
        Categories.of(row[0] for row in rows),
        Strings.of([row[1] for row in rows]),
        np.array([row[2] for row in rows], np.float64),
    )
    assert run.query_ids == list(dict.fromkeys(row[0] for row in rows))
    for query in "pqr":
        expected = ranked({doc: score for q, doc, score in rows if q == query})
        assert [hit.doc_id for hit in run.hits(query)] == expected


def test_many_queries_in_any_order() -> None:
    # More than 2^16 queries and more than one block, interleaved.
    count = 70_000
    codes = np.tile(np.arange(count, dtype=np.int32), 2)
    docs = Strings.of([f"d{i % 7}" for i in range(count)] + [f"e{i % 5}" for i in range(count)])
    values = np.concatenate([np.zeros(count), np.ones(count)])
    run = Run("r", Categories([f"q{i}" for i in range(count)], codes), docs, values)
    assert run.query_ids[69_999] == "q69999"
    assert run.hits("q69999") == [Hit("e4", 1.0), Hit("d6", 0.0)]
    assert run.hits("q0") == [Hit("e0", 1.0), Hit("d0", 0.0)]


def test_a_document_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    columns = Categories.of(["q", "p", "q", "q"]), Strings.of(["a", "a", "b", "a"])
    with pytest.raises(InputError) as caught:
        Run("r", *columns, np.arange(4.0))
    assert str(caught.value) == (
        'doc_id: "a" is ranked twice for query "q" (expected: each document once per query)'
    )
    origin = Origin(tmp_path / "r.trec", np.array([1, 2, 5, 9]))
    with pytest.raises(InputError, match=r'r\.trec:9: doc_id: "a" .*"q"; first on line 1 '):
        Run("r", *columns, np.arange(4.0), origin=origin)


def test_a_thousand_problems_are_spelled_out_and_all_are_counted() -> None:
    queries = Categories.of(["q"] * 2000)
    with pytest.raises(InputError) as caught:
        Run("r", queries, Strings.of(["same"] * 2000), np.zeros(2000))
    assert len(caught.value.problems) == 1001
    assert str(caught.value.problems[-1]) == "and 999 more problems"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_scores_must_be_finite(value: float) -> None:
    with pytest.raises(
        InputError, match=rf'score: {value} is not a finite number \(query "q", "b"'
    ):
        run_of(q={"a": 1.0, "b": value})


def test_an_empty_run_is_possible() -> None:
    run = Run.from_hits("r", {"q": []})
    assert (len(run), run.query_ids, run.hits("q"), list(run.rows())) == (0, [], [], [])


@given(made=collections())
@settings(CALM, max_examples=30)
def test_runs_come_back_from_parquet(tmp_path_factory: pytest.TempPathFactory, made: Made) -> None:
    _, run = made.tables()
    path = tmp_path_factory.mktemp("runs") / "bm25.parquet"
    run.write(path, {"made_by": "{}"})
    back = Run.read(path)
    assert back.name == "bm25"
    assert list(back.rows()) == list(run.rows())
    assert Run.read(path, name="other").name == "other"


def test_empty_runs_come_back_from_parquet(tmp_path: Path) -> None:
    Run.from_hits("r", {}).write(tmp_path / "r.parquet")
    assert len(Run.read(tmp_path / "r.parquet")) == 0


def test_foreign_parquet_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    good = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1, 2], "more": [0, 0]}
    pq.write_table(pa.table(good), path)
    assert [hit.doc_id for hit in Run.read(path).hits("q")] == ["b", "a"]
    pq.write_table(pa.table(good | {"doc_id": ["a", ""]}), path)
    with pytest.raises(InputError, match="an id is empty"):
        Run.read(path)
    pq.write_table(pa.table(good | {"doc_id": ["a", "a"]}), path)
    with pytest.raises(InputError, match=r'r\.parquet: doc_id: "a" is ranked twice'):
        Run.read(path)
    pq.write_table(pa.table(good | {"query_id": [1, 2]}), path)
    with pytest.raises(FormatError, match="query_id: holds int64"):
        Run.read(path)
    pq.write_table(pa.table(good).drop_columns(["score"]), path)
    with pytest.raises(FormatError, match="there is no column score"):
        Run.read(path)


JUDGMENTS = [Judgment("q1", "a", 3), Judgment("q2", "b", 0), Judgment("q1", "c", -1)]


def test_qrels_are_grouped_by_query() -> None:
    qrels = Qrels.from_judgments(JUDGMENTS)
    assert qrels.query_ids == ["q1", "q2"]
    assert qrels.grades("q1") == {"a": 3, "c": -1}
    assert qrels.grades("q3") == {}
    assert len(qrels) == 3
    assert list(qrels.judgments()) == [JUDGMENTS[0], JUDGMENTS[2], JUDGMENTS[1]]
    assert repr(qrels) == "Qrels(2 queries, 3 judgments)"


def test_identical_judgments_are_counted_once_and_told() -> None:
    qrels = Qrels.from_judgments([*JUDGMENTS, JUDGMENTS[0], JUDGMENTS[0]])
    assert list(qrels.judgments()) == [JUDGMENTS[0], JUDGMENTS[2], JUDGMENTS[1]]
    assert qrels.notes == ("2 judgments are given twice with the same grade and counted once",)


def test_contradicting_judgments_are_refused() -> None:
    with pytest.raises(InputError, match='grade: "a" has grade 1 for query "q1", but 3 '):
        Qrels.from_judgments([*JUDGMENTS, Judgment("q1", "a", 1)])


def test_a_subset_keeps_the_order() -> None:
    qrels = Qrels.from_judgments(JUDGMENTS).subset({"q2", "nothing"})
    assert list(qrels.judgments()) == [JUDGMENTS[1]]


def test_the_digest_is_of_the_judgments_not_of_their_order() -> None:
    digest = Qrels.from_judgments(JUDGMENTS).digest()
    assert digest == Qrels.from_judgments(JUDGMENTS[::-1]).digest()
    for other in (
        JUDGMENTS[:2],
        [JUDGMENTS[0]._replace(grade=2), *JUDGMENTS[1:]],
        [JUDGMENTS[0]._replace(doc_id="b"), *JUDGMENTS[1:]],
        [JUDGMENTS[0]._replace(query_id="q2"), *JUDGMENTS[1:]],
    ):
        assert digest != Qrels.from_judgments(other).digest()


def test_fusion_adds_reciprocal_ranks() -> None:
    one = run_of(q={"a": 9.0, "b": 8.0}, p={"z": 1.0})
    two = run_of(q={"c": 0.3, "a": 0.2, "b": 0.1})
    fused = fuse([one, two])
    assert [h.doc_id for h in fused.hits("q")] == ["a", "b", "c"]
    assert dict(fused.hits("q")) == pytest.approx(
        {"a": 1 / 61 + 1 / 62, "b": 1 / 62 + 1 / 63, "c": 1 / 61}, abs=1e-15
    )
    assert fused.hits("p") == [Hit("z", 1 / 61)]
    weighed = fuse([one, two], k=0, weights=[1.0, 3.0], name="w")
    assert weighed.name == "w"
    assert weighed.hits("q") == [Hit("c", 3.0), Hit("a", 1.0 + 1.5), Hit("b", 0.5 + 1.0)]


@given(st.lists(collections(), min_size=2, max_size=4), st.data())
@settings(CALM, max_examples=40)
def test_fusion_does_not_depend_on_the_order_of_the_runs(
    made: list[Made], data: st.DataObject
) -> None:
    runs = [m.tables()[1] for m in made]
    fused = {row[:2]: row[2] for row in fuse(runs).rows()}
    shuffled = data.draw(st.permutations(runs))
    assert {row[:2]: row[2] for row in fuse(shuffled).rows()} == fused


@pytest.mark.parametrize(
    ("count", "weights", "k"), [(0, None, 60), (1, [1.0, 2.0], 60), (1, None, -1)]
)
def test_fusion_needs_runs_and_as_many_weights(
    count: int, weights: list[float] | None, k: int
) -> None:
    with pytest.raises(ValueError, match="fusion takes"):
        fuse([run_of(q={"a": 1.0})] * count, weights=weights, k=k)
