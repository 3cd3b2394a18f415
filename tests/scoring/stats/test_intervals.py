"""Bootstrap intervals: the same draws give what scipy makes of them."""

from __future__ import annotations

import math
import tracemalloc
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judge.scoring.stats import Interval, Undefined, bootstrap, bootstrap_means, intervals
from judge.scoring.stats.intervals import STUDENT_ABOVE, Method
from tests.oracles.collections import CALM

# Sums of these are exact, so that a resampled mean is equal to the mean for scipy as well.
EXACT = st.lists(st.integers(0, 64).map(lambda i: i / 64), min_size=2, max_size=40)
RESAMPLES = 199


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def scipys(
    values: np.ndarray, seed: int, confidence: float, method: Method, resamples: int
) -> tuple[float, float]:
    """What scipy makes of the resamples that a generator with this seed draws."""
    drawn = generator(seed).integers(0, len(values), (resamples, len(values)))
    means = values[drawn].mean(axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = stats.bootstrap(
            (values,),
            np.mean,
            n_resamples=0,
            confidence_level=confidence,
            method=method,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=means),
        )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


@CALM
@given(
    EXACT,
    st.integers(0, 2**32),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
    st.sampled_from(["percentile", "bca"]),
)
def test_the_same_resamples_give_scipys_interval(
    values: list[float], seed: int, confidence: float, method: Method
) -> None:
    array = np.array(values)
    mine = bootstrap(
        array, rng=generator(seed), confidence=confidence, resamples=RESAMPLES, method=method
    )
    low, high = scipys(array, seed, confidence, method, RESAMPLES)
    if math.isnan(low):
        assert isinstance(mine, Undefined)
    else:
        assert isinstance(mine, Interval)
        assert mine[:2] == pytest.approx((low, high), rel=1e-9, abs=1e-9)
        assert mine.method == method


@pytest.mark.parametrize("method", ["percentile", "bca"])
@given(seed=st.integers(0, 2**32), size=st.integers(20, 200))
@settings(CALM, max_examples=30)
def test_so_do_skewed_values_without_ties(method: Method, seed: int, size: int) -> None:
    # Of fewer values some resample has all once: its mean is the mean, which scipy's sum may miss.
    values = generator(seed).lognormal(size=size)
    mine = bootstrap(values, rng=generator(seed), resamples=999, method=method)
    assert isinstance(mine, Interval)
    assert mine[:2] == pytest.approx(scipys(values, seed, 0.95, method, 999), rel=1e-9)


def test_bca_follows_the_skew() -> None:
    values = generator(4).exponential(size=60)
    plain = bootstrap(values, rng=generator(), resamples=5000)
    bent = bootstrap(values, rng=generator(), resamples=5000, method="bca")
    assert isinstance(plain, Interval)
    assert isinstance(bent, Interval)
    assert bent.low > plain.low
    assert bent.high > plain.high


def test_an_interval_covers_the_true_mean_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(400):
        interval = bootstrap(generator(seed).normal(size=50), rng=generator(seed))
        assert isinstance(interval, Interval)
        covered += interval.low <= 0 <= interval.high
    # 95 %, less what is known of the percentile method for 50 values, within 3 standard errors
    assert 0.90 < covered / 400 < 0.975


def test_columns_share_their_draw() -> None:
    values = generator(7).random((30, 2))
    table = np.column_stack([values[:, 0], 2 * values[:, 0], values[:, 1], 1 - values[:, 1]])
    first, double, other, mirrored = bootstrap_means(table, rng=generator(3))
    alone = bootstrap(values[:, 0], rng=generator(3))
    assert isinstance(first, Interval)
    assert isinstance(alone, Interval)
    assert isinstance(double, Interval)
    assert isinstance(other, Interval)
    assert isinstance(mirrored, Interval)
    assert first[:2] == pytest.approx(alone[:2], rel=1e-12)
    assert double[:2] == pytest.approx((2 * first.low, 2 * first.high), rel=1e-12)
    assert mirrored[:2] == pytest.approx((1 - other.high, 1 - other.low), rel=1e-12)


def test_a_query_without_a_value_is_left_out_of_its_column() -> None:
    values = np.array([0.0, 1.0, np.nan, 0.5, 0.25])
    whole = np.array([0.5, 0.25, 0.75, 1.0, 0.0])
    mine = bootstrap_means(np.column_stack([values, whole]), rng=generator(2), resamples=500)[0]
    means = [np.nanmean(values[draw]) for draw in generator(2).integers(0, 5, (500, 5))]
    assert isinstance(mine, Interval)
    assert mine[:2] == pytest.approx(np.percentile(means, [2.5, 97.5]), rel=1e-12)


def test_a_query_without_any_value_is_not_drawn() -> None:
    values = np.array([0.0, 1.0, 0.5])
    holed = np.array([0.0, np.nan, 1.0, 0.5, np.nan])
    assert bootstrap(holed, rng=generator()) == bootstrap(values, rng=generator())


def test_resamples_without_a_value_are_passed_over() -> None:
    sparse = np.full(40, np.nan)
    sparse[[3, 30]] = [0.25, 0.75]
    full = np.linspace(0, 1, 40)
    interval = bootstrap_means(np.column_stack([sparse, full]), rng=generator())[0]
    assert interval == Interval(0.25, 0.75, "percentile")


def test_blocks_of_resamples_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    table = generator(5).random((20, 3))
    at_once = bootstrap_means(table, rng=generator(), resamples=101)
    for block in (1, 60, 1000):
        monkeypatch.setattr(intervals, "BLOCK", block)
        for mine, whole in zip(
            bootstrap_means(table, rng=generator(), resamples=101), at_once, strict=True
        ):
            assert isinstance(mine, Interval)
            assert isinstance(whole, Interval)
            assert mine[:2] == pytest.approx(whole[:2], rel=1e-12)


def test_memory_does_not_grow_with_the_resamples() -> None:
    table = generator().random((10_000, 9))
    tracemalloc.start()
    try:
        bootstrap_means(table, rng=generator(), resamples=1_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 50_000_000, "all draws at once are 80 MB"


def test_the_same_generator_gives_the_same_bits() -> None:
    table = generator(9).random((50, 4))
    once, twice = (bootstrap_means(table, rng=generator(6), method="bca") for _ in range(2))
    assert once == twice


def test_very_many_queries_take_students_interval() -> None:
    values = generator(8).random(STUDENT_ABOVE + 1)
    few = np.where(np.arange(len(values)) < 50, values, np.nan)
    large, small = bootstrap_means(np.column_stack([values, few]), rng=generator())
    expected = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert isinstance(large, Interval)
    assert isinstance(small, Interval)
    assert large.method == "student"
    assert large[:2] == pytest.approx(expected, rel=1e-9)
    assert small == bootstrap(values[:50], rng=generator())


def test_at_the_border_students_interval_is_the_bootstraps() -> None:
    values = generator(8).exponential(size=STUDENT_ABOVE)
    drawn = bootstrap(values, rng=generator(), resamples=4_000)
    student = bootstrap(np.append(values, values.mean()), rng=generator())
    assert isinstance(drawn, Interval)
    assert isinstance(student, Interval)
    assert (drawn.method, student.method) == ("percentile", "student")
    width = student.high - student.low
    assert abs(drawn.low - student.low) < 0.05 * width
    assert abs(drawn.high - student.high) < 0.05 * width


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("values", [[], [0.5], [np.nan, np.nan], [np.nan, 0.5]])
def test_fewer_than_two_values_have_no_interval(values: list[float], method: Method) -> None:
    said = Undefined("an interval needs values of at least two queries")
    assert bootstrap(values, rng=generator(), method=method) == said


def test_no_column_has_no_interval() -> None:
    assert bootstrap_means(np.zeros((3, 0)), rng=generator()) == []
    assert isinstance(bootstrap_means(np.zeros((0, 1)), rng=generator())[0], Undefined)


def test_equal_values_have_an_interval_without_width_or_none() -> None:
    values = [0.1] * 7
    assert bootstrap(values, rng=generator()) == Interval(0.1, 0.1, "percentile")
    assert bootstrap(values, rng=generator(), method="bca") == Undefined(
        "all values are equal: BCa has nothing to correct"
    )
    assert bootstrap([0.1] * (STUDENT_ABOVE + 1), rng=generator()) == Interval(0.1, 0.1, "student")


def test_one_resample_may_be_too_few() -> None:
    said = Undefined("all resampled means lie on one side of the mean: take more resamples")
    assert bootstrap([0.0, 0.5, 0.9], rng=generator(), resamples=1, method="bca") == said
    sparse = np.full((40, 2), 0.5)
    sparse[2:, 0] = np.nan
    sparse[0] = 0.0
    found = [bootstrap_means(sparse, rng=generator(seed), resamples=1)[0] for seed in range(60)]
    assert Undefined("no resample drew a query that has a value") in found


def test_values_may_be_too_skewed_for_a_wide_interval() -> None:
    values = np.zeros(200)
    values[0] = 1.0
    mine = bootstrap(values, rng=generator(), confidence=1 - 1e-9, method="bca")
    assert mine == Undefined("the values are too skewed for a BCa interval of this confidence")


@pytest.mark.parametrize(
    ("values", "options", "said"),
    [
        ([[0.5, 0.1]], {}, "values must have one dimension, not 2"),
        ([0.5, math.inf], {}, "values must not be infinite"),
        ([0.5, 0.1], {"confidence": 1.0}, "confidence must be above 0 and below 1"),
        ([0.5, 0.1], {"confidence": 95.0}, "confidence must be above 0 and below 1"),
        ([0.5, 0.1], {"resamples": 0}, "resamples must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused(
    values: list[float], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        bootstrap(values, rng=generator(), **options)


def test_a_vector_is_no_table() -> None:
    with pytest.raises(ValueError, match="values must have two dimensions, not 1"):
        bootstrap_means([0.5, 0.1], rng=generator())
