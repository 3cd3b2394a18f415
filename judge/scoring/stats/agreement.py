"""How far annotators agree beyond chance: kappa, Fleiss, Krippendorff's alpha, Gwet's AC1/AC2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from judge.scoring.stats.sample import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

Weights = Literal["none", "linear", "quadratic", "ordinal"]
Level = Literal["nominal", "ordinal", "interval"]

NO_PAIR = Undefined("no item was graded by two annotators")
ONE_GRADE = Undefined("only one grade was used: chance alone would agree as well")
ONE_ON_SCALE = Undefined("the scale has one grade")


def confusion(x: ArrayLike, y: ArrayLike, *, grades: Sequence[float]) -> NDArray[np.int64]:
    """How often each grade of one annotator met each grade of the other.

    Args:
        x: float [items], the grades of one annotator; NaN where there is none.
        y: float [items], those of the other.
        grades: The full scale, ascending.

    Returns:
        int64 [grades, grades]: rows x, columns y. Items that only one of them graded are left out.

    Raises:
        ValueError: The shapes differ, or a grade is not on the scale.

    >>> confusion([0, 1, 1, np.nan], [0, 1, 0, 1], grades=[0, 1]).tolist()
    [[1, 0], [1, 1]]
    """
    scale = _scale(grades)
    size = len(scale)
    graded_x, graded_y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if graded_x.ndim != 1 or graded_x.shape != graded_y.shape:
        raise ValueError("x and y must have one dimension and one length")
    both = _table([graded_x, graded_y])
    _counts(both, scale)
    first, second = np.searchsorted(scale, both[:, ~np.isnan(both).any(axis=0)])
    return np.bincount(first * size + second, minlength=size * size).reshape(size, size)


def kappa(
    x: ArrayLike, y: ArrayLike, *, grades: Sequence[float], weights: Weights = "none"
) -> float | Undefined:
    """Cohen's kappa of two annotators, plain or weighted.

    kappa = 1 - sum_kl D_kl n_kl / (sum_kl D_kl n_k. n_.l / n), with n_kl from `confusion` and the
    disagreement D over q grades: `none` 1 off the diagonal, `linear` |k - l| / (q - 1), `quadratic`
    its square, `ordinal` m (m + 1) / (q (q - 1)) with m = |k - l|. k and l are places on the full
    scale: a grade that nobody used still makes the scale longer.

    Args:
        x: float [items], the grades of one annotator; NaN where there is none.
        y: float [items], those of the other.
        grades: The full scale, ascending.
        weights: What a disagreement costs.

    Returns:
        At most 1; 0 is what chance gives. Undefined if no item was graded by both, or if both used
        one and the same grade throughout.

    Raises:
        ValueError: The shapes differ, or a grade is not on the scale.

    Source: Cohen 1960 and 1968; sklearn.metrics.cohen_kappa_score with `labels`.

    >>> kappa([0, 0, 1, 1], [0, 1, 1, 1], grades=[0, 1])
    0.5
    """
    met = confusion(x, y, grades=grades)
    if len(met) < 2:
        return ONE_ON_SCALE
    if not met.any():
        return NO_PAIR
    disagreement = _disagreement(len(met), weights)
    by_chance = np.outer(met.sum(axis=1), met.sum(axis=0)) / met.sum()
    expected = float((disagreement * by_chance).sum())
    if expected == 0:
        return ONE_GRADE
    return 1.0 - float((disagreement * met).sum()) / expected


def raw_agreement(
    ratings: ArrayLike, *, grades: Sequence[float], weights: Weights = "none"
) -> float | Undefined:
    """How often two annotators of an item agree, chance and all.

    The mean over items of 1 - sum_kl D_kl r_k r_l / (r (r - 1)), where r annotators graded the
    item, r_k of them with grade k, and D is as in `kappa`.

    Args:
        ratings: float [annotators, items]; NaN where there is none.
        grades: The full scale, ascending.
        weights: What a disagreement costs; `none` counts equal grades.

    Returns:
        In [0, 1]; items with fewer than two grades are left out. Undefined if none is left.

    Raises:
        ValueError: Not two dimensions, or a grade is not on the scale.

    Source: Gwet 2014, Handbook of Inter-Rater Reliability, chapter 2 (p_a).

    >>> raw_agreement([[0, 1, 1, 1], [0, 1, 0, 1], [0, 1, np.nan, 1]], grades=[0, 1])
    0.75
    """
    scale = _scale(grades)
    if len(scale) < 2:
        return ONE_ON_SCALE
    return _agreement(_counts(_table(ratings), scale), _disagreement(len(scale), weights))


def fleiss(ratings: ArrayLike) -> float | Undefined:
    """Fleiss' kappa of any number of annotators, who need not be the same for each item.

    kappa = (p_a - p_e) / (1 - p_e): p_a is the raw agreement, p_e = sum_k pi_k^2 with pi_k the mean
    over items of the share of its annotators that gave grade k. Grades that nobody used change
    nothing.

    Args:
        ratings: float [annotators, items]; NaN where there is none. An item with one grade counts
            for pi alone, one without any for nothing.

    Returns:
        At most 1; 0 is what chance gives. Undefined if no item has two grades or all are the same.

    Raises:
        ValueError: Not two dimensions, or an infinite value.

    Source: Fleiss 1971; for missing grades Gwet 2014, Handbook of Inter-Rater Reliability.

    >>> round(fleiss([[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, 1]]), 12)
    0.333333333333
    """
    table = _table(ratings)
    used = np.unique(table[~np.isnan(table)])
    counts = _counts(table, used)
    observed = _agreement(counts, _disagreement(len(used), "none"))
    if isinstance(observed, Undefined):
        return observed
    if len(used) < 2:
        return ONE_GRADE
    expected = float((_shares(counts) ** 2).sum())
    return (observed - expected) / (1.0 - expected)


def gwet(
    ratings: ArrayLike, *, grades: Sequence[float], weights: Weights = "none"
) -> float | Undefined:
    """Gwet's AC1 (weights `none`) or AC2 of any number of annotators.

    AC = (p_a - p_e) / (1 - p_e): p_a is the raw agreement with these weights and
    p_e = T sum_k pi_k (1 - pi_k) / (q (q - 1)), where T is the sum of the q x q agreement weights
    1 - D_kl and pi_k the mean over items of the share of its annotators that gave grade k. Unlike
    kappa it stays near the raw agreement where one grade is rare.

    Args:
        ratings: float [annotators, items]; NaN where there is none. An item with one grade counts
            for pi alone, one without any for nothing.
        grades: The full scale, ascending: a grade that nobody used counts in q.
        weights: What a disagreement costs, as in `kappa`; `ordinal` is what Gwet takes for grades.

    Returns:
        At most 1; 0 is what chance gives; 1 if one grade was used throughout. Undefined if no item
        has two grades.

    Raises:
        ValueError: Not two dimensions, or a grade is not on the scale.

    Source: Gwet 2008 (AC1) and 2014, Handbook of Inter-Rater Reliability (AC2); irrCAC.

    >>> round(gwet([[0, 1, 1, 0], [0, 1, 0, 0]], grades=[0, 1]), 12)
    0.529411764706
    """
    scale = _scale(grades)
    size = len(scale)
    if size < 2:
        return ONE_ON_SCALE
    disagreement = _disagreement(size, weights)
    counts = _counts(_table(ratings), scale)
    observed = _agreement(counts, disagreement)
    if isinstance(observed, Undefined):
        return observed
    shares = _shares(counts)
    total = size * size - float(disagreement.sum())
    expected = total * float((shares * (1.0 - shares)).sum()) / (size * (size - 1))
    return (observed - expected) / (1.0 - expected)


def alpha(ratings: ArrayLike, *, level: Level) -> float | Undefined:
    """Krippendorff's alpha of any number of annotators, some of whom may be missing.

    alpha = 1 - D_o / D_e over the items with two or more grades: D_o = sum over items of
    sum_kl r_k r_l d_kl / (r - 1), D_e = sum_kl n_k n_l d_kl / (n - 1), where r_k of an item's r
    grades and n_k of all n are k. d_kl is 1 off the diagonal (`nominal`), the squared number of
    grades given from k to l, its ends counted half (`ordinal`), or (k - l)^2 of the grades
    themselves (`interval`). Grades that nobody used change nothing.

    Args:
        ratings: float [annotators, items]; NaN where there is none.
        level: What the grades are: names, an order, or equal steps.

    Returns:
        At most 1; 0 is what chance gives. Undefined if no item has two grades, or if all these are
        the same.

    Raises:
        ValueError: Not two dimensions, an infinite value, or an unknown level.

    Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability; krippendorff 0.9.0.

    >>> round(alpha([[0, 1, 2], [0, 1, 1]], level="ordinal"), 12)
    0.777777777778
    """
    table = _table(ratings)
    used = np.unique(table[~np.isnan(table)])
    counts = _counts(table, used)
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        return NO_PAIR
    totals = counts.sum(axis=0)
    distance = _distance(used, totals, level)
    expected = float(totals @ distance @ totals) / (float(totals.sum()) - 1.0)
    if expected == 0:
        return ONE_GRADE
    by_item = ((counts @ distance) * counts).sum(axis=1) / (counts.sum(axis=1) - 1.0)
    return 1.0 - float(by_item.sum()) / expected


def _distance(values: Floats, totals: Floats, level: Level) -> Floats:
    """Krippendorff's squared distance between grades: [grades, grades]."""
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    if level not in ("ordinal", "interval"):
        raise ValueError(f"level must be nominal, ordinal or interval, not {level!r}")
    # Two middles of the runs of equal grades are as far apart as the grades given between them.
    at = values if level == "interval" else np.cumsum(totals) - totals / 2
    return np.subtract.outer(at, at) ** 2


def _disagreement(size: int, weights: Weights) -> Floats:
    """What it costs to differ, 0 to 1, by places on the scale: [grades, grades]."""
    places = np.arange(size)
    steps = np.abs(np.subtract.outer(places, places)).astype(np.float64)
    longest = max(size - 1, 1)
    match weights:
        case "none":
            return (steps > 0).astype(np.float64)
        case "linear":
            return steps / longest
        case "quadratic":
            return (steps / longest) ** 2
        case "ordinal":
            return steps * (steps + 1) / (longest * (longest + 1))
    raise ValueError(f"weights must be none, linear, quadratic or ordinal, not {weights!r}")


def _agreement(counts: Floats, disagreement: Floats) -> float | Undefined:
    """The mean agreement of two annotators of an item, over the items that have two."""
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        return NO_PAIR
    sizes = counts.sum(axis=1)
    apart = ((counts @ disagreement) * counts).sum(axis=1)
    return 1.0 - float((apart / (sizes * (sizes - 1))).mean())


def _shares(counts: Floats) -> Floats:
    """The mean over graded items of the share that each grade has: [grades]."""
    sizes = counts.sum(axis=1)
    graded = sizes > 0
    mean: Floats = (counts[graded] / sizes[graded, None]).mean(axis=0)
    return mean


def _counts(table: Floats, scale: Floats) -> Floats:
    """How many annotators gave each item each grade: float64 [items, grades]."""
    counts = np.zeros((table.shape[1], len(scale)))
    for place, grade in enumerate(scale):
        counts[:, place] = (table == grade).sum(axis=0)
    if counts.sum() != np.count_nonzero(~np.isnan(table)):
        strange = table[~np.isnan(table) & ~np.isin(table, scale)]
        raise ValueError(f"{strange[0]:g} is not one of the grades {scale.tolist()}")
    return counts


def _table(ratings: ArrayLike) -> Floats:
    table = np.asarray(ratings, np.float64)
    if table.ndim != 2:
        raise ValueError(f"ratings must have two dimensions, not {table.ndim}")
    if np.isinf(table).any():
        raise ValueError("ratings must not be infinite")
    return table


def _scale(grades: Sequence[float]) -> Floats:
    scale = np.asarray(grades, np.float64)
    if scale.ndim != 1 or not len(scale) or not (np.diff(scale) > 0).all():
        raise ValueError("grades must be the scale in ascending order")
    return scale
