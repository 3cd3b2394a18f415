"""What a lexicon holds: the concepts of the world, and how each language words them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from judge.core.errors import InputError, Problem, quoted

LANGUAGES = ("en", "zh", "ja", "ar")
"""The languages that there is a lexicon for, as BCP 47 tags."""

Registers = Mapping[str, tuple[str, str]]
"""Concept -> its ordinary and its other wording, which share no content word."""


class Sense(NamedTuple):
    """One meaning of a homograph: the word that tells which, and words found around it."""

    cue: str
    context: tuple[str, ...]


class Homograph(NamedTuple):
    """A word with two meanings."""

    word: str
    senses: tuple[Sense, Sense]


@dataclass(frozen=True)
class Concepts:
    """What the world is made of, in no language.

    Attributes:
        version: Goes up when the concepts or their order change.
        domains: Domain -> its entities.
        actions: What is done with any entity.
        attributes: What is told of any entity and action -> the type of its value.
    """

    version: int
    domains: Mapping[str, tuple[str, ...]]
    actions: tuple[str, ...]
    attributes: Mapping[str, str]

    @property
    def entities(self) -> tuple[str, ...]:
        """All entities, domain by domain."""
        return tuple(entity for domain in self.domains.values() for entity in domain)

    def domain_of(self, entity: str) -> str:
        """Give the domain of an entity."""
        return next(name for name, entities in self.domains.items() if entity in entities)


@dataclass(frozen=True)
class Lexicon:
    """How one language says it all.

    Attributes:
        language: BCP 47.
        version: Goes up when any wording changes.
        name: Of the language, in English.
        spaced: Whether words stand apart.
        entities: Wordings, as those of `actions` and `attributes`.
        situations: Action -> what has happened to somebody who wants it.
        values: How amounts, dates and the like are written, by type.
        places: Parts of made-up names of places, and how one joins an entity.
        title: Sentences to fill in, as all that follow.
        filler: A grammar of sentences about nothing: symbol -> what may stand for it.
        homographs: Words with two meanings.
    """

    language: str
    version: int
    name: str
    spaced: bool
    entities: Registers
    actions: Registers
    situations: Mapping[str, str]
    attributes: Registers
    values: Mapping[str, Any]
    places: Mapping[str, Any]
    title: tuple[str, ...]
    answer: tuple[str, ...]
    partial: tuple[str, ...]
    overview: tuple[str, ...]
    mention: tuple[str, ...]
    aside: tuple[str, ...]
    query: tuple[str, ...]
    query_open: tuple[str, ...]
    query_any: tuple[str, ...]
    vague: tuple[str, ...]
    jargon: Mapping[str, tuple[str, ...]]
    filler: Mapping[str, tuple[str, ...]]
    homographs: tuple[Homograph, ...]
    homograph_context: tuple[str, ...]
    homograph_query: tuple[str, ...]

    @property
    def place_count(self) -> int:
        """How many names of places can be made."""
        return len(self.places["first"]) * len(self.places["second"])

    def place(self, number: int) -> str:
        """Give the made-up name of a place."""
        first, second = self.places["first"], self.places["second"]
        # Neighbours in number differ in both parts, so that few places do not look alike.
        one = number % len(first)
        other = (number // len(first) + one) % len(second)
        return f"{first[one]}{second[other]}"

    def coined(self) -> list[str]:
        """Give all words that could be coined in a house."""
        return [stem + end for stem in self.jargon["stems"] for end in self.jargon["ends"]]

    def thing(self, entity: str, register: int, place: int | None = None) -> str:
        """Give the wording of an entity, with its place if it has one."""
        words = self.entities[entity][register]
        if place is None:
            return words
        pattern: str = self.places["of"]
        return pattern.format(place=self.place(place), entity=words)


def _frozen(value: object) -> object:
    if isinstance(value, list):
        return tuple(_frozen(part) for part in value)
    if isinstance(value, dict):
        return {key: _frozen(part) for key, part in value.items()}
    return value


def _homograph(record: Mapping[str, Any]) -> Homograph:
    one, other = (Sense(sense["cue"], tuple(sense["context"])) for sense in record["senses"])
    return Homograph(record["word"], (one, other))


def _data(name: str) -> dict[str, Any]:
    file = resources.files("judge.synth.lexicon") / "data" / f"{name}.json"
    read: dict[str, object] = json.loads(file.read_text("utf-8"))
    return {key: _frozen(value) for key, value in read.items()}


@cache
def concepts() -> Concepts:
    """Give the concepts of the world."""
    return Concepts(**_data("concepts"))


@cache
def lexicon(language: str) -> Lexicon:
    """Give the lexicon of a language.

    Raises:
        InputError: There is none.

    >>> lexicon("en").entities["home_loan"]
    ('home loan', 'mortgage')
    """
    if language not in LANGUAGES:
        raise InputError(
            Problem(
                f"there are no words for the language {quoted(language)}",
                expected=", ".join(LANGUAGES),
            )
        )
    data = _data(language)
    data["homographs"] = tuple(_homograph(record) for record in data["homographs"])
    return Lexicon(**{field.name: data[field.name] for field in fields(Lexicon)})
