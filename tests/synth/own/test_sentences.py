from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.text import words
from judge.synth.own.sentences import WINDOW, passages, sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One. Two! Three? Four…  Five", 5),
        ('He said "no." She left.', 2),
        ("今日は雨です。明日は晴れです！本当？", 3),
        ("यह पहला है। यह दूसरा है॥ क्या यह तीसरा है?", 3),
        ("ما هذا؟ هذا كتاب.", 2),
        ("یہ پہلا ہے۔ یہ دوسرا ہے۔", 2),
        ("ይህ አንድ ነው። ይህ ሁለት ነው።", 2),
        ("Smith et al. found 3.5 mg, e.g. in rats", 1),
        ("By J. Smith and K. Jones. With a map", 2),
        ("A heading\n\nA text under it", 2),
        ("wrapped\nat the margin", 1),
        ("www.example.org is up", 1),
        ("", 0),
        ("...", 1),
    ],
)
def test_where_sentences_end(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@given(st.text("ab A.!?。।\n\u2019)", max_size=80))
def test_the_parts_are_the_whole(text: str) -> None:
    for spans in (sentences(text), passages(text)):
        assert "".join(text[start:end] for start, end in spans) == text
        assert all(start < end for start, end in spans)


def test_windows_of_words_where_there_are_no_sentences() -> None:
    text = " ".join(f"word{number}" for number in range(2 * WINDOW + 5))
    parts = [words(text[start:end]) for start, end in passages(text)]
    assert [len(part) for part in parts] == [WINDOW, WINDOW, 5]
    assert [word for part in parts for word in part] == words(text)


def test_a_text_of_three_sentences_has_no_windows() -> None:
    text = "One two. Three four. Five six."
    assert [text[start:end] for start, end in passages(text)] == [
        "One two. ",
        "Three four. ",
        "Five six.",
    ]
