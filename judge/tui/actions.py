"""Every action of every screen in one table: its keys, its words, its places in bar and help.

Bindings, key bar and help are made from this table, so none can say what another does not do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.binding import Binding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.binding import BindingType

Group = Literal["Judge", "Move", "Read", "Go"]
GROUPS: tuple[Group, ...] = ("Judge", "Move", "Read", "Go")

DIGITS = "0123456789"

_SPOKEN = {
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "backspace": "bksp",
}


@dataclass(frozen=True)
class Action:
    """Something a key does on a screen.

    Attributes:
        name: The screen's method is `action_<name>`.
        keys: As Textual names them, the first is the one shown.
        label: A word or two for the key bar.
        help: What it does, for the help screen.
        group: Where the help lists it.
        rank: How early it gets a place in the key bar, 1 first; 0: none.
        keep: Keys that differ only in their argument: each is passed to the action.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: Group
    rank: int = 0
    keep: bool = False

    @property
    def shown_keys(self) -> str:
        """The keys as a person reads them."""
        if self.keep:
            return f"{self.keys[0]}-{self.keys[-1]}"
        return " ".join(_SPOKEN.get(key, key) for key in self.keys)


@dataclass(frozen=True)
class Pair:
    """Two actions that the key bar shows as one, such as next and previous."""

    first: str
    second: str
    keys: str
    label: str
    rank: int


_READ = (
    Action("page_down", ("space", "pagedown"), "page", "next page of the text", "Read"),
    Action("page_up", ("b", "pageup"), "page", "page before", "Read"),
    Action("half_down", ("ctrl+d",), "half", "half a page down", "Read"),
    Action("half_up", ("ctrl+u",), "half", "half a page up", "Read"),
    Action("top", ("g", "home"), "top", "start of the text", "Read"),
    Action("bottom", ("G", "end"), "end", "end of the text", "Read"),
)
_APP = (
    Action("theme", ("t",), "theme", "dark, light, contrast", "Go"),
    Action("help", ("?",), "help", "this help", "Go", rank=1),
    Action("back", ("escape", "q"), "back", "one screen back, or quit", "Go"),
)
_LIST = (
    Action("next", ("j", "down"), "down", "one row down", "Move"),
    Action("previous", ("k", "up"), "up", "one row up", "Move"),
    Action("page_down", ("space", "pagedown"), "page", "one page down", "Move"),
    Action("page_up", ("b", "pageup"), "page", "one page up", "Move"),
    Action("half_down", ("ctrl+d",), "half", "half a page down", "Move"),
    Action("half_up", ("ctrl+u",), "half", "half a page up", "Move"),
    Action("top", ("g", "home"), "top", "first row", "Move"),
    Action("bottom", ("G", "end"), "end", "last row", "Move"),
)

JUDGING: tuple[Action, ...] = (
    Action("grade", tuple(DIGITS), "grade", "grade it and go on", "Judge", keep=True),
    Action(
        "hard_negative",
        ("x",),
        "hard negative",
        "hard negative, on or off",
        "Judge",
    ),
    Action("skip", ("s",), "skip", "skip it for now", "Judge"),
    Action("cannot_judge", ("c",), "cannot judge", "cannot judge; then why", "Judge"),
    Action("flag", ("f",), "flag", "flag, on or off", "Judge"),
    Action("note", ("i",), "note", "note; enter saves it", "Judge", rank=5),
    Action("undo", ("u",), "undo", "undo, without limit", "Judge", rank=2),
    Action("redo", ("ctrl+r",), "redo", "redo", "Judge"),
    Action("clear", ("backspace",), "clear", "take the judgment back", "Judge"),
    Action("next", ("j", "down"), "next", "next candidate", "Move"),
    Action("previous", ("k", "up"), "previous", "candidate before", "Move"),
    Action("next_query", ("]", "right"), "next query", "next query", "Move"),
    Action("previous_query", ("[", "left"), "previous query", "query before", "Move"),
    Action("next_unfinished", ("}",), "next unfinished", "next unfinished query", "Move"),
    Action("previous_unfinished", ("{",), "unfinished before", "the one before", "Move"),
    *_READ,
    Action("zoom", ("z",), "zoom", "document alone, or not", "Read"),
    Action("guidelines", ("o",), "guide", "guidelines, and back", "Read", rank=4),
    *_APP,
)
QUERIES: tuple[Action, ...] = (
    Action("open", ("enter",), "judge", "judge this query", "Go", rank=1),
    *_LIST,
    Action("next_unfinished", ("}",), "next unfinished", "next unfinished query", "Move", 3),
    Action("previous_unfinished", ("{",), "unfinished before", "the one before", "Move"),
    Action("filter", ("/",), "filter", "only queries with words", "Go", rank=2),
    *_APP,
)
DATASETS: tuple[Action, ...] = (
    Action("open", ("enter",), "open", "open this dataset", "Go", rank=1),
    *_LIST,
    *_APP,
)
HELP: tuple[Action, ...] = (
    Action("line_down", ("j", "down"), "down", "one line down", "Read"),
    Action("line_up", ("k", "up"), "up", "one line up", "Read"),
    *_READ,
    Action("theme", ("t",), "theme", "dark, light, contrast", "Go"),
    Action("back", ("escape", "q", "?"), "back", "back", "Go", rank=1),
)
OPENING: tuple[Action, ...] = (Action("back", ("escape", "q"), "back", "give up", "Go"),)
PAIRS: tuple[Pair, ...] = (
    Pair("next", "previous", "j k", "move", 3),
    Pair("next_query", "previous_query", "[ ]", "query", 6),
    Pair("page_down", "page_up", "space b", "page", 7),
    Pair("theme", "", "t", "theme", 9),
    Pair("zoom", "", "z", "zoom", 8),
)


def bindings(screen: str, actions: Sequence[Action]) -> list[BindingType]:
    """Make the bindings of a screen; each has an id, so that it can be remapped."""
    made: list[BindingType] = []
    for action in actions:
        if action.keep:
            made += [
                Binding(
                    key, f"{action.name}({key})", id=f"{screen}.{action.name}.{key}", show=False
                )
                for key in action.keys
            ]
        else:
            keys = ",".join(action.keys)
            made.append(Binding(keys, action.name, id=f"{screen}.{action.name}", show=False))
    return made


def clashes(actions: Sequence[Action]) -> list[str]:
    """Name the keys that more than one action of a screen would answer to."""
    counts = Counter(key for action in actions for key in action.keys)
    return sorted(key for key, count in counts.items() if count > 1)


def key_bar(actions: Sequence[Action]) -> list[tuple[int, str, str]]:
    """Give what the key bar of a screen shows: (rank, keys, label), the most needed first."""
    names = {action.name for action in actions}
    shown = [(a.rank, _SPOKEN.get(a.keys[0], a.keys[0]), a.label) for a in actions if a.rank]
    shown += [(p.rank, p.keys, p.label) for p in PAIRS if p.first in names]
    if all(keys != "esc" for _, keys, _ in shown):
        shown.append((8, "esc", "back"))
    return sorted(shown)


def by_group(actions: Iterable[Action]) -> dict[Group, list[Action]]:
    """Give the actions as the help lists them."""
    listed: dict[Group, list[Action]] = {group: [] for group in GROUPS}
    for action in actions:
        listed[action.group].append(action)
    return {group: found for group, found in listed.items() if found}
