"""The rules of judging: which card comes, what a key does to it, and what is safe on disk."""

from judge.judging.session.cards import (
    REASONS,
    Card,
    Near,
    Outcome,
    Pace,
    Progress,
    QueryRow,
    Row,
    SaveState,
    Streak,
)
from judge.judging.session.looking import Revisited
from judge.judging.session.machine import Session
from judge.judging.session.opening import local_now

__all__ = [
    "REASONS",
    "Card",
    "Near",
    "Outcome",
    "Pace",
    "Progress",
    "QueryRow",
    "Revisited",
    "Row",
    "SaveState",
    "Session",
    "Streak",
    "local_now",
]
