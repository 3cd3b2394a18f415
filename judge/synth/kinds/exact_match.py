"""Phrases word for word: the document that holds them is the answer."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from judge.synth.kinds.facts import FactSet
from judge.synth.seam import Asked, Kind
from judge.synth.world import Expressed, Page
from judge.synth.world.pages import ANSWER, PARTIAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judge.core.model import Query
    from judge.synth.seam import Made, Request
    from judge.synth.world import Fact

LEAST, MOST = 6, 8
"""Words of a phrase."""
LETTERS = 2
"""Letters that count as a word where words do not stand apart."""


class Phrase(NamedTuple):
    """A phrase, and the query that it is."""

    query: Query
    fact: Fact
    units: tuple[str, ...]


class ExactMatch(FactSet):
    """Takes phrases out of answers and looks who else holds them."""

    def asked(self) -> Iterator[Asked]:
        """Give all queries; the corpus is gone through once for it."""
        phrases = [self._phrase(number) for number in range(self.request.queries)]
        by_head: dict[tuple[str, ...], list[int]] = defaultdict(list)
        head = min(len(phrase.units) for phrase in phrases)
        for at, phrase in enumerate(phrases):
            by_head[phrase.units[:head]].append(at)
        holders: list[dict[str, int]] = [{} for _ in phrases]
        for document in self.documents():
            units = self._units(document.text or "")
            for start in range(len(units) - head + 1):
                for at in by_head.get(tuple(units[start : start + head]), ()):
                    wanted = phrases[at].units
                    if tuple(units[start : start + len(wanted)]) == wanted:
                        holders[at][document.id] = 3
        for phrase, grades in zip(phrases, holders, strict=True):
            partial = self.scribe.id_of(Page(PARTIAL, phrase.fact.pair, phrase.fact.attribute))
            yield Asked(phrase.query, grades, {partial: "same_fact_without_the_phrase"})

    def _phrase(self, number: int) -> Phrase:
        """Take a phrase with the value out of the sentence that states it."""
        fact, chance = self.fact(number), self.chance("query", number)
        page = Page(ANSWER, fact.pair, fact.attribute)
        text, facts = self.scribe.key_sentence(page)
        units = self._units(text)
        start = text.index(facts["value"])
        last = len(self._units(text[: start + len(facts["value"])]))
        # The value may begin within a word, behind a sign such as an opening quotation mark.
        is_inside = start > 0 and not text[start - 1].isspace() and self.scribe.words.spaced
        first = len(self._units(text[:start])) - is_inside
        wanted = chance.between(LEAST, MOST) * (1 if self.scribe.words.spaced else LETTERS)
        room = max(0, wanted - (last - first))
        left = min(first, max(room - (len(units) - last), chance.between(0, room)))
        phrase = tuple(units[first - left : last + room - left])
        asked = Expressed.all_of(fact.pair, fact.attribute)
        said = self._join(phrase)
        query = self.query(number, said, asked, {"words": len(phrase)})
        return Phrase(query, fact, phrase)

    def _units(self, text: str) -> list[str]:
        """Divide a text where a phrase may begin and end."""
        return text.split() if self.scribe.words.spaced else list(text)

    def _join(self, units: tuple[str, ...]) -> str:
        return (" " if self.scribe.words.spaced else "").join(units)


def make(request: Request) -> Made:
    """Make a set of this kind."""
    return ExactMatch(KIND, request)


KIND = Kind(
    name="exact-match",
    version=1,
    summary="phrases word for word",
    manual="""\
A phrase of six to eight words with a value in it, taken as it is out of a document.

Truth: every document that holds the phrase has grade 3, no other one has any. Hard negative: the
page about the same fact that lacks the value, in nearly the same words.
""",
    size=2_000,
    queries=300,
    make=make,
)
