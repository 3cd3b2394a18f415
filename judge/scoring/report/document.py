"""How scores become the JSON documents `judge.score/1` and `judge.scores/1`."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from judge.core.text import digest
from judge.scoring.measures import parse_measure
from judge.scoring.report.notices import notices
from judge.scoring.score import mean
from judge.scoring.stats import Interval, bootstrap_means
from judge.scoring.stats.intervals import STUDENT_ABOVE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.core.tables import Qrels
    from judge.scoring.score import Scores
    from judge.scoring.slices import Slice

SCHEMA = "judge.score/1"
SEVERAL = "judge.scores/1"
HASH_DIGITS = 8

JSON = dict[str, Any]


class Intervals(NamedTuple):
    """How the intervals around means are made: by drawing the queries again and again.

    Attributes:
        method: `percentile`, or `bca`, which also corrects bias and skew.
        confidence: How often such an interval holds the true mean.
        resamples: How many times the queries are drawn.
    """

    method: Literal["percentile", "bca"] = "percentile"
    confidence: float = 0.95
    resamples: int = 1000

    def described(self, queries: int) -> JSON:
        """How the interval over so many queries is made in truth: many are not worth drawing."""
        if queries > STUDENT_ABOVE:
            return {"method": "student", "confidence": self.confidence, "resamples": 0}
        return dict(self._asdict())


SEED = 0
"""Of the draws, so that the same scores have the same intervals."""


@dataclass(frozen=True)
class RunReport:
    """All that is reported of one run.

    Attributes:
        scores: Over all queries that count.
        slices: Parts of them.
        notes: What was odd about the run's source.
    """

    scores: Scores
    slices: Sequence[Slice] = ()
    notes: Sequence[str] = field(default=())


def score_report(
    qrels: Qrels,
    runs: Sequence[RunReport],
    settings: Mapping[str, Any] | None = None,
    *,
    per_query: bool = False,
    intervals: Intervals | None = None,
) -> JSON:
    """The document `judge.score/1`: strict JSON values, nothing rounded, null for no value.

    Two numbers of two reports may be compared if the name of the measure, `settings_hash` and
    `qrels.digest` agree.

    Args:
        qrels: What was scored on.
        runs: The scores of at least one run, all with the same options.
        settings: Further settings that the numbers depend on, JSON values: the label rule, the
            split, which queries. What is None was left at what it always was, and is left out.
        per_query: Whether to give the value of every query.
        intervals: How to put an interval around every mean; None gives none.
    """
    every = {**asdict(runs[0].scores.options), **(settings or {})}
    top_grade = every.pop("top_grade")  # of the scale: it belongs to the judgments
    every = {name: value for name, value in every.items() if value is not None}
    report: JSON = {
        "schema": SCHEMA,
        "settings": every,
        "settings_hash": settings_hash(every),
        "interval": intervals and intervals.described(len(runs[0].scores.query_ids)),
        "qrels": {
            "queries": len(qrels.query_ids),
            "judgments": len(qrels),
            "digest": qrels.digest(),
            **({} if top_grade is None else {"top_grade": top_grade}),
        },
        "measures": list(runs[0].scores.values),
        "runs": [_run(run, intervals, per_query=per_query) for run in runs],
        "notices": [*qrels.notes, *(line for run in runs for line in told(run))],
    }
    undefined = dict.fromkeys(
        entry["undefined"]
        for run in report["runs"]
        for part in (run, *run["slices"])
        for entry in part["measures"].values()
        if "undefined" in entry
    )
    report["notices"] += [f"where no interval is given: {reason}" for reason in undefined]
    return report


def told(run: RunReport) -> list[str]:
    """What a reader of a run's numbers must know, a sentence each."""
    return [*(f"run {run.scores.run}: {note}" for note in run.notes), *notices(run.scores)]


def several_reports(reports: Sequence[JSON]) -> JSON:
    """The document `judge.scores/1`: a report for each dataset, and each system's average.

    The average gives every dataset the same weight, whatever its number of queries. It is given for
    the measures and runs that all datasets have, by name.

    Args:
        reports: `judge.score/1` of at least one dataset.
    """
    shared = [m for m in reports[0]["measures"] if all(m in r["measures"] for r in reports)]
    means: dict[str, list[JSON]] = {}
    for report in reports:
        for run in report["runs"]:
            means.setdefault(run["run"], []).append(run["measures"])
    apart = [m for report in reports for m in report["measures"] if m not in shared]
    told = []
    if apart:
        names = ", ".join(dict.fromkeys(apart))
        told.append(f"not averaged, as not every dataset has them by that name: {names}")
    if len({report["settings_hash"] for report in reports}) > 1:
        told.append("the datasets were scored with different settings")
    return {
        "schema": SEVERAL,
        "notices": told,
        "average": [
            {
                "run": name,
                "datasets": len(found),
                "measures": {m: {"mean": _average([f[m]["mean"] for f in found])} for m in shared},
            }
            for name, found in means.items()
            if len(found) == len(reports)
        ],
        "reports": list(reports),
    }


def _average(means: Sequence[float | None]) -> float | None:
    known = [mean for mean in means if mean is not None]
    return math.fsum(known) / len(known) if len(known) == len(means) else None


def settings_hash(settings: Mapping[str, Any]) -> str:
    """Eight hexadecimal digits that differ where any setting does.

    >>> settings_hash({"a": 1, "b": 2}) == settings_hash({"b": 2, "a": 1})
    True
    """
    return digest(json.dumps(settings, sort_keys=True, allow_nan=False))[:HASH_DIGITS]


def _run(run: RunReport, intervals: Intervals | None, *, per_query: bool) -> JSON:
    scores = run.scores
    entry: JSON = {
        "run": scores.run,
        "measures": _measures(scores, intervals),
        "counts": _counts(scores),
        "missing": list(scores.counts.missing),
        "no_relevant": list(scores.counts.no_relevant),
        "slices": [
            {
                "by": part.by,
                "value": part.value,
                "counts": {"queries": len(part.scores.query_ids)},
                "measures": _measures(part.scores, intervals),
            }
            for part in run.slices
        ],
    }
    if per_query:
        entry["queries"] = _queries(scores)
    return entry


def _measures(scores: Scores, intervals: Intervals | None) -> JSON:
    means, judged = scores.means(), scores.coverage()
    entries: JSON = {name: {"mean": means[name], "judged": judged[name]} for name in scores.values}
    for name, column in (scores.scenario or {}).items():
        # A query that judging gives a relevant document would come back into the mean.
        bound = parse_measure(name).definition.bounded and scores.options.no_relevant == "zero"
        entries[name]["if_top"] = {"mean": mean(column), "bound": bound}
    if intervals is not None and len(scores.query_ids):
        columns = np.column_stack(list(scores.values.values()))[scores.by_id()]
        rng = np.random.default_rng(SEED)
        found = bootstrap_means(columns, **intervals._asdict(), rng=rng)
        for entry, interval in zip(entries.values(), found, strict=True):
            if isinstance(interval, Interval):
                entry.update(low=interval.low, high=interval.high)
            else:
                entry.update(low=None, high=None, undefined=interval.reason)
    return entries


def _counts(scores: Scores) -> JSON:
    counts = scores.counts
    return {
        "queries": len(scores.query_ids),
        "missing": len(counts.missing),
        "no_relevant": len(counts.no_relevant),
        "ignored": len(counts.ignored),
        "negative": counts.negative,
        "tied": {str(cutoff): count for cutoff, count in counts.tied.items()},
    }


def _queries(scores: Scores) -> JSON:
    columns = {name: values.tolist() for name, values in scores.values.items()}
    return {
        query_id: {
            name: None if math.isnan(column[i]) else column[i] for name, column in columns.items()
        }
        for i, query_id in enumerate(scores.query_ids)
    }
