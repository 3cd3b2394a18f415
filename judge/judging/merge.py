"""How the verdicts of several annotators become one grade per pair, and what that rests on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from judge.core.errors import InputError, NotFound, Problem, quoted
from judge.core.model import Judgment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from judge.core.model import Scale, Source
    from judge.judging.labels import Labels, Pair, PairState

DEFAULT_RULE: Final = "median-low"

RULES: Final[Mapping[str, str]] = {
    "adjudicated": "the adjudicator's grade where there is one, else median-low",
    "median-low": "the middle grade; of two middle ones the lower (default)",
    "median-high": "the middle grade; of two middle ones the higher",
    "majority": "the most frequent grade; of several the lowest",
    "min": "the lowest grade",
    "max": "the highest grade",
    "latest": "the grade given last; of several given at once the lowest",
}
"""Every rule and what it does; besides these, the name of an annotator takes that one alone."""

ONE: Final = "annotator:"
"""Before an annotator's name in a rule, for names that are those of rules."""

PEOPLE: Final[frozenset[Source]] = frozenset({"human", "adjudicated"})
"""The sources of what people judged here."""

GIVEN: Final[frozenset[Source]] = frozenset({"gold", "import"})
"""The sources of what came along with a collection; it counts while no people have judged."""

_BESIDE: Final[frozenset[Source]] = frozenset({"propagated"})
"""The sources that count beside either."""


class Verdict(NamedTuple):
    """One annotator's grade of a pair."""

    annotator: str
    state: PairState
    grade: int


class Choice(NamedTuple):
    """What a rule made of the verdicts on one pair.

    Attributes:
        grade: The merged grade.
        tie: Whether the rule had to break a tie between different grades.
    """

    grade: int
    tie: bool


@dataclass(frozen=True)
class Merged:
    """The grades that scoring and exports use, and all that must be said with them.

    Attributes:
        judgments: One per judged pair, by query and document id.
        rule: The rule's name, or `annotator:NAME`.
        ties: On how many pairs the rule had to break a tie.
        annotators: Those whose verdicts count, in order.
        sources: How many verdicts count of each source.
        unjudged: Pairs without a grade: how many are `skipped`, `cannot_judge` or only `flagged`.
        notes: What a reader of the numbers must know, in words.
    """

    judgments: list[Judgment]
    rule: str
    ties: int = 0
    annotators: tuple[str, ...] = ()
    sources: dict[str, int] = field(default_factory=dict)
    unjudged: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def merge_labels(
    labels: Labels,
    scale: Scale,
    rule: str = DEFAULT_RULE,
    sources: Collection[Source] | None = None,
) -> Merged:
    """One grade per pair from all annotators, by a named rule.

    Without named sources, human and adjudicated verdicts count, with propagated ones beside them; a
    store that has none takes imported and gold ones instead. Machine verdicts count only when
    `machine` is named, or their annotator is named as the rule. A pair that is skipped, flagged or
    cannot be judged has no grade. A hard-negative mark survives if more than half of those who
    graded below `relevant_from` set it, and never on a pair whose merged grade is relevant.

    Args:
        labels: What the store says.
        scale: The dataset's grades.
        rule: One of `RULES`, an annotator's name, or `annotator:NAME`.
        sources: Only these count.

    Raises:
        NotFound: The rule is neither known nor an annotator's name.
        InputError: Verdicts that would count lie outside the scale; names each annotator and grade.
    """
    one = _annotator_of(rule, labels)
    graded = _graded(labels, one)
    allowed, notes = _allowed(graded, sources, everything=one is not None)
    verdicts: dict[tuple[str, str], list[Verdict]] = {}
    for pair, state in graded.items():
        if state.source in allowed and state.grade is not None:
            verdict = Verdict(pair.annotator, state, state.grade)
            verdicts.setdefault((pair.query_id, pair.doc_id), []).append(verdict)
    _refuse_off_scale(verdicts, scale)
    judgments, ties = [], 0
    for key in sorted(verdicts):
        given = sorted(verdicts[key], key=lambda verdict: verdict.annotator)
        if rule == "adjudicated":
            given = _final(given) or given
        choice = _choose(given, rule, one)
        ties += choice.tie
        judgments.append(_judgment(key, given, choice.grade, scale))
    counted = [verdict for given in verdicts.values() for verdict in given]
    tally = Counter(str(verdict.state.source) for verdict in counted)
    return Merged(
        judgments,
        rule if one is None else ONE + one,
        ties,
        tuple(sorted({verdict.annotator for verdict in counted})),
        dict(sorted(tally.items())),
        _unjudged(labels, verdicts),
        (*notes, *_propagated_note(tally)),
    )


def _annotator_of(rule: str, labels: Labels) -> str | None:
    if rule in RULES:
        return None
    name = rule.removeprefix(ONE)
    if name not in labels.annotators:
        raise NotFound("rule or annotator", name, [*RULES, *labels.annotators])
    return name


def _graded(labels: Labels, one: str | None) -> dict[Pair, PairState]:
    return {
        pair: state
        for pair, state in labels.states.items()
        if state.grade is not None and one in (None, pair.annotator)
    }


def _allowed(
    graded: Mapping[Pair, PairState], sources: Collection[Source] | None, *, everything: bool
) -> tuple[frozenset[Source | None], tuple[str, ...]]:
    """The sources that count, and what must be said about the choice."""
    present = {state.source for state in graded.values()}
    if sources is not None:
        return frozenset(sources), ()
    if everything:
        return frozenset(present), ()
    if present & PEOPLE:
        left = sorted(str(source) for source in present & GIVEN)
        names = " and ".join(left)
        notes = (f"{names} grades are left out, as there are human ones",) if left else ()
        return PEOPLE | _BESIDE, notes
    if present & GIVEN:
        return GIVEN | _BESIDE, ("there are no human grades: imported and gold ones are used",)
    return PEOPLE | _BESIDE, ()


def _refuse_off_scale(verdicts: Mapping[tuple[str, str], Sequence[Verdict]], scale: Scale) -> None:
    strange: dict[tuple[str, int, str], list[tuple[str, str]]] = {}
    for pair, given in verdicts.items():
        for verdict in given:
            if verdict.grade not in scale.grades:
                alike = (verdict.annotator, verdict.grade, str(verdict.state.source))
                strange.setdefault(alike, []).append(pair)
    if strange:
        raise InputError(
            *(_off_scale(*alike, pairs, scale) for alike, pairs in sorted(strange.items()))
        )


def _off_scale(
    annotator: str, grade: int, source: str, pairs: Sequence[tuple[str, str]], scale: Scale
) -> Problem:
    query_id, doc_id = min(pairs)
    count = f"{len(pairs)} judgment{'s' if len(pairs) > 1 else ''}"
    return Problem(
        f"grade {grade} is not on the dataset's scale ({count}, such as query {quoted(query_id)}, "
        f"document {quoted(doc_id)})",
        field=f"annotator {annotator}",
        expected=f"{scale.min}-{scale.max}; {_way_out(annotator, grade, source, scale)}",
    )


_LEAVE_OUT: Final = "leave them out with --source or --labels"


def _way_out(annotator: str, grade: int, source: str, scale: Scale) -> str:
    """What brings a grade onto the scale, or takes its judgments out of the count."""
    if source in GIVEN:
        near = min(max(grade, scale.min), scale.max)
        return f"import the collection anew with --map-grade {grade}={near}, or {_LEAVE_OUT}"
    if source in PEOPLE:
        return f"grade them anew with `judge annotate --as {annotator}`, or {_LEAVE_OUT}"
    return _LEAVE_OUT


def _choose(given: Sequence[Verdict], rule: str, one: str | None) -> Choice:
    """The merged grade of one pair; `given` has at least one verdict, by annotator's name."""
    if one is not None or len(given) == 1:
        return Choice(given[0].grade, tie=False)
    return _CHOOSERS[rule](given)


def _median_low(given: Sequence[Verdict]) -> Choice:
    return _median(given, high=False)


def _median_high(given: Sequence[Verdict]) -> Choice:
    return _median(given, high=True)


def _median(given: Sequence[Verdict], *, high: bool) -> Choice:
    grades = sorted(verdict.grade for verdict in given)
    low, top = grades[(len(grades) - 1) // 2], grades[len(grades) // 2]
    return Choice(top if high else low, tie=low != top)


def _majority(given: Sequence[Verdict]) -> Choice:
    votes = Counter(verdict.grade for verdict in given)
    most = max(votes.values())
    winners = [grade for grade, count in votes.items() if count == most]
    return Choice(min(winners), tie=len(winners) > 1)


def _minimum(given: Sequence[Verdict]) -> Choice:
    return Choice(min(verdict.grade for verdict in given), tie=False)


def _maximum(given: Sequence[Verdict]) -> Choice:
    return Choice(max(verdict.grade for verdict in given), tie=False)


def _latest(given: Sequence[Verdict]) -> Choice:
    last = max(verdict.state.at for verdict in given if verdict.state.at is not None)
    grades = {verdict.grade for verdict in given if verdict.state.at == last}
    return Choice(min(grades), tie=len(grades) > 1)


def _adjudicated(given: Sequence[Verdict]) -> Choice:
    return _latest(given) if _final(given) else _median_low(given)


def _final(given: Iterable[Verdict]) -> list[Verdict]:
    """What an adjudicator said: it settles grade and mark, and nobody else is asked."""
    return [verdict for verdict in given if verdict.state.source == "adjudicated"]


_CHOOSERS: Final[Mapping[str, Callable[[Sequence[Verdict]], Choice]]] = {
    "adjudicated": _adjudicated,
    "median-low": _median_low,
    "median-high": _median_high,
    "majority": _majority,
    "min": _minimum,
    "max": _maximum,
    "latest": _latest,
}


def _judgment(
    pair: tuple[str, str], given: Sequence[Verdict], grade: int, scale: Scale
) -> Judgment:
    below = [verdict for verdict in given if verdict.grade < scale.relevant_from]
    marked = sum(verdict.state.hard_negative for verdict in below)
    notes = dict.fromkeys(verdict.state.note for verdict in given if verdict.state.note)
    return Judgment(
        *pair,
        grade,
        hard_negative=grade < scale.relevant_from and 2 * marked > len(below),
        note="; ".join(notes),
    )


def _unjudged(labels: Labels, verdicts: Collection[tuple[str, str]]) -> dict[str, int]:
    """Pairs without a merged grade, each counted once, by the first of these that holds."""
    said: dict[tuple[str, str], set[str]] = {}
    for pair, state in labels.states.items():
        if (key := (pair.query_id, pair.doc_id)) not in verdicts:
            kind = "flagged" if state.kind == "unjudged" and state.flagged else state.kind
            said.setdefault(key, set()).add(kind)
    order = ("cannot_judge", "skipped", "flagged")
    first = (next((kind for kind in order if kind in kinds), None) for kinds in said.values())
    return {kind: count for kind, count in Counter(first).items() if kind is not None}


def _propagated_note(tally: Mapping[str, int]) -> tuple[str, ...]:
    if not (count := tally.get("propagated", 0)):
        return ()
    return (f"{count} of {sum(tally.values())} verdicts are propagated from like documents",)
