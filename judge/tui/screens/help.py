"""The help: all keys of the screen it was opened from, the grades, the guidelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from judge.tui.actions import HELP, JUDGING, MODES, SCREENS, bindings, screen_of
from judge.tui.screens.paging import Paging
from judge.tui.sheets import (
    DIRECTION,
    HARD_NEGATIVE,
    grade_entries,
    guideline_entries,
    key_blocks,
    mode_block,
    own_keys,
)
from judge.tui.widgets.bar import Bar, Line, Rule
from judge.tui.widgets.ink import Span
from judge.tui.widgets.pane import Block, Entry, Pane, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.widget import Widget

    from judge.judging.session import Session
    from judge.tui.actions import Action


class HelpScreen(Paging):
    """One sheet of text."""

    ACTIONS = HELP
    BINDINGS: ClassVar = bindings("help", HELP)

    def __init__(
        self, table: Sequence[Action], session: Session | None, notices: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self._table, self._session, self._notices = table, session, notices

    def parts(self) -> Iterable[Widget]:
        """Give the widgets from top to bottom."""
        yield Bar("header")
        yield Rule("rule")
        yield Sheet("sheet")
        yield Bar("keys")

    @property
    def sheet(self) -> Sheet:
        """The text."""
        return self.query_one("#sheet", Sheet)

    def on_mount(self) -> None:
        """Write the sheet."""
        actions = self.judge.keys.applied(screen_of(self._table), self._table)
        entries: list[Block] = [
            *key_blocks(actions, self._session.scale if self._session else None)
        ]
        if self._session is not None:
            scale = self._session.scale
            key = self.judge.keys.key_of("judging", "hard_negative")
            hard = HARD_NEGATIVE.format(relevant=scale.relevant_from, lowest=scale.min, key=key)
            entries += [Entry("Grades", "strong"), *grade_entries(scale), Entry(), Entry(hard)]
            guidelines = guideline_entries(self._session.guidelines)
            if guidelines:
                entries += [Entry(), Entry("Guidelines", "strong"), Entry(), *guidelines]
        if self._table is JUDGING:
            modes = {MODES[mode]: self.judge.keys.applied(mode, SCREENS[mode]) for mode in MODES}
            entries += [Entry(), mode_block(modes)]
        if self._notices:
            entries += [Entry(), Entry("To know", "strong"), Entry()]
            entries += [Entry(notice, "warn", lead=" -", indent=3) for notice in self._notices]
        screen = screen_of(self._table)
        tables = {screen: self._table} if screen else {}
        if self._table is JUDGING:
            tables |= {mode: SCREENS[mode] for mode in MODES}
        names = own_keys(tables, str(self.judge.keys_file))
        self.sheet.say([*entries, Entry(), *names, Entry(DIRECTION, "dim")])

    def redraw(self) -> None:
        """Say everything anew."""
        self.bar("header").say(
            Line(
                (Span(" judge  ", "accent"), Span("help", "strong")),
                (Span(f"{self.key_of('back')} closes ", "dim"),),
            )
        )
        self.query_one("#rule", Rule).say((Span("keys, grades, guidelines", "strong"),))
        self.say_keys()

    def action_line_down(self) -> None:
        """Move one line down."""
        self.sheet.scroll_lines(1)

    def action_line_up(self) -> None:
        """Move one line up."""
        self.sheet.scroll_lines(-1)

    @property
    def read_pane(self) -> Pane:
        """What is read by the page."""
        return self.sheet
