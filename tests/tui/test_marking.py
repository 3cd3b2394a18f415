"""Marks: what is found in stretches is what all tokens give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.text import tokens, words
from judge.tui.marking import Marks, find, terms_of

TEXTS = st.text(
    st.one_of(
        st.sampled_from("ab C+#. ,\t\n'éß"),
        st.sampled_from("東京都を。、（）ﾊﾟー１２"),
        st.sampled_from("कखि् ंरাก่าำ\u0301\u200cﬁ½…\u2026\ufdfa\u3000"),
        st.characters(),
    ),
    max_size=60,
)


@given(TEXTS, st.data())
def test_finds_what_all_tokens_give(text: str, data: st.DataObject) -> None:
    known = sorted(set(words(text)))
    terms = frozenset(data.draw(st.lists(st.sampled_from(known)))) if known else frozenset({"a"})
    assert find(text, terms) == [(t.start, t.end) for t in tokens(text) if t.term in terms]


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("Why use a hard negative?", {"use", "hard", "negative"}),
        ("to be or not to be", {"to", "be", "or", "not"}),
        ("Wie geht das Modell?", {"geht", "modell"}),
        ("東京都", {"東京", "京都"}),
        ("", set()),
    ],
)
def test_small_words_are_left_out_unless_there_is_nothing_else(
    query: str, marked: set[str]
) -> None:
    assert terms_of(query) == marked


@pytest.mark.parametrize(
    ("text", "query", "near"),
    [
        ("negatives Negatve negotive netagivs", "negative", ["negatives", "Negatve", "negotive"]),
        ("passwrod Pasword passage", "password", ["passwrod", "Pasword"]),
        ("hats hat has", "hat", []),
        ("model models modem novel", "model", ["models", "modem"]),
        ("Größe Größen Grüße", "größe", ["Größen", "Grüße"]),
        ("पासवर्डे पासवर्ड पासवर्डों", "पासवर्ड", ["पासवर्डे"]),
        ("mid-negatves", "negative", ["negatves"]),
        ("東京都東京", "東京都", []),
    ],
)
def test_near_spellings_of_long_words(text: str, query: str, near: list[str]) -> None:
    marks = Marks(terms_of(query))
    for _ in range(2):  # the second time from memory
        found = [text[m.start : m.end] for m in marks.find(text) if m.role == "near"]
        assert found == near


UNSPACED = st.text(st.sampled_from("東京都をかがゝ\u3099กข่ำAb \ufe00\u0301İẞ가각"), max_size=20)


@given(UNSPACED, st.data())
def test_letters_of_scripts_without_blanks_are_found_as_tokens(
    text: str, data: st.DataObject
) -> None:
    known = sorted(set(words(text)))
    terms = frozenset(data.draw(st.lists(st.sampled_from(known)))) if known else frozenset({"a"})
    assert find(text, terms) == [(t.start, t.end) for t in tokens(text) if t.term in terms]
