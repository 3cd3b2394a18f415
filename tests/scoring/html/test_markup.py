from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.text import shown
from judge.scoring.html.markup import (
    Html,
    element,
    foreign,
    joined,
    language_tag,
    number,
    percent,
)
from tests.scoring.html.planted import HOSTILE
from tests.scoring.html.tree import tree

TEXTS = st.text() | st.sampled_from(["<", "&amp;", HOSTILE, "</p>", "'\"`=", "\r\n"])


@given(TEXTS, TEXTS)
def test_a_string_comes_back_as_the_text_and_the_attribute_that_it_was(
    text: str, value: str
) -> None:
    (node,) = tree(element("p", text, title=value)).content
    assert not isinstance(node, str)
    assert node.attributes == {"title": shown(value)}
    assert node.text == shown(text, lines=True)
    assert all(isinstance(part, str) for part in node.content)


@given(TEXTS)
def test_every_page_can_be_written_as_utf8(text: str) -> None:
    assert element("p", text, title=text).encode("utf-8").decode("utf-8")


def test_markup_is_not_escaped_again() -> None:
    assert joined([Html("<b>"), "<b>", None]) == "<b>&lt;b&gt;"


def test_attributes() -> None:
    made = element("td", class_="a", data_query=7, colspan=None, hidden=True, open=False)
    assert made == '<td class="a" data-query="7" hidden></td>'


def test_foreign_text_keeps_its_direction_to_itself() -> None:
    assert foreign("שלום", language="he") == '<bdi dir="auto" lang="he">שלום</bdi>'
    assert foreign("a\u202eb") == '<bdi dir="auto">a⇄b</bdi>'


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "en"),
        ("zh-Hant-TW", "zh-Hant-TW"),
        ("und", None),
        ("", None),
        ('en" onload="x', None),
        ("e", None),
        ("en\n", None),
    ],
)
def test_only_well_formed_languages_are_told(language: str, expected: str | None) -> None:
    assert language_tag(language) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123456, "0.1235"), (1.0, "1.0000"), (0.03125, "0.0312"), (0.0, "0.0000")],
)
def test_a_number_shows_four_decimals_and_keeps_the_rest(value: float, text: str) -> None:
    (node,) = tree(number(value)).all("data")
    assert (node.text, node.attributes) == (text, {"value": repr(value), "title": repr(value)})


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
def test_what_has_no_value_is_never_a_number(value: float | None) -> None:
    for made in (number(value), percent(value)):
        assert tree(made).text == "n/a"
        assert not tree(made).all("data")


def test_the_sign_of_a_difference_is_always_written() -> None:
    told = [tree(number(v, sign=True)).text for v in (0.5, -0.5, 0.0, -0.0, 1e-16, -2e-5)]
    assert told == ["+0.5000", "-0.5000", "0", "0", "0", "-0.0000"]


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1.0, "100.0 %"),
        (0.99999, "99.9 %"),
        (0.0, "0.0 %"),
        (1e-9, "0.1 %"),
        (0.5, "50.0 %"),
        (0.7775, "77.8 %"),
    ],
)
def test_only_all_is_a_hundred_percent_and_only_none_is_zero(share: float, text: str) -> None:
    assert tree(percent(share)).text == text
