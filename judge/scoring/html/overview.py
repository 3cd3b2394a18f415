"""How the page opens: what was scored and how, and the measures of every run with their bars."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from judge.scoring.html.charts import Estimate, axis_end, bar
from judge.scoring.html.markup import Html, count, element, foreign, joined, number, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.scoring.html.data import JSON, PageData

SETTINGS = {
    "ties": "Ties",
    "unjudged": "Unjudged documents",
    "no_relevant": "Queries without a relevant document",
    "relevant_from": "Relevant from grade",
    "labels": "Label rule",
    "split": "Split",
    "queries": "Queries",
}
"""Settings that have words of their own; others stand under their names."""

LABELS = {
    "rule": "Rule",
    "ties": "Ties between annotators",
    "annotators": "Annotators",
    "sources": "Sources",
    "unfinished": "Unfinished queries",
}
MAX_NAMED = 20
"""Parts of a setting that are named."""

MAX_LISTED = 500
"""Queries that are listed by id."""

COUNTS = {
    "queries": "Queries",
    "missing": "Missing from the run",
    "no_relevant": "Without a relevant document",
    "ignored": "Ignored, no judgments",
    "negative": "Judgments below 0",
}


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


def summary(data: PageData) -> Html:
    """What was scored, on which queries and judgments, how, and what to know beside it."""
    report = data.report
    qrels = report.get("qrels", {})
    tiles = [
        ("Dataset", foreign(str(report["dataset"])) if report.get("dataset") else "none named"),
        ("Queries", count(qrels.get("queries"))),
        ("Judgments", count(qrels.get("judgments"))),
        ("Systems", count(len(report["runs"]))),
        ("Settings hash", element("code", str(report.get("settings_hash", "")))),
    ]
    return element(
        "section",
        element("h2", "Summary"),
        element("dl", *(_pair(term, value) for term, value in tiles), class_="tiles"),
        _notices(report.get("notices", [])),
        element("div", _settings(report), _labels(report), _grades(data), class_="columns"),
        _runs(report),
        id="summary",
    )


def measures(data: PageData) -> Html:
    """A table of measures by runs, then a chart of each measure."""
    report = data.report
    runs = report["runs"]
    head = element(
        "tr",
        element("th", "Measure", scope="col"),
        *(element("th", foreign(run["run"], class_="system"), scope="col") for run in runs),
    )
    rows = [
        element(
            "tr",
            element("th", name, scope="row"),
            *(_cell(run["measures"].get(name, {})) for run in runs),
        )
        for name in report["measures"]
    ]
    table = element("table", element("thead", head), element("tbody", *rows), class_="measures")
    charts = [_chart(name, runs) for name in report["measures"]]
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
    entries = [run["measures"].get(name, {}) for run in runs]
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


def _pair(term: str, value: str) -> Html:
    return element("div", element("dt", term), element("dd", value))


def _notices(notices: Sequence[str]) -> Html | None:
    if not notices:
        return None
    # What holds for every run is said by each; once is enough.
    lines = [foreign(line, "li") for line in dict.fromkeys(notices)]
    return element("aside", element("h3", "To know"), element("ul", *lines), class_="notices")


def _settings(report: JSON) -> Html:
    settings = dict(report.get("settings", {}))
    digest = report.get("qrels", {}).get("digest")
    pairs = _pairs(settings, SETTINGS)
    if digest:
        pairs.append(_pair("Digest of the judgments", element("code", str(digest))))
    return _block("Settings", pairs)


def _labels(report: JSON) -> Html | None:
    labels = report.get("labels")
    return _block("Judgments", _pairs(labels, LABELS)) if labels else None


def _grades(data: PageData) -> Html:
    lines = []
    for grade, words in sorted(data.grade_labels.items()):
        relevant = " (relevant)" if grade >= data.relevant_from else ""
        lines.append(_pair(str(grade), joined([foreign(words), relevant])))
    return _block("Grades", lines, "pairs short")


def _block(title: str, pairs: Sequence[Html], class_: str = "pairs") -> Html:
    return element("div", element("h3", title), element("dl", *pairs, class_=class_))


def _pairs(values: Mapping[str, Any], words: Mapping[str, str]) -> list[Html]:
    order = [name for name in words if name in values]
    order += [name for name in values if name not in words]
    return [_pair(words.get(name, name), foreign(_in_words(values[name]))) for name in order]


def _in_words(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        named = ", ".join(_in_words(part) for part in value[:MAX_NAMED])
        more = len(value) - MAX_NAMED
        return (named + (f", and {more:,} more" if more > 0 else "")) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_in_words(part)}" for name, part in value.items()) or "none"
    return json.dumps(value)


def _runs(report: JSON) -> Html:
    cutoffs = sorted({k for run in report["runs"] for k in run["counts"].get("tied", {})}, key=int)
    names = [*COUNTS.values(), *(f"Ties across rank {k}" for k in cutoffs)]
    head = [element("th", "System", scope="col")]
    head += [element("th", name, scope="col", class_="number") for name in names]
    rows = []
    for run in report["runs"]:
        counts = run["counts"]
        cells = [counts.get(name) for name in COUNTS]
        cells += [counts.get("tied", {}).get(k) for k in cutoffs]
        rows.append(
            element(
                "tr",
                element("th", foreign(run["run"], class_="system"), scope="row"),
                *(element("td", count(cell), class_="number") for cell in cells),
            )
        )
    table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    bare = dict.fromkeys(i for run in report["runs"] for i in run.get("no_relevant", ()))
    lists = [_ids(run.get("missing", ()), "missing from ", run["run"]) for run in report["runs"]]
    lists.append(_ids(list(bare), "without a relevant document"))
    return joined([element("h3", "Counts"), region("Counts of every system", table), *lists])


def _ids(ids: Sequence[str], words: str, run: str = "") -> Html | None:
    """Queries by name, folded away; None if there are none."""
    if not ids:
        return None
    named = [element("li", foreign(i)) for i in ids[:MAX_LISTED]]
    if more := len(ids) - len(named):
        named.append(element("li", f"and {more:,} more"))
    queries = "1 query" if len(ids) == 1 else f"{len(ids):,} queries"
    title = element("summary", f"{queries} {words}", foreign(run) if run else None)
    return element("details", title, element("ul", *named, class_="ids"))
