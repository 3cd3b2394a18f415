"""What all own-corpus kinds share: targets are drawn, checked against the corpus, and asked about.

Only this is claimed as truth: the target answers its query, and so do its near-copies. All other
documents are unjudged.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from judge.core.errors import InputError, Problem
from judge.core.model import Query, Scale
from judge.synth.chance import Chance
from judge.synth.own.copies import look_for_copies
from judge.synth.own.survey import take_survey
from judge.synth.seam import Asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from judge.core.model import Document
    from judge.synth.own.copies import Found
    from judge.synth.own.survey import Survey
    from judge.synth.seam import Request

TOP = Scale().max
"""The grade of a target and of its near-copies."""

Family = Literal["function-test", "cloze-mix"]
"""Function tests show that an index works; only cloze queries may rank systems."""


class Offer(NamedTuple):
    """Something that a target could be asked by.

    Attributes:
        text: Of the query.
        words: Which may stand in no document but the target and its near-copies; empty: anywhere.
        start: Where it stands in the target's text, up to `end`.
        end: See there.
        facts: For the query's metadata.
    """

    text: str
    words: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    facts: Mapping[str, Any] = {}


class Chosen(NamedTuple):
    """A target, what it is asked by, and its near-copies with whether the words stand in them."""

    target: Document
    offer: Offer
    copies: Mapping[str, bool]


@dataclass(frozen=True)
class Recipe:
    """How a kind makes a query of a document.

    Attributes:
        name: The kind's, with its `version`: part of the luck.
        suits: Whether a document, given with the words of its body, can be a target.
        offers: What a target can be asked by, in an order of chance.
        by_domain: Whether domains take turns.
    """

    name: str
    version: int
    suits: Callable[[Document, Sequence[str]], bool]
    offers: Callable[[Document, Survey, Chance], Sequence[Offer]]
    by_domain: bool = False

    def chance(self, seed: int, doc_id: str, purpose: str) -> Chance:
        """The luck of a document in this kind, one stream for each purpose."""
        return Chance(seed, self.name, self.version, purpose, doc_id)


@dataclass(frozen=True)
class Selection:
    """The targets of a set.

    Attributes:
        chosen: In the order of their luck.
        facts: For the manifest: counts, redundancy, and why documents were no targets.
    """

    chosen: tuple[Chosen, ...]
    facts: Mapping[str, Any]


class KnownItems:
    """A set made from a corpus; one of the things that `Made` describes.

    Args:
        facts: For the manifest: `family`, counts, `redundancy`, and what was left out and why.
        start: Begins a pass over the documents.
        asked: All queries.

    Attributes:
        facts: As given.
        closed: Never: what no truth names is unjudged.
    """

    closed = False

    def __init__(
        self,
        facts: Mapping[str, Any],
        start: Callable[[], Iterator[Document]],
        asked: Sequence[Asked],
    ) -> None:
        self.facts = facts
        self._start = start
        self._asked = tuple(asked)

    def documents(self) -> Iterator[Document]:
        """Give all documents."""
        return self._start()

    def asked(self) -> Iterator[Asked]:
        """Give all queries with their truth."""
        return iter(self._asked)


def select(source: Iterable[Document], request: Request, recipe: Recipe) -> Selection:
    """Draw targets: two passes over the corpus.

    A document that is a near-copy of an earlier target is passed over, and so is one of which every
    offer stands in other documents too.

    Raises:
        InputError: There is no target.
    """
    lucky = partial(recipe.chance, request.seed, purpose="target")
    survey = take_survey(source, recipe.suits, lucky, request.queries, by_domain=recipe.by_domain)
    offers = {
        target.id: recipe.offers(target, survey, recipe.chance(request.seed, target.id, "offer"))
        for target in survey.targets
    }
    passages = {doc_id: [offer.words for offer in made] for doc_id, made in offers.items()}
    findings = look_for_copies(source, survey, passages)
    left_out: Counter[str] = Counter()
    chosen: list[Chosen] = []
    taken: set[str] = set()
    for target in survey.targets:
        if len(chosen) == request.queries:
            break
        found = findings.by_target[target.id]
        number = _first_good(offers[target.id], found)
        if not taken.isdisjoint(found.copies):
            left_out["near-copy of another target"] += 1
        elif number is None:
            left_out["nothing of its own to ask by"] += 1
        else:
            taken.add(target.id)
            copies = {doc_id: number in standing for doc_id, standing in found.copies.items()}
            chosen.append(Chosen(target, offers[target.id][number], copies))
    if not chosen:
        raise InputError(
            Problem("no document has words of its own to ask by", expected="a corpus that differs")
        )
    facts = {
        "documents": survey.documents,
        "targets": len(chosen),
        "near_copies": sum(len(item.copies) for item in chosen),
        "redundancy": round(findings.redundancy, 3),
        "left_out": dict(left_out),
    }
    return Selection(tuple(chosen), facts)


def asked_for(
    kind: str, number: int, item: Chosen, text: str, *, renamed: Mapping[str, str], **facts: object
) -> Asked:
    """Put a query together with what is known of its truth.

    Args:
        kind: Its category.
        number: Its place among the queries, from 0.
        item: The target.
        text: Of the query.
        renamed: Ids that are others in the corpus that is written.
        facts: More for the metadata.
    """
    ids = [renamed.get(doc_id, doc_id) for doc_id in (item.target.id, *item.copies)]
    query = Query(
        id=f"{kind}-{number + 1:04}",
        text=text,
        language=item.target.language,
        category=kind,
        metadata={"kind": kind, "target": ids[0], **item.offer.facts, **facts},
    )
    return Asked(query, dict.fromkeys(ids, TOP), {})


def _first_good(offers: Sequence[Offer], found: Found) -> int | None:
    """The first offer that no stranger holds."""
    return next((n for n in range(len(offers)) if n not in found.elsewhere), None)
