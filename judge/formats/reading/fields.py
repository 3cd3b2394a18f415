"""How the fields of one JSON record are taken one by one, each fault named with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.core.errors import nearest, quoted
from judge.formats.reading.json_lines import kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from judge.formats.reading.intake import Intake, Where

MAX_NAMED = 12
"""Keys of a record that a message lists."""


def listed(names: Iterable[str]) -> str:
    """Names as a message lists them.

    >>> listed(["id", "contents"])
    '"id", "contents"'
    """
    names = list(names)
    text = ", ".join(map(quoted, names[:MAX_NAMED]))
    return text + ", …" if len(names) > MAX_NAMED else text or "none"


class Fields:
    """One record being read: gives its fields, remembers which were asked for and what was wrong.

    Args:
        record: The JSON object.
        where: Its place.
        intake: Gets the faults.

    Attributes:
        good: No fault was found so far.
    """

    def __init__(self, record: Mapping[str, Any], where: Where, intake: Intake) -> None:
        self.where = where
        self.good = True
        self._record = record
        self.intake = intake
        self._asked: set[str] = set()

    def fault(self, name: str | int, message: str, expected: str | None = None) -> None:
        """Report that a field is wrong."""
        self.good = False
        self.intake.invalid(self.where.at(name), message, expected)

    def has(self, *names: str) -> bool:
        """Whether all these fields are there and not null; a missing one is reported at once."""
        missing = [name for name in names if self._record.get(name) is None]
        if missing:
            found = f"the keys found are {listed(self._record)}"
            state = "null" if missing[0] in self._record else "missing"
            self.fault(missing[0], f"{state}; {found}", listed(names))
        return not missing

    def raw(self, name: str) -> object:
        """A field as it stands, None where there is none."""
        self._asked.add(name)
        return self._record.get(name)

    @property
    def names(self) -> list[str]:
        """All keys of the record."""
        return list(self._record)

    def peek(self, name: str) -> object:
        """A field as it stands, without counting it as asked for."""
        return self._record.get(name)

    def stands(self, name: str) -> bool:
        """Whether the key stands in the record, be it null."""
        return name in self._record

    def identifier(self, name: str) -> str | None:
        """An id; a JSON integer is taken as its text. None where it is missing, null or wrong."""
        value = self.raw(name)
        if value is None:
            return None
        return self.as_identifier(value, name)

    def as_identifier(self, value: object, *keys: str | int) -> str | None:
        """An id found somewhere in the record; None, and a fault, where it cannot be one."""
        if isinstance(value, int) and not isinstance(value, bool):
            self.intake.note("ids that are JSON numbers, taken as their text", self.where.at(*keys))
            return str(value)
        if isinstance(value, str) and value:
            return value
        wrong = "the text is empty" if value == "" else described(value)
        self.good = False
        self.intake.invalid(self.where.at(*keys), wrong, "an id as a JSON string")
        return None

    def text(self, name: str, default: str = "") -> str:
        """A text; the default where it is missing or null."""
        value = self.raw(name)
        if value is None:
            return default
        if not isinstance(value, str):
            self.fault(name, described(value), "a text")
            return default
        return value

    def flag(self, name: str) -> bool:
        """True or false; false where it is missing or null."""
        value = self.raw(name)
        if value is not None and not isinstance(value, bool):
            self.fault(name, described(value), "true or false")
        return value is True

    def mapping(self, name: str) -> dict[str, Any]:
        """An object; an empty one where it is missing or null."""
        value = self.raw(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fault(name, described(value), "an object")
            return {}
        return value

    def items(self, name: str) -> list[Any]:
        """A list; an empty one where it is missing or null."""
        value = self.raw(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(name, described(value), "a list")
            return []
        return value

    def number(self, name: str, default: int) -> int:
        """A whole number; the default where it is missing or null."""
        value = self.raw(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(name, described(value), "a whole number")
            return default
        return value

    def rest(self) -> dict[str, Any]:
        """The fields that nobody asked for."""
        return {name: v for name, v in self._record.items() if name not in self._asked}

    def refuse_rest(self, what: str) -> None:
        """Report every field that nobody asked for, with the nearest name that is known."""
        for name in self.rest():
            near = nearest(name, self._asked, 1)
            expected = quoted(near[0]) if near else listed(sorted(self._asked))
            self.fault(name, f"not a key of {what}", expected)


def described(value: object) -> str:
    """A JSON value that is not what it should be, as a message shows it.

    >>> described(True), described(3), described([1])
    ('true', '3 is a number', 'a list')
    """
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return f"{quoted(value)} is {kind(value)}"
    return kind(value)
