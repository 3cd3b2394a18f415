"""Datasets from a corpus that someone has: tests of function, cloze queries, what they may say."""

from judge.synth.own.kinds import own_kinds
from judge.synth.own.known_items import KnownItems
from judge.synth.own.source import Folder, domain_of
from judge.synth.own.verdicts import (
    CAVEAT,
    Pair,
    System,
    Verdict,
    old_index,
    redundancy_warning,
    refuse_ranking,
    verdict,
)

__all__ = [
    "CAVEAT",
    "Folder",
    "KnownItems",
    "Pair",
    "System",
    "Verdict",
    "domain_of",
    "old_index",
    "own_kinds",
    "redundancy_warning",
    "refuse_ranking",
    "verdict",
]
