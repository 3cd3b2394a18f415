"""Agreement of annotators against four packages and the examples of its authors."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from irrCAC.raw import CAC
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from judge.scoring.stats import (
    Undefined,
    alpha,
    confusion,
    fleiss,
    gwet,
    kappa,
    raw_agreement,
)
from judge.scoring.stats.agreement import Level, Weights
from tests.oracles.collections import CALM

GRADES = [0, 1, 2, 3]
NAN = np.nan
NO_PAIR = Undefined("no item was graded by two annotators")
ONE_GRADE = Undefined("only one grade was used: chance alone would agree as well")
ONE_ON_SCALE = Undefined("the scale has one grade")

SHAPES = st.tuples(st.integers(2, 5), st.integers(2, 15))
FULL = arrays(np.float64, SHAPES, elements=st.sampled_from([0.0, 1.0, 2.0, 3.0]))
HOLED = arrays(np.float64, SHAPES, elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.0]))
PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
WEIGHTS: list[Weights] = ["none", "linear", "quadratic", "ordinal"]
LEVELS: list[Level] = ["nominal", "ordinal", "interval"]

# Krippendorff 2011, section C: four observers, twelve units, five values.
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]
# The table of counts by which Fleiss' kappa is explained everywhere: 10 items, 14 annotators.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def irrcac(ratings: np.ndarray, weights: Weights) -> CAC:
    name = "identity" if weights == "none" else weights
    grades = [float(grade) for grade in GRADES]
    return CAC(pd.DataFrame(ratings.T), weights=name, categories=grades, digits=15)


def estimate(answer: dict[str, Any]) -> float:
    return float(answer["est"]["coefficient_value"])


def has_pair(ratings: np.ndarray) -> bool:
    return bool(((~np.isnan(ratings)).sum(axis=0) >= 2).any())


def test_a_confusion_table_by_hand() -> None:
    table = confusion([0, 0, 1, 3, 3, NAN], [0, 1, 1, 3, NAN, 2], grades=GRADES)
    assert table.tolist() == [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]


@CALM
@given(PAIRS)
def test_a_confusion_table_counts_every_pair(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    table = confusion(x, y, grades=GRADES)
    assert table.sum() == len(pairs)
    assert all(table[i, j] == pairs.count((i, j)) for i in GRADES for j in GRADES)
    assert (confusion(y, x, grades=GRADES) == table.T).all()


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@CALM
@given(PAIRS)
def test_kappa_is_scikit_learns_with_the_full_scale(
    weights: Weights, pairs: list[tuple[int, int]]
) -> None:
    x, y = zip(*pairs, strict=True)
    mine = kappa(x, y, grades=GRADES, weights=weights)
    if len(set(x) | set(y)) == 1:
        assert mine == ONE_GRADE
        return
    expected = cohen_kappa_score(
        x, y, labels=GRADES, weights=None if weights == "none" else weights
    )
    assert mine == pytest.approx(expected, abs=1e-9)


def test_kappa_of_checked_values() -> None:
    x, y = [0, 1, 2, 3, 3, 2, 1, 0, 2, 3], [0, 1, 1, 3, 2, 2, 1, 1, 2, 3]
    assert kappa(x, y, grades=GRADES) == pytest.approx(0.6)
    assert kappa(x, y, grades=GRADES, weights="linear") == pytest.approx(0.736842, abs=5e-7)
    assert kappa(x, y, grades=GRADES, weights="quadratic") == pytest.approx(0.854369, abs=5e-7)


def test_a_grade_that_nobody_used_changes_weighted_kappa() -> None:
    x, y = [0, 3, 3, 1], [0, 3, 1, 1]
    assert kappa(x, y, grades=GRADES, weights="linear") == pytest.approx(0.636364, abs=5e-7)
    assert kappa(x, y, grades=[0, 1, 3], weights="linear") == pytest.approx(0.714286, abs=5e-7)
    assert kappa(x, y, grades=GRADES) == pytest.approx(kappa(x, y, grades=[0, 1, 3]))


def test_kappa_leaves_out_what_one_did_not_grade() -> None:
    assert kappa([0, 0, 1, 1, 2], [0, 1, 1, 1, NAN], grades=GRADES) == kappa(
        [0, 0, 1, 1], [0, 1, 1, 1], grades=GRADES
    )


def test_ordinal_kappa_by_hand() -> None:
    # Costs of 1, 2, 3 steps on four grades: 1/6, 3/6, 6/6. Seen: (0 + 1 + 6 + 0) / 6. By chance,
    # x and y both use 0 and 3 and 1 and 3: counts 0 0 1 3 against 0 1 3 3.
    x, y = [0, 0, 3, 1], [0, 1, 0, 1]
    # rows 0: 2, 1: 1, 3: 1; columns 0: 2, 1: 2; expected (2*2*1 + 1*2*1 + 1*2*6 + 1*2*3) / 6 / 4
    assert kappa(x, y, grades=GRADES, weights="ordinal") == pytest.approx(1 - (7 / 6) / (24 / 24))


@pytest.mark.parametrize("weights", WEIGHTS)
def test_kappa_needs_two_grades_and_a_pair(weights: Weights) -> None:
    assert kappa([1, 1, 1], [1, 1, 1], grades=GRADES, weights=weights) == ONE_GRADE
    assert kappa([], [], grades=GRADES, weights=weights) == NO_PAIR
    assert kappa([1, NAN], [NAN, 2], grades=GRADES, weights=weights) == NO_PAIR
    assert kappa([1, 1], [1, 1], grades=[1], weights=weights) == ONE_ON_SCALE


def test_kappa_of_opposites_is_minus_one() -> None:
    assert kappa([0, 0, 3, 3], [3, 3, 0, 0], grades=GRADES, weights="quadratic") == -1


@pytest.mark.parametrize("weights", WEIGHTS)
@CALM
@given(HOLED)
def test_gwet_and_raw_agreement_are_irrcacs(weights: Weights, ratings: np.ndarray) -> None:
    mine = gwet(ratings, grades=GRADES, weights=weights)
    if not has_pair(ratings):
        assert mine == NO_PAIR
        assert raw_agreement(ratings, grades=GRADES, weights=weights) == NO_PAIR
        return
    assume((~np.isnan(ratings)).any(axis=0).sum() >= 2)
    theirs = irrcac(ratings, weights).gwet()
    assert mine == pytest.approx(estimate(theirs), abs=1e-9)
    observed = raw_agreement(ratings, grades=GRADES, weights=weights)
    assert observed == pytest.approx(theirs["est"]["pa"], abs=1e-9)


def test_gwet_of_his_paradox() -> None:
    # Gwet 2002: of 125 items 118 are positive to both, 5 and 2 to one, none is negative to both.
    x, y = [1] * 123 + [0] * 2, [1] * 118 + [0] * 5 + [1] * 2
    assert raw_agreement([x, y], grades=[0, 1]) == pytest.approx(0.944)
    assert kappa(x, y, grades=[0, 1]) == pytest.approx(-0.0234, abs=5e-5)
    chance = 2 * Fraction(243, 250) * Fraction(7, 250)
    expected = (Fraction(118, 125) - chance) / (1 - chance)
    assert gwet([x, y], grades=[0, 1]) == pytest.approx(float(expected))
    assert round(float(expected), 4) == 0.9408


def test_gwet_of_his_handbook() -> None:
    # Gwet 2014: twelve subjects, four raters, five categories, some missing.
    ratings = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, NAN],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
    assert gwet(ratings, grades=[1, 2, 3, 4, 5]) == pytest.approx(0.77544, abs=5e-6)
    assert fleiss(ratings) == pytest.approx(0.76117, abs=5e-6)
    assert raw_agreement(ratings, grades=[1, 2, 3, 4, 5]) == pytest.approx(0.81818, abs=5e-6)


def test_a_grade_that_nobody_used_changes_gwet() -> None:
    # p_a 3/4, pi 3/8 and 5/8, sum of pi (1 - pi) 30/64; q = 2: p_e 30/64, q = 4: p_e 30/64 / 3
    ratings = [[0, 0, 1, 1], [0, 1, 1, 1]]
    assert gwet(ratings, grades=[0, 1]) == pytest.approx((48 - 30) / (64 - 30))
    assert gwet(ratings, grades=GRADES) == pytest.approx((48 - 10) / (64 - 10))


def test_gwet_is_defined_where_one_grade_rules() -> None:
    assert gwet([[1, 1], [1, 1]], grades=GRADES) == 1
    assert gwet([[1, NAN], [NAN, 2]], grades=GRADES) == NO_PAIR
    assert gwet(np.zeros((2, 0)), grades=GRADES) == NO_PAIR
    assert gwet([[1, 1], [1, 1]], grades=[1]) == ONE_ON_SCALE
    assert raw_agreement([[1, 1], [1, 1]], grades=[1]) == ONE_ON_SCALE


@CALM
@given(FULL)
def test_fleiss_is_statsmodels(ratings: np.ndarray) -> None:
    mine = fleiss(ratings)
    if len(np.unique(ratings)) == 1:
        assert mine == ONE_GRADE
        return
    counts, _ = aggregate_raters(ratings.T.astype(int))
    assert mine == pytest.approx(fleiss_kappa(counts), abs=1e-9)


@CALM
@given(HOLED)
def test_fleiss_with_missing_grades_is_irrcacs(ratings: np.ndarray) -> None:
    assume(has_pair(ratings) and (~np.isnan(ratings)).any(axis=0).sum() >= 2)
    assume(len(np.unique(ratings[~np.isnan(ratings)])) > 1)
    expected = estimate(irrcac(ratings, "none").fleiss())
    assert fleiss(ratings) == pytest.approx(expected, abs=1e-9)


def test_fleiss_of_the_table_of_ten_by_five() -> None:
    ratings = np.array([np.repeat(np.arange(5), counts) for counts in FLEISS]).T
    assert fleiss(ratings) == pytest.approx(0.209931, abs=5e-7)


def test_fleiss_needs_two_grades_and_a_pair() -> None:
    assert fleiss([[1, 1, 1], [1, 1, 1]]) == ONE_GRADE
    assert fleiss([[1, NAN], [NAN, 2]]) == NO_PAIR
    assert fleiss([[1, 2, 3]]) == NO_PAIR
    assert fleiss(np.zeros((0, 0))) == NO_PAIR


@pytest.mark.parametrize("level", LEVELS)
@CALM
@given(HOLED)
def test_alpha_is_that_of_krippendorff(level: Level, ratings: np.ndarray) -> None:
    mine = alpha(ratings, level=level)
    paired = ratings[:, (~np.isnan(ratings)).sum(axis=0) >= 2]
    if not has_pair(ratings):
        assert mine == NO_PAIR
    elif len(np.unique(paired[~np.isnan(paired)])) == 1:
        assert mine == ONE_GRADE
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = krippendorff.alpha(paired, level_of_measurement=level)
        assert mine == pytest.approx(expected, abs=1e-9)


def test_alpha_of_krippendorffs_example() -> None:
    found = [alpha(KRIPPENDORFF, level=level) for level in LEVELS]
    assert found == pytest.approx([0.743421, 0.815388, 0.849107], abs=5e-7)


def test_alpha_of_two_by_hand() -> None:
    # grades 0 0, 1 1, 2 1: n = 2 3 1. Middles 1, 3.5, 5.5: squares 6.25, 4 and 20.25.
    ratings = [[0, 1, 2], [0, 1, 1]]
    ordinal = 2 * (6 * 6.25 + 3 * 4 + 2 * 20.25) / 5
    assert alpha(ratings, level="ordinal") == pytest.approx(1 - 8 / ordinal)
    assert alpha(ratings, level="nominal") == pytest.approx(1 - 2 / (2 * (6 + 3 + 2) / 5))
    assert alpha(ratings, level="interval") == pytest.approx(1 - 2 / (2 * (6 + 3 + 8) / 5))


def test_alpha_needs_two_grades_and_a_pair() -> None:
    for level in LEVELS:
        assert alpha([[1, 1, 1], [1, 1, 1]], level=level) == ONE_GRADE
        assert alpha([[1.0, 1.0, 2.0], [1.0, 1.0, NAN]], level=level) == ONE_GRADE
        assert alpha([[1, NAN], [NAN, 2]], level=level) == NO_PAIR
        assert alpha([[NAN, NAN], [NAN, NAN]], level=level) == NO_PAIR
        assert alpha([[1, 2, 3]], level=level) == NO_PAIR
        assert alpha(np.zeros((2, 0)), level=level) == NO_PAIR


@CALM
@given(HOLED, st.integers(0, 2**32))
def test_nobody_is_first_and_no_item_is(ratings: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    other = rng.permutation(rng.permutation(ratings, axis=0), axis=1)
    for level in LEVELS:
        assert_same(alpha(other, level=level), alpha(ratings, level=level))
    for weights in WEIGHTS:
        assert_same(
            gwet(other, grades=GRADES, weights=weights),
            gwet(ratings, grades=GRADES, weights=weights),
        )
    assert_same(fleiss(other), fleiss(ratings))


def assert_same(one: float | Undefined, other: float | Undefined) -> None:
    if isinstance(other, Undefined):
        assert one == other
    else:
        assert one == pytest.approx(other, abs=1e-12)


@CALM
@given(FULL)
def test_full_agreement_is_one(ratings: np.ndarray) -> None:
    agreed = np.tile(ratings[0], (3, 1))
    assume(len(np.unique(agreed)) > 1)
    assert fleiss(agreed) == pytest.approx(1)
    for level in LEVELS:
        assert alpha(agreed, level=level) == 1
    for weights in WEIGHTS:
        assert gwet(agreed, grades=GRADES, weights=weights) == pytest.approx(1)
        assert kappa(agreed[0], agreed[1], grades=GRADES, weights=weights) == 1


def test_a_grade_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match=r"4 is not one of the grades \[0.0, 1.0, 2.0, 3.0\]"):
        kappa([0, 4], [0, 1], grades=GRADES)
    with pytest.raises(ValueError, match=r"1.5 is not one of the grades"):
        gwet([[0.0, 1.5], [0.0, 1.0]], grades=GRADES)


@pytest.mark.parametrize("grades", [[], [1, 0], [0, 0, 1]])
def test_a_scale_ascends(grades: list[int]) -> None:
    with pytest.raises(ValueError, match="ascending order"):
        gwet([[0, 1], [0, 1]], grades=grades)
    with pytest.raises(ValueError, match="ascending order"):
        kappa([0, 1], [0, 1], grades=grades)


def test_annotators_of_other_items_are_refused() -> None:
    with pytest.raises(ValueError, match="one dimension and one length"):
        kappa([0, 1], [0, 1, 2], grades=GRADES)
    with pytest.raises(ValueError, match="one dimension and one length"):
        confusion([[0, 1]], [[0, 1]], grades=GRADES)


@pytest.mark.parametrize(
    ("ratings", "said"),
    [(np.zeros(2), "two dimensions, not 1"), (np.full((2, 2), np.inf), "must not be infinite")],
)
def test_ratings_are_a_table_of_numbers(ratings: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        fleiss(ratings)
    with pytest.raises(ValueError, match=said):
        alpha(ratings, level="nominal")
    with pytest.raises(ValueError, match=said):
        gwet(ratings, grades=GRADES)
    with pytest.raises(ValueError, match=said):
        raw_agreement(ratings, grades=GRADES)


def test_an_unknown_level_or_weight_is_refused() -> None:
    unknown: Any = "ratio"
    with pytest.raises(ValueError, match="level must be nominal, ordinal or interval"):
        alpha([[0, 1], [0, 1]], level=unknown)
    with pytest.raises(ValueError, match="weights must be none, linear, quadratic or ordinal"):
        kappa([0, 1], [0, 1], grades=GRADES, weights=unknown)
