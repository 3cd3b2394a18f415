"""Which queries of a run failed, and what there is to see of each of them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge.core.errors import InputError, MeasureError, Problem
from judge.core.tables.grouping import run_starts
from judge.core.tables.ties import comparable, descending
from judge.scoring.failures.diagnoses import CODES, CUTOFF, Answer, Case, Diagnosis, diagnose
from judge.scoring.failures.ideal import ideal_values
from judge.scoring.failures.order import natural
from judge.scoring.measures.ranking import ratio

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from judge.scoring.failures.diagnoses import Facts
    from judge.scoring.measures import Measure
    from judge.scoring.score import Evidence, Scores


class Failure(NamedTuple):
    """One query that went badly.

    Attributes:
        query_id: The query.
        value: What the measure gives it.
        ideal: The highest value that its judgments allow; 0 without a relevant document.
        judged: Which share of the top k has been judged; None if nothing was retrieved.
        diagnoses: What may explain it, the most telling first; may be empty.
        relevant: The relevant documents, by rank; those that are not ranked last, best grade first.
    """

    query_id: str
    value: float
    ideal: float
    judged: float | None
    diagnoses: tuple[Diagnosis, ...]
    relevant: tuple[Answer, ...]

    @property
    def primary(self) -> str | None:
        """The code of the most telling diagnosis; None if there is none."""
        return self.diagnoses[0].code if self.diagnoses else None


@dataclass(frozen=True)
class Failures:
    """The queries of a run that went badly.

    Attributes:
        run: Its name.
        measure: The full name of the measure.
        cutoff: k, how deep the diagnoses look.
        below: A query with less than this part of its ideal value failed.
        queries: How many queries have a value.
        failed: How many of them failed.
        diagnoses: How many of these have each diagnosis; only those that occur.
        primary: For how many of them each diagnosis is the most telling one; likewise.
        failures: The failed queries, or the worst of them, worst first.
    """

    run: str
    measure: str
    cutoff: int
    below: float
    queries: int
    failed: int
    diagnoses: Mapping[str, int]
    primary: Mapping[str, int]
    failures: tuple[Failure, ...]


def find_failures(
    evidence: Evidence,
    scores: Scores,
    measure: Measure,
    facts: Facts,
    *,
    below: float = 0.5,
    worst: int | None = None,
    k: int | None = None,
) -> Failures:
    """Find the queries of a run that went badly, and what may explain each.

    Failed is a query with value / ideal < `below`, where ideal is the value of the ideal ranking
    (`ideal_values`; 0 / 0 is taken as 0); one without a value (NaN) is not counted. Relevant is a
    document from the measure's own `rel` on, or else from `evidence.options.relevant_from`. Ranks
    are those of the run with ties settled as the options say and unjudged documents in their
    places. Grades below 0 are no judgments. The rules of the diagnoses are in `MANUAL`.

    Args:
        evidence: The run and the qrels.
        scores: The values of that evidence, with those of the measure.
        measure: Which one decides; the higher the better.
        facts: What is known besides, for further diagnoses.
        below: From which part of its ideal value on a query did not fail.
        worst: Return only so many, the worst; all are diagnosed and counted. None returns all.
        k: How deep the diagnoses look; None takes the measure's cutoff, or 10 if it has none.

    Returns:
        The failures by their part of the ideal value; equal ones by the rank of their best answer,
        the farthest first (not ranked is farthest, no answer is last), then by id.

    Raises:
        MeasureError: The scores do not have the measure, or it tells nothing of the ranking.
        InputError: `below` is not finite, or `worst` or `k` is less than 1.

    >>> from judge.core.model import Hit, Judgment
    >>> from judge.core.tables import Qrels, Run
    >>> from judge.scoring.failures import Facts
    >>> from judge.scoring.measures import parse_measure
    >>> from judge.scoring.score import ScoreOptions, evaluate, gather
    >>> qrels = Qrels.from_judgments([Judgment("q1", "a", 1), Judgment("q1", "x", 0)])
    >>> run = Run.from_hits("mine", {"q1": [Hit("x", 3.0), Hit("y", 2.0), Hit("a", 1.0)]})
    >>> evidence, measure = gather(qrels, run, ScoreOptions()), parse_measure("RR@10")
    >>> found = find_failures(evidence, evaluate(evidence, [measure]), measure, Facts())
    >>> found.failures[0].diagnoses[0].says
    'the only relevant document is not first: "a" at 3'
    """
    bound = measure.bound(evidence.options.relevant_from)
    _refuse_measure(bound, scores)
    cutoff = (bound.cutoff or CUTOFF) if k is None else k
    _refuse_limits(below, worst, cutoff)
    rel = int(dict(bound.parameters).get("rel", evidence.options.relevant_from))
    values, ideals = scores.values[str(bound)], ideal_values(evidence, scores, bound, rel)
    parts = np.where(np.isnan(values), np.nan, ratio(values, ideals))
    cases = _Cases(evidence, facts, cutoff, rel)
    counts: Counter[str] = Counter()
    primary: Counter[str] = Counter()
    listed: list[Failure] = []
    bad = _worst_first(scores.query_ids, parts, below, cases)
    for i in bad:
        case = cases.of(scores.query_ids[i])
        failure = Failure(
            case.query_id,
            float(values[i]),
            float(ideals[i]),
            case.judged,
            diagnose(case),
            case.answers,
        )
        counts.update(diagnosis.code for diagnosis in failure.diagnoses)
        primary.update([failure.primary] if failure.primary else [])
        if worst is None or len(listed) < worst:
            listed.append(failure)
    return Failures(
        run=scores.run,
        measure=str(bound),
        cutoff=cutoff,
        below=float(below),
        queries=int((~np.isnan(values)).sum()),
        failed=len(bad),
        diagnoses=_in_order(counts),
        primary=_in_order(primary),
        failures=tuple(listed),
    )


def _in_order(counts: Counter[str]) -> dict[str, int]:
    return {code: counts[code] for code in CODES if counts[code]}


def _worst_first(
    query_ids: Sequence[str], parts: NDArray[np.float64], below: float, cases: _Cases
) -> list[int]:
    """The places of the queries that failed."""
    bad: list[int] = np.flatnonzero(parts < below).tolist()
    return sorted(
        bad, key=lambda i: (parts[i], -cases.best_rank(query_ids[i]), natural(query_ids[i]))
    )


def _refuse_measure(measure: Measure, scores: Scores) -> None:
    if measure.definition.about_judging:
        raise MeasureError(f"{measure} tells how much is judged, not which queries went badly")
    if str(measure) not in scores.values:
        known = ", ".join(scores.values)
        raise MeasureError(f"the scores of run {scores.run} have no {measure}; they have: {known}")


def _refuse_limits(below: float, worst: int | None, cutoff: int) -> None:
    wrong = []
    if not math.isfinite(below):
        wrong.append(Problem(f"{below} is no value", field="below", expected="a finite number"))
    if worst is not None and worst < 1:
        wrong.append(Problem(f"{worst} is too few", field="worst", expected="1 or more"))
    if cutoff < 1:
        wrong.append(Problem(f"{cutoff} is no cutoff", field="k", expected="1 or more"))
    if wrong:
        raise InputError(*wrong)


class _Cases:
    """Makes the cases of a run laid beside qrels.

    Args:
        evidence: The run and the qrels.
        facts: What is known besides.
        k: How deep the diagnoses look.
        relevant_from: The least grade of a relevant document.
    """

    def __init__(self, evidence: Evidence, facts: Facts, k: int, relevant_from: int) -> None:
        self._evidence, self._facts = evidence, facts
        self._k, self._relevant_from = k, relevant_from
        matches = evidence.matches
        qrels = evidence.qrels
        self._ranks: NDArray[np.int64] = np.zeros(len(qrels), np.int64)  # 0: not ranked
        self._ranks[matches.judgment] = matches.rank
        self._only_relevant = int(qrels.all_grades.min()) >= evidence.options.relevant_from
        answers = qrels.all_grades >= relevant_from
        self._best = np.zeros(len(qrels.query_ids))
        self._best[qrels.queries[answers]] = math.inf
        ranked = answers & (self._ranks > 0)
        np.minimum.at(self._best, qrels.queries[ranked], self._ranks[ranked].astype(np.float64))

    def best_rank(self, query_id: str) -> float:
        """The rank of its best answer; infinite if none is ranked, 0 if none is known."""
        return float(self._best[self._evidence.qrels.query_index[query_id]])

    def of(self, query_id: str) -> Case:
        """The case of a judged query."""
        qrels = self._evidence.qrels
        place = qrels.query_index[query_id]
        rows = np.arange(qrels.starts[place], qrels.starts[place + 1])
        rows = rows[qrels.all_grades[rows] >= 0]
        docs, grades = qrels.docs.take(rows), qrels.all_grades[rows].tolist()
        answers = [
            Answer(doc_id, grade, rank or None)
            for doc_id, grade, rank in zip(docs, grades, self._ranks[rows].tolist(), strict=True)
            if grade >= self._relevant_from
        ]
        answers.sort(key=lambda answer: (answer.rank or math.inf, -answer.grade))
        return Case(
            query_id,
            self._k,
            self._relevant_from,
            self._top(int(self._evidence.matches.run_query[place])),
            dict(zip(docs, grades, strict=True)),
            tuple(answers),
            self._only_relevant,
            self._facts,
        )

    def _top(self, place: int) -> tuple[str, ...]:
        """The first k documents of a query of the run, -1 if it is missing; ties are settled."""
        if place < 0:
            return ()
        run, k = self._evidence.run, self._k
        first, last = int(run.starts[place]), int(run.starts[place + 1])
        scores = comparable(run.scores[first:last], self._evidence.options.ties)
        # All that are tied with the k-th must be looked at to know which it is.
        size = int(np.searchsorted(-scores, -scores[min(k, len(scores)) - 1], "right"))
        new = np.zeros(size, bool)
        new[run_starts(scores[:size])] = True
        rows = run.pairs.source(np.arange(first, first + size))
        order = descending(run.pairs.docs, rows, np.cumsum(new))
        return tuple(run.pairs.docs.take(rows[order[:k]]))
