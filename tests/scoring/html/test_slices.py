from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from judge.scoring.html.slices import slices
from tests.scoring.html.tree import Node, tree

if TYPE_CHECKING:
    from judge.scoring.html import PageData


def told(part: dict[str, Any], measure: str) -> list[str]:
    entry = part["measures"][measure]
    return [f"{entry['mean']:.4f}", f"n {part['counts']['queries']}"]


def test_there_is_a_block_for_each_measure_and_the_first_is_open(
    data: PageData, document: Node
) -> None:
    blocks = document.one("section", id="slices").all("details")
    names = [name for name in data.report["measures"] if name != "Judged@10"]
    assert [block.one("summary").text for block in blocks] == names
    assert ["open" in block.attributes for block in blocks] == [True] + [False] * (len(blocks) - 1)


def test_each_cell_of_the_matrix_is_the_slice_of_its_pair(data: PageData, document: Node) -> None:
    block = document.one("section", id="slices").all("details")[0]
    tables = block.all("table", class_="matrix")
    for table, run in zip(tables, data.report["runs"], strict=True):
        pairs = {p["value"]: p for p in run["slices"] if p["by"] == "language-pair"}
        written = [head.text for head in table.one("thead").all("th")][1:]
        seen = 0
        for row in table.one("tbody").all("tr"):
            for column, cell in zip(written, row.all("td"), strict=True):
                part = pairs.get(f"{row.one('th').text} > {column}")
                if part is None:
                    assert cell.text == "no query"
                    continue
                seen += 1
                assert [cell.one("b").text, cell.all("span")[0].text] == told(part, "nDCG@10")
                assert "judged" in cell.text
        assert seen == len(pairs) > 10


def test_the_greatest_mean_has_the_last_colour(data: PageData, document: Node) -> None:
    block = document.one("section", id="slices").all("details")[0]
    means = [
        (float(cell.all("data")[0].attributes["value"] or ""), cell.attributes["class"])
        for table in block.all("table", class_="matrix")
        for cell in table.all("td")
        if cell.all("data")
    ]
    assert max(means)[1] == "heat-7"
    assert [int((c or "")[-1]) for _, c in sorted(means)] == sorted(
        int((c or "")[-1]) for _, c in means
    )


def test_other_parts_are_bars_with_their_counts(data: PageData, document: Node) -> None:
    block = document.one("section", id="slices").all("details")[0]
    table = block.one("table", class_="parts")
    rows = table.all("tr")[1:]
    expected = [
        (run["run"], str(part["counts"]["queries"]), f"{part['measures']['nDCG@10']['mean']:.4f}")
        for value in ("buying", "repair", "(none)")
        for run in data.report["runs"]
        for part in run["slices"]
        if (part["by"], part["value"]) == ("category", value)
    ]
    assert [tuple(cell.text for cell in row.all("td")[:3]) for row in rows] == expected
    assert [head.text for head in table.all("th", scope="rowgroup")] == [
        "buying",
        "repair",
        "(none)",
    ]


def sliced(data: PageData, *parts: tuple[str, str]) -> PageData:
    made = [
        {"by": by, "value": value, "counts": {"queries": 1}, "measures": {"m": {"mean": None}}}
        for by, value in parts
    ]
    run = {**data.report["runs"][0], "slices": made}
    return replace(data, report={**data.report, "measures": ["m"], "runs": [run]})


def test_parts_stand_in_the_order_of_the_report(data: PageData) -> None:
    lengths = [("length", value) for value in ("short", "long", "huge")]
    made = tree(slices(sliced(data, *lengths)) or "")
    heads = [head.text for head in made.all("th", scope="rowgroup")]
    assert heads == ["short", "long", "huge"]
    pairs = [("language-pair", value) for value in ("hi > ta", "hi > en", "en > ta", "en > en")]
    made = tree(slices(sliced(data, *pairs)) or "")
    assert [head.text for head in made.one("thead").all("th")][1:] == ["en", "ta"]
    assert [head.text for head in made.one("tbody").all("th")] == ["hi", "en"]


def test_all_systems_have_the_same_rows_and_columns(data: PageData) -> None:
    first = sliced(data, ("language-pair", "en > hi")).report["runs"][0]
    second = sliced(data, ("language-pair", "hi > en")).report["runs"][0]
    report = {**data.report, "measures": ["m"], "runs": [first, {**second, "run": "other"}]}
    made = tree(slices(replace(data, report=report)) or "")
    for table in made.all("table"):
        assert [head.text for head in table.all("th")][1:] == ["en", "hi", "en", "hi"]


def test_pairs_that_do_not_have_two_sides_become_bars(data: PageData) -> None:
    made = tree(slices(sliced(data, ("language-pair", "en > hi"), ("language-pair", "en"))) or "")
    assert not made.all("table", class_="matrix")
    assert made.all("table", class_="parts")


def test_a_pair_that_no_query_has_says_so(data: PageData) -> None:
    pairs = ("language-pair", "en > hi"), ("language-pair", "hi > en")
    made = tree(slices(sliced(data, *pairs)) or "")
    cells = [(cell.text, cell.attributes["class"]) for cell in made.all("td")]
    assert cells == [
        ("no query", "heat-none"),
        ("n/an 1", "heat-none"),
        ("n/an 1", "heat-none"),
        ("no query", "heat-none"),
    ]


def test_without_slices_there_is_no_section(data: PageData) -> None:
    assert slices(sliced(data)) is None
