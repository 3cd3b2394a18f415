"""How a fact is written down: the pages of a pair, in the wording of one language."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core.model import Document
from judge.synth.chance import Chance
from judge.synth.lexicon import concepts
from judge.synth.world.facts import Fact
from judge.synth.world.filler import Filler
from judge.synth.world.values import Value, other_type, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from judge.synth.lexicon import Lexicon
    from judge.synth.world.facts import Pair, World

ANSWER, PARTIAL, OVERVIEW = "answer", "partial", "overview"
PAGES_PER_PAIR = 2 * len(concepts().attributes) + 1
MENTIONS = 0.3
"""The share of pages that mention another pair, whatever they are about."""


class Page(NamedTuple):
    """What a page is about.

    Attributes:
        role: `answer` (states the value), `partial` (all but the value), `overview` (of a pair).
        pair: What it is about.
        attribute: What it tells of the pair; None for an overview.
    """

    role: str
    pair: Pair
    attribute: str | None


class Registers(NamedTuple):
    """Which of its two wordings a text takes for each part of a fact."""

    entity: int
    action: int
    attribute: int

    def flipped(self, parts: Sequence[str]) -> Registers:
        """Take the other wording of some parts."""
        return Registers(*(one ^ (name in parts) for name, one in self._asdict().items()))


def pages_of(pair: Pair) -> Iterator[Page]:
    """Give the pages of a pair."""
    for attribute in concepts().attributes:
        yield Page(ANSWER, pair, attribute)
        yield Page(PARTIAL, pair, attribute)
    yield Page(OVERVIEW, pair, None)


class Scribe:
    """Writes the pages of a world in one language.

    Args:
        world: What is true.
        words: How it is said.
        key: Generator and version: part of the luck of every page.
    """

    def __init__(self, world: World, words: Lexicon, key: Sequence[object]) -> None:
        self.world, self.words = world, words
        self.key = (*key, world.seed)

    @cached_property
    def filler(self) -> Filler:
        """The grammar of sentences about nothing."""
        return Filler(self.words.filler)

    def id_of(self, page: Page) -> str:
        """Give the id of a page, from which nothing can be read."""
        text = repr((*self.key, self.words.language, *page))
        return "d" + sha256(text.encode()).hexdigest()[:15]

    def registers(self, pair: Pair) -> Registers:
        """Give the wordings that all pages of a pair take."""
        chance = Chance(*self.key, "registers", *pair)
        return Registers(chance.below(2), chance.below(2), chance.below(2))

    def value(self, fact: Fact) -> Value:
        """Give the value of a fact as this language writes it."""
        kind = concepts().attributes[fact.attribute]
        return written(self.words, kind, Chance(*self.key, "value", *fact.pair, fact.attribute))

    def slots(self, pair: Pair, attribute: str | None, registers: Registers) -> dict[str, str]:
        """Give what stands for the parts of a sentence."""
        words = self.words
        slots = {
            "e": words.thing(pair.entity, registers.entity, pair.place),
            "a": words.actions[pair.action][registers.action],
        }
        if attribute is not None:
            slots["t"] = words.attributes[attribute][registers.attribute]
        return slots

    def document(self, page: Page) -> Document:
        """Write a page: its key sentence among others about nothing, in an order of chance."""
        chance = self.chance("page", page)
        key, facts = self.key_sentence(page)
        sentences = [key, *self.around(page, chance)]
        slots = self.slots(page.pair, None, self.registers(page.pair))
        title = sentence(chance.pick(self.words.title), slots)
        return Document(
            id=self.id_of(page),
            title=title,
            text=self.join(chance.shuffled(sentences)),
            language=self.words.language,
            metadata=facts,
        )

    def chance(self, what: str, page: Page) -> Chance:
        """Give the luck of something about a page."""
        return Chance(*self.key, what, self.words.language, *page)

    def key_sentence(self, page: Page) -> tuple[str, dict[str, Any]]:
        """Give the sentence that a page is about, and what is known of it."""
        pair = page.pair
        slots = self.slots(pair, page.attribute, self.registers(pair))
        patterns = getattr(self.words, page.role)
        number = self.chance("key", page).below(len(patterns))
        facts: dict[str, Any] = {
            "role": page.role,
            "fact": [pair.entity, pair.action, page.attribute],
            "template": f"{page.role}-{number}",
        }
        if pair.place is not None:
            facts["place"] = self.words.place(pair.place)
        if page.role == ANSWER and page.attribute is not None:
            facts["value"] = self.value(Fact(pair, page.attribute)).text
        return sentence(patterns[number], {**slots, "v": facts.get("value", "")}), facts

    def around(self, page: Page, chance: Chance) -> list[str]:
        """Give the other sentences: a page without a value has one of another type, unrelated."""
        count = chance.between(3, 5)
        sentences = [self.filler.sentence(chance) for _ in range(count)]
        if page.role != ANSWER:
            sentences[0] = self.aside(page, chance)
        if chance.happens(MENTIONS):
            sentences.append(self.mention(page.pair, chance))
        return sentences

    def aside(self, page: Page, chance: Chance) -> str:
        """Give a sentence with a value that answers nothing asked of the pair."""
        kinds = concepts().attributes
        taken = {self.value(Fact(page.pair, attribute)).text for attribute in kinds}
        kind = kinds[page.attribute] if page.attribute else ""
        text = ""
        while not text or text in taken:
            text = written(self.words, other_type(kind, chance), chance).text
        return sentence(chance.pick(self.words.aside), {"v": text})

    def mention(self, pair: Pair, chance: Chance) -> str:
        """Give a sentence that names another pair and tells nothing of it."""
        other = pair
        while (other.entity, other.action) == (pair.entity, pair.action) and len(self.world) > 1:
            other = self.world.pair(chance.below(len(self.world)))
        registers = Registers(chance.below(2), chance.below(2), 0)
        return sentence(chance.pick(self.words.mention), self.slots(other, None, registers))

    def join(self, sentences: Sequence[str]) -> str:
        """Put sentences one after the other."""
        return (" " if self.words.spaced else "").join(sentences)


def sentence(pattern: str, slots: Mapping[str, str]) -> str:
    """Fill in a pattern and begin it with a capital, unless it begins with a value.

    A value stands in a text exactly as it is, so that it can be found in it.

    >>> sentence("{e}: {v}", {"e": "home loan", "v": "form K-18"})
    'Home loan: form K-18'
    >>> sentence("{v} it is", {"v": "form K-18"})
    'form K-18 it is'
    """
    text = pattern.format_map(slots)
    return text if pattern.startswith("{v}") else text[:1].upper() + text[1:]
