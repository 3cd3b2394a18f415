"""What the screens with a list share: moving in it with keys and mouse."""

from __future__ import annotations

from judge.tui.screens.room import Room
from judge.tui.widgets.rows import Rows


class Listing(Room):
    """A screen that is mostly a list, in a widget with the id `list`."""

    @property
    def rows(self) -> Rows:
        """The list."""
        return self.query_one("#list", Rows)

    def _move(self, rows: int) -> None:
        self.rows.move_to(self.rows.cursor + rows)

    def _page(self) -> int:
        return max(1, self.rows.size.height - 1)

    def action_next(self) -> None:
        """Go one row down."""
        self._move(1)

    def action_previous(self) -> None:
        """Go one row up."""
        self._move(-1)

    def action_page_down(self) -> None:
        """Go one page down."""
        self._move(self._page())

    def action_page_up(self) -> None:
        """Go one page up."""
        self._move(-self._page())

    def action_half_down(self) -> None:
        """Go half a page down."""
        self._move(max(1, self._page() // 2))

    def action_half_up(self) -> None:
        """Go half a page up."""
        self._move(-max(1, self._page() // 2))

    def action_top(self) -> None:
        """Go to the first row."""
        self.rows.move_to(0)

    def action_bottom(self) -> None:
        """Go to the last row."""
        self.rows.move_to(self.rows.count - 1)

    def action_open(self) -> None:
        """Open the current row; subclasses do."""

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Go to the row that was clicked; a click on the current row opens it."""
        event.stop()
        if event.index == self.rows.cursor:
            self.action_open()
        else:
            self.rows.move_to(event.index)
