"""How many cells a text takes, and where it may be cut without tearing a character.

Terminals disagree: a spacing vowel sign of an Indic script takes no cell in some and one in others,
a family of joined emoji two or six. The policy here never counts too few, so that no line is drawn
wider than its pane: the table of rich, but one cell for a spacing mark (category Mc), two for a
skin tone, one for an emoji style, and every part of joined emoji. Where a terminal draws less, a
blank is left at the end of the line. Cells are counted per code point, so the cells of a slice are
the difference of two sums.

A character as a reader sees it is a base with its marks, consonants joined by a virama, two flag
letters, emoji joined by ZWJ: cuts lie only between such clusters.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from itertools import accumulate

from rich.cells import get_character_cell_size

from judge.core.text.chartable import CharTable

ELLIPSIS = "…"

# Every character is one of these kinds; the kinds of a text are a string as long as the text.
_KINDS = {
    "a": 1,  # anything else
    "w": 2,  # wide: Chinese, Japanese, Korean; a line may break beside it
    "t": 1,  # a letter of a script without blanks between words; a line may break beside it
    "l": 1,  # a letter of other scripts without case; a virama may join it
    "c": 2,  # a picture
    "d": 1,  # a narrow picture
    "f": 1,  # a flag letter: two make a flag
    "p": 1,  # a sign written before and around numbers
    " ": 1,  # a blank
    "S": 2,  # a wide blank
    "m": 0,  # a mark: belongs to what is before it, as all below
    "M": 1,  # a spacing mark
    "s": 2,  # a skin tone
    "x": 1,  # the emoji style
    "v": 0,  # a virama
    "V": 1,  # a spacing virama
    "j": 0,  # the joiner ZWJ
}
_MARKS = frozenset("mMsxvVj")
_BREAKING = frozenset("wtc")
_BLANKS = frozenset(" S")
_WIDTHS = bytes(_KINDS.get(chr(code), 0) for code in range(256))
_BY_NAME = {" ": " ", "\u3000": "S", "\u200d": "j", "\ufe0f": "x"}
_PREFIXES = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
_SPACING_LETTERS = frozenset("\u0e33\u0eb3\uff9e\uff9f")
"""Letters that belong to the letter before them: Thai and Lao AM, half-width voice marks."""
_SILENT = frozenset("\u103a\u0e3a")
"""Signs that Unicode classes as viramas, but that end a syllable instead of joining two letters."""

_NO_START = frozenset(
    "、。，．！？：；）］｝」』】〉》〕〗・ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々〜"
    "…,.!?:;)]}%”’ะาๅๆฯະາຽໆ"
)
_NO_END = frozenset("（［｛「『【〈《〔〖([{“‘เแโใไເແໂໃໄ")


def _base_kind(char: str, category: str, width: int) -> str:
    code = ord(char)
    if category == "So":
        return "c" if width == 2 else "d"
    if width == 2:
        return "w"
    if 0x0E00 <= code <= 0x0EFF or 0x1000 <= code <= 0x109F or 0x1780 <= code <= 0x17FF:
        return "t"
    return "l" if category == "Lo" else "a"


def _kind(char: str) -> str:
    if char in _BY_NAME:
        return _BY_NAME[char]
    code, category = ord(char), unicodedata.category(char)
    if 0x1F3FB <= code <= 0x1F3FF:
        return "s"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return "f"
    if char in _PREFIXES:
        return "p"
    spacing = category == "Mc" or char in _SPACING_LETTERS
    if unicodedata.combining(char) == 9 and char not in _SILENT:
        return "V" if spacing else "v"
    if spacing:
        return "M"
    width = get_character_cell_size(char)
    return "m" if width == 0 else _base_kind(char, category, width)


_TABLE = CharTable(_kind)


class Ruler:
    """The cells of a text, and the places where it may be cut.

    Args:
        text: Safe text of one paragraph, without line feeds.

    Attributes:
        before: The cells before each code point, and at its end those of the whole text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._kinds = text.translate(_TABLE)
        widths = self._kinds.encode("ascii").translate(_WIDTHS)
        self.before = list(accumulate(widths, initial=0))

    def cells(self, start: int, end: int) -> int:
        """Count the cells of `text[start:end]`."""
        return self.before[end] - self.before[start]

    def reach(self, start: int, width: int) -> int:
        """Give the furthest end so that `text[start:end]` takes at most `width` cells."""
        return bisect_right(self.before, self.before[start] + width, start) - 1

    def is_blank(self, index: int) -> bool:
        """Whether the code point is a blank at which a line may break."""
        return self._kinds[index] in _BLANKS

    def is_boundary(self, index: int) -> bool:
        """Whether a cut before this code point tears no character.

        >>> [i for i in range(7) if Ruler("नमस्ते").is_boundary(i)]
        [0, 1, 2, 6]
        """
        kinds = self._kinds
        if not 0 < index < len(kinds):
            return True
        kind, last = kinds[index], kinds[index - 1]
        if kind in _MARKS or last == "p":
            return False
        if kind in "lt":
            return kinds[:index].rstrip("mMj")[-1:] not in ("v", "V") if last in "vVmMj" else True
        if kind == "f":
            return (index - len(kinds[:index].rstrip("f"))) % 2 == 0
        return not (last == "j" and kind in "cd")

    def may_break(self, index: int) -> bool:
        """Whether a line may end before this code point."""
        last, kind = self._kinds[index - 1], self._kinds[index]
        if last in _BLANKS:
            return kind not in _BLANKS and kind not in _MARKS
        if not (kind in _BREAKING or self._base_before(index) in _BREAKING):
            return False
        return (
            self._text[index] not in _NO_START
            and self._text[index - 1] not in _NO_END
            and self.is_boundary(index)
        )

    def _base_before(self, index: int) -> str:
        last = self._kinds[index - 1]
        return self._kinds[:index].rstrip("mMsxvVj")[-1:] if last in _MARKS else last

    def cut_at_or_before(self, index: int, floor: int) -> int:
        """Give the last place in (floor, index] for a cut that tears nothing; else `index`."""
        for place in range(index, floor, -1):
            if self.is_boundary(place):
                return place
        return index

    def snap(self, start: int, end: int) -> tuple[int, int]:
        """Widen a place so that it tears no character."""
        while not self.is_boundary(start):
            start -= 1
        while not self.is_boundary(end):
            end += 1
        return start, end


def cells(text: str) -> int:
    """Count the cells of one line of safe text by the policy of this module.

    >>> cells("abc"), cells("東京"), cells("का")
    (3, 4, 2)
    """
    if text.isascii():
        return len(text)
    return sum(text.translate(_TABLE).encode("ascii").translate(_WIDTHS))


def fit(text: str, width: int) -> str:
    """Cut one line of safe text so that it takes at most `width` cells, with `…` where it was cut.

    >>> fit("relevance", 5), fit("東京都", 5), fit("ok", 5), fit("ok", 0)
    ('rele…', '東京…', 'ok', '')
    """
    if width <= 0:
        return ""
    if text.isascii():
        return text if len(text) <= width else text[: width - 1] + ELLIPSIS
    ruler = Ruler(text)
    if ruler.before[-1] <= width:
        return text
    end = ruler.cut_at_or_before(ruler.reach(0, width - 1), 0)
    return text[:end] + ELLIPSIS
