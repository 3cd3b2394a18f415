from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from judge.scoring.html.measures import main_measure, measured, measures
from tests.scoring.html.tree import Node, tree

if TYPE_CHECKING:
    from judge.scoring.html import PageData


def numbers(node: Node) -> list[str | None]:
    return [part.attributes["value"] for part in node.all("data")]


def test_each_cell_has_mean_interval_and_coverage_of_its_run(
    data: PageData, document: Node
) -> None:
    body = document.one("section", id="measures").all("tbody")[0]
    rows = body.all("tr")
    names = [name for name in data.report["measures"] if name != "Judged@10"]
    assert [row.one("th").text for row in rows] == names
    for row, name in zip(rows, names, strict=True):
        for cell, run in zip(row.all("td"), data.report["runs"], strict=True):
            entry = run["measures"][name]
            told = [entry[key] for key in ("mean", "low", "high", "judged")]
            assert numbers(cell) == [repr(value) for value in told]
            assert cell.one("b").text == f"{entry['mean']:.4f}"
            assert "judged" in cell.text


def test_each_chart_has_a_bar_for_every_run(data: PageData, document: Node) -> None:
    figures = document.one("section", id="measures").all("figure")
    names = [name for name in data.report["measures"] if name != "Judged@10"]
    for figure, name in zip(figures, names, strict=True):
        for line, run in zip(figure.all("li"), data.report["runs"], strict=True):
            mean = run["measures"][name]["mean"]
            bar = line.all("rect")[1]
            assert float(bar.attributes["width"] or "") == round(100 * mean, 3)
            assert line.one("span", class_="name").text == run["run"]
            assert numbers(line) == [repr(mean)]


def test_a_report_without_intervals_or_coverage_does_not_speak_of_them(data: PageData) -> None:
    entry = {"mean": 3.0}
    run = {**data.report["runs"][0], "measures": {"DCG@10": entry}}
    report = {"runs": [run], "measures": ["DCG@10"], "interval": None}
    made = tree(measures(replace(data, report=report)))
    assert "interval" not in made.text
    assert "judged" not in made.all("td")[0].text
    assert "axis from 0 to 5" in made.one("figure").text
    assert made.all("rect")[1].attributes["width"] == "60"


@pytest.mark.parametrize(
    ("names", "left", "main"),
    [
        (["nDCG@10", "Judged@10"], ["nDCG@10"], "nDCG@10"),
        (["Judged@10", "nDCG@10", "Judged@5"], ["nDCG@10", "Judged@5"], "nDCG@10"),
        (["AP", "Judged"], ["AP"], "AP"),
        (["Judged@10"], ["Judged@10"], None),
        (["of our own@10", "Judged@10"], ["of our own@10", "Judged@10"], "of our own@10"),
        ([], [], None),
    ],
)
def test_the_share_judged_has_no_row_where_it_stands_beside_another_measure(
    names: list[str], left: list[str], main: str | None
) -> None:
    assert measured({"measures": names}) == left
    assert main_measure({"measures": names}) == main


def test_a_system_that_lacks_a_measure_has_no_value(data: PageData) -> None:
    made = tree(measures(replace(data, report={"runs": [{"run": "r"}], "measures": ["AP"]})))
    assert [cell.text for cell in made.all("td")] == ["n/a"]
