"""How a run is scored: which queries count, what is told beside the numbers, how means are made."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from judge.core.errors import InputError, Problem, quoted
from judge.core.tables import Matches, Qrels, Run, Ties, match
from judge.core.tables.ties import comparable
from judge.scoring.measures import DEFAULT_MEASURES, Measure, Ranking
from judge.scoring.measures.coverage import judged

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from numpy.typing import NDArray

Unjudged = Literal["zero", "condense", "scenario"]
NoRelevant = Literal["zero", "exclude"]
Columns = dict[str, "NDArray[np.float64]"]
EXAMPLES = 3
POOLED = -1
"""The grade of a pair that was pooled and left out of the sample to be judged."""


@dataclass(frozen=True)
class ScoreOptions:
    """What a score depends on besides run, qrels and the names of the measures.

    Attributes:
        ties: Which scores are equal: `trec` 64-bit, `trec9` 32-bit floats.
        unjudged: `zero` counts unjudged documents as not relevant; `condense` takes them out of
            the ranking first; `scenario` does as `zero`, and gives beside it what the values would
            be if every unjudged document retrieved had the top grade.
        no_relevant: Whether a query without a relevant document counts `zero` or is left out.
        relevant_from: The least grade that binary measures count where they name no `rel`, and
            that makes a document relevant.
        top_grade: The highest grade of the scale, for ERR, for RBP with graded gain and for
            `scenario`; None takes the highest in the qrels (`relevant_from` if that is higher).
        sampled: Whether the judgments are a uniform random sample of a pool whose other pairs have
            grade -1, which infAP needs; None: yes, if -1 is the only grade below 0.
    """

    ties: Ties = "trec"
    unjudged: Unjudged = "zero"
    no_relevant: NoRelevant = "zero"
    relevant_from: int = 1
    top_grade: int | None = None
    sampled: bool | None = None


class Counts(NamedTuple):
    """What should be told beside the numbers of a run.

    Attributes:
        missing: Judged queries that the run has no results for; they count 0.
        no_relevant: Judged queries without a relevant document.
        ignored: Queries of the run that have no judgments.
        negative: Judgments below 0, taken as unjudged.
        tied: For each cutoff of the measures, in how many queries a tie crosses it.
    """

    missing: tuple[str, ...]
    no_relevant: tuple[str, ...]
    ignored: tuple[str, ...]
    negative: int
    tied: dict[int, int]


@dataclass(frozen=True)
class Scores:
    """The values of one run.

    Attributes:
        run: Its name.
        query_ids: The queries that count, in the order of the qrels.
        values: For each measure, by its full name, float64 [queries]; NaN where it has no value.
        judged: For each measure, which share of what it looks at has been judged, likewise.
        counts: What should be told beside the numbers.
        options: What they depend on.
        scenario: Under `unjudged="scenario"` the values if every unjudged document retrieved had
            the top grade; measures about judging are not among them. `Definition.bounded` says
            whether the plain value and this one are true bounds.
        notes: What must be known of how the values came about, a sentence each.
    """

    run: str
    query_ids: tuple[str, ...]
    values: dict[str, NDArray[np.float64]]
    judged: dict[str, NDArray[np.float64]]
    counts: Counts
    options: ScoreOptions = field(default_factory=ScoreOptions)
    scenario: dict[str, NDArray[np.float64]] | None = None
    notes: tuple[str, ...] = ()

    def means(self) -> dict[str, float | None]:
        """The mean of each measure over the queries that have a value; None if none has."""
        return {name: mean(values) for name, values in self.values.items()}

    def by_id(self) -> NDArray[np.int64]:
        """The places of the queries by their ids: what is drawn must not depend on their order."""
        return np.array(sorted(range(len(self.query_ids)), key=self.query_ids.__getitem__), int)

    def coverage(self) -> dict[str, float | None]:
        """For each measure the share judged of what it looks at, over the queries with results."""
        return {name: mean(shares) for name, shares in self.judged.items()}

    def only(self, measures: Container[str]) -> Scores:
        """The scores by some of the measures, named in full."""
        scenario = self.scenario
        return replace(
            self,
            values={name: column for name, column in self.values.items() if name in measures},
            judged={name: column for name, column in self.judged.items() if name in measures},
            scenario=scenario
            and {name: column for name, column in scenario.items() if name in measures},
        )

    def at(self, places: NDArray[np.int64]) -> Scores:
        """The scores of the queries at some places; what is told beside them is cut likewise."""
        ids = tuple(self.query_ids[i] for i in places.tolist())
        missing, no_relevant = self._told
        return replace(
            self,
            query_ids=ids,
            values={name: values[places] for name, values in self.values.items()},
            judged={name: shares[places] for name, shares in self.judged.items()},
            counts=self.counts._replace(
                missing=tuple(q for q in ids if q in missing),
                no_relevant=tuple(q for q in ids if q in no_relevant),
                ignored=(),
                negative=0,
                tied={},
            ),
            scenario=self.scenario
            and {name: values[places] for name, values in self.scenario.items()},
        )

    @cached_property
    def _told(self) -> tuple[frozenset[str], frozenset[str]]:
        """The queries that are missing, and those without a relevant document, for looking up."""
        return frozenset(self.counts.missing), frozenset(self.counts.no_relevant)


def mean(values: NDArray[np.float64]) -> float | None:
    """The mean of the values that are not NaN, the same in any order; None if there are none.

    >>> mean(np.array([0.1, np.nan, 0.2]))
    0.15000000000000002
    """
    present = values[~np.isnan(values)].tolist()
    return math.fsum(present) / len(present) if present else None


class Evidence(NamedTuple):
    """A run laid beside qrels, before any measure is taken.

    Attributes:
        run: The ranked results.
        qrels: The judgments.
        matches: Which judged document stands at which rank.
        options: With which ties and relevance.
    """

    run: Run
    qrels: Qrels
    matches: Matches
    options: ScoreOptions


def score(
    qrels: Qrels,
    run: Run,
    measures: Sequence[Measure] = DEFAULT_MEASURES,
    options: ScoreOptions | None = None,
) -> Scores:
    """Score a run on qrels.

    Every judged query counts: one that the run misses has 0 (and no `Judged@k`, which then has no
    value). Queries of the run without judgments are ignored. Unjudged documents count as
    `options.unjudged` says, grades below 0 as unjudged, ties are settled as `options.ties` says.

    Args:
        qrels: The judgments; restrict them first to score on fewer queries.
        run: The ranked results.
        measures: What to take; binary ones are bound to `options.relevant_from`.
        options: What the numbers depend on; None takes the defaults.

    Raises:
        InputError: There are no judgments, or no query of the run has any.
        MeasureError: A measure cannot be taken of these grades.

    >>> from judge.core.model import Hit, Judgment
    >>> from judge.scoring.measures import parse_measure
    >>> qrels = Qrels.from_judgments([Judgment("q1", "a", 1), Judgment("q2", "b", 1)])
    >>> run = Run.from_hits("mine", {"q1": [Hit("x", 2.0), Hit("a", 1.0)]})
    >>> scores = score(qrels, run, [parse_measure("RR")])
    >>> scores.values["RR"].tolist(), scores.means(), scores.counts.missing
    ([0.5, 0.0], {'RR': 0.25}, ('q2',))
    """
    evidence = gather(qrels, run, options or ScoreOptions())
    return evaluate(evidence, measures)


def gather(qrels: Qrels, run: Run, options: ScoreOptions) -> Evidence:
    """Lay a run beside qrels.

    Raises:
        InputError: There are no judgments, or no query of the run has any.
    """
    if not len(qrels):
        raise InputError("there are no judgments to score with")
    matches = match(run, qrels, options.ties)
    if run.query_ids and (matches.run_query < 0).all():
        raise InputError(
            Problem(
                f"no query of run {quoted(run.name)} has judgments: the run has queries like"
                f" {_examples(run.query_ids)}, the qrels like {_examples(qrels.query_ids)}",
                expected="the same query ids in both",
            )
        )
    return Evidence(run, qrels, matches, options)


def evaluate(
    evidence: Evidence,
    measures: Sequence[Measure],
    grades: NDArray[np.int32] | None = None,
    counted: NDArray[np.bool_] | None = None,
) -> Scores:
    """Take measures of a run laid beside qrels.

    Args:
        evidence: The run and the qrels.
        measures: What to take.
        grades: int32 [judgments], in place of those of the qrels; None takes those.
        counted: bool [queries of the qrels], which queries count; None counts all.
    """
    qrels, options = evidence.qrels, evidence.options
    bound = [measure.bound(options.relevant_from) for measure in measures]
    whole = _ranking(evidence, qrels.all_grades if grades is None else grades)
    relevant = whole.relevant(options.relevant_from) > 0
    keep = np.ones(whole.count, bool) if counted is None else counted.copy()
    none_relevant = _named(qrels, keep & ~relevant)
    if options.no_relevant == "exclude":
        keep &= relevant
    counts = Counts(
        missing=_named(qrels, keep & (evidence.matches.run_query < 0)),
        no_relevant=none_relevant,
        ignored=tuple(q for q in evidence.run.query_ids if q not in qrels.query_index),
        negative=int((qrels.all_grades < 0).sum()),
        tied=_tied(evidence, bound, keep),
    )
    return Scores(
        evidence.run.name,
        _named(qrels, keep),
        _values(evidence, bound, whole, keep),
        _judged(bound, whole, keep),
        counts,
        options,
        _scenario(evidence, bound, whole, keep),
        _notes(evidence, bound),
    )


def _ranking(evidence: Evidence, grades: NDArray[np.int32]) -> Ranking:
    """What the formulas see."""
    qrels, matches = evidence.qrels, evidence.matches
    found = grades[matches.judgment].astype(np.int64)
    known = found >= 0
    order = np.lexsort((-grades, qrels.queries))
    order = order[grades[order] >= 0]
    return Ranking(
        count=len(qrels.query_ids),
        query=matches.query[known],
        rank=matches.rank[known],
        grade=found[known],
        retrieved=matches.retrieved,
        judged_query=qrels.queries[order],
        judged_grade=grades[order].astype(np.int64),
        pooled_query=matches.query[~known],
        pooled_rank=matches.rank[~known],
        scale_top=_scale_top(evidence),
    )


def _scale_top(evidence: Evidence) -> int:
    """The highest grade of the scale."""
    options = evidence.options
    if options.top_grade is not None:
        return options.top_grade
    return max(int(evidence.qrels.all_grades.max()), options.relevant_from)


def _sampled(evidence: Evidence) -> bool:
    """Whether the judgments are taken as a sample of the pool."""
    sampled, lowest = evidence.options.sampled, int(evidence.qrels.all_grades.min(initial=0))
    return lowest == POOLED if sampled is None else sampled


def _values(
    evidence: Evidence, measures: Sequence[Measure], whole: Ranking, keep: NDArray[np.bool_]
) -> Columns:
    """The value of each measure for the queries kept."""
    ranking = whole.condensed() if evidence.options.unjudged == "condense" else whole
    columns = {}
    for measure in measures:
        seen = whole if measure.definition.about_judging else ranking
        columns[str(measure)] = _taken(evidence, measure, seen)[keep]
    return columns


def _scenario(
    evidence: Evidence, measures: Sequence[Measure], whole: Ranking, keep: NDArray[np.bool_]
) -> Columns | None:
    """The same if every unjudged document retrieved had the top grade; None if not asked for."""
    if evidence.options.unjudged != "scenario":
        return None
    columns: Columns = {}
    for measure in measures:
        if not measure.definition.about_judging:
            highest = dict(measure.parameters).get("max_rel")
            top = min(whole.scale_top, highest if isinstance(highest, int) else whole.scale_top)
            filled = whole.filled(top)
            columns[str(measure)] = _taken(evidence, measure, filled)[keep]
    return columns


def _taken(evidence: Evidence, measure: Measure, ranking: Ranking) -> NDArray[np.float64]:
    if measure.definition.needs_sample and not _sampled(evidence):
        return np.full(ranking.count, np.nan)
    return measure.values(ranking)


def _judged(measures: Sequence[Measure], whole: Ranking, keep: NDArray[np.bool_]) -> Columns:
    """For each measure, which share of what it looks at has been judged."""
    shares = {cutoff: judged(whole, cutoff)[keep] for cutoff in {m.cutoff for m in measures}}
    return {str(measure): shares[measure.cutoff] for measure in measures}


def _notes(evidence: Evidence, measures: Sequence[Measure]) -> tuple[str, ...]:
    """What must be known of the scale and the sample that the values depend on."""
    options, notes = evidence.options, []
    scaled = [str(measure) for measure in measures if measure.uses_scale]
    if options.unjudged == "scenario":
        scaled.append("the scenario for unjudged documents")
    if scaled and options.top_grade is None:
        notes.append(
            f"{', '.join(scaled)}: the highest grade of the scale is not known; it is taken to be"
            f" {_scale_top(evidence)}, from the judgments"
        )
    for measure in measures:
        if measure.definition.needs_sample and not _sampled(evidence):
            notes.append(
                f"{measure} has no value: it needs judgments of a random sample of the pool, with"
                " the rest of the pool in the qrels at a grade below 0"
            )
        elif measure.definition.needs_sample and options.sampled is None:
            notes.append(
                f"{measure}: pairs with a grade below 0 are taken as the rest of a pool of which"
                " the others are a random sample"
            )
    return tuple(notes)


def _tied(
    evidence: Evidence, measures: Sequence[Measure], keep: NDArray[np.bool_]
) -> dict[int, int]:
    """For each cutoff, in how many counted queries the scores on both sides of it are equal."""
    run, matches = evidence.run, evidence.matches
    places = matches.run_query[keep & (matches.run_query >= 0)]
    first, size = run.starts[places], np.diff(run.starts)[places]
    tied = {}
    for cutoff in sorted({m.cutoff for m in measures if m.cutoff is not None}):
        last = (first + cutoff - 1)[size > cutoff]
        above = comparable(run.scores[last], evidence.options.ties)
        below = comparable(run.scores[last + 1], evidence.options.ties)
        tied[cutoff] = int((above == below).sum())
    return tied


def _named(qrels: Qrels, which: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(qrels.query_ids[i] for i in np.flatnonzero(which).tolist())


def _examples(query_ids: Sequence[str]) -> str:
    shown = ", ".join(quoted(query_id) for query_id in query_ids[:EXAMPLES])
    return shown + (", …" if len(query_ids) > EXAMPLES else "")
