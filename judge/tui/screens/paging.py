"""What the screens with a text to read share: moving in it by the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.screens.room import Room

if TYPE_CHECKING:
    from judge.tui.widgets.pane import Pane


class Paging(Room):
    """A screen with a pane that is read by the page."""

    @property
    def read_pane(self) -> Pane:
        """The pane that the keys move; subclasses say which."""
        raise NotImplementedError

    def action_page_down(self) -> None:
        """Move one page down."""
        self.read_pane.scroll_pages(1)

    def action_page_up(self) -> None:
        """Move one page up."""
        self.read_pane.scroll_pages(-1)

    def action_half_down(self) -> None:
        """Move half a page down."""
        self.read_pane.scroll_pages(0.5)

    def action_half_up(self) -> None:
        """Move half a page up."""
        self.read_pane.scroll_pages(-0.5)

    def action_top(self) -> None:
        """Go to the start."""
        self.read_pane.to_top()

    def action_bottom(self) -> None:
        """Go to the end."""
        self.read_pane.to_end()
