"""What may be said of systems that were scored on a set made from a corpus, and what may not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from judge.scoring.stats import Undefined, tau_b

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Parts = Sequence[NDArray[np.int64]]

SystemFamily = Literal["lexical", "dense", "unknown"]
"""Lexical: words, letters, what is computed from their counts (LSA), and fusions of these. Dense: a
neural model has a say. Unknown: nobody said."""

Word = Literal["likely", "open", "not comparable"]

LEAST_TAU: Final = 0.4
"""Agreement of a set's halves below which it does not rank systems."""

LEAST_BEST: Final = 0.05
"""Mean nDCG@10 of the best system below which a set does not rank systems."""

LIKELY: Final = 5.0
"""|t| from which a difference is likely to be one for people as well."""

MOST_REDUNDANT: Final = 5.0
"""Documents that are alike a target, on average, above which there is a warning."""

SPLITS: Final = 100

CAVEAT: Final = (
    "Synthetic, no human labels. On 9 test collections such sets agreed with human rankings at tau "
    "about .6 (.25 to .8) for systems of mixed quality, and about .4 (0 to .7) for similar good "
    "ones. Pairs with |t| >= 5 had the human sign in 98 % (94 % among good systems; 57 % on the "
    "worst collection), others in 61 to 83 %. Not valid between dense and lexical systems. "
    "20-40 judged real queries are the better use of time: they reach tau .47 to .81."
)
"""What stands beside every score of a cloze-mix set."""


class System(NamedTuple):
    """A system: what its run is called, and of what family it is."""

    name: str
    family: SystemFamily = "unknown"


class Pair(NamedTuple):
    """What can be said of two systems.

    Attributes:
        better: The one with the higher mean; of equal ones the first.
        other: The other one.
        difference: Of their mean nDCG@10, 0 or more.
        t: Of the paired test, 0 or more; infinite where all queries agree to the last bit.
        word: `likely`, `open` or `not comparable`.
    """

    better: str
    other: str
    difference: float
    t: float
    word: Word


@dataclass(frozen=True)
class Verdict:
    """What a cloze-mix set says of systems.

    Attributes:
        rejected: Why the set does not rank systems; empty if it does.
        split_half: Mean tau-b of its random halves; None for fewer than two systems.
        halves: Name of each half -> mean nDCG@10 of each system there.
        standing: Standardised score of each system, the mean of the halves; empty if rejected.
        pairs: All pairs of systems; empty if rejected.
        caveat: What must stand beside it.
    """

    rejected: str
    split_half: float | None
    halves: dict[str, dict[str, float]]
    standing: dict[str, float]
    pairs: tuple[Pair, ...]
    caveat: str = CAVEAT


def verdict(
    systems: Sequence[System],
    scores: ArrayLike,
    halves: Sequence[str],
    rng: np.random.Generator,
) -> Verdict:
    """Say what a cloze-mix set says of systems.

    Args:
        systems: S systems.
        scores: float [S, Q], nDCG@10 of each system for each query; what is unjudged counts as 0.
        halves: Q names of the halves of the queries: `typos`, `informative`.
        rng: For the random splits.

    Returns:
        The verdict. There is no winner in it on purpose.

    Raises:
        ValueError: The shapes do not fit, a score is not finite, or there is no query.

    >>> scores = [[1, 1, 0.5, 1] * 9, [0.5, 0, 0, 0.5] * 9]
    >>> found = verdict(
    ...     [System("a", "lexical"), System("b", "lexical")],
    ...     scores, ["typos", "informative"] * 18, np.random.default_rng(1),
    ... )
    >>> found.pairs[0].better, found.pairs[0].word, found.split_half
    ('a', 'likely', 1.0)
    """
    if not systems:
        return Verdict("no system was scored", None, {}, {}, ())
    table, parts = _checked(systems, scores, halves)
    names = [system.name for system in systems]
    means = {
        half: dict(zip(names, table[:, part].mean(axis=1).tolist(), strict=True))
        for half, part in parts.items()
    }
    places = list(parts.values())
    tau = split_half(table, places, rng) if len(systems) > 1 else None
    reason = rejection(float(table.mean(axis=1).max()), tau)
    if reason:
        return Verdict(reason, tau, means, {}, ())
    standing = dict(zip(names, blended(table, places).tolist(), strict=True))
    pairs = tuple(
        _pair(systems, table, places, a, b) for a, b in combinations(range(len(systems)), 2)
    )
    return Verdict("", tau, means, standing, pairs)


def blended(scores: Floats, parts: Parts) -> Floats:
    """Standardise the means of systems within each half, and average the halves.

    z(s, h) = (m(s, h) - mean over s of m(s, h)) / sd over s of m(s, h) (divisor S); the result is
    the mean of z over h. A half in which all systems are equal says nothing: its z are 0.

    Args:
        scores: float [S, Q].
        parts: The places of each half's queries.

    Returns:
        float [S], without a unit.

    >>> blended(np.array([[1.0, 0.2], [0.0, 0.2]]), [np.array([0]), np.array([1])]).tolist()
    [0.5, -0.5]
    """
    total = np.zeros(len(scores))
    for part in parts:
        means = scores[:, part].mean(axis=1)
        spread = float(means.std())
        if spread > 1e-12:
            total += (means - means.mean()) / spread
    return total / len(parts)


def split_half(scores: Floats, parts: Parts, rng: np.random.Generator) -> float:
    """How well two random halves of the queries agree on the order of the systems.

    The mean of tau-b over `SPLITS` splits, each of which divides both recipes' queries evenly and
    compares `blended` scores. A split in which all systems are equal on one side counts as 0: the
    set did not tell them apart. Parts of one query are left out.

    Args:
        scores: float [S >= 2, Q].
        parts: The places of each recipe's queries.
        rng: Draws the splits.

    Returns:
        -1 to 1; 0 where no part can be divided.
    """
    divisible = [part for part in parts if len(part) > 1]
    if not divisible:
        return 0.0
    taus = []
    for _ in range(SPLITS):
        mixed = [rng.permutation(part) for part in divisible]
        one = blended(scores, [part[: len(part) // 2] for part in mixed])
        other = blended(scores, [part[len(part) // 2 :] for part in mixed])
        tau = tau_b(one.round(12), other.round(12))
        taus.append(0.0 if isinstance(tau, Undefined) else tau)
    return math.fsum(taus) / SPLITS


def rejection(best: float, tau: float | None) -> str:
    """Why a set does not rank systems; empty if nothing speaks against it.

    Args:
        best: Mean nDCG@10 of the best system.
        tau: Agreement of the set's halves; None if there is only one system.

    >>> rejection(0.5, 0.9), rejection(0.02, 0.9)
    ('', 'the best system has an nDCG@10 of 0.020, below 0.05: the queries are too hard to rank by')
    """
    if best < LEAST_BEST:
        return (
            f"the best system has an nDCG@10 of {best:.3f}, below {LEAST_BEST:g}: "
            "the queries are too hard to rank by"
        )
    if tau is not None and tau < LEAST_TAU:
        return (
            f"random halves of the queries agree on the systems with tau {tau:.2f}, "
            f"below {LEAST_TAU:g}: the order is noise"
        )
    return ""


def redundancy_warning(redundancy: float) -> str:
    """What to say where many documents are alike a target; empty where they are not.

    Args:
        redundancy: As the set's facts have it.
    """
    if redundancy <= MOST_REDUNDANT:
        return ""
    return (
        f"{redundancy:.1f} other documents are alike a target on average (more than "
        f"{MOST_REDUNDANT:g}): a set of a corpus like this agreed with people at tau .3 at best"
    )


def refuse_ranking(kind: str) -> str:
    """What to say instead of ranking systems by a function test."""
    return (
        f"{kind} is a function test: it shows whether an index finds its own text and does not "
        "rank systems. On 9 test collections the order by such queries agreed with that of people "
        "at a mean tau of .17 to .36 only. A cloze-mix set ranks with care; 20-40 judged real "
        "queries are better."
    )


def old_index(answered: Iterable[str], retired: Iterable[str]) -> str:
    """Why a run cannot be scored on a cloze-mix set: it comes from the index before the change.

    Documents that lost a sentence have new ids, so an index of the altered corpus cannot answer
    with the old ones.

    Args:
        answered: All document ids of the run.
        retired: The old ids: of all queries, what their metadata call `retired`.

    Returns:
        The reason; empty if no old id was answered.

    >>> old_index(["d1~0a1b2c3d", "d2"], ["d1"])
    ''
    """
    old = sorted({*answered} & {*retired})
    if not old:
        return ""
    shown = ", ".join(old[:3]) + (", ..." if len(old) > 3 else "")
    return (
        f"it answers with {len(old)} document{'s' if len(old) > 1 else ''} that the altered corpus "
        f"does not have ({shown}): index and fit the system anew on this dataset's documents"
    )


def _checked(
    systems: Sequence[System], scores: ArrayLike, halves: Sequence[str]
) -> tuple[Floats, dict[str, NDArray[np.int64]]]:
    table = np.asarray(scores, np.float64).reshape(len(systems), -1)
    if not halves or table.shape[1] != len(halves):
        raise ValueError(f"scores of {table.shape[1]} queries, but halves of {len(halves)}")
    if not np.isfinite(table).all():
        raise ValueError("scores must be finite")
    labels = np.array(halves)
    return table, {str(half): np.flatnonzero(labels == half) for half in np.unique(labels)}


def _pair(systems: Sequence[System], scores: Floats, parts: Parts, a: int, b: int) -> Pair:
    difference, t = _paired_t(scores[a] - scores[b], parts)
    if difference < 0:
        a, b = b, a
    first, second = systems[a].family, systems[b].family
    word: Word = "open"
    if {first, second} == {"lexical", "dense"}:
        word = "not comparable"
    elif first == second != "unknown" and abs(t) >= LIKELY:
        word = "likely"
    return Pair(systems[a].name, systems[b].name, abs(difference), abs(t), word)


def _paired_t(differences: Floats, parts: Parts) -> tuple[float, float]:
    """Mean difference with equal weights of the halves, and its t.

    d = mean over h of mean(d_h); t = d / sqrt(sum over h of var(d_h) / n_h) * number of halves.
    Halves of one query have no variance and are taken into the mean only. With one half it is
    Student's paired t.
    """
    means = [float(differences[part].mean()) for part in parts]
    difference = math.fsum(means) / len(parts)
    noise = math.fsum(
        float(differences[part].var(ddof=1)) / len(part) for part in parts if len(part) > 1
    )
    if all(len(part) < 2 for part in parts) or abs(difference) < 1e-12:
        return difference, 0.0
    return difference, difference / (math.sqrt(noise) / len(parts)) if noise else math.inf
