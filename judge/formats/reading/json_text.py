"""What counts as JSON here, where exactly a text breaks its rules, and how JSON is written.

Stricter than Python's `json`: NaN and Infinity, numbers that no double can hold, a key that stands
twice in one object, half a surrogate pair and very deep nesting are refused, each with its place.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Collection, Generator

    Keys = tuple[str | int, ...]

MAX_DEPTH = 100
"""Levels of nesting that are taken; real records need fewer than ten."""

INNER_DEPTH = 90
"""Levels that one value in a record may have, so that it fits in every other dialect as well."""

MAX_DIGITS = 4300
"""Digits of an integer that Python converts; longer ones are refused in words of our own."""

WHOLE = 2.0**53
"""Above it every double is whole, so that being whole says nothing."""

_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|[\[\]{}]|-?Infinity|NaN|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?',
    re.DOTALL,
)
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
_BLANK = re.compile(r"[ \t\n\r]*")


class JsonFault(ValueError):
    """A text is not JSON as it is taken here.

    Attributes:
        message: What is wrong, with the column.
        line: Line of the text, from 1.
    """

    def __init__(self, message: str, text: str, position: int) -> None:
        column = position - (text.rfind("\n", 0, position) + 1) + 1
        self.message = f"not JSON: {message} (column {column})"
        self.line = text.count("\n", 0, position) + 1
        super().__init__(f"line {self.line}: {self.message}")


class _Refused(ValueError):
    """Raised inside the parser; the place is found afterwards."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused
    return found


def _refuse(_constant: str) -> NoReturn:
    raise _Refused


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _Refused
    if number.is_integer() and abs(number) < WHOLE and not is_whole(text):
        # A text such as 0.99999999999999999999 is not whole, so neither is what stands for it.
        return math.nextafter(number, 0.0) or math.copysign(math.ulp(0.0), number)
    return number


def is_whole(text: str) -> bool:
    """Whether a number is whole as it is written; as a double, many a fraction becomes whole.

    >>> is_whole("2.0"), is_whole("0.99999999999999999999"), is_whole("1e3")
    (True, False, True)
    """
    if text.isdecimal():
        return True
    number = float(text)
    try:
        return number.is_integer() and Decimal(text) == number
    except InvalidOperation:  # an exponent of twenty digits
        return False


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
_SKIPPER = json.JSONDecoder()


def parse(text: str) -> object:
    """The value that a JSON text stands for.

    Raises:
        JsonFault: It is not JSON, or breaks one of the rules of this module.

    >>> parse('{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}
    >>> parse('{"a": NaN}')
    Traceback (most recent call last):
    judge.formats.reading.json_text.JsonFault: line 1: not JSON: NaN is not a JSON number (column 7)
    """
    try:
        value = _STRICT.decode(text)
    except json.JSONDecodeError as error:
        raise _syntax_fault(text, error) from None
    except (ValueError, RecursionError):
        _raise_first_fault(text)
    if text.count("[") + text.count("{") > MAX_DEPTH and is_deep(value, MAX_DEPTH):
        _raise_first_fault(text)
    if _HALF_PAIR.search(text):
        try:
            dump(value).encode("utf-8")
        except UnicodeEncodeError:
            _raise_first_fault(text)
    return value


def is_json(text: str) -> bool:
    """Whether a text is JSON as it is taken here.

    >>> is_json('{"a": 1}'), is_json('{"a": 1')
    (True, False)
    """
    try:
        parse(text)
    except JsonFault:
        return False
    return True


def dump(value: object) -> str:
    """One line of strict JSON, readable UTF-8 text, keys in the order that they have.

    Raises:
        ValueError: A number is not finite.

    >>> dump({"text": "東京", "n": 1})
    '{"text": "東京", "n": 1}'
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def in_order(value: object) -> object:
    """The same JSON value with the keys of every object sorted, for stable bytes.

    >>> in_order({"b": 1, "a": [{"d": 2, "c": 3}]})
    {'a': [{'c': 3, 'd': 2}], 'b': 1}
    """
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [in_order(item) for item in value]
    return value


def is_deep(value: object, levels: int) -> bool:
    """Whether a value is nested deeper than so many levels; without recursion.

    >>> is_deep({"a": [1]}, 2), is_deep({"a": [1]}, 1)
    (False, True)
    """
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(levels):
        level = [
            item
            for box in level
            for item in (box.values() if isinstance(box, dict) else box)
            if isinstance(item, dict | list)
        ]
        if not level:
            return False
    return True


def _syntax_fault(text: str, error: json.JSONDecodeError) -> JsonFault:
    """The parser's complaint in words that are the same in every version of Python."""
    position = error.pos
    if error.msg.startswith("Unterminated string"):
        message = "a string is not closed on its line; a line break inside is written \\n"
    elif error.msg.startswith("Invalid control character"):
        if text[position] == "\n":
            message = "a raw line break inside a string is written \\n"
        else:
            message = f"a raw control character (U+{ord(text[position]):04X}) inside a string"
    elif error.msg.startswith("Invalid \\"):
        message = "an escape in a string that JSON does not know"
    elif error.msg.startswith("Extra data"):
        message = "more text after the end of the value"
    else:
        message, position = _unexpected(text, position)
    return JsonFault(message, text, position)


def _unexpected(text: str, position: int) -> tuple[str, int]:
    start = _skip_blanks(text, position)
    before = text[:start].rstrip(" \t\n\r")
    if before.endswith(",") and text[start : start + 1] in ("}", "]"):
        return "a comma before the closing bracket", len(before) - 1
    if text[start : start + 1] == ",":
        after = _skip_blanks(text, start + 1)
        if text[after : after + 1] in ("}", "]"):
            return "a comma before the closing bracket", start
    if start >= len(text):
        return "the text ends too early", len(text)
    return f'unexpected "{text[start]}"', start


def _skip_blanks(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found else position


def _raise_first_fault(text: str) -> NoReturn:
    """Find where a text that the parser refused breaks a rule of ours."""
    keys: list[set[str] | None] = []
    for found in _TOKEN.finditer(text):
        mark, start = found.group(), found.start()
        if mark in "[{":
            keys.append(set() if mark == "{" else None)
            if len(keys) > MAX_DEPTH:
                raise JsonFault(f"nested deeper than {MAX_DEPTH} levels", text, start)
        elif mark in "]}":
            del keys[-1:]
        elif mark[0] == '"':
            is_key = text.startswith(":", _skip_blanks(text, found.end()))
            _check_string(mark, keys[-1] if keys and is_key else None, text, start)
        else:
            _check_number(mark, text, start)
    raise JsonFault("a value that cannot be taken", text, 0)


def _check_string(token: str, keys: set[str] | None, text: str, start: int) -> None:
    value = _SKIPPER.decode(token)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(value[error.start])
        raise JsonFault(f"\\u{code:04x} is half of a surrogate pair", text, start) from None
    if keys is None:
        return
    if value in keys:
        shown = token if len(token) <= 40 else token[:40] + '…"'
        raise JsonFault(f"the key {shown} stands twice in one object", text, start)
    keys.add(value)


def _check_number(token: str, text: str, start: int) -> None:
    if token in ("NaN", "Infinity", "-Infinity"):
        raise JsonFault(f"{token} is not a JSON number", text, start)
    if token.lstrip("-").isdigit():
        if len(token.lstrip("-")) > MAX_DIGITS:
            raise JsonFault(f"an integer of {len(token.lstrip('-'))} digits", text, start)
    elif math.isinf(float(token)):
        raise JsonFault(f"{token[:40]} is too large for a number", text, start)


def locate(text: str, wanted: Collection[Keys]) -> dict[Keys, int]:
    r"""The line of each place in a JSON text that parses, found in one walk.

    Args:
        text: The whole JSON text.
        wanted: Places such as `("queries", 3, "text")`; where a place does not exist, the nearest
            one that encloses it counts.

    >>> locate('{"a": 1,\n "b": [2,\n 3]}', [("b", 1), ("c",)])
    {('b', 1): 3, ('c',): 1}
    """
    tree: dict[Any, Any] = {}
    for keys in wanted:
        node = tree
        for key in keys:
            node = node.setdefault(key, {})
    offsets = dict(_walk(text, _skip_blanks(text, 0), (), tree))
    breaks = [found.start() for found in re.finditer("\n", text)]
    return {keys: bisect_left(breaks, _nearest(offsets, keys)) + 1 for keys in wanted}


def _nearest(offsets: dict[Keys, int], keys: Keys) -> int:
    while keys not in offsets:
        keys = keys[:-1]
    return offsets[keys]


def _walk(
    text: str, start: int, place: Keys, tree: dict[Any, Any]
) -> Generator[tuple[Keys, int], None, int]:
    """Where the value at `start` begins and the wanted ones inside it; returns where it ends."""
    yield place, start
    if not tree or text[start] not in "[{":
        return _SKIPPER.raw_decode(text, start)[1]
    is_object = text[start] == "{"
    position, count = _skip_blanks(text, start + 1), 0
    while text[position] not in "]}":
        key: str | int = count
        if is_object:
            key, position = _SKIPPER.raw_decode(text, position)
            position = _skip_blanks(text, _skip_blanks(text, position) + 1)
        if key in tree:
            position = yield from _walk(text, position, (*place, key), tree[key])
        else:
            position = _SKIPPER.raw_decode(text, position)[1]
        position = _skip_blanks(text, position)
        if text[position] == ",":
            position = _skip_blanks(text, position + 1)
        count += 1
    return position + 1
