from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judge.scoring.html.overview import measures, summary
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
    assert [row.one("th").text for row in rows] == data.report["measures"]
    for row, name in zip(rows, data.report["measures"], strict=True):
        for cell, run in zip(row.all("td"), data.report["runs"], strict=True):
            entry = run["measures"][name]
            told = [entry[key] for key in ("mean", "low", "high", "judged")]
            assert numbers(cell) == [repr(value) for value in told]
            assert cell.one("b").text == f"{entry['mean']:.4f}"
            assert "judged" in cell.text


def test_each_chart_has_a_bar_for_every_run(data: PageData, document: Node) -> None:
    figures = document.one("section", id="measures").all("figure")
    for figure, name in zip(figures, data.report["measures"], strict=True):
        for line, run in zip(figure.all("li"), data.report["runs"], strict=True):
            mean = run["measures"][name]["mean"]
            bar = line.all("rect")[1]
            assert float(bar.attributes["width"] or "") == round(100 * mean, 3)
            assert line.one("span", class_="name").text == run["run"]
            assert numbers(line) == [repr(mean)]


def test_the_summary_says_on_what_and_how(data: PageData, document: Node) -> None:
    section = document.one("section", id="summary")
    pairs = {
        node.one("dt").text: node.one("dd").text
        for node in section.all("div")
        if len(node.all("dt")) == 1
    }
    assert pairs["Dataset"] == "bicycles"
    assert pairs["Judgments"] == f"{data.report['qrels']['judgments']:,}"
    assert pairs["Settings hash"] == data.report["settings_hash"]
    assert pairs["Split"] == "dev"
    assert pairs["Label rule"] == "median-low"
    assert pairs["Digest of the judgments"] == data.report["qrels"]["digest"]
    assert pairs["2"] == "useful evidence (relevant)"
    assert pairs["1"] == "related but insufficient"
    notices = [line.text for line in section.one("aside").all("li")]
    assert set(notices) == set(data.report["notices"])
    assert len(notices) == len(set(notices))


def test_missing_and_unanswerable_queries_are_named(document: Node) -> None:
    folded = document.one("section", id="summary").all("details")
    assert [(d.one("summary").text, d.one("li").text) for d in folded] == [
        ("1 query missing from a-system-with-a-rather-long-name-v2.1", "q7"),
        ("1 query without a relevant document", "q39"),
    ]


def test_very_many_ids_are_counted(data: PageData) -> None:
    run = {**data.report["runs"][0], "missing": [f"m{i}" for i in range(1200)]}
    made = summary(replace(data, report={**data.report, "runs": [run]}))
    folded = tree(made).all("details")[0]
    assert folded.one("summary").text == "1,200 queries missing from bm25"
    lines = [line.text for line in folded.all("li")]
    assert lines[-1] == "and 700 more"
    assert len(lines) == 501


def test_settings_are_words(data: PageData) -> None:
    settings = {
        "x": None,
        "list": [],
        "names": [f"n{i}" for i in range(22)],
        "map": {"a": [1, True]},
    }
    made = summary(replace(data, report={**data.report, "settings": settings}))
    pairs = {
        n.one("dt").text: n.one("dd").text for n in tree(made).all("div") if len(n.all("dt")) == 1
    }
    assert pairs["x"] == pairs["list"] == "none"
    assert pairs["names"].endswith("n19, and 2 more")
    assert pairs["map"] == "a: 1, true"


def test_a_report_without_intervals_or_coverage_does_not_speak_of_them(data: PageData) -> None:
    entry = {"mean": 3.0}
    run = {**data.report["runs"][0], "measures": {"DCG@10": entry}}
    report = {"runs": [run], "measures": ["DCG@10"], "interval": None}
    made = tree(measures(replace(data, report=report)))
    assert "interval" not in made.text
    assert "judged" not in made.all("td")[0].text
    assert "axis from 0 to 3" in made.one("figure").text
