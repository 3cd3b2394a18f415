"""How the queries that went badly are listed: the worst first, each with why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.scoring.html.charts import Estimate, bar
from judge.scoring.html.markup import Html, count, element, foreign, joined, number, percent
from judge.scoring.html.overview import region

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.scoring.html.data import JSON, PageData

MAX_QUERIES = 100
"""Queries of a run that are listed; `judge failures` lists all."""

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
    below = f"{count(entry['failed'])} of {count(entry['queries'])} queries below "
    title = [foreign(entry["run"], "b"), f": {below}", number(entry["below"])]
    title.append(f" in {entry['measure']}")
    worst: Sequence[JSON] = entry["failures"][:MAX_QUERIES]
    rows = [_row(failure, texts, places, run) for failure in worst]
    head = [element("th", word, scope="col") for word in ("Query", "Value", "Why", "Relevant")]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    rest = entry["failed"] - len(worst)
    more = f"The {len(worst)} worst are shown; the command judge failures lists all."
    return element(
        "details",
        element("summary", *title),
        _diagnoses(entry["diagnoses"], entry["failed"]),
        region(f"Failures of {entry['run']}", table) if rows else None,
        element("p", more, class_="note") if rest > 0 else None,
        open=is_open,
        class_="failures",
    )


def _diagnoses(diagnoses: Mapping[str, int], failed: int) -> Html | None:
    """How many of the failures have each diagnosis; one may have several."""
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
    caption = element("figcaption", f"Diagnoses of {count(failed)} failures; one may have several")
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
    why = [
        element("li", element("b", cause["code"]), " ", foreign(cause["says"], "span"))
        for cause in failure["diagnoses"]
    ]
    return element(
        "tr",
        element("th", text, foreign(query, class_="id"), button, scope="row"),
        element("td", element("b", number(failure["value"])), _judged(failure.get("judged"))),
        element("td", element("ul", *why) if why else "no diagnosis"),
        element("td", _relevant(failure["relevant"])),
    )


def _judged(share: float | None) -> Html:
    return element("span", percent(share), " judged", class_="judged")


def _relevant(documents: Sequence[JSON]) -> Html:
    if not documents:
        return element("span", "none known", class_="none")
    lines = [
        element(
            "li",
            foreign(document["doc"], class_="id"),
            f" grade {document['grade']}, ",
            "not found" if document["rank"] is None else f"rank {count(document['rank'])}",
        )
        for document in documents[:MAX_DOCUMENTS]
    ]
    if (rest := len(documents) - len(lines)) > 0:
        lines.append(element("li", f"and {rest:,} more"))
    return joined([element("ul", *lines)])
