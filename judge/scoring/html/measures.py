"""How the measures of every system are shown: which of them, in what numbers, and as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.errors import MeasureError
from judge.scoring.html.charts import Estimate, axis_end, bar
from judge.scoring.html.markup import Html, element, foreign, number, percent
from judge.scoring.measures import Measure, parse_measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.scoring.html.data import JSON, PageData


def estimate(measure: JSON) -> Estimate:
    """The mean and interval of a measure's entry in a report."""
    return Estimate(measure.get("mean"), measure.get("low"), measure.get("high"))


def interval(measure: JSON) -> Html | None:
    """The interval in brackets; None where the report has none."""
    low, high = measure.get("low"), measure.get("high")
    if low is None or high is None:
        return None
    return element("span", "[", number(low), ", ", number(high), "]", class_="interval")


def judged(measure: JSON) -> Html | None:
    """The share of what was counted that is judged; None where the report does not say."""
    if "judged" not in measure:
        return None
    return element("span", percent(measure["judged"]), " judged", class_="judged")


def region(label: str, *content: str | None) -> Html:
    """What may be wider than the screen: it scrolls by itself, by keyboard too."""
    return element("div", *content, class_="scroll", role="region", aria_label=label, tabindex=0)


def measured(report: JSON) -> list[str]:
    """The measures that have numbers of their own.

    `Judged@10` has none where another measure looks at the first 10: it is the share judged that
    stands beside that one.
    """
    parsed = {name: _parsed(name) for name in report["measures"]}
    covered = {m.cutoff for m in parsed.values() if m and not m.definition.about_judging}
    return [
        name
        for name, measure in parsed.items()
        if not (measure and measure.definition.about_judging and measure.cutoff in covered)
    ]


def main_measure(report: JSON) -> str | None:
    """The first measure of how well systems do; None if there are only measures of judging."""
    parsed = {name: _parsed(name) for name in report["measures"]}
    doing = (name for name, m in parsed.items() if not (m and m.definition.about_judging))
    return next(doing, None)


def _parsed(name: str) -> Measure | None:
    """None if the report is of other measures than are known here."""
    try:
        return parse_measure(name)
    except MeasureError:
        return None


def measures(data: PageData) -> Html:
    """A table of measures by runs, then a chart of each measure."""
    report = data.report
    runs, names = report["runs"], measured(report)
    head = element(
        "tr",
        element("th", "Measure", scope="col"),
        *(element("th", foreign(run["run"], class_="system"), scope="col") for run in runs),
    )
    rows = [
        element(
            "tr",
            element("th", name, scope="row"),
            *(_cell(run.get("measures", {}).get(name, {})) for run in runs),
        )
        for name in names
    ]
    table = element("table", element("thead", head), element("tbody", *rows), class_="measures")
    charts = [_chart(name, runs) for name in names]
    return element(
        "section",
        element("h2", "Measures"),
        element("p", _about_interval(report), class_="note"),
        region("Measures of every system", table),
        element("div", *charts, class_="charts"),
        id="measures",
    )


def _cell(measure: JSON) -> Html:
    return element(
        "td", element("b", number(measure.get("mean"))), interval(measure), judged(measure)
    )


def _chart(name: str, runs: Sequence[JSON]) -> Html:
    entries = [run.get("measures", {}).get(name, {}) for run in runs]
    end = axis_end(value for entry in entries for value in estimate(entry))
    lines = [
        element(
            "li",
            foreign(run["run"], "span", class_="name"),
            element("span", number(entry.get("mean")), class_="value"),
            bar(estimate(entry), end, place),
        )
        for place, (run, entry) in enumerate(zip(runs, entries, strict=True))
    ]
    axis = f"axis from 0 to {end:g}"
    return element(
        "figure",
        element("figcaption", element("b", name), " ", element("span", axis, class_="note")),
        element("ul", *lines),
    )


def _about_interval(report: JSON) -> str:
    how = report.get("interval")
    mean = "Each number is the mean over all queries that count, and below it the share judged."
    if not how:
        return mean
    share = 100 * how["confidence"]
    return (
        f"{mean} In brackets, and as whiskers on the bars: its {share:g} % interval"
        f" ({how['method']}, {how['resamples']:,} resamples of the queries)."
    )
