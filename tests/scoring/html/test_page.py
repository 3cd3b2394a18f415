from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

import pytest

from judge.core.text import shown
from judge.scoring.html import PageData, Shown, page
from tests.scoring.html.planted import HOSTILE, planted
from tests.scoring.html.sample import MADE_AT
from tests.scoring.html.tree import Node, tree

SECTIONS = [
    "verdict",
    "measures",
    "slices",
    "comparison",
    "failures",
    "queries",
    "side-by-side",
    "method",
]


def bare(data: PageData) -> PageData:
    """A report of one run without slices, intervals or values of queries."""
    entry = data.report["runs"][0]
    run = {
        "run": entry["run"],
        "measures": {"nDCG@10": {"mean": None}},
        "counts": {"queries": 0},
        "slices": [],
    }
    report = {"schema": "judge.score/1", "measures": ["nDCG@10"], "runs": [run]}
    return replace(data, report=report, tops={}, failures=[], comparison=None)


def test_the_sections_are_there_in_order_and_the_navigation_names_them(document: Node) -> None:
    assert [
        node.attributes["id"] for node in document.one("main").content if isinstance(node, Node)
    ] == SECTIONS
    links = document.one("nav").all("a")
    assert [link.attributes["href"] for link in links] == [f"#{name}" for name in SECTIONS]
    headings = [node.text for node in document.one("main").all("h2")]
    assert [link.text for link in links] == headings


def test_parts_without_content_are_left_out(data: PageData) -> None:
    document = tree(page(bare(data)))
    names = [node.attributes.get("id") for node in document.one("main").all("section")]
    assert names == ["verdict", "measures", "method"]
    assert "n/a" in document.one("section", id="measures").text
    assert not re.search(r"\b(NaN|nan|None|null|undefined)\b", document.one("main").text)


def test_bare_runs_and_judgments_have_a_page_too() -> None:
    # What is known where there is no dataset: ids, values and ranks.
    run = {"run": "r", "measures": {"AP": {"mean": 0.5}}, "queries": {"q2": {"AP": 0.5}}}
    hits = [Shown("d1", "", "", "und", 1.5, 1, False), Shown("d2", "", "", "und", 1.0, None, False)]
    report = {"measures": ["AP"], "runs": [run]}
    document = tree(page(PageData("scores", MADE_AT, report, {"r": {"q2": hits}})))
    names = [node.attributes["id"] for node in document.one("main").all("section")]
    assert names == ["verdict", "measures", "queries", "side-by-side", "method"]
    assert "r: AP 0.5000" in document.one("section", id="verdict").text
    assert not re.search(r"\b(NaN|nan|None|null|undefined)\b", document.one("main").text)


def test_with_next_to_nothing_there_is_a_page() -> None:
    document = tree(page(PageData("t", MADE_AT, {"measures": [], "runs": [{"run": "r"}]})))
    names = [node.attributes["id"] for node in document.one("main").all("section")]
    assert names == ["verdict", "measures", "method"]


def test_nothing_in_the_page_leads_elsewhere(document: Node) -> None:
    for node in document.walk():
        assert node.tag not in {"link", "img", "iframe", "object", "embed", "base", "form"}
        for name, value in node.attributes.items():
            assert name not in {"src", "srcset", "action", "style", "ping"}
            assert not name.startswith("on")
            if name == "href":
                assert (value or "").startswith("#")
    style = document.one("style").text
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_exactly_what_is_in_the_page(document: Node) -> None:
    (policy,) = [
        node.attributes["content"] or ""
        for node in document.all("meta")
        if node.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    script = document.all("script")[-1].text
    assert rules == {
        "default-src": "'none'",
        "style-src": digest(document.one("style").text),
        "script-src": digest(script),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", script)


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_names_are_unique_and_every_control_has_a_label(document: Node) -> None:
    ids = [node.attributes["id"] for node in document.walk() if "id" in node.attributes]
    assert len(set(ids)) == len(ids)
    labelled = [field for label in document.all("label") for field in label.all("select")]
    labelled += [field for label in document.all("label") for field in label.all("input")]
    assert len(labelled) == len(document.all("select")) + len(document.all("input")) > 0
    for node in document.all("div", role="region"):
        assert node.attributes["aria-label"]
        assert node.attributes["tabindex"] == "0"


def test_every_table_has_heads_with_a_scope(document: Node) -> None:
    for head in document.all("th"):
        assert head.attributes["scope"] in {"col", "row", "rowgroup"}
    for place, table in enumerate(document.all("table")):
        assert table.all("thead"), place


def test_the_same_data_make_the_same_page(data: PageData) -> None:
    assert page(data) == page(data)


def shape(node: Node) -> list[str]:
    """Every element in order, with the names of its attributes."""
    return [f"{part.tag} {sorted(set(part.attributes) - {'lang'})}" for part in node.walk()]


def test_hostile_strings_change_no_element_and_no_attribute(data: PageData) -> None:
    # The page knows Judged@10 by its name, so that a measure of another name is one more.
    names = [name for name in data.report["measures"] if name != "Judged@10"]
    data = replace(data, report={**data.report, "measures": names})
    attacked = tree(page(planted(data)))
    assert shape(attacked) == shape(tree(page(data)))
    languages = {node.attributes.get("lang") for node in attacked.walk()}
    assert languages == {None, "en"}


def test_hostile_strings_are_shown_as_they_are(data: PageData) -> None:
    attacked = tree(page(planted(data)))
    bad = shown(HOSTILE, lines=True)
    assert attacked.one("h1").text == data.title + bad
    assert attacked.one("section", id="measures").all("th")[1].text == "bm25" + bad
    assert shown(HOSTILE) in json.loads(attacked.one("script", id="data").text)["queries"][0][1]


@pytest.mark.parametrize("text", ["</title><script>x</script>", "<!--", "&lt;b&gt;", "\ud800\x00"])
def test_the_title_is_only_text(data: PageData, text: str) -> None:
    document = tree(page(replace(bare(data), title=text)))
    assert document.one("title").text == shown(text)
    assert document.one("h1").text == shown(text)
