"""How alike two rankings of the same systems are: Kendall's tau-b and AP correlation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from judge.scoring.stats.sample import Undefined, paired

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Places = NDArray[np.int64]

TOO_FEW = Undefined("a correlation needs at least two systems")
ALL_TIED = Undefined("all values of one ranking are equal: it has no order to agree with")


def tau_b(x: ArrayLike, y: ArrayLike) -> float | Undefined:
    """Kendall's tau-b: how much more often two rankings agree on a pair than disagree.

    tau-b = (concordant - discordant) / sqrt(pairs not tied in x * pairs not tied in y).

    Symmetric. A pair tied in either ranking is neither concordant nor discordant.

    Args:
        x: float [n], a value per system.
        y: float [n], the other values of the same systems.

    Returns:
        From -1 (reversed) to 1 (the same order). Undefined for fewer than two systems and where all
        values of a ranking are equal.

    Raises:
        ValueError: The lengths differ, or a value is NaN or infinite.

    Source: Kendall 1945, The Treatment of Ties in Ranking Problems; scipy.stats.kendalltau.

    >>> tau_b([1, 2, 3, 4], [1, 3, 2, 4])
    0.6666666666666666
    """
    first, second = (_places(values) for values in paired(x, y))
    if len(first) < 2:
        return TOO_FEW
    surplus = apart_x = apart_y = 0
    for i in range(1, len(first)):
        sign_x = np.sign(first[i] - first[:i])
        sign_y = np.sign(second[i] - second[:i])
        surplus += int(sign_x @ sign_y)
        apart_x += int(np.count_nonzero(sign_x))
        apart_y += int(np.count_nonzero(sign_y))
    if not (apart_x and apart_y):
        return ALL_TIED
    return surplus / math.sqrt(apart_x * apart_y)


def tau_ap(values: ArrayLike, reference: ArrayLike) -> float | Undefined:
    """AP correlation: Kendall's tau that counts mistakes at the top for more.

    tau_AP = 1/(n - 1) sum over the ranks i = 2..n of (C_i - D_i) / (i - 1), where C_i and D_i are
    how many of the i - 1 systems above rank i the reference also, or on the contrary, puts above
    it. Ranks are those of `values`, so it is not symmetric: the reference is what counts as true.

    Ties in `values`: the mean over all orders of the tied systems (tau_AP,a of Urbano and Marrero).
    Ties in `reference`: the pair counts neither way, which is the mean over its orders as well.

    Args:
        values: float [n], a value per system, higher is better.
        reference: float [n], the values of the same systems in the reference ranking.

    Returns:
        From -1 to 1. Undefined for fewer than two systems and where all values of a ranking are
        equal.

    Raises:
        ValueError: The lengths differ, or a value is NaN or infinite.

    Source: Yilmaz, Aslam and Robertson, SIGIR 2008, equation 3; Urbano and Marrero, ICTIR 2017.

    >>> round(tau_ap([4, 3, 2, 1], reference=[3, 4, 2, 1]), 12)
    0.333333333333
    >>> round(tau_ap([4, 3, 2, 1], reference=[4, 3, 1, 2]), 12)
    0.777777777778
    """
    judged, truth = (_places(v) for v in paired(values, reference, ("values", "reference")))
    if len(judged) < 2:
        return TOO_FEW
    if judged.max() == 0 or truth.max() == 0:
        return ALL_TIED
    order = np.argsort(-judged, kind="stable")
    judged, truth = judged[order], truth[order]
    first = np.searchsorted(-judged, -judged, side="left")
    last = np.searchsorted(-judged, -judged, side="right")
    # Within a tie each order is as likely as its reverse, so only systems above the tie count,
    # with the mean of 1 / (i - 1) over the ranks i that the tie fills.
    harmonic = np.concatenate([[0.0, 0.0], np.cumsum(1.0 / np.arange(1, len(judged)))])
    weights = (harmonic[last] - harmonic[first]) / (last - first)
    terms = [
        weights[i] * int(np.sign(truth[: first[i]] - truth[i]).sum()) for i in range(len(judged))
    ]
    return math.fsum(terms) / (len(judged) - 1)


def _places(values: NDArray[np.float64]) -> Places:
    """Ascending place of each value, equal ones sharing one: their differences are exact."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
