"""The sheet of settings: a row for each, changed with one key and remembered at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from judge.tui.actions import SETTINGS as ACTIONS
from judge.tui.actions import bindings
from judge.tui.screens.listing import Listing
from judge.tui.settings import SETTINGS, Settings
from judge.tui.widgets.bar import Bar, Line, Rule
from judge.tui.widgets.ink import Span
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.widget import Widget

LABEL = 22


class Choices(Rows):
    """The settings with their values."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._settings = Settings()

    @property
    def count(self) -> int:
        """How many settings there are."""
        return len(SETTINGS)

    def show(self, settings: Settings) -> None:
        """Show these values."""
        if settings != self._settings:
            self._settings = settings
            self.refresh()

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give what is set, its value, and what it does."""
        setting = SETTINGS[index]
        value = getattr(self._settings, setting.name)
        said = setting.choices.get(value, str(value))
        return [
            Span(f"{setting.label:<{LABEL}}"),
            Span(f"{said:<18}", "strong"),
            Span(setting.meaning if width > 100 else "", "dim"),
        ]


class SettingsScreen(Listing):
    """What a user may set."""

    ACTIONS = ACTIONS
    BINDINGS: ClassVar = bindings("settings", ACTIONS)

    def __init__(self) -> None:
        super().__init__()
        self._notice = ""

    def parts(self) -> Iterable[Widget]:
        """Give the widgets from top to bottom."""
        yield Bar("header")
        yield Rule("rule")
        yield Choices("list")
        yield Bar("status")
        yield Bar("keys")

    @property
    def rows(self) -> Choices:
        """The list."""
        return self.query_one("#list", Choices)

    def redraw(self) -> None:
        """Say everything anew."""
        self.rows.show(self.judge.settings)
        self.bar("header").say(
            Line(
                (Span(" judge  ", "accent"), Span("settings", "strong")),
                (Span(f"{self.key_of('back')} closes ", "dim"),),
            )
        )
        self.query_one("#rule", Rule).say(
            (Span("settings  ", "strong"), Span(f"keys: {self.judge.keys_file}", "dim"))
        )
        self._say_status()
        self.say_keys()

    def _say_status(self) -> None:
        meaning = SETTINGS[self.rows.cursor].meaning
        span = Span(f" {self._notice}", "warn") if self._notice else Span(f" {meaning}", "dim")
        self.bar("status").say(Line((span,)))

    def say(self, notice: str) -> None:
        """Show a notice until something else happens."""
        self._notice = notice
        self._say_status()

    def _move(self, rows: int) -> None:
        super()._move(rows)
        self.say("")

    def action_other(self) -> None:
        """Change the current setting to its next value."""
        self._change(1)

    def action_other_before(self) -> None:
        """Change the current setting to the value before."""
        self._change(-1)

    def action_theme(self) -> None:
        """Change to the next theme."""
        super().action_theme()
        self.redraw()

    def action_open(self) -> None:
        """Change what was clicked."""
        self._change(1)

    def _change(self, step: int) -> None:
        if self.is_small:
            return
        self._notice = ""
        self.judge.next_setting(SETTINGS[self.rows.cursor].name, step)
        self.redraw()
