"""Which numbers are grades."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.core.errors import DatasetError
from judge.core.model import Scale
from judge.formats.reading.grades import Graded, Span, take_text, take_value
from judge.formats.reading.intake import Intake, Reading, Where
from judge.formats.reading.json_text import parse

WHERE = Where(Path("f"), 1)


@pytest.mark.parametrize(
    ("text", "grade"),
    [("3", 3), ("0", 0), ("2.0", 2), ("1.", 1), ("+1", 1), ("-0", 0), ("2e0", 2), (".0", 0)],
)
def test_texts_that_are_grades(text: str, grade: int) -> None:
    taken = take_text(text, WHERE, Span(0, 3), Intake(Reading()))
    assert taken == Graded(grade)
    assert taken is not None
    assert isinstance(taken.grade, int)


@pytest.mark.parametrize(
    "text", ["", "x", "1.5", "4", "-1", "0x1", "1_0", "inf", "nan", "1e400", "٣", " 1", "9" * 5000]
)
def test_texts_that_are_none(text: str) -> None:
    intake = Intake(Reading())
    assert take_text(text, WHERE, Span(0, 3), intake) is None
    assert intake.faults == 1
    with pytest.raises(DatasetError) as caught:
        intake.finish()
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("value", [True, False, None, "1", [1], {}, 1.5, 4, -1, 10**400, 1e300])
def test_values_that_are_none(value: object) -> None:
    intake = Intake(Reading())
    assert take_value(value, WHERE, Span(0, 3), intake) is None
    assert intake.faults == 1


def test_mapping_goes_before_the_scale() -> None:
    intake = Intake(Reading(map_grade={5: 3, 0: None}))
    assert take_value(5, WHERE, Span(0, 3), intake) == Graded(3)
    assert take_value(0.0, WHERE, Span(0, 3), intake) == Graded(None)
    assert intake.notes == (
        "grades 5 mapped to 3: 1 (first: f:1)",
        "grades 0 mapped to unjudged: 1 (first: f:1)",
    )


def test_a_mapping_cannot_lead_out_of_the_scale() -> None:
    intake = Intake(Reading(map_grade={5: 7}))
    assert take_value(5, WHERE, Span(0, 3), intake) is None
    with pytest.raises(DatasetError, match="5 is mapped to 7, which is outside the scale 0-3"):
        intake.finish()


def test_the_stated_scale_rules() -> None:
    assert Span.of(Scale(min=1, max=5, labels={}), Reading(top=3)) == Span(1, 5, stated=True)
    assert Span.of(None, Reading(top=4)) == Span(0, 4)


def test_a_higher_scale_is_not_proposed_where_the_input_states_its_own() -> None:
    for stated, expected in (
        (False, "a grade 0-3, or --scale 4 for a scale up to it, or --map-grade 4=3"),
        (True, "a grade 0-3, or --map-grade 4=3"),
    ):
        intake = Intake(Reading())
        take_value(4, WHERE, Span(0, 3, stated), intake)
        with pytest.raises(DatasetError) as caught:
            intake.finish()
        assert caught.value.problems[0].expected == expected


@pytest.mark.parametrize(
    "text",
    ["0.9999999999999999999", "1.00000000000000000001", "1e-400", "1e-99999999999999999999"],
)
def test_what_only_rounding_makes_whole_is_no_grade(text: str) -> None:
    intake = Intake(Reading())
    assert take_text(text, WHERE, Span(0, 3), intake) is None
    assert take_value(parse(text), WHERE, Span(0, 3), intake) is None
    assert intake.faults == 2
