"""What is read as a sheet: keys, grades, guidelines, and what is said at the end of the work."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from judge.tui.actions import by_group
from judge.tui.phrases import grade_label
from judge.tui.widgets.pane import Columns, Entry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.core.model import Scale
    from judge.tui.actions import Action

KEYS = 13
"""The column at which the words for a key start."""

HARD_NEGATIVE = (
    "A hard negative looks like an answer and is none. It is a mark on a grade below {relevant}:"
    " {key} on a document without a grade gives {lowest} and the mark."
)
OWN_KEYS = (
    'Every key can be another one: a line such as  {example} = "F"  in {file}. The names here:'
    " {names}."
)
DIRECTION = (
    "Arabic and Hebrew are sent in reading order; whether they run from right to left is the"
    " terminal's doing. Characters that are invisible or steer the terminal are shown as signs."
)


def own_keys(tables: Mapping[str, Sequence[Action]], file: str) -> list[Entry]:
    """Say how keys can be other ones, and by which names; the names of a table begin with its own.

    Args:
        tables: The actions of a screen and of its modes by the name of each; may be empty.
        file: Where the user's keys stand.
    """
    told = [
        f"{name}. " + ", ".join(f"{a.name}.{a.keys[0]}" if a.keep else a.name for a in actions)
        for name, actions in tables.items()
    ]
    if not told:
        return []
    example = next(iter(tables)) + "." + told[0].split()[1].rstrip(",")
    text = OWN_KEYS.format(example=example, file=file, names="; ".join(told))
    return [Entry("Other keys", "strong"), Entry(text, "dim"), Entry()]


def grade_entries(scale: Scale) -> list[Entry]:
    """Give the meaning of each grade."""
    return [Entry(grade_label(scale, grade), lead=f" {grade}", indent=4) for grade in scale.grades]


def guideline_entries(markdown: str) -> list[Entry]:
    """Lay out guidelines: headings stand out, items hang, the lines of a paragraph are joined.

    Where a line break is meant (tables, code, two blanks at the end of a line) it stays.
    """
    entries: list[Entry] = []
    is_code = goes_on = False
    for line in markdown.strip().splitlines():
        text = line.strip()
        if text.startswith(("```", "~~~")):
            is_code, goes_on = not is_code, False
        elif is_code or text.startswith("|"):
            entries.append(Entry(line.rstrip()))
            goes_on = False
        elif goes_on and text and not _starts_anew(text):
            before = entries[-1]
            entries[-1] = replace(before, text=f"{before.text} {_unmarked(text)}")
            goes_on = not line.endswith(("  ", "\\"))
        else:
            entries.append(_entry(text))
            goes_on = bool(text) and not text.startswith("#") and not line.endswith(("  ", "\\"))
    return entries


_ITEM = re.compile(r"([-*+]|\d{1,3}[.)])\s+")


def _starts_anew(text: str) -> bool:
    return text.startswith(("#", ">")) or bool(_ITEM.match(text))


def _entry(text: str) -> Entry:
    """Lay out the first line of a heading, an item or a paragraph."""
    if text.startswith("#"):
        return Entry(_unmarked(text.lstrip("# ")), "strong")
    if item := _ITEM.match(text):
        sign = item[1] if item[1][0].isdigit() else "-"
        return Entry(_unmarked(text[item.end() :]), lead=f" {sign}", indent=len(sign) + 2)
    return Entry(_unmarked(text))


def _unmarked(text: str) -> str:
    return text.removesuffix("\\").replace("**", "")


def key_blocks(actions: Sequence[Action], scale: Scale | None = None) -> list[Columns]:
    """Give all keys, two groups side by side; with a scale, only the digits of its grades."""
    groups = [
        (
            Entry(group, "strong"),
            *(_key(_keys_of(a, scale), a.help) for a in found),
            Entry(),
        )
        for group, found in by_group(actions).items()
    ]
    groups[-1] = (*groups[-1][:-1], _key("ctrl+q", "quit: all is saved"), Entry())
    groups += [()] * (len(groups) % 2)
    return [Columns(left, right) for left, right in zip(groups[::2], groups[1::2], strict=True)]


def mode_block(modes: Mapping[str, Sequence[Action]]) -> Columns:
    """Give the keys of two modes side by side."""
    left, right = (
        (
            Entry(title, "strong"),
            *(_key(a.shown_keys, a.help) for a in actions),
            Entry(),
        )
        for title, actions in modes.items()
    )
    return Columns(left, right)


def _keys_of(action: Action, scale: Scale | None) -> str:
    """Give the keys of an action; of those for grades only what the scale has."""
    if not action.keep or scale is None:
        return action.shown_keys
    grades = range(max(0, scale.min), min(scale.max, len(action.keys) - 1) + 1)
    keys = tuple(action.keys[grade] for grade in grades)
    return replace(action, keys=keys).shown_keys


def _key(keys: str, does: str) -> Entry:
    return Entry(does, lead=f" {keys}", indent=KEYS)
