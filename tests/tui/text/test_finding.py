"""Finding: what a reader calls the same words is found, everywhere, in the right place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.text import fold
from judge.tui.text.finding import CHUNK, Finder


def hits(text: str, wanted: str) -> list[str]:
    finder = Finder(text, wanted)
    while not finder.done:
        finder.look(1)
    return [text[hit.start : hit.end] for hit in finder.hits]


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("Straße STRASSE strasse", "strasse", ["Straße", "STRASSE", "strasse"]),
        ("un café, deux CAFE\u0301S", "cafe", ["café", "CAFE\u0301"]),
        ("hard negative, hard\n  negative; hard, negative", "hard negative", None),
        ("a.b a+b [a.b]", "a.b", ["a.b", "a.b"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("東京都と東京", "東京", ["東京", "東京"]),
        ("नया पासवर्ड", "पास", ["पास"]),
        ("die ﬁnale Seite", "final", ["ﬁnal"]),
        ("nothing", "   ", []),
        ("nothing", "", []),
        ("", "x", []),
    ],
)
def test_folded_literal_phrases(text: str, wanted: str, found: list[str] | None) -> None:
    expected = ["hard negative", "hard\n  negative"] if found is None else found
    assert hits(text, wanted) == expected


@given(st.integers(0, 40), st.sampled_from(["xy ", "ßö ", "東京", "e\u0301 "]))
def test_phrases_over_the_edge_of_what_is_looked_through_at_once(shift: int, unit: str) -> None:
    before = unit * ((CHUNK - shift) // len(unit))
    text = before + "hard   negative " + unit * CHUNK
    finder = Finder(text, "HARD negative")
    while not finder.done:
        finder.look(1)
    assert [(hit.start, hit.end) for hit in finder.hits] == [
        (len(before), len(before) + len("hard   negative"))
    ]


@given(
    st.text(st.sampled_from("abß. \ne\u0301東ﬁ"), max_size=60),
    st.text(st.sampled_from("abs."), min_size=1, max_size=3),
)
def test_finds_as_often_as_the_folded_text_has_it(text: str, wanted: str) -> None:
    finder = Finder(text, wanted)
    finder.look(10_000)
    assert len(finder.hits) == fold(text).count(wanted)
    assert all(wanted in fold(text[hit.start : hit.end]) for hit in finder.hits)
    assert finder.hits == sorted(finder.hits)


def test_the_first_hit_from_a_place_on() -> None:
    finder = Finder("x..x..x", "x")
    finder.look(10)
    assert [finder.at_or_after(place) for place in (0, 1, 3, 4, 7)] == [0, 1, 1, 2, None]
