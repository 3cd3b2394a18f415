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
        relevance from 1; else the default scale 0-3. What the user said goes before all of it.

    Raises:
        InputError: What the user said does not fit the scale.
    """
    if stated is not None:
        return Chosen(_with(stated, relevant_from), ())
    grades = [judgment.grade for judgment in judgments]
    if top is None and not grades:
        return Chosen(_with(Scale(), relevant_from), ())
    highest = max([top or 0, *grades])
    chosen = Scale.binary() if highest <= 1 else Scale.up_to(min(highest, 9))
    if relevant_from is not None or highest <= 1:
        return Chosen(_with(chosen, relevant_from), ())
    note = f"grades go up to {highest} and --relevant-from was not given: 1 is taken; {PUBLISHED}"
    return Chosen(chosen, (note,))


def _with(scale: Scale, relevant_from: int | None) -> Scale:
    if relevant_from is None:
        return scale
    try:
        return Scale(min=scale.min, max=scale.max, labels=scale.labels, relevant_from=relevant_from)
    except ValidationError:
        expected = f"{scale.min + 1}-{scale.max}"
        message = f"{relevant_from} is not on the scale {scale.min}-{scale.max}"
        raise InputError(Problem(message, field="--relevant-from", expected=expected)) from None
