"""Bars: as long as the number, with the interval where it belongs, in any width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.tui.widgets.charts import bar

UNIT = st.floats(0, 1)
WIDTHS = st.integers(1, 120)


def drawn(
    value: float | None,
    width: int,
    low: float | None = None,
    high: float | None = None,
    top: float = 1.0,
) -> str:
    return "".join(span.text for span in bar(value, width, low=low, high=high, top=top))


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (0.0, "········"),
        (1.0, "████████"),
        (0.5, "████····"),
        (0.5 + 1 / 64, "████▏···"),
        (0.5 + 7 / 64, "████▉···"),
        (2.0, "████████"),
        (-1.0, "········"),
        (None, "        "),
    ],
)
def test_the_length_is_the_value_to_an_eighth_of_a_cell(value: float | None, wanted: str) -> None:
    assert drawn(value, 8) == wanted


@pytest.mark.parametrize(
    ("value", "low", "high", "wanted"),
    [
        (0.5, 0.25, 0.8, "██├█──┤·"),
        (0.5, 0.5, 0.5, "████┼···"),
        (0.0, 0.0, 0.0, "┼·······"),
        (1.0, 1.0, 1.0, "███████┼"),
        (0.5, 0.0, 1.0, "├███───┤"),
        (0.5, -3.0, 9.0, "├███───┤"),
    ],
)
def test_the_interval(value: float, low: float, high: float, wanted: str) -> None:
    assert drawn(value, 8, low, high) == wanted


def test_another_top() -> None:
    assert drawn(5.0, 8, top=10.0) == "████····"


def test_no_room_is_no_bar() -> None:
    assert bar(0.5, 0) == []
    assert bar(0.5, -3) == []


def test_marks_are_told_from_the_bar_by_their_role() -> None:
    spans = bar(0.5, 8, low=0.25, high=0.8)
    assert [(span.text, span.role) for span in spans] == [
        ("██", "accent"),
        ("├", "text"),
        ("█", "accent"),
        ("──┤", "text"),
        ("·", "rule"),
    ]


@given(UNIT, WIDTHS, UNIT, UNIT)
def test_a_bar_has_its_width(value: float, width: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert len(drawn(value, width, low, high)) == width
    assert len(drawn(value, width)) == width


@given(UNIT, UNIT, WIDTHS)
def test_more_is_never_shorter(one: float, other: float, width: int) -> None:
    def length(value: float) -> float:
        return sum(" ▏▎▍▌▋▊▉█".index(char) for char in drawn(value, width).replace("·", " "))

    less, more = sorted((one, other))
    assert length(less) <= length(more)


def test_only_the_bar_takes_the_colour() -> None:
    spans = bar(0.5, 8, low=0.25, high=0.8, role="dim")
    assert [(span.text, span.role) for span in spans] == [
        ("██", "dim"),
        ("├", "text"),
        ("█", "dim"),
        ("──┤", "text"),
        ("·", "rule"),
    ]
