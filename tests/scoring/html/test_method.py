from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judge.scoring.html.method import method
from tests.scoring.html.tree import Node, tree

if TYPE_CHECKING:
    from judge.scoring.html import PageData


def test_it_says_on_what_and_how(data: PageData, document: Node) -> None:
    section = document.one("section", id="method")
    pairs = {
        node.one("dt").text: node.one("dd").text
        for node in section.all("div")
        if len(node.all("dt")) == 1
    }
    assert pairs["Dataset"] == "bicycles"
    assert pairs["Judgments"] == f"{data.report['qrels']['judgments']:,}"
    assert pairs["Hash of the settings"] == data.report["settings_hash"]
    assert pairs["Split"] == "dev"
    assert pairs["Label rule"] == "median-low"
    assert pairs["Digest of the judgments"] == data.report["qrels"]["digest"]
    assert pairs["Equal scores"] == "trec"
    assert pairs["Ties between annotators"] == "3"


def test_a_grade_that_counts_as_relevant_is_marked(data: PageData) -> None:
    made = tree(method(replace(data, grade_labels={0: "not relevant", 1: "relevant"})))
    pairs = [(node.one("dt").text.split(), node.one("dd").text) for node in short(made)]
    assert pairs == [(["0"], "not relevant"), (["1"], "relevant")]
    made = tree(method(replace(data, grade_labels={0: "no", 2: "relevant"})))
    assert [node.one("dt").text.split() for node in short(made)] == [["0"], ["2", "✓"]]
    assert "✓ counts as relevant" in made.text


def short(made: Node) -> list[Node]:
    (block,) = [node for node in made.all("dl") if "short" in (node.attributes["class"] or "")]
    return block.all("div")


def test_every_count_of_every_system_is_there(data: PageData, document: Node) -> None:
    table = document.one("table", class_="counts")
    assert [head.text for head in table.one("thead").all("th")][1:] == [
        run["run"] for run in data.report["runs"]
    ]
    rows = {
        row.one("th").text: [cell.text for cell in row.all("td")]
        for row in table.one("tbody").all("tr")
    }
    counts = [run["counts"] for run in data.report["runs"]]
    assert rows["Queries"] == [str(one["queries"]) for one in counts]
    assert rows["Missing from the run"] == ["0", "0", "1"]
    assert rows["Equal scores across rank 10"] == [str(one["tied"]["10"]) for one in counts]
    assert [name for name in rows if "rank" in name] == [
        f"Equal scores across rank {k}" for k in (5, 10, 20)
    ]


def test_missing_and_unanswerable_queries_are_named(document: Node) -> None:
    folded = document.one("section", id="method").all("details")
    assert [(d.one("summary").text, d.one("li").text) for d in folded] == [
        ("1 query missing from a-system-with-a-rather-long-name-v2.1", "q7"),
        ("1 query without a relevant document", "q39"),
    ]


def test_very_many_ids_are_counted(data: PageData) -> None:
    run = {**data.report["runs"][0], "missing": [f"m{i}" for i in range(1200)]}
    made = method(replace(data, report={**data.report, "runs": [run]}))
    folded = tree(made).all("details")[0]
    assert folded.one("summary").text == "1,200 queries missing from bm25"
    lines = [line.text for line in folded.all("li")]
    assert lines[-1] == "and 700 more"
    assert len(lines) == 501
    assert lines[:3] == ["m0", "m1", "m2"]


def test_without_anything_to_tell_there_are_no_blocks(data: PageData) -> None:
    report = {"runs": [{"run": "r"}], "measures": []}
    made = tree(method(replace(data, report=report, grade_labels={})))
    assert [head.text for head in made.all("h3")] == ["What was scored"]
    assert [(n.one("dt").text, n.one("dd").text) for n in made.all("div") if n.all("dt")][-1] == (
        "Systems",
        "1",
    )
    assert not made.all("table")


def test_settings_are_words(data: PageData) -> None:
    settings = {
        "x": None,
        "list": [],
        "names": [f"n{i}" for i in range(22)],
        "map": {"a": [1, True]},
    }
    made = method(replace(data, report={**data.report, "settings": settings}))
    pairs = {
        n.one("dt").text: n.one("dd").text for n in tree(made).all("div") if len(n.all("dt")) == 1
    }
    assert pairs["x"] == pairs["list"] == "none"
    assert pairs["names"].endswith("n19, and 2 more")
    assert pairs["map"] == "a: 1, true"
