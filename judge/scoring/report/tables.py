"""How reports become rows for a terminal: a block for each measure, a row for each run in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COVERAGE = "Judged@"

JSON = dict[str, Any]
Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows ready to be printed; numbers are not rounded yet, None is no value."""

    header: list[str]
    rows: list[list[Cell]] = field(default_factory=list)


def score_table(report: JSON) -> Table:
    """A row for each measure and run, and one for each slice of it.

    Each has the mean, the bounds of its interval where the report has them, what the mean would be
    if all unjudged results had the top grade where that was asked for, and the share of the results
    looked at that has been judged. A measure's name stands in its first row only. Judged@k
    has no rows of its own where another measure of that cutoff has the share in its last column.
    """
    sliced = any(run["slices"] for run in report["runs"])
    bounds = ["low", "high"] if report.get("interval") else []
    lead = ["slice", "queries"] if sliced else []
    scenario = report["settings"].get("unjudged") == "scenario"
    top = ["if top"] if scenario else []
    table = Table(["measure", *lead, "run", "mean", *bounds, *top, "judged"])
    for measure in _told(report["measures"]):
        name = measure
        for part, queries, run, entry in _entries(report):
            values = entry[measure]
            numbers = [values["mean"], *(values.get(bound) for bound in bounds)]
            numbers += [values["if_top"]["mean"]] if "if_top" in values else [None] * scenario
            numbers.append(values["judged"])
            cut: list[Cell] = [part, queries] if sliced else []
            table.rows.append([name, *cut, run, *numbers])
            name = ""
    return table


def _told(measures: Sequence[str]) -> list[str]:
    cutoffs = {m.rpartition("@")[2] for m in measures if "@" in m and not m.startswith(COVERAGE)}
    return [m for m in measures if m.removeprefix(COVERAGE) not in cutoffs]


def _entries(report: JSON) -> Iterator[tuple[str, int, str, JSON]]:
    """Slice, queries, run and values: all queries first, then slice by slice, runs side by side."""
    runs = report["runs"]
    for run in runs:
        yield "all", run["counts"]["queries"], run["run"], run["measures"]
    for number in range(len(runs[0]["slices"])):
        for run in runs:
            part = run["slices"][number]
            what = f"{part['by']}={part['value']}"
            yield what, part["counts"]["queries"], run["run"], part["measures"]


def query_table(report: JSON) -> Table:
    """A row for each run and query, of a report that was made with `per_query`."""
    table = Table(["run", "query", *report["measures"]])
    for run in report["runs"]:
        for query_id, values in run["queries"].items():
            table.rows.append([run["run"], query_id, *(values[m] for m in report["measures"])])
    return table


def several_table(document: JSON) -> Table:
    """The rows of every dataset of `judge.scores/1`, and below them the average of each run."""
    reports = document["reports"]
    tables = [score_table(report) for report in reports]
    widest = max((table.header for table in tables), key=len)
    table = Table(["dataset", *widest])
    for report, part in zip(reports, tables, strict=True):
        for row in part.rows:
            values = dict(zip(part.header, row, strict=True))
            table.rows.append([report["dataset"], *(values.get(name) for name in widest)])
    shared = list(document["average"][0]["measures"]) if document["average"] else []
    for measure in _told(shared):
        name = measure
        for entry in document["average"]:
            values = {"measure": name, "run": entry["run"], "slice": "all"}
            values["mean"] = entry["measures"][measure]["mean"]
            table.rows.append(["average", *(values.get(column) for column in widest)])
            name = ""
    return table
