"""What a first pass over a corpus keeps: how many documents have each word, and who is a target.

Memory grows with the number of different words and of targets, not with the documents.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.core.errors import InputError, Problem
from judge.core.text import words
from judge.synth.own.source import domain_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from judge.core.model import Document
    from judge.synth.chance import Chance

LONGEST = 10_000
"""Words of a target at most; longer documents stay in the corpus but are asked about by nobody."""

MOST_DOMAINS = 100
"""Domains that targets can be drawn from in turn."""


@dataclass(frozen=True)
class Survey:
    """A corpus, counted.

    Attributes:
        documents: How many there are.
        having: Word -> documents that have it.
        targets: Documents that may be targets, more than are wanted, best luck first.
    """

    documents: int
    having: Mapping[str, int]
    targets: tuple[Document, ...]


def take_survey(
    source: Iterable[Document],
    suits: Callable[[Document, Sequence[str]], bool],
    chance_of: Callable[[str], Chance],
    wanted: int,
    *,
    by_domain: bool = False,
) -> Survey:
    """Go through a corpus once.

    A document's luck hangs on its id alone, so the first targets are the same however many are
    wanted, and whatever else is in the corpus.

    Args:
        source: All documents.
        suits: Whether a document, given with the words of its body, can be a target.
        chance_of: The luck of a document id.
        wanted: Targets that are needed in the end; some more are kept, as not all will do.
        by_domain: Give targets of each domain in turn.

    Raises:
        InputError: No document can be a target, or there is not more than one domain, or too many.
    """
    spare = 2 * wanted + 50
    drawn: dict[str, list[tuple[int, str, Document]]] = {}
    having: Counter[str] = Counter()
    count = 0
    for document in source:
        count += 1
        found = words(document.body)
        having.update(set(found))
        best = drawn.setdefault(domain_of(document) if by_domain else "", [])
        luck = -chance_of(document.id).bits()
        if len(best) == spare and luck < best[0][0]:
            continue
        if found and len(found) <= LONGEST and suits(document, found):
            push = heapq.heappush if len(best) < spare else heapq.heappushpop
            push(best, (luck, document.id, document))
    if by_domain:
        _check_domains(drawn)
    targets = tuple(_in_turn(drawn))
    if not targets:
        raise InputError(
            Problem(
                f"none of {count:,} documents has what a query can be made of",
                expected="longer texts, or another kind",
            )
        )
    return Survey(count, having, targets)


def _check_domains(drawn: Mapping[str, object]) -> None:
    if not 2 <= len(drawn) <= MOST_DOMAINS:
        raise InputError(
            Problem(
                f"the documents belong to {len(drawn):,} domain{'s' if len(drawn) != 1 else ''}",
                expected=f"2 to {MOST_DOMAINS}: a folder or a namespace for each",
            )
        )


def _in_turn(drawn: Mapping[str, list[tuple[int, str, Document]]]) -> Iterator[Document]:
    """The luckiest of each domain, then the second of each, and so on."""
    ordered = [sorted(drawn[domain], reverse=True) for domain in sorted(drawn)]
    for turn in range(max(map(len, ordered), default=0)):
        for best in ordered:
            if turn < len(best):
                yield best[turn][2]
