"""Running an engine over queries, and catching one that breaks its word."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import EngineError, InputError
from judge.core.model import Hit, Query
from judge.core.tables import Run
from judge.engines.seam import Engine, Setting, best, run_engine

QUERIES = [Query(id="q2", text="two"), Query(id="q1", text="one"), Query(id="q3", text="none")]


class Fixed:
    """Gives what it was told to give, whatever it is asked."""

    name = "fixed"

    def __init__(self, answers: dict[str, list[Hit]]) -> None:
        self.answers = answers

    def search(self, query: Query, k: int) -> list[Hit]:
        return self.answers.get(query.id, [])

    def describe(self) -> dict[str, Setting]:
        return {}


def test_a_run_has_the_engines_name_and_the_queries_in_order() -> None:
    calls: list[tuple[int, int]] = []
    engine = Fixed({"q1": [Hit("a", 2.0)], "q2": [Hit("b", 1.0), Hit("a", 1.0)]})
    assert isinstance(engine, Engine)
    run = run_engine(engine, QUERIES, 2, lambda done, total: calls.append((done, total)))
    assert run.name == "fixed"
    assert list(run.rows()) == [("q2", "b", 1.0), ("q2", "a", 1.0), ("q1", "a", 2.0)]
    assert calls == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("hits", "fault"),
    [
        ([Hit("c", 3.0), Hit("b", 2.0), Hit("a", 1.0)], "gave 3 documents where 2 were asked for"),
        ([Hit("a", 2.0), Hit("a", 1.0)], "gave a document twice"),
        ([Hit("a", math.nan)], "gave a score that is not a finite number"),
        ([Hit("a", math.inf)], "gave a score that is not a finite number"),
        ([Hit("a", 1.0), Hit("b", 2.0)], "did not order its documents by score and id"),
        ([Hit("a", 1.0), Hit("b", 1.0)], "did not order its documents by score and id"),
    ],
)
def test_a_broken_promise_is_named(hits: list[Hit], fault: str) -> None:
    with pytest.raises(EngineError, match=rf'engine "fixed" {fault} \(query "q1"\)'):
        run_engine(Fixed({"q1": hits}), QUERIES, 2)


@pytest.mark.parametrize("k", [0, -1])
def test_a_run_of_nothing_is_refused(k: int) -> None:
    with pytest.raises(InputError, match=r"k: .* documents for each query"):
        run_engine(Fixed({}), QUERIES, k)


hits = st.lists(
    st.builds(Hit, st.text(min_size=1, max_size=3), st.sampled_from([1.0, 2.0, 0.5])),
    unique_by=lambda hit: hit.doc_id,
    max_size=12,
)


@given(hits=hits, k=st.integers(min_value=-1, max_value=15))
def test_the_best_stand_as_a_run_orders_them(hits: list[Hit], k: int) -> None:
    # Two parts of the project settle ties; they must never come apart.
    assert best(hits, k) == Run.from_hits("x", {"q": hits}).hits("q", max(k, 0))
