"""Whether two systems differ: paired tests, corrections for many tests, won, tied and lost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from judge.scoring.stats.sample import ROUNDING, Undefined, deviation, mean, vector
from judge.scoring.stats.special import student_two_sided

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

# Drawn signs held at once, 8 bytes each.
BLOCK = 1 << 20


class Test(NamedTuple):
    """The outcome of a two-sided test that the mean difference is 0.

    Attributes:
        p: How often a difference at least as far from 0 comes about if there is none, in (0, 1].
        statistic: The mean difference (randomisation) or Student's t.
        exact: Whether every pattern of signs was counted, not a sample of them.
        resamples: How many patterns of signs were counted; 0 for the t-test.
        method: Which test it is.
    """

    p: float
    statistic: float
    exact: bool
    resamples: int
    method: Literal["randomisation", "t"]


class WinTieLoss(NamedTuple):
    """How the queries of a comparison went.

    Attributes:
        won: Queries with a difference above the tolerance.
        tied: Within it.
        lost: Below it.
    """

    won: int
    tied: int
    lost: int


def randomisation(
    differences: ArrayLike, *, rng: np.random.Generator, resamples: int = 10_000
) -> Test | Undefined:
    """Fisher's paired randomisation test: what if the sign of each difference were a coin's?

    p = share of the patterns of signs whose |mean| >= |observed mean|. With k differences other
    than 0 there are 2^k patterns (the sign of a 0 changes nothing). If that is at most `resamples`,
    all are counted and p is exact; else `resamples` patterns are drawn and p = (c + 1) / (m + 1),
    the observed pattern being one of them. Means within 1e-14 of the observed one, relative if it
    is above 1, are equal to it. The order of the queries changes nothing, drawn or not.

    Args:
        differences: float [n], one per query: value of one system less that of the other.
        rng: Where the signs come from; untouched if the test is exact.
        resamples: How many patterns are worth counting.

    Returns:
        The test; its statistic is the mean difference. All zero: p = 1. Undefined without queries.

    Raises:
        ValueError: Not one dimension, a NaN or infinite difference, or no resamples.

    Source: Smucker, Allan and Carterette, CIKM 2007; scipy.stats.permutation_test (samples);
    Phipson and Smyth 2010 for the added one.

    >>> randomisation([0.25, 0.5, 0.75], rng=np.random.default_rng(1))
    Test(p=0.25, statistic=0.5, exact=True, resamples=8, method='randomisation')
    """
    values = vector(differences, "differences")
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}")
    if not len(values):
        return Undefined("a test needs at least one query")
    observed = mean(values)
    least = abs(observed) - ROUNDING * max(1.0, abs(observed))
    moved = np.sort(np.abs(values[values != 0]))
    exact = 1 << len(moved) <= resamples
    if exact:
        sums = _all_signed_sums(moved)
        p = float((np.abs(sums) / len(values) >= least).mean())
        resamples = len(sums)
    else:
        extreme = _count_drawn(moved, least * len(values), rng, resamples)
        p = (extreme + 1) / (resamples + 1)
    return Test(p, observed, exact, resamples, "randomisation")


def _all_signed_sums(magnitudes: Floats) -> Floats:
    """The sums of the magnitudes under every pattern of signs: float64 [2^k]."""
    sums = np.zeros(1)
    for magnitude in magnitudes.tolist():
        sums = np.concatenate([sums + magnitude, sums - magnitude])
    return sums


def _count_drawn(magnitudes: Floats, least: float, rng: np.random.Generator, resamples: int) -> int:
    """In how many drawn patterns of signs |sum| >= least; one random bit is one sign."""
    size = len(magnitudes)
    width = -(-size // 8)
    total = float(magnitudes.sum())
    rows = max(1, BLOCK // size)
    extreme = 0
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        octets = np.frombuffer(rng.bytes(count * width), np.uint8).reshape(count, width)
        plus = np.unpackbits(octets, axis=1, count=size).astype(np.float64)
        extreme += int((np.abs(2 * (plus @ magnitudes) - total) >= least).sum())
    return extreme


def t_test(differences: ArrayLike) -> Test | Undefined:
    """Student's paired t-test.

    t = mean / (s / sqrt n), p = P(|T| >= |t|) with n - 1 degrees of freedom.

    Args:
        differences: float [n], one per query.

    Returns:
        The test; its statistic is t. Undefined for fewer than two queries, and where all
        differences are equal but for rounding: then no deviation is there to measure them by.

    Raises:
        ValueError: Not one dimension, or a NaN or infinite difference.

    Source: Student 1908, The Probable Error of a Mean; scipy.stats.ttest_rel.

    >>> test = t_test([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    >>> round(test.statistic, 4), round(test.p, 6)
    (4.0621, 0.002833)
    """
    values = vector(differences, "differences")
    if len(values) < 2:
        return Undefined("a t-test needs at least two queries")
    spread = deviation(values)
    if spread == 0:
        return Undefined("all differences are equal: there is no deviation to measure them by")
    t = mean(values) / (spread / math.sqrt(len(values)))
    return Test(student_two_sided(t, len(values) - 1), t, False, 0, "t")


def holm(ps: ArrayLike) -> Floats:
    """Correct p-values so that one false alarm in the whole family stays as rare as alpha.

    Of m p-values in ascending order, the i-th (from 0) is multiplied by m - i; none may fall below
    the one before, none exceeds 1. Holds whatever depends on what.

    Args:
        ps: float [m], each in [0, 1]; leave out tests without a p.

    Returns:
        float64 [m], corrected, in the order given; compare with alpha.

    Raises:
        ValueError: Not one dimension, or a p that is not in [0, 1].

    Source: Holm 1979, A Simple Sequentially Rejective Multiple Test Procedure.

    >>> holm([0.01, 0.04, 0.03, 0.005]).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    values = _probabilities(ps)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def benjamini_hochberg(ps: ArrayLike) -> Floats:
    """Correct p-values so that the share of false alarms among the alarms is at most alpha.

    Of m p-values in ascending order, the i-th (from 1) is multiplied by m / i; none may exceed the
    one after. Holds for independent and positively dependent tests.

    Args:
        ps: float [m], each in [0, 1]; leave out tests without a p.

    Returns:
        float64 [m], corrected, in the order given; compare with alpha.

    Raises:
        ValueError: Not one dimension, or a p that is not in [0, 1].

    Source: Benjamini and Hochberg 1995, Controlling the False Discovery Rate.

    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.005]).tolist()
    [0.02, 0.04, 0.04, 0.02]
    """
    values = _probabilities(ps)
    order = np.argsort(values, kind="stable")
    steps = values[order] * len(values) / np.arange(1, len(values) + 1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum.accumulate(steps[::-1])[::-1]
    return corrected


def _probabilities(ps: ArrayLike) -> Floats:
    values = vector(ps, "ps")
    if ((values < 0) | (values > 1)).any():
        raise ValueError("every p must be from 0 to 1")
    return values


def win_tie_loss(differences: ArrayLike, tolerance: float = 0.0) -> WinTieLoss:
    """Count the queries with a difference above, within and below a tolerance.

    Args:
        differences: float [n], one per query.
        tolerance: The largest difference, on either side, that is a tie; in their unit.

    Raises:
        ValueError: Not one dimension, a NaN or infinite difference, or a tolerance below 0.

    >>> win_tie_loss([0.2, 0.0, -0.1, 0.05], tolerance=0.05)
    WinTieLoss(won=1, tied=2, lost=1)
    """
    values = vector(differences, "differences")
    if not tolerance >= 0:
        raise ValueError(f"tolerance must be at least 0, not {tolerance}")
    won, lost = int((values > tolerance).sum()), int((values < -tolerance).sum())
    return WinTieLoss(won, len(values) - won - lost, lost)
