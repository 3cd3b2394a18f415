"""How many queries a comparison needs to find a difference that matters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from judge.scoring.stats.sample import Undefined, deviation, vector
from judge.scoring.stats.special import normal_quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def queries_needed(
    differences: ArrayLike, *, detect: float, power: float = 0.8, alpha: float = 0.05
) -> int | Undefined:
    """How many queries find a mean difference of `detect` with this power.

    n = ((z_(1 - alpha/2) + z_power) s / detect)^2 + z_(1 - alpha/2)^2 / 2, rounded up, at least 2:
    the normal approximation with Guenther's correction for a two-sided paired t-test. s is the
    deviation of the paired differences at hand, taken to be that of queries to come. Finding a
    difference on the wrong side is not counted as power.

    Args:
        differences: float [n], one per query.
        detect: The least difference worth finding, above 0, in the unit of the differences.
        power: The wanted probability to find it, above alpha/2 and below 1.
        alpha: The p from which on a difference counts as found, above 0 and below 1.

    Returns:
        Queries in all, not in addition. Undefined for fewer than two differences, and where all are
        equal but for rounding: then they say nothing about the deviation.

    Raises:
        ValueError: Not one dimension, a NaN or infinite difference, or an argument out of range.

    Source: Guenther 1981, Sample Size Formulas for Normal Theory T Tests.

    >>> queries_needed([0.0, 0.2, -0.1, 0.1, 0.05], detect=0.05)
    42
    """
    values = vector(differences, "differences")
    if not (math.isfinite(detect) and detect > 0):
        raise ValueError(f"detect must be above 0, not {detect}")
    if not (0 < alpha < 1 and alpha / 2 < power < 1):
        raise ValueError(
            f"alpha must be in (0, 1) and power in (alpha / 2, 1), not {alpha}, {power}"
        )
    if len(values) < 2:
        return Undefined("the deviation of a difference needs at least two queries")
    spread = deviation(values)
    if spread == 0:
        return Undefined("all differences are equal: they say nothing about the deviation")
    surely = normal_quantile(1 - alpha / 2)
    needed = ((surely + normal_quantile(power)) * spread / detect) ** 2 + surely**2 / 2
    return max(2, math.ceil(needed))
