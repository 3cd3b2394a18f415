from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from judge.scoring.html.failures import FIRST, MAX_QUERIES, failures
from tests.scoring.html.tree import Node, tree

if TYPE_CHECKING:
    from judge.scoring.html import PageData


def test_every_failure_is_listed_with_its_reasons(data: PageData, document: Node) -> None:
    blocks = document.one("section", id="failures").all("details", class_="failures")
    for block, entry in zip(blocks, data.failures, strict=True):
        few = f"{entry['failed']} of {entry['queries']} queries have less than 0.5 of the best"
        assert f"{few} possible nDCG@10" in block.one("summary").text
        rows = block.one("tbody").all("tr")
        assert len(rows) == entry["failed"] > 0
        for row, failure in zip(rows, entry["failures"], strict=True):
            assert failure["query"] in row.one("th").text
            assert data.query_texts[failure["query"]] in row.one("th").text
            assert row.all("data")[0].attributes["value"] == repr(failure["value"])
            assert all(reason["says"] in row.text for reason in failure["diagnoses"])
            assert all(reason["code"] in row.text for reason in failure["diagnoses"])


def entry(count: int, **more: Any) -> dict[str, Any]:
    failure = {"query": "q1", "value": 0.0, "judged": None, **more}
    return {
        "run": "bm25",
        "measure": "nDCG@10",
        "below": 0.5,
        "queries": 1000,
        "failed": 900,
        "failures": [failure] * count,
    }


def test_of_very_many_only_the_worst_are_shown_and_that_is_said(data: PageData) -> None:
    made = tree(failures(replace(data, failures=[entry(MAX_QUERIES + 5)]), {}) or "")
    first, folded = made.all("tbody")
    assert len(first.all("tr")) == FIRST
    assert len(folded.all("tr")) == MAX_QUERIES - FIRST
    inner = made.one("details", class_="failures").all("details")[1]
    assert inner.one("summary").text == f"Show {MAX_QUERIES - FIRST} more"
    assert "open" not in inner.attributes
    assert inner.one("tbody") is folded
    assert f"The {MAX_QUERIES} worst are here" in made.text
    assert "900 of 1,000 queries" in made.text


def test_what_was_not_found_is_said(data: PageData) -> None:
    relevant = [
        {"doc": "a", "grade": 3, "rank": None},
        {"doc": "b", "grade": 2, "rank": 1234},
        *[{"doc": "c", "grade": 2, "rank": 5}] * 10,
    ]
    made = tree(failures(replace(data, failures=[entry(1, relevant=relevant)]), {"q1": 4}) or "")
    told = made.one("p", class_="answers").text
    assert told.startswith("Relevant: a (grade 3) not ranked, b (grade 2) at 1,234, c (grade 2) at")
    assert told.count("c (grade 2) at 5") == 8
    assert told.endswith("at 5 and 2 more")
    button = made.one("button")
    assert (button.attributes["data-query"], button.attributes["data-run"]) == ("4", "0")


def test_a_run_that_is_not_in_the_report_has_no_way_to_its_ranking(data: PageData) -> None:
    made = tree(failures(replace(data, failures=[{**entry(1), "run": "other"}]), {"q1": 4}) or "")
    assert not made.all("button")
    assert [line.text for line in made.all("td")[1].all("p")] == [
        "no diagnosis",
        "No relevant document is known.",
    ]


@pytest.mark.parametrize(
    ("ideal", "told"), [(0.125, "of at most 0.1250"), (1.0, None), (0.0, None), (None, None)]
)
def test_what_could_be_reached_is_told_where_it_is_not_one(
    data: PageData, ideal: float | None, told: str | None
) -> None:
    made = tree(failures(replace(data, failures=[entry(1, ideal=ideal)]), {}) or "")
    assert (told in made.text) if told else ("at most" not in made.text)


def test_the_most_telling_diagnoses_are_counted_where_they_are_known(data: PageData) -> None:
    both = {**entry(1), "diagnoses": {"a": 900, "b": 30}, "primary": {"a": 880, "b": 20}}
    made = tree(failures(replace(data, failures=[both]), {}) or "").one("figure")
    assert [line.all("span")[1].text for line in made.all("li")] == ["880", "20"]
    assert "the most telling of each" in made.text
    del both["primary"]
    made = tree(failures(replace(data, failures=[both]), {}) or "").one("figure")
    assert [line.all("span")[1].text for line in made.all("li")] == ["900", "30"]
    assert "one may have several" in made.text


def test_without_failures_there_is_no_section(data: PageData) -> None:
    assert failures(replace(data, failures=[]), {}) is None
