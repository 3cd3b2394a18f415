"""The gate: nothing that a terminal would obey gets through, and places can be found again."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.text import Shown, show, shown

BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Format characters that are seen (frames of numbers) or that words are spelled with (joiners).
SEEN = set(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u200c\u200d\U000110bd\U000110cd"
)
HOSTILE = (
    "ab東é\t\r\n\x00\x1b\x7f\x85\x9b\u2028\u2029\u200b\u202e\u00ad\ud800\uffff\U000e0041\U0001f600"
)
TEXT = st.text(st.characters(exclude_categories=()), max_size=40) | st.text(
    st.sampled_from(HOSTILE), max_size=40
)
QUICK = settings(max_examples=150, deadline=None)


def is_safe(text: str, *, lines: bool) -> bool:
    """Check what the gate promises, by categories rather than by its own lists."""
    text.encode("utf-8")
    allowed = "\n" if lines else ""
    return not any(
        char in BIDI
        or (char not in allowed and unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp"))
        or (char not in SEEN and unicodedata.category(char) == "Cf")
        for char in text
    )


@pytest.mark.parametrize(
    ("text", "one_line", "several"),
    [
        ("plain", "plain", "plain"),
        ("", "", ""),
        ("\x1b[2J\x1b]0;PWNED\x07", "␛[2J␛]0;PWNED␇", "␛[2J␛]0;PWNED␇"),
        ("a\x00\x08\x0b\x0c\x1f\x7f", "a␀␈␋␌␟␡", "a␀␈␋␌␟␡"),
        ("a\x9b31m\x80", "a�31m�", "a�31m�"),
        ("a\nb\r\nc\rd", "a␊b␊c␍d", "a\nb\nc␍d"),
        ("\r\r\n\n", "␍␊␊", "␍\n\n"),
        ("a\x85b\u2028c\u2029d", "a␊b␊c␊d", "a\nb\nc\nd"),
        ("a\tb\n\tc", "a       b␊      c", "a       b\n        c"),
        ("1234567\t8\t\t9", "1234567 8               9", "1234567 8               9"),
        ("\x1b\tx\u2028\tx", "␛       x␊      x", "␛       x\n        x"),
        ("nimda\u202e\u200f", "nimda⇄⇄", "nimda⇄⇄"),
        ("pass\u200bword\ufeff\u2060", "pass∙word∙∙", "pass∙word∙∙"),
        (
            "soft\u00adhyphen \u180e\u2063\ufff9\U000e0041\ufe00\U000e0100\u3164",
            "soft∙hyphen ∙∙∙∙∙∙∙",
            "soft∙hyphen ∙∙∙∙∙∙∙",
        ),
        ("\ud835 \uffff \ufdd0 \U0010fffe", "� � � �", "� � � �"),
        (
            "می\u200cروم क्\u200dष 👩\u200d👧 ❤\ufe0f ✌\ufe0e",
            "می\u200cروم क्\u200dष 👩\u200d👧 ❤\ufe0f ✌\ufe0e",
            "می\u200cروم क्\u200dष 👩\u200d👧 ❤\ufe0f ✌\ufe0e",
        ),
        (
            "[red]x[/] \\[ \u00a0\u3000𠮷",
            "[red]x[/] \\[ \u00a0\u3000𠮷",
            "[red]x[/] \\[ \u00a0\u3000𠮷",
        ),
    ],
)
def test_what_is_shown(text: str, one_line: str, several: str) -> None:
    assert shown(text) == one_line
    assert shown(text, lines=True) == several
    assert show(text).text == several


def test_every_character_is_shown_safely() -> None:
    # The planes that have characters of their own kinds; the others are Han and unassigned.
    every = "".join(map(chr, [*range(0x20000), *range(0xE0000, 0xE1000), 0x10FFFF]))
    assert is_safe(shown(every), lines=False)
    assert is_safe(shown(every, lines=True), lines=True)
    for char in every[:0x400] + every[0x2000:0x2100] + every[0xFE00:0xFE20] + every[0xFFE0:0x10010]:
        assert is_safe(shown(char), lines=False)


def test_the_two_marks_are_one_cell_wide_everywhere() -> None:
    assert all(unicodedata.east_asian_width(char) == "N" for char in shown("\u202e\u200b\n\x1b"))


@given(TEXT)
@QUICK
def test_nothing_unsafe_gets_through(text: str) -> None:
    assert is_safe(shown(text), lines=False)
    assert is_safe(shown(text, lines=True), lines=True)


@given(TEXT)
@QUICK
def test_what_was_shown_is_not_changed_again(text: str) -> None:
    once = shown(text, lines=True)
    assert shown(once, lines=True) == once
    assert shown(shown(text)) == shown(text)


def test_a_clean_text_is_passed_on_itself() -> None:
    text = "लंबा दस्तावेज़\n" * 10
    assert shown(text, lines=True) is text
    assert show(text) == Shown(text, text)


@given(TEXT)
@QUICK
def test_a_place_is_where_the_text_before_it_ends(text: str) -> None:
    view = show(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n" and offset:
            assert view.position(offset) == view.position(offset - 1)
        else:
            assert view.position(offset) == len(shown(text[:offset], lines=True))


@given(TEXT)
@QUICK
def test_places_keep_their_order_and_their_characters(text: str) -> None:
    view = show(text)
    places = [view.position(offset) for offset in range(len(text) + 1)]
    assert places == sorted(places)
    assert places[-1] == len(view.text)
    for char, place in zip(text, places, strict=False):
        if char.isalnum():
            assert view.text[place] == shown(char)


@given(TEXT)
@QUICK
def test_the_way_back_finds_what_is_drawn_there(text: str) -> None:
    view = show(text)
    for place in range(len(view.text) + 1):
        offset = view.origin(place)
        assert view.position(offset) <= place
        assert offset == len(text) or view.position(offset + 1) > place


def test_places_outside_the_text_are_drawn_to_its_ends() -> None:
    view = show("a\tb\r\n")
    assert (view.position(-3), view.position(99)) == (0, 10)
    assert (view.origin(-3), view.origin(99)) == (0, 5)


def test_places_in_tabs_and_line_breaks() -> None:
    view = show("x\r\n\ty\t\tz")
    assert view.text == "x\n        y               z"
    assert [view.position(offset) for offset in range(9)] == [0, 1, 1, 2, 10, 11, 18, 26, 27]


@pytest.mark.parametrize("piece", ["\t", "a\t", "\r\n", "\x1b", "\t\n", "\u202e", "\U000e0041"])
def test_large_dirty_texts_keep_their_map(piece: str) -> None:
    view = show(piece * 20_000)
    assert view.position(len(view.original)) == len(view.text)
    assert view.origin(len(view.text)) == len(view.original)
