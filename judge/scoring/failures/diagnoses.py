"""By which signs it is told why a query went badly, and in what words."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from judge.core.errors import quoted
from judge.core.model import UNKNOWN_LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

CUTOFF: Final = 10
"""How deep a user is taken to look, where the measure does not say."""
ENOUGH_JUDGED: Final = 0.5
"""The share of the top k from which on it has been judged enough to tell."""
WIDE: Final = 2
"""Grades between the lowest and the highest of a document from which on annotators disagree."""
SHOWN: Final = 5
"""Documents that a sentence names; the rest is counted."""


class Answer(NamedTuple):
    """A relevant document of a query: its grade, and its rank from 1, None if it is not ranked."""

    doc_id: str
    grade: int
    rank: int | None


class Diagnosis(NamedTuple):
    """One reason why a query may have gone badly.

    Attributes:
        code: One of `CODES`.
        says: The reason in words.
        docs: The documents that it is about.
    """

    code: str
    says: str
    docs: tuple[str, ...] = ()


class Disputed(NamedTuple):
    """What annotators made of the documents of one query.

    Attributes:
        grades: For a document that several graded, the grades given, in any order.
        unsure: Documents of which somebody could not judge.
    """

    grades: Mapping[str, Sequence[int]]
    unsure: Sequence[str] = ()


@dataclass(frozen=True)
class Facts:
    """What is known besides run and qrels; what is not given makes no diagnosis.

    Attributes:
        query_languages: For each query id its language, BCP 47.
        document_languages: For each document id its language, BCP 47.
        parents: For each chunk id the id of the document that it is a chunk of.
        hard_negatives: The marked (query id, document id) pairs.
        disputed: For a query id what its annotators made of its documents.
    """

    query_languages: Mapping[str, str] = field(default_factory=dict)
    document_languages: Mapping[str, str] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)
    hard_negatives: AbstractSet[tuple[str, str]] = frozenset()
    disputed: Mapping[str, Disputed] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """One query that went badly, with all that a diagnosis may look at.

    Attributes:
        query_id: The query.
        k: How deep a user looks.
        relevant_from: The least grade of a relevant document.
        top: The first k documents of the run, or all if there are fewer.
        grades: The grade of each judged document; none below 0.
        answers: The relevant documents, by rank; those that are not ranked last.
        only_relevant: No judgment of any query says that a document is not relevant.
        facts: What is known besides.
    """

    query_id: str
    k: int
    relevant_from: int
    top: tuple[str, ...]
    grades: Mapping[str, int]
    answers: tuple[Answer, ...]
    only_relevant: bool
    facts: Facts

    @cached_property
    def unjudged(self) -> tuple[str, ...]:
        """Those of the top k that have no grade."""
        return tuple(doc_id for doc_id in self.top if doc_id not in self.grades)

    @property
    def judged(self) -> float | None:
        """Which share of the top k has a grade; None if the run has nothing for the query."""
        size = len(self.top)
        return (size - len(self.unjudged)) / size if size else None

    @cached_property
    def found(self) -> tuple[Answer, ...]:
        """The relevant documents in the top k."""
        return tuple(a for a in self.answers if a.rank is not None and a.rank <= self.k)

    @cached_property
    def missed(self) -> tuple[Answer, ...]:
        """The relevant documents that are not in the top k."""
        return self.answers[len(self.found) :]


def diagnose(case: Case) -> tuple[Diagnosis, ...]:
    """All that speaks for itself in a case, in the order of `CODES`."""
    signs = (
        Diagnosis(code, *sign) for code, look in _LOOKS.items() if (sign := look(case)) is not None
    )
    return tuple(signs)


class _Sign(NamedTuple):
    says: str
    docs: tuple[str, ...] = ()


def _no_answer_known(case: Case) -> _Sign | None:
    if case.answers:
        return None
    judged = _count(len(case.grades), "judged document")
    return _Sign(f"no grade of {case.relevant_from} or above among {judged}")


def _other_chunk(case: Case) -> _Sign | None:
    parents = case.facts.parents
    shown = {doc_id: parents.get(doc_id, doc_id) for doc_id in case.top}
    missed = {a.doc_id: parents.get(a.doc_id, a.doc_id) for a in case.missed}
    both = set(shown.values()) & set(missed.values())
    if not both:
        return None
    lost = [doc_id for doc_id, parent in missed.items() if parent in both]
    there = tuple(doc_id for doc_id, parent in shown.items() if parent in both)
    same = "the same document" if len(both) == 1 else "the same documents"
    return _Sign(f"the top {case.k} lacks {_ids(lost)} but has {_ids(there)} of {same}", there)


def _hard_negative_above(case: Case) -> _Sign | None:
    if not case.answers:
        return None
    first = case.found[0].rank if case.found else None
    above = case.top if first is None else case.top[: first - 1]
    marked = tuple(d for d in above if (case.query_id, d) in case.facts.hard_negatives)
    if not marked:
        return None
    stand = "stands" if len(marked) == 1 else "stand"
    where = (
        f"in the top {case.k}, which has no relevant document"
        if first is None
        else f"above the first relevant document (rank {first})"
    )
    return _Sign(f"{_count(len(marked), 'hard negative')} {stand} {where}: {_ids(marked)}", marked)


def _language_specific(case: Case) -> _Sign | None:
    asked = _language(case.facts.query_languages, case.query_id)
    written = {a: _language(case.facts.document_languages, a.doc_id) for a in case.answers}
    found = {language for a in case.found if (language := written[a])}
    own = {language == asked for language in found}
    if not asked or len(own) != 1:
        return None  # nothing is known or found, or both sides are found
    missed = {a: language for a in case.missed if (language := written[a])}
    lost = {a.doc_id: language for a, language in missed.items() if (language == asked) not in own}
    if not lost:
        return None
    home = f"{asked}, the language of the query,"
    seen, unseen = (home, _listed(lost.values())) if own == {True} else (_listed(found), home)
    says = f"relevant documents in {seen} are in the top {case.k}; those in {unseen} are not"
    return _Sign(says, tuple(lost))


def _ambiguous(case: Case) -> _Sign | None:
    disputed = case.facts.disputed.get(case.query_id)
    if disputed is None:
        return None
    apart = [d for d, given in disputed.grades.items() if max(given) - min(given) >= WIDE]
    reasons = []
    if apart:
        shown = {d: ", ".join(map(str, sorted(disputed.grades[d]))) for d in apart}
        named = _some([f"{quoted(d)} ({grades})" for d, grades in shown.items()])
        reasons.append(f"annotators are {WIDE} grades or more apart on {named}")
    if disputed.unsure:
        reasons.append(f"annotators could not judge {_ids(disputed.unsure)}")
    docs = tuple(dict.fromkeys([*apart, *disputed.unsure]))
    return _Sign("; ".join(reasons), docs) if reasons else None


def _answer_absent(case: Case) -> _Sign | None:
    if case.found or not case.answers:
        return None
    docs = tuple(a.doc_id for a in case.answers)
    if not case.top:
        return _Sign("the run has no results for this query", docs)
    ranks = [a.rank for a in case.answers if a.rank is not None]
    if len(docs) == 1:
        where = f"it is at {ranks[0]:,}" if ranks else "it is not ranked at all"
        return _Sign(f"the only relevant document is not in the top {case.k}: {where}", docs)
    where = "none is ranked at all"
    if ranks:
        best = f"at {ranks[0]:,}" if len(ranks) == 1 else f"the best at {ranks[0]:,}"
        how_many = "all are" if len(ranks) == len(docs) else f"{len(ranks):,} {_are(len(ranks))}"
        where = f"{how_many} ranked, {best}"
    return _Sign(f"none of {len(docs):,} relevant documents is in the top {case.k}: {where}", docs)


def _badly_ranked(case: Case) -> _Sign | None:
    if not case.found:
        return None
    room = len(case.answers)
    low = {a.doc_id: a.rank for a in case.answers if a.rank is not None and a.rank > room}
    if not low:
        return None
    named = _some([f"{quoted(doc_id)} at {rank:,}" for doc_id, rank in low.items()])
    if room == 1:
        return _Sign(f"the only relevant document is not first: {named}", tuple(low))
    stand = "stands" if len(low) == 1 else "stand"
    says = f"{len(low):,} of {room:,} relevant documents {stand} below rank {room:,}: {named}"
    return _Sign(says, tuple(low))


def _some_absent(case: Case) -> _Sign | None:
    lost = tuple(a.doc_id for a in case.answers if a.rank is None)
    if not lost or not case.found:
        return None
    of_all = f"{len(lost):,} of {len(case.answers):,} relevant documents"
    return _Sign(f"{of_all} {_are(len(lost))} not ranked at all: {_ids(lost)}", lost)


def _thin_pool(case: Case) -> _Sign | None:
    if case.only_relevant or case.judged is None or case.judged >= ENOUGH_JUDGED:
        return None
    judged = len(case.top) - len(case.unjudged)
    of_all = _count(len(case.top), "document")
    return _Sign(f"too few judged to tell: {judged:,} of the first {of_all}", case.unjudged)


_LOOKS: Final[Mapping[str, Callable[[Case], _Sign | None]]] = {
    "no-answer-known": _no_answer_known,
    "other-chunk": _other_chunk,
    "hard-negative-above": _hard_negative_above,
    "language-specific": _language_specific,
    "ambiguous": _ambiguous,
    "answer-absent": _answer_absent,
    "badly-ranked": _badly_ranked,
    "some-absent": _some_absent,
    "thin-pool": _thin_pool,
}

CODES: Final = tuple(_LOOKS)
"""The code of every diagnosis, the most telling first."""

MANUAL: Final = f"""\
Failures: queries with a low value, and what may explain it.

A query failed if its value is below the limit (0.5 unless you say another) times what the ideal
ranking of its judged documents would get, so that nothing fails for what no system could reach:
where 46 documents are relevant, R@5 cannot pass 5/46; where one is, P@10 cannot pass 1/10. For
nDCG and RR the ideal value is 1. A query for which no document is known to be relevant has the
ideal value 0; it failed, and no-answer-known says so.

The worst come first: those with the least part of the ideal value; of equal ones those whose best
answer is farthest down, not ranked at all before any rank, without an answer last; then by id.

Each has every diagnosis that its signs allow, the most telling first, which is the primary one; k
is the measure's cutoff, or {CUTOFF} if it has none, and ranks are those of the run with all its
documents. An answer is a document with a grade that is relevant (for the measure, if its name says
rel).

no-answer-known      No judged document is an answer.
other-chunk          An answer is not in the top k, but another chunk of the same document, the
                     document that it is a chunk of, or a chunk of it, is.
hard-negative-above  Documents marked as hard negatives stand in the top k above the first answer.
language-specific    The top k has answers in the language of the query and none in others, though
                     there are some; or the reverse. en-GB counts as en.
ambiguous            The grades that annotators gave one document lie {WIDE} or more apart, or
                     one of them could not judge a document.
answer-absent        There are answers, but none is in the top k.
badly-ranked         The top k has an answer, but of n answers some are ranked below rank n.
some-absent          Some answers are in the top k, others are not ranked at all.
thin-pool            Less than {ENOUGH_JUDGED:.0%} of the top k has been judged, so that answers may
                     stand there unseen. Not told where the judgments hold only relevant
                     documents: then the share judged tells how much was found.

A failure without a diagnosis has all its answers on top. What it lacks, the measure asks of other
things: nDCG counts the order of grades, and those that are not relevant, too; SetP counts all that
was retrieved."""
"""The rules, for people."""


def _language(languages: Mapping[str, str], of: str) -> str | None:
    """The primary subtag, by which `en-GB` is `en`; None if it is not known."""
    primary = languages.get(of, UNKNOWN_LANGUAGE).partition("-")[0].lower()
    return None if primary == UNKNOWN_LANGUAGE else primary


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _listed(languages: Iterable[str]) -> str:
    return ", ".join(sorted(set(languages)))


def _ids(docs: Sequence[str]) -> str:
    return _some([quoted(doc_id) for doc_id in docs])


def _some(words: Sequence[str]) -> str:
    more = f" and {len(words) - SHOWN:,} more" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more
