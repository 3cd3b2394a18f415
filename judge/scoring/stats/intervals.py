"""How sure a mean over queries is: bootstrap intervals, percentile and BCa."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from judge.scoring.stats.sample import ROUNDING, Undefined, constant, deviation, mean
from judge.scoring.stats.special import normal_cdf, normal_quantile, student_critical

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

Method = Literal["percentile", "bca"]

# Drawn numbers held at once: three arrays of 8 MB.
BLOCK = 1 << 20
# With more values than this, the mean is normal to well within the noise of the resamples, and
# drawing them would cost more than scoring.
STUDENT_ABOVE = 10_000


class Interval(NamedTuple):
    """Where the mean over all queries of this kind may lie.

    Attributes:
        low: The lower end, in the unit of the values.
        high: The upper end.
        method: `percentile` or `bca` bootstrap, or `student` where there were too many values to
            be worth drawing.
    """

    low: float
    high: float
    method: Literal["percentile", "bca", "student"]


def bootstrap(
    values: ArrayLike,
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = 1_000,
    method: Method = "percentile",
) -> Interval | Undefined:
    """The bootstrap interval of a mean over queries.

    Draw n of the n queries with replacement, `resamples` times, and take the mean of each draw.
    `percentile`: the quantiles (1 -/+ confidence) / 2 of these means, linear between two. `bca`:
    the quantiles at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), where z are the normal quantiles of the
    same shares, z0 that of the share of means below the observed one (ties count half), and
    a = sum u^3 / (6 (sum u^2)^(3/2)) with u = value - mean (the jackknife of a mean).

    For the difference of two systems give the paired differences: then queries are drawn, never
    the systems apart.

    Args:
        values: float [n], a value per query in any unit; NaN has no value and is left out.
        rng: Where the draws come from: `rng.integers(0, n, (resamples, n))`.
        confidence: Above 0 and below 1.
        resamples: How many draws.
        method: Which interval. Above STUDENT_ABOVE values it is Student's t, which the result says.

    Returns:
        The interval; undefined for fewer than two values, for BCa also if all values are equal.
        The percentile interval of equal values has no width.

    Raises:
        ValueError: Not one dimension, an infinite value, or an argument out of its range.

    Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, 13.3 and 14.3;
    scipy.stats.bootstrap.

    >>> bootstrap([0.5, 0.5, 0.5], rng=np.random.default_rng(1))
    Interval(low=0.5, high=0.5, method='percentile')
    >>> bootstrap([0.5], rng=np.random.default_rng(1))
    Undefined(reason='an interval needs values of at least two queries')
    """
    column = np.asarray(values, np.float64)
    if column.ndim != 1:
        raise ValueError(f"values must have one dimension, not {column.ndim}")
    return bootstrap_means(
        column[:, None], rng=rng, confidence=confidence, resamples=resamples, method=method
    )[0]


def bootstrap_means(
    values: ArrayLike,
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = 1_000,
    method: Method = "percentile",
) -> list[Interval | Undefined]:
    """The bootstrap intervals of the means of several columns, all from the same drawn queries.

    Formulas as in `bootstrap`. A column that lacks values for some queries has, in each resample,
    the mean of the drawn queries that have one; a resample with none is passed over. Queries
    without a value in any drawn column are not drawn.

    Args:
        values: float [queries, columns], a column per measure or run; NaN has no value.
        rng: Where the draws come from.
        confidence: Above 0 and below 1.
        resamples: How many draws.
        method: Which interval; columns of more than STUDENT_ABOVE values take Student's t.

    Returns:
        One per column, as in `bootstrap`.

    Raises:
        ValueError: Not two dimensions, an infinite value, or an argument out of its range.

    >>> table = [[0.0, 1.0], [0.5, np.nan], [1.0, np.nan]]
    >>> first, second = bootstrap_means(table, rng=np.random.default_rng(1))
    >>> first
    Interval(low=0.0, high=1.0, method='percentile')
    >>> second
    Undefined(reason='an interval needs values of at least two queries')
    """
    table = np.asarray(values, np.float64)
    if table.ndim != 2:
        raise ValueError(f"values must have two dimensions, not {table.ndim}")
    if np.isinf(table).any():
        raise ValueError("values must not be infinite")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be above 0 and below 1, not {confidence}")
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}")
    columns = [column[~np.isnan(column)] for column in table.T]
    drawn = [j for j, column in enumerate(columns) if 2 <= len(column) <= STUDENT_ABOVE]
    means = dict(zip(drawn, _resampled(table[:, drawn], resamples, rng).T, strict=True))
    return [
        _bootstrapped(column, means[j], confidence, method)
        if j in means
        else _student(column, confidence)
        for j, column in enumerate(columns)
    ]


def _resampled(table: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """The mean of each column in each resample: [resamples, columns], NaN where it has no value."""
    present = ~np.isnan(table)
    useful = present.any(axis=1)
    present = present[useful]
    filled = np.where(present, table[useful], 0.0)
    sizes_too = present.astype(np.float64)
    queries, columns = filled.shape
    means = np.full((resamples, columns), np.nan)
    if not queries:
        return means
    rows = max(1, BLOCK // queries)
    for start in range(0, resamples, rows):
        block = means[start : start + rows]
        draw = rng.integers(0, queries, (len(block), queries))
        draw += np.arange(len(block))[:, None] * queries
        times = np.bincount(draw.ravel(), minlength=draw.size).reshape(draw.shape)
        weights = times.astype(np.float64)
        sizes = weights @ sizes_too
        np.divide(weights @ filled, sizes, out=block, where=sizes > 0)
    return means


def _bootstrapped(
    column: Floats, means: Floats, confidence: float, method: Method
) -> Interval | Undefined:
    if constant(column):
        if method == "bca":
            return Undefined("all values are equal: BCa has nothing to correct")
        return Interval(float(column.min()), float(column.max()), method)
    means = means[~np.isnan(means)]
    if not len(means):
        return Undefined("no resample drew a query that has a value")
    levels = (
        _bca_levels(column, means, confidence)
        if method == "bca"
        else ((1 - confidence) / 2, (1 + confidence) / 2)
    )
    if isinstance(levels, Undefined):
        return levels
    low, high = np.quantile(means, levels).tolist()
    return Interval(low, high, method)


def _bca_levels(
    column: Floats, means: Floats, confidence: float
) -> tuple[float, float] | Undefined:
    """Which quantiles of the resampled means bound the BCa interval."""
    observed = mean(column)
    rounding = ROUNDING * max(1.0, abs(observed))
    equal = np.abs(means - observed) <= rounding
    below = (means < observed) & ~equal
    bias = normal_quantile(float(below.sum() + equal.sum() / 2) / len(means))
    if math.isinf(bias):
        return Undefined("all resampled means lie on one side of the mean: take more resamples")
    u = column - observed
    acceleration = float((u**3).sum() / (6 * (u**2).sum() ** 1.5))
    z = normal_quantile((1 + confidence) / 2)
    bent = [(bias + side, 1 - acceleration * (bias + side)) for side in (-z, z)]
    if min(divisor for _, divisor in bent) <= 0:
        return Undefined("the values are too skewed for a BCa interval of this confidence")
    low, high = (normal_cdf(bias + shift / divisor) for shift, divisor in bent)
    return low, high


def _student(column: Floats, confidence: float) -> Interval | Undefined:
    """Student's interval: mean -/+ t s / sqrt n."""
    if len(column) < 2:
        return Undefined("an interval needs values of at least two queries")
    centre, error = mean(column), deviation(column) / math.sqrt(len(column))
    reach = student_critical(1 - confidence, len(column) - 1) * error
    return Interval(centre - reach, centre + reach, "student")
