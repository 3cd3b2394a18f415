"""Queries that ask whether an index finds its own text: passages, terms, titles, typos, domains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.text import tokens, words
from judge.synth.own.copies import SHINGLE
from judge.synth.own.known_items import KnownItems, Offer, Recipe, asked_for, select
from judge.synth.own.source import DOMAIN, domain_of
from judge.synth.typos import mistyped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from judge.core.model import Document
    from judge.synth.chance import Chance
    from judge.synth.own.known_items import Chosen
    from judge.synth.own.survey import Survey
    from judge.synth.seam import Kind, Request

FAMILY = "function-test"

NGRAM = 7
"""Words of a passage that is looked for."""

TRIES = 16
"""Passages of a document that are tried until one stands in no other."""

MOST_TERMS = 3
LEAST_HAVING = 5
"""Documents that have a term of middling frequency, at least; at most one in `MOST_SHARE`."""

MOST_SHARE = 20


def has_ngram(document: Document, found: Sequence[str]) -> bool:
    """Whether a text has `NGRAM` words."""
    return len(found) >= NGRAM and len(words(document.text or "")) >= NGRAM


def ngrams(document: Document, survey: Survey, chance: Chance) -> list[Offer]:
    """Some passages of `NGRAM` words, as they are written in the text."""
    del survey
    text = document.text or ""
    found = tokens(text)
    starts = chance.sample(range(len(found) - NGRAM + 1), TRIES)
    offers = []
    for start in starts:
        part = found[start : start + NGRAM]
        first, last = part[0].start, part[-1].end
        terms = tuple(token.term for token in part)
        offers.append(Offer(" ".join(text[first:last].split()), terms, first, last))
    return offers


def has_title(document: Document, found: Sequence[str]) -> bool:
    """Whether there is a title of enough words to be looked for, and a text under it."""
    title = len(words(document.title))
    return SHINGLE <= title < len(found)


def titles(document: Document, survey: Survey, chance: Chance) -> list[Offer]:
    """The title, which stays in the document."""
    del survey, chance
    return [Offer(document.title, tuple(words(document.title)))]


def has_words(document: Document, found: Sequence[str]) -> bool:
    """Whether there are enough words to choose terms from."""
    del document
    return len(set(found)) >= 2 * NGRAM


def terms(document: Document, survey: Survey, chance: Chance) -> list[Offer]:
    """One to three terms that some, but not many, documents have; nobody holds them alone."""
    first: dict[str, str] = {}
    body = document.body
    for term, start, end in tokens(body):
        first.setdefault(term, body[start:end])
    low = LEAST_HAVING if survey.documents >= LEAST_HAVING * MOST_SHARE * 2 else 2
    high = max(low, survey.documents // MOST_SHARE)
    middling = [term for term in first if low <= survey.having[term] <= high]
    count = chance.between(1, MOST_TERMS)
    if len(middling) < count:
        return []
    return [
        Offer(
            " ".join(first[term] for term in chance.sample(middling, count)),
            facts={"terms": count},
        )
    ]


def find_ngrams(kind: Kind, source: Iterable[Document], request: Request) -> KnownItems:
    """Passages that stand in one document and its near-copies only."""
    return _known(kind, source, request, Recipe(kind.name, kind.version, has_ngram, ngrams))


def find_terms(kind: Kind, source: Iterable[Document], request: Request) -> KnownItems:
    """Terms that the target has, and others as well."""
    return _known(kind, source, request, Recipe(kind.name, kind.version, has_words, terms))


def find_titles(kind: Kind, source: Iterable[Document], request: Request) -> KnownItems:
    """Titles that stand in one document and its near-copies only."""
    return _known(kind, source, request, Recipe(kind.name, kind.version, has_title, titles))


def find_typos(kind: Kind, source: Iterable[Document], request: Request) -> KnownItems:
    """Passages as in `find_ngrams`, mistyped at the rate of the dial."""
    recipe = Recipe(kind.name, kind.version, has_ngram, ngrams)
    rate = kind.dial(request, "typo-rate")

    def wrong(item: Chosen) -> tuple[str, dict[str, object]]:
        chance = recipe.chance(request.seed, item.target.id, "typos")
        text, edits = mistyped(item.offer.text, rate, chance)
        return text, {"typos": list(edits), "right": item.offer.text}

    return _known(kind, source, request, recipe, wrong)


def find_in_domains(kind: Kind, source: Iterable[Document], request: Request) -> KnownItems:
    """Terms of documents of each domain in turn, looked for in all domains at once."""
    recipe = Recipe(kind.name, kind.version, has_words, terms, by_domain=True)

    def placed(item: Chosen) -> tuple[str, dict[str, object]]:
        return item.offer.text, {DOMAIN: domain_of(item.target)}

    return _known(kind, source, request, recipe, placed)


def _as_offered(item: Chosen) -> tuple[str, dict[str, object]]:
    return item.offer.text, {}


def _known(
    kind: Kind,
    source: Iterable[Document],
    request: Request,
    recipe: Recipe,
    worded: Callable[[Chosen], tuple[str, dict[str, object]]] = _as_offered,
) -> KnownItems:
    """The corpus as it is, and a query for each target."""
    selection = select(source, request, recipe)
    asked = []
    for number, item in enumerate(selection.chosen):
        text, facts = worded(item)
        asked.append(asked_for(kind.name, number, item, text, renamed={}, **facts))
    facts = {"family": FAMILY, **selection.facts}
    return KnownItems(facts, lambda: iter(source), tuple(asked))
