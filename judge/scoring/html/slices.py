"""How parts of the scores are laid out: language pairs as a matrix, other parts as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge.scoring.html.charts import axis_end, bar, heat
from judge.scoring.html.markup import Html, count, element, foreign, joined, number, percent
from judge.scoring.html.measures import estimate, interval, judged, measured, region

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.scoring.html.data import JSON, PageData

PAIR = "language-pair"
BETWEEN = " > "


def slices(data: PageData) -> Html | None:
    """For each measure its value in every part; None if the report has no parts."""
    report = data.report
    if not any(run.get("slices") for run in report["runs"]):
        return None
    blocks = [
        element("details", element("summary", name), *_parts(report["runs"], name), open=not place)
        for place, name in enumerate(measured(report))
    ]
    return element(
        "section",
        element("h2", "Slices"),
        element("p", "One block for each measure; n is the number of queries.", class_="note"),
        *blocks,
        id="slices",
    )


class _Part(NamedTuple):
    """One part of one run: its number of queries, and its entry for the measure."""

    queries: int | None
    entry: JSON


_Cut = dict[str, _Part]
"""The parts of one run by one property, each under its value."""


def _parts(runs: Sequence[JSON], measure: str) -> list[Html]:
    """The blocks of one measure, a block for each property that scores are cut by."""
    properties = dict.fromkeys(part["by"] for run in runs for part in run.get("slices", ()))
    blocks = []
    for by in properties:
        cut = [_of(run, by, measure) for run in runs]
        values = list(dict.fromkeys(value for parts in cut for value in parts))
        if by == PAIR and all(value.count(BETWEEN) == 1 for value in values):
            blocks += [element("h3", "Language pairs"), _matrices(runs, cut, values, measure)]
        else:
            blocks.append(element("h3", "By ", foreign(by)))
            blocks.append(_bars(runs, cut, values, f"{measure} by {by}"))
    return blocks


def _of(run: JSON, by: str, measure: str) -> _Cut:
    return {
        part["value"]: _Part(
            part.get("counts", {}).get("queries"), part.get("measures", {}).get(measure, {})
        )
        for part in run.get("slices", ())
        if part["by"] == by
    }


def _matrices(
    runs: Sequence[JSON], cut: Sequence[_Cut], values: Sequence[str], measure: str
) -> Html:
    means = [part.entry.get("mean") for parts in cut for part in parts.values()]
    end = max((mean for mean in means if mean is not None), default=0.0)
    figures = [
        element(
            "figure",
            element("figcaption", foreign(run["run"], "b")),
            region(f"{measure} by language pair", _matrix(parts, end, values)),
        )
        for run, parts in zip(runs, cut, strict=True)
    ]
    note = ["Rows are languages of queries, columns of documents. Darker, or on a dark screen"]
    note += [" brighter, is higher, from 0 to the highest of all, ", number(end), "."]
    return joined(
        [
            element("p", *note, class_="note"),
            element("div", *figures, class_="matrices"),
        ]
    )


def _matrix(parts: _Cut, end: float, values: Sequence[str]) -> Html:
    """The pairs of one run; all runs have the same rows and columns.

    Rows stand in the order of the report, columns in that of the rows, so that the pairs of one
    language are the diagonal.
    """
    cells = {tuple(value.split(BETWEEN)): part for value, part in parts.items()}
    asked, found = (
        dict.fromkeys(value.split(BETWEEN)[side] for value in values) for side in (0, 1)
    )
    written = dict.fromkeys([*(language for language in asked if language in found), *found])
    corner = element(
        "th", element("span", "query ↓", element("br"), "document →", class_="note"), scope="col"
    )
    head = element("tr", corner, *(element("th", foreign(w), scope="col") for w in written))
    rows = [
        element(
            "tr",
            element("th", foreign(query), scope="row"),
            *(_heat_cell(cells.get((query, document)), end) for document in written),
        )
        for query in asked
    ]
    return element("table", element("thead", head), element("tbody", *rows), class_="matrix")


def _heat_cell(part: _Part | None, end: float) -> Html:
    if part is None:
        return element("td", element("span", "no query", class_="none"), class_="heat-none")
    mean = part.entry.get("mean")
    return element(
        "td",
        element("b", number(mean)),
        element("span", f"n {count(part.queries)}"),
        judged(part.entry),
        class_=heat(mean, end),
    )


def _bars(runs: Sequence[JSON], cut: Sequence[_Cut], values: Sequence[str], label: str) -> Html:
    end = axis_end(v for parts in cut for part in parts.values() for v in estimate(part.entry))
    head = {"Slice": None, "System": None, "n": "number", "Mean": "number", "Interval": None}
    head |= {"Judged": "number", f"0 to {end:g}": None}
    columns = [element("th", word, scope="col", class_=kind) for word, kind in head.items()]
    groups = [element("tbody", *_group(value, runs, cut, end)) for value in values]
    table = element("table", element("thead", element("tr", *columns)), *groups, class_="parts")
    return region(label, table)


def _group(value: str, runs: Sequence[JSON], cut: Sequence[_Cut], end: float) -> list[Html]:
    """The rows of one part, one for each run that has it."""
    held = [
        (place, run["run"], parts[value])
        for place, (run, parts) in enumerate(zip(runs, cut, strict=True))
        if value in parts
    ]
    rows = []
    for row, (place, name, part) in enumerate(held):
        lead = element("th", foreign(value), scope="rowgroup", rowspan=len(held))
        cells = [
            element("td", foreign(name, class_="system")),
            element("td", count(part.queries), class_="number"),
            element("td", element("b", number(part.entry.get("mean"))), class_="number"),
            element("td", interval(part.entry) or "–"),
            element("td", percent(part.entry.get("judged")), class_="number"),
            element("td", bar(estimate(part.entry), end, place), class_="drawn"),
        ]
        rows.append(element("tr", lead if row == 0 else None, *cells))
    return rows
