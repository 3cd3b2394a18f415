"""Which scale an imported dataset gets when its source does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from judge.core.errors import InputError, Problem
from judge.core.model import Scale

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judge.core.model import Judgment

PUBLISHED = (
    "published work counts from 2 on the passages of TREC Deep Learning,"
    " and from 1 on BEIR and most other TREC sets"
)


HIGHEST = 9
"""No scale goes further."""


class Chosen(NamedTuple):
    """A scale, and what must be said about the choice."""

    scale: Scale
    notes: tuple[str, ...]


def choose_scale(
    stated: Scale | None,
    judgments: Iterable[Judgment],
    *,
    top: int | None = None,
    relevant_from: int | None = None,
) -> Chosen:
    """The scale of an imported dataset.

    Args:
        stated: The scale that the source states.
        judgments: Its judgments.
        top: The highest grade, if the user said so.
        relevant_from: Where relevance begins, if the user said so.

    Returns:
        The stated scale; else, with judgments, 0 to the highest grade (binary at 1 and below), with
        relevance from 1; else the default scale 0-3. What the user said goes before the last two.

    Raises:
        InputError: What the user said does not fit the scale, or is not the scale that is stated.
    """
    refuse_top(top)
    if stated is not None:
        if top not in (None, stated.max):
            message = f"the source itself states the scale {stated.min}-{stated.max}"
            expected = f"{stated.max}, or nothing; --map-grade changes grades"
            raise InputError(Problem(message, field="--scale", expected=expected))
        return Chosen(_with(stated, relevant_from), ())
    grades = [judgment.grade for judgment in judgments]
    if top is None and not grades:
        return Chosen(_with(Scale(), relevant_from), ())
    highest = max([top or 0, *grades])
    chosen = Scale.up_to(highest)
    if relevant_from is not None or highest <= 1:
        return Chosen(_with(chosen, relevant_from), ())
    note = f"grades go up to {highest} and --relevant-from was not given: 1 is taken; {PUBLISHED}"
    return Chosen(chosen, (note,))


def refuse_top(top: int | None) -> None:
    """Refuse a highest grade that no scale has, since one key must be enough to give it.

    Raises:
        InputError: It is not one of 1 to 9.
    """
    if top is not None and not 1 <= top <= HIGHEST:
        message = f"{top} cannot be the highest grade"
        raise InputError(Problem(message, field="--scale", expected=f"1-{HIGHEST}"))


def _with(scale: Scale, relevant_from: int | None) -> Scale:
    if relevant_from is None:
        return scale
    try:
        return Scale(min=scale.min, max=scale.max, labels=scale.labels, relevant_from=relevant_from)
    except ValidationError:
        expected = f"{scale.min + 1}-{scale.max}"
        message = f"{relevant_from} is not on the scale {scale.min}-{scale.max}"
        raise InputError(Problem(message, field="--relevant-from", expected=expected)) from None
