"""How far a dataset's annotators agree, and on which pairs they do not, is put together here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from judge.core.text import digest
from judge.judging.adjudication import SOURCE, final_grades
from judge.judging.labels import Fold
from judge.scoring.stats import (
    Interval,
    Undefined,
    alpha,
    confusion,
    fleiss,
    gwet,
    kappa,
    raw_agreement,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from judge.core.model import Scale
    from judge.judging.adjudication import FinalGrade
    from judge.judging.labels import Labels

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

Figure = float | Undefined

RESAMPLES: Final = 1_000
CONFIDENCE: Final = 0.95
ENOUGH: Final = 0.9
"""The share of resamples in which alpha must be defined for an interval of it to mean anything."""

NOT_TWO = Undefined("it compares two annotators; it is given for each two of them")
NO_MARK = Undefined("nobody marked a hard negative")
ONE_QUERY = Undefined("it takes pairs of two queries or more")
OFTEN_UNDEFINED = Undefined("in many resamples of the queries only one grade was used")


class Said(NamedTuple):
    """What one annotator said of a pair.

    Attributes:
        grade: None: the annotator cannot judge it.
        reason: Why not.
    """

    annotator: str
    grade: int | None
    hard_negative: bool = False
    note: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Disagreement:
    """A pair on which annotators differ in the grade, in the mark, or in whether it can be judged.

    Attributes:
        said: One for each annotator who graded it or cannot judge it, by name.
        final: What an adjudicator settled on; None while nobody did.
        marked: Whether more than half of those who graded it below relevant set the mark.
    """

    query_id: str
    doc_id: str
    said: tuple[Said, ...]
    final: FinalGrade | None = None
    marked: bool = False

    @property
    def size(self) -> int:
        """How far the grades are apart; 0 where only something else differs."""
        return self.highest - min(self._grades)

    @property
    def highest(self) -> int:
        """The highest grade given."""
        return max(self._grades)

    @property
    def marks_differ(self) -> bool:
        """Whether some of those who graded it set the mark, and others did not."""
        return len({said.hard_negative for said in self.said if said.grade is not None}) > 1

    @property
    def unable(self) -> int:
        """How many cannot judge it."""
        return len(self.said) - len(self._grades)

    @property
    def _grades(self) -> list[int]:
        return [said.grade for said in self.said if said.grade is not None]

    def blind(self) -> tuple[Said, ...]:
        """What was said, in an order that is always the same for a pair but tells no name.

        >>> one = Disagreement("q", "d1", (Said("ana", 0), Said("bo", 2)))
        >>> two = Disagreement("q", "d2", one.said)
        >>> [said.grade for said in one.blind()], [said.grade for said in two.blind()]
        ([0, 2], [2, 0])
        """
        key = (self.query_id, self.doc_id)
        return tuple(sorted(self.said, key=lambda said: digest(*key, said.annotator)))


@dataclass(frozen=True)
class Figures:
    """How far some annotators agree on the pairs that two or more of them graded.

    Attributes:
        pairs: How many such pairs there are.
        raw: How often two of them gave the same grade.
        kappa: Cohen's; `linear` and `quadratic` are weighted by the distance on the scale.
        fleiss: Fleiss' kappa, for any number of annotators.
        alpha: Krippendorff's, for ordinal grades.
        ac2: Gwet's, with ordinal weights.
        hard_negatives: Of the marks for which another annotator graded the pair too, the share that
            the other one set as well: sum m (m - 1) / sum m (r - 1) over pairs with m marks of r
            annotators.
    """

    pairs: int
    raw: Figure
    kappa: Figure
    linear: Figure
    quadratic: Figure
    fleiss: Figure
    alpha: Figure
    ac2: Figure
    hard_negatives: Figure


@dataclass(frozen=True)
class Couple:
    """Two annotators side by side.

    Attributes:
        confusion: How often each grade of the first (rows) met each grade of the second (columns).
    """

    first: str
    second: str
    figures: Figures
    confusion: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Agreement:
    """All that there is to say of how far annotators agree on a dataset.

    Attributes:
        grades: The scale, ascending.
        graded: How many pairs each person graded, by name.
        annotators: Those who share a pair with somebody, in order.
        figures: Of all of them together.
        interval: Of alpha, when the queries had been others; 95 %.
        couples: Each two who share a pair, in order.
        disagreements: The largest first, behind them those where only the mark differs, last those
            that some graded alike and others cannot judge; then by query and document id.
        left_out: Grades of people that are not on the scale, and so are in no figure.
    """

    grades: tuple[int, ...]
    graded: Mapping[str, int]
    annotators: tuple[str, ...]
    figures: Figures
    interval: Interval | Undefined
    couples: tuple[Couple, ...]
    disagreements: tuple[Disagreement, ...]
    left_out: int = 0


def agreement_of(
    labels: Labels, scale: Scale, *, rng: np.random.Generator, resamples: int = RESAMPLES
) -> Agreement:
    """Compare what people graded, each for themselves.

    Only grades of source `human` count: propagated ones repeat another grade, machine, gold and
    imported ones are nobody's here, and an adjudicator has seen the others'. What an adjudicator
    had graded before as an annotator counts as it was. Skipped pairs and those that somebody cannot
    judge have no grade; a pair that fewer than two people graded is in no figure. One that somebody
    graded and somebody else cannot judge is a disagreement all the same; a skip and a flag are no
    verdict, and make none.

    Args:
        labels: What the store says, of all annotators, with at least `STATE_COLUMNS`.
        scale: The dataset's grades.
        rng: Draws the queries for the interval of alpha.
        resamples: How often they are drawn.

    Returns:
        The figures and the disagreements; what the data cannot give is `Undefined` with its reason.

    Source: the figures are those of `judge.scoring.stats.agreement`, with the papers named there;
    agreement on one category: Fleiss 1971; the interval: percentile bootstrap over queries.
    """
    given = _given(labels)
    kept = [entry for entry in given if entry.said.grade in scale.grades]
    unable = [entry for entry in given if entry.said.grade is None]
    by_pair: dict[tuple[str, str], dict[str, Said]] = {}
    for query_id, doc_id, said in sorted([*kept, *unable], key=_place):
        by_pair.setdefault((query_id, doc_id), {})[said.annotator] = said
    graded = {pair: _graded(by) for pair, by in by_pair.items()}
    several = {pair: by for pair, by in graded.items() if len(by) > 1}
    annotators = tuple(sorted({name for by in several.values() for name in by}))
    table = _table(list(several.values()), annotators)
    grades = tuple(scale.grades)
    return Agreement(
        grades=grades,
        graded=dict(sorted(Counter(entry.said.annotator for entry in kept).items())),
        annotators=annotators,
        figures=_figures(table, grades),
        interval=_interval(table, [query_id for query_id, _ in several], rng, resamples),
        couples=tuple(_couples(table, annotators, grades)),
        disagreements=_disagreements(by_pair, final_grades(labels), scale),
        left_out=len(given) - len(kept) - len(unable),
    )


class _Entry(NamedTuple):
    """What one annotator said, and of which pair."""

    query_id: str
    doc_id: str
    said: Said


class _Table(NamedTuple):
    """The pairs that several annotators graded.

    Attributes:
        ratings: float [annotators, pairs]; NaN where there is no grade.
        marks: bool [annotators, pairs], the hard-negative marks.
    """

    ratings: Floats
    marks: Bools

    def of(self, *rows: int) -> _Table:
        """The same for some annotators: the pairs that all of them graded."""
        ratings = self.ratings[list(rows)]
        shared = ~np.isnan(ratings).any(axis=0)
        return _Table(ratings[:, shared], self.marks[list(rows)][:, shared])


def _given(labels: Labels) -> list[_Entry]:
    """Every verdict that a person gave, whatever became final afterwards."""
    own = Fold(event for event in labels.events if event.source != SOURCE)
    return [
        _Entry(
            pair.query_id,
            pair.doc_id,
            Said(
                pair.annotator,
                state.grade,
                state.hard_negative,
                state.note,
                state.cannot_judge or "",
            ),
        )
        for pair, state in own.states().items()
        if state.source == "human" and state.kind in ("graded", "cannot_judge")
    ]


def _place(entry: _Entry) -> tuple[str, str, str]:
    return entry.query_id, entry.doc_id, entry.said.annotator


def _graded(by: Mapping[str, Said]) -> dict[str, Said]:
    return {name: said for name, said in by.items() if said.grade is not None}


def _table(several: Sequence[Mapping[str, Said]], annotators: Sequence[str]) -> _Table:
    ratings = np.full((len(annotators), len(several)), np.nan)
    marks = np.zeros(ratings.shape, np.bool_)
    places = {name: place for place, name in enumerate(annotators)}
    for item, by in enumerate(several):
        for name, said in by.items():
            ratings[places[name], item] = np.nan if said.grade is None else said.grade
            marks[places[name], item] = said.hard_negative
    return _Table(ratings, marks)


def _figures(table: _Table, grades: Sequence[int]) -> Figures:
    ratings = table.ratings
    plain: Figure = NOT_TWO
    linear: Figure = NOT_TWO
    quadratic: Figure = NOT_TWO
    if len(ratings) == 2:
        plain = kappa(*ratings, grades=grades)
        linear = kappa(*ratings, grades=grades, weights="linear")
        quadratic = kappa(*ratings, grades=grades, weights="quadratic")
    return Figures(
        pairs=ratings.shape[1],
        raw=raw_agreement(ratings, grades=grades),
        kappa=plain,
        linear=linear,
        quadratic=quadratic,
        fleiss=fleiss(ratings),
        alpha=alpha(ratings, level="ordinal"),
        ac2=gwet(ratings, grades=grades, weights="ordinal"),
        hard_negatives=_on_marks(table),
    )


def _on_marks(table: _Table) -> Figure:
    """The agreement on one category, the mark, which most pairs do not have."""
    raters = (~np.isnan(table.ratings)).sum(axis=0)
    marked = table.marks.sum(axis=0)
    possible = int((marked * (raters - 1)).sum())
    return int((marked * (marked - 1)).sum()) / possible if possible else NO_MARK


def _couples(table: _Table, annotators: Sequence[str], grades: Sequence[int]) -> list[Couple]:
    found = []
    for first, second in combinations(range(len(annotators)), 2):
        both = table.of(first, second)
        if not both.ratings.size:
            continue
        met = tuple(map(tuple, confusion(*both.ratings, grades=grades).tolist()))
        figures = _figures(both, grades)
        found.append(Couple(annotators[first], annotators[second], figures, met))
    return found


def _interval(
    table: _Table, query_ids: Sequence[str], rng: np.random.Generator, resamples: int
) -> Interval | Undefined:
    """Percentiles of alpha over resamples of the queries, each with all its pairs."""
    of_query: dict[str, list[int]] = {}
    for item, query_id in enumerate(query_ids):
        of_query.setdefault(query_id, []).append(item)
    items = [np.array(found) for found in of_query.values()]
    if len(items) < 2:
        return ONE_QUERY
    values = []
    for drawn in rng.integers(len(items), size=(resamples, len(items))):
        chosen = np.concatenate([items[place] for place in drawn])
        value = alpha(table.ratings[:, chosen], level="ordinal")
        if not isinstance(value, Undefined):
            values.append(value)
    if len(values) < ENOUGH * resamples:
        return OFTEN_UNDEFINED
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(values, [tail, 1 - tail]).tolist()
    return Interval(low, high, "percentile")


def _disagreements(
    by_pair: Mapping[tuple[str, str], Mapping[str, Said]],
    finals: Mapping[tuple[str, str], FinalGrade],
    scale: Scale,
) -> tuple[Disagreement, ...]:
    found = []
    for (query_id, doc_id), by in by_pair.items():
        said = tuple(by.values())
        if len({(one.grade, one.hard_negative) for one in said}) > 1:
            graded = [(one.grade, one.hard_negative) for one in said if one.grade is not None]
            below = [mark for grade, mark in graded if grade < scale.relevant_from]
            marked = 2 * sum(below) > len(below)
            final = finals.get((query_id, doc_id))
            found.append(Disagreement(query_id, doc_id, said, final, marked))
    return tuple(sorted(found, key=_weight))


def _weight(one: Disagreement) -> tuple[int, bool, str, str]:
    """Where a disagreement stands among the others; see `Agreement.disagreements`."""
    is_graded_alike = not one.size and not one.marks_differ
    return -one.size, is_graded_alike, one.query_id, one.doc_id
