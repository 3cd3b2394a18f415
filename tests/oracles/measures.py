"""Measures from their definitions, one query at a time: what the formulas are compared with."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Grades = Mapping[str, int]
    Scores = Mapping[str, float]
    Formula = Callable[["Seen"], float | None]


class Seen(NamedTuple):
    """One query: the grades in rank order, those of all judged documents, the scale's highest.

    In rank order None is an unjudged document and a grade below 0 one that was only pooled.
    """

    grades: list[int | None]
    judged: list[int]
    top: int

    def cut(self, k: int | None) -> list[int | None]:
        return self.grades[:k]

    def relevant(self, rel: int) -> int:
        return sum(grade >= rel for grade in self.judged)


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


def known(grade: int | None) -> bool:
    return grade is not None and grade >= 0


def hits(grades: Sequence[int | None], rel: int) -> list[bool]:
    return [grade is not None and grade >= rel for grade in grades]


def over(above: float, below: float) -> float:
    return above / below if below else 0.0


def discounted(grades: Sequence[int | None], gain: Callable[[int], float]) -> float:
    total = 0.0
    for i, grade in enumerate(grades):
        total += gain(max(grade or 0, 0)) / math.log2(i + 2)
    return total


def dcg(k: int | None, gain: Callable[[int], float]) -> Formula:
    return lambda seen: discounted(seen.cut(k), gain)


def ndcg(k: int | None, gain: Callable[[int], float]) -> Formula:
    def value(seen: Seen) -> float:
        ideal = discounted(sorted(seen.judged, reverse=True)[:k], gain)
        return over(discounted(seen.cut(k), gain), ideal)

    return value


def precision(k: int, rel: int = 1) -> Formula:
    return lambda seen: sum(hits(seen.cut(k), rel)) / k


def recall(k: int | None, rel: int = 1) -> Formula:
    return lambda seen: over(sum(hits(seen.cut(k), rel)), seen.relevant(rel))


def capped_recall(k: int, rel: int = 1) -> Formula:
    return lambda seen: over(sum(hits(seen.cut(k), rel)), min(k, seen.relevant(rel)))


def success(k: int, rel: int = 1) -> Formula:
    return lambda seen: float(any(hits(seen.cut(k), rel)))


def reciprocal_rank(k: int | None = None, rel: int = 1) -> Formula:
    def value(seen: Seen) -> float:
        found = hits(seen.cut(k), rel)
        return 1 / (found.index(True) + 1) if any(found) else 0.0

    return value


def average_precision(k: int | None = None, rel: int = 1) -> Formula:
    def value(seen: Seen) -> float:
        total, count = 0.0, 0
        for i, hit in enumerate(hits(seen.cut(k), rel)):
            if hit:
                count += 1
                total += count / (i + 1)
        return over(total, seen.relevant(rel))

    return value


def r_precision(rel: int = 1) -> Formula:
    def value(seen: Seen) -> float:
        count = seen.relevant(rel)
        return over(sum(hits(seen.cut(count), rel)), count)

    return value


def bpref(rel: int = 1) -> Formula:
    def value(seen: Seen) -> float:
        relevant = seen.relevant(rel)
        others = len(seen.judged) - relevant
        total, above = 0.0, 0
        for grade in seen.grades:
            if grade is None or grade < 0:
                continue
            if grade < rel:
                above += 1
            else:
                total += 1 - min(above, relevant) / min(others, relevant) if above else 1
        return over(total, relevant)

    return value


def inferred_ap(rel: int = 1) -> Formula:
    def value(seen: Seen) -> float:
        total, relevant, others, pooled = 0.0, 0, 0, 0
        for rank, grade in enumerate(seen.grades, 1):
            if grade is None:
                continue
            if grade < 0:
                pooled += 1
            elif grade < rel:
                others += 1
            elif rank == 1:
                total, relevant = total + 1, relevant + 1
            else:
                share = (relevant + 1e-5) / (relevant + others + 2e-5)
                in_pool = (relevant + others + pooled) / (rank - 1)
                total += 1 / rank + (rank - 1) / rank * in_pool * share
                relevant += 1
        return over(total, seen.relevant(rel))

    return value


def expected_reciprocal_rank(k: int | None = None, top: int | None = None) -> Formula:
    def value(seen: Seen) -> float:
        total, still = 0.0, 1.0
        for rank, grade in enumerate(seen.cut(k), 1):
            satisfied = (2.0 ** max(grade or 0, 0) - 1) / 2.0 ** (top or seen.top)
            total += still * satisfied / rank
            still *= 1 - satisfied
        return total

    return value


def rank_biased(p: float, k: int | None = None, rel: int | None = None) -> Formula:
    """With a graded gain if there is no `rel`."""

    def value(seen: Seen) -> float:
        total, patience = 0.0, 1 - p
        for grade in seen.cut(k):
            gain = max(grade or 0, 0) / seen.top
            total += patience * (gain if rel is None else (grade or 0) >= rel)
            patience *= p
        return total

    return value


def set_precision(rel: int = 1) -> Formula:
    return lambda seen: over(sum(hits(seen.grades, rel)), len(seen.grades))


def set_f(beta: float, rel: int = 1) -> Formula:
    def value(seen: Seen) -> float:
        found = sum(hits(seen.grades, rel))
        p, r = over(found, len(seen.grades)), over(found, seen.relevant(rel))
        return over((beta + 1) * p * r, r + beta * p)

    return value


def judged(k: int | None) -> Formula:
    def value(seen: Seen) -> float | None:
        top = seen.cut(k)
        return sum(map(known, top)) / len(top) if top else None

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
    "DCG@3": dcg(3, linear),
    "DCG(dcg='exp-log2')": dcg(None, exponential),
    **{f"P@{k}": precision(k) for k in (1, 3, 10)},
    **{f"R@{k}": recall(k) for k in (1, 3, 10)},
    **{f"R_cap@{k}": capped_recall(k) for k in (1, 3, 10)},
    **{f"Success@{k}": success(k) for k in (1, 3, 10)},
    **{f"RR@{k}": reciprocal_rank(k) for k in (1, 3, 10)},
    "RR": reciprocal_rank(),
    **{f"AP@{k}": average_precision(k) for k in (1, 3, 10)},
    "AP": average_precision(),
    "Rprec": r_precision(),
    "Bpref": bpref(),
    "infAP": inferred_ap(),
    **{f"ERR@{k}": expected_reciprocal_rank(k) for k in (1, 3, 10)},
    "ERR": expected_reciprocal_rank(),
    "ERR(max_rel=6)": expected_reciprocal_rank(None, 6),
    "RBP(p=0.8, rel=1)": rank_biased(0.8, None, 1),
    "RBP(p=0.8, rel=1)@3": rank_biased(0.8, 3, 1),
    "RBP(p=0.5, gain='graded')": rank_biased(0.5),
    "RBP(p=0.95, gain='graded')@10": rank_biased(0.95, 10),
    "SetP": set_precision(),
    "SetR": recall(None),
    "SetF": set_f(1.0),
    "SetF(beta=0.25)": set_f(0.25),
    **{f"Judged@{k}": judged(k) for k in (1, 3, 10)},
    "Judged": judged(None),
    "P(rel=2)@3": precision(3, 2),
    "R(rel=2)@3": recall(3, 2),
    "R_cap(rel=2)@3": capped_recall(3, 2),
    "Success(rel=2)@3": success(3, 2),
    "RR(rel=2)": reciprocal_rank(None, 2),
    "AP(rel=2)": average_precision(None, 2),
    "Rprec(rel=2)": r_precision(2),
    "Bpref(rel=2)": bpref(2),
    "infAP(rel=2)": inferred_ap(2),
    "RBP(p=0.8, rel=2)@10": rank_biased(0.8, 10, 2),
    "SetP(rel=2)": set_precision(2),
    "SetR(rel=2)": recall(None, 2),
    "SetF(rel=2)": set_f(1.0, 2),
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
    """The value of each judged query; grades below 0 are no judgments.

    With `unjudged="scenario"` the value if all unjudged documents retrieved had the top grade.
    """
    top = max(1, *(max(grades.values()) for grades in qrels.values()))
    values = {}
    for query, grades in qrels.items():
        found = [grades.get(doc) for doc in ranked(run.get(query, {}), ties)]
        judged = [grade for grade in grades.values() if known(grade)]
        if not name.startswith("Judged"):
            if unjudged == "condense":
                found = [grade for grade in found if known(grade)]
            elif unjudged == "scenario":
                judged += [top for grade in found if not known(grade)]
                found = [grade if known(grade) else top for grade in found]
        values[query] = FORMULAS[name](Seen(found, judged, top))
    return values
