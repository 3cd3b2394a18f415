"""Luck that belongs to an item."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from judge.synth.chance import Chance

SEEDS = st.integers(0, 2**32)


def splitmix(state: int) -> int:
    """One step, as Steele, Lea and Flood give it."""
    mask = 2**64 - 1
    z = (state + 0x9E3779B97F4A7C15) % 2**64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def test_the_first_bits_are_those_of_splitmix64_on_a_sha256() -> None:
    state = int.from_bytes(hashlib.sha256(b"7\x1fkind\x1fitem").digest()[:8], "big")
    assert Chance(7, "kind", "item").bits() == splitmix(state)


def test_the_published_stream_of_splitmix64() -> None:
    # The first outputs for the state 1234567, from the test vector of the reference program.
    chance = Chance()
    chance._state = 1234567
    assert [chance.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@given(SEEDS, st.integers(1, 1000))
def test_below_stays_below(seed: int, count: int) -> None:
    assert 0 <= Chance(seed).below(count) < count


@given(SEEDS, st.lists(st.integers(), max_size=40), st.integers(0, 60))
def test_a_sample_takes_each_place_once(seed: int, items: list[int], count: int) -> None:
    places = list(enumerate(items))
    found = Chance(seed).sample(places, count)
    assert len(found) == min(count, len(items)) == len(set(found))
    assert set(found) <= set(places)


@given(SEEDS, st.lists(st.integers()))
def test_shuffling_keeps_everything(seed: int, items: list[int]) -> None:
    assert sorted(Chance(seed).shuffled(items)) == sorted(items)


def test_keys_are_told_apart() -> None:
    assert Chance(1, "ab").bits() != Chance(1, "a", "b").bits()
    assert Chance(1, 2).bits() == Chance("1", "2").bits()


def test_what_happens_half_of_the_time_does() -> None:
    happened = sum(Chance("half", n).happens(0.5) for n in range(4000))
    assert 1850 < happened < 2150  # five standard deviations
    assert not any(Chance(n).happens(0.0) for n in range(100))
    assert all(Chance(n).happens(1.0) for n in range(100))
