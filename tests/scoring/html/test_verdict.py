from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judge.scoring.html.verdict import verdict
from tests.scoring.html.tree import Node, tree

if TYPE_CHECKING:
    from judge.scoring.html import PageData


def test_the_answer_is_what_the_comparison_says_of_its_first_measure(
    data: PageData, document: Node
) -> None:
    assert data.comparison is not None
    section = document.one("section", id="verdict")
    leads = [node.text for node in section.all("p", class_="lead")]
    assert leads == [run["measures"]["nDCG@10"]["says"] for run in data.comparison["runs"]]
    assert "bicycles · 40 queries · 547 judgments · 3 systems · " in section.text


def test_without_a_comparison_it_is_the_main_measure_of_every_system(data: PageData) -> None:
    made = tree(verdict(replace(data, comparison=None)))
    lines = made.one("ul", class_="lead").all("li")
    for line, run in zip(lines, data.report["runs"], strict=True):
        entry = run["measures"]["nDCG@10"]
        told = [entry[key] for key in ("mean", "low", "high", "judged")]
        assert [part.attributes["value"] for part in line.all("data")] == [repr(v) for v in told]
        assert line.text.startswith(f"{run['run']}: nDCG@10 {entry['mean']:.4f} [")


def test_a_measure_of_judging_is_no_answer(data: PageData) -> None:
    runs = [{"run": "r", "measures": {"Judged@5": {"mean": 0.25}, "AP": {"mean": 0.5}}}]
    report = {"runs": runs, "measures": ["Judged@5", "AP"]}
    made = tree(verdict(replace(data, report=report, comparison=None)))
    assert made.one("ul", class_="lead").text == "r: AP 0.5000"
    report["measures"] = ["Judged@5"]
    made = tree(verdict(replace(data, report=report, comparison=None)))
    assert "no measure of how well" in made.one("p", class_="lead").text
    assert "1 system · " in made.text


def test_each_notice_is_told_once_and_only_the_first_stand_open(data: PageData) -> None:
    notices = ["a", "b", "a", "c", "d", "e"]
    report = {**data.report, "notices": notices, "warnings": ["w"]}
    warned, told = tree(verdict(replace(data, report=report))).all("aside")
    assert [line.text for line in warned.all("li")] == ["w"]
    assert [line.text for line in told.all("li")] == ["a", "b", "c", "d", "e"]
    assert told.one("summary").text == "2 more"
    assert [line.text for line in told.one("details").all("li")] == ["d", "e"]
    assert "Probably wrong" in warned.text
