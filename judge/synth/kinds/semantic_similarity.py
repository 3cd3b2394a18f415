"""Questions in other words than the answers: how far words overlap is a dial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.synth.kinds.facts import FactSet
from judge.synth.seam import Dial, Kind
from judge.synth.world import Expressed
from judge.synth.world.pages import sentence

if TYPE_CHECKING:
    from judge.synth.seam import Asked, Made, Request

PARTS = ("entity", "action", "attribute")


class SemanticSimilarity(FactSet):
    """Each part of a question is worded as its answer words it, or otherwise."""

    def ask(self, number: int) -> Asked:
        """Ask for a value in words of which some are not the answer's."""
        fact, chance = self.fact(number), self.chance("query", number)
        overlap = self.kind.dial(self.request, "overlap")
        flipped = [part for part in PARTS if not chance.happens(overlap)]
        registers = self.scribe.registers(fact.pair).flipped(flipped)
        slots = self.scribe.slots(fact.pair, fact.attribute, registers)
        text = sentence(chance.pick(self.scribe.words.query), slots)
        asked = Expressed.all_of(fact.pair, fact.attribute)
        difficulty = {"other_words": ",".join(flipped) or "none", "flips": len(flipped)}
        query = self.query(number, text, asked, difficulty)
        return self.answered(query, asked, chance)


def make(request: Request) -> Made:
    """Make a set of this kind."""
    return SemanticSimilarity(KIND, request)


KIND = Kind(
    name="semantic-similarity",
    version=1,
    summary="questions in other words than their answers",
    manual="""\
Each entity, action and attribute has two wordings without a common content word. All pages of a
pair take one of the two for each part; a question takes the same or, with probability 1 - overlap,
the other. Where it takes the other, pages about other things have the question's word.

Truth: 3 states the value of the fact asked for, 2 is about the fact without a value, 1 is about the
entity and action. Hard negatives: the same attribute of another entity or action, with a value.
Queries without any other wording are the control: words alone find their answers.
""",
    size=2_000,
    queries=300,
    make=make,
    dials=(Dial("overlap", 0.6, 0.0, 1.0, "how often a part keeps the answer's wording"),),
)
