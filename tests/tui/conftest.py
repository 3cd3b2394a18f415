"""Pictures of the terminal: how one is drawn, and how it is compared with the one that is kept."""

from __future__ import annotations

import html
import re
from functools import partial
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judge.tui.text.cells import cells

if TYPE_CHECKING:
    from collections.abc import Callable

    from judge.tui.app import JudgeApp

KEPT = Path(__file__).parent / "snapshots"
DRAWN_BY = {"textual": "8.2.8", "rich": "15.0.0"}
"""The releases that drew the pictures; others draw other bytes."""
FONTS = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
CELL = 12.2
"""How wide rich draws a cell."""
OPTION = "--accept-pictures"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help="keep the pictures as they are drawn now")


def picture_of(app: JudgeApp) -> str:
    """Draw what is on the screen as SVG that loads nothing from anywhere."""
    drawn = app.export_screenshot(title="judge")
    drawn = re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r"font-family: [^;]*;", f"font-family: {FONTS};", drawn)
    drawn = re.sub(r' clip-path="url\(#[\w-]*clip-terminal\)"', "", drawn)  # cuts the last row
    drawn = re.sub(r'textLength="[\d.]+"([^>]*)>([^<]*)<', _measured, drawn)
    drawn = re.sub(r"(?:<rect [^>]*crispEdges[^>]*/>)+", partial(_joined, app.size.width), drawn)
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def _measured(text: re.Match[str]) -> str:
    """Give a text the width of its cells, where rich counts code points."""
    width = cells(html.unescape(text[2])) * CELL
    return f'textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"{text[1]}>{text[2]}<'


def _joined(columns: int, grounds: re.Match[str]) -> str:
    """Let each ground reach to the next one of its row, for the same reason."""
    found = re.findall(r'<rect fill="(.+?)" x="(.+?)" y="(.+?)"', grounds[0])
    drawn = []
    for (fill, x, y), (_, after, row) in pairwise([*found, ("", "", "")]):
        width = (float(after) if row == y else columns * CELL) - float(x)
        size = f'width="{width:.1f}" height="24.65" shape-rendering="crispEdges"'
        drawn.append(f'<rect fill="{fill}" x="{x}" y="{y}" {size}/>')
    return "\n".join(drawn)


@pytest.fixture
def compare(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str, JudgeApp], None]:
    """Give what compares the screen with the picture of a name; skips where others draw it."""
    found = {name: version(name) for name in DRAWN_BY}
    if found != DRAWN_BY:
        pytest.skip(f"the pictures are those of {DRAWN_BY}; installed are {found}")

    def check(name: str, app: JudgeApp) -> None:
        kept, drawn = KEPT / f"{name}.svg", picture_of(app)
        if request.config.getoption(OPTION, default=False):
            kept.write_text(drawn, "utf-8", newline="\n")
        elif not kept.is_file() or kept.read_text("utf-8") != drawn:
            new = tmp_path / kept.name
            new.write_text(drawn, "utf-8", newline="\n")
            pytest.fail(
                f"{kept.name} is not what the screen shows now. Look at both:\n  kept {kept}\n"
                f"  now  {new}\nIf it is right: pytest tests/tui/test_pictures.py {OPTION}",
                pytrace=False,
            )

    return check
