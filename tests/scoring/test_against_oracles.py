"""Every value that `score` gives, against plain definitions and against pytrec_eval."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, score
from tests.oracles import measures as slow
from tests.oracles import pytrec
from tests.oracles.collections import CALM, Made, collections, random_collection

if TYPE_CHECKING:
    from typing import Any

    from judge.core.tables import Ties
    from judge.scoring.score import Unjudged

NAMES = sorted(slow.FORMULAS)
NOT_THEIRS = ("exp-log2", "DCG", "ERR", "RBP", "R_cap", "Judged")
THEIRS = [name for name in NAMES if not any(part in name for part in NOT_THEIRS)]
THEIRS += [name for name in NAMES if name.startswith("nDCG") and "exp-log2" not in name]
TIES: list[Ties] = ["trec", "trec9"]
UNJUDGED: list[Unjudged] = ["zero", "condense", "scenario"]


def ours(
    made: Made, names: list[str], options: ScoreOptions, seed: int | None = None
) -> dict[str, dict[str, float | None]]:
    """Values by measure and query; no value is None. Every collection passes for a sample."""
    rng = None if seed is None else np.random.default_rng(seed)
    qrels, run = made.tables(rng)
    measures = [parse_measure(name) for name in names]
    found = score(qrels, run, measures, replace(options, sampled=True))
    assert list(found.values) == names
    columns = found.values if found.scenario is None else {**found.values, **found.scenario}
    return {
        name: {
            q: None if math.isnan(value) else value
            for q, value in zip(found.query_ids, values.tolist(), strict=True)
        }
        for name, values in columns.items()
    }


def furthest(
    one: dict[str, dict[str, float | None]], other: dict[str, dict[str, Any]]
) -> tuple[float, int]:
    """The largest difference of two sets of values, and how many there are."""
    largest, count = 0.0, 0
    assert set(one) == set(other)
    for name, values in one.items():
        assert set(values) == set(other[name])
        for query, value in values.items():
            expected = other[name][query]
            assert (value is None) == (expected is None), (name, query, value, expected)
            if value is not None:
                largest = max(largest, abs(value - expected))
            count += 1
    return largest, count


@given(collections(), st.sampled_from(TIES), st.sampled_from(UNJUDGED), st.integers(0, 9))
@settings(CALM, max_examples=150)
def test_equal_to_the_plain_definitions(
    made: Made, ties: Ties, unjudged: Unjudged, seed: int
) -> None:
    values = ours(made, NAMES, ScoreOptions(ties=ties, unjudged=unjudged), seed)
    expected = {
        name: slow.scores(made.qrels, made.run, name, ties=ties, unjudged=unjudged)
        for name in NAMES
    }
    assert furthest(values, expected)[0] <= 1e-12


class Tally:
    """How many values were compared, over all examples of a property."""

    def __init__(self) -> None:
        self.values = 0


def test_equal_to_pytrec_eval() -> None:
    tally = Tally()

    @given(collections(), st.integers(0, 9))
    @settings(CALM, max_examples=500)
    def every(made: Made, seed: int) -> None:
        values = ours(made, THEIRS, ScoreOptions(ties="trec9"), seed)
        largest, count = furthest(values, pytrec.scores(made.qrels, made.run, THEIRS))
        assert largest <= 1e-9
        tally.values += count

    every()
    assert tally.values >= 20_000


@pytest.mark.parametrize("seed", range(6))
def test_equal_to_both_on_larger_collections(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = random_collection(rng, queries=30, documents=int(rng.integers(20, 400)))
    values = ours(made, THEIRS, ScoreOptions(ties="trec9"), seed)
    largest, count = furthest(values, pytrec.scores(made.qrels, made.run, THEIRS))
    assert largest <= 1e-9
    assert count > 500
    for ties in TIES:
        for unjudged in UNJUDGED:
            options = ScoreOptions(ties=ties, unjudged=unjudged)
            expected = {
                name: slow.scores(made.qrels, made.run, name, ties=ties, unjudged=unjudged)
                for name in NAMES
            }
            assert furthest(ours(made, NAMES, options, seed), expected)[0] <= 1e-12
