"""Which values are grades: whole numbers of the scale, never cut, never clamped, never guessed."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from judge.core.errors import quoted
from judge.formats.reading.fields import described
from judge.formats.reading.json_text import is_whole

if TYPE_CHECKING:
    from judge.core.model import Scale
    from judge.formats.reading.intake import Intake, Reading, Where

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")

UNJUDGED = "unjudged"
"""What `--map-grade` calls a pair that is to have no judgment."""


class Span(NamedTuple):
    """The lowest and highest grade that an input may hold, and whether it states them itself."""

    low: int
    high: int
    stated: bool = False

    @classmethod
    def of(cls, scale: Scale | None, reading: Reading) -> Span:
        """The span of the scale that an input states, else of what the user said."""
        return cls(scale.min, scale.max, stated=True) if scale else cls(0, reading.top)


class Graded(NamedTuple):
    """A grade that was taken; `grade` is None where the user mapped it to unjudged."""

    grade: int | None


def take_text(text: str, where: Where, span: Span, intake: Intake) -> Graded | None:
    """A grade from a column of text; None, and a fault, where it is none.

    `2.0` is 2; `1.5` is refused, because cutting it would change the judgment.
    """
    if not _NUMBER.fullmatch(text):
        intake.invalid(where, f"{quoted(text)} is not a grade", _expected(span))
        return None
    number = float(text)
    # What only the conversion made whole is none.
    exact = not number.is_integer() or is_whole(text)
    return _checked(number if exact else math.nan, text, where, span, intake)


def take_value(value: object, where: Where, span: Span, intake: Intake) -> Graded | None:
    """A grade from a JSON value; None, and a fault, where it is none.

    Texts and true or false are refused: a number written as a text is a sign of a damaged file.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        intake.invalid(where, f"{described(value)}, not a grade", _expected(span))
        return None
    return _checked(value, str(value), where, span, intake)


def _checked(number: float, text: str, where: Where, span: Span, intake: Intake) -> Graded | None:
    grade = _whole(number)
    if grade is None:
        intake.invalid(where, f"{text[:40]} is not a whole number", _expected(span))
        return None
    mapping = intake.reading.map_grade
    if grade in mapping:
        return _mapped(grade, mapping[grade], where, span, intake)
    if span.low <= grade <= span.high:
        return Graded(grade)
    intake.invalid(where, _outside(grade, text[:40], span), _expected(span, grade))
    return None


def _mapped(grade: int, new: int | None, where: Where, span: Span, intake: Intake) -> Graded | None:
    if new is not None and not span.low <= new <= span.high:
        scale = f"the scale {span.low}-{span.high}"
        message = f"{grade} is mapped to {new}, which is outside {scale}"
        intake.invalid(where, message, _expected(span))
        return None
    intake.note(f"grades {grade} mapped to {UNJUDGED if new is None else new}", where)
    return Graded(new)


def _whole(number: float) -> int | None:
    try:
        whole = int(number)
    except (OverflowError, ValueError):
        return None
    return whole if whole == number else None


def _outside(grade: int, text: str, span: Span) -> str:
    if grade < 0:
        return f"{text} is negative, and sets mean different things by that"
    return f"{text} is outside the scale {span.low}-{span.high}"


def _expected(span: Span, grade: int | None = None) -> str:
    text = f"a grade {span.low}-{span.high}"
    if grade is None:
        return text
    if grade < 0:
        return f"{text}, or --map-grade {grade}=0 or {grade}={UNJUDGED}"
    if span.high < grade <= 9 and not span.stated:
        return (
            f"{text}, or --scale {grade} for a scale up to it, or --map-grade {grade}={span.high}"
        )
    return f"{text}, or --map-grade {grade}={span.high}"
