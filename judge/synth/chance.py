"""The luck of one item: the same for ever, whatever the machine, the Python and the other items."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Chance:
    """A stream of choices that depends on nothing but its key.

    Item k of a generated set asks a chance of its own, so it comes out the same whether or not the
    items before it were made. The libraries' generators are not used, as none promises that its
    choices stay the same in its next release.

    Args:
        key: What the luck belongs to: seed, generator, version, item; told apart by `str`.

    Source: splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014),
    started from the first 8 bytes of a SHA-256.

    >>> Chance(1, "typos", 1, "q7").below(100) == Chance(1, "typos", 1, "q7").below(100)
    True
    """

    __slots__ = ("_state",)

    def __init__(self, *key: object) -> None:
        text = "\x1f".join(map(str, key)).encode("utf-8", "surrogatepass")
        self._state = int.from_bytes(sha256(text).digest()[:8], "big")

    def bits(self) -> int:
        """Give the next 64 bits."""
        self._state = z = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, count: int) -> int:
        """Give a whole number from 0 to `count - 1`, each as likely (to within 2^-64 * count)."""
        return (self.bits() * count) >> 64

    def between(self, low: int, high: int) -> int:
        """Give a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def happens(self, share: float) -> bool:
        """Whether something that happens with a probability of `share` does."""
        return self.bits() < share * 2.0**64

    def pick(self, choices: Sequence[T]) -> T:
        """Give one of several."""
        return choices[self.below(len(choices))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Give all items in an order of chance (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Give `count` different items (all, if there are fewer) in an order of chance."""
        size = len(items)
        if 4 * count >= size:
            return self.shuffled(items)[:count]
        places: dict[int, None] = {}
        while len(places) < count:
            places[self.below(size)] = None
        return [items[place] for place in places]
