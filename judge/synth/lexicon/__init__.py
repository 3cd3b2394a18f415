"""The words of the fact world, in ten languages: data files, and how they are read and found."""

from judge.synth.lexicon.finding import ConceptFinder
from judge.synth.lexicon.reading import (
    LANGUAGES,
    Concepts,
    Homograph,
    Lexicon,
    Sense,
    concepts,
    lexicon,
)

__all__ = [
    "LANGUAGES",
    "ConceptFinder",
    "Concepts",
    "Homograph",
    "Lexicon",
    "Sense",
    "concepts",
    "lexicon",
]
