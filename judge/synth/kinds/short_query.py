"""Queries of one to three words, which several documents answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.synth.kinds.facts import FactSet
from judge.synth.seam import Kind
from judge.synth.world import Expressed

if TYPE_CHECKING:
    from judge.synth.chance import Chance
    from judge.synth.seam import Asked, Made, Request
    from judge.synth.world import Fact

SHAPES = (("entity",), ("entity", "action"), ("entity", "attribute"), ("action", "attribute"))
MOST_WORDS = 3


class ShortQuery(FactSet):
    """Says only some parts of a fact; whatever fits them answers."""

    def ask(self, number: int) -> Asked:
        """Say one or two parts of a fact."""
        fact, chance = self.fact(number), self.chance("query", number)
        shape, text = self._said(fact, chance)
        pair = fact.pair
        asked = Expressed(
            pair.entity if "entity" in shape else None,
            pair.action if "action" in shape else None,
            fact.attribute if "attribute" in shape else None,
            pair.place if "entity" in shape else None,
        )
        query = self.query(number, text, asked, {"shape": "+".join(shape)})
        return self.answered(query, asked, chance)

    def _said(self, fact: Fact, chance: Chance) -> tuple[tuple[str, ...], str]:
        """Give the parts that are said, and the words, of which there are few."""
        words = self.scribe.words
        # Where there are places, a query without an entity would have answers everywhere.
        shapes = SHAPES if not self.world.places else SHAPES[:3]
        for shape in (*chance.shuffled(shapes), ("entity",)):
            registers = self.scribe.registers(fact.pair)
            slots = self.scribe.slots(fact.pair, fact.attribute, registers)
            names = {"entity": slots["e"], "action": slots["a"], "attribute": slots["t"]}
            text = (" " if words.spaced else "").join(names[part] for part in shape)
            if not words.spaced or len(text.split()) <= MOST_WORDS:
                return shape, text
        return ("entity",), text


def make(request: Request) -> Made:
    """Make a set of this kind."""
    return ShortQuery(KIND, request)


KIND = Kind(
    name="short-query",
    version=1,
    summary="one to three words, with several right answers",
    manual="""\
Queries such as people type: an entity, an entity and what to do with it, an entity and what to know
of it, or what to do and to know. The words are those of one of the answers.

Truth: what a query leaves out, any answer may fill in. 3 states a value and fits all that is said,
2 fits all that is said without a value, 1 is about the entity and action if both are said.
""",
    size=2_000,
    queries=300,
    make=make,
)
