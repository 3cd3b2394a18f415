"""When a change made search worse: two score reports side by side, and what may get worse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from judge.core.errors import InputError, MeasureError, NotFound, Problem, listed, quoted
from judge.scoring.measures import Measure, parse_measure
from judge.scoring.report import Table
from judge.scoring.stats import Undefined, randomisation

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from judge.scoring.reading import Report, ReportedRun, Values

SCHEMA = "judge.gate/1"
DEFAULT_THRESHOLD = 0.05
DEFAULT_ALPHA = 0.05
TOLERANCE = 1e-9
"""Share of the larger value by which a limit may be passed: the rounding of decimal numbers."""
COVERAGE_GAP = 0.05
"""A change of Judged@k that is told: what is unjudged counts as not relevant."""
SHOWN_IDS = 3
RESAMPLES = 10_000
_COSTS = "latency latencies ms sec secs second seconds minutes ns us time times runtime duration"
_COSTS += " wait bytes kb mb gb size sizes memory ram cost costs error errors loss failures misses"
LOWER_IS_BETTER = frozenset(_COSTS.split())
"""A name that is no measure's and has one of these words is better when lower."""

JSON = dict[str, Any]


@dataclass(frozen=True)
class Significance:
    """A row beyond its threshold fails only if a paired randomisation test says so as well.

    Attributes:
        rng: Draws the signs where there are too many queries to try them all.
        alpha: The row fails if p is below this; each row on its own, without correction.
        resamples: How many draws.
    """

    rng: Generator
    alpha: float = DEFAULT_ALPHA
    resamples: int = RESAMPLES


@dataclass(frozen=True)
class Rules:
    """What may get worse, and by how much.

    Attributes:
        threshold: The share of the baseline that a measure may lose.
        limits: For the name of a measure the amount that it may lose, in place of the threshold.
        measures: Only these, and those that have a limit; empty takes all but `Judged@k`.
        significance: None fails every row beyond its threshold.
    """

    threshold: float = DEFAULT_THRESHOLD
    limits: Mapping[str, float] = field(default_factory=dict)
    measures: Sequence[str] = ()
    significance: Significance | None = None


def gate(baseline: Report, current: Report, rules: Rules | None = None) -> JSON:
    """The document `judge.gate/1`: a row for each run, slice and measure, and whether all passed.

    loss = baseline - current, turned around where lower is better. A row passes if
    loss <= allowed + 1e-9 max(|baseline|, |current|), so a loss of exactly the threshold passes;
    allowed is the measure's limit, or else threshold |baseline|. So with a baseline of 0 any loss
    fails unless there is a limit. A value that the baseline has and the current report lacks fails;
    one that the baseline lacks passes, with the reason.

    Runs of the same name are matched; if each report has one run they are, whatever the names.
    Parts of a run are compared, and fail if the current report lacks them; not where significance
    is asked: reports do not say which queries are in a part.

    Args:
        baseline: The report that must not be fallen behind.
        current: The report of now.
        rules: What may get worse; None takes the defaults.

    Returns:
        Strict JSON values, nothing rounded.

    Raises:
        InputError: The numbers cannot be compared: judgments, queries or settings differ, or no
            run is in both; names all that differ. Or significance was asked for and a report does
            not list the values of each query.
        NotFound: The baseline lacks a measure that was asked for.
    """
    rules = rules or Rules()
    pairs = _matched(baseline, current)
    problems = [*_different(baseline, current), *_other_queries(current, pairs)]
    if rules.significance:
        problems += _without_queries(baseline, current, pairs)
    if problems:
        raise InputError(*listed(problems, len(problems), current.path))
    asked = _Asked.of(rules, baseline)
    rows = [row for pair in pairs for row in _run_rows(pair, asked)]
    if not rows:
        raise InputError(Problem("there is nothing to compare", baseline.path, field="measures"))
    failed = sum(not row["passed"] for row in rows)
    significance = rules.significance
    return {
        "schema": SCHEMA,
        "passed": failed == 0,
        "baseline": baseline.path,
        "current": current.path,
        "qrels": {"digest": baseline.digest},
        "settings_hash": baseline.settings_hash,
        "threshold": rules.threshold,
        "limits": dict(asked.limits),
        "significance": significance
        and {"alpha": significance.alpha, "resamples": significance.resamples},
        "counts": {"rows": len(rows), "failed": failed},
        "rows": rows,
        "notices": _notices(baseline, current, pairs, asked),
    }


def gate_table(document: JSON) -> Table:
    """A row for each value that was compared: baseline, current, delta, threshold, passed."""
    tested = document["significance"] is not None
    columns = ["name", "baseline", "current", "delta", "threshold", *(["p"] if tested else [])]
    table = Table([*columns, "passed"])
    for row in document["rows"]:
        percent = row["kind"] == "relative"
        limit = f"{100 * row['threshold']:g} %" if percent else f"{row['threshold']:g}"
        answer = "yes" if row["passed"] else "NO"
        table.rows.append(
            [
                row["name"],
                row["baseline"],
                row["current"],
                row["delta"],
                limit,
                *([row["p"]] if tested else []),
                f"{answer}: {row['reason']}" if row["reason"] else answer,
            ]
        )
    return table


def higher_is_better(name: str) -> bool:
    """Whether more is better: as the measure says; other names by their words.

    >>> [higher_is_better(n) for n in ("nDCG@10", "latencyP95", "p50_ms", "index-size", "qps")]
    [True, False, False, False, True]
    """
    measure = _measure(name)
    if measure is not None:
        return measure.definition.higher_is_better
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    words = [word.lower() for word in words]
    return "per" in words or LOWER_IS_BETTER.isdisjoint(words)  # queries per second are no cost


def _measure(name: str) -> Measure | None:
    try:
        return parse_measure(name)
    except MeasureError:
        return None


def _is_coverage(name: str) -> bool:
    measure = _measure(name)
    return measure is not None and measure.definition.about_judging


class _Pair(NamedTuple):
    """A run of the baseline and the run of now that is held against it; None if there is none."""

    baseline: ReportedRun
    current: ReportedRun | None


def _matched(baseline: Report, current: Report) -> list[_Pair]:
    if len(baseline.runs) == len(current.runs) == 1:
        return [_Pair(*baseline.runs.values(), *current.runs.values())]
    if baseline.runs.keys().isdisjoint(current.runs):
        theirs, ours = (", ".join(map(quoted, report.runs)) for report in (baseline, current))
        raise InputError(
            Problem(
                f"has the runs {ours}, but {baseline.path} has {theirs}",
                current.path,
                field="runs",
                expected="a run of the same name in both, or one run in each",
            )
        )
    return [_Pair(run, current.runs.get(name)) for name, run in baseline.runs.items()]


def _different(baseline: Report, current: Report) -> list[Problem]:
    """What makes the numbers of two reports incomparable."""

    def differs(name: str, ours: object, theirs: object) -> Problem:
        text = f"{_told(ours)} here, {_told(theirs)} in {baseline.path}"
        return Problem(text, current.path, field=name, expected="the same in both reports")

    pairs = [
        (f"settings.{key}", current.settings.get(key), baseline.settings.get(key))
        for key in dict.fromkeys((*baseline.settings, *current.settings))
    ]
    if all(ours == theirs for _name, ours, theirs in pairs):
        pairs.append(("settings_hash", current.settings_hash, baseline.settings_hash))
    pairs += [
        ("qrels.digest", current.digest, baseline.digest),
        ("qrels.queries", current.queries, baseline.queries),
        ("qrels.judgments", current.judgments, baseline.judgments),
    ]
    if None not in (current.top_grade, baseline.top_grade):
        # Measures that depend on the scale would change with it, the judgments being the same.
        pairs.append(("qrels.top_grade", current.top_grade, baseline.top_grade))
    return [differs(*pair) for pair in pairs if pair[1] != pair[2]]


def _told(value: object) -> str:
    return "nothing" if value is None else quoted(value)


def _other_queries(current: Report, pairs: Sequence[_Pair]) -> list[Problem]:
    """Runs and parts of them that are means over other queries than those of the baseline."""
    problems = []
    for theirs, ours in pairs:
        if ours is None:
            continue
        where = f"run {quoted(ours.name)}"
        found = [_counted(where, ours.queries, theirs.queries)]
        if ours.per_query is not None and theirs.per_query is not None:
            found += _named(where, ours.per_query, theirs.per_query)
        for key in [key for key in theirs.slices if key in ours.slices]:
            part = f"{where}, {'='.join(key)}"
            found.append(_counted(part, ours.slices[key].queries, theirs.slices[key].queries))
        problems += [
            Problem(
                text,
                current.path,
                field="queries",
                expected="the same queries in both reports",
            )
            for text in found
            if text
        ]
    return problems


def _counted(where: str, ours: int, theirs: int) -> str:
    here = f"{where}: {ours:,} queries count here"
    return "" if ours == theirs else f"{here}, {theirs:,} in the baseline"


def _named(where: str, ours: Mapping[str, Values], theirs: Mapping[str, Values]) -> list[str]:
    sides = (("only here", ours, theirs), ("only in the baseline", theirs, ours))
    found = []
    for side, some, others in sides:
        ids = [query_id for query_id in some if query_id not in others]
        if ids:
            shown = ", ".join(quoted(query_id) for query_id in ids[:SHOWN_IDS])
            more = f" and {len(ids) - SHOWN_IDS:,} more" if len(ids) > SHOWN_IDS else ""
            found.append(f"{where}: {side}: {shown}{more}")
    return found


def _without_queries(baseline: Report, current: Report, pairs: Sequence[_Pair]) -> list[Problem]:
    sides = [(baseline, pair.baseline) for pair in pairs]
    sides += [(current, pair.current) for pair in pairs if pair.current is not None]
    return [
        Problem(
            f"run {quoted(run.name)} does not list the values of each query",
            report.path,
            field="queries",
            expected="a report of `judge score --per-query --json`, to test for significance",
        )
        for report, run in sides
        if run.per_query is None
    ]


class _Asked(NamedTuple):
    """The rules in the names of the baseline.

    Attributes:
        rules: As they were given.
        limits: By the names that the baseline has.
        measures: Only these; empty for all.
    """

    rules: Rules
    limits: Mapping[str, float]
    measures: tuple[str, ...]

    @classmethod
    def of(cls, rules: Rules, baseline: Report) -> _Asked:
        limits = {_known(name, baseline): limit for name, limit in rules.limits.items()}
        only = [_known(name, baseline) for name in rules.measures]
        return cls(rules, limits, tuple(dict.fromkeys((*only, *limits))) if only else ())

    def names(self, means: Values) -> list[str]:
        """Which measures to compare of some that there are."""
        if self.measures:
            return list(self.measures)
        return [name for name in means if name in self.limits or not _is_coverage(name)]


def _known(name: str, baseline: Report) -> str:
    """The full name that the baseline has for a measure: `R@10` may be `R(rel=2)@10` there."""
    known = dict.fromkeys(baseline.measures)
    for run in baseline.runs.values():
        known.update(dict.fromkeys(run.means))
    written, measure = [name], _measure(name)
    if measure is not None:
        relevant_from = baseline.settings.get("relevant_from")
        bound = measure.bound(relevant_from if isinstance(relevant_from, int) else 1)
        written += [str(bound), str(measure)]
    for one in written:
        if one in known:
            return one
    raise NotFound("measure", name, list(known), hint=f"The baseline is {baseline.path}.")


def _run_rows(pair: _Pair, asked: _Asked) -> list[JSON]:
    baseline, current = pair
    rows = []
    for measure in asked.names(baseline.means):
        values = _values(measure, baseline.means, current and current.means, "run")
        rows.append(_judged(_Subject(baseline.name, None, measure), values, asked, pair))
    if asked.rules.significance or current is None:
        return rows
    for key, part in baseline.slices.items():
        now = current.slices.get(key)
        for measure in asked.names(part.means):
            values = _values(measure, part.means, now and now.means, "slice")
            rows.append(_judged(_Subject(baseline.name, key, measure), values, asked, pair))
    return rows


class _Subject(NamedTuple):
    """What a row is about."""

    run: str
    part: tuple[str, str] | None
    measure: str

    @property
    def name(self) -> str:
        return " ".join([self.run, *(["=".join(self.part)] if self.part else []), self.measure])


class _Compared(NamedTuple):
    """Both values; where one is missing, why, and whether that passes."""

    baseline: float | None
    current: float | None
    missing: str | None = None
    passed: bool = False


def _values(measure: str, before: Values, now: Values | None, holder: str) -> _Compared:
    baseline = before.get(measure)
    if now is None:
        return _Compared(baseline, None, f"the {holder} is not in the current report")
    current = now.get(measure)
    if measure not in now:
        return _Compared(baseline, None, "the measure is not in the current report")
    if baseline is None:
        return _Compared(None, current, "no value in the baseline to compare with", passed=True)
    return _Compared(baseline, current, "no value now" if current is None else None)


def _judged(subject: _Subject, values: _Compared, asked: _Asked, pair: _Pair) -> JSON:
    """The row of one value: compared, tested where that was asked, and passed or not."""
    baseline, current, reason, passed = values
    limit = asked.limits.get(subject.measure)
    threshold = asked.rules.threshold if limit is None else limit
    higher = higher_is_better(subject.measure)
    delta = p = None
    if baseline is not None and current is not None:
        delta = current - baseline
        loss = -delta if higher else delta
        allowed = threshold * abs(baseline) if limit is None else limit
        passed = loss <= allowed + TOLERANCE * max(abs(baseline), abs(current))
        if not passed and asked.rules.significance:
            p, passed, reason = _tested(pair, subject.measure, asked.rules.significance)
        elif not passed and baseline == 0 and limit is None:
            reason = "of a baseline of 0 no share can be lost; give a limit"
    return {
        "name": subject.name,
        "run": subject.run,
        "slice": subject.part and {"by": subject.part[0], "value": subject.part[1]},
        "measure": subject.measure,
        "baseline": baseline,
        "current": current,
        "delta": delta,
        "relative": delta / abs(baseline) if delta is not None and baseline else None,
        "threshold": threshold,
        "kind": "relative" if limit is None else "absolute",
        "higher_is_better": higher,
        "p": p,
        "passed": passed,
        "reason": reason,
    }


class _Tested(NamedTuple):
    """What the test says of a loss beyond the threshold."""

    p: float | None
    passed: bool
    reason: str | None


def _tested(pair: _Pair, measure: str, significance: Significance) -> _Tested:
    differences = _differences(pair, measure)
    test = randomisation(differences, rng=significance.rng, resamples=significance.resamples)
    if isinstance(test, Undefined):
        return _Tested(None, False, f"cannot be tested: {test.reason}")
    if test.p < significance.alpha:
        return _Tested(test.p, False, None)
    return _Tested(test.p, True, f"p is not below {significance.alpha:g}")


def _differences(pair: _Pair, measure: str) -> NDArray[np.float64]:
    """Current - baseline of each query that has a value in both, float64 [queries]."""
    before = pair.baseline.per_query or {}
    now = (pair.current.per_query if pair.current else None) or {}
    both = [(now[query].get(measure), values.get(measure)) for query, values in before.items()]
    return np.array([b - a for b, a in both if a is not None and b is not None], np.float64)


def _notices(baseline: Report, current: Report, pairs: Sequence[_Pair], asked: _Asked) -> list[str]:
    matched = {pair.current.name for pair in pairs if pair.current is not None}
    lines = [
        f"run {name} is not in the baseline and was not compared"
        for name in current.runs
        if name not in matched
    ]
    for theirs, ours in pairs:
        if ours is None:
            continue
        if theirs.name != ours.name:
            lines.append(f"run {theirs.name} of the baseline is compared with run {ours.name}")
        new = [name for name in ours.means if name not in theirs.means]
        if new and not asked.measures:
            lines.append(f"run {ours.name}: not in the baseline, not compared: {', '.join(new)}")
        lines += _slice_notices(theirs, ours, tested=asked.rules.significance is not None)
        lines += _coverage_notices(theirs, ours)
    return lines


def _slice_notices(theirs: ReportedRun, ours: ReportedRun, *, tested: bool) -> list[str]:
    before, now = ({by for by, _value in run.slices} for run in (theirs, ours))
    lines = []
    if tested and before & now:
        lines.append(
            f"run {ours.name}: parts are not compared, because a report does not say which queries"
            " are in them, and so they cannot be tested"
        )
    new = sorted(now - before)
    where = f"run {ours.name}: only the current report is cut by"
    return [*lines, *(f"{where} {by}; not compared" for by in new)]


def _coverage_notices(theirs: ReportedRun, ours: ReportedRun) -> list[str]:
    lines = []
    for name, before in theirs.means.items():
        now = ours.means.get(name)
        if before is None or now is None or not _is_coverage(name):
            continue
        if abs(now - before) > COVERAGE_GAP:
            lines.append(
                f"run {ours.name}: {name} went from {before:.2f} to {now:.2f}; what is unjudged"
                " counts as not relevant, so part of any change may come from that"
            )
    return lines
