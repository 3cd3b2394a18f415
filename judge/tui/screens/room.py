"""What all screens share: the smallest size, the key bar, help, themes, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.screen import Screen
from textual.widget import Widget

from judge.tui.actions import key_bar, screen_of
from judge.tui.widgets.bar import Bar, Line
from judge.tui.widgets.field import Field
from judge.tui.widgets.ink import Area, Span, ground, width_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual import events
    from textual.app import ComposeResult
    from textual.geometry import Region
    from textual.strip import Strip

    from judge.tui.actions import Action
    from judge.tui.app import JudgeApp

SMALLEST_WIDTH, SMALLEST_HEIGHT = 60, 20
WAIT = 30.0
"""Seconds that leaving waits for the last save."""


class Room(Screen[None]):
    """A screen. Below the smallest size it shows only that the terminal is too small."""

    ACTIONS: ClassVar[tuple[Action, ...]] = ()
    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._is_laid_out = self._is_drawn = False
        self._field: Field | None = None

    @property
    def judge(self) -> JudgeApp:
        """The application."""
        return cast("JudgeApp", self.app)

    @property
    def actions(self) -> tuple[Action, ...]:
        """What can be done here, with the keys that the user has for it."""
        return self.judge.keys.applied(screen_of(self.ACTIONS), self.ACTIONS)

    def key_of(self, name: str) -> str:
        """Give the key of an action of this screen, as a person reads it."""
        return self.judge.keys.key_of(screen_of(self.ACTIONS), name)

    @property
    def is_small(self) -> bool:
        """Whether the terminal is too small to judge in."""
        return self.size.width < SMALLEST_WIDTH or self.size.height < SMALLEST_HEIGHT

    def compose(self) -> ComposeResult:
        """Put the widgets of the screen together."""
        yield Bar("small")
        with Area(id="room"):
            yield from self.parts()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Give rows of ground."""
        return ground(self, crop)

    def parts(self) -> Iterable[Widget]:
        """Give the widgets of the screen from top to bottom; subclasses do."""
        return ()

    def bar(self, name: str) -> Bar:
        """Give the bar of this name."""
        return self.query_one(f"#{name}", Bar)

    def on_resize(self, event: events.Resize) -> None:
        """Fit the screen to the new size."""
        del event
        self._is_laid_out = True
        self.set_class(self.is_small, "-small")
        width, height = self.size
        self.bar("small").say(
            Line((Span("terminal too small", "warn"),)),
            Line((Span(f"{width}x{height}, needs {SMALLEST_WIDTH}x{SMALLEST_HEIGHT}"),)),
            Line((Span("nothing is judged blind; make it larger, or ctrl+q", "dim"),)),
        )
        self.fit_size()
        self.call_after_refresh(self._redraw_if_here)

    def fit_size(self) -> None:
        """Set the heights and widths that depend on the size; subclasses may."""

    def redraw(self) -> None:
        """Say everything anew; subclasses do."""

    def after_display(self) -> None:
        """Take note that a frame was sent to the terminal; subclasses may."""

    def say(self, notice: str) -> None:
        """Show a notice; subclasses with a place for it do."""

    def _redraw_if_here(self) -> None:
        """Draw, unless the screen was left in the meantime."""
        if self in self.app.screen_stack:
            self._is_drawn = True
            self.redraw()

    def on_screen_resume(self) -> None:
        """Show what changed while another screen was on top."""
        if self._is_laid_out:
            self.redraw()

    def say_keys(self) -> None:
        """Fill the key bar with as many keys as there is room for, the most needed first."""
        left: list[Span] = []
        room = self.size.width - 1
        for _, keys, label in self.shown_keys():
            spans = [Span(f" {keys} ", "key"), Span(f"{label} ", "dim")]
            needed = width_of(spans)
            if needed <= room:
                left += spans
                room -= needed
        self.bar("keys").say(Line(tuple(left)))

    async def keep(self) -> bool:
        """Save what is being typed and wait for it, before one quits; says whether all is saved."""
        return True

    def shown_keys(self) -> list[tuple[int, str, str]]:
        """Give what the key bar shows: (rank, keys, label), the most needed first."""
        return key_bar(self.actions)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let no key act before there is something to see, nor while something is being typed.

        A field takes the keys that are meant for it; those that were pressed just before it was
        there would come here, and must not judge.
        """
        del action, parameters
        return self._is_drawn and self._field is None

    async def open_field(self, field: Field, place: Bar) -> None:
        """Show a field in the place of a bar, and type into it."""
        if self._field is not None or self.is_small:
            return
        self._field = field
        parent = place.parent
        if isinstance(parent, Widget):
            await parent.mount(field, before=place)
        place.display = False
        self.set_focus(field)

    async def close_field(self, place: Bar) -> str | None:
        """Take the field away, and give what stood in it; None if there is none any more."""
        field, self._field = self._field, None
        if field is None:
            return None
        self.set_focus(None)
        await field.remove()
        place.display = True
        return field.value.strip()

    def action_theme(self) -> None:
        """Change to the next theme."""
        self.judge.next_theme()

    def action_settings(self) -> None:
        """Open the sheet of settings."""
        self.judge.open_settings()

    def action_help(self) -> None:
        """Open the help for this screen."""
        self.judge.open_help(self.ACTIONS)

    def action_scores(self) -> None:
        """Open the scores."""
        self.judge.open_scores()

    async def action_back(self) -> None:
        """Go one screen back; on the first one, quit."""
        await self.judge.go_back()
