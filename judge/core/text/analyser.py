"""How text becomes words: what a word is, what is folded away, and where each word stood.

Words. Letters, digits and the marks on them form a word; everything else separates. Scripts that
are written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) give overlapping pairs of
characters instead, a character being a base with its marks; kana and Han are separate runs, since
in Japanese the change between them is usually the edge of a word. There is no stemming.
- Apostrophes split: `user's` finds `user` and `l'ecole` finds `ecole` without knowing the language.
  The price: `dont` does not find `don't`, which is `don` + `t` in documents and queries alike.
- `_`, `-`, `.` split: `user_id` is `user` + `id`, so it finds and is found by `user id`.
- `+` and `#` directly after a letter stay where no word character follows (`c++`, `c#`, `g++`), and
  two plus signs stay in any case (`c++17` is `c++` + `17`). So `C`, `C++` and `C#` are three words.
- Soft hyphens, joiners (ZWJ, ZWNJ) and other format characters vanish inside a word; the zero-width
  space separates.
- A term has at most `MAX_TOKEN` code points; the rest of a longer word is cut off. Of more than
  `MAX_MARKS` marks in a row the rest is ignored: nothing is written like that, and normalising such
  runs takes time that grows with the square of their length.

Folding, in this order: NFKC, case folding (ss for the German sharp s), then
- Latin and Greek letters lose their marks, and letters that Unicode does not decompose become what
  people without that keyboard type (d for d-stroke, ae for the ligature, i for the dotless i);
- Arabic loses harakat, Quranic signs and tatweel; the forms of alef become bare alef, alef maksura
  and Farsi yeh become yeh, teh marbuta becomes heh, Farsi keheh becomes kaf;
- decimal digits of every script become ASCII digits.
All other scripts keep all their marks: in Devanagari, Tamil, Thai, kana or Cyrillic they are part
of the letter.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.core.text.chartable import CharTable

MAX_TOKEN = 64
"""The most code points that a term can have; what a longer word has beyond them is cut off."""

MAX_MARKS = 32
"""The most combining marks (and format characters) in a row that are looked at."""


class Token(NamedTuple):
    """A term, and the place `text[start:end]` of the original text that it was made of."""

    term: str
    start: int
    end: int


# --- folding -------------------------------------------------------------------------------------

_ZERO_WIDTH_SPACE = "\u200b"

# Letters with no decomposition, and Arabic forms that stand for one letter in a search.
_LETTERS = {
    **dict(zip("đðøłħŧıɓɗƙƴ", "ddolhtibdky", strict=True)),
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    **dict.fromkeys("\u0622\u0623\u0625\u0671", "\u0627"),  # alef with madda, hamza, wasla
    "\u0649": "\u064a",  # alef maksura: yeh
    "\u06cc": "\u064a",  # Farsi yeh: yeh
    "\u0629": "\u0647",  # teh marbuta: heh
    "\u06a9": "\u0643",  # keheh: kaf
}

# Characters that leave no trace and that Unicode does not call format characters: tatweel,
# grapheme joiner, fillers of Hangul and Khmer, variation selectors.
_TRACELESS = re.compile(
    "[\u0640\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_ARABIC_MARK = re.compile("[\u0600-\u06ff\u0870-\u08ff]")
_LATIN_OR_GREEK = re.compile(
    "[a-z\u00df-\u02af\u0370-\u03ff\u1d00-\u1dbf\u1e00-\u1fff\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]"
)
# A mark first: the search then runs on a character set and looks at the base only where it must.
_MARK_SET = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_LOOSE_MARKS = re.compile(
    f"{_MARK_SET}(?<=(?:[0-9]|{_LATIN_OR_GREEK.pattern}){_MARK_SET}){_MARK_SET}*"
)

# Before NFKC, which would make letters of the two trade marks (Acme TM would become `acmetm`), and
# of the half-width sound marks of kana what they are: marks, so that they are counted as such.
_BEFORE_NFKC = (("\u2122", " "), ("\u2120", " "), ("\uff9e", "\u3099"), ("\uff9f", "\u309a"))
# A cheap look for what may be too many marks (so may a row of dashes), and the exact one in kinds.
_MANY_MARKS = re.compile(rf"[^\w\s!-~]{{{MAX_MARKS + 1}}}")
_RUN_OF_MARKS = re.compile(rf"(?<!x)x{{{MAX_MARKS + 1},}}")


def _is_format(char: str) -> bool:
    """Whether a character only steers how its neighbours are shown."""
    if char == _ZERO_WIDTH_SPACE:
        return False
    return unicodedata.category(char) == "Cf" or _TRACELESS.match(char) is not None


def _folded_char(char: str) -> str:
    """Fold one character that is already in NFKC and case-folded."""
    category = unicodedata.category(char)
    if _is_format(char) or (category == "Mn" and _ARABIC_MARK.match(char)):
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(char))
    base = unicodedata.normalize("NFD", char)[0]
    letter = base if _LATIN_OR_GREEK.match(base) else char
    return _LETTERS.get(letter, letter)


_FOLDED = CharTable(_folded_char)


def fold(text: str) -> str:
    r"""Fold a whole text for comparison: NFKC, case, and the marks that searchers leave out.

    The docstring of this module lists what is folded and what is kept. Spaces and punctuation
    stay; trade mark signs become spaces.

    Args:
        text: Any text; of more than `MAX_MARKS` marks in a row the rest is ignored.

    Returns:
        The folded text, whose length may differ.

    >>> fold("Straße, CAFE\u0301!")
    'strasse, cafe!'
    """
    if text.isascii():
        return text.lower()
    for old, new in _BEFORE_NFKC:
        text = text.replace(old, new)
    folded = unicodedata.normalize("NFKC", _bounded(text)).casefold().translate(_FOLDED)
    # NFC again: a joiner that is gone now may have stood between a base and its mark.
    return unicodedata.normalize("NFC", _LOOSE_MARKS.sub("", folded))


_fold_short = lru_cache(maxsize=1 << 15)(fold)


def _fold_piece(piece: str) -> str:
    """Fold a word or a cluster; most come again, and long ones are not worth keeping."""
    return _fold_short(piece) if len(piece) <= MAX_MARKS else fold(piece)


def _bounded(text: str) -> str:
    """Leave out all but the first MAX_MARKS of each run of marks."""
    if _MANY_MARKS.search(text) is None:
        return text
    kept: list[str] = []
    done = 0
    for run in _RUN_OF_MARKS.finditer(text.translate(_KINDS)):
        kept.append(text[done : run.start() + MAX_MARKS])
        done = run.end()
    return "".join(kept) + text[done:]


# --- from the folded text back to the original ---------------------------------------------------


def _kind(char: str) -> str:
    """Say how one original character takes part in folding.

    Returns:
        `x` for a mark or format character, `j` for any other that can merge with what precedes it
        (Hangul vowels and finals, AM of Thai and Lao, tatweel), `l` for one whose folded form has
        another length, `s` for the simple rest.
    """
    first = unicodedata.normalize("NFKD", char)[0]
    if unicodedata.category(char)[0] == "M" or char in "\uff9e\uff9f":
        return "x"
    if _is_format(char):
        return "j" if char.isalnum() else "x"
    if unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff":
        return "j"
    if "\ud7b0" <= first <= "\ud7fb" or _is_format(first):
        return "j"
    return "s" if len(fold(char)) == 1 else "l"


_KINDS = CharTable(_kind)
# Normalisation never reaches across the start of one of these clusters, so folding them one by one
# gives the folded text; all other characters are folded one to one.
_CLUSTER = re.compile("[sl]?+[xj]++|l")


def _origins(text: str) -> tuple[Sequence[int], Sequence[int]]:
    """Give for each character of `fold(text)` where its cluster starts and ends in `text`."""
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in _CLUSTER.finditer(text.translate(_KINDS)):
        start, end = match.span()
        piece = text[start:end]
        folded = _fold_piece(piece)
        if folded == piece:  # most clusters of Indic scripts
            continue
        starts.extend(range(done, start))
        ends.extend(range(done + 1, start + 1))
        starts.extend([start] * len(folded))
        ends.extend([end] * len(folded))
        done = end
    if done == 0:
        return range(len(text)), range(1, len(text) + 1)
    starts.extend(range(done, len(text)))
    ends.extend(range(done + 1, len(text) + 1))
    return starts, ends


# --- words ---------------------------------------------------------------------------------------

# Ranges of scripts without spaces; each letter names a script, and runs do not mix scripts.
_UNSPACED = (
    ("\u3005", "\u3007", "H"),
    ("\u3021", "\u3029", "H"),
    ("\u3038", "\u303b", "H"),
    ("\u3400", "\u4dbf", "H"),
    ("\u4e00", "\u9fff", "H"),
    ("\uf900", "\ufaff", "H"),
    ("\U00020000", "\U0002fffd", "H"),
    ("\U00030000", "\U0003fffd", "H"),
    ("\u3040", "\u30ff", "K"),
    ("\u31f0", "\u31ff", "K"),
    ("\U0001aff0", "\U0001b16f", "K"),
    ("\u0e00", "\u0e7f", "T"),
    ("\u0e80", "\u0eff", "O"),
    ("\u1780", "\u17ff", "C"),
    ("\u1000", "\u109f", "B"),
    ("\ua9e0", "\ua9ff", "B"),
    ("\uaa60", "\uaa7f", "B"),
)
# Letters to Unicode, but typed as apostrophes: the modifier apostrophe and the turned comma.
_APOSTROPHES = "\u02bb\u02bc"


def _class(char: str) -> str:
    """Say what one folded character is in a word.

    Returns:
        `L` letter, `N` number, `M` mark, a letter of `_UNSPACED`, `+`, `#`, or a space for
        anything that separates.
    """
    if char in "+#":
        return char
    category = unicodedata.category(char)
    if category[0] == "M":
        return "M"
    # An unassigned code point in the planes of Han is a Han character newer than this Python.
    if category[0] not in "LN" and not (category == "Cn" and char >= "\U00020000"):
        return " "
    for first, last, script in _UNSPACED:
        if first <= char <= last:
            return script
    if char in _APOSTROPHES or category == "Cn":
        return " "
    return "N" if category[0] == "N" else "L"


_CLASSES = CharTable(_class)
_SUFFIX = r"(?:[+#]++(?![{word}])|\+\+)"
_ASCII_WORD = re.compile(rf"[a-z0-9]++(?:(?<=[a-z]){_SUFFIX.format(word='a-z0-9')})?")
_WORD_OR_RUN = re.compile(
    rf"([LN][LNM]*+(?:(?<=[LM]){_SUFFIX.format(word='LNHKTOCB')})?)"
    r"|H[HM]*+|K[KM]*+|T[TM]*+|O[OM]*+|C[CM]*+|B[BM]*+"
)
# What typesetting brings into otherwise plain text: quotation marks, dashes, odd spaces. All of
# it separates; nothing here vanishes in a word or folds to letters.
_TYPOGRAPHY = re.compile(
    "[\u00a0-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf"
    "\u2000-\u200b\u2010-\u2029\u202f-\u205f\u20ac\u2122]"
)


def _spans(folded: str) -> Iterator[tuple[int, int]]:
    """Find the words and pairs of a folded text."""
    classes = folded.translate(_CLASSES)
    for match in _WORD_OR_RUN.finditer(classes):
        start, end = match.span()
        if match.lastindex or end - start < 3:
            yield start, end
            continue
        bases = [at for at in range(start, end) if classes[at] != "M"]
        bases.append(end)
        yield from zip(bases, bases[2:] or [end], strict=False)


def words(text: str) -> list[str]:
    r"""Give the terms of a text in order: the one analyser that all engines are fed by.

    The docstring of this module says what a word is and what is folded. Time is linear in the
    length of the text, whatever is in it.

    Args:
        text: Any text, lone surrogates included (they separate).

    Returns:
        Terms in the order of the text, with repetitions; each 1 to `MAX_TOKEN` code points.

    >>> words("Die Straße: C++, l'été, 東京都")
    ['die', 'strasse', 'c++', 'l', 'ete', '東京', '京都']
    >>> words("")
    []
    """
    folded = text.lower() if text.isascii() else _fold_words(text)
    if folded.isascii():
        terms: list[str] = _ASCII_WORD.findall(folded)
        if len(max(terms, key=len, default="")) <= MAX_TOKEN:
            return terms
        return [term[:MAX_TOKEN] for term in terms]
    return [folded[start : min(end, start + MAX_TOKEN)] for start, end in _spans(folded)]


def _fold_words(text: str) -> str:
    """Fold word by word, which is `fold` but for white space and punctuation: words come again."""
    text = _TYPOGRAPHY.sub(" ", text)
    if text.isascii():
        return text.lower()
    pieces = [piece if piece.isascii() else _fold_piece(piece) for piece in text.split()]
    return " ".join(pieces).casefold()


def tokens(text: str) -> list[Token]:
    """Give the terms of a text with the places they stood at, for highlighting.

    `[token.term for token in tokens(text)] == words(text)`, and `0 <= start < end <= len(text)`
    with starts that never decrease. Characters that fold as one (a base with its marks, a
    ligature) are never divided: terms that share one share its place. A cut term keeps the place
    of the whole word.

    Args:
        text: Any text.

    Returns:
        Tokens in the order of the text; offsets count code points of `text`.

    >>> tokens("Der Fuß")
    [Token(term='der', start=0, end=3), Token(term='fuss', start=4, end=7)]
    """
    folded = fold(text)
    if text.isascii():
        return [
            Token(match[0][:MAX_TOKEN], match.start(), match.end())
            for match in _ASCII_WORD.finditer(folded)
        ]
    starts, ends = _origins(text)
    return [
        Token(folded[start : min(end, start + MAX_TOKEN)], starts[start], ends[end - 1])
        for start, end in _spans(folded)
    ]
