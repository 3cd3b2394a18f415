"""The screen of scores: all systems on what is judged so far, measured while judging goes on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from judge.bench.views import Choice, View
from judge.tui import figures
from judge.tui.actions import SCORES, bindings
from judge.tui.measuring import seen
from judge.tui.phrases import count
from judge.tui.screens.working import Working
from judge.tui.widgets.bar import Bar, Line
from judge.tui.widgets.heat import Heat
from judge.tui.widgets.ink import Area, Span
from judge.tui.widgets.panel import Page, Panel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.widget import Widget

    from judge.bench.live import Live
    from judge.bench.views import Bad
    from judge.judging.session import Session
    from judge.tui.measuring import Watch

LEFT = {"systems": "systems", "compared": "compare", "worst": "worst"}
RIGHT = {"pairs": "languages", "cut": "slices", "tops": "top 10", "notes": "notes"}
PANELS = {
    name: (LEFT | RIGHT)[name]
    for name in ("systems", "pairs", "cut", "worst", "tops", "compared", "notes")
}
"""The panels in the order of the keys, and what they are called."""
WIDE, HIGH = 120, 30
"""Columns and rows from which on all panels are side by side."""
WAIT = 5.0
"""Seconds that measuring waits for the last save."""


class Seeing(Message):
    """There is something more to see."""

    def __init__(self, live: Live, view: View) -> None:
        super().__init__()
        self.live, self.view = live, view


class ScoresScreen(Working):
    """Panels of scores. Nothing is computed on this side: a worker does, and is told to stop."""

    ACTIONS = SCORES
    BINDINGS: ClassVar = bindings("scores", SCORES)
    DEFAULT_CSS = """
    ScoresScreen #scores { width: 1fr; height: 1fr; layout: horizontal; overflow: hidden; }
    ScoresScreen .side { width: 1fr; height: 1fr; layout: vertical; overflow: hidden; }
    ScoresScreen #strip { background: $ink-bar; }
    ScoresScreen Panel { width: 1fr; height: 1fr; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._choice = Choice()
        self._view: View | None = None
        self._trouble = self._notice = ""
        self._active = "systems"

    def parts(self) -> Iterable[Widget]:
        """Give the widgets from top to bottom."""
        yield Bar("header")
        yield Bar("strip")
        with Area(id="scores"):
            for side, names in (("left", LEFT), ("right", RIGHT)):
                with Area(id=f"scores-{side}", classes="side"):
                    for name in names:
                        kind = Heat if name == "pairs" else Panel
                        yield kind(name, chooses=name == "worst")
        yield Bar("status")
        yield Bar("keys")

    def panel(self, name: str) -> Panel:
        """Give the panel of this name."""
        return self.query_one(f"#{name}", Panel)

    @property
    def is_wide(self) -> bool:
        """Whether all panels are on the screen at once."""
        return self.size.width >= WIDE and self.size.height >= HIGH

    # -- measuring

    def on_mount(self) -> None:
        """Show what was measured before, until it is looked at whether it still holds."""
        live = self.judge.live
        if live is not None and live.snapshot.dataset == self._dataset_name:
            self._view = View(live.settled(self._choice), live.snapshot)

    @property
    def _dataset_name(self) -> str:
        return self._session.dataset.name

    def on_screen_resume(self) -> None:
        """Measure if anything was judged in the meantime."""
        super().on_screen_resume()
        self.call_after_refresh(self._measure)

    def _measure(self, *, anew: bool = False) -> None:
        before = None if anew else self.judge.live
        self.start(partial(self._see, self._choice, before))

    def _see(self, choice: Choice, before: Live | None, watch: Watch) -> None:
        self._session.wait(WAIT)
        workspace = self._session.dataset.workspace
        for live, view in seen(workspace, self._dataset_name, choice, before, watch):
            watch.check()
            self.post_message(Seeing(live, view))

    def on_seeing(self, event: Seeing) -> None:
        """Show what there is."""
        self.judge.live, self._trouble = event.live, ""
        self._view = event.view.filled(self._view)
        self.redraw()

    def progressed(self) -> None:
        """Show how far the work is."""
        self._say_status()

    def failed(self, told: str) -> None:
        """Say what went wrong; numbers that may not hold any more are taken away."""
        self._trouble, self._view, self.judge.live = told, None, None
        self.redraw()

    # -- drawing

    def fit_size(self) -> None:
        """Show all panels, or the one that the keys go to."""
        wide = self.is_wide
        self.bar("strip").display = not wide
        low = "notes" if self._active == "notes" else "tops"
        for side, names in (("left", LEFT), ("right", RIGHT)):
            self.query_one(f"#scores-{side}").display = wide or self._active in names
            for name in names:
                shown = name not in ("tops", "notes") or name == low
                self.panel(name).display = shown if wide else name == self._active
        self.query_one("#scores-left").styles.width = "3fr" if wide else "1fr"
        self.query_one("#scores-right").styles.width = "2fr" if wide else "1fr"
        for name in PANELS:
            self.panel(name).set_active(active=name == self._active)
        self._fit_heights(low, wide=wide)

    def _fit_heights(self, low: str, *, wide: bool) -> None:
        """Give each panel its share, and what others of its side do not need; the last the rest."""
        shares = {"systems": 0.45, "compared": 0.3, "pairs": 0.35, "cut": 0.35}
        for *first, last in (("systems", "compared", "worst"), ("pairs", "cut", low)):
            rows = self.size.height - 3
            heights = {n: min(self.panel(n).needed(), max(4, int(rows * shares[n]))) for n in first}
            spare = rows - sum(heights.values()) - self.panel(last).needed()
            for name in first:
                more = max(0, min(spare, self.panel(name).needed() - heights[name]))
                spare -= more
                self.panel(name).styles.height = heights[name] + more if wide else "1fr"

    def redraw(self) -> None:
        """Say everything anew."""
        self._say_header()
        self._say_panels()
        self.fit_size()
        self.bar("strip").say(Line(tuple(self._strip())))
        self._say_status()
        self.say_keys()

    def _say_header(self) -> None:
        left = (Span(" judge  ", "accent"), Span(f"{self._dataset_name}  scores", "strong"))
        right: tuple[Span, ...] = ()
        if self._view is not None:
            found = self._view.snapshot
            told = f"{found.rule} of {count(len(found.annotators), 'annotator')}  "
            roomy = self.size.width >= WIDE
            right = (
                Span(told if roomy else "", "dim"),
                Span(f"{count(found.queries, 'query', 'queries')}, "),
                Span(f"{count(found.judgments, 'judgment')}  "),
                Span(f"{found.settings_hash} ", "dim"),
            )
        self.bar("header").say(Line(left, right))

    def _strip(self) -> Iterable[Span]:
        for name, title in PANELS.items():
            yield Span(f" {title} ", "chosen" if name == self._active else "dim")

    def _say_panels(self) -> None:
        view = self._view
        if view is None:
            trouble = self._trouble
            for name, title in PANELS.items():
                page = (
                    partial(figures.trouble_page, trouble, self._hints()) if trouble else _waiting
                )
                self.panel(name).say((Span(title, "strong"),), page)
        else:
            self._say_view(view)

    def _hints(self) -> tuple[str, ...]:
        back, again = self.key_of("back"), self.key_of("again")
        return (f"{back} goes back to judging; {again} measures again.",)

    def _say_view(self, view: View) -> None:
        chosen, found = view.choice, view.snapshot
        of_first = (Span(f" {chosen.measure} of ", "dim"), Span(chosen.first, "dim"))
        titles: dict[str, Sequence[Span]] = {
            "systems": figures.systems_told(found.systems, view),
            "pairs": (Span("languages", "strong"), *of_first),
            "cut": (Span(f"by {chosen.by}", "strong"), Span(f" {chosen.measure}", "dim")),
            "worst": (Span("worst", "strong"), Span(self._worst_told(view)), *of_first),
            "tops": (Span("top 10", "strong"),),
            "compared": (Span("compare", "strong"), *self._pair_told(view)),
            "notes": (Span("notes", "strong"), Span(f" {self._notes_told(view)}", "warn")),
        }
        makes: dict[str, Callable[[int], Page]] = {
            "systems": partial(figures.systems_page, view),
            "pairs": partial(figures.pairs_page, view),
            "cut": partial(figures.cut_page, view),
            "worst": partial(figures.worst_page, view),
            "tops": partial(figures.tops_page, view),
            "compared": partial(figures.compared_page, view),
            "notes": partial(figures.notes_page, found),
        }
        for name, make in makes.items():
            self.panel(name).say(tuple(titles[name]), make)

    def _worst_told(self, view: View) -> str:
        found = view.worst
        return f": {found.failed} of {found.queries} below half" if found else ""

    def _pair_told(self, view: View) -> tuple[Span, ...]:
        found = figures.verdict(view)
        return (Span(f": {found.text}", found.role),) if found else ()

    def _notes_told(self, view: View) -> str:
        told = len(view.snapshot.notices) + len(view.snapshot.warnings)
        return count(told, "notice") if told else ""

    def _say_status(self) -> None:
        view = self._view
        if self._notice:
            spans = [Span(f" {self._notice}", "warn")]
        elif self.busy:
            spans = [
                Span(f" {self.busy}", "accent"),
                Span(f"  judging can go on: {self.key_of('back')}", "dim"),
            ]
        elif self._active == "worst" and (bad := self._bad()) is not None:
            spans = [Span(f" {self.key_of('open')} judges ", "dim"), Span(bad.text, "strong")]
        elif view is None:
            spans = [Span(" no scores", "warn")]
        elif view.snapshot.warnings or view.snapshot.notices:
            first = (*view.snapshot.warnings, *view.snapshot.notices)[0]
            spans = [Span(f" {first}", "warn")]
        else:
            spans = [Span(" measured on what is judged now", "dim")]
        self.bar("status").say(Line(tuple(spans)))

    def say(self, notice: str) -> None:
        """Show a notice until something else happens."""
        self._notice = notice
        self._say_status()

    # -- moving

    def _focus(self, name: str) -> None:
        self._active, self._notice = name, ""
        self.redraw()

    def _step_panel(self, step: int) -> None:
        names = list(PANELS)
        self._focus(names[(names.index(self._active) + step) % len(names)])

    def action_next_panel(self) -> None:
        """Go to the next panel."""
        self._step_panel(1)

    def action_previous_panel(self) -> None:
        """Go to the panel before."""
        self._step_panel(-1)

    def _move(self, lines: int) -> None:
        panel = self.panel(self._active)
        if panel.move(lines) and self._active == "worst":
            self._take_query()
        self.say("")

    def _page(self) -> int:
        return max(1, self.panel(self._active).room - 1)

    def action_next(self) -> None:
        """Go one line down."""
        self._move(1)

    def action_previous(self) -> None:
        """Go one line up."""
        self._move(-1)

    def action_page_down(self) -> None:
        """Go one page down."""
        self._move(self._page())

    def action_page_up(self) -> None:
        """Go one page up."""
        self._move(-self._page())

    def action_top(self) -> None:
        """Go to the first line."""
        self._move(-len(self.panel(self._active).page.lines))

    def action_bottom(self) -> None:
        """Go to the last line."""
        self._move(len(self.panel(self._active).page.lines))

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        """Go to the panel, and the line, that was clicked."""
        event.stop()
        panel = event.panel
        if panel.id is not None:
            self._focus(panel.id)
        if panel.chooses and event.index is not None:
            self._move(event.index - panel.cursor)

    def action_export(self) -> None:
        """Write the dataset in another format."""
        if not self.is_small:
            self.judge.open_task("export", self._dataset_name)

    # -- choosing

    def _choose(self, **chosen: str) -> None:
        """Look at something else."""
        if self._view is not None:
            now = {**self._view.choice.__dict__, **chosen}
            self._choice, self._notice = Choice(**now), ""
            self._measure()

    def _bad(self) -> Bad | None:
        """The current one of the worst queries."""
        worst, panel = self._view and self._view.worst, self.panel("worst")
        return worst.listed[panel.cursor] if worst and panel.cursor < len(worst.listed) else None

    def _take_query(self) -> None:
        if (bad := self._bad()) is not None:
            self._choose(query=bad.query_id)

    def action_system(self) -> None:
        """Take the next system as the first."""
        if self._view is not None:
            chosen = self._view.choice
            name = _after(self._view.snapshot.names, chosen.first)
            second = chosen.first if name == chosen.second else chosen.second
            self._choose(first=name, second=second, query="")

    def action_other(self) -> None:
        """Take the next system as the second."""
        if self._view is not None:
            chosen = self._view.choice
            others = [name for name in self._view.snapshot.names if name != chosen.first]
            self._choose(second=_after(others, chosen.second))

    def action_measure(self) -> None:
        """Take the next measure."""
        if self._view is not None:
            found = self._view.snapshot.deciding
            self._choose(measure=_after(found, self._view.choice.measure), query="")

    def action_by(self) -> None:
        """Cut by the next property."""
        if self._view is not None:
            self._active = "cut"
            self._choose(by=_after(self._view.snapshot.cuts, self._view.choice.by))

    def _step_query(self, step: int) -> None:
        if self._view is not None:
            self._active = "tops"
            names = self._view.snapshot.query_ids
            self._choose(query=_after(names, self._view.choice.query, step))

    def action_next_query(self) -> None:
        """Show the first documents for the next query."""
        self._step_query(1)

    def action_previous_query(self) -> None:
        """Show the first documents for the query before."""
        self._step_query(-1)

    def action_again(self) -> None:
        """Measure everything anew."""
        self._notice = ""
        self._measure(anew=True)

    async def action_open(self) -> None:
        """Judge the query that is looked at."""
        if self.is_small:
            return
        query = self._view.choice.query if self._view is not None else ""
        if self._active == "worst" and (bad := self._bad()) is not None:
            query = bad.query_id
        if not query:
            self.say("no query is chosen")
            return
        outcome = self._session.go(query)
        if outcome.accepted:
            await self.judge.judge_from_scores()
        else:
            self.say(outcome.message)


def _waiting(width: int) -> Page:
    del width
    return figures.WAITING


def _after(names: Sequence[str], name: str, step: int = 1) -> str:
    """The next of some names, after the last the first; empty if there are none."""
    if name not in names:
        return names[0] if names else ""
    return names[(names.index(name) + step) % len(names)]
