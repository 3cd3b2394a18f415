"""Failures: which queries of a run went badly, and the likely reasons of each.

`MANUAL` has the rules for `judge explain failures`.
"""

from judge.scoring.failures.diagnoses import (
    CODES,
    CUTOFF,
    MANUAL,
    Answer,
    Diagnosis,
    Disputed,
    Facts,
)
from judge.scoring.failures.document import failures_document
from judge.scoring.failures.finding import Failure, Failures, find_failures

__all__ = [
    "CODES",
    "CUTOFF",
    "MANUAL",
    "Answer",
    "Diagnosis",
    "Disputed",
    "Facts",
    "Failure",
    "Failures",
    "failures_document",
    "find_failures",
]
