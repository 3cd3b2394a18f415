"""What the terminal remembers of its user between two runs, and in which file.

The folder is `JUDGE_CONFIG`, else `judge` in `XDG_CONFIG_HOME`, else `~/.config/judge`. What cannot
be read or written there is told and never stops anybody: the usual settings hold then.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core.errors import JudgeError, quoted
from judge.core.files import read_text, write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "settings.json"
KEYS_FILE = "keys.toml"


@dataclass(frozen=True)
class Settings:
    """What a user may set.

    Attributes:
        theme: How it looks: `dark`, `light` or `contrast`.
        auto_advance: Whether a grade brings the next document.
        highlights: Whether the words of the query are marked in the documents.
        break_minutes: After how long without a break one is proposed; 0: never.
        list_width: Cells of the list beside the document; 0: by the size of the terminal.
    """

    theme: str = "dark"
    auto_advance: bool = True
    highlights: bool = True
    break_minutes: int = 50
    list_width: int = 0


Value = str | bool | int


class Setting(NamedTuple):
    """What the sheet of settings says of one.

    Attributes:
        name: The field of `Settings`.
        label: A few words.
        choices: Its values, and how each is said.
        meaning: What it does.
    """

    name: str
    label: str
    choices: Mapping[Value, str]
    meaning: str


ON_OFF: dict[Value, str] = {True: "on", False: "off"}
SETTINGS: tuple[Setting, ...] = (
    Setting(
        "theme",
        "theme",
        {"dark": "dark", "light": "light", "contrast": "high contrast"},
        "the colours; NO_COLOR in the environment leaves all of them out",
    ),
    Setting("auto_advance", "go on after a grade", ON_OFF, "off: a grade stays on its document"),
    Setting("highlights", "words of the query", ON_OFF, "whether they are marked in the documents"),
    Setting(
        "break_minutes",
        "propose a break",
        {25: "after 25 minutes", 50: "after 50 minutes", 90: "after 90 minutes", 0: "never"},
        "a notice after that long without one; it never stops you",
    ),
    Setting(
        "list_width",
        "width of the list",
        {0: "by the screen", 28: "28 cells", 36: "36 cells", 44: "44 cells", 52: "52 cells"},
        "the list of candidates beside the document",
    ),
)


class Remembered:
    """The settings as they are now, and the file that keeps them.

    Args:
        settings: What holds.
        path: The file; None keeps nothing.
        notices: What was wrong with the file.
    """

    def __init__(
        self, settings: Settings, path: Path | None = None, notices: tuple[str, ...] = ()
    ) -> None:
        self.settings, self.notices = settings, notices
        self._path = path

    @classmethod
    def load(cls, folder: Path | None) -> Remembered:
        """Read what was remembered; what is wrong with it becomes a notice.

        A file that cannot be understood is left as it is, for its owner to see to.

        Args:
            folder: Where the file is; None remembers nothing.
        """
        if folder is None:
            return cls(Settings())
        path = folder / FILE
        if not path.exists():
            return cls(Settings(), path)
        try:
            found = json.loads(read_text(path))
        except (JudgeError, OSError, ValueError, RecursionError) as error:
            why = str(error).partition("\n")[0]
            return cls(Settings(), None, (_unusable(path, why),))
        if not isinstance(found, dict):
            return cls(Settings(), None, (_unusable(path, "no JSON object"),))
        settings, notices = _taken(found, path)
        return cls(settings, path, notices)

    def change(self, name: str, value: Value) -> str:
        """Set something, for now and the next time.

        Returns:
            Why it will not be remembered; empty if it will.
        """
        self.settings = Settings(**{**asdict(self.settings), name: value})
        if self._path is None:
            return self.notices[0] if self.notices else ""
        text = json.dumps(asdict(self.settings), indent=1) + "\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self._path, text.encode("utf-8"))
        except (JudgeError, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            return f"{self._path}: not remembered: {reason}"
        return ""

    def next(self, name: str, step: int = 1) -> str:
        """Change a setting to its next value, or the one before; returns what `change` does."""
        values = list(next(s for s in SETTINGS if s.name == name).choices)
        now = getattr(self.settings, name)
        # A value that was written by hand need not be among the choices.
        at = values.index(now) if now in values else -step
        return self.change(name, values[(at + step) % len(values)])


def config_folder(environment: Mapping[str, str]) -> Path:
    """Give the folder of the user's settings.

    >>> config_folder({"XDG_CONFIG_HOME": "/c"}).as_posix()
    '/c/judge'
    >>> config_folder({"JUDGE_CONFIG": "/mine", "XDG_CONFIG_HOME": "/c"}).as_posix()
    '/mine'
    """
    if own := environment.get("JUDGE_CONFIG"):
        return Path(own)
    # The standard says that a path which is not absolute is to be passed over.
    base = environment.get("XDG_CONFIG_HOME", "")
    home = environment.get("HOME") or "/"
    return (Path(base) if base.startswith("/") else Path(home) / ".config") / "judge"


def _unusable(path: Path, why: str) -> str:
    reason = why.removeprefix(f"{path}: ")
    return f"{path}: the usual settings hold, and none is kept: {reason}"


def _taken(found: Mapping[str, Any], path: Path) -> tuple[Settings, tuple[str, ...]]:
    """Take from a file what can be taken, and say what cannot."""
    taken: dict[str, Any] = {}
    notices: list[str] = []
    usual = asdict(Settings())
    for field in fields(Settings):
        if field.name not in found:
            continue
        value, wanted = found[field.name], usual[field.name]
        if _fits(field.name, value, wanted):
            taken[field.name] = value
        else:
            notices.append(f"{path}: {field.name}: {quoted(value)} is no choice; {wanted} is used")
    return Settings(**taken), tuple(notices)


def _fits(name: str, value: object, usual: Value) -> bool:
    if type(value) is not type(usual):
        return False
    if name == "theme":
        return value in next(s for s in SETTINGS if s.name == name).choices
    return not isinstance(value, int) or 0 <= value <= 1_000
