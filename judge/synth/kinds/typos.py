"""Questions with typing errors: how many is a dial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.synth.kinds.facts import FactSet
from judge.synth.seam import Dial, Kind
from judge.synth.typos import mistyped
from judge.synth.world import Expressed
from judge.synth.world.pages import sentence

if TYPE_CHECKING:
    from judge.synth.seam import Asked, Made, Request


class Typos(FactSet):
    """Asks in the answer's own words, mistyped."""

    def ask(self, number: int) -> Asked:
        """Ask for a value with errors in the words that count."""
        fact, chance = self.fact(number), self.chance("query", number)
        slots = self.scribe.slots(fact.pair, fact.attribute, self.scribe.registers(fact.pair))
        rate = self.kind.dial(self.request, "rate")
        wrong = {name: mistyped(words, rate, chance) for name, words in slots.items()}
        said = {name: found.text for name, found in wrong.items()}
        text = sentence(chance.pick(self.scribe.words.query), said)
        asked = Expressed.all_of(fact.pair, fact.attribute)
        difficulty = {"typos": sum(len(found.edits) for found in wrong.values()), "rate": rate}
        return self.answered(self.query(number, text, asked, difficulty), asked, chance)


def make(request: Request) -> Made:
    """Make a set of this kind."""
    return Typos(KIND, request)


KIND = Kind(
    name="typos",
    version=1,
    summary="the answers' own words with typing errors",
    manual="""\
Questions in the words of their answers; in each word of four letters and more that says what is
asked for, one of five errors (a letter too many, missing, another, two swapped, a neighbour on the
keyboard) is made with the probability `rate`, never in the first or last letter.

Truth: as in semantic-similarity. With a rate of 0 words alone find the answers.
""",
    size=2_000,
    queries=300,
    make=make,
    dials=(Dial("rate", 0.6, 0.0, 1.0, "how often a word has an error"),),
)
