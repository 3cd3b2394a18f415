"""Arrays are checked at the door, and sums do not depend on the order of the queries."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.scoring import stats
from judge.scoring.stats.sample import constant, deviation, mean, paired, vector
from tests.oracles.collections import CALM

FLOATS = st.lists(st.floats(-100, 100), min_size=2, max_size=30)


def test_every_public_name_is_there() -> None:
    assert {name for name in stats.__all__ if not hasattr(stats, name)} == set()


def test_nothing_of_it_loads_the_packages_it_is_tested_against() -> None:
    code = "import sys, judge.scoring.stats; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("values", [[[1.0]], 3.0, [1.0, np.nan], [np.inf]])
def test_what_is_no_finite_vector_is_refused(values: object) -> None:
    with pytest.raises(ValueError, match="values must"):
        vector(np.asarray(values))


def test_vectors_of_two_lengths_are_no_pair() -> None:
    with pytest.raises(ValueError, match="left and right must have one length, not 2 and 3"):
        paired([1, 2], [1, 2, 3], ("left", "right"))


def test_a_vector_may_be_empty() -> None:
    assert vector([]).shape == (0,)


@CALM
@given(FLOATS)
def test_mean_and_deviation_do_not_depend_on_the_order(values: list[float]) -> None:
    shuffled = sorted(values)
    assert mean(np.array(shuffled)) == mean(np.array(values))
    assert deviation(np.array(shuffled)) == deviation(np.array(values))


@CALM
@given(FLOATS)
def test_mean_and_deviation_are_those_of_numpy(values: list[float]) -> None:
    array = np.array(values)
    assert mean(array) == pytest.approx(array.mean(), rel=1e-12, abs=1e-12)
    assert deviation(array) == pytest.approx(array.std(ddof=1), rel=1e-9, abs=1e-13)


def test_values_that_differ_by_rounding_alone_are_constant() -> None:
    assert constant(np.array([0.3 - 0.2, 0.2 - 0.1, 0.1]))
    assert constant(np.array([1e6, 1e6 + 1e-9]))
    assert not constant(np.array([0.1, 0.1 + 1e-12]))
    assert constant(np.array([0.5]))
