"""Heat maps: the number in each cell, five steps that can be read in every theme."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.color import Color

from judge.tui.text.cells import cells
from judge.tui.themes import THEMES
from judge.tui.widgets.heat import STEPS, Heat, contrast, heat_page, short, step
from judge.tui.widgets.ink import Span
from judge.tui.widgets.panel import Halves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.tui.widgets.panel import Page

VALUES = {("en", "en"): 0.71, ("en", "hi"): 0.05, ("hi", "hi"): 1.0}


def lines(page: Page) -> list[Sequence[Span]]:
    return [line for line in page.lines if line and not isinstance(line, Halves)]


def text(page: Page) -> list[str]:
    return ["".join(span.text for span in line).rstrip() for line in lines(page)]


def test_every_cell_has_its_number_and_a_hole_is_no_zero() -> None:
    page = heat_page(["en", "hi"], ["en", "hi"], VALUES, 40)
    assert text(page) == ["     en   hi", "en  .71  .05", "hi   -   1.0"]
    spans = {span.text.strip(): span.role for line in lines(page) for span in line}
    assert (spans[".71"], spans[".05"], spans["1.0"]) == ("heat3", "heat0", "heat4")
    assert spans["-"] == "dim"


def test_columns_without_room_come_below() -> None:
    columns = [f"c{n}" for n in range(7)]
    page = heat_page(["r"], columns, {("r", name): 0.5 for name in columns}, 18)
    assert text(page) == [
        "    c0   c1   c2",
        "r  .50  .50  .50",
        "    c3   c4   c5",
        "r  .50  .50  .50",
        "    c6",
        "r  .50",
    ]


@pytest.mark.parametrize("width", [1, 7, 20, 60, 160])
def test_no_line_is_wider_than_there_is_room(width: int) -> None:
    rows = ["x" * 60, "東京" * 20, "[/foo]", "\x1b[31m"]
    page = heat_page(rows, rows, {(a, b): 0.5 for a in rows for b in rows}, width)
    for line in lines(page):
        assert cells("".join(span.text for span in line).rstrip()) <= max(width, 8)
        assert "\x1b" not in "".join(span.text for span in line)


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_is_never_a_lower_step(one: float, other: float) -> None:
    less, more = sorted((one, other))
    assert 0 <= step(less) <= step(more) <= 4


@given(st.floats(0, 1))
def test_a_number_takes_three_cells(value: float) -> None:
    assert len(short(value)) == 3
    assert float(short(value)) == pytest.approx(value, abs=0.00501)


class _Shown(App[None]):
    CSS_PATH = "../../../judge/tui/judge.tcss"

    def __init__(self) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    def compose(self) -> ComposeResult:
        yield Heat("pairs")

    @property
    def heat(self) -> Heat:
        return self.query_one(Heat)


def test_the_steps_can_be_read_and_told_apart_in_every_theme() -> None:
    async def run() -> None:
        app = _Shown()
        async with app.run_test() as pilot:
            for theme in THEMES:
                app.theme = theme.name
                await pilot.pause()
                grounds = []
                for number in range(len(STEPS)):
                    style = app.heat.style_of(f"heat{number}")
                    assert style.color is not None
                    assert style.bgcolor is not None
                    ink, ground = map(Color.from_rich_color, (style.color, style.bgcolor))
                    assert contrast(ink, ground) >= 4.5, (theme.name, number)
                    grounds.append(ground)
                page = Color.parse(theme.background or "")
                far = [contrast(ground, page) for ground in grounds]
                assert all(b / a >= 1.1 for a, b in pairwise(far)), (theme.name, far)

    asyncio.run(run())


def test_the_numbers_stay_where_no_colours_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def run() -> None:
        app = _Shown()
        async with app.run_test(size=(40, 5)) as pilot:
            app.heat.say((Span("pairs"),), partial(heat_page, ["en"], ["en"], VALUES))
            await pilot.pause()
            style = app.heat.style_of("heat4")
            assert style.color is None
            assert style.bgcolor is None
            strips = app.screen._compositor.render_strips()
            assert "".join(segment.text for segment in strips[2]).split() == ["en", ".71"]

    asyncio.run(run())


def test_contrast_is_that_of_wcag() -> None:
    white, black, grey = Color(255, 255, 255), Color(0, 0, 0), Color(118, 118, 118)
    assert contrast(white, black) == pytest.approx(21.0)
    assert contrast(grey, white) == pytest.approx(4.54, abs=0.005)
    assert contrast(white, white) == 1.0
