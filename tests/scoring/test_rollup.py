"""Chunks count as their parents, in runs and in qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.arrow import Strings
from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.rollup import rolled_up_qrels, rolled_up_run
from tests.oracles.collections import CALM, Made, collections

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

Number = TypeVar("Number", int, float)
PARENTS = {"a1": "a", "a2": "a", "b1": "b", "q9": "z"}


@st.composite
def with_parents(draw: st.DrawFn) -> tuple[Made, dict[str, str]]:
    """A collection, and parents that are new documents, or others of it, or the chunk itself."""
    made = draw(collections())
    documents = sorted(set().union(*made.qrels.values(), *made.run.values()))
    whole = [*documents, "whole", "本"]
    return made, draw(st.dictionaries(st.sampled_from(documents), st.sampled_from(whole)))


def best(table: Mapping[str, Number], parents: Mapping[str, str]) -> dict[str, Number]:
    """What each document has once chunks count as their parents: the most of any of them."""
    rolled: dict[str, Number] = {}
    for doc, value in table.items():
        whole = parents.get(doc, doc)
        rolled[whole] = max(rolled.get(whole, value), value)
    return rolled


def run_as_dict(run: Run) -> dict[str, dict[str, float]]:
    return {query: dict(run.hits(query)) for query in run.query_ids}


def qrels_as_dict(qrels: Qrels) -> dict[str, dict[str, int]]:
    return {query: qrels.grades(query) for query in qrels.query_ids}


def constant(strings: Strings) -> NDArray[np.uint64]:
    return np.zeros(len(strings), np.uint64)


def by_length(strings: Strings) -> NDArray[np.uint64]:
    return np.diff(strings.offsets).astype(np.uint64)


def test_a_parent_has_the_score_of_its_best_chunk() -> None:
    run = Run.from_hits(
        "mine",
        {
            "q2": [Hit("a1", 1.0), Hit("x", 2.0), Hit("a2", 3.0), Hit("b1", 2.0)],
            "q1": [Hit("a", 5.0), Hit("a1", 4.0)],
        },
    )
    rolled = rolled_up_run(run.noted("odd"), PARENTS)
    # b1 and x are tied at 2: as b and x they stand with the greater id first.
    assert rolled.hits("q2") == [Hit("a", 3.0), Hit("x", 2.0), Hit("b", 2.0)]
    assert rolled.hits("q1") == [Hit("a", 5.0)]
    assert (rolled.name, rolled.query_ids) == ("mine", ["q2", "q1"])
    assert rolled.notes == (
        "odd",
        "4 of 6 ranked documents are of chunks and stand for their parents; merged, 4 remain",
    )
    assert run.hits("q1") == [Hit("a", 5.0), Hit("a1", 4.0)]


def test_a_parent_has_the_highest_grade_of_its_chunks() -> None:
    qrels = Qrels.from_judgments(
        [
            Judgment("q1", "a1", 1),
            Judgment("q2", "a1", -1),
            Judgment("q1", "x", 2),
            Judgment("q1", "a2", 3),
            Judgment("q2", "a2", 0),
            Judgment("q2", "b1", -2),
            Judgment("q2", "b", -1),
        ]
    )
    rolled = rolled_up_qrels(qrels, PARENTS)
    # Only where nothing else was said of b it stays below 0, with the highest that there is.
    assert qrels_as_dict(rolled) == {"q1": {"a": 3, "x": 2}, "q2": {"a": 0, "b": -1}}
    assert rolled.query_ids == ["q1", "q2"]
    assert rolled.notes == (
        "5 of 7 judgments are of chunks and stand for their parents; merged, 4 remain",
    )
    assert len(qrels) == 7


def test_one_level_is_followed() -> None:
    chain = {"a": "b", "b": "c"}
    run = Run.from_hits("r", {"q": [Hit("a", 2.0), Hit("b", 1.0)]})
    assert rolled_up_run(run, chain).hits("q") == [Hit("b", 2.0), Hit("c", 1.0)]
    circle = {"a": "b", "b": "a", "c": "c"}
    qrels = Qrels.from_judgments([Judgment("q", d, g) for d, g in (("a", 1), ("b", 2), ("c", 3))])
    assert rolled_up_qrels(qrels, circle).grades("q") == {"b": 1, "a": 2, "c": 3}


def test_without_chunks_nothing_changes() -> None:
    run = Run.from_hits("r", {"q": [Hit("a", 2.0)]})
    assert run_as_dict(rolled_up_run(run, {})) == {"q": {"a": 2.0}}
    assert rolled_up_run(run, PARENTS).notes[0].startswith("0 of 1 ranked documents are of chunks")
    assert len(rolled_up_run(Run.from_hits("r", {}), PARENTS)) == 0
    assert len(rolled_up_qrels(Qrels.from_judgments([]), PARENTS)) == 0


@given(with_parents(), st.integers(0, 9))
@CALM
def test_any_collection_is_rolled_up_by_the_rule(
    given: tuple[Made, dict[str, str]], seed: int
) -> None:
    made, parents = given
    qrels, run = made.tables(np.random.default_rng(seed))
    rolled = rolled_up_qrels(qrels, parents)
    assert qrels_as_dict(rolled) == {q: best(table, parents) for q, table in made.qrels.items()}
    found = rolled_up_run(run, parents)
    assert run_as_dict(found) == {q: best(table, parents) for q, table in made.run.items()}
    assert (found.query_ids, rolled.query_ids) == (run.query_ids, qrels.query_ids)


@given(with_parents())
@CALM
def test_whole_documents_are_not_rolled_up_again(given: tuple[Made, dict[str, str]]) -> None:
    made, parents = given
    flat = {chunk: whole for chunk, whole in parents.items() if parents.get(whole, whole) == whole}
    qrels, run = made.tables()
    once = rolled_up_run(run, flat)
    assert run_as_dict(rolled_up_run(once, flat)) == run_as_dict(once)
    graded = rolled_up_qrels(qrels, flat)
    assert rolled_up_qrels(graded, flat).digest() == graded.digest()


@pytest.mark.parametrize("prints", [constant, by_length])
@given(made=with_parents())
@CALM
def test_colliding_fingerprints_change_nothing(
    prints: object, made: tuple[Made, dict[str, str]]
) -> None:
    collection, parents = made
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Strings, "fingerprints", prints)
        qrels, run = collection.tables()
        found = run_as_dict(rolled_up_run(run, parents))
        graded = qrels_as_dict(rolled_up_qrels(qrels, parents))
    assert found == {q: best(table, parents) for q, table in collection.run.items()}
    assert graded == {q: best(table, parents) for q, table in collection.qrels.items()}
