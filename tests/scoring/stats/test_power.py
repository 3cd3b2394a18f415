"""How many queries are needed: against the exact power of a t-test and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from judge.scoring.stats import Undefined, queries_needed
from tests.oracles.collections import CALM

EQUAL = "all differences are equal: they say nothing about the deviation"


def with_deviation(deviation: float) -> np.ndarray:
    """Two differences whose sample deviation this is."""
    return np.array([1.0, -1.0]) * deviation / math.sqrt(2)


def test_by_hand() -> None:
    # (1.959964 + 0.841621)^2 = 7.848879; with s = 0.2 and 0.05 times 16; 1.959964^2 / 2 = 1.920729
    assert queries_needed(with_deviation(0.2), detect=0.05) == math.ceil(125.582 + 1.921)
    # 90 %: (1.959964 + 1.281552)^2 = 10.507420
    assert queries_needed(with_deviation(0.2), detect=0.05, power=0.9) == math.ceil(168.119 + 1.921)


@CALM
@given(
    st.floats(0.02, 1.5),
    st.sampled_from([0.8, 0.9, 0.95]),
    st.sampled_from([0.01, 0.05, 0.1]),
)
def test_the_exact_power_of_a_t_test_needs_as_many(
    effect: float, power: float, alpha: float
) -> None:
    mine = queries_needed(with_deviation(1.0), detect=effect, power=power, alpha=alpha)
    assert isinstance(mine, int)
    assume(mine >= 8)
    exact = TTestPower().solve_power(effect, alpha=alpha, power=power, alternative="two-sided")
    # The exact one also counts tests that find a difference on the wrong side.
    assert abs(mine - exact) <= 1 + 1e-4 * exact


def test_half_the_difference_needs_four_times_the_queries() -> None:
    differences = np.random.default_rng(1).normal(0.01, 0.2, size=80)
    coarse = queries_needed(differences, detect=0.02)
    fine = queries_needed(differences, detect=0.01)
    assert isinstance(coarse, int)
    assert isinstance(fine, int)
    assert fine / coarse == pytest.approx(4, rel=0.02)


def test_the_mean_difference_at_hand_does_not_matter() -> None:
    differences = np.random.default_rng(1).normal(size=30)
    assert queries_needed(differences + 5, detect=0.1) == queries_needed(differences, detect=0.1)


def test_there_are_always_two() -> None:
    assert queries_needed([0.0, 1e-6], detect=0.5) == 2


def test_too_little_says_nothing() -> None:
    few = Undefined("the deviation of a difference needs at least two queries")
    assert queries_needed([], detect=0.02) == few
    assert queries_needed([0.1], detect=0.02) == few
    assert queries_needed([0.0, 0.0, 0.0], detect=0.02) == Undefined(EQUAL)
    assert queries_needed([0.3 - 0.2, 0.2 - 0.1], detect=0.02) == Undefined(EQUAL)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"detect": 0.0}, "detect must be above 0"),
        ({"detect": -0.02}, "detect must be above 0"),
        ({"detect": math.nan}, "detect must be above 0"),
        ({"detect": 0.02, "power": 1.0}, "power in"),
        ({"detect": 0.02, "power": 0.01}, "power in"),
        ({"detect": 0.02, "alpha": 0.0}, "alpha must be in"),
        ({"detect": 0.02, "alpha": 5.0}, "alpha must be in"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        queries_needed([0.1, 0.2], **options)
