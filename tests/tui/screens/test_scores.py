"""The screen of scores: the report's numbers, live, in panels."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from judge.bench import live as live_room
from judge.bench.asked import Asked
from judge.bench.evaluate import evaluate_dataset
from judge.core.model import Document, Query
from judge.dataset.store import Dataset
from judge.tui.screens.help import HelpScreen
from judge.tui.screens.judging import JudgingScreen
from judge.tui.screens.queries import QueriesScreen
from judge.tui.screens.scores import PANELS, ScoresScreen
from judge.tui.widgets.panel import Halves
from tests.bench.live_set import NAME, RUNS, judge, make_set, no_bar
from tests.tui.rig import Rig, drive

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from judge.core.workspace import Workspace

    Rankings = dict[str, dict[str, Sequence[str]]]

HOSTILE = (
    "[/foo] bar",
    "[bold]x",
    "a\x1b[31mb\x1b]52;c;eA==\x07",
    "\x9b1m\u202ez",
    "काम 東京 👩‍👩‍👧",
)
WIDE = (160, 60)


@pytest.fixture
def judged(workspace: Workspace) -> Workspace:
    judge(make_set(workspace), hard=["d2"])
    return workspace


def scores(rig: Rig) -> ScoresScreen:
    assert isinstance(rig.app.screen, ScoresScreen)
    return rig.app.screen


async def measured(rig: Rig, *keys: str) -> None:
    """Press keys, and wait until all of the view is there."""
    await rig.press(*keys)
    await rig.until(lambda: isinstance(rig.app.screen, ScoresScreen))
    screen = scores(rig)
    await rig.until(lambda: _is_complete(screen))
    await rig.settle()


def _is_complete(screen: ScoresScreen) -> bool:
    is_idle = not any(worker.is_running for worker in screen.workers)
    is_there = screen._view is not None and screen._view.comparison is not None
    return is_idle and is_there and not screen.busy


def run(
    workspace: Workspace,
    steps: Callable[[Rig], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
) -> None:
    async def opened(rig: Rig) -> None:
        await rig.until(lambda: isinstance(rig.app.screen, JudgingScreen | QueriesScreen))
        await rig.settle()
        await steps(rig)

    drive(workspace, opened, dataset=NAME, size=size, opened="")


def report(workspace: Workspace) -> dict[str, Any]:
    """Give what `judge score --run alpha --run beta --engine bm25 --engine terms` reports."""
    dataset = Dataset.open(workspace, NAME)
    found = evaluate_dataset(
        dataset, Asked(), runs=["alpha", "beta"], engines=["bm25", "terms"], progress=no_bar
    )
    return found.report


def test_the_numbers_are_those_of_the_report(judged: Workspace) -> None:
    wanted = report(judged)

    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        screen = scores(rig)
        shown = [
            line for line in screen.panel("systems").page.lines if not isinstance(line, Halves)
        ]
        lines = ["".join(span.text for span in line) for line in shown]
        rows = iter(lines)
        for measure in wanted["measures"]:
            for found in wanted["runs"]:
                figure, row = found["measures"][measure], next(rows)
                assert found["run"] in row
                assert f" {figure['mean']:.3f} " in row
                assert f"[{figure['low']:.3f} {figure['high']:.3f}]" in row
                assert f"{int(100 * figure['judged'])}%" in row
        assert lines[0].startswith("nDCG@10 ")
        assert wanted["settings_hash"] in rig.rows[0]
        assert "2 queries, 8 judgments" in rig.rows[0]
        assert "median-low of 1 annotator" in rig.rows[0]

    run(judged, steps, WIDE)


def test_all_panels_are_side_by_side_where_there_is_room(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        text = rig.text
        for told in (
            "4 systems  a alpha  b beta",
            "languages nDCG@10 of alpha",
            "by language nDCG@10",
            "compare: cannot separate a and b on nDCG@10",
            "worst: 0 of 2 below half",
            "none has less than half of what its judgments allow",
            "top 10",
            "2 queries cannot separate beta from alpha on nDCG@10",
        ):
            assert told in text, told
        assert "notes" not in text
        await rig.press("shift+tab")
        assert "settings_hash" not in rig.text
        await rig.see("unfinished")
        await rig.see("median-low")

    run(judged, steps, WIDE)


def test_one_panel_after_the_other_where_there_is_none(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        for name, title in PANELS.items():
            assert scores(rig)._active == name
            assert all(other in rig.rows[1] for other in PANELS.values())
            shown = [n for n in PANELS if scores(rig).panel(n).display]
            assert shown == [name], title
            assert "━━" in rig.rows[2]
            await rig.press("tab")
        assert scores(rig)._active == "systems"
        await rig.press("[", "right", "left", "]")
        assert scores(rig)._active == "systems"

    run(judged, steps)


def test_other_systems_measures_and_slices(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        await measured(rig, "s")
        await rig.see("a beta  b alpha")
        await measured(rig, "c")
        await rig.see("a beta  b bm25")
        await measured(rig, "n")
        await measured(rig, "n")
        await rig.see("languages RR(rel=2)@10 of beta")
        await rig.see("worst: 1 of 2 below half")
        await rig.see("by language RR")
        await measured(rig, "b")
        await rig.see("nothing to cut by category")
        for _ in range(3):
            await measured(rig, "b")
        await rig.see("by kind ")
        rows = [row for row in rig.rows if " 1  short" in row or " 1  long" in row]
        assert len(rows) == 2
        assert "a beta" in rows[0]
        assert "0.333" in next(row for row in rows if "long" in row)
        assert "1.000" in next(row for row in rows if "short" in row)

    run(judged, steps, WIDE)


def test_the_heat_map_has_the_numbers_of_the_pairs(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        await measured(rig, "n")
        await measured(rig, "n", "tab")
        text = [row.split() for row in rig.rows]
        assert ["de", "en"] in text
        assert ["de", "1.0", "-"] in text  # q2: d3 is first
        assert ["en", ".33", ".50"] in text  # q1: the German answer third, the English one second

    run(judged, steps)


def test_the_worst_query_is_opened_in_judging(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        assert isinstance(rig.app.screen, QueriesScreen)  # nothing is left to judge
        await measured(rig, "m")
        await measured(rig, "s")
        await measured(rig, "n")
        await measured(rig, "n", "tab", "tab", "tab")
        row = next(row for row in rig.rows if "▸" in row)
        assert row.split()[:5] == ["▸", "0.333", "66%", "q2", "de"]
        await rig.see("enter judges word3 second")
        await rig.press("enter")
        assert isinstance(rig.app.screen, JudgingScreen)
        assert rig.card is not None
        assert rig.card[0] == "q2"
        await rig.press("q")
        assert isinstance(rig.app.screen, ScoresScreen)
        await rig.press("q")
        assert isinstance(rig.app.screen, QueriesScreen)

    run(judged, steps)


def test_enter_goes_back_to_the_judging_that_it_came_from(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        if not isinstance(rig.app.screen, JudgingScreen):
            await rig.press("enter")
        await measured(rig, "m")
        await measured(rig, "}")
        await rig.press("enter")
        assert isinstance(rig.app.screen, JudgingScreen)
        assert rig.card is not None
        assert rig.card[0] == "q2"
        assert not any(isinstance(s, ScoresScreen) for s in rig.app.screen_stack)

    run(judged, steps)


def test_two_rankings_of_a_query_beside_each_other(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        await measured(rig, "}")
        await rig.see("q2  word3 second")
        rows = [" ".join(row.split()) for row in rig.rows]
        assert "1 3 ↓2 Title 3 1 0 new Title 1" in rows
        assert "2 1 gone Title 4 2 - new Title 5" in rows
        assert "3 3 ↓2 Title 3" in rows
        await measured(rig, "{")
        await rig.see("q1  word1 first")
        rows = [" ".join(row.split()) for row in rig.rows]
        assert "1 0x ↓2 Title 2 1 3 ↑1 Title 1" in rows

    run(judged, steps)


def test_numbers_follow_what_is_judged(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        before = scores(rig)._view
        assert before is not None
        await rig.press("q")
        await measured(rig, "m")
        assert rig.app.live is not None
        assert rig.app.live.snapshot is before.snapshot
        await measured(rig, "}")
        await rig.press("enter", "g", "3")
        await rig.press("q")
        await rig.until(lambda: _is_complete(scores(rig)))
        assert rig.app.live.snapshot.stamp != before.snapshot.stamp

    run(judged, steps)


def test_measured_anew_by_a_key(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        before = rig.app.live
        await measured(rig, "R")
        assert before is not None
        assert rig.app.live is not None
        assert rig.app.live is not before
        assert rig.app.live.snapshot == before.snapshot

    run(judged, steps)


def test_judging_goes_on_while_it_is_measured(
    judged: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, go_on = threading.Event(), threading.Event()
    really = live_room.look

    def slow(dataset: Dataset, progress: Any) -> Any:
        began.set()
        assert go_on.wait(10)
        return really(dataset, progress)

    monkeypatch.setattr(live_room, "look", slow)

    async def steps(rig: Rig) -> None:
        await rig.press("m")
        await rig.until(began.is_set)
        await rig.see("reading judgments…")
        await rig.press("tab", "j", "?")
        assert isinstance(rig.app.screen, HelpScreen)
        await rig.press("q")
        assert isinstance(rig.app.screen, ScoresScreen)
        await rig.press("q")
        assert not isinstance(rig.app.screen, ScoresScreen)
        go_on.set()
        await rig.until(lambda: not any(w.is_running for w in rig.app.workers))
        assert rig.app.live is None  # nobody waited for it any more

    run(judged, steps)


def test_what_the_worker_cannot_do_is_told_and_can_be_tried_again(judged: Workspace) -> None:
    path = Dataset.open(judged, NAME).folder / "runs" / "alpha.parquet"
    good = path.read_bytes()

    async def steps(rig: Rig) -> None:
        path.write_bytes(b"PAR1 broken")
        await rig.press("m")
        await rig.see("alpha.parquet")
        await rig.see("R measures again")
        await rig.press("enter", "s", "c", "n", "b", "}", "{", "j", "tab")
        assert isinstance(rig.app.screen, ScoresScreen)
        path.write_bytes(good)
        await measured(rig, "R")
        await rig.press("[")
        await rig.see("4 systems")

    run(judged, steps)


def test_what_nobody_thought_of_is_told_too(
    judged: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(dataset: Dataset, progress: Any) -> Any:
        return 1 / 0

    monkeypatch.setattr(live_room, "look", broken)

    async def steps(rig: Rig) -> None:
        await rig.press("m")
        await rig.see("ZeroDivisionError")
        await rig.press("q")

    run(judged, steps)


def test_without_judgments_it_says_what_to_do(workspace: Workspace) -> None:
    make_set(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("m")
        await rig.see("there are no judgments")
        await rig.see("esc goes back to judging")

    run(workspace, steps)


def test_an_unfinished_set_says_so(workspace: Workspace) -> None:
    judge(make_set(workspace), {"q1": {"d1": 3}})

    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        await rig.see("no query is finished yet")

    run(workspace, steps)


def test_only_one_system_is_compared_with_none(workspace: Workspace) -> None:
    judge(make_set(workspace, runs={"bm25": RUNS["alpha"], "terms": {"q9": ("d1",)}}))

    async def steps(rig: Rig) -> None:
        await rig.press("m")
        await rig.see("1 system")
        await rig.press("[", "[")
        await rig.see("There is only one system")
        await rig.press("c", "s")
        await rig.see("There is only one system")
        await rig.press("[")
        await rig.see("Title 2")

    run(workspace, steps)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
def test_hostile_texts_are_only_shown(workspace: Workspace, size: tuple[int, int]) -> None:
    documents = [Document(id=f"d{t}", title=t, text=t, language="x" + t) for t in HOSTILE]
    queries = [
        Query(id=f"q{t}", text=t, language="x" + t, category=t, metadata={t: t}) for t in HOSTILE
    ]
    grades = {f"q{t}": {f"d{t}": 3} for t in HOSTILE}
    answers: dict[str, Sequence[str]] = {q: list(docs) for q, docs in grades.items()}
    runs: Rankings = {"a" * 64: answers, "b": {q: [f"d{HOSTILE[0]}"] for q in grades}}
    judge(make_set(workspace, documents=documents, queries=queries, runs=runs, pool=grades), grades)

    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        await measured(rig, "s")
        for key in (*["tab"] * 7, *"bbbbbbbb", *"}}}}}"):
            await measured(rig, key)
            told = rig.text
            assert not set(told) & {"\x1b", "\x07", "\x9b", "\u202e"}
        await rig.see("[/foo] bar")

    run(workspace, steps, size)


def test_every_size_can_be_drawn(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        for width, height in ((160, 45), (119, 30), (120, 29), (61, 20), (41, 11), (3, 2), (1, 1)):
            await rig.pilot.resize_terminal(width, height)
            for key in ("tab", "b", "j"):
                await rig.press(key)
        await rig.pilot.resize_terminal(160, 45)
        await measured(rig, "R")
        await rig.see("4 systems")

    run(judged, steps)


def test_the_export_form_opens_for_the_dataset_and_comes_back(judged: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await measured(rig, "m")
        await rig.press("x")
        await rig.see(f"export {NAME}")
        await rig.see("what judge cannot carry of small:")
        await rig.see("- runs: 2 (alpha, beta)")
        await rig.press("escape")
        assert isinstance(rig.app.screen, ScoresScreen)

    run(judged, steps)
