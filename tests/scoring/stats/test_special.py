"""The distribution functions against scipy and against tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special, stats

from judge.scoring.stats.special import (
    incomplete_beta,
    normal_cdf,
    normal_quantile,
    student_critical,
    student_two_sided,
)
from tests.oracles.collections import CALM

# The exponent of a number that may be small, large or in between.
POWERS = st.floats(-2, 6)
PROBABILITIES = st.floats(1e-6, 1 - 1e-6)


@CALM
@given(st.floats(-37, 9))
def test_the_normal_distribution_is_scipys(z: float) -> None:
    assert normal_cdf(z) == pytest.approx(special.ndtr(z), rel=1e-12, abs=1e-300)


@CALM
@given(st.floats(1e-300, 1 - 1e-16))
def test_the_normal_quantile_is_scipys(p: float) -> None:
    assert normal_quantile(p) == pytest.approx(special.ndtri(p), rel=1e-12, abs=1e-15)


def test_the_normal_quantile_has_ends() -> None:
    assert normal_quantile(0.0) == -math.inf
    assert normal_quantile(1.0) == math.inf
    for p in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="p must be from 0 to 1"):
            normal_quantile(p)


@CALM
@given(POWERS, st.floats(-2, 1.7), PROBABILITIES, st.booleans())
def test_the_incomplete_beta_function_is_scipys(
    power_a: float, power_b: float, p: float, swapped: bool
) -> None:
    a, b = 10**power_a, 10**power_b
    if swapped:
        a, b = b, a
    x = float(special.betaincinv(a, b, p))
    assume(1e-290 < x < 1)
    assert incomplete_beta(a, b, x, 1 - x) == pytest.approx(special.betainc(a, b, x), abs=1e-12)


def test_the_incomplete_beta_function_of_small_whole_numbers() -> None:
    # I_x(a, 1) = x^a, I_x(1, b) = 1 - (1 - x)^b, I_x(2, 2) = 3x^2 - 2x^3
    assert incomplete_beta(3, 1, 0.5, 0.5) == pytest.approx(1 / 8, rel=1e-14)
    assert incomplete_beta(1, 4, 0.25, 0.75) == pytest.approx(1 - 0.75**4, rel=1e-14)
    assert incomplete_beta(2, 2, 0.25, 0.75) == pytest.approx(3 / 16 - 2 / 64, rel=1e-14)
    assert incomplete_beta(2, 2, 0.0, 1.0) == 0
    assert incomplete_beta(2, 2, 1.0, 0.0) == 1


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 0), (-1, 2), (math.nan, 1)])
def test_the_incomplete_beta_function_needs_positive_numbers(a: float, b: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        incomplete_beta(a, b, 0.5, 0.5)


@CALM
@given(st.floats(-40, 40), st.integers(1, 2_000_000))
def test_students_distribution_is_scipys(t: float, freedom: int) -> None:
    # Nearer to 0 scipy itself is off in the eleventh digit, as Cauchy's closed form shows.
    assume(abs(t) > 1e-3)
    expected = 2 * stats.t.sf(abs(t), freedom)
    assert student_two_sided(t, freedom) == pytest.approx(expected, rel=1e-11, abs=1e-300)
    assert student_two_sided(t, freedom) == pytest.approx(expected, rel=0, abs=1e-12)


def test_students_distribution_where_it_is_known() -> None:
    # With one degree of freedom it is Cauchy's: P(|T| > t) = 1 - 2 atan(t) / pi.
    assert student_two_sided(1e-6, 1) == pytest.approx(1 - 2 * math.atan(1e-6) / math.pi, abs=1e-15)
    assert student_two_sided(0.0, 5) == 1
    assert student_two_sided(1.0, 1) == pytest.approx(0.5, rel=1e-14)
    assert student_two_sided(-3.0, 1) == pytest.approx(1 - 2 * math.atan(3) / math.pi, rel=1e-13)
    assert student_two_sided(2.732520, 7) == pytest.approx(0.029232, abs=5e-7)
    assert student_two_sided(1e200, 3) == 0
    assert student_two_sided(1e-200, 3) == 1


@CALM
@given(PROBABILITIES, st.integers(1, 100_000))
def test_the_critical_t_is_scipys(alpha: float, freedom: int) -> None:
    expected = stats.t.isf(alpha / 2, freedom)
    assert student_critical(alpha, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_the_critical_t_of_the_tables() -> None:
    tabled = {1: 12.706, 2: 4.303, 9: 2.262, 30: 2.042, 120: 1.980}
    assert {v: round(student_critical(0.05, v), 3) for v in tabled} == tabled


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.5, math.nan])
def test_the_critical_t_needs_a_probability(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha must be above 0 and below 1"):
        student_critical(alpha, 5)


def test_students_distribution_does_not_tire() -> None:
    many = [student_two_sided(t, 1e9) for t in np.linspace(0, 6, 50)]
    normal = [2 * normal_cdf(-t) for t in np.linspace(0, 6, 50)]
    assert many == pytest.approx(normal, rel=1e-6)
