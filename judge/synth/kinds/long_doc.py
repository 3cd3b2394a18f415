"""Long documents that hold one answer, at a known depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.synth.kinds.facts import FactSet
from judge.synth.seam import Dial, Kind
from judge.synth.world import Expressed
from judge.synth.world.pages import ANSWER, sentence

if TYPE_CHECKING:
    from judge.core.model import Document
    from judge.synth.seam import Asked, Made, Request
    from judge.synth.world import Page, Scribe
    from judge.synth.world.facts import Pair

DEPTHS = (0.05, 0.25, 0.5, 0.75, 0.95)
WORDS, LETTERS = 2_400, 3_200
"""How long a document is at least: in words, or in letters where words do not stand apart."""


class LongDoc(FactSet):
    """Buries the key sentence of each page in a long text about nothing."""

    def depth(self, pair: Pair) -> float:
        """Give where the key sentences of a pair stand, as a share of their texts.

        All pages of a pair have it at one depth, so a slice by depth tells of nothing else.
        """
        return self.chance("depth", *pair).pick(DEPTHS)

    def document(self, scribe: Scribe, page: Page) -> Document:
        """Write a long page. Other pairs are mentioned at one rate, whatever it is about."""
        document = scribe.document(page)
        chance = scribe.chance("long", page)
        mentions = self.kind.dial(self.request, "mentions")
        sentences: list[str] = []
        length, least = 0, WORDS if scribe.words.spaced else LETTERS
        while length < least:
            if chance.happens(mentions):
                text = scribe.mention(page.pair, chance)
            else:
                text = scribe.filler.sentence(chance)
            sentences.append(text)
            length += text.count(" ") + 1 if scribe.words.spaced else len(text)
        if page.role != ANSWER:
            sentences[chance.below(len(sentences))] = scribe.aside(page, chance)
        key, _facts = scribe.key_sentence(page)
        depth = self.depth(page.pair)
        sentences.insert(int(depth * len(sentences)), key)
        place = scribe.words.place(chance.below(scribe.words.place_count))
        metadata = {**document.metadata, "depth": depth}
        text = scribe.join(sentences)
        return document.model_copy(update={"text": text, "title": place, "metadata": metadata})

    def ask(self, number: int) -> Asked:
        """Ask for a value in the words of its page."""
        fact, chance = self.fact(number), self.chance("query", number)
        slots = self.scribe.slots(fact.pair, fact.attribute, self.scribe.registers(fact.pair))
        text = sentence(chance.pick(self.scribe.words.query), slots)
        asked = Expressed.all_of(fact.pair, fact.attribute)
        depth = self.depth(fact.pair)
        query = self.query(number, text, asked, {"depth": depth})
        return self.answered(query, asked, chance)


def make(request: Request) -> Made:
    """Make a set of this kind."""
    return LongDoc(KIND, request)


KIND = Kind(
    name="long-doc",
    version=1,
    summary="one sentence that answers, somewhere in a long document",
    manual="""\
Documents of 2,200 tokens and more. The sentence that answers stands at a depth of .05, .25, .5, .75
or .95; the rest is about nothing and mentions other things at one rate in all documents, so that
neither length nor the number of matching words gives the answer away. Systems that read only the
first 512 tokens find only what stands at .05; look at slices by `depth`.

Truth: as in semantic-similarity, all in the words of the answer.
""",
    size=1_200,
    queries=300,
    make=make,
    dials=(Dial("mentions", 0.01, 0.0, 0.5, "the share of sentences that mention something else"),),
)
