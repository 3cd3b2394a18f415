"""How a target is buried: whole other documents before and after it make one long document."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from judge.core.errors import InputError, Problem
from judge.core.model import Document
from judge.core.text import words
from judge.synth.own.function_tests import FAMILY, has_ngram, ngrams
from judge.synth.own.known_items import Chosen, KnownItems, Recipe, asked_for, select
from judge.synth.own.source import DOMAIN, domain_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from judge.synth.seam import Kind, Request

DEPTHS = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Where targets are to begin, as shares of the words of the long document."""

_SHARE = 4
"""A document that goes into a long one has at most one in so many of its words."""


class Long(NamedTuple):
    """A long document, the target in it if there is one, and where that begins: share of words."""

    document: Document
    target: str | None
    reached: float


class Piece(NamedTuple):
    """A whole document that goes into a long one, and its words."""

    document: Document
    size: int


def bury(kind: Kind, source: Iterable[Document], request: Request) -> KnownItems:
    """Put each target between whole other documents of its domain.

    Every document goes into one long document, in the order of the corpus; those with too many
    words for it stay alone, and near-copies of targets are left out, so that a passage stands in
    one document. Where a domain has not enough documents to bury all its targets, the last ones
    are not asked about.
    """
    size = int(kind.dial(request, "words"))

    def suits(document: Document, found: Sequence[str]) -> bool:
        return len(found) * _SHARE <= size and has_ngram(document, found)

    recipe = Recipe(kind.name, kind.version, suits, ngrams)
    selection = select(source, request, recipe)
    depths = {
        item.target.id: recipe.chance(request.seed, item.target.id, "depth").pick(DEPTHS)
        for item in selection.chosen
    }
    undertaker = _Undertaker(source, selection.chosen, depths, size)
    places = {made.target: made for made in undertaker.dig() if made.target is not None}
    buried = [item for item in selection.chosen if item.target.id in places]
    if not buried:
        raise InputError(
            Problem(f"no domain has {size:,} words of short documents", expected="a larger corpus")
        )
    asked = tuple(
        asked_for(
            kind.name,
            number,
            item._replace(copies={}),
            item.offer.text,
            renamed={item.target.id: places[item.target.id].document.id},
            buried=item.target.id,
            depth=depths[item.target.id],
            reached=round(places[item.target.id].reached, 4),
        )
        for number, item in enumerate(buried)
    )
    left_out = dict(selection.facts["left_out"])
    if missing := len(selection.chosen) - len(buried):
        left_out["not enough other documents to bury it"] = missing
    facts = {**selection.facts, "family": FAMILY, "targets": len(buried), "left_out": left_out}
    return KnownItems(facts, lambda: (made.document for made in undertaker.dig()), asked)


class _Undertaker:
    """Makes the long documents, as often as asked for, one domain's pieces at hand at a time."""

    def __init__(
        self,
        source: Iterable[Document],
        chosen: Sequence[Chosen],
        depths: dict[str, float],
        size: int,
    ) -> None:
        self._source = source
        self._depths = depths
        self._size = size
        self._targets: dict[str, list[Document]] = {}
        for item in reversed(chosen):
            self._targets.setdefault(domain_of(item.target), []).append(item.target)
        self._apart = {doc_id for item in chosen for doc_id in (item.target.id, *item.copies)}

    def dig(self) -> Iterator[Long]:
        """Give all long documents, and as they are those that cannot be part of one."""
        waiting = {domain: list(targets) for domain, targets in self._targets.items()}
        pieces: dict[str, list[Piece]] = {}
        others = (document for document in self._source if document.id not in self._apart)
        yield from self._fill(others, pieces, waiting)
        # A target for which there was no room is a document like the others.
        left = [target for targets in waiting.values() for target in reversed(targets)]
        yield from self._fill(left, pieces, {})
        for gathered in pieces.values():
            if gathered:
                yield self._long(gathered, [])

    def _fill(
        self,
        documents: Iterable[Document],
        pieces: dict[str, list[Piece]],
        waiting: dict[str, list[Document]],
    ) -> Iterator[Long]:
        """Gather pieces, domain by domain, and give a long document where there are enough."""
        for document in documents:
            size = len(words(document.body))
            if size * _SHARE > self._size:
                yield Long(document, None, 0.0)
                continue
            domain = domain_of(document)
            gathered = pieces.setdefault(domain, [])
            gathered.append(Piece(document, size))
            if sum(piece.size for piece in gathered) >= self._size:
                yield self._long(gathered, waiting.get(domain, []))
                gathered.clear()

    def _long(self, pieces: Sequence[Piece], waiting: list[Document]) -> Long:
        if not waiting:
            return Long(_joined(f"long~{pieces[0].document.id}", pieces), None, 0.0)
        target = waiting.pop()
        own = Piece(target, len(words(target.body)))
        starts = list(accumulate((piece.size for piece in pieces), initial=0))
        total = starts[-1] + own.size
        wanted = self._depths[target.id] * total
        place = min(range(len(starts)), key=lambda at: abs(starts[at] - wanted))
        parts = [*pieces[:place], own, *pieces[place:]]
        document = _joined(f"buried~{target.id}", parts, target)
        return Long(document, target.id, starts[place] / total)


def _joined(doc_id: str, pieces: Sequence[Piece], like: Document | None = None) -> Document:
    first = like or pieces[0].document
    parts = [piece.document for piece in pieces]
    return Document(
        id=doc_id,
        text="\n\n".join(part.body for part in parts),
        language=first.language,
        namespace=first.namespace,
        metadata={DOMAIN: domain_of(first), "parts": [part.id for part in parts]},
    )
