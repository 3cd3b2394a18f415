"""Facts, pages and what answers a question."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.synth.chance import Chance
from judge.synth.lexicon import concepts, lexicon
from judge.synth.world import (
    PAGES_PER_PAIR,
    Expressed,
    Pair,
    Scribe,
    World,
    grades_of,
    hard_negatives_of,
)
from judge.synth.world.pages import pages_of, sentence

ATTRIBUTES = tuple(concepts().attributes)


@given(st.integers(1, 3000), st.integers(0, 50), st.integers(0, 3))
def test_every_pair_stands_in_the_world_once(count: int, seed: int, places: int) -> None:
    world = World(count, seed=seed, places=places)
    pairs = list(world.pairs())
    assert len(set(pairs)) == len(pairs) == count == len(world)
    assert all(world.has(pair) and world._number(pair) == at for at, pair in enumerate(pairs))


def test_a_world_grows_by_places_only_when_it_must() -> None:
    block = len(concepts().entities) * len(concepts().actions)
    assert World(block, seed=1).places == 0
    assert World(block + 1, seed=1).places == 2
    small = [World(20, seed=1).pair(n) for n in range(20)]
    assert small == [World(block, seed=1).pair(n) for n in range(20)]


def test_neighbours_are_those_that_are_there() -> None:
    world = World(100, seed=3)
    pair = world.pair(7)
    same = [other for other in world.pairs() if other.entity == pair.entity]
    assert world.neighbours(pair.entity, None, None) == same
    assert world.neighbours(pair.entity, None, pair.action) == [pair]


def grades(world: World, asked: Expressed) -> dict[tuple[str, str | None, Pair], int]:
    return {(page.role, page.attribute, page.pair): g for page, g in grades_of(world, asked)}


def test_grades_follow_what_a_question_says() -> None:
    world = World(112, seed=2)
    pair = world.pair(5)
    full = grades(world, Expressed.all_of(pair, "fee"))
    assert full["answer", "fee", pair] == 3
    assert full["partial", "fee", pair] == 2
    assert full["answer", "form", pair] == full["partial", "form", pair] == 1
    assert full["overview", None, pair] == 1
    assert len(full) == PAGES_PER_PAIR == 17
    bare = grades(world, Expressed(pair.entity, None, None))
    assert {g for (role, _, _), g in bare.items() if role == "answer"} == {3}
    assert {g for (role, _, _), g in bare.items() if role != "answer"} == {2}
    many = grades(world, Expressed(pair.entity, None, "fee"))
    others = world.neighbours(pair.entity, None, None)
    assert len(others) == 2
    assert [many["answer", "fee", other] for other in others] == [3, 3]
    assert ("answer", "form", pair) not in many


def test_hard_negatives_answer_another_question() -> None:
    world = World(112, seed=2)
    pair = world.pair(5)
    asked = Expressed.all_of(pair, "fee")
    found = list(hard_negatives_of(world, asked, Chance(1)))
    answers = dict(grades_of(world, asked))
    assert {reason for _, reason in found} == {
        "same_entity_other_action",
        "same_action_other_entity",
    }
    for page, reason in found:
        assert page not in answers
        assert (page.role, page.attribute) == ("answer", "fee")
        assert (page.pair.entity == pair.entity) == (reason == "same_entity_other_action")
        assert (page.pair.action == pair.action) == (reason == "same_action_other_entity")


def test_a_page_holds_its_value_and_no_other_page_of_the_fact_does() -> None:
    world = World(60, seed=4)
    scribe = Scribe(world, lexicon("en"), ("test", 1))
    for pair in world.pairs():
        values: dict[str | None, str] = {}
        texts: dict[tuple[str, str | None], str] = {}
        for page in pages_of(pair):
            document = scribe.document(page)
            texts[page.role, page.attribute] = document.text or ""
            if page.role == "answer":
                values[page.attribute] = document.metadata["value"]
                assert document.metadata["value"] in document.text  # type: ignore[operator]
        for attribute, value in values.items():
            whole = rf"(?<!\w){re.escape(value)}(?!\w)"
            assert not re.search(whole, texts["partial", attribute])
            assert not re.search(whole, texts["overview", None])


def test_a_page_does_not_depend_on_others() -> None:
    words = lexicon("en")
    small = Scribe(World(60, seed=4), words, ("test", 1))
    page = next(pages_of(small.world.pair(11)))
    again = Scribe(World(60, seed=4), words, ("test", 1))
    list(map(again.document, pages_of(again.world.pair(3))))
    assert again.document(page) == small.document(page)


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [("{e}: {v}", "Home loan: form k-18"), ("{v} for {e}", "form k-18 for home loan")],
)
def test_only_a_value_keeps_its_first_letter(pattern: str, wanted: str) -> None:
    assert sentence(pattern, {"e": "home loan", "v": "form k-18"}) == wanted
