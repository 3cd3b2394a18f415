"""Failures of small made-up rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.failures import (
    CODES,
    Facts,
    Failures,
    find_failures,
)
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, evaluate, gather

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


NOTHING = Facts()


def find(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Sequence[str]],
    measure: str = "RR@3",
    facts: Facts = NOTHING,
    options: ScoreOptions | None = None,
    **limits: Any,
) -> Failures:
    """Failures of rankings that are given best first."""
    judgments = [Judgment(q, d, g) for q, table in qrels.items() for d, g in table.items()]
    hits = {q: [Hit(d, -float(i)) for i, d in enumerate(docs)] for q, docs in run.items()}
    evidence = gather(
        Qrels.from_judgments(judgments), Run.from_hits("mine", hits), options or ScoreOptions()
    )
    parsed = parse_measure(measure)
    return find_failures(evidence, evaluate(evidence, [parsed]), parsed, facts, **limits)


def diagnoses(
    grades: Mapping[str, int],
    ranking: Sequence[str],
    facts: Facts = NOTHING,
    options: ScoreOptions | None = None,
    **limits: Any,
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The diagnoses of one query, whatever its value is: for each code what it says, and of what.

    The look goes to rank 3; another query only lets the run meet the qrels.
    """
    qrels, run = {"q": grades, "other": {"a": 1}}, {"q": ranking, "other": ["a"]}
    found = find(qrels, run, facts=facts, options=options, below=1.1, **limits)
    (failure,) = (failure for failure in found.failures if failure.query_id == "q")
    codes = [diagnosis.code for diagnosis in failure.diagnoses]
    assert codes == [code for code in CODES if code in codes]
    return {d.code: (d.says, d.docs) for d in failure.diagnoses}
