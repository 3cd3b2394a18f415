"""What is read as a sheet: keys, grades, guidelines, and what is said at the end of the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.actions import by_group
from judge.tui.phrases import grade_label
from judge.tui.widgets.pane import Columns, Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.core.model import Scale
    from judge.tui.actions import Action

KEYS = 13
"""The column at which the words for a key start."""

HARD_NEGATIVE = (
    "A hard negative looks like an answer and is none. It is a mark on a grade below {relevant}:"
    " x on a document without a grade gives {lowest} and the mark."
)
DIRECTION = (
    "Arabic and Hebrew are sent in reading order; whether they run from right to left is the"
    " terminal's doing. Characters that are invisible or steer the terminal are shown as signs."
)


def grade_entries(scale: Scale) -> list[Entry]:
    """Give the meaning of each grade."""
    return [Entry(grade_label(scale, grade), lead=f" {grade}", indent=4) for grade in scale.grades]


def guideline_entries(markdown: str) -> list[Entry]:
    """Lay out guidelines: headings stand out, items hang, all else is paragraphs as written."""
    entries: list[Entry] = []
    for line in markdown.strip().splitlines():
        text = line.strip()
        if text.startswith("#"):
            entries.append(Entry(text.lstrip("# "), "strong"))
        elif text[:2] in ("- ", "* "):
            entries.append(Entry(_unmarked(text[2:]), lead=" -", indent=3))
        else:
            entries.append(Entry(_unmarked(text)))
    return entries


def _unmarked(text: str) -> str:
    return text.replace("**", "")


def key_blocks(actions: Sequence[Action], scale: Scale | None = None) -> list[Columns]:
    """Give all keys, two groups side by side; with a scale, only the digits of its grades."""
    digits = f"{scale.min}-{scale.max}" if scale else ""
    groups = [
        (
            Entry(group, "strong"),
            *(_key(digits if a.keep and digits else a.shown_keys, a.help) for a in found),
            Entry(),
        )
        for group, found in by_group(actions).items()
    ]
    groups[-1] = (*groups[-1][:-1], _key("ctrl+q", "quit: all is saved"), Entry())
    groups += [()] * (len(groups) % 2)
    return [Columns(left, right) for left, right in zip(groups[::2], groups[1::2], strict=True)]


def _key(keys: str, does: str) -> Entry:
    return Entry(does, lead=f" {keys}", indent=KEYS)
