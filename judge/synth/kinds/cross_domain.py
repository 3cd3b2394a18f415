"""Words with two meanings: the other meaning is the hard negative."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.synth.kinds.facts import FactSet
from judge.synth.lexicon import lexicon
from judge.synth.seam import Kind
from judge.synth.world import PAGES_PER_PAIR, Expressed, Page, Scribe, World
from judge.synth.world.pages import ANSWER, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from judge.core.model import Document
    from judge.synth.lexicon import Homograph, Sense
    from judge.synth.seam import Asked, Made, Request
    from judge.synth.world import Fact
    from judge.synth.world.facts import Pair
    from judge.synth.world.pages import Registers

AROUND = 3
"""How many words of its field stand around a homograph."""


class SenseScribe(Scribe):
    """Writes pages about homographs: an entity is one of them with one of its meanings."""

    def meaning(self, entity: str) -> tuple[Homograph, Sense]:
        """Give the word and the meaning that an entity stands for."""
        word, sense = map(int, entity.split("-"))
        homograph = self.words.homographs[word]
        return homograph, homograph.senses[sense]

    def slots(self, pair: Pair, attribute: str | None, registers: Registers) -> dict[str, str]:
        """Give what stands for the parts of a sentence."""
        homograph, _sense = self.meaning(pair.entity)
        words = self.words
        slots = {"e": homograph.word, "a": words.actions[pair.action][registers.action]}
        if attribute is not None:
            slots["t"] = words.attributes[attribute][registers.attribute]
        if pair.place is not None:
            slots["e"] = words.places["of"].format(place=words.place(pair.place), entity=slots["e"])
        return slots

    def registers(self, pair: Pair) -> Registers:
        """Give the wordings of a pair: both meanings take the same, so that they are alike."""
        word = pair.entity.split("-")[0]
        return super().registers(pair._replace(entity=word))

    def document(self, page: Page) -> Document:
        """Write a page, with words of its field around the homograph."""
        document = super().document(page)
        chance = self.chance("field", page)
        _homograph, sense = self.meaning(page.pair.entity)
        around = dict(zip("xyz", chance.sample(sense.context, AROUND), strict=True))
        field = sentence(chance.pick(self.words.homograph_context), around)
        text = self.join([field, document.text or ""])
        return document.model_copy(update={"text": text})


class CrossDomain(FactSet):
    """Asks for a homograph in one of its meanings."""

    def __init__(self, kind: Kind, request: Request) -> None:
        super().__init__(kind, request, world=_world(request))
        words = self.scribe.words
        self.senses = SenseScribe(self.world, words, (kind.name, kind.version))
        self.scribe = self.senses
        self.scribes = {words.language: self.senses}

    def ask(self, number: int) -> Asked:
        """Ask with the name of a field, which hardly any document says."""
        fact, chance = self.fact(number), self.chance("query", number)
        homograph, sense = self.senses.meaning(fact.pair.entity)
        registers = self.senses.registers(fact.pair)
        slots = self.senses.slots(fact.pair, fact.attribute, registers)
        said: Mapping[str, Any] = {**slots, "word": slots["e"], "cue": sense.cue}
        text = sentence(chance.pick(self.senses.words.homograph_query), said)
        asked = Expressed.all_of(fact.pair, fact.attribute)
        difficulty = {"word": homograph.word, "field": sense.cue}
        query = self.query(number, text, asked, difficulty)
        truth = self.answered(query, asked, chance)
        return truth._replace(hard_negatives={**truth.hard_negatives, **self._other_sense(fact)})

    def _other_sense(self, fact: Fact) -> dict[str, str]:
        """Give the answer about the same word in its other meaning."""
        word, sense = fact.pair.entity.split("-")
        other = fact.pair._replace(entity=f"{word}-{1 - int(sense)}")
        if not self.world.has(other):
            return {}
        page = Page(ANSWER, other, fact.attribute)
        return {self.senses.id_of(page): "same_word_other_sense"}


def _world(request: Request) -> World:
    """Make a world whose entities are the meanings of the homographs."""
    homographs = lexicon(request.languages[0]).homographs
    entities = [f"{word}-{sense}" for word in range(len(homographs)) for sense in (0, 1)]
    pairs = -(-request.size // PAGES_PER_PAIR)
    return World(pairs, seed=request.seed, entities=entities)


def make(request: Request) -> Made:
    """Make a set of this kind."""
    return CrossDomain(KIND, request)


KIND = Kind(
    name="cross-domain",
    version=1,
    summary="words with two meanings, told apart by their field",
    manual="""\
Each homograph (policy, port, key) has pages in both of its meanings, about the same actions and in
the same words but for a sentence with words of its field. A query names the field, which the pages
hardly do: words lead as well to the other meaning.

Truth: as in semantic-similarity, for the meaning asked for. Hard negative: the same page in the
other meaning, besides other words and other actions.
""",
    size=4_760,
    queries=300,
    make=make,
)
