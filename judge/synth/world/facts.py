"""Which facts there are: entities, places, actions and attributes, and the order they come in."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from judge.synth.chance import Chance
from judge.synth.lexicon import concepts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Pair(NamedTuple):
    """Something that can be done with something: what a page is about.

    Attributes:
        entity: A concept.
        place: Number of the place that the entity belongs to; None in a world without places.
        action: A concept.
    """

    entity: str
    place: int | None
    action: str


class Fact(NamedTuple):
    """What a value is told of."""

    pair: Pair
    attribute: str


class World:
    """The pairs of a world of some size, in an order that brings every entity round.

    A world that needs more pairs than entities and actions give has places, and each place has
    everything; so it grows without end and a pair is found without a list of them.

    Args:
        pairs: How many.
        seed: Another one brings another order.
        entities: What there is in the place of the concepts' entities.
        places: There are at least so many places; 0: only if they are needed.
    """

    def __init__(
        self, pairs: int, *, seed: int, entities: Sequence[str] = (), places: int = 0
    ) -> None:
        known = concepts()
        self.attributes = tuple(known.attributes)
        self.seed = seed
        self._entities = tuple(Chance(seed, "entities").shuffled(entities or known.entities))
        self._actions = tuple(Chance(seed, "actions").shuffled(known.actions))
        self._block = len(self._entities) * len(self._actions)
        self._count = max(1, pairs)
        needed = -(-self._count // self._block)
        self.places = max(places, needed if needed > 1 else 0)

    def __len__(self) -> int:
        """Give the number of pairs."""
        return self._count

    def pair(self, number: int) -> Pair:
        """Give a pair by its number, from 0."""
        place, within = self._split(number)
        turn, at = divmod(within, len(self._entities))
        return Pair(self._entities[at], place, self._actions[(at + turn) % len(self._actions)])

    def pairs(self) -> Iterator[Pair]:
        """Give all pairs."""
        return map(self.pair, range(self._count))

    def has(self, pair: Pair) -> bool:
        """Whether a pair is in the world."""
        return self._number(pair) < self._count

    def neighbours(self, entity: str | None, place: int | None, action: str | None) -> list[Pair]:
        """Give the pairs with these parts, in the order of the world; None: whatever it is."""
        entities = self._entities if entity is None else (entity,)
        actions = self._actions if action is None else (action,)
        places: Sequence[int | None] = self._all_places if place is None else (place,)
        found = [Pair(e, p, a) for p in places for e in entities for a in actions]
        return sorted(filter(self.has, found), key=self._number)

    @cached_property
    def _all_places(self) -> Sequence[int | None]:
        return range(self.places) if self.places else (None,)

    @cached_property
    def _entity_at(self) -> dict[str, int]:
        return {entity: at for at, entity in enumerate(self._entities)}

    @cached_property
    def _action_at(self) -> dict[str, int]:
        return {action: at for at, action in enumerate(self._actions)}

    def _split(self, number: int) -> tuple[int | None, int]:
        """Give place and number within it; places take turns, so that each has the same pairs."""
        if not self.places:
            return None, number
        within, place = divmod(number, self.places)
        return place, within

    def _number(self, pair: Pair) -> int:
        at = self._entity_at[pair.entity]
        turn = (self._action_at[pair.action] - at) % len(self._actions)
        within = turn * len(self._entities) + at
        return within if pair.place is None else within * self.places + pair.place
