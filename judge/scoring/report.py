"""What scores look like to others: the document `judge.score/1`, table rows, notices in words."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from judge.core.errors import quoted
from judge.core.text import digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.core.tables import Qrels
    from judge.scoring.score import Scores
    from judge.scoring.slices import Slice

SCHEMA = "judge.score/1"
HASH_DIGITS = 8
SHOWN_IDS = 10

JSON = dict[str, Any]


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
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Table:
    """Rows ready to be printed; numbers are not rounded yet, None is no value."""

    header: list[str]
    rows: list[list[str | int | float | None]] = field(default_factory=list)


def score_report(
    qrels: Qrels,
    runs: Sequence[RunReport],
    settings: Mapping[str, Any] | None = None,
    *,
    per_query: bool = False,
) -> JSON:
    """The document `judge.score/1`: strict JSON values, nothing rounded, null for no value.

    Two numbers of two reports may be compared if the name of the measure, `settings_hash` and
    `qrels.digest` agree.

    Args:
        qrels: What was scored on.
        runs: The scores of at least one run, all with the same options.
        settings: Further settings that the numbers depend on, JSON values: the label rule, the
            split, which queries.
        per_query: Whether to give the value of every query.
    """
    every = {**asdict(runs[0].scores.options), **(settings or {})}
    return {
        "schema": SCHEMA,
        "settings": every,
        "settings_hash": settings_hash(every),
        "qrels": {
            "queries": len(qrels.query_ids),
            "judgments": len(qrels),
            "digest": qrels.digest(),
        },
        "measures": list(runs[0].scores.values),
        "runs": [_run(run, per_query=per_query) for run in runs],
        "notices": [*qrels.notes, *(line for run in runs for line in notices(run))],
    }


def settings_hash(settings: Mapping[str, Any]) -> str:
    """Eight hexadecimal digits that differ where any setting does.

    >>> settings_hash({"a": 1, "b": 2}) == settings_hash({"b": 2, "a": 1})
    True
    """
    return digest(json.dumps(settings, sort_keys=True, allow_nan=False))[:HASH_DIGITS]


def score_table(report: JSON) -> Table:
    """A row for each run, below it one for each slice: name, queries, the mean of each measure."""
    measures = report["measures"]
    with_slices = any(run["slices"] for run in report["runs"])
    table = Table(["run", *(["slice"] if with_slices else []), "queries", *measures])
    for run in report["runs"]:
        lead = [run["run"], *(["all"] if with_slices else [])]
        table.rows.append([*lead, run["counts"]["queries"], *_means(run, measures)])
        for part in run["slices"]:
            cells = [f"{part['by']}={part['value']}", part["counts"]["queries"]]
            table.rows.append([run["run"], *cells, *_means(part, measures)])
    return table


def query_table(report: JSON) -> Table:
    """A row for each run and query, of a report that was made with `per_query`."""
    table = Table(["run", "query", *report["measures"]])
    for run in report["runs"]:
        for query_id, values in run["queries"].items():
            table.rows.append([run["run"], query_id, *(values[m] for m in report["measures"])])
    return table


def notices(run: RunReport) -> list[str]:
    """What a reader of the numbers must know, a sentence each."""
    scores, counts = run.scores, run.scores.counts
    name = scores.run
    lines = [f"run {name}: {note}" for note in run.notes]
    if counts.missing:
        what = _number(counts.missing, "judged query is", "judged queries are")
        count = "counts" if len(counts.missing) == 1 else "count"
        lines.append(f"{what} not in run {name} and {count} 0: {_some(counts.missing)}")
    if counts.no_relevant:
        what = _number(counts.no_relevant, "query has", "queries have")
        left_out = ("is left out", "are left out"), ("counts 0", "count 0")
        one, many = left_out[scores.options.no_relevant != "exclude"]
        fate = one if len(counts.no_relevant) == 1 else many
        lines.append(f"{what} no relevant document and {fate}: {_some(counts.no_relevant)}")
    if counts.ignored:
        what = _number(counts.ignored, f"query of run {name} has", f"queries of run {name} have")
        fate = "is" if len(counts.ignored) == 1 else "are"
        lines.append(f"{what} no judgments and {fate} ignored: {_some(counts.ignored)}")
    if counts.negative:
        what = _number(counts.negative, "judgment has", "judgments have")
        count = "counts" if counts.negative == 1 else "count"
        lines.append(f"{what} a grade below 0 and {count} as unjudged")
    for cutoff, tied in counts.tied.items():
        if tied:
            where = _number(tied, "query", "queries")
            lines.append(f"run {name}: equal scores cross rank {cutoff} in {where}")
    return lines


def _number(things: Sequence[str] | int, one: str, many: str) -> str:
    count = things if isinstance(things, int) else len(things)
    return f"{count:,} {one if count == 1 else many}"


def _run(run: RunReport, *, per_query: bool) -> JSON:
    scores = run.scores
    entry: JSON = {
        "run": scores.run,
        "measures": _measures(scores),
        "counts": _counts(scores),
        "missing": list(scores.counts.missing),
        "no_relevant": list(scores.counts.no_relevant),
        "slices": [
            {
                "by": part.by,
                "value": part.value,
                "counts": {"queries": len(part.scores.query_ids)},
                "measures": _measures(part.scores),
            }
            for part in run.slices
        ],
    }
    if per_query:
        entry["queries"] = _queries(scores)
    return entry


def _measures(scores: Scores) -> JSON:
    means = scores.means()
    return {name: {"mean": means[name]} for name in scores.values}


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


def _means(entry: JSON, measures: Sequence[str]) -> list[float | None]:
    return [entry["measures"][name]["mean"] for name in measures]


def _some(ids: Sequence[str]) -> str:
    more = f", and {len(ids) - SHOWN_IDS:,} more" if len(ids) > SHOWN_IDS else ""
    return ", ".join(quoted(i) for i in ids[:SHOWN_IDS]) + more
