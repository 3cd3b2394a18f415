"""Rank correlations against scipy, a definition spelled out, and published figures."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from judge.scoring.stats import Undefined, tau_ap, tau_b
from tests.oracles.collections import CALM

Correlation = Callable[[list[float], list[float]], float | Undefined]

# The example in the manual of the R package ircor, by the authors of tau_AP,a.
TRUE = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
ESTIMATED = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]

TIED_PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30)
FEW_PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=5)


@CALM
@given(TIED_PAIRS)
def test_tau_b_is_scipys(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    expected = stats.kendalltau(x, y).statistic
    if math.isnan(expected):
        assert isinstance(tau_b(x, y), Undefined)
    else:
        assert tau_b(x, y) == pytest.approx(expected, abs=1e-12)


def test_tau_b_by_hand() -> None:
    # pairs of 1 2 3 4 and 1 3 2 4: five agree, one does not
    assert tau_b([1, 2, 3, 4], [1, 3, 2, 4]) == 4 / 6
    # pairs of 1 1 2 and 1 2 2: one agrees, one is tied in each
    assert tau_b([1, 1, 2], [1, 2, 2]) == 1 / 2


@pytest.mark.parametrize("correlation", [tau_b, tau_ap])
@CALM
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, unique=True))
def test_an_order_agrees_with_itself_and_not_with_its_reverse(
    correlation: Correlation, values: list[float]
) -> None:
    places = sorted(values).index
    assert correlation(values, values) == pytest.approx(1, abs=1e-12)
    assert correlation(values, [places(v) for v in values]) == pytest.approx(1, abs=1e-12)
    assert correlation(values, [-places(v) for v in values]) == pytest.approx(-1, abs=1e-12)


def plain_tau_ap(order: tuple[int, ...], reference: tuple[int, ...]) -> float:
    """Equation 3 of Yilmaz et al. for systems in the order of the list, best first, no ties."""
    correct = [
        sum(reference.index(above) < reference.index(order[i]) for above in order[:i]) / i
        for i in range(1, len(order))
    ]
    return 2 * sum(correct) / len(correct) - 1


def orders(values: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All orders of the systems, best first, that the values allow."""
    return [
        order
        for order in itertools.permutations(range(len(values)))
        if all(values[a] >= values[b] for a, b in itertools.pairwise(order))
    ]


@CALM
@given(FEW_PAIRS)
def test_tau_ap_is_the_mean_over_the_orders_of_what_is_tied(pairs: list[tuple[int, int]]) -> None:
    values, reference = zip(*pairs, strict=True)
    mine = tau_ap(values, reference)
    if len(set(values)) == 1 or len(set(reference)) == 1:
        assert isinstance(mine, Undefined)
        return
    each = [plain_tau_ap(a, b) for a in orders(values) for b in orders(reference)]
    assert mine == pytest.approx(sum(each) / len(each), abs=1e-12)


@CALM
@given(st.permutations(range(9)))
def test_tau_ap_of_untied_rankings_is_the_plain_formula(order: list[int]) -> None:
    values = [-order.index(system) for system in range(9)]
    reference = [-system for system in range(9)]
    expected = plain_tau_ap(tuple(order), tuple(range(9)))
    assert tau_ap(values, reference) == pytest.approx(expected, abs=1e-12)


def test_tau_ap_of_the_published_example() -> None:
    assert tau_ap(ESTIMATED, TRUE) == pytest.approx(0.3928571, abs=5e-8)
    tied = np.round(ESTIMATED, 1)
    assert tau_ap(tied, TRUE) == pytest.approx(0.39903, abs=5e-6)


def test_tau_ap_by_hand() -> None:
    # swapped at the top: (-1/1 + 2/2 + 3/3) / 3; at the bottom: (1/1 + 2/2 + (2 - 1)/3) / 3
    assert tau_ap([4, 3, 2, 1], [3, 4, 2, 1]) == pytest.approx(1 / 3)
    assert tau_ap([4, 3, 2, 1], [4, 3, 1, 2]) == pytest.approx(7 / 9)
    assert tau_b([4, 3, 2, 1], [3, 4, 2, 1]) == tau_b([4, 3, 2, 1], [4, 3, 1, 2])


def test_tau_ap_depends_on_which_ranking_is_the_reference() -> None:
    # ranked c a b against a b c: (-1/1 + (1 - 1)/2) / 2; a b c against c a b: (1/1 - 2/2) / 2
    abc, cab = [3, 2, 1], [2, 1, 3]
    assert tau_ap(cab, reference=abc) == pytest.approx(-1 / 2)
    assert tau_ap(abc, reference=cab) == pytest.approx(0)


@pytest.mark.parametrize("correlation", [tau_b, tau_ap])
def test_too_little_has_no_correlation(correlation: Correlation) -> None:
    few = Undefined("a correlation needs at least two systems")
    tied = Undefined("all values of one ranking are equal: it has no order to agree with")
    assert correlation([], []) == few
    assert correlation([1], [1]) == few
    assert correlation([1, 1, 1], [1, 2, 3]) == tied
    assert correlation([1, 2, 3], [0, 0, 0]) == tied


@pytest.mark.parametrize("correlation", [tau_b, tau_ap])
def test_rankings_of_other_systems_are_refused(correlation: Correlation) -> None:
    with pytest.raises(ValueError, match="must have one length, not 2 and 3"):
        correlation([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="must be finite"):
        correlation([1, math.nan], [1, 2])
