"""What every statistic starts from: checked arrays, sums free of order, the answer "undefined"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Two numbers this near are equal but for the rounding of measures in [0, 1] and of their sums;
# the tolerance that scipy.stats.permutation_test has.
ROUNDING = 1e-14


@dataclass(frozen=True)
class Undefined:
    """The answer of a statistic that the data cannot give.

    Attributes:
        reason: Why, in words for a reader of the report.
    """

    reason: str


def vector(values: ArrayLike, name: str = "values") -> NDArray[np.float64]:
    """The values as float64 [n], all of them finite.

    Args:
        values: Numbers in one dimension; none at all is allowed.
        name: What an error calls them.

    Raises:
        ValueError: Not one dimension, or a value is NaN or infinite.

    >>> vector([1, 2]).tolist()
    [1.0, 2.0]
    """
    array = np.asarray(values, np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {array.ndim}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite: leave out what has no value")
    return array


def paired(
    x: ArrayLike, y: ArrayLike, names: tuple[str, str] = ("x", "y")
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two vectors of one length.

    Raises:
        ValueError: The lengths differ, or one of them is no finite vector.
    """
    first, second = vector(x, names[0]), vector(y, names[1])
    if len(first) != len(second):
        raise ValueError(
            f"{names[0]} and {names[1]} must have one length, not {len(first)} and {len(second)}"
        )
    return first, second


def mean(values: NDArray[np.float64]) -> float:
    """The arithmetic mean of float64 [n >= 1], the same in any order of the values."""
    return math.fsum(values.tolist()) / len(values)


def deviation(values: NDArray[np.float64]) -> float:
    """The standard deviation of a sample, the same in any order of the values.

    s = sqrt(sum (x - mean)^2 / (n - 1)).

    Args:
        values: float64 [n], at least two.

    Returns:
        s in the unit of the values; exactly 0 where they are equal but for rounding.

    >>> deviation(np.array([1.0, 3.0]))
    1.4142135623730951
    >>> deviation(np.array([0.3 - 0.2, 0.2 - 0.1]))
    0.0
    """
    if constant(values):
        return 0.0
    squares = (values - mean(values)) ** 2
    return math.sqrt(math.fsum(squares.tolist()) / (len(values) - 1))


def constant(values: NDArray[np.float64]) -> bool:
    """Whether all values of float64 [n >= 1] are equal but for rounding."""
    low, high = float(values.min()), float(values.max())
    return high - low <= ROUNDING * max(1.0, abs(low), abs(high))
