"""Every action of every screen in one table: its keys, its words, its places in bar and help.

Bindings, key bar and help are made from this table, so none can say what another does not do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
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
    "comma": ",",
    "equals_sign": "=",
    "full_stop": ".",
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
        arguments: What is passed where other keys stand for the arguments; empty: the keys.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: Group
    rank: int = 0
    keep: bool = False
    arguments: tuple[str, ...] = ()

    @property
    def shown_keys(self) -> str:
        """The keys as a person reads them."""
        if self.keep and not self.arguments:
            return f"{self.keys[0]}-{self.keys[-1]}"
        return " ".join(map(spoken, self.keys))


def spoken(key: str) -> str:
    """Give a key as a person reads it.

    >>> spoken("escape"), spoken("x")
    ('esc', 'x')
    """
    return _SPOKEN.get(key, key)


@dataclass(frozen=True)
class Pair:
    """Two actions that the key bar shows as one, such as next and previous."""

    first: str
    second: str
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
    Action("settings", ("comma",), "settings", "settings", "Go"),
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
    Action("evidence", ("e",), "evidence", "mark lines as evidence", "Judge", rank=11),
    Action("same", ("equals_sign",), "same", "the grade of the near-copy", "Judge"),
    Action("rest", ("r",), "rest", "rest of the query: lowest grade", "Judge"),
    Action("undo", ("u",), "undo", "undo, without limit", "Judge", rank=2),
    Action("redo", ("ctrl+r",), "redo", "redo", "Judge"),
    Action("clear", ("backspace",), "clear", "take the judgment back", "Judge"),
    Action("next", ("j", "down"), "next", "next candidate", "Move"),
    Action("previous", ("k", "up"), "previous", "candidate before", "Move"),
    Action("next_query", ("]", "right"), "next query", "next query", "Move"),
    Action("previous_query", ("[", "left"), "previous query", "query before", "Move"),
    Action("next_unfinished", ("}",), "next unfinished", "next unfinished query", "Move"),
    Action("previous_unfinished", ("{",), "unfinished before", "the one before", "Move"),
    Action("revisit", ("full_stop",), "revisit", "next flagged, skipped, cannot judge", "Move"),
    *_READ,
    Action("find", ("/",), "find", "find words in the text", "Read", rank=10),
    Action("next_hit", ("n",), "next hit", "next hit", "Read"),
    Action("previous_hit", ("N",), "hit before", "hit before", "Read"),
    Action("whole", ("w",), "whole text", "whole text, or best passage", "Read", rank=14),
    Action("view", ("v",), "view", "what is graded for this query", "Read", rank=12),
    Action("zoom", ("z",), "zoom", "document alone, or not", "Read"),
    Action("scores", ("m",), "scores", "scores on what is judged", "Go"),
    Action("guidelines", ("o",), "guide", "guidelines, and back", "Read", rank=4),
    Action("pace", ("p",), "pace", "pace, time left, today", "Go", rank=13),
    *_APP,
)
QUERIES: tuple[Action, ...] = (
    Action("open", ("enter",), "judge", "judge this query", "Go", rank=1),
    *_LIST,
    Action("next_unfinished", ("}",), "next unfinished", "next unfinished query", "Move", 3),
    Action("previous_unfinished", ("{",), "unfinished before", "the one before", "Move"),
    Action("filter", ("/",), "filter", "only queries with words", "Go", rank=2),
    Action("scores", ("m",), "scores", "scores on what is judged", "Go", rank=6),
    Action("state", ("f",), "state", "new, part, done, flagged", "Go"),
    Action("jump", ("#",), "jump", "to a query by number or id", "Go", rank=5),
    Action("agreement", ("a",), "agreement", "agreement and final grades", "Go", rank=6),
    *_APP,
)
DATASETS: tuple[Action, ...] = (
    Action("open", ("enter",), "open", "open this dataset", "Go", rank=1),
    Action("import", ("i",), "import", "bring a collection in", "Go", rank=2),
    Action("pool", ("p",), "pool", "draw documents to judge", "Go", rank=4),
    Action("export", ("x",), "export", "write it in another format", "Go", rank=5),
    *_LIST,
    *_APP,
)
SCORES: tuple[Action, ...] = (
    Action("open", ("enter",), "judge", "judge the query looked at", "Go", rank=2),
    Action("next_panel", ("tab", "]", "right"), "next panel", "next panel", "Move"),
    Action("previous_panel", ("shift+tab", "[", "left"), "panel before", "panel before", "Move"),
    Action("next", ("j", "down"), "down", "one line down", "Move"),
    Action("previous", ("k", "up"), "up", "one line up", "Move"),
    Action("page_down", ("space", "pagedown"), "page", "one page down", "Move"),
    Action("page_up", ("pageup",), "page", "one page up", "Move"),
    Action("top", ("g", "home"), "top", "first line", "Move"),
    Action("bottom", ("G", "end"), "end", "last line", "Move"),
    Action("system", ("s",), "system a", "next system as a", "Read", rank=4),
    Action("other", ("c",), "system b", "next system as b", "Read", rank=5),
    Action("measure", ("n",), "measure", "next measure", "Read", rank=6),
    Action("by", ("b",), "slices", "slices by the next property", "Read", rank=7),
    Action("next_query", ("}",), "next query", "top 10 of the next query", "Read"),
    Action("previous_query", ("{",), "query before", "and of the one before", "Read"),
    Action("again", ("R",), "measure", "measure everything anew", "Read"),
    Action("export", ("x",), "export", "export the dataset", "Go", rank=8),
    *_APP,
)
_TEXT = tuple(replace(a, keys=tuple(k for k in a.keys if k != "space")) for a in _READ)
EVIDENCE: tuple[Action, ...] = (
    Action("next", ("j", "down"), "move", "one line down", "Move"),
    Action("previous", ("k", "up"), "move", "one line up", "Move"),
    Action("mark", ("space", "enter"), "mark from here, to here", "mark from here", "Judge", 2),
    Action("passage", ("p",), "take the best passage", "take the best passage", "Judge", 3),
    Action("clear", ("backspace",), "take all away", "take all away", "Judge", 4),
    *_TEXT,
    Action("whole", ("w",), "whole text", "whole text, or best passage", "Read"),
    Action("back", ("escape", "q", "e"), "done", "done", "Go", rank=5),
)
GRADED: tuple[Action, ...] = (
    Action("next", ("j", "down"), "move", "one row down", "Move"),
    Action("previous", ("k", "up"), "move", "one row up", "Move"),
    Action("open", ("enter",), "look at it beside", "look at it beside", "Read", rank=2),
    *_READ,
    Action("whole", ("w",), "whole text", "whole text, or best passage", "Read"),
    Action("back", ("escape", "q"), "back", "the list again, or back", "Go", rank=3),
    Action("leave", ("v",), "judging", "back to the card at once", "Go"),
)
HELP: tuple[Action, ...] = (
    Action("line_down", ("j", "down"), "down", "one line down", "Read"),
    Action("line_up", ("k", "up"), "up", "one line up", "Read"),
    *_READ,
    Action("theme", ("t",), "theme", "dark, light, contrast", "Go"),
    Action("back", ("escape", "q", "?"), "back", "back", "Go", rank=1),
)
OPENING: tuple[Action, ...] = (Action("back", ("escape", "q"), "back", "give up", "Go"),)
FORM: tuple[Action, ...] = (
    Action("change", ("enter",), "change", "type it, change it, or start", "Go", rank=1),
    Action("next", ("j", "down"), "down", "one row down", "Move"),
    Action("previous", ("k", "up"), "up", "one row up", "Move"),
    Action("other", ("right", "l"), "other", "the next choice", "Go"),
    Action("other_before", ("left", "h"), "other", "the choice before", "Go"),
    *_READ,
    *_APP,
)
SETTINGS: tuple[Action, ...] = (
    Action("other", ("enter", "right", "l"), "change", "the next choice", "Go", rank=1),
    Action("other_before", ("left", "h"), "other", "the choice before", "Go"),
    Action("next", ("j", "down"), "down", "one row down", "Move"),
    Action("previous", ("k", "up"), "up", "one row up", "Move"),
    Action("theme", ("t",), "theme", "dark, light, contrast", "Go"),
    Action("back", ("escape", "q", "comma"), "back", "back", "Go", rank=2),
)
AGREEMENT: tuple[Action, ...] = (
    Action("grade", tuple(DIGITS), "grade", "final grade, and go on", "Judge", keep=True),
    Action("accept", ("enter",), "higher", "the higher grade is final", "Judge"),
    Action("hard_negative", ("x",), "hard negative", "hard negative, on or off", "Judge"),
    Action("skip", ("s",), "skip", "leave it open for now", "Judge"),
    Action("note", ("i",), "note", "note; enter saves it", "Judge", rank=5),
    Action("undo", ("u",), "undo", "undo, without limit", "Judge", rank=2),
    Action("redo", ("ctrl+r",), "redo", "redo", "Judge"),
    Action("clear", ("backspace",), "clear", "take the final grade back", "Judge"),
    Action("next", ("j", "down"), "next", "next disagreement", "Move"),
    Action("previous", ("k", "up"), "previous", "disagreement before", "Move"),
    Action("next_unfinished", ("}",), "next open", "next without a final grade", "Move"),
    Action("previous_unfinished", ("{",), "open before", "the one before", "Move"),
    Action("next_couple", ("]", "right"), "annotators", "the next two annotators", "Move"),
    Action("previous_couple", ("[", "left"), "annotators", "the two before", "Move"),
    *_READ,
    Action("whole", ("n",), "notes", "verdicts and notes in full", "Read"),
    Action("zoom", ("z",), "zoom", "document alone, or not", "Read"),
    Action("figures", ("o",), "figures", "all figures, and back", "Read", rank=4),
    Action("names", ("v",), "names", "names of annotators, or not", "Read", rank=6),
    *_APP,
)
PAIRS: tuple[Pair, ...] = (
    Pair("next_panel", "previous_panel", "panel", 3),
    Pair("next", "previous", "move", 3),
    Pair("next_query", "previous_query", "query", 6),
    Pair("page_down", "page_up", "page", 7),
    Pair("theme", "", "theme", 9),
    Pair("zoom", "", "zoom", 8),
)


SCREENS: dict[str, tuple[Action, ...]] = {
    "datasets": DATASETS,
    "queries": QUERIES,
    "judging": JUDGING,
    "evidence": EVIDENCE,
    "graded": GRADED,
    "help": HELP,
    "opening": OPENING,
    "form": FORM,
    "settings": SETTINGS,
    "agreement": AGREEMENT,
    "scores": SCORES,
}
"""The tables of all screens by the name that starts the ids of their bindings.

`evidence` and `graded` are no screens but take the keys of the judging screen for a while.
"""
MODES: dict[str, str] = {"evidence": "While marking evidence", "graded": "Among what is graded"}
"""Those that belong to the judging screen, and how its help calls them."""


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


def screen_of(actions: Sequence[Action]) -> str:
    """Give the name of the screen that has this table; empty if none has.

    >>> screen_of(JUDGING)
    'judging'
    """
    return next((name for name, table in SCREENS.items() if table is actions), "")


def clashes(actions: Sequence[Action]) -> list[str]:
    """Name the keys that more than one action of a screen would answer to."""
    counts = Counter(key for action in actions for key in action.keys)
    return sorted(key for key, count in counts.items() if count > 1)


def key_bar(actions: Sequence[Action]) -> list[tuple[int, str, str]]:
    """Give what the key bar of a screen shows: (rank, keys, label), the most needed first."""
    keys = {action.name: spoken(action.keys[0]) for action in actions}
    shown = [(a.rank, keys[a.name], a.label) for a in actions if a.rank]
    for pair in PAIRS:
        found = [keys[name] for name in (pair.first, pair.second) if name in keys]
        if pair.first in keys:
            shown.append((pair.rank, " ".join(found), pair.label))
    if "back" in keys and all(label != "back" for _, _, label in shown):
        shown.append((8, keys["back"], "back"))
    return sorted(shown)


def by_group(actions: Iterable[Action]) -> dict[Group, list[Action]]:
    """Give the actions as the help lists them."""
    listed: dict[Group, list[Action]] = {group: [] for group in GROUPS}
    for action in actions:
        listed[action.group].append(action)
    return {group: found for group, found in listed.items() if found}
