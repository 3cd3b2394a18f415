"""Questions that leave out what is to be done, so that many documents answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.synth.kinds.facts import FactSet
from judge.synth.seam import Kind
from judge.synth.world import Expressed
from judge.synth.world.pages import sentence

if TYPE_CHECKING:
    from judge.synth.seam import Asked, Made, Request


class MultiAnswer(FactSet):
    """Asks for an attribute of an entity, whatever is done with it."""

    def ask(self, number: int) -> Asked:
        """Leave the action out."""
        fact, chance = self.fact(number), self.chance("query", number)
        registers = self.scribe.registers(fact.pair)
        slots = self.scribe.slots(fact.pair, fact.attribute, registers)
        text = sentence(chance.pick(self.scribe.words.query_any), slots)
        asked = Expressed(fact.pair.entity, None, fact.attribute, fact.pair.place)
        answers = len(self.world.neighbours(asked.entity, asked.place, None))
        query = self.query(number, text, asked, {"answers": answers})
        return self.answered(query, asked, chance)


def make(request: Request) -> Made:
    """Make a set of this kind."""
    return MultiAnswer(KIND, request)


KIND = Kind(
    name="multi-answer",
    version=1,
    summary="questions that many documents answer; recall counts",
    manual="""\
A question names an entity and an attribute but not what is to be done, so the answers of all
actions are right. Look at recall: the first answer alone says little.

Truth: 3 states a value of the attribute for the entity, 2 is about both without a value, 1 is an
overview of the entity. Hard negatives: the same attribute of other entities.
""",
    size=2_000,
    queries=150,
    make=make,
)
