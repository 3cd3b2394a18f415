"""Panels: a title, a heading that stays, lines that scroll or are gone through."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.app import App, ComposeResult
from textual.containers import Horizontal

from judge.tui.themes import THEMES
from judge.tui.widgets.ink import Span
from judge.tui.widgets.panel import Halves, Page, Panel

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

HOSTILE = "[/foo]\x1b[31m\x1b]0;x\x07\x9b1mकाम\t."


class _Shown(App[None]):
    CSS_PATH = "../../../judge/tui/judge.tcss"
    CSS = "Panel { width: 1fr; height: 6; }"

    def __init__(self) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        self.chosen: list[tuple[str | None, int | None]] = []

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Panel("read")
            yield Panel("list", chooses=True)

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        self.chosen.append((event.panel.id, event.index))

    def rows(self) -> list[str]:
        strips = self.screen._compositor.render_strips()
        return ["".join(s.text for s in strip if not s.control).rstrip() for strip in strips]


def numbered(count: int, *, heading: bool = False) -> Callable[[int], Page]:
    def make(width: int) -> Page:
        del width
        lines = [[Span(f"line {n}")] for n in range(1, count + 1)]
        return Page(lines, [[Span("head")]] if heading else [])

    return make


def show(steps: Callable[[_Shown, Panel, Panel], Awaitable[None]]) -> _Shown:
    async def run() -> _Shown:
        app = _Shown()
        async with app.run_test(size=(60, 8)) as pilot:
            await pilot.pause()
            await steps(app, app.query_one("#read", Panel), app.query_one("#list", Panel))
            await pilot.pause()
        return app

    return asyncio.run(run())


def test_a_panel_without_a_current_line_scrolls_under_its_heading() -> None:
    async def steps(app: _Shown, read: Panel, other: Panel) -> None:
        del other
        read.say([Span("some")], numbered(9, heading=True))
        assert read.needed() == 11
        assert read.room == 4
        assert read.move(3) is False
        app.screen._on_timer_update()
        left = [row[:30].strip() for row in app.rows()]
        assert left[0].startswith("── some ──")
        assert left[0].endswith("4-7 of 9")
        assert left[1:6] == ["head", "line 4", "line 5", "line 6", "line 7"]
        read.move(100)
        assert read.top == 5
        read.show(2)
        assert read.top == 2

    show(steps)


def test_the_current_line_is_kept_on_screen_and_marked_while_the_keys_go_there() -> None:
    async def steps(app: _Shown, read: Panel, other: Panel) -> None:
        del read
        other.say([Span("list")], numbered(9))
        assert other.move(6) is True
        assert (other.cursor, other.top) == (6, 2)
        assert other.move(99) is True
        assert other.move(1) is False
        app.screen._on_timer_update()
        assert not any("▸" in row for row in app.rows())
        other.set_active(active=True)
        app.screen._on_timer_update()
        assert [row[30:] for row in app.rows() if "▸" in row] == ["│ ▸ line 9"]
        assert "━" in app.rows()[0]

    show(steps)


def test_fewer_lines_keep_the_place_inside() -> None:
    async def steps(app: _Shown, read: Panel, other: Panel) -> None:
        del app
        for panel in (read, other):
            panel.say([], numbered(20))
            panel.move(15)
            panel.say([], numbered(3))
            assert panel.top == 0
            panel.say([], numbered(0))
            assert (panel.top, panel.cursor) == (0, 0)
        other.say([], numbered(3))
        assert other.cursor == 0

    show(steps)


def test_halves_start_at_their_own_column_and_nothing_is_obeyed() -> None:
    async def steps(app: _Shown, read: Panel, other: Panel) -> None:
        del other
        read.say(
            [Span(HOSTILE)], lambda _width: Page([Halves([Span(HOSTILE * 3)], [Span("right")])])
        )
        app.screen._on_timer_update()
        strip = app.screen._compositor.render_strips()[1]
        told = [s.text for s in strip if s.control]
        assert "\x1b[16G" in told  # half of 30 cells, counted from 1
        plain = "".join(s.text for s in strip if not s.control)
        assert "right" in plain
        assert "[/foo]␛[31m" in plain
        assert not set(plain) & {"\x1b", "\x07", "\x9b", "\t"}

    show(steps)


def test_a_click_tells_panel_and_line() -> None:
    async def run() -> _Shown:
        app = _Shown()
        async with app.run_test(size=(60, 8)) as pilot:
            app.query_one("#list", Panel).say([], numbered(2, heading=True))
            await pilot.pause()
            for y in (0, 1, 2, 3, 4):
                await pilot.click("#list", offset=(5, y))
        return app

    chosen = asyncio.run(run()).chosen
    assert chosen == [("list", None), ("list", None), ("list", 0), ("list", 1), ("list", None)]
