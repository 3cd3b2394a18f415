"""How a grid of numbers becomes a heat map: each number stands on one of five steps of a hue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.color import Color

from judge.core.text import shown
from judge.tui.text.cells import cells, fit
from judge.tui.widgets.ink import Span
from judge.tui.widgets.panel import Page, Panel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STEPS = (0.06, 0.17, 0.3, 0.46, 0.88)
"""How much of the hue each step has on the ground; between the last two no ink can be read."""
CELL, LONGEST = 5, 12
NO_DATA = "-"


def step(value: float, top: float = 1.0) -> int:
    """Give the step of a value from 0 to `top`: 0 to 4, each a fifth of the whole.

    >>> [step(v) for v in (0.0, 0.19, 0.2, 0.999, 1.0, 7.0)]
    [0, 0, 1, 4, 4, 4]
    """
    return max(0, min(len(STEPS) - 1, int(value / top * len(STEPS))))


def heat_page(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Mapping[tuple[str, str], float | None],
    width: int,
) -> Page:
    """Lay a grid out in lines of at most `width` cells; columns without room come further below.

    Args:
        rows: The names down.
        columns: The names across.
        values: The number of each cell, from 0 to 1; a cell without one is drawn as `-`.
        width: Cells of a line.
    """
    names = max((cells(shown(name)) for name in rows), default=0)
    lead = min(names, LONGEST, max(2, width // 3))
    across = max(1, (width - lead - 1) // CELL)
    lines: list[list[Span]] = []
    for start in range(0, len(columns), across):
        block = columns[start : start + across]
        lines += [[]] if start else []
        heads = "".join(_cell(name) for name in block)
        lines.append([Span(" " * (lead + 1)), Span(heads, "dim")])
        for name in rows:
            label = fit(shown(name), lead)
            line = [Span(label + " " * (lead + 1 - cells(label)))]
            lines.append(line + [_number(values.get((name, column))) for column in block])
    return Page(lines)


def _cell(name: str) -> str:
    text = fit(shown(name), CELL - 1)
    return " " * (CELL - 1 - cells(text)) + text + " "


def _number(value: float | None) -> Span:
    if value is None:
        return Span(f"{NO_DATA:>3}  ", "dim")
    return Span(f" {short(value)} ", f"heat{step(value)}")


def short(value: float) -> str:
    """Give a number from 0 to 1 in three cells.

    >>> short(0.714), short(0.0), short(0.996), short(1.0)
    ('.71', '.00', '1.0', '1.0')
    """
    return f"{value:.2f}".removeprefix("0")[:3]


class Heat(Panel):
    """A panel that knows the five steps as roles, `heat0` to `heat4`, in the hue of the theme."""

    def style_of(self, role: str) -> Style:
        """Give the style of a role; a step is so much of the accent on the ground."""
        if not role.startswith("heat"):
            return super().style_of(role)
        style = self._styles_of.get(role)
        if style is None:
            style = self._styles_of[role] = self._step_style(int(role.removeprefix("heat")))
        return style

    def _step_style(self, number: int) -> Style:
        if self.app.no_color:
            return Style.null()
        variables = self.app.theme_variables
        ground, hue = (Color.parse(variables[name]) for name in ("background", "accent"))
        back = ground.blend(hue, STEPS[number])
        ink = max(
            (Color.parse(variables[name]) for name in ("background", "foreground")),
            key=lambda color: contrast(color, back),
        )
        return Style(color=ink.rich_color, bgcolor=back.rich_color)


def contrast(one: Color, other: Color) -> float:
    """Give the contrast of two colours as WCAG 2 counts it: 1 none, 21 black on white.

    >>> round(contrast(Color(0, 0, 0), Color(255, 255, 255)), 1)
    21.0
    """
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    parts = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in color.normalized
    )
    return sum(part * weight for part, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))
