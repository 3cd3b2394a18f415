"""The distribution functions that intervals and tests need: normal, beta and Student's t."""

from __future__ import annotations

import math
from statistics import NormalDist

STANDARD = NormalDist()
LARGE = 10.0
TINY = 1e-300
# lgamma(x) = (x - 1/2) ln x - x + ln(2 pi)/2 + sum of STIRLING[i] / x^(2i + 1)
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360_360, 1 / 156)
LONGEST_FRACTION = 100_000
CONVERGED = 3e-16


def normal_cdf(z: float) -> float:
    """The probability that a standard normal variable is at most z.

    Phi(z) = erfc(-z / sqrt 2) / 2, with all its digits in the lower tail too.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.29 and 7.1.2.

    >>> normal_cdf(0.0)
    0.5
    """
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def normal_quantile(p: float) -> float:
    """The z that a standard normal variable does not exceed with probability p.

    Args:
        p: In [0, 1]; at its ends the quantile is infinite.

    Raises:
        ValueError: p is not in [0, 1].

    Source: Wichura 1988, algorithm AS 241, as in Python's `statistics`.

    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    if not 0 <= p <= 1:
        raise ValueError(f"p must be from 0 to 1, not {p}")
    if p in (0.0, 1.0):
        return math.copysign(math.inf, p - 0.5)
    return STANDARD.inv_cdf(p)


def incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function I_x(a, b).

    I_x(a, b) = integral from 0 to x of t^(a-1) (1-t)^(b-1) dt / B(a, b), by its continued fraction,
    on the side of the mean where that converges fast. Accurate to about 1e-13 while the smaller of
    a and b is below a hundred.

    Args:
        a: Above 0.
        b: Above 0.
        x: In [0, 1].
        rest: 1 - x. It is given apart because subtraction would lose its digits where x is near 1.

    Returns:
        A probability.

    Raises:
        ValueError: a or b is not above 0.
        ArithmeticError: The fraction did not converge; seen for no a, b up to 1e9.

    Source: Didonato and Morris 1992, algorithm TOMS 708, evaluated by the modified method of Lentz
    (Thompson and Barnett 1986).

    >>> round(incomplete_beta(2, 3, 0.5, 0.5), 12)
    0.6875
    """
    if not (a > 0 and b > 0):
        raise ValueError(f"a and b must be above 0, not {a} and {b}")
    if x <= 0:
        return 0.0
    if rest <= 0:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _lower_beta(b, a, rest, x)
    return _lower_beta(a, b, x, rest)


def _lower_beta(a: float, b: float, x: float, rest: float) -> float:
    log_x = math.log1p(-rest) if rest < x else math.log(x)
    log_rest = math.log1p(-x) if x < rest else math.log(rest)
    front = math.exp(a * log_x + b * log_rest - _log_beta(a, b))
    return front / _beta_fraction(a, b, x, rest)


def _beta_fraction(a: float, b: float, x: float, rest: float) -> float:
    """The fraction n0 + u1/(n1 + u2/(n2 + ...)) that x^a (1-x)^b / B(a, b) is divided by.

    Every second convergent of the usual fraction. Here 1 - x stands by itself, so that no digit is
    lost where x is near 1, which it is for t-tests of many queries.
    """
    value = numerators = a * (a * rest - b * x + 1) / (a + 1) or TINY
    denominators = 0.0
    for m in range(1, LONGEST_FRACTION):
        at = a + 2 * m - 1
        u = (a + m - 1) * (a + b + m - 1) * m * (b - m) * (x / at) ** 2
        n = m + m * (b - m) * x / at + (a + m) * (a * rest - b * x + 1 + m * (1 + rest)) / (at + 2)
        denominators = 1.0 / (n + u * denominators or TINY)
        numerators = n + u / numerators or TINY
        factor = numerators * denominators
        value *= factor
        if abs(factor - 1.0) < CONVERGED:
            return value
    raise ArithmeticError(f"the incomplete beta function of {a}, {b} at {x} does not converge")


def _log_beta(a: float, b: float) -> float:
    """The logarithm of B(a, b), without the cancellation of lgamma where one of them is large."""
    small, large = min(a, b), max(a, b)
    if large < LARGE:
        return math.lgamma(small) + math.lgamma(large) - math.lgamma(a + b)
    both = a + b
    falling = (
        small * (1.0 - math.log(both))
        - (large - 0.5) * math.log1p(small / large)
        + _beyond_stirling(large)
        - _beyond_stirling(both)
    )
    return math.lgamma(small) + falling


def _beyond_stirling(x: float) -> float:
    return sum(term / x ** (2 * i + 1) for i, term in enumerate(STIRLING))


def student_two_sided(t: float, freedom: float) -> float:
    """The probability that Student's t is at least as far from 0 as t, on either side.

    P(|T| >= |t|) = I_x(v/2, 1/2) with x = v / (v + t^2).

    Args:
        t: The statistic; its sign does not matter.
        freedom: v, the degrees of freedom, above 0.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1 and 26.5.27.

    >>> round(student_two_sided(2.732520, 7), 6)
    0.029232
    """
    square = t * t / freedom
    x = 1.0 / (1.0 + square)
    return incomplete_beta(freedom / 2, 0.5, x, 1.0 if x == 0 else square * x)


def student_critical(alpha: float, freedom: float) -> float:
    """The t that Student's t exceeds on either side with probability alpha, by bisection.

    Args:
        alpha: Above 0 and below 1.
        freedom: The degrees of freedom, above 0.

    Raises:
        ValueError: alpha is not between 0 and 1.

    >>> round(student_critical(0.05, 9), 6)
    2.262157
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be above 0 and below 1, not {alpha}")
    low, high = 0.0, 1.0
    while student_two_sided(high, freedom) > alpha:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        if student_two_sided(middle, freedom) > alpha:
            low = middle
        else:
            high = middle
    return high
