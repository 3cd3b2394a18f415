"""The colours: a calm dark theme, a light one, and one of high contrast.

Colour never says anything alone: whatever has a colour has a word or a sign too, so all screens can
be read without colours (`NO_COLOR`).
"""

from __future__ import annotations

from textual.theme import Theme

INKS = ("dim", "match", "match-ground", "key", "rule", "cursor", "bar")
"""What a theme adds to the colours that Textual knows."""


PREFIX = "judge-"
"""What the names of our themes begin with, so that they are none of Textual's."""


def _theme(name: str, *, dark: bool, base: dict[str, str], inks: tuple[str, ...]) -> Theme:
    variables = {f"ink-{ink}": colour for ink, colour in zip(INKS, inks, strict=True)}
    return Theme(
        name=PREFIX + name,
        dark=dark,
        primary=base["primary"],
        accent=base["accent"],
        success=base["success"],
        warning=base["warning"],
        error=base["error"],
        foreground=base["foreground"],
        background=base["background"],
        surface=base["background"],
        panel=base["panel"],
        variables=variables,
    )


DARK = _theme(
    "dark",
    dark=True,
    base={
        "primary": "#7fb2e5",
        "accent": "#7fb2e5",
        "success": "#93c79a",
        "warning": "#e3b76b",
        "error": "#f08c82",
        "foreground": "#d9dde3",
        "background": "#16181b",
        "panel": "#23272c",
    },
    inks=("#8d96a3", "#f3c777", "#3a3730", "#7fb2e5", "#464b52", "#343a41", "#23272c"),
)
LIGHT = _theme(
    "light",
    dark=False,
    base={
        "primary": "#1f5f99",
        "accent": "#1f5f99",
        "success": "#2b6e3a",
        "warning": "#8a5a00",
        "error": "#b3261e",
        "foreground": "#24282d",
        "background": "#fbfaf7",
        "panel": "#ecebe9",
    },
    inks=("#636a73", "#7a4a00", "#fbeac2", "#1f5f99", "#c9c5bb", "#dbdfe4", "#ecebe9"),
)
CONTRAST = _theme(
    "contrast",
    dark=True,
    base={
        "primary": "#66ccff",
        "accent": "#66ccff",
        "success": "#66ff66",
        "warning": "#ffd500",
        "error": "#ff8080",
        "foreground": "#ffffff",
        "background": "#000000",
        "panel": "#000000",
    },
    inks=("#d0d0d0", "#ffff00", "#000000", "#66ccff", "#a0a0a0", "#003a70", "#000000"),
)
THEMES = (DARK, LIGHT, CONTRAST)
