"""Lines: nothing lost, nothing too wide, nothing torn; and by hand where they should break."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.text import shown
from judge.tui.text.cells import Ruler, cells
from judge.tui.text.wrap import wrap

TEXTS = st.text(
    st.one_of(
        st.sampled_from("ab   cd.\n-"),
        st.sampled_from("東京都。（）、 가각\n"),
        st.sampled_from("कखषिी्ंرাகொி် ก่าำ👩🏽‍🔬❤️🇩🇪\u0301\u3000"),
        st.characters(),
    ),
    max_size=120,
).map(lambda text: shown(text, lines=True))


def lines(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end, _ in wrap(text, width)]


@given(TEXTS, st.integers(1, 40))
def test_lines_cover_the_text(text: str, width: int) -> None:
    assert "".join(lines(text, width)) == text


@given(TEXTS, st.integers(1, 40))
def test_no_line_is_too_wide(text: str, width: int) -> None:
    for line in lines(text, width):
        drawn = line.rstrip()
        if cells(drawn) > width:
            ruler = Ruler(drawn)
            assert not any(ruler.is_boundary(i) for i in range(1, len(drawn)))


@given(TEXTS, st.integers(1, 40))
def test_no_character_is_torn(text: str, width: int) -> None:
    for start, end, _ in wrap(text, width):
        if end == len(text) or text[end - 1] == "\n":
            continue
        paragraph = text[text.rfind("\n", 0, end) + 1 :].split("\n")[0]
        at = end - (text.rfind("\n", 0, end) + 1)
        ruler = Ruler(paragraph)
        first = at - (end - start)
        # Only a character wider than a line may be torn: there is no other place in its line.
        assert ruler.is_boundary(at) or not any(map(ruler.is_boundary, range(first + 1, at)))


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("", 10, []),
        ("one", 10, ["one"]),
        ("one two three", 7, ["one two ", "three"]),
        ("one  two", 4, ["one  ", "two"]),
        ("averylongword", 5, ["avery", "longw", "ord"]),
        ("a averylongword", 5, ["a ", "avery", "longw", "ord"]),
        ("    averylongword", 8, ["    aver", "ylongwor", "d"]),
        ("one\ntwo\n", 10, ["one\n", "two\n"]),
        ("one\n\ntwo", 10, ["one\n", "\n", "two"]),
        ("東京都に住む", 6, ["東京都", "に住む"]),
        ("東京都。に", 6, ["東京", "都。に"]),  # a full stop never begins a line
        ("東京（都に", 6, ["東京", "（都に"]),  # an opening bracket never ends one
        ("我用 Python 写", 8, ["我用 ", "Python ", "写"]),
        ("प्यार है", 3, ["प्या", "र है"]),
        ("x" * 4 + " ", 4, ["x" * 4 + " "]),
    ],
)
def test_breaks_by_hand(text: str, width: int, expected: list[str]) -> None:
    assert lines(text, width) == expected


def test_a_wide_character_in_a_pane_of_one_cell_stands_alone() -> None:
    assert lines("東京", 1) == ["東", "京"]


def test_long_text_without_blanks_fills_its_lines() -> None:
    text = "東京都１２３" * 1000
    found = lines(text, 50)
    assert len(found) == 240
    assert {cells(line) for line in found} == {50}


@pytest.mark.parametrize(
    ("text", "width", "hanging", "first", "expected"),
    [
        ("one two three", 7, {0: 3}, 0, ["one two ", "   thre", "   e"]),
        ("one two\nthree four", 7, {8: 1}, 0, ["one two\n", "three ", " four"]),
        ("one two three", 7, {0: 3}, 3, ["   one ", "   two ", "   thre", "   e"]),
        ("東京都に住む", 6, {0: 2}, 0, ["東京都", "  に住", "  む"]),
        ("one two", 3, {0: 9}, 0, ["one ", " " * 9 + "t", " " * 9 + "w", " " * 9 + "o"]),
    ],
)
def test_a_hanging_paragraph_goes_on_further_right(
    text: str, width: int, hanging: dict[int, int], first: int, expected: list[str]
) -> None:
    found = wrap(text, width, hanging, first=first)
    assert [" " * indent + text[start:end] for start, end, indent in found] == expected


@given(TEXTS, st.integers(4, 40), st.integers(0, 3), st.integers(0, 3))
def test_hanging_lines_cover_the_text_too_and_are_not_too_wide(
    text: str, width: int, hang: int, first: int
) -> None:
    starts = {0, *(at + 1 for at, char in enumerate(text) if char == "\n")}
    found = wrap(text, width, dict.fromkeys(starts, hang), first=first)
    assert "".join(text[start:end] for start, end, _ in found) == text
    for start, end, indent in found:
        drawn = text[start:end].rstrip()
        assert indent == (first if not start else 0 if start in starts else hang)
        ruler = Ruler(drawn)
        torn = not any(ruler.is_boundary(i) for i in range(1, len(drawn)))
        assert cells(drawn) + indent <= width or torn
