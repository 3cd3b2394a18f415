"""How a run is scored: which queries count, what is told beside the numbers, how means are made."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from judge.core.errors import InputError, Problem, quoted
from judge.core.tables import Matches, Qrels, Run, Ties, match
from judge.core.tables.ties import comparable
from judge.scoring.measures import DEFAULT_MEASURES, Measure, Ranking
from judge.scoring.measures.ranking import positions

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from numpy.typing import NDArray

Unjudged = Literal["zero", "condense"]
NoRelevant = Literal["zero", "exclude"]
EXAMPLES = 3


@dataclass(frozen=True)
class ScoreOptions:
    """What a score depends on besides run, qrels and the names of the measures.

    Attributes:
        ties: Which scores are equal: `trec` 64-bit, `trec9` 32-bit floats.
        unjudged: `zero` counts unjudged documents as not relevant; `condense` takes them out of
            the ranking first.
        no_relevant: Whether a query without a relevant document counts `zero` or is left out.
        relevant_from: The least grade that binary measures count where they name no `rel`, and
            that makes a document relevant.
    """

    ties: Ties = "trec"
    unjudged: Unjudged = "zero"
    no_relevant: NoRelevant = "zero"
    relevant_from: int = 1


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
        counts: What should be told beside the numbers.
        options: What they depend on.
    """

    run: str
    query_ids: tuple[str, ...]
    values: dict[str, NDArray[np.float64]]
    counts: Counts
    options: ScoreOptions = field(default_factory=ScoreOptions)

    def means(self) -> dict[str, float | None]:
        """The mean of each measure over the queries that have a value; None if none has."""
        return {name: mean(values) for name, values in self.values.items()}

    def subset(self, query_ids: Container[str]) -> Scores:
        """The scores of some of the queries; what is told beside them is cut likewise."""
        keep = np.array([query_id in query_ids for query_id in self.query_ids], bool)
        counts = self.counts
        return Scores(
            self.run,
            tuple(q for q, kept in zip(self.query_ids, keep.tolist(), strict=True) if kept),
            {name: values[keep] for name, values in self.values.items()},
            counts._replace(
                missing=tuple(q for q in counts.missing if q in query_ids),
                no_relevant=tuple(q for q in counts.no_relevant if q in query_ids),
                ignored=(),
                negative=0,
                tied={},
            ),
            self.options,
        )


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
    ranking = _condensed(whole) if options.unjudged == "condense" else whole
    relevant = whole.relevant(options.relevant_from) > 0
    keep = np.ones(whole.count, bool) if counted is None else counted.copy()
    none_relevant = _named(qrels, keep & ~relevant)
    if options.no_relevant == "exclude":
        keep &= relevant
    values = {
        str(measure): measure.values(whole if measure.definition.about_judging else ranking)[keep]
        for measure in bound
    }
    counts = Counts(
        missing=_named(qrels, keep & (evidence.matches.run_query < 0)),
        no_relevant=none_relevant,
        ignored=tuple(q for q in evidence.run.query_ids if q not in qrels.query_index),
        negative=int((qrels.all_grades < 0).sum()),
        tied=_tied(evidence, bound, keep),
    )
    return Scores(evidence.run.name, _named(qrels, keep), values, counts, options)


def _ranking(evidence: Evidence, grades: NDArray[np.int32]) -> Ranking:
    """What the formulas see; grades below 0 are left out."""
    qrels, matches = evidence.qrels, evidence.matches
    found = grades[matches.judgment].astype(np.int64)
    kept = found >= 0
    order = np.lexsort((-grades, qrels.queries))
    order = order[grades[order] >= 0]
    return Ranking(
        count=len(qrels.query_ids),
        query=matches.query[kept],
        rank=matches.rank[kept],
        grade=found[kept],
        retrieved=matches.retrieved,
        judged_query=qrels.queries[order],
        judged_grade=grades[order].astype(np.int64),
    )


def _condensed(ranking: Ranking) -> Ranking:
    """The ranking without unjudged documents; those below move up."""
    return Ranking(
        count=ranking.count,
        query=ranking.query,
        rank=positions(ranking.query),
        grade=ranking.grade,
        retrieved=np.bincount(ranking.query, minlength=ranking.count),
        judged_query=ranking.judged_query,
        judged_grade=ranking.judged_grade,
    )


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
