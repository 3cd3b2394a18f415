"""Whether one run is better than another: paired differences, and what the queries can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from judge.core.errors import InputError, Problem, quoted
from judge.scoring.measures import parse_measure
from judge.scoring.report import Intervals, Table
from judge.scoring.score import mean
from judge.scoring.stats import (
    Undefined,
    benjamini_hochberg,
    bootstrap_means,
    holm,
    queries_needed,
    randomisation,
    t_test,
    win_tie_loss,
)
from judge.scoring.stats.sample import deviation

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from judge.scoring.score import Scores
    from judge.scoring.slices import Slice
    from judge.scoring.stats import Interval, Test

SCHEMA = "judge.compare/1"
POWER = 0.8
RESAMPLES = 10_000
DRAWS = 1_000
"""Resamples of the bootstrap; a test needs more, because it is asked for its far tail."""
CHANGED = 10
"""Queries that changed most, listed for each measure."""
COVERAGE_GAP = 0.05
"""Difference in the share judged from which two runs are not judged alike."""
LOW_COVERAGE = 0.8
"""The share judged below which much of what a run found is not known to be bad."""

SAME = 1e-9
"""Values of one query that differ by no more are tied."""

JSON = dict[str, Any]
Correction = Literal["holm", "bh"]
CORRECTIONS = MappingProxyType({"holm": holm, "bh": benjamini_hochberg})


@dataclass(frozen=True)
class _Plan:
    """What is asked of every pair of columns."""

    detect: float
    alpha: float
    seed: int

    def rng(self) -> Generator:
        return np.random.default_rng(self.seed)


def compare(
    baseline: Scores,
    others: Sequence[Scores],
    *,
    slices: Sequence[Sequence[Slice]] = (),
    detect: float = 0.02,
    alpha: float = 0.05,
    correction: Correction = "holm",
    seed: int = 0,
) -> JSON:
    """The document `judge.compare/1`: what the queries can tell of runs beside a baseline.

    For every other run, slice and measure, over the queries that have a value in both (the others
    are counted as `left_out`): both means; difference = other - baseline, with a bootstrap interval
    of level 1 - alpha; p of a paired randomisation test and of Student's t; deviation = standard
    deviation of the differences, effect = difference / deviation; queries won, tied and lost; the
    queries that it takes to find a difference of `detect` with 80 % power at `alpha`, before any
    correction. `p_adjusted` is corrected over every row of the document. The verdict is `better` or
    `worse` if p_adjusted < alpha, else `cannot-separate`, which does not mean equal. What cannot be
    computed is null, and `undefined` says why.

    Measures about judging are not compared. Beside each row stands the share that is judged of what
    the measure looks at, and a notice tells where, down to a cutoff, that of two runs differs by
    more than 0.05 or is below 0.8: what is unjudged has
    another say in each of them.

    Args:
        baseline: The scores that the others are held against.
        others: The scores of other runs on the same queries, with the same measures and options.
        slices: The parts of the baseline's scores, then those of each other run, cut alike, to
            compare in parts too; none compares all queries only.
        detect: The difference that would matter.
        alpha: How often a difference may be claimed where there is none.
        correction: Of p over all rows: `holm`, or Benjamini-Hochberg (`bh`).
        seed: Of the draws. Every row draws anew from it, so that none depends on what else is
            compared.

    Returns:
        Strict JSON values, nothing rounded.

    Raises:
        InputError: The runs were not scored on the same queries, measures and options.

    >>> from judge.core.model import Hit, Judgment
    >>> from judge.core.tables import Qrels, Run
    >>> from judge.scoring.score import score
    >>> ids, rr = [f"q{i}" for i in range(6)], parse_measure("RR")
    >>> qrels = Qrels.from_judgments([Judgment(i, "a", 1) for i in ids])
    >>> old, new = (
    ...     score(qrels, Run.from_hits(name, {i: [Hit("a", s), Hit("b", 1.0)] for i in ids}), [rr])
    ...     for name, s in (("old", 0.0), ("new", 2.0))
    ... )
    >>> document = compare(old, [new])
    >>> row = document["runs"][0]["measures"]["RR"]
    >>> row["difference"], row["p"], row["won"], row["verdict"]
    (0.5, 0.03125, 6, 'better')
    """
    problems = [problem for other in others for problem in _unlike(baseline, other)]
    if problems:
        raise InputError(*problems)
    plan = _Plan(detect, alpha, seed)
    mine, *theirs = slices or [()] * (1 + len(others))
    cuts = [_cuts(baseline, mine, *other) for other in zip(others, theirs, strict=True)]
    rows = [[_compared(cut, plan) for cut in parts] for parts in cuts]
    adjusted = _adjusted([row for parts in rows for part in parts for row in part], correction)
    documents = [
        [[_row(row, next(adjusted), plan) for row in part] for part in parts] for parts in rows
    ]
    return {
        "schema": SCHEMA,
        "baseline": baseline.run,
        "queries": len(baseline.query_ids),
        "detect": detect,
        "power": POWER,
        "alpha": alpha,
        "interval": Intervals("percentile", 1 - alpha, DRAWS).described(len(baseline.query_ids)),
        "correction": correction,
        "family": sum(row.p is not None for row in chain(*chain(*rows))),
        "resamples": RESAMPLES,
        "measures": list(_compared_measures(baseline)),
        "runs": [
            _run(parts, found, document, plan)
            for parts, found, document in zip(cuts, rows, documents, strict=True)
        ],
        "notices": [line for parts in cuts for line in _coverage_notices(parts[0])],
    }


def _compared_measures(scores: Scores) -> list[str]:
    return [name for name in scores.values if not parse_measure(name).definition.about_judging]


def _unlike(baseline: Scores, other: Scores) -> list[Problem]:
    """What keeps two scores from being compared."""
    where = f"{quoted(other.run)} and {quoted(baseline.run)}"
    problems = []
    if other.query_ids != baseline.query_ids:
        differing = sorted(set(other.query_ids) ^ set(baseline.query_ids))
        example = f", such as {quoted(differing[0])}" if differing else ""
        problems.append(
            Problem(f"{where} are not scored on the same queries{example}", expected="the same")
        )
    if list(other.values) != list(baseline.values):
        problems.append(
            Problem(f"{where} are not scored by the same measures", expected="the same")
        )
    if other.options != baseline.options:
        problems.append(Problem(f"{where} are not scored with the same options"))
    return problems


class _Cut(NamedTuple):
    """Two runs on all queries, or on one slice of them."""

    baseline: Scores
    other: Scores
    by: str | None = None
    value: str | None = None


def _cuts(
    baseline: Scores, mine: Sequence[Slice], other: Scores, theirs: Sequence[Slice]
) -> list[_Cut]:
    pairs = zip(mine, theirs, strict=True)
    parts = [_Cut(one.scores, two.scores, one.by, one.value) for one, two in pairs]
    return [_Cut(baseline, other), *parts]


class _Compared(NamedTuple):
    """One measure of two runs.

    Attributes:
        measure: Its name.
        query_ids: The queries that have a value in both.
        baseline: Their values, float64 [queries].
        other: Likewise.
        left_out: How many queries have no value in one of the two.
        judged: The share judged of what the measure looks at, of the other run and the baseline.
        interval: Of the mean difference.
        test: Of the differences, by randomisation.
        t: Of the differences, Student's.
    """

    measure: str
    query_ids: Sequence[str]
    baseline: NDArray[np.float64]
    other: NDArray[np.float64]
    left_out: int
    judged: tuple[float | None, float | None]
    interval: Interval | Undefined
    test: Test | Undefined
    t: Test | Undefined

    @property
    def differences(self) -> NDArray[np.float64]:
        return self.other - self.baseline

    @property
    def p(self) -> float | None:
        return None if isinstance(self.test, Undefined) else self.test.p


def _compared(cut: _Cut, plan: _Plan) -> list[_Compared]:
    measures = _compared_measures(cut.baseline)
    if not measures:
        return []
    columns = np.column_stack([cut.other.values[m] - cut.baseline.values[m] for m in measures])
    drawn = columns[cut.baseline.by_id()]
    intervals = bootstrap_means(drawn, confidence=1 - plan.alpha, resamples=DRAWS, rng=plan.rng())
    ours, theirs = cut.other.coverage(), cut.baseline.coverage()
    rows = []
    for measure, column, interval in zip(measures, columns.T, intervals, strict=True):
        both = ~np.isnan(column)
        differences = column[both]
        rows.append(
            _Compared(
                measure=measure,
                query_ids=[cut.baseline.query_ids[i] for i in np.flatnonzero(both).tolist()],
                baseline=cut.baseline.values[measure][both],
                other=cut.other.values[measure][both],
                left_out=int((~both).sum()),
                judged=(ours[measure], theirs[measure]),
                interval=interval,
                test=randomisation(differences, rng=plan.rng(), resamples=RESAMPLES),
                t=t_test(differences),
            )
        )
    return rows


def _adjusted(rows: Sequence[_Compared], correction: Correction) -> Iterator[float | None]:
    """The corrected p of each row, None where it has no p."""
    ps = [row.p for row in rows if row.p is not None]
    corrected = iter(CORRECTIONS[correction](ps).tolist())
    return (None if row.p is None else next(corrected) for row in rows)


def _row(row: _Compared, p_adjusted: float | None, plan: _Plan) -> JSON:
    """All that the document says of one measure of two runs."""
    differences = row.differences
    difference = mean(differences)
    spread = deviation(differences) if len(differences) > 1 else None
    better = _sign(row.measure) * differences
    needed = (
        queries_needed(differences, detect=plan.detect, power=POWER, alpha=plan.alpha)
        if len(differences)
        else Undefined("no query has a value in both")
    )
    results = {"interval": row.interval, "p": row.test, "p_t": row.t, "queries_needed": needed}
    return {
        "baseline": mean(row.baseline),
        "other": mean(row.other),
        "difference": difference,
        "low": None if isinstance(row.interval, Undefined) else row.interval.low,
        "high": None if isinstance(row.interval, Undefined) else row.interval.high,
        "p": row.p,
        "p_adjusted": p_adjusted,
        "p_t": None if isinstance(row.t, Undefined) else row.t.p,
        "pairs": len(differences),
        "left_out": row.left_out,
        "judged": {"baseline": row.judged[1], "other": row.judged[0]},
        **win_tie_loss(better, SAME)._asdict(),
        "deviation": spread,
        "effect": difference / spread if difference is not None and spread else None,
        "queries_needed": None if isinstance(needed, Undefined) else needed,
        "verdict": _verdict(mean(better), p_adjusted, plan.alpha),
        "undefined": {
            name: result.reason for name, result in results.items() if isinstance(result, Undefined)
        },
    }


def _sign(measure: str) -> int:
    return 1 if parse_measure(measure).definition.higher_is_better else -1


def _verdict(gain: float | None, p: float | None, alpha: float) -> str:
    if gain is None or p is None or p >= alpha:
        return "cannot-separate"
    return "better" if gain > 0 else "worse"


def _run(
    cuts: Sequence[_Cut],
    found: Sequence[Sequence[_Compared]],
    documents: Sequence[Sequence[JSON]],
    plan: _Plan,
) -> JSON:
    """One other run: on all queries with words and changed queries, then in every slice."""
    whole, *parts = [
        {row.measure: entry for row, entry in zip(rows, entries, strict=True)}
        for rows, entries in zip(found, documents, strict=True)
    ]
    names = cuts[0].baseline.run, cuts[0].other.run
    return {
        "run": names[1],
        "measures": {
            row.measure: {
                **whole[row.measure],
                "says": _sentence(row.measure, whole[row.measure], names, plan),
                "changed": _changed(row),
            }
            for row in found[0]
        },
        "slices": [
            {
                "by": cut.by,
                "value": cut.value,
                "queries": len(cut.baseline.query_ids),
                "measures": part,
            }
            for cut, part in zip(cuts[1:], parts, strict=True)
        ],
    }


def _changed(row: _Compared) -> list[JSON]:
    """The queries that changed most, the largest change first, equal ones by id."""
    changes = zip(row.query_ids, row.baseline.tolist(), row.other.tolist(), strict=True)
    moved = [change for change in changes if abs(change[2] - change[1]) > SAME]
    moved.sort(key=lambda change: (-abs(change[2] - change[1]), change[0]))
    return [
        {"query": query, "baseline": before, "other": after, "difference": after - before}
        for query, before, after in moved[:CHANGED]
    ]


def _sentence(measure: str, row: JSON, names: tuple[str, str], plan: _Plan) -> str:
    """The verdict in words."""
    baseline, other = names
    if not row["pairs"]:
        return f"No query has a value of {measure} in both {other} and {baseline}."
    if not row["won"] and not row["lost"]:
        return f"{other} and {baseline} have the same {measure} on every query."
    p = f"{row['p_adjusted']:.2g}"
    if row["verdict"] == "cannot-separate":
        queries = f"{row['pairs']:,} {'query' if row['pairs'] == 1 else 'queries'}"
        return (
            f"{queries} cannot separate {other} from {baseline} on {measure} (difference"
            f" {row['difference']:+.4f}, p {p}{_uncorrected(row)}); {_how_many(row, plan)}."
        )
    level = f"{100 * (1 - plan.alpha):g} % interval"
    bounds = "" if row["low"] is None else f" ({level} {row['low']:+.4f} to {row['high']:+.4f})"
    return (
        f"{other} is {row['verdict']} than {baseline} on {measure}: {row['difference']:+.4f}"
        f"{bounds}, p {p}."
    )


def _uncorrected(row: JSON) -> str:
    """What p would be if nothing else had been tested, where that is another number."""
    alone = row["p"] is not None and row["p"] != row["p_adjusted"]
    return f"; alone, without the other tests, {row['p']:.2g}" if alone else ""


def _how_many(row: JSON, plan: _Plan) -> str:
    needed = row["queries_needed"]
    if needed is None:
        return f"how many could is not known: {row['undefined']['queries_needed']}"
    what = f"a difference of {plan.detect:g} (--detect) with {100 * POWER:g} % power"
    if needed > row["pairs"]:
        return f"to find {what} takes about {needed:,}"
    return f"about {needed:,} find {what}, so any true difference is probably smaller"


def _coverage_notices(cut: _Cut) -> list[str]:
    """Where two runs are judged so differently, or so little, that a difference may mean nothing.

    Without a cutoff most of any long ranking is unjudged, which says nothing.
    """
    ours, theirs = cut.other.coverage(), cut.baseline.coverage()
    alike: dict[tuple[float, float], list[str]] = {}
    for name in _compared_measures(cut.baseline):
        now, before = ours[name], theirs[name]
        if now is not None and before is not None and parse_measure(name).cutoff is not None:
            alike.setdefault((now, before), []).append(name)
    lines = []
    for (now, before), names in alike.items():
        shown = (
            f"{', '.join(names)}: {100 * now:.0f} % of what {cut.other.run} found is judged, and"
            f" {100 * before:.0f} % of what {cut.baseline.run} found"
        )
        if abs(now - before) > COVERAGE_GAP:
            lines.append(f"{shown}; so the unjudged may decide: judge more of both")
        elif min(now, before) < LOW_COVERAGE:
            lines.append(f"{shown}; judge more before trusting a difference")
    return lines


def compare_table(document: JSON) -> Table:
    """A row for each other run, slice and measure: both means, difference, interval, verdict.

    `judged` is the share judged in the baseline and in the other run.
    """
    sliced = any(run["slices"] for run in document["runs"])
    columns = ["baseline", "other", "difference", "low", "high", "p", "p_adjusted"]
    columns += ["won", "tied", "lost", "judged", "queries_needed", "verdict"]
    shown = [name.replace("_", " ") for name in columns]
    table = Table(["run", *(["slice"] if sliced else []), "measure", *shown])
    for run in document["runs"]:
        parts = [("all", run["measures"])]
        parts += [(f"{part['by']}={part['value']}", part["measures"]) for part in run["slices"]]
        for part, measures in parts:
            lead = [run["run"], *([part] if sliced else [])]
            table.rows.extend(
                [*lead, measure, *(_shares(row) if c == "judged" else row[c] for c in columns)]
                for measure, row in measures.items()
            )
    return table


def _shares(row: JSON) -> str:
    shares = row["judged"]["baseline"], row["judged"]["other"]
    return " ".join("-" if share is None else f"{share:.2f}" for share in shares)


def changed_table(document: JSON) -> Table:
    """A row for each query that changed most: run, measure, query, both values, difference."""
    columns = ["query", "baseline", "other", "difference"]
    table = Table(["run", "measure", *columns])
    for run in document["runs"]:
        for measure, row in run["measures"].items():
            table.rows.extend(
                [run["run"], measure, *(change[name] for name in columns)]
                for change in row["changed"]
            )
    return table
