"""What all kinds share that are made of facts: the pages, and how facts are dealt to queries."""

from __future__ import annotations

from hashlib import sha256
from math import gcd
from typing import TYPE_CHECKING, Any

from judge.core.errors import InputError, Problem
from judge.core.model import Query
from judge.synth.chance import Chance
from judge.synth.lexicon import lexicon
from judge.synth.seam import Asked
from judge.synth.world import (
    PAGES_PER_PAIR,
    Expressed,
    Fact,
    Scribe,
    World,
    grades_of,
    hard_negatives_of,
)
from judge.synth.world.pages import pages_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from judge.core.model import Document
    from judge.synth.seam import Kind, Request
    from judge.synth.world.pages import Page


class FactSet:
    """Pages about facts, and queries about some of them.

    Subclasses give the queries; some write other pages.

    Args:
        kind: Which kind is made.
        request: What was asked for.
        languages: Every page is written in each; the first one is that of the queries.
        world: What is true; made to the size asked for if it is not given.
    """

    closed = True

    def __init__(
        self,
        kind: Kind,
        request: Request,
        *,
        languages: Sequence[str] = (),
        world: World | None = None,
    ) -> None:
        self.kind, self.request = kind, request
        spoken = tuple(languages) or request.languages[:1]
        pairs = -(-request.size // (PAGES_PER_PAIR * len(spoken)))
        self.world = world or World(pairs, seed=request.seed)
        key = (kind.name, kind.version)
        self.scribes = {name: Scribe(self.world, lexicon(name), key) for name in spoken}
        self.scribe = self.scribes[spoken[0]]
        self.facts = len(self.world) * len(self.world.attributes)
        if request.queries > self.facts:
            raise InputError(
                Problem(
                    f"{request.queries:,} queries need more facts than {request.size:,} documents"
                    f" tell: {self.facts:,}",
                    field="--queries",
                    expected="fewer queries, or a larger --size",
                )
            )

    def documents(self) -> Iterator[Document]:
        """Give all pages, those of a pair in an order of chance."""
        for pair in self.world.pairs():
            pages = [(scribe, page) for scribe in self.scribes.values() for page in pages_of(pair)]
            for scribe, page in self.chance("order", *pair).shuffled(pages):
                yield self.document(scribe, page)

    def document(self, scribe: Scribe, page: Page) -> Document:
        """Write a page; subclasses may write another."""
        return scribe.document(page)

    def asked(self) -> Iterator[Asked]:
        """Give all queries."""
        return map(self.ask, range(self.request.queries))

    def ask(self, number: int) -> Asked:
        """Give one query by its number; subclasses do."""
        raise NotImplementedError

    def chance(self, *item: object) -> Chance:
        """Give the luck of an item."""
        return Chance(self.kind.name, self.kind.version, self.request.seed, *item)

    def fact(self, number: int) -> Fact:
        """Give the fact that a query is about; no two queries are about the same one."""
        luck = self.chance("facts")
        step = luck.between(self.facts // 3, self.facts - 1) if self.facts > 3 else 1
        while gcd(step, self.facts) > 1:
            step += 1
        place = (luck.below(self.facts) + number * step) % self.facts
        pair, attribute = divmod(place, len(self.world.attributes))
        return Fact(self.world.pair(pair), self.world.attributes[attribute])

    def query(
        self,
        number: int,
        text: str,
        asked: Expressed,
        difficulty: Mapping[str, Any],
        language: str | None = None,
    ) -> Query:
        """Make a query with what is known of it; its language is that of the set by itself."""
        name = sha256(repr((self.kind.name, self.request.seed, number)).encode()).hexdigest()[:12]
        expressed = {part: value for part, value in asked._asdict().items() if value is not None}
        return Query(
            id=f"q{name}",
            text=text,
            language=language or self.scribe.words.language,
            category=self.kind.name,
            metadata={
                "kind": self.kind.name,
                "difficulty": dict(difficulty),
                "expressed": expressed,
            },
        )

    def answered(
        self, query: Query, asked: Expressed, chance: Chance, language: str | None = None
    ) -> Asked:
        """Give a query with its truth in one language, or in all of the set."""
        grades: dict[str, int] = {}
        hard: dict[str, str] = {}
        wrong = list(hard_negatives_of(self.world, asked, chance))
        for name, scribe in self.scribes.items():
            if language not in (None, name):
                continue
            grades |= {scribe.id_of(page): g for page, g in grades_of(self.world, asked)}
            hard |= {scribe.id_of(page): reason for page, reason in wrong}
        return Asked(query, grades, hard)
