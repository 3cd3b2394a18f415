"""A line to type into. What is pasted passes the gate before it is drawn."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input

from judge.core.text import shown


class Field(Input):
    """A line of text that takes all printable keys while it has the focus; esc leaves it."""

    BINDINGS: ClassVar = [Binding("escape", "leave", show=False)]

    class Left(Message):
        """Left with esc: what was typed is to be forgotten."""

    def __init__(self, name: str, value: str, placeholder: str) -> None:
        super().__init__(
            shown(value),
            placeholder,
            id=name,
            select_on_focus=False,
            max_length=2_000,
            compact=True,
        )
        self.cursor_blink = False

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace a part of the line; every way to add text comes through here."""
        super().replace(shown(text), start, end)

    def action_leave(self) -> None:
        """Leave without an effect."""
        self.post_message(self.Left())
