"""How a rule about one character is applied to a whole text at the speed of `str.translate`."""

from collections.abc import Callable


class CharTable(dict[int, str]):
    """A table for `str.translate` that asks its rule once per distinct character.

    Unicode has more than a million code points and a text uses a few hundred, so the table starts
    empty and fills as it is used; importing it costs nothing and it follows the Unicode version
    of the running Python. It never holds more than one entry per code point.

    >>> "banana".translate(CharTable(lambda char: "o" if char == "a" else char))
    'bonono'
    """

    def __init__(self, rule: Callable[[str], str]) -> None:
        """Start empty; `rule` gives what stands in the place of a character."""
        super().__init__()
        self._rule = rule

    def __missing__(self, code: int) -> str:
        """Ask the rule, and remember."""
        value = self[code] = self._rule(chr(code))
        return value
