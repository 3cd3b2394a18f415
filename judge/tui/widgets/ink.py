"""How text becomes a row of the screen: the gate, the styles, and rows that stay where they belong.

Every row that our widgets draw is made here, and here all text passes `judge.core.text.shown`: no
widget can forget it. Styles are named by role (`strong`, `match`, `bad`, ...) and given in
`judge.tcss`, so a theme changes them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from rich.segment import ControlType, Segment
from rich.style import Style
from textual.containers import Container
from textual.strip import Strip
from textual.widget import Widget

from judge.core.text import shown
from judge.tui.text.cells import cells, fit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.geometry import Region

ROLES = (
    "text",
    "dim",
    "strong",
    "accent",
    "match",
    "near",
    "found",
    "here",
    "evidence",
    "key",
    "good",
    "warn",
    "bad",
    "rule",
    "cursor",
    "chosen",
)


REVERSED = frozenset({"chosen", "cursor", "bad", "here"})
"""Roles that stand out without colours too."""


class Span(NamedTuple):
    """Text to draw, as it came, and the role that it plays."""

    text: str
    role: str = "text"


def width_of(spans: Iterable[Span]) -> int:
    """Count the cells that spans take when drawn in full."""
    return sum(cells(shown(span.text)) for span in spans)


def erase(width: int, style: Style) -> Segment:
    """Blank the next cells without moving.

    A row whose cells terminals count differently may end early; nothing older must show there.
    """
    # The attribute that changes nothing keeps what simplifies strips from joining it to a text.
    ground = Style(bgcolor=style.bgcolor, blink=False)
    return Segment(f"\x1b[{width}X", ground, [(ControlType.ERASE_IN_LINE, 0)])


def move_to_column(column: int) -> Segment:
    """Go to a column (from 0) of this row, wherever the text to the left of it ended."""
    return Segment(f"\x1b[{column + 1}G", None, [(ControlType.CURSOR_MOVE_TO_COLUMN, column + 1)])


def row(
    spans: Iterable[Span],
    width: int,
    style_of: Callable[[str], Style],
    fill: str = "text",
    *,
    column: int = 0,
) -> Strip:
    """Draw one row of exactly `width` cells: spans in order, cut where they end, then blanks.

    Args:
        spans: What to draw. All text passes the gate here.
        width: Cells of the row.
        style_of: The style of a role.
        fill: The role of the blanks.
        column: Where the row starts on the screen, if text to the left of it may end anywhere.
    """
    kept, used = _fitted(spans, width)
    return safe_row(kept, width, used, style_of, fill, column=column)


def safe_row(
    spans: Iterable[Span],
    width: int,
    used: int,
    style_of: Callable[[str], Style],
    fill: str = "text",
    *,
    column: int = 0,
) -> Strip:
    """Draw one row of text that has passed the gate and is known to fit.

    Args:
        spans: What to draw.
        width: Cells of the row.
        used: Cells that the spans take.
        style_of: The style of a role.
        fill: The role of the blanks.
        column: Where the row starts on the screen, if text to the left of it may end anywhere.
    """
    segments = [Segment(text, style_of(role)) for text, role in spans if text]
    plain = all(segment.text.isascii() for segment in segments)
    if used < width:
        segments.append(Segment(" " * (width - used), style_of(fill)))
    if not plain:
        segments.insert(0, erase(width, style_of(fill)))
    if column:
        segments.insert(0, move_to_column(column))
    return Strip(segments, width)


def both_ends(left: Sequence[Span], right: Sequence[Span], width: int) -> list[Span]:
    """Put spans at both ends of a row; without room for all, the right ones stay whole."""
    room = width - width_of(right)
    if room <= 0:
        return list(right)
    kept, used = _fitted(left, room)
    return [*kept, Span(" " * (room - used)), *right]


def fitted(spans: Iterable[Span], width: int) -> list[Span]:
    """Cut spans so that together they take at most `width` cells; all pass the gate."""
    return _fitted(spans, width)[0]


def _fitted(spans: Iterable[Span], width: int) -> tuple[list[Span], int]:
    """Give the spans that fit, and the cells that they take."""
    kept: list[Span] = []
    left = width
    for text, role in spans:
        if left <= 0:
            break
        text = fit(shown(text), left)
        kept.append(Span(text, role))
        left -= cells(text)
    return kept, width - left


def ground(widget: Widget, crop: Region) -> list[Strip]:
    """Give rows of a widget's ground; where no colours are wanted, that of the terminal."""
    style = Style.null() if widget.app.no_color else widget.visual_style.rich_style
    return [Strip.blank(crop.width, style)] * crop.height


class Area(Container):
    """Holds widgets, and draws nothing but the ground."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Give rows of ground."""
        return ground(self, crop)


class Inked(Widget):
    """A widget that draws its own rows in the styles of `judge.tcss`.

    Where the user wants no colours (`NO_COLOR`), the terminal's own are left alone: rows then
    differ by weight, underline and reversal only.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"ink--{role}" for role in ROLES}
    ALLOW_SELECT = False

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._styles_of: dict[str, Style] = {}
        self._drawn: dict[int, Strip] = {}
        self._place = (0, 0)

    def style_of(self, role: str) -> Style:
        """Give the style of a role, on this widget's background."""
        style = self._styles_of.get(role)
        if style is None:
            style = self.get_component_rich_style(f"ink--{role}")
            if self.app.no_color:
                style = style.without_color + Style(reverse=role in REVERSED)
            self._styles_of[role] = style
        return style

    def style_on_cursor(self, role: str) -> Style:
        """Give the style of a role in the current row."""
        return self.style_of(role) + Style(bgcolor=self.style_of("cursor").bgcolor)

    def notify_style_update(self) -> None:
        """Forget what was drawn in other styles."""
        self._styles_of = {}
        self._drawn = {}
        super().notify_style_update()

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Draw some regions anew, or everything."""
        if not regions:
            self._drawn = {}
        for region in regions:
            for y in region.line_range:
                self._drawn.pop(y, None)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Give some rows, drawing those that are not there yet.

        Our widgets have neither border nor padding and need no filter for their colours, so a row
        is drawn once and kept until it is refreshed; that is half the price of a frame.
        """
        place = (self.region.x, self.size.width)
        if place != self._place:
            self._place, self._drawn = place, {}
        width = place[1]
        if not width:
            return []
        drawn = self._drawn
        strips: list[Strip] = []
        for y in crop.line_range:
            strip = drawn.get(y)
            if strip is None:
                strip = drawn[y] = self.draw(y, width)
            strips.append(strip)
        if crop.column_span != (0, width):
            return [strip.crop(*crop.column_span) for strip in strips]
        return strips

    @property
    def column(self) -> int:
        """Where the rows start on the screen; known while they are drawn."""
        return self._place[0]

    def draw(self, y: int, width: int) -> Strip:
        """Draw one row, counted from the top of the widget; subclasses do."""
        del y
        return row([], width, self.style_of)
