"""How systems compared are told: the verdict in words first, then the numbers behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.scoring.html.charts import Estimate, balance
from judge.scoring.html.markup import DIGITS, Html, count, element, foreign, joined, number
from judge.scoring.html.measures import interval, judged, region
from judge.scoring.html.verdict import notices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.scoring.html.data import JSON, PageData

VERDICTS = {"better": "▲ better", "worse": "▼ worse", "cannot-separate": "≈ cannot separate"}
CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg"}


def comparison(data: PageData) -> Html | None:
    """The comparison; None if there is none."""
    document = data.comparison
    if document is None:
        return None
    # What the report tells of its numbers stands above already.
    told = {*data.report.get("notices", ()), *data.report.get("warnings", ())}
    own = [line for line in document.get("notices", ()) if line not in told]
    return element(
        "section",
        element("h2", "Comparison"),
        element("p", *_about(document), class_="note"),
        notices("To know of the differences", own),
        *(_run(run, document, data.query_texts) for run in document["runs"]),
        id="comparison",
    )


def _about(document: JSON) -> list[str]:
    correction = CORRECTIONS.get(document["correction"], document["correction"])
    confidence = document["interval"]["confidence"]
    tests = f"{count(document['family'])} tests at {document['alpha']:g}"
    return [
        "Baseline: ",
        foreign(document["baseline"], "b"),
        ", which was named first; the order on the command line decides. Difference ="
        f" other − baseline, with its {100 * confidence:g} % interval;"
        f" p by paired randomisation, corrected after {correction} over {tests}. Needed: queries"
        f" that find a difference of {document['detect']:g} with"
        f" {100 * document['power']:g} % power.",
    ]


def _run(run: JSON, document: JSON, texts: Mapping[str, str]) -> Html:
    name, baseline = run["run"], document["baseline"]
    words = [foreign(entry["says"], "li") for entry in run["measures"].values()]
    return joined(
        [
            element("h3", foreign(name), " against ", foreign(baseline)),
            region(f"{name} against {baseline}", _table(run["measures"])),
            _folded("In words", element("ul", *words)),
            _changed(run["measures"], texts),
            _slices(run.get("slices", ())),
        ]
    )


def _table(measures: Mapping[str, JSON]) -> Html:
    heads = ["Measure", "Verdict", "Baseline", "Other", "Difference", "− 0 +", "p", "p corrected"]
    heads += ["Won · tied · lost", "Needed"]
    ends = [entry[key] for entry in measures.values() for key in ("difference", "low", "high")]
    reach = max((abs(end) for end in ends if end is not None), default=0.0) or 1.0
    rows = [_row(measure, entry, reach) for measure, entry in measures.items()]
    return _rows(heads, [element("tbody", *rows)], class_="compared")


def _row(measure: str, entry: JSON, reach: float) -> Html:
    verdict = entry["verdict"]
    cells = [
        element("span", VERDICTS.get(verdict, verdict), class_=f"verdict {verdict}"),
        _valued(entry, "baseline"),
        _valued(entry, "other"),
        joined([element("b", number(entry["difference"], sign=True)), interval(entry)]),
        balance(Estimate(entry["difference"], entry["low"], entry["high"]), reach),
        _chance(entry["p"]),
        _chance(entry["p_adjusted"]),
        f"{count(entry['won'])} · {count(entry['tied'])} · {count(entry['lost'])}",
        count(entry["queries_needed"]),
    ]
    return element("tr", element("th", measure, scope="row"), *(element("td", c) for c in cells))


def _chance(p: float | None) -> Html:
    """A p-value; one too small for the decimals shown is never written as 0."""
    if p is None or round(p, DIGITS) > 0:
        return number(p)
    return element("data", f"< {10.0**-DIGITS:.{DIGITS}f}", value=repr(p), title=repr(p))


def _valued(entry: JSON, side: str) -> Html:
    """A mean of one of the two, with the share judged."""
    return joined([number(entry[side]), judged({"judged": entry["judged"][side]})])


def _changed(measures: Mapping[str, JSON], texts: Mapping[str, str]) -> Html | None:
    """For each measure the queries that changed most; None if none changed."""
    groups = []
    for measure, entry in measures.items():
        rows = []
        changed = entry.get("changed", ())
        for place, change in enumerate(changed):
            query = change["query"]
            lead = element("th", measure, scope="rowgroup", rowspan=len(changed))
            words = foreign(texts[query], class_="query") if texts.get(query) else None
            cells = [
                element("td", words, foreign(query, class_="id")),
                element("td", number(change["baseline"])),
                element("td", number(change["other"])),
                element("td", element("b", number(change["difference"], sign=True))),
            ]
            rows.append(element("tr", None if place else lead, *cells))
        groups += [element("tbody", *rows)] if rows else []
    if not groups:
        return None
    heads = ("Measure", "Query", "Baseline", "Other", "Difference")
    title = "Queries that changed most"
    return _folded(title, region(title, _rows(heads, groups)))


def _slices(slices: Sequence[JSON]) -> Html | None:
    """The same in every part, shorter; None if there are no parts."""
    groups = []
    for part in slices:
        rows = []
        for place, (measure, entry) in enumerate(part["measures"].items()):
            name = [foreign(part["value"]), f" ({part['by']}, n {count(part['queries'])})"]
            lead = element("th", *name, scope="rowgroup", rowspan=len(part["measures"]))
            verdict = VERDICTS.get(entry["verdict"], entry["verdict"])
            difference = number(entry["difference"], sign=True)
            cells = [
                element("td", measure),
                element("td", _valued(entry, "baseline")),
                element("td", _valued(entry, "other")),
                element("td", element("b", difference), interval(entry)),
                element("td", _chance(entry["p_adjusted"])),
                element("td", verdict),
            ]
            rows.append(element("tr", None if place else lead, *cells))
        groups.append(element("tbody", *rows))
    if not groups:
        return None
    heads = ("Slice", "Measure", "Baseline", "Other", "Difference", "p corrected", "Verdict")
    table = _rows(heads, groups, "compared")
    return _folded("Slice by slice", region("Differences in every slice", table))


def _rows(heads: Sequence[str], groups: Sequence[Html], class_: str | None = None) -> Html:
    columns = [element("th", word, scope="col") for word in heads]
    return element("table", element("thead", element("tr", *columns)), *groups, class_=class_)


def _folded(title: str, content: Html) -> Html:
    return element("details", element("summary", title), content)
