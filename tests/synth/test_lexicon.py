"""The words of the fact world: what every language file must keep."""

from __future__ import annotations

import string
import unicodedata
from itertools import combinations

import pytest

from judge.core.errors import InputError
from judge.core.text import words
from judge.synth.chance import Chance
from judge.synth.lexicon import LANGUAGES, ConceptFinder, concepts, lexicon
from judge.synth.world import Filler
from judge.synth.world.values import TYPES, written

FUNCTION_WORDS = {"a", "an", "the", "of", "to", "in", "for", "on", "with", "per", "at", "by"}
EACH = pytest.mark.parametrize("language", LANGUAGES)
FIELDS = {
    "title": "ea",
    "answer": "eatv",
    "partial": "eat",
    "overview": "ea",
    "mention": "ea",
    "aside": "v",
    "query": "eat",
    "query_open": "ea",
    "query_any": "et",
    "vague": "est",
}


def fields(pattern: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(pattern) if name}


def test_the_world_is_large_enough() -> None:
    known = concepts()
    assert len(known.domains) >= 6
    assert len(known.entities) >= 40
    assert len(known.actions) >= 14
    assert len(known.attributes) >= 8
    assert set(known.attributes.values()) == set(TYPES)
    assert known.domain_of("passport") == "civic"


@EACH
def test_every_concept_has_two_wordings_without_a_common_word(language: str) -> None:
    found, known = lexicon(language), concepts()
    assert set(found.entities) == set(known.entities)
    assert set(found.actions) == set(found.situations) == set(known.actions)
    assert set(found.attributes) == set(known.attributes)
    for table in (found.entities, found.actions, found.attributes):
        for one, other in table.values():
            assert not (set(words(one)) & set(words(other))) - FUNCTION_WORDS


@EACH
def test_no_wording_stands_in_another(language: str) -> None:
    found = lexicon(language)
    tables = (found.entities, found.actions, found.attributes)
    surfaces = [wording for table in tables for pair in table.values() for wording in pair]
    for one, other in combinations(surfaces, 2):
        inner, outer = sorted((words(one), words(other)), key=len)
        spread = [outer[at : at + len(inner)] for at in range(len(outer))]
        assert inner not in spread, (one, other)


@EACH
def test_every_pattern_says_what_it_must(language: str) -> None:
    found = lexicon(language)
    for name, wanted in FIELDS.items():
        for pattern in getattr(found, name):
            assert fields(pattern) == set(wanted), (name, pattern)
    for patterns, wanted in zip(
        (found.jargon["explain"], found.jargon["query"], found.jargon["answer"]),
        ("jea", "jt", "jtv"),
        strict=True,
    ):
        assert all(fields(pattern) == set(wanted) for pattern in patterns)
    assert all("cue" in fields(pattern) for pattern in found.homograph_query)
    assert len(found.answer) == len(found.partial)


@EACH
def test_the_grammar_ends_and_makes_many_sentences(language: str) -> None:
    filler = Filler(lexicon(language).filler)
    sentences = {filler.sentence(Chance(language, n)) for n in range(2000)}
    assert len(sentences) > 1200
    assert not any(set("{}") & set(sentence) for sentence in sentences)


@EACH
def test_values_differ_by_type_and_are_normalised(language: str) -> None:
    found = lexicon(language)
    seen: dict[str, str] = {}
    for kind in TYPES:
        for number in range(60):
            value = written(found, kind, Chance(kind, number))
            assert value.type == kind
            assert unicodedata.is_normalized("NFC", value.text)
            assert any(char.isdigit() for char in value.text)
            assert seen.setdefault(value.text, kind) == kind


@EACH
def test_homographs_have_two_fields(language: str) -> None:
    found = lexicon(language)
    assert len(found.homographs) >= 6
    for homograph in found.homographs:
        for sense in homograph.senses:
            assert len(sense.context) >= 5
            around = [word for context in sense.context for word in words(context)]
            assert not set(words(homograph.word)) & set(around)
            assert not set(words(sense.cue)) & set(around)
        one, other = homograph.senses
        assert not set(one.context) & set(other.context)


@EACH
def test_places_are_many_and_neighbours_differ(language: str) -> None:
    found = lexicon(language)
    names = [found.place(number) for number in range(found.place_count)]
    assert len(set(names)) == len(names) >= 400


def test_concepts_are_found_longest_first_and_only_as_whole_words() -> None:
    find = ConceptFinder(["en"])
    assert find("API KEY renewal") == ["entity:api_key", "action:renew"]
    assert find("the feeling of renewals") == []
    assert find("In Kelham, a mortgage: cost?") == ["place:0", "entity:home_loan", "attribute:fee"]


def test_an_unknown_language_is_told() -> None:
    with pytest.raises(InputError, match='no words for the language "tlh"'):
        lexicon("tlh")
