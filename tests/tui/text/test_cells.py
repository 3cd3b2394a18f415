"""Cells and cuts, against counts made by hand and by two other programs."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from wcwidth import wcswidth

from judge.core.text import shown
from judge.tui.text.cells import Ruler, cells, fit

SCRIPTS = st.text(
    st.one_of(
        st.sampled_from(" abcXY.,0é—“”"),
        st.sampled_from("東京都ﾊﾟー。、（）가각"),
        st.sampled_from("कखषिीु्ंःরাোকமொி்ก่าำแလာ်្ក"),
        st.sampled_from("👩🏽‍🔬❤️🇩🇪1️⃣\u200c\u0301\u0600"),
        st.characters(),
    ),
    max_size=60,
).map(shown)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("plain", 5),
        ("é", 1),
        ("e\u0301", 1),
        ("東京都１２３", 12),
        ("ﾊﾟｰ", 3),
        ("हिन्दी", 5),  # as tmux 3.3a draws it; rich says 3
        ("क्षि", 3),
        ("কোথায়", 5),
        ("கொள்கை", 5),
        ("ที่นี่", 2),
        ("กำ", 2),
        ("👍🏽", 4),
        ("🇩🇪", 2),
        ("❤️", 2),
        ("각", 2),
        ("שלום", 4),
    ],
)
def test_cells_by_hand(text: str, count: int) -> None:
    assert cells(text) == count


@given(SCRIPTS)
def test_never_counts_less_than_others(text: str) -> None:
    assert cells(text) >= cell_len(text)


WORDS = "abc 東京都 हिन्दी सरकार बाङ्ला বাংলা கொள்கை ที่นี่ שלום مرحبا മലയാളം తెలుగు မြန်မာ ខ្មែរ 한국어"


@given(st.lists(st.sampled_from(WORDS.split(" "))).map(" ".join))
def test_never_counts_less_than_wcwidth_in_living_scripts(text: str) -> None:
    assert cells(text) >= wcswidth(text)


@given(SCRIPTS)
def test_ruler_sums_like_cells(text: str) -> None:
    ruler = Ruler(text)
    assert ruler.cells(0, len(text)) == cells(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("नमस्ते", ["न", "म", "स्ते"]),
        ("क्षि", ["क्षि"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("กำ", ["กำ"]),
        ("Việt", ["V", "i", "ệ", "t"]),
        ("Vie\u0302\u0323t", ["V", "i", "e\u0302\u0323", "t"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("👩🏽‍🔬x", ["👩🏽‍🔬", "x"]),
        ("1️⃣2", ["1️⃣", "2"]),
        ("ﾊﾟﾊ", ["ﾊﾟ", "ﾊ"]),
        ("မြန်မာ", ["မြ", "န်", "မာ"]),
        ("ខ្មែរ", ["ខ្មែ", "រ"]),
        ("\u06001", ["\u06001"]),
        ("각", ["각"]),
        ("نمی\u200cخواهم", ["ن", "م", "ی\u200c", "خ", "و", "ا", "ه", "م"]),
    ],
)
def test_cuts_lie_between_characters_as_readers_see_them(text: str, parts: list[str]) -> None:
    ruler = Ruler(text)
    edges = [i for i in range(len(text) + 1) if ruler.is_boundary(i)]
    assert [text[a:b] for a, b in pairwise(edges)] == parts


@given(SCRIPTS, st.integers(0, 30))
def test_fit_fits_and_keeps_the_start(text: str, width: int) -> None:
    fitted = fit(text, width)
    assert cells(fitted) <= max(width, 0)
    if fitted == text:
        assert cells(text) <= width
    elif width > 0:
        assert fitted.endswith("…")
        assert text.startswith(fitted[:-1])


@given(SCRIPTS, st.data())
def test_snap_widens_to_boundaries(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    ruler = Ruler(text)
    left, right = ruler.snap(start, end)
    assert 0 <= left <= start
    assert end <= right <= len(text)
    assert ruler.is_boundary(left)
    assert ruler.is_boundary(right)
