"""The kinds that are made from a corpus: their names, dials and manuals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge.synth.own.burial import bury
from judge.synth.own.cloze import cloze_mix
from judge.synth.own.function_tests import (
    find_in_domains,
    find_ngrams,
    find_terms,
    find_titles,
    find_typos,
)
from judge.synth.own.verdicts import CAVEAT, refuse_ranking
from judge.synth.seam import Dial, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from judge.core.model import Document
    from judge.synth.own.known_items import KnownItems
    from judge.synth.seam import Made, Request

    Maker = Callable[[Kind, Iterable[Document], Request], KnownItems]

QUERIES = 300

_TRUTH = """\
Truth: the target has the top grade, and so has each near-copy of it (Jaccard coefficient of
3-word shingles of .7 or more). Nothing else is known: all other documents are unjudged, so pool the
systems' answers and judge them where levels matter.
"""
_FUNCTION = """\
A function test shows whether an index finds its own text. It cannot rank systems: on nine test
collections such queries agreed with human rankings at a mean tau of .17 to .36 (-.30 to .71 on
single ones), since a system that matches letters is bound to win.
"""
_CLOZE = """\
A random sentence (5-45 words; windows of 12 words where a text has no sentences) is taken out of
its document and becomes the query: with typos in half of its words of four letters and more, or
reduced to the 55 % of its words that the fewest documents have. Sentences that stand in other
documents too are not taken. One corpus is written with all targets changed at once: index it anew,
and fit anew what is fitted to it. What has lost a sentence has another id, so that an answer from
an old index shows.

How far it carries: on nine test collections rankings by such queries agreed with human rankings at
tau .61 (.25 to .81) for systems of mixed quality, and about .4 (-.05 to .74) for similar good ones.
Dense and lexical systems cannot be compared by it.
"""


class _Sort(NamedTuple):
    name: str
    summary: str
    maker: Maker
    about: str
    dials: tuple[Dial, ...] = ()


_SORTS = (
    _Sort(
        "own-ngram",
        "seven words in a row that only one document has",
        find_ngrams,
        "Seven words as they stand in a text; none but the target and its near-copies has them.\n"
        + _FUNCTION,
    ),
    _Sort(
        "own-terms",
        "one to three terms that some documents have, but not many",
        find_terms,
        "One to three terms of the target that at least 5 documents (2 in a corpus of fewer than "
        "200)\nand at most one in twenty have. Others may answer as well: they are unjudged.\n"
        + _FUNCTION,
    ),
    _Sort(
        "own-title",
        "titles, kept in their documents",
        find_titles,
        "The title of a document, of three words or more, that stands in no other one.\n"
        + _FUNCTION,
    ),
    _Sort(
        "own-typos",
        "seven words in a row, mistyped",
        find_typos,
        "As own-ngram, with one edit in a share of the words of four letters and more.\n"
        + _FUNCTION,
        (Dial("typo-rate", 0.5, 0.0, 1.0, "share of the words that are mistyped"),),
    ),
    _Sort(
        "own-burial",
        "documents put between whole other ones, looked for by seven words",
        bury,
        "The corpus is put together to long documents, each of one domain; a target begins as near "
        "to\na depth of .05, .25, .5, .75 or .95 as whole documents allow (query metadata: depth, "
        "reached).\n" + _FUNCTION,
        (Dial("words", 2000, 500, 100_000, "other words that a long document has at least"),),
    ),
    _Sort(
        "own-domains",
        "terms of documents of each domain in turn, looked for in all domains",
        find_in_domains,
        "As own-terms, with as many targets of each domain (first folder, or namespace) as there "
        "are;\nthe query's metadata name its domain.\n" + _FUNCTION,
    ),
    _Sort("cloze-mix", "a sentence taken out of its document is the query", cloze_mix, _CLOZE),
)


def own_kinds(source: Iterable[Document]) -> tuple[Kind, ...]:
    """The kinds that can be made from a corpus.

    Nothing is read before one of them is made; then the corpus is gone through twice (for
    own-burial three times), and once more whenever its documents are asked for. `Request.size` says
    nothing here: the corpus is as large as it is.

    Args:
        source: The documents, which may be gone through again and again (`Folder`, or a `Stream`
            of a dataset's documents).

    >>> [kind.name for kind in own_kinds([])][:2]
    ['own-ngram', 'own-terms']
    """
    return tuple(_kind(sort, source) for sort in _SORTS)


def _kind(sort: _Sort, source: Iterable[Document]) -> Kind:
    def make(request: Request) -> Made:
        return sort.maker(kind, source, request)

    kind = Kind(
        name=sort.name,
        version=1,
        summary=sort.summary,
        manual=sort.about + _TRUTH,
        size=0,
        queries=QUERIES,
        make=make,
        dials=sort.dials,
        caveat=CAVEAT if sort.maker is cloze_mix else refuse_ranking(sort.name),
    )
    return kind
