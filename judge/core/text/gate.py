"""What a terminal may be shown: the gate that all foreign text passes before it is drawn.

Stored text is never changed; this is what is drawn in its place:
- control characters of ASCII become their pictures (ESC is shown as U+241B), DEL U+2421;
- what cannot be shown at all (C1 controls, lone surrogates, noncharacters) becomes U+FFFD;
- controls of writing direction, which can make a line read differently than it is stored, become
  `BIDI_MARK`;
- whatever takes no room or is blank and so could hide text or split a word unseen (zero-width
  space, soft hyphen, invisible operators, tags, fillers, variation selectors but the two that
  choose between text and emoji) becomes `HIDDEN_MARK`. The joiners ZWJ and ZWNJ stay: Indic
  scripts, Persian and emoji are spelled with them;
- line breaks (LF, CRLF, NEL, line and paragraph separator) become LF where lines are wanted, and
  `BREAK_MARK` where not; a CR on its own is no line break and becomes its picture;
- a tab becomes spaces up to the next multiple of `TAB_STOP` code points of its line.
Both marks are one cell wide in every terminal (neutral East Asian width). Markup characters such as
`[` pass: not to interpret them is the business of whoever draws.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate

from judge.core.text.chartable import CharTable

BIDI_MARK = "\u21c4"
HIDDEN_MARK = "\u2219"
BREAK_MARK = "\u240a"
BAD_MARK = "\ufffd"
TAB_STOP = 8

_BREAKS = "\x85\u2028\u2029"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Format characters and others that are drawn as nothing or as a blank. The signs that frame Arabic,
# Syriac and Kaithi numbers count as format characters but are seen, so they are not here.
_HIDDEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"
)
_HIDDEN_BEYOND_BMP = (
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_BAD = "\x80-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"


@cache
def _suspect() -> re.Pattern[str]:
    """Find what may have to be changed even where lines are wanted.

    Beyond the BMP only the plane of emoji is trusted: each further range would slow down the
    search of every text, and what is found here is then looked at character by character.
    """
    beyond = "\U00010000-\U0001efff\U0001fffe-\U0010ffff"
    return re.compile(f"[\x00-\x09\x0b-\x1f\x7f{_BREAKS}{_BIDI}{_HIDDEN}{_BAD}{beyond}]")


def _mark(char: str) -> str:
    """Say what is drawn for one character."""
    if char == "\x7f":
        return "\u2421"
    if char < " ":
        return char if char in "\t\n" else chr(0x2400 + ord(char))
    if ord(char) & 0xFFFE == 0xFFFE:  # the last two of each plane are no characters
        return BAD_MARK
    hidden = _HIDDEN + _HIDDEN_BEYOND_BMP
    for kind, mark in (
        (_BREAKS, "\n"),
        (_BIDI, BIDI_MARK),
        (hidden, HIDDEN_MARK),
        (_BAD, BAD_MARK),
    ):
        if re.match(f"[{kind}]", char):
            return mark
    return char


_MARKS = CharTable(_mark)


def shown(text: str, *, lines: bool = False) -> str:
    r"""Make any text safe to write to any terminal; the docstring of this module gives the rules.

    Args:
        text: Any text, lone surrogates included.
        lines: Keep line breaks, as LF. Otherwise the result is one line: a title, an id, a message.

    Returns:
        Text that encodes as UTF-8 and holds no control character (but LF, with `lines`).

    >>> shown("id\x1b[2J\r\n7")
    'id␛[2J␊7'
    >>> shown("a\tb\r\nc", lines=True)
    'a       b\nc'
    """
    if _suspect().search(text) is not None:
        text = text.replace("\r\n", "\n").translate(_MARKS)
        if not lines:
            text = text.replace("\n", BREAK_MARK)
        return text.expandtabs(TAB_STOP)
    return text if lines else text.replace("\n", BREAK_MARK)


@dataclass(frozen=True)
class Shown:
    """A document as it is drawn, and the way from places in it to the stored text and back.

    Attributes:
        text: What may be written to the terminal, with LF as the only line break.
        original: The stored text.
    """

    text: str
    original: str

    @cached_property
    def _joined(self) -> list[int]:
        """Where each LF of a CRLF is in the original; there the drawn text loses one."""
        return [match.end() - 1 for match in re.finditer("\r\n", self.original)]

    @cached_property
    def _tabs(self) -> tuple[list[int], list[int]]:
        """The end of each tab once CRLF is LF, and how far ahead the drawn text is from there."""
        text = self.original.replace("\r\n", "\n")
        for line_break in _BREAKS:
            text = text.replace(line_break, "\n")
        # A tab ends at a tab stop, so the width of the next depends only on what is between them.
        *before, _ = text.split("\t")
        ends = accumulate(len(part) + 1 for part in before)
        widths = (TAB_STOP - (len(part) - part.rfind("\n") - 1) % TAB_STOP for part in before)
        return list(ends), list(accumulate(width - 1 for width in widths))

    def position(self, offset: int) -> int:
        r"""Give the place in the drawn text of a place in the original.

        Args:
            offset: A code-point offset in the original, 0 to its length; others are drawn to the
                nearer end. Both halves of CRLF are at its LF.

        Returns:
            A code-point offset in `text`; never decreases as `offset` grows.

        >>> show("a\tb").position(2)
        8
        """
        offset = max(0, min(offset, len(self.original)))
        offset -= bisect_right(self._joined, offset)
        ends, shifts = self._tabs
        tabs = bisect_right(ends, offset)
        return offset + shifts[tabs - 1] if tabs else offset

    def origin(self, position: int) -> int:
        r"""Give the place in the original of a place in the drawn text, for marks made on screen.

        Args:
            position: A code-point offset in `text`; inside a drawn tab it means that tab.

        Returns:
            The greatest offset of the original that is drawn at or before `position`.

        >>> show("a\tb").origin(5), show("a\tb").origin(8)
        (1, 2)
        """
        places = range(len(self.original) + 1)
        return max(0, bisect_right(places, position, key=self.position) - 1)


def show(text: str) -> Shown:
    r"""Prepare a document for drawing: `shown` with lines, and a map of places.

    Args:
        text: Any text. One that needs no change is passed on as it is.

    Returns:
        The drawn text and the map; the map is built when first asked for.

    >>> show("x\r\ny").text
    'x\ny'
    """
    return Shown(shown(text, lines=True), text)
