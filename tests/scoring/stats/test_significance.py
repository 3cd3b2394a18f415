"""Paired tests and corrections, against scipy, statsmodels and published examples."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from judge.scoring.stats import (
    Undefined,
    WinTieLoss,
    benjamini_hochberg,
    holm,
    randomisation,
    significance,
    t_test,
    win_tie_loss,
)
from tests.oracles.collections import CALM

# Darwin's maize: heights of fifteen pairs, crossed less self-fertilised, in eighths of an inch,
# with Fisher's test of them (The Design of Experiments, 1935, section 21).
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
TENTHS = st.lists(st.integers(-10, 10).map(lambda i: i / 10), min_size=2, max_size=9)
PS = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_fishers_own_example() -> None:
    test = randomisation(MAIZE, rng=generator(), resamples=2**15)
    assert not isinstance(test, Undefined)
    assert test.p == 1726 / 32768
    assert (test.exact, test.resamples, test.method) == (True, 2**15, "randomisation")
    assert test.statistic == pytest.approx(314 / 15)
    student = t_test(MAIZE)
    assert not isinstance(student, Undefined)
    assert (round(student.statistic, 3), round(student.p, 4)) == (2.148, 0.0497)
    assert student.method == "t"


def test_a_case_for_the_hand() -> None:
    # of the 16 sums of 1, 2, 3 and 4 with signs only +1+4-2-3 and its mirror are nearer to 0 than 2
    test = randomisation([1, 2, 3, -4], rng=generator())
    assert not isinstance(test, Undefined)
    assert (test.p, test.statistic, test.exact, test.resamples) == (14 / 16, 0.5, True, 16)


@CALM
@given(TENTHS)
def test_exact_randomisation_is_scipys(differences: list[float]) -> None:
    values = np.array(differences)
    # Nearer to 0, versions of scipy differ in which sums they call equal.
    assume(values.any() and (abs(values.mean()) > 1e-3))
    expected = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    test = randomisation(values, rng=generator())
    assert not isinstance(test, Undefined)
    assert test.exact
    assert test.p == pytest.approx(expected.pvalue, abs=1e-12)
    assert test.statistic == pytest.approx(expected.statistic, abs=1e-12)


@CALM
@given(st.lists(st.integers(-64, 64).map(lambda i: i / 64), min_size=1, max_size=8))
def test_exact_randomisation_is_the_share_of_all_patterns(differences: list[float]) -> None:
    observed = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    test = randomisation(differences, rng=generator())
    assert not isinstance(test, Undefined)
    assert test.p == sum(s >= observed for s in sums) / len(sums)


def test_it_is_exact_as_long_as_the_patterns_are_no_more_than_the_resamples() -> None:
    moved = np.arange(1.0, 11.0)
    for values in (moved, np.concatenate([moved, np.zeros(500)])):
        exact = randomisation(values, rng=generator(), resamples=1024)
        drawn = randomisation(values, rng=generator(), resamples=1023)
        assert not isinstance(exact, Undefined)
        assert not isinstance(drawn, Undefined)
        assert (exact.exact, exact.resamples) == (True, 1024)
        assert (drawn.exact, drawn.resamples) == (False, 1023)


def test_an_exact_test_leaves_the_generator_alone() -> None:
    rng = generator()
    randomisation([0.1, 0.2], rng=rng)
    assert rng.random() == generator().random()


def test_drawn_patterns_come_near_the_exact_p() -> None:
    values = generator(5).normal(0.3, 1, size=14)
    exact = randomisation(values, rng=generator(), resamples=2**14)
    assert not isinstance(exact, Undefined)
    resamples = 2**14 - 1
    error = math.sqrt(exact.p * (1 - exact.p) / resamples)
    for seed in range(5):
        drawn = randomisation(values, rng=generator(seed), resamples=resamples)
        assert not isinstance(drawn, Undefined)
        assert not drawn.exact
        assert abs(drawn.p - exact.p) < 4 * error


def test_the_observed_pattern_counts_among_the_drawn() -> None:
    # One pattern in 2^39 is as extreme: none is drawn, and p is still not 0.
    test = randomisation(np.ones(40), rng=generator(), resamples=99)
    assert not isinstance(test, Undefined)
    assert test.p == 1 / 100


def test_rounding_does_not_part_equal_sums() -> None:
    # 0.1 + 0.2 - 0.3 is not 0 in floating point, but three tenths are three tenths.
    tenths = randomisation([0.1, 0.2, -0.3, 0.3], rng=generator())
    whole = randomisation([1, 2, -3, 3], rng=generator())
    assert not isinstance(tenths, Undefined)
    assert not isinstance(whole, Undefined)
    assert tenths.p == whole.p
    many = randomisation(np.full(200, 0.1) * ([1, -1] * 100), rng=generator(), resamples=99)
    assert not isinstance(many, Undefined)
    assert many.p == 1


@pytest.mark.parametrize("resamples", [50, 100_000])
@CALM
@given(differences=st.lists(st.floats(-1, 1), min_size=7, max_size=12))
def test_the_order_of_queries_changes_nothing(resamples: int, differences: list[float]) -> None:
    shuffled = sorted(differences)
    once = randomisation(differences, rng=generator(), resamples=resamples)
    assert randomisation(shuffled, rng=generator(), resamples=resamples) == once
    assert t_test(shuffled) == t_test(differences)


def test_turning_the_systems_around_turns_the_statistic() -> None:
    values = generator(3).normal(0.1, 1, size=60)
    there = randomisation(values, rng=generator())
    back = randomisation(-values, rng=generator())
    assert not isinstance(there, Undefined)
    assert back == there._replace(statistic=-there.statistic)


def test_blocks_of_patterns_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    values = generator(3).normal(0.1, 1, size=20)
    # Rows of 20 signs take 3 octets; blocks that end on four octets draw the same stream.
    at_once = randomisation(values, rng=generator(), resamples=4_000)
    monkeypatch.setattr(significance, "BLOCK", 4 * 20)
    assert randomisation(values, rng=generator(), resamples=4_000) == at_once


def test_no_difference_at_all_is_no_evidence() -> None:
    test = randomisation(np.zeros(9), rng=generator())
    assert not isinstance(test, Undefined)
    assert (test.p, test.statistic, test.exact) == (1.0, 0.0, True)
    alone = randomisation([0.4], rng=generator())
    assert not isinstance(alone, Undefined)
    assert (alone.p, alone.resamples) == (1.0, 2)
    assert randomisation([], rng=generator()) == Undefined("a test needs at least one query")


PAIRS = st.lists(
    st.tuples(st.integers(0, 64), st.integers(0, 64)).map(lambda p: (p[0] / 64, p[1] / 64)),
    min_size=2,
    max_size=40,
)


@CALM
@given(PAIRS)
def test_the_t_test_is_scipys(pairs: list[tuple[float, float]]) -> None:
    x, y = np.array(pairs).T
    test = t_test(x - y)
    if len(set((x - y).tolist())) == 1:
        assert isinstance(test, Undefined)
        return
    expected = stats.ttest_rel(x, y)
    assert not isinstance(test, Undefined)
    assert test.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert test.p == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-12)


def test_students_own_example() -> None:
    # Additional hours of sleep, Student 1908; p as in the manual of R's t.test
    test = t_test([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    assert not isinstance(test, Undefined)
    assert (round(test.statistic, 4), round(test.p, 6)) == (4.0621, 0.002833)


@pytest.mark.parametrize("values", [[], [0.5]])
def test_a_t_test_needs_two_queries(values: list[float]) -> None:
    assert t_test(values) == Undefined("a t-test needs at least two queries")


@pytest.mark.parametrize("values", [[0, 0, 0], [0.1, 0.1, 0.1], [0.3 - 0.2, 0.2 - 0.1]])
def test_a_t_test_needs_a_deviation(values: list[float]) -> None:
    said = "all differences are equal: there is no deviation to measure them by"
    assert t_test(values) == Undefined(said)


@pytest.mark.parametrize("values", [[[0.1, 0.2]], [0.1, math.nan], [math.inf, 0.1]])
def test_tests_refuse_what_is_no_vector_of_differences(values: list[float]) -> None:
    with pytest.raises(ValueError, match="differences must"):
        randomisation(values, rng=generator())
    with pytest.raises(ValueError, match="differences must"):
        t_test(values)
    with pytest.raises(ValueError, match="differences must"):
        win_tie_loss(values)


def test_randomisation_needs_resamples() -> None:
    with pytest.raises(ValueError, match="resamples must be at least 1"):
        randomisation([0.1], rng=generator(), resamples=0)


def test_corrections_of_the_example_in_every_manual() -> None:
    ps = [0.01, 0.04, 0.03, 0.005]
    assert holm(ps).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02], abs=1e-15)
    assert benjamini_hochberg(ps).tolist() == pytest.approx([0.02, 0.04, 0.04, 0.02], abs=1e-15)


@given(PS)
@settings(CALM, max_examples=20)
def test_holms_correction_is_that_of_statsmodels(ps: list[float]) -> None:
    assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1], abs=1e-12)


@CALM
@given(PS)
def test_the_false_discovery_rate_is_that_of_scipy_and_statsmodels(ps: list[float]) -> None:
    assert benjamini_hochberg(ps) == pytest.approx(stats.false_discovery_control(ps), abs=1e-12)
    assert benjamini_hochberg(ps) == pytest.approx(multipletests(ps, method="fdr_bh")[1], abs=1e-12)


@CALM
@given(PS)
def test_a_correction_never_lowers_a_p_nor_changes_their_order(ps: list[float]) -> None:
    order = np.argsort(ps, kind="stable")
    for corrected in (holm(ps), benjamini_hochberg(ps)):
        assert (corrected >= np.array(ps) - 1e-15).all()
        assert (np.diff(corrected[order]) >= 0).all()
        assert (corrected <= 1).all()
    assert (holm(ps) >= benjamini_hochberg(ps) - 1e-15).all()


def test_a_family_of_none_or_one_needs_no_correction() -> None:
    for correct in (holm, benjamini_hochberg):
        assert correct([]).tolist() == []
        assert correct([0.2]).tolist() == [0.2]


def test_corrections_do_not_touch_what_they_are_given() -> None:
    ps = np.array([0.01, 0.04, 0.03, 0.005])
    holm(ps)
    benjamini_hochberg(ps)
    assert ps.tolist() == [0.01, 0.04, 0.03, 0.005]


@pytest.mark.parametrize("ps", [[-0.1], [1.1], [math.nan], [[0.5]]])
def test_corrections_refuse_what_is_no_p(ps: list[float]) -> None:
    for correct in (holm, benjamini_hochberg):
        with pytest.raises(ValueError, match="p"):
            correct(ps)


def test_wins_ties_and_losses() -> None:
    assert win_tie_loss([0.2, 0.0, -0.1, 0.05, -0.3]) == WinTieLoss(won=2, tied=1, lost=2)
    assert win_tie_loss([0.2, 0.0, -0.1, 0.05, -0.3], 0.1) == WinTieLoss(won=1, tied=3, lost=1)
    assert win_tie_loss([]) == WinTieLoss(0, 0, 0)
    for tolerance in (-0.1, math.nan):
        with pytest.raises(ValueError, match="tolerance must be at least 0"):
            win_tie_loss([0.1], tolerance)
