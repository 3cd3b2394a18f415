"""The report as a browser shows it: what it does by itself, by mouse and by keyboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest

from judge.core.text import shown
from judge.scoring.html import PageData, page
from tests.scoring.html.planted import HOSTILE, planted
from tests.scoring.html.sample import many, sample

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Opened, Viewer

pytestmark = pytest.mark.slow

DENSE = "dense-multilingual"
NDCG = "nDCG@10"

# The least contrast of any text to what is behind it, as WCAG 2 defines it.
CONTRAST = """() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((channels(colour)[3] ?? 1) === 1) return colour;
    }
    throw new Error("no ground");
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push([ratio, walker.currentNode.data.slice(0, 40)]);
  }
  found.sort((x, y) => x[0] - y[0]);
  return [found.length, ...found[0]];
}"""


@pytest.fixture(scope="module")
def data() -> PageData:
    return sample()


@pytest.fixture(scope="module")
def text(data: PageData) -> str:
    return page(data)


def silent(opened: Opened) -> bool:
    """Whether the page did nothing but load itself."""
    assert opened.dialogs == []
    assert opened.messages == []
    assert opened.violations == []
    assert opened.requests == [opened.page.url.split("#")[0]]
    return True


def column(page: Page, place: int) -> list[str]:
    """The numbers of a column of the table of queries, as they are shown."""
    return page.locator(f"#query-rows tr > :nth-child({place})").all_inner_texts()


def ids(page: Page) -> list[str]:
    return page.locator("#query-rows th .id").all_inner_texts()


def hits(page: Page, side: str) -> list[str]:
    return page.locator(f"[id^='{side}-'].hit .id").all_inner_texts()


def values(data: PageData, run: str, measure: str = NDCG) -> dict[str, float]:
    (entry,) = [entry for entry in data.report["runs"] if entry["run"] == run]
    found = {query: value[measure] for query, value in entry["queries"].items()}
    return {query: found[query] for query in sorted(found, key=lambda i: (len(i), i))}


def apart(difference: float) -> str:
    return f"{difference:+.4f}" if difference else "0"


def most_changed(data: PageData) -> str:
    first, second = values(data, "bm25"), values(data, DENSE)
    return max(first, key=lambda query: abs(first[query] - second[query]))


def use_everything(page: Page) -> None:
    for button in page.locator("#query-head button").all():
        button.click()
    page.locator("#filter").fill("script")
    page.locator("#filter").fill("")
    for fold in page.locator("summary").all():
        fold.click()
    page.locator("#query-rows button").nth(3).click()
    page.locator("#query-choice").fill("alert")
    page.locator("#query-choice").press("Enter")
    page.locator("#side-by-side").get_by_text("Next").click()
    page.locator("#side-second").select_option("2")
    for link in page.locator("#rankings a").all()[:3]:
        link.click()


def test_the_page_is_silent_whatever_is_clicked(viewer: Viewer, text: str) -> None:
    opened = viewer.show(text)
    use_everything(opened.page)
    assert silent(opened)


@pytest.mark.parametrize("width", [1280, 380])
def test_hostile_data_do_nothing(viewer: Viewer, data: PageData, width: int) -> None:
    opened = viewer.show(page(planted(data)), width=width)
    use_everything(opened.page)
    assert silent(opened)
    count = opened.page.locator
    assert count("script").count() == 2
    assert count("style").count() == 1
    assert count("img, iframe, [onerror], [onload], [onmouseover], a:not([href^='#'])").count() == 0
    title = count("#rankings .heading:not(.none)").first.text_content() or ""
    assert title.endswith(shown(HOSTILE))
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width


def test_the_policy_is_in_force(viewer: Viewer, text: str) -> None:
    opened = viewer.show(text)
    refused = opened.page.evaluate(
        """() => {
          const image = new Image();
          image.src = "https://example.invalid/a.png";
          document.body.append(image);
          document.body.setAttribute("style", "color: red");
          try { document.body.innerHTML = "<p>x</p>"; } catch (error) { return error.name; }
        }"""
    )
    assert refused == "TypeError"
    opened.wait("window.violations.length >= 3")
    kinds = {violation.split()[0] for violation in opened.violations}
    assert kinds == {"img-src", "style-src-attr", "require-trusted-types-for"}


def test_the_table_has_the_values_of_the_report(viewer: Viewer, data: PageData, text: str) -> None:
    opened = viewer.show(text)
    first, second = values(data, "bm25"), values(data, DENSE)
    assert ids(opened.page) == list(first)
    assert column(opened.page, 3) == [f"{value:.4f}" for value in first.values()]
    assert column(opened.page, 4) == [f"{value:.4f}" for value in second.values()]
    differences = [apart(first[query] - second[query]) for query in first]
    assert [cell.strip() for cell in column(opened.page, 2)] == differences
    whole = opened.page.locator("#query-rows tr > :nth-child(3) data").evaluate_all(
        "cells => cells.map((cell) => Number(cell.title))"
    )
    assert whole == list(first.values())


def test_a_click_sorts_and_another_turns_the_order(
    viewer: Viewer, data: PageData, text: str
) -> None:
    opened = viewer.show(text)
    first, second = values(data, "bm25"), values(data, DENSE)
    head = opened.page.locator("#query-head th")
    head.nth(1).locator("button").click()
    gains = {query: first[query] - second[query] for query in first}
    assert ids(opened.page) == sorted(gains, key=lambda query: -gains[query])
    assert head.nth(1).get_attribute("aria-sort") == "descending"
    head.nth(2).locator("button").click()
    head.nth(2).locator("button").click()
    assert ids(opened.page) == sorted(first, key=lambda query: first[query])
    assert head.nth(2).get_attribute("aria-sort") == "ascending"
    assert head.nth(1).get_attribute("aria-sort") == "none"
    head.nth(0).locator("button").click()
    assert ids(opened.page) == [f"q{number}" for number in range(1, 41)]


def test_a_query_without_a_value_is_last_both_ways(viewer: Viewer, data: PageData) -> None:
    opened = viewer.show(page(data))
    opened.page.locator("#measure").select_option(label="Judged@10")
    assert column(opened.page, 5)[6] == "n/a"
    button = opened.page.locator("#query-head th").nth(4).locator("button")
    for _ in range(2):
        button.click()
        assert ids(opened.page)[-1] == "q7"
        assert column(opened.page, 5)[-1] == "n/a"


def test_the_filter_takes_ids_and_words(viewer: Viewer, text: str) -> None:
    opened = viewer.show(text)
    opened.page.locator("#filter").fill("PUNCTURE  road (12)")
    assert ids(opened.page) == ["q12"]
    assert opened.page.locator("#query-count").inner_text() == (
        "Showing 1 of 1 that match, 40 in all."
    )
    opened.page.locator("#filter").fill("पंचर")
    assert ids(opened.page) == [f"q{number}" for number in range(2, 41, 4)]
    opened.page.locator("#filter").fill("nothing has this")
    assert ids(opened.page) == []
    opened.page.locator("#filter").fill("")
    assert len(ids(opened.page)) == 40


def test_other_measures_and_systems_can_be_chosen(
    viewer: Viewer, data: PageData, text: str
) -> None:
    opened = viewer.show(text)
    opened.page.locator("#measure").select_option(label="AP(rel=2)")
    opened.page.locator("#query-first").select_option(label=DENSE)
    opened.page.locator("#query-second").select_option(label="bm25")
    first, second = values(data, DENSE, "AP(rel=2)"), values(data, "bm25", "AP(rel=2)")
    differences = [apart(first[query] - second[query]) for query in first]
    assert [cell.strip() for cell in column(opened.page, 2)] == differences
    assert opened.page.locator("#side-first").input_value() == "1"
    assert opened.page.locator("#rankings h3").first.inner_text().split() == ["A", DENSE]


def test_a_query_opens_side_by_side(viewer: Viewer, data: PageData, text: str) -> None:
    opened = viewer.show(text)
    opened.page.locator("#query-rows button").nth(4).click()
    assert opened.page.locator("#side-by-side h2").evaluate(
        "node => document.activeElement === node"
    )
    assert data.query_texts["q5"] in opened.page.locator("#side-query").inner_text()
    mine, theirs = data.tops["bm25"]["q5"], data.tops[DENSE]["q5"]
    assert hits(opened.page, "first") == [hit.doc_id for hit in mine]
    assert hits(opened.page, "second") == [hit.doc_id for hit in theirs]
    badges = opened.page.locator("[id^='first-'] .badge")
    assert badges.all_inner_texts() == ["?" if h.grade is None else str(h.grade) for h in mine]
    for place, hit in enumerate(mine):
        told = opened.page.locator(f"#first-{place + 1}").inner_text()
        assert ("unjudged" in told) == (hit.grade is None)
        assert ("hard negative" in told) == hit.hard_negative
        assert (hit.title or hit.doc_id) in told
        other = [there.doc_id for there in theirs]
        rank = other.index(hit.doc_id) + 1 if hit.doc_id in other else None
        assert (f"rank {rank} in B" if rank else "not among the first of B") in told


def test_the_same_document_is_linked_across(viewer: Viewer, data: PageData, text: str) -> None:
    opened = viewer.show(text)
    query = most_changed(data)
    assert opened.page.locator("#query-choice").input_value() == query != "q1"
    both = {h.doc_id for h in data.tops["bm25"][query]}
    both &= {h.doc_id for h in data.tops[DENSE][query]}
    assert opened.page.locator("#links path").count() == len(both) > 0
    link = opened.page.locator("#rankings section").first.locator("a").first
    link.hover()
    assert opened.page.locator(".hit.same").count() == 2
    assert opened.page.locator("#links path.same").count() == 1
    target = opened.page.locator(link.get_attribute("href") or "")
    mine = link.locator("xpath=ancestor::li").locator(".id").inner_text()
    assert target.locator(".id").inner_text() == mine
    link.click()
    assert target.evaluate("node => node.matches(':target')")


def test_queries_are_chosen_by_id_by_words_and_in_turn(viewer: Viewer, text: str) -> None:
    opened = viewer.show(text)
    choice, told = opened.page.locator("#query-choice"), opened.page.locator("#side-query")
    choice.fill("q12")
    assert opened.page.locator("#query-list option").count() == 1
    choice.press("Enter")
    assert told.inner_text().endswith("q12")
    opened.page.get_by_text("Next →").click()
    assert choice.input_value() == "q13"
    opened.page.get_by_text("← Previous").click()
    opened.page.get_by_text("← Previous").click()
    assert choice.input_value() == "q11"
    choice.fill("(33)")
    choice.press("Enter")
    assert told.inner_text().endswith("q33")
    choice.fill("nothing has this")
    choice.press("Enter")
    assert told.inner_text() == "No query has these words."


def test_a_failure_leads_to_its_ranking(viewer: Viewer, data: PageData, text: str) -> None:
    opened = viewer.show(text)
    opened.page.locator("#failures .failures").nth(1).locator("> summary").click()
    opened.page.locator("#failures .failures").nth(1).locator("button").first.click()
    query = data.failures[1]["failures"][0]["query"]
    assert opened.page.locator("#query-choice").input_value() == query
    assert opened.page.locator("#side-first").input_value() == "1"
    assert opened.page.locator("#side-second").input_value() == "0"


def test_a_query_that_a_run_misses_has_no_ranking(viewer: Viewer, text: str) -> None:
    opened = viewer.show(text)
    opened.page.locator("#side-second").select_option("2")
    opened.page.locator("#query-rows button").nth(6).click()
    assert "No ranking is kept here." in opened.page.locator("#rankings").inner_text()


def test_a_lone_system_has_nothing_to_choose(viewer: Viewer, data: PageData) -> None:
    alone = replace(data, report={**data.report, "runs": data.report["runs"][:1]})
    opened = viewer.show(page(alone))
    assert opened.page.locator("#query-first, #side-first, #links").count() == 0
    assert opened.page.locator("#query-head th").count() == 2
    assert hits(opened.page, "first") == [hit.doc_id for hit in data.tops["bm25"]["q1"]]
    assert silent(opened)


def test_without_a_dataset_there_are_ids_and_nothing_is_amiss(
    viewer: Viewer, data: PageData
) -> None:
    bare = {
        run: {
            query: [hit._replace(title="", snippet="", language="und") for hit in hits]
            for query, hits in rankings.items()
        }
        for run, rankings in data.tops.items()
    }
    report = {**data.report, "dataset": None, "labels": None}
    opened = viewer.show(page(PageData("scores", data.made_at, report, bare, relevant_from=2)))
    use_everything(opened.page)
    opened.page.locator("#query-choice").fill("q2")
    opened.page.locator("#query-choice").press("Enter")
    mine = data.tops["bm25"]["q2"]
    assert hits(opened.page, "first") == [hit.doc_id for hit in mine]
    legend = opened.page.locator("#legend li").evaluate_all(
        "all => all.map((node) => node.textContent.trim())"
    )
    assert legend[:4] == ["3  ✓", "2  ✓", "1", "0"]
    best = opened.page.locator("#first-1 .badge")
    assert best.get_attribute("title") == f"grade {mine[0].grade}"
    assert silent(opened)


def test_without_values_there_are_rankings(viewer: Viewer, data: PageData) -> None:
    runs = [{"run": run} for run in data.tops]
    opened = viewer.show(page(replace(data, report={"runs": runs, "measures": []}, failures=[])))
    assert opened.page.locator("#query-choice").input_value() == "q1"
    assert opened.page.locator("#side-values").is_hidden()
    assert hits(opened.page, "first") == [hit.doc_id for hit in data.tops["bm25"]["q1"]]
    assert silent(opened)


@pytest.mark.parametrize("width", [400, 1280])
def test_bars_end_inside_their_tracks(viewer: Viewer, data: PageData, width: int) -> None:
    runs = [
        {**run, "measures": {"DCG@10": {"mean": mean, "low": mean - 1, "high": mean + 0.7}}}
        for run, mean in zip(data.report["runs"], (3.5, 11.6, 7.0), strict=True)
    ]
    report = {**data.report, "measures": ["DCG@10"], "runs": runs}
    opened = viewer.show(page(replace(data, report=report, comparison=None)), width=width)
    figure = opened.page.locator("#measures figure")
    assert "axis from 0 to 20" in figure.inner_text()
    shares = figure.locator("svg").evaluate_all(
        """all => all.map((node) => {
             const [track, fill, whisker] = [".track", ".fill", ".whisker"].map((name) =>
               node.querySelector(name).getBoundingClientRect());
             return [fill.width / track.width, (whisker.right - track.left) / track.width];
           })"""
    )
    expected = [pytest.approx([mean / 20, (mean + 0.7) / 20], abs=0.01) for mean in (3.5, 11.6, 7)]
    assert shares == expected


def test_a_failure_beyond_the_first_is_folded_away(viewer: Viewer, data: PageData) -> None:
    (document, *_) = data.failures
    long = {**document, "failures": document["failures"][:1] * 15, "failed": 15}
    opened = viewer.show(page(replace(data, failures=[long])))
    rows = opened.page.locator("#failures tbody tr:visible")
    assert rows.count() == 10
    opened.page.get_by_text("Show 5 more").click()
    assert rows.count() == 15


def test_on_a_narrow_screen_what_scrolls_says_so(viewer: Viewer, text: str) -> None:
    opened = viewer.show(text, width=400)
    bar = opened.page.locator("nav ul")
    assert bar.evaluate("node => node.scrollWidth - node.clientWidth") <= 0
    table = opened.page.get_by_label("Counts of every system")
    table.scroll_into_view_if_needed()
    assert table.evaluate("node => node.scrollWidth - node.clientWidth") > 0
    box = table.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] - 3, box["y"] + box["height"] / 2

    def edge() -> bytes:
        return opened.page.screenshot(clip={"x": x, "y": y, "width": 1, "height": 1})

    shaded = edge()
    table.evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    assert edge() != shaded


def test_ten_thousand_queries_are_drawn_bit_by_bit(viewer: Viewer, data: PageData) -> None:
    large = replace(many(data, 10_000), tops={}, failures=[])
    opened = viewer.show(page(large))
    assert len(ids(opened.page)) == 100
    opened.page.locator("#query-scroll").evaluate("node => node.scrollTo(0, node.scrollHeight)")
    opened.wait("document.querySelectorAll('#query-rows tr').length === 200")
    opened.page.locator("#query-more").click()
    assert len(ids(opened.page)) == 300
    opened.page.locator("#query-head button").nth(2).click()
    mine = values(large, "bm25")
    assert ids(opened.page) == sorted(mine, key=lambda query: -mine[query])[:100]
    opened.page.locator("#filter").fill("words query-0999")
    assert len(ids(opened.page)) == 10
    assert opened.page.locator("#query-more").is_hidden()


def test_decimals_are_rounded_as_everywhere_else(viewer: Viewer, data: PageData) -> None:
    tied = many(data, 33)
    (run,) = tied.report["runs"][:1]
    for place, query in enumerate(run["queries"]):
        run["queries"][query][NDCG] = place / 32
    opened = viewer.show(page(replace(tied, report={**tied.report, "runs": [run]}, tops={})))
    assert column(opened.page, 2) == [f"{place / 32:.4f}" for place in range(33)]


def test_without_scripts_the_report_can_be_read(viewer: Viewer, data: PageData, text: str) -> None:
    opened = viewer.show(text, script=False)
    body = opened.page.locator("main").inner_text()
    for run in data.report["runs"]:
        assert f"{run['measures'][NDCG]['mean']:.4f}" in body
    assert opened.page.locator("table.matrix").first.is_visible()
    assert opened.page.locator("#queries noscript").is_visible()
    assert opened.page.locator("#filter").is_hidden()
    assert opened.page.locator("#failures button").first.is_hidden()


def test_everything_can_be_reached_by_keyboard(viewer: Viewer, data: PageData, text: str) -> None:
    opened = viewer.show(text)
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.textContent") == "To the content"
    opened.page.locator("#query-head button").nth(1).focus()
    opened.page.keyboard.press("Enter")
    first, second = values(data, "bm25"), values(data, DENSE)
    assert ids(opened.page)[0] == max(first, key=lambda query: first[query] - second[query])
    assert opened.page.evaluate("document.activeElement.dataset.column") == "difference"
    unreachable = opened.page.evaluate(
        """[...document.querySelectorAll("*")].filter((node) =>
             node.checkVisibility() && node.scrollWidth > node.clientWidth + 1 &&
             ["auto", "scroll"].includes(getComputedStyle(node).overflowX) &&
             node.tabIndex < 0 && !node.querySelector("a")).map((node) => node.outerHTML)"""
    )
    assert unreachable == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_all_text_has_enough_contrast_and_nothing_sticks_out(
    viewer: Viewer, text: str, scheme: Literal["light", "dark"], width: int
) -> None:
    opened = viewer.show(text, width=width, scheme=scheme)
    opened.page.locator("details").evaluate_all("all => all.forEach((fold) => (fold.open = true))")
    count, least, where = opened.page.evaluate(CONTRAST)
    assert count > 1000
    assert least >= 4.5, where
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width


def test_on_paper_nothing_is_cut_off_and_nothing_asks_to_be_clicked(
    viewer: Viewer, text: str
) -> None:
    opened = viewer.show(text, width=760, scheme="dark")
    opened.page.locator("details").evaluate_all("all => all.forEach((fold) => (fold.open = true))")
    opened.page.emulate_media(media="print", color_scheme="dark")
    for hidden in ("nav", "#queries .controls", "#failures button"):
        assert opened.page.locator(hidden).first.is_hidden()
    cut = opened.page.locator(".scroll").evaluate_all(
        """all => all.filter((node) => node.scrollHeight > node.clientHeight + 1 ||
             node.scrollWidth > node.clientWidth + 1).map((node) => node.ariaLabel)"""
    )
    assert cut == []
    assert opened.page.evaluate(CONTRAST)[1] >= 4.5
    assert opened.page.pdf().startswith(b"%PDF")
