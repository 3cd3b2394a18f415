"""Which concepts a text speaks of: every wording of every language, the longest first."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from unicodedata import category

from judge.core.text import fold
from judge.synth.lexicon.reading import Lexicon, lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEAD = 2
"""Wordings are looked up by so many first letters."""


class ConceptFinder:
    """Reads a text as concepts, whatever its language and register.

    What it finds is what a reader who knows every wording would: it is the oracle that tells
    whether a set can be solved by meaning where words do not help.

    Args:
        languages: Whose wordings to look for.

    >>> ConceptFinder(["en"])("The mortgage: extension?")
    ['entity:home_loan', 'action:renew']
    """

    def __init__(self, languages: Iterable[str]) -> None:
        heads: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
        seen: set[tuple[str, str]] = set()
        for language in languages:
            words = lexicon(language)
            for wording, concept in _wordings(words):
                key = fold(wording)
                if key and (key, concept) not in seen:
                    seen.add((key, concept))
                    heads[key[:_HEAD]].append((key, concept, words.spaced))
        self._heads = {
            head: sorted(found, key=lambda entry: (-len(entry[0]), entry))
            for head, found in heads.items()
        }

    def __call__(self, text: str) -> list[str]:
        """Give the concepts in the order in which the text names them, repeats included."""
        folded = fold(text)
        found: list[str] = []
        place, length = 0, len(folded)
        while place < length:
            for wording, concept, is_spaced in self._heads.get(folded[place : place + _HEAD], ()):
                if folded.startswith(wording, place) and (
                    not is_spaced or _stands_alone(folded, place, place + len(wording))
                ):
                    found.append(concept)
                    place += len(wording)
                    break
            else:
                place += 1
        return found


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (start and _is_in_word(text[start - 1])) and not (
        end < len(text) and _is_in_word(text[end])
    )


def _is_in_word(char: str) -> bool:
    """Whether it is a letter, a digit, or a sign that belongs to one, such as a vowel sign."""
    return char.isalnum() or category(char).startswith("M")


def _wordings(words: Lexicon) -> Iterator[tuple[str, str]]:
    """Give every wording of a language with its concept."""
    tables = {"entity": words.entities, "action": words.actions, "attribute": words.attributes}
    for kind, table in tables.items():
        for concept, registers in table.items():
            yield from ((wording, f"{kind}:{concept}") for wording in registers)
    for action, situation in words.situations.items():
        yield situation, f"action:{action}"
    for homograph in words.homographs:
        yield homograph.word, f"word:{homograph.word}"
        for sense in homograph.senses:
            meaning = f"sense:{homograph.word}:{sense.cue}"
            yield from ((wording, meaning) for wording in (sense.cue, *sense.context))
    for number in range(words.place_count):
        yield words.place(number), f"place:{number}"
    for word in words.coined():
        yield word, f"coined:{word}"
