"""The rules of judging: which card comes, what a key does to it, and what is safe on disk."""

from judge.judging.session.cards import (
    REASONS,
    Card,
    Outcome,
    Progress,
    QueryRow,
    Row,
    SaveState,
)
from judge.judging.session.machine import Session, local_now

__all__ = [
    "REASONS",
    "Card",
    "Outcome",
    "Progress",
    "QueryRow",
    "Row",
    "SaveState",
    "Session",
    "local_now",
]
