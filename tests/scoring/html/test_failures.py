from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from judge.scoring.html.failures import MAX_QUERIES, failures
from tests.scoring.html.tree import Node, tree

if TYPE_CHECKING:
    from judge.scoring.html import PageData


def test_every_failure_is_listed_with_its_reasons(data: PageData, document: Node) -> None:
    blocks = document.one("section", id="failures").all("details")
    for block, entry in zip(blocks, data.failures, strict=True):
        assert f"{entry['failed']} of {entry['queries']} queries below 0.5000" in block.text
        rows = block.one("tbody").all("tr")
        assert len(rows) == entry["failed"] > 0
        for row, failure in zip(rows, entry["failures"], strict=True):
            assert failure["query"] in row.one("th").text
            assert data.query_texts[failure["query"]] in row.one("th").text
            assert row.all("data")[0].attributes["value"] == repr(failure["value"])
            assert all(reason["says"] in row.text for reason in failure["diagnoses"])
            assert all(reason["code"] in row.text for reason in failure["diagnoses"])


def entry(count: int, **more: Any) -> dict[str, Any]:
    failure = {"query": "q1", "value": 0.0, "judged": None, "diagnoses": [], "relevant": [], **more}
    return {
        "run": "bm25",
        "measure": "nDCG@10",
        "below": 0.5,
        "queries": 1000,
        "failed": 900,
        "diagnoses": {},
        "failures": [failure] * count,
    }


def test_of_very_many_only_the_worst_are_shown_and_that_is_said(data: PageData) -> None:
    made = tree(failures(replace(data, failures=[entry(MAX_QUERIES + 5)]), {}) or "")
    assert len(made.one("tbody").all("tr")) == MAX_QUERIES
    assert f"The {MAX_QUERIES} worst are shown" in made.text
    assert "900 of 1,000 queries" in made.text


def test_what_was_not_found_is_said(data: PageData) -> None:
    relevant = [
        {"doc": "a", "grade": 3, "rank": None},
        {"doc": "b", "grade": 2, "rank": 1234},
        *[{"doc": "c", "grade": 2, "rank": 5}] * 10,
    ]
    made = tree(failures(replace(data, failures=[entry(1, relevant=relevant)]), {"q1": 4}) or "")
    lines = [line.text for line in made.all("td")[2].all("li")]
    assert lines[:2] == ["a grade 3, not found", "b grade 2, rank 1,234"]
    assert lines[-1] == "and 2 more"
    button = made.one("button")
    assert (button.attributes["data-query"], button.attributes["data-run"]) == ("4", "0")


def test_a_run_that_is_not_in_the_report_has_no_way_to_its_ranking(data: PageData) -> None:
    made = tree(failures(replace(data, failures=[{**entry(1), "run": "other"}]), {"q1": 4}) or "")
    assert not made.all("button")
    assert made.all("td")[2].text == "none known"
    assert made.all("td")[1].text == "no diagnosis"


def test_without_failures_there_is_no_section(data: PageData) -> None:
    assert failures(replace(data, failures=[]), {}) is None
