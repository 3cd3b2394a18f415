"""How the queries that went badly are listed: the worst first, each with why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.scoring.html.charts import Estimate, bar
from judge.scoring.html.markup import Html, count, element, foreign, joined, number, percent
from judge.scoring.html.measures import region

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.scoring.html.data import JSON, PageData

MAX_QUERIES = 100
"""Queries of a run that are listed; `judge failures` lists all."""

FIRST = 10
"""Those of them that are not folded away."""

MAX_DOCUMENTS = 10
"""Relevant documents of a query that are listed."""


def failures(data: PageData, places: Mapping[str, int]) -> Html | None:
    """A block for each list of failures; None if there is none.

    Args:
        data: With the lists.
        places: For each query id its place in the data of the script, for the way to the rankings.
    """
    if not data.failures:
        return None
    names = [run["run"] for run in data.report["runs"]]
    blocks = []
    for place, entry in enumerate(data.failures):
        run = names.index(entry["run"]) if entry["run"] in names else None
        blocks.append(_block(entry, data.query_texts, places, run, is_open=place == 0))
    return element("section", element("h2", "Failures"), *blocks, id="failures")


def _block(
    entry: JSON,
    texts: Mapping[str, str],
    places: Mapping[str, int],
    run: int | None,
    *,
    is_open: bool,
) -> Html:
    few = f"{count(entry['failed'])} of {count(entry['queries'])} queries have less than"
    best = f" {entry['below']:g} of the best possible {entry['measure']}"
    rows = [_row(failure, texts, places, run) for failure in entry["failures"][:MAX_QUERIES]]
    first, others = rows[:FIRST], rows[FIRST:]
    label = f"Failures of {entry['run']}"
    more = element("summary", f"Show {len(others)} more")
    folded = element("details", more, _table(f"More {label}", others)) if others else None
    rest = f"The {len(rows)} worst are here; the command judge failures lists all."
    return element(
        "details",
        element("summary", foreign(entry["run"], "b"), f": {few}{best}"),
        _reasons(entry),
        _table(label, first) if first else None,
        folded,
        element("p", rest, class_="note") if entry["failed"] > len(rows) else None,
        open=is_open,
        class_="failures",
    )


def _table(label: str, rows: Sequence[Html]) -> Html:
    words = ("Query", "Value", "Why, and where the relevant documents are")
    head = element("tr", *(element("th", word, scope="col") for word in words))
    return region(label, element("table", element("thead", head), element("tbody", *rows)))


def _reasons(entry: JSON) -> Html | None:
    """For how many failures each diagnosis is the most telling, or, if unknown, one of all."""
    primary = entry.get("primary")
    diagnoses: Mapping[str, int] = entry.get("diagnoses", {}) if primary is None else primary
    failed = entry["failed"]
    if not diagnoses:
        return None
    lines = [
        element(
            "li",
            element("span", code, class_="name"),
            element("span", count(number_of), class_="value"),
            bar(Estimate(float(number_of), None, None), float(max(failed, 1)), 0),
        )
        for code, number_of in sorted(diagnoses.items(), key=lambda item: -item[1])
    ]
    which = "one may have several" if primary is None else "the most telling of each"
    caption = element("figcaption", f"Diagnoses of {count(failed)} failures, {which}")
    return element("figure", caption, element("ul", *lines))


def _row(
    failure: JSON, texts: Mapping[str, str], places: Mapping[str, int], run: int | None
) -> Html:
    query = failure["query"]
    button = None
    if run is not None and query in places:
        place = places[query]
        button = element(
            "button",
            "See ranking",
            type="button",
            class_="goto",
            data_query=place,
            data_run=run,
        )
    text = foreign(texts[query], "div", class_="query") if texts.get(query) else None
    value = [element("b", number(failure["value"])), _possible(failure.get("ideal"))]
    why = [
        element("li", element("b", cause["code"]), " ", foreign(cause["says"], "span"))
        for cause in failure.get("diagnoses", ())
    ]
    return element(
        "tr",
        element("th", text, foreign(query, class_="id"), button, scope="row"),
        element("td", *value, _judged(failure.get("judged"))),
        element(
            "td",
            element("ul", *why) if why else element("p", "no diagnosis", class_="none"),
            _relevant(failure.get("relevant", ())),
        ),
    )


def _possible(ideal: float | None) -> Html | None:
    """What the ideal ranking would get; None where that is 1, or nothing."""
    if ideal in (None, 0.0, 1.0):
        return None
    return element("span", "of at most ", number(ideal), class_="judged")


def _judged(share: float | None) -> Html:
    return element("span", percent(share), " judged", class_="judged")


def _relevant(documents: Sequence[JSON]) -> Html:
    """Where each stands, one after the other in a line."""
    if not documents:
        return element("p", "No relevant document is known.", class_="answers none")
    named = [
        joined(
            [
                foreign(document["doc"], class_="id"),
                f" (grade {document['grade']}) ",
                "not ranked" if document["rank"] is None else f"at {count(document['rank'])}",
            ]
        )
        for document in documents[:MAX_DOCUMENTS]
    ]
    rest = len(documents) - len(named)
    spaced = [part for one in named for part in (", ", one)][1:]
    more = f" and {rest:,} more" if rest > 0 else None
    return element("p", "Relevant: ", *spaced, more, class_="answers")
