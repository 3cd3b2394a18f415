"""Measures from their definitions, one query at a time: what the formulas are compared with."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Grades = Mapping[str, int]
    Scores = Mapping[str, float]
    Formula = Callable[[Sequence[int | None], Sequence[int]], float | None]


def single(score: float) -> float:
    """The score as a 32-bit float."""
    try:
        return float(struct.unpack("f", struct.pack("f", score))[0])
    except OverflowError:
        return math.copysign(math.inf, score)


def ranked(scores: Scores, ties: str = "trec") -> list[str]:
    """Document ids, best first: score descending, then id descending by bytes."""
    key = single if ties == "trec9" else float
    by_id = sorted(scores, key=lambda doc: doc.encode("utf-8"), reverse=True)
    return sorted(by_id, key=lambda doc: -key(scores[doc]))


def relevant(grades: Sequence[int | None], rel: int) -> list[bool]:
    return [grade is not None and grade >= rel for grade in grades]


def ndcg(k: int | None, gain: Callable[[int], float]) -> Formula:
    def dcg(grades: Sequence[int | None]) -> float:
        total = 0.0
        for i, grade in enumerate(grades[:k]):
            total += gain(grade or 0) / math.log2(i + 2)
        return total

    def value(grades: Sequence[int | None], judged: Sequence[int]) -> float:
        ideal = dcg(sorted(judged, reverse=True))
        return dcg(grades) / ideal if ideal else 0.0

    return value


def precision(k: int, rel: int = 1) -> Formula:
    return lambda grades, _judged: sum(relevant(grades[:k], rel)) / k


def recall(k: int, rel: int = 1) -> Formula:
    def value(grades: Sequence[int | None], judged: Sequence[int]) -> float:
        all_relevant = sum(relevant(judged, rel))
        return sum(relevant(grades[:k], rel)) / all_relevant if all_relevant else 0.0

    return value


def success(k: int, rel: int = 1) -> Formula:
    return lambda grades, _judged: float(any(relevant(grades[:k], rel)))


def reciprocal_rank(k: int | None = None, rel: int = 1) -> Formula:
    def value(grades: Sequence[int | None], _judged: Sequence[int]) -> float:
        hits = relevant(grades[:k], rel)
        return 1 / (hits.index(True) + 1) if any(hits) else 0.0

    return value


def average_precision(k: int | None = None, rel: int = 1) -> Formula:
    def value(grades: Sequence[int | None], judged: Sequence[int]) -> float:
        all_relevant = sum(relevant(judged, rel))
        total, seen = 0.0, 0
        for i, hit in enumerate(relevant(grades[:k], rel)):
            if hit:
                seen += 1
                total += seen / (i + 1)
        return total / all_relevant if all_relevant else 0.0

    return value


def judged(k: int) -> Formula:
    def value(grades: Sequence[int | None], _judged: Sequence[int]) -> float | None:
        top = grades[:k]
        return sum(grade is not None for grade in top) / len(top) if top else None

    return value


def linear(grade: int) -> float:
    return float(grade)


def exponential(grade: int) -> float:
    return 2.0**grade - 1.0


FORMULAS: dict[str, Formula] = {
    **{f"nDCG@{k}": ndcg(k, linear) for k in (1, 3, 10, 1000)},
    "nDCG": ndcg(None, linear),
    **{f"nDCG(dcg='exp-log2')@{k}": ndcg(k, exponential) for k in (1, 3, 10)},
    "nDCG(dcg='exp-log2')": ndcg(None, exponential),
    **{f"P@{k}": precision(k) for k in (1, 3, 10)},
    **{f"R@{k}": recall(k) for k in (1, 3, 10)},
    **{f"Success@{k}": success(k) for k in (1, 3, 10)},
    **{f"RR@{k}": reciprocal_rank(k) for k in (1, 3, 10)},
    "RR": reciprocal_rank(),
    **{f"AP@{k}": average_precision(k) for k in (1, 3, 10)},
    "AP": average_precision(),
    **{f"Judged@{k}": judged(k) for k in (1, 3, 10)},
    "P(rel=2)@3": precision(3, 2),
    "R(rel=2)@3": recall(3, 2),
    "Success(rel=2)@3": success(3, 2),
    "RR(rel=2)": reciprocal_rank(None, 2),
    "AP(rel=2)": average_precision(None, 2),
}
"""A formula for each measure by its name."""


def scores(
    qrels: Mapping[str, Grades],
    run: Mapping[str, Scores],
    name: str,
    *,
    ties: str = "trec",
    unjudged: str = "zero",
) -> dict[str, float | None]:
    """The value of each judged query; grades below 0 are no judgments."""
    values = {}
    for query, judged_here in qrels.items():
        known = {doc: grade for doc, grade in judged_here.items() if grade >= 0}
        grades = [known.get(doc) for doc in ranked(run.get(query, {}), ties)]
        if unjudged == "condense" and not name.startswith("Judged"):
            grades = [grade for grade in grades if grade is not None]
        values[query] = FORMULAS[name](grades, list(known.values()))
    return values
