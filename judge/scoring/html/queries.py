"""What stands ready for the script: the controls of the table of queries and of two rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.scoring.html.markup import Html, element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.scoring.html.data import PageData

_NO_SCRIPT = "This part is made by the script of the page, which is not running here."


def queries(data: PageData) -> Html | None:
    """The table of queries, empty; None if the report has no values of queries."""
    if not any(run.get("queries") for run in data.report["runs"]):
        return None
    names = [run["run"] for run in data.report["runs"]]
    controls = [
        _choice("measure", "Measure", data.report["measures"], 0),
        *_systems(names, "query"),
        _field("filter", "Only queries with", "an id or words"),
    ]
    caption = element("caption", "Values of every query", class_="unseen")
    head = element("thead", element("tr", id="query-head"))
    table = element("table", caption, head, element("tbody", id="query-rows"), id="query-table")
    scroll = element(
        "div",
        table,
        id="query-scroll",
        class_="scroll tall",
        role="region",
        aria_label="Table of queries",
        tabindex=0,
    )
    foot = element(
        "p",
        element("span", id="query-count", role="status"),
        " ",
        element("button", "Show more", type="button", id="query-more"),
        class_="note",
    )
    made = element("div", element("div", *controls, class_="controls"), scroll, foot, hidden=True)
    return _section("queries", "Queries", made)


def side_by_side(data: PageData) -> Html | None:
    """Where the rankings of a query come to stand; None if there are none."""
    if not any(data.tops.values()):
        return None
    names = [run["run"] for run in data.report["runs"]]
    controls = [
        element(
            "label",
            "Query (id or words)",
            element(
                "input", type="search", id="query-choice", list="query-list", autocomplete="off"
            ),
        ),
        element("datalist", id="query-list"),
        element(
            "div",
            element("button", "← Previous", type="button", id="query-previous"),
            element("button", "Next →", type="button", id="query-next"),
            class_="buttons",
        ),
        *_systems(names, "side"),
    ]
    made = element(
        "div",
        element("div", *controls, class_="controls"),
        element("p", id="side-query", role="status"),
        element("ul", id="legend", aria_label="Grades"),
        element(
            "div",
            id="side-values",
            class_="scroll",
            role="region",
            aria_label="Values of this query",
            tabindex=0,
        ),
        element("div", id="rankings", class_="two" if len(names) > 1 else None),
        hidden=True,
    )
    return _section("side-by-side", "Side by side", made)


def _section(name: str, title: str, made: Html) -> Html:
    without = element("noscript", element("p", _NO_SCRIPT, class_="note"))
    return element("section", element("h2", title), without, made, id=name)


def _systems(names: Sequence[str], where: str) -> list[Html]:
    """Two choices of a system; a lone system leaves nothing to choose."""
    if len(names) < 2:
        return []
    return [
        _choice(f"{where}-first", "System A", names, 0),
        _choice(f"{where}-second", "System B", names, 1),
    ]


def _choice(name: str, words: str, values: Sequence[str], chosen: int) -> Html:
    options = [
        element("option", value, value=place, selected=place == chosen)
        for place, value in enumerate(values)
    ]
    return element("label", words, element("select", *options, id=name, autocomplete="off"))


def _field(name: str, words: str, example: str) -> Html:
    box = element("input", type="search", id=name, placeholder=example, autocomplete="off")
    return element("label", words, box)
