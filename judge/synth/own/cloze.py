"""How a sentence is taken out of its document and becomes the query that should find the rest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from judge.core.text import Token, digest, tokens, words
from judge.synth.own.copies import holds
from judge.synth.own.known_items import KnownItems, Offer, Recipe, asked_for, select
from judge.synth.own.sentences import FEWEST, passages
from judge.synth.typos import mistyped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from judge.core.model import Document
    from judge.synth.chance import Chance
    from judge.synth.own.survey import Survey
    from judge.synth.seam import Kind, Request

FAMILY = "cloze-mix"

SHORTEST, LONGEST = 5, 45
"""Words of a sentence that becomes a query."""

TRIES = 6
"""Sentences of a document that are tried until one stands in no other."""

TYPOS = 0.5
"""Share of the words that are mistyped, in one half of the queries."""

KEPT = 0.55
"""Share of the words that are kept, the most informative ones, in the other half."""

STOP = 0.2
"""A word that more documents than this share have is a stop word of the corpus."""


def cloze_mix(kind: Kind, source: Iterable[Document], request: Request) -> KnownItems:
    """Take a random sentence out of each target, and write one corpus without all of them.

    A document that has lost a sentence gets another id, as it is another text: a system that
    answers with an old id was asked on the old index, and each query names the old ids that show
    it (`retired`). Near-copies of a target lose the sentence too, if it stands in them.

    The query is the sentence with typos (`half`: typos) or its most informative words in their
    order (`half`: informative); a coin decides for each target.
    """
    recipe = Recipe(kind.name, kind.version, _suits, _offers)
    selection = select(source, request, recipe)
    cuts: dict[str, list[Offer]] = {}
    for item in selection.chosen:
        holding = (doc_id for doc_id, stands in item.copies.items() if stands)
        for doc_id in (item.target.id, *holding):
            cuts.setdefault(doc_id, []).append(item.offer)
    renamed = {
        doc_id: f"{doc_id}~{digest(kind.name, f'{kind.version} {request.seed}', doc_id)[:8]}"
        for doc_id in cuts
    }
    asked = tuple(
        asked_for(
            kind.name,
            number,
            item,
            item.offer.text,
            renamed=renamed,
            retired=[doc_id for doc_id in (item.target.id, *item.copies) if doc_id in cuts],
        )
        for number, item in enumerate(selection.chosen)
    )
    facts = {"family": FAMILY, **selection.facts, "altered": len(cuts)}
    targets = {item.target.id for item in selection.chosen}
    return KnownItems(facts, lambda: _altered(source, cuts, renamed, targets), asked)


def informative(sentence: str, having: Mapping[str, int], documents: int) -> str:
    """Keep the most informative words of a sentence, as written and in their order.

    Of the words that are no stop words of the corpus (`STOP`), `KEPT` are kept, rounded up: those
    that the fewest documents have, of equal ones the first. A sentence of stop words alone is
    taken as if it had none.

    Args:
        sentence: Any text.
        having: Word -> documents that have it.
        documents: How many there are.

    >>> having = {"the": 90, "rust": 3, "on": 80, "chain": 5, "spreads": 1, "in": 95, "rain": 9}
    >>> informative("The rust on the chain spreads in rain.", having, 100)
    'rust chain spreads'
    """
    found = tokens(sentence)
    telling = [token for token in found if having.get(token.term, 0) <= STOP * documents] or found
    count = math.ceil(KEPT * len(telling))
    best = sorted(telling, key=lambda token: having.get(token.term, 0))[:count]
    return " ".join(_as_written(sentence, sorted(best, key=lambda token: token.start)))


def _as_written(text: str, kept: Sequence[Token]) -> Iterator[str]:
    """The places of tokens; those that overlap, as pairs of characters do, as one piece."""
    start = end = 0
    for token in kept:
        if token.start >= end:
            if end:
                yield text[start:end]
            start = token.start
        end = max(end, token.end)
    if end:
        yield text[start:end]


def _suits(document: Document, found: Sequence[str]) -> bool:
    return len(found) >= FEWEST * SHORTEST and len(passages(document.text or "")) >= FEWEST


def _offers(document: Document, survey: Survey, chance: Chance) -> list[Offer]:
    """Sentences in an order of chance, each already as its query says it."""
    text = document.text or ""
    half = chance.pick(("typos", "informative"))
    offers: list[Offer] = []
    for start, end in chance.shuffled(passages(text)):
        sentence = " ".join(text[start:end].split())
        row = tuple(words(sentence))
        if not SHORTEST <= len(row) <= LONGEST:
            continue
        # What comes again in its document cannot be taken out of it by one cut.
        rest = document.model_copy(update={"text": text[:start] + text[end:]})
        if holds(words(rest.body), row):
            continue
        if half == "typos":
            query = mistyped(sentence, TYPOS, chance).text
        else:
            query = informative(sentence, survey.having, survey.documents)
        offers.append(Offer(query, row, start, end, {"half": half, "sentence": sentence}))
        if len(offers) == TRIES:
            break
    return offers


def _altered(
    source: Iterable[Document],
    cuts: Mapping[str, Sequence[Offer]],
    renamed: Mapping[str, str],
    targets: set[str],
) -> Iterator[Document]:
    """All documents, those with cuts without their sentences and under their new ids."""
    for document in source:
        if document.id not in cuts:
            yield document
            continue
        text = document.text or ""
        if document.id in targets:
            (offer,) = cuts[document.id]
            text = text[: offer.start] + text[offer.end :]
        else:
            for offer in cuts[document.id]:
                text = _without(text, offer.words)
        metadata = {**document.metadata, "altered_from": document.id}
        yield document.model_copy(
            update={"id": renamed[document.id], "text": text, "metadata": metadata}
        )


def _without(text: str, row: Sequence[str]) -> str:
    """A text without a row of words wherever it stands, up to the word that follows."""
    found = tokens(text)
    terms = [token.term for token in found]
    spans: list[tuple[int, int]] = []
    at = 0
    while at + len(row) <= len(terms):
        after = at + len(row)
        if terms[at:after] != list(row):
            at += 1
            continue
        rest = found[after].start if after < len(found) else len(text)
        # Pairs of characters overlap: what follows may begin before the row ends.
        spans.append((found[at].start, max(rest, found[after - 1].end)))
        at = after
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text
