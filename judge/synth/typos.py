"""How people mistype: five edits of one letter, in the script of the word, never inside a letter.

Letters are what a reader takes for one: a base with its marks, joiners and stacked consonants. A
word keeps its first and its last letter, as mistyped words mostly do, and gets one edit.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judge.synth.chance import Chance

Edit = Literal["insert", "delete", "substitute", "swap", "adjacent"]
"""The five edits; `adjacent` puts the letter of a neighbouring key in place of the right one."""

EDITS: tuple[Edit, ...] = ("insert", "delete", "substitute", "swap", "adjacent")

LEAST = 4
"""Letters of a word that may be mistyped."""

# What follows one of these belongs to the same letter: joiners, and the marks that stack consonants
# in the scripts that do (Tamil does not).
_BINDS_NEXT = frozenset("\u200c\u200d\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u1039\u17d2")
# Not marks to Unicode's categories, but part of the letter before: AM of Thai and Lao, the sound
# marks of half-width kana, joiners.
_BINDS_BEFORE = frozenset("\u0e33\u0eb3\uff9e\uff9f\u200c\u200d\u00ad")
_JAMO = ("\u1100", "\u11ff")

# First and last letter of a script's block, and letters that people write in it. The lists are
# fixed, so that what is made does not change with the Unicode version of a Python.
_SCRIPTS: tuple[tuple[str, str, str], ...] = (
    ("A", "\u024f", "abcdefghijklmnopqrstuvwxyz"),
    ("\u0370", "\u03ff", "αβγδεζηθικλμνξοπρστυφχψω"),
    ("\u0400", "\u052f", "абвгдежзийклмнопрстуфхцчшщыьэюя"),
    ("\u0590", "\u05ff", "אבגדהוזחטיכלמנסעפצקרשת"),
    ("\u0600", "\u06ff", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
    ("\u0900", "\u097f", "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह"),
    ("\u0980", "\u09ff", "কখগঘচছজঝটঠডঢণতথদধনপফবভমযরলশষসহ"),
    ("\u0b80", "\u0bff", "கஙசஞடணதநபமயரலவழளறன"),
    ("\u0e00", "\u0e7f", "กขคงจชซณดตถทธนบปผพฟภมยรลวศสหอ"),
    ("\u1e00", "\u1eff", "abcdefghijklmnopqrstuvwxyz"),
    ("\u3041", "\u309f", "あいうえおかきくけこさしすせそたちつてとなにのはまみもやよらりるれわん"),
    (
        "\u30a0",
        "\u30ff",
        "アイウエオカキクケコサシスセソタチツテトナニノハマミムメモラリルレロワン",
    ),
    ("\u4e00", "\u9fff", "的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年"),
    ("\uac00", "\ud7a3", "가고그기나는다도라로리마만사서수스시아어에오우이인일자전정지하한해"),
)
# Written without spaces: four letters stand for a word there.
_UNSPACED = (
    ("\u0e00", "\u0eff"),
    ("\u1000", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u9fff"),
)

# Rows of keyboards from the top, each half a key further right than the one above; a blank stands
# for a key without a letter.
_LAYOUTS: tuple[tuple[str, str, str], ...] = (
    ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
    (" ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ"),
    ("  קראטוןםפ", "שדגכעיחלךף", "זסבהנמצתץ"),
    ("ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤر ىةوزظ"),
)


class Typo(NamedTuple):
    """A word with one edit, and which."""

    word: str
    kind: Edit


class Mistyped(NamedTuple):
    """A text with typos, and the edits that it got, in order."""

    text: str
    edits: tuple[Edit, ...]


def letters(text: str) -> list[str]:
    """Divide a text into what a reader takes for single characters.

    >>> letters("cafe\u0301") == ["c", "a", "f", "e\u0301"], letters("क्षमा")
    (True, ['क्ष', 'मा'])
    """
    parts: list[str] = []
    for char in text:
        bound = unicodedata.category(char)[0] == "M" or char in _BINDS_BEFORE
        if parts and (bound or parts[-1][-1] in _BINDS_NEXT):
            parts[-1] += char
        else:
            parts.append(char)
    return parts


def can_be_mistyped(word: str) -> bool:
    """Whether a word consists of letters only, and of enough of them.

    >>> can_be_mistyped("rust"), can_be_mistyped("oil"), can_be_mistyped("1984")
    (True, False, False)
    """
    parts = letters(word)
    return len(parts) >= LEAST and all(map(_is_letter, parts))


def typo(word: str, chance: Chance) -> Typo:
    """Give a word one edit: each that the word allows is as likely.

    insert       a letter of the script between two letters
    delete       a letter goes
    substitute   a letter becomes another one of the script
    swap         two neighbours that differ change places
    adjacent     a letter becomes one whose key touches its key (Latin QWERTY, and the usual
                 keyboards of Cyrillic, Greek, Hebrew and Arabic)

    Args:
        word: One that `can_be_mistyped`.
        chance: Where the choices come from.

    Returns:
        Another word with the same first and last letter.

    Raises:
        ValueError: The word cannot be mistyped.

    Source: the kinds of edit that studies of mistyped queries inject (Zhuang and Zuccon,
    CharacterBERT and Self-Teaching, SIGIR 2022).

    >>> from judge.synth.chance import Chance
    >>> typo("friction", Chance(1))
    Typo(word='firction', kind='swap')
    """
    if not can_be_mistyped(word):
        raise ValueError(f"{word!r} has fewer than {LEAST} letters, or others than letters")
    parts = letters(word)
    places = {kind: found for kind in EDITS if (found := _places(parts, kind))}
    kind = chance.pick(list(places))
    _edit(parts, kind, chance.pick(places[kind]), chance)
    return Typo("".join(parts), kind)


def mistyped(text: str, share: float, chance: Chance) -> Mistyped:
    """Give each word of a text that can be mistyped one edit with the probability `share`.

    Words are runs of letters; where a script has no spaces, four letters stand for a word.

    Args:
        text: Any text.
        share: From 0 to 1.
        chance: Where the choices come from.

    Returns:
        The text and the edits; all that is no letter stands as before.

    >>> from judge.synth.chance import Chance
    >>> mistyped("oil on the chain", 1.0, Chance(3))
    Mistyped(text='oil on the chian', edits=('swap',))
    """
    pieces: list[str] = []
    edits: list[Edit] = []
    for piece in _pieces(text):
        if can_be_mistyped(piece) and chance.happens(share):
            wrong = typo(piece, chance)
            pieces.append(wrong.word)
            edits.append(wrong.kind)
        else:
            pieces.append(piece)
    return Mistyped("".join(pieces), tuple(edits))


def _pieces(text: str) -> Iterator[str]:
    """The text cut into words and what stands between them."""
    for class_, run in groupby(letters(text), key=_class):
        parts = list(run)
        size = LEAST if class_ == "unspaced" else len(parts)
        for start in range(0, len(parts), size):
            yield "".join(parts[start : start + size])


def _class(letter: str) -> str:
    if not _is_letter(letter):
        return "other"
    unspaced = any(first <= letter[0] <= last for first, last in _UNSPACED)
    return "unspaced" if unspaced else "spaced"


def _is_letter(letter: str) -> bool:
    # Hangul in parts: taking one away would let its neighbours join into another syllable.
    return letter[0].isalpha() and not _JAMO[0] <= letter[0] <= _JAMO[1]


def _places(parts: Sequence[str], kind: Edit) -> list[int]:
    """Where an edit can be made."""
    inner = range(1, len(parts) - 1)
    if kind == "insert":
        return [*inner, len(parts) - 1]
    if kind == "swap":
        return [place for place in inner[:-1] if parts[place] != parts[place + 1]]
    if kind == "adjacent":
        return [place for place in inner if _neighbours(parts[place])]
    if kind == "substitute":
        return [place for place in inner if _others(parts, place)]
    return list(inner)


def _edit(parts: list[str], kind: Edit, place: int, chance: Chance) -> None:
    """Make an edit at a place that `_places` gave."""
    if kind == "delete":
        del parts[place]
    elif kind == "swap":
        parts[place : place + 2] = parts[place + 1], parts[place]
    elif kind == "insert":
        parts.insert(place, _cased(chance.pick(_alphabet(parts, place)), parts[place]))
    else:
        choices = _neighbours(parts[place]) if kind == "adjacent" else _others(parts, place)
        parts[place] = _cased(chance.pick(choices), parts[place])


def _alphabet(parts: Sequence[str], place: int) -> Sequence[str]:
    """Letters of the script at a place; of a script that has no list here, those of the word."""
    char = parts[place][0]
    for first, last, alphabet in _SCRIPTS:
        if first <= char <= last:
            return alphabet
    return sorted(set(parts))


def _others(parts: Sequence[str], place: int) -> list[str]:
    same = {parts[place], parts[place].lower()}
    return [letter for letter in _alphabet(parts, place) if letter not in same]


def _cased(letter: str, like: str) -> str:
    return letter.upper() if like[0].isupper() else letter


def _neighbours(letter: str) -> list[str]:
    """The letters on the keys that touch the letter's key."""
    low = letter.lower()
    for rows in _LAYOUTS:
        for number, row in enumerate(rows):
            if low in row and low.strip():
                return _around(rows, number, row.index(low))
    return []


def _around(rows: Sequence[str], number: int, column: int) -> list[str]:
    keys = [(number, column - 1), (number, column + 1)]
    keys += [(number - 1, column), (number - 1, column + 1)]
    keys += [(number + 1, column - 1), (number + 1, column)]
    there = [rows[row][at] for row, at in keys if 0 <= row < len(rows) and 0 <= at < len(rows[row])]
    return [letter for letter in there if letter != " "]
