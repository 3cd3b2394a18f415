from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from judge.scoring.html.comparison import comparison
from tests.scoring.html.tree import Node, tree

if TYPE_CHECKING:
    from judge.scoring.html import PageData


def compared(data: PageData) -> dict[str, Any]:
    assert data.comparison is not None
    return data.comparison


def test_every_measure_has_a_row_with_verdict_and_numbers(data: PageData, document: Node) -> None:
    tables = document.one("section", id="comparison").all("table", class_="compared")[::2]
    words = {"better": "▲ better", "worse": "▼ worse", "cannot-separate": "≈ cannot separate"}
    for table, run in zip(tables, compared(data)["runs"], strict=True):
        for row, (name, entry) in zip(table.all("tr")[1:], run["measures"].items(), strict=True):
            assert row.one("th").text == name
            cells = row.all("td")
            assert cells[0].text == words[entry["verdict"]]
            told = f"{entry['difference']:+.4f}" if entry["difference"] else "0"
            assert cells[3].one("b").text == told
            values = [part.attributes["value"] for part in row.all("data")]
            sides = entry["judged"]
            first = [entry["baseline"], sides["baseline"], entry["other"], sides["other"]]
            assert values[:4] == [repr(value) for value in first]
            rest = [entry[key] for key in ("difference", "low", "high", "p", "p_adjusted")]
            assert values[4:] == [repr(value) for value in rest]
            assert cells[7].text == f"{entry['won']} · {entry['tied']} · {entry['lost']}"


def test_every_measure_is_told_in_words(data: PageData, document: Node) -> None:
    text = document.one("section", id="comparison").text
    for run in compared(data)["runs"]:
        assert all(entry["says"] in text for entry in run["measures"].values())
    assert all(line in text for line in compared(data)["notices"])
    assert "Baseline: bm25, which was named first; the order on the command line decides." in text


def test_notices_of_the_report_are_not_repeated(data: PageData) -> None:
    document = {**compared(data), "notices": ["of the report", "wrong", "of the difference"]}
    report = {**data.report, "notices": ["of the report"], "warnings": ["wrong"]}
    made = tree(comparison(replace(data, report=report, comparison=document)) or "")
    assert [line.text for line in made.one("aside").all("li")] == ["of the difference"]
    document["notices"] = ["of the report"]
    made = tree(comparison(replace(data, report=report, comparison=document)) or "")
    assert not made.all("aside")


def test_the_queries_that_changed_most_are_listed(data: PageData, document: Node) -> None:
    section = document.one("section", id="comparison")
    (first, *_) = [d for d in section.all("details") if d.one("summary").text.startswith("Queries")]
    changes = compared(data)["runs"][0]["measures"]["nDCG@10"]["changed"]
    rows = first.all("tbody")[0].all("tr")
    for row, change in zip(rows, changes, strict=True):
        assert change["query"] in row.text
        assert data.query_texts[change["query"]] in row.text
        keys = ("baseline", "other", "difference")
        assert [part.attributes["value"] for part in row.all("data")] == [
            repr(change[k]) for k in keys
        ]


def with_p(data: PageData, p: float | None) -> Node:
    run = compared(data)["runs"][0]
    entry = {**run["measures"]["nDCG@10"], "p": p, "p_adjusted": p, "queries_needed": None}
    runs = [{**run, "measures": {"nDCG@10": entry}, "slices": []}]
    return tree(comparison(replace(data, comparison={**compared(data), "runs": runs})) or "")


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1e-12, "< 0.0001"),
        (0.00005001, "0.0001"),
        (0.25, "0.2500"),
        (None, "n/a"),
        (0.0, "< 0.0001"),
    ],
)
def test_a_small_p_is_not_shown_as_nothing(data: PageData, p: float | None, text: str) -> None:
    cells = with_p(data, p).one("table", class_="compared").all("td")
    assert cells[5].text == cells[6].text == text
    assert cells[8].text == "n/a"


def test_without_a_comparison_there_is_no_section(data: PageData) -> None:
    assert comparison(replace(data, comparison=None)) is None
