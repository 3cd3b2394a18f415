"""How the page closes: on what was measured and how, the settings, and what is counted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from judge.scoring.failures.order import natural
from judge.scoring.html.markup import Html, count, element, foreign, joined
from judge.scoring.html.measures import region

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.scoring.html.data import JSON, PageData

SETTINGS = {
    "ties": "Equal scores",
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
RELEVANT = "✓"
"""Marks a grade from which on a document counts as relevant."""

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


def method(data: PageData) -> Html:
    """What was scored, on which queries and judgments, with which settings, and the counts."""
    report = data.report
    blocks = [_scored(report), _settings(report), _labels(report), _grades(data)]
    return element(
        "section",
        element("h2", "How this was measured"),
        element("div", *blocks, class_="columns"),
        _runs(report),
        id="method",
    )


def _scored(report: JSON) -> Html:
    qrels = report.get("qrels", {})
    pairs = {
        "Dataset": report.get("dataset") and foreign(str(report["dataset"])),
        "Queries": "queries" in qrels and count(qrels["queries"]),
        "Judgments": "judgments" in qrels and count(qrels["judgments"]),
        "Systems": count(len(report["runs"])),
        "Digest of the judgments": qrels.get("digest") and element("code", str(qrels["digest"])),
    }
    return _block("What was scored", [_pair(term, value) for term, value in pairs.items() if value])


def _pair(term: str, value: str) -> Html:
    return element("div", element("dt", term), element("dd", value))


def _settings(report: JSON) -> Html | None:
    pairs = _pairs(report.get("settings", {}), SETTINGS)
    if digits := report.get("settings_hash"):
        pairs.append(_pair("Hash of the settings", element("code", str(digits))))
    return _block("Settings", pairs) if pairs else None


def _labels(report: JSON) -> Html | None:
    labels = report.get("labels")
    return _block("Judgments", _pairs(labels, LABELS)) if labels else None


def _grades(data: PageData) -> Html | None:
    if not data.grade_labels:
        return None
    lines = [
        _pair(f"{grade} {RELEVANT if grade >= data.relevant_from else ''}", foreign(words))
        for grade, words in sorted(data.grade_labels.items())
    ]
    note = element("p", f"{RELEVANT} counts as relevant", class_="note")
    return _block("Grades", lines, "pairs short", note)


def _block(
    title: str, pairs: Sequence[Html], class_: str = "pairs", note: Html | None = None
) -> Html:
    return element("div", element("h3", title), element("dl", *pairs, class_=class_), note)


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
    """A row for each count and a column for each system, since there are few systems."""
    runs = report["runs"]
    counts = [run.get("counts", {}) for run in runs]
    cutoffs = sorted({k for one in counts for k in one.get("tied", {})}, key=natural)
    rows = [(words, [one.get(name) for one in counts]) for name, words in COUNTS.items()]
    rows += [
        (f"Equal scores across rank {k}", [one.get("tied", {}).get(k) for one in counts])
        for k in cutoffs
    ]
    names = [element("th", foreign(run["run"], class_="system"), scope="col") for run in runs]
    head = element("tr", element("th", "Count", scope="col"), *names)
    lines = [
        element("tr", element("th", words, scope="row"), *(element("td", count(n)) for n in cells))
        for words, cells in rows
        if any(n is not None for n in cells)
    ]
    table = element("table", element("thead", head), element("tbody", *lines), class_="counts")
    bare = dict.fromkeys(i for run in runs for i in run.get("no_relevant", ()))
    lists = [_ids(run.get("missing", ()), "missing from ", run["run"]) for run in runs]
    lists.append(_ids(list(bare), "without a relevant document"))
    told = [region("Counts of every system", table) if lines else None, *lists]
    return joined([element("h3", "Counts"), *told]) if any(told) else Html()


def _ids(ids: Sequence[str], words: str, run: str = "") -> Html | None:
    """Queries by name, folded away; None if there are none."""
    if not ids:
        return None
    named = [element("li", foreign(i)) for i in sorted(ids, key=natural)[:MAX_LISTED]]
    if more := len(ids) - len(named):
        named.append(element("li", f"and {more:,} more"))
    queries = "1 query" if len(ids) == 1 else f"{len(ids):,} queries"
    title = element("summary", f"{queries} {words}", foreign(run) if run else None)
    return element("details", title, element("ul", *named, class_="ids"))
