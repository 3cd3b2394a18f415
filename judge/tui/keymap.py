"""How the user's own keys are read: what a line of `keys.toml` may say, and what is used instead.

    judging.flag = "F"
    judging.next = ["n", "down"]
    judging.grade.3 = "f"

Keys that do not reach every terminal are refused: alt, function keys, shift with ctrl.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core.errors import JudgeError, nearest, quoted
from judge.core.files import read_text
from judge.tui.actions import MODES, SCREENS, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from judge.tui.actions import Action

NAMED = {
    "esc": "escape",
    "pgdn": "pagedown",
    "pgup": "pageup",
    "bksp": "backspace",
    "return": "enter",
    "del": "delete",
    " ": "space",
    ",": "comma",
}
"""Other ways to write a key."""
KEYS = frozenset(
    {"escape", "enter", "space", "tab", "backspace", "delete", "insert", "comma"}
    | {"up", "down", "left", "right", "home", "end", "pageup", "pagedown"}
)
"""The keys that have a name."""
TAKEN = {"ctrl+q": "quits", "ctrl+p": "opens the palette", "ctrl+c": "copies"}
ALIASES = {"h": "backspace", "i": "tab", "j": "a line feed", "m": "enter", "z": "suspending"}
"""What a terminal makes of ctrl with a letter."""
_CTRL = re.compile(r"ctrl\+[a-z]")
_FUNCTION = re.compile(r"(.*\+)?f\d+")


class _Line(NamedTuple):
    """What one line of the file asks for."""

    name: str
    keys: tuple[str, ...]
    number: int


@dataclass(frozen=True)
class Keymap:
    """The user's keys.

    Attributes:
        keys: For the id of a binding, the keys that stand for it.
        notices: What of the file is not obeyed, with its line and what is used instead.
    """

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    def applied(self, screen: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """Give the actions of a screen with the keys that stand for them."""
        return tuple(_applied(action, screen, self.keys) for action in actions)

    def key_of(self, screen: str, name: str) -> str:
        """Give the first key of an action as a person reads it.

        Args:
            screen: Such as `judging`.
            name: Such as `flag`, or `grade.3`.
        """
        binding = f"{screen}.{name}"
        return spoken(self.keys.get(binding, _usual(binding))[0])

    def action_of(self, screen: str, key: str, character: str | None) -> str:
        """Give the name of the action that a key stands for on a screen; empty: none.

        Args:
            screen: Such as `evidence`.
            key: The name that Textual gives it.
            character: What it types, if anything.
        """
        for action in self.applied(screen, SCREENS[screen]):
            if key in action.keys or (character is not None and character in action.keys):
                return action.name
        return ""

    def for_textual(self) -> dict[str, str]:
        """Give the keys as `App.set_keymap` takes them."""
        return {
            binding: ",".join(keys)
            for binding, keys in self.keys.items()
            if binding.partition(".")[0] not in MODES
        }


def load_keymap(path: Path | None) -> Keymap:
    """Read a file of keys; one that is not there asks for nothing.

    Args:
        path: A TOML file; None: there is none.
    """
    if path is None or not path.exists():
        return Keymap()
    try:
        text = read_text(path)
        asked = tomllib.loads(text)
    except (JudgeError, OSError, tomllib.TOMLDecodeError, RecursionError) as error:
        why = str(error).partition("\n")[0]
        where = re.search(r"\(at line (\d+), column \d+\)", why)
        why = why[: where.start()].strip() if where else why.removeprefix(f"{path}: ")
        place = f"{path}:{where[1]}" if where else str(path)
        return Keymap({}, (f"{place}: {why}; the usual keys are used",))
    lines = _numbers(text)
    wanted = [_checked(name, value, lines.get(name, 1)) for name, value in _flat(asked)]
    good = [line for line in wanted if isinstance(line, _Line)]
    kept, clashing = _without_clashes(good)
    told = [*(line for line in wanted if isinstance(line, str)), *clashing]
    told.sort(key=lambda line: int(line.partition(":")[0]))
    return Keymap({line.name: line.keys for line in kept}, tuple(f"{path}:{t}" for t in told))


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Give (`screen.action`, value) for all that a file says."""
    for key, value in table.items():
        name = f"{before}{key}"
        if isinstance(value, dict) and name not in _ids():
            yield from _flat(value, f"{name}.")
        else:
            yield name, value


def _numbers(text: str) -> dict[str, int]:
    """Give the line of each name of a file."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[([^\[\]]+)\]", line):
            table = _plain(head[1]) + "."
        elif entry := re.match(r"\s*([\w\"'. -]+?)\s*=", line):
            found.setdefault(table + _plain(entry[1]), number)
    return found


def _plain(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))


@cache
def _ids() -> dict[str, tuple[str, ...]]:
    """Give the ids of all bindings with their usual keys."""
    ids: dict[str, tuple[str, ...]] = {}
    for screen, actions in SCREENS.items():
        for action in actions:
            if action.keep:
                ids |= {f"{screen}.{action.name}.{key}": (key,) for key in action.keys}
            else:
                ids[f"{screen}.{action.name}"] = action.keys
    return ids


def _usual(binding: str) -> tuple[str, ...]:
    return _ids()[binding]


def _checked(name: str, value: object, number: int) -> _Line | str:
    """Give what a line asks for, or why it cannot be."""
    ids = _ids()
    if name not in ids:
        near = nearest(name, ids, 1)
        hint = f"; did you mean {near[0]}?" if near else "; help (?) lists what can be done where"
        return f"{number}: {quoted(name)} is no action{hint}"
    keys = value if isinstance(value, list) else [value]
    before = f"{number}: {name} {_kept(ids[name])}"
    made = [_key(key) for key in keys if isinstance(key, str)]
    if not made or len(made) < len(keys):
        return f'{before}: a key is written "F", several ["n", "down"]'
    if (ids[name][0].isdigit() and len(keys) > 1) or len(set(made)) < len(made):
        return f"{before}: one key is enough"
    for key in made:
        if why := _refusal(key):
            return f"{before}: {why}"
    return _Line(name, tuple(made), number)


def _key(written: str) -> str:
    """Give a key as the table of actions writes it."""
    key = written if len(written) == 1 else written.strip().lower()
    return NAMED.get(key, key)


def _refusal(key: str) -> str:
    """Say why a key cannot be used; empty if it can."""
    if key in TAKEN:
        return f"{quoted(key)} {TAKEN[key]} everywhere"
    if key.startswith("alt+") or "+alt+" in key or _FUNCTION.fullmatch(key):
        return f"not every terminal sends {quoted(key)}"
    if "shift" in key:
        return f"not every terminal sends {quoted(key)}"
    if _CTRL.fullmatch(key):
        means = ALIASES.get(key[-1])
        return f"{quoted(key)} is {means} to a terminal" if means else ""
    if key in KEYS or (len(key) == 1 and key.isprintable() and not unicodedata.combining(key)):
        return ""
    return f"{quoted(key)} is no key: a character, ctrl+x, or a name such as pagedown"


def _without_clashes(lines: Sequence[_Line]) -> tuple[list[_Line], list[str]]:
    """Leave out the lines whose key does something else on the same screen, and say so."""
    kept = {line.name: line for line in lines}
    told: list[str] = []
    ids = _ids()
    while True:
        now = ids | {name: line.keys for name, line in kept.items()}
        clash = next(_clashes(kept, now), None)
        if clash is None:
            return list(kept.values()), told
        line, key, other = clash
        del kept[line.name]
        kept_key = _kept(ids[line.name])
        told.append(f"{line.number}: {line.name} {kept_key}: {quoted(spoken(key))} is {other}")


def _clashes(
    kept: Mapping[str, _Line], now: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[_Line, str, str]]:
    """Give (line, key, other action) where two actions of a screen have one key, last line first.

    Of two lines of the file the later one gives way.
    """
    for line in sorted(kept.values(), key=lambda line: -line.number):
        screen = line.name.partition(".")[0]
        for other, keys in now.items():
            if other != line.name and other.partition(".")[0] == screen:
                for key in line.keys:
                    if key in keys:
                        yield line, key, other


def _kept(keys: Sequence[str]) -> str:
    """Say what is used instead."""
    return f"keeps {' '.join(map(spoken, keys))}"


def _applied(action: Action, screen: str, keys: Mapping[str, tuple[str, ...]]) -> Action:
    """Give an action with the keys that stand for it."""
    if not action.keep:
        return replace(action, keys=keys.get(f"{screen}.{action.name}", action.keys))
    own = tuple(keys.get(f"{screen}.{action.name}.{key}", (key,))[0] for key in action.keys)
    return action if own == action.keys else replace(action, keys=own, arguments=action.keys)
