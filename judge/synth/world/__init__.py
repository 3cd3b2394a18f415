"""The fact world: what is true in it, how it is written down, and which pages answer a question."""

from judge.synth.world.asking import Expressed, grades_of, hard_negatives_of
from judge.synth.world.facts import Fact, Pair, World
from judge.synth.world.filler import Filler
from judge.synth.world.pages import PAGES_PER_PAIR, Page, Scribe
from judge.synth.world.values import Value

__all__ = [
    "PAGES_PER_PAIR",
    "Expressed",
    "Fact",
    "Filler",
    "Page",
    "Pair",
    "Scribe",
    "Value",
    "World",
    "grades_of",
    "hard_negatives_of",
]
