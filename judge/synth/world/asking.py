"""Which pages answer a question: grades follow what the question says, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judge.synth.world.facts import Pair
from judge.synth.world.pages import ANSWER, OVERVIEW, PARTIAL, Page, pages_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judge.synth.chance import Chance
    from judge.synth.world.facts import World

MOST_HARD = 8
"""Hard negatives of one reason that a query names at most."""


class Expressed(NamedTuple):
    """What a question says; None: it does not."""

    entity: str | None
    action: str | None
    attribute: str | None
    place: int | None = None

    @classmethod
    def all_of(cls, pair: Pair, attribute: str | None) -> Expressed:
        """Give what a question says that leaves nothing out."""
        return cls(pair.entity, pair.action, attribute, pair.place)


def grades_of(world: World, asked: Expressed) -> Iterator[tuple[Page, int]]:
    """Give the pages of grade 1 and more.

    3: states an answer to all that the question says. 2: about all of it, without a value. 1: the
    right entity and action, but another attribute, or only an overview. All others have grade 0.
    """
    for pair in world.neighbours(asked.entity, asked.place, asked.action):
        for page in pages_of(pair):
            if grade := _grade(page, asked):
                yield page, grade


def _grade(page: Page, asked: Expressed) -> int:
    is_told = asked.attribute in (None, page.attribute)
    if is_told and page.role == ANSWER:
        return 3
    if is_told and page.role == PARTIAL:
        return 2
    if page.role == OVERVIEW:
        return 2 if asked.attribute is None else 1
    return 1 if asked.entity and asked.action else 0


def hard_negatives_of(world: World, asked: Expressed, chance: Chance) -> Iterator[tuple[Page, str]]:
    """Give answers to questions that differ in one part, with the reason why they tempt."""
    if asked.attribute is None:
        return
    entity, action, _attribute, place = asked
    others: dict[str, list[Pair]] = {}
    if entity and action:
        others["same_entity_other_action"] = world.neighbours(entity, place, None)
        others["same_action_other_entity"] = world.neighbours(None, place, action)
        if place is not None:
            others["same_fact_other_place"] = world.neighbours(entity, None, action)
    elif entity:
        others["same_attribute_other_entity"] = world.neighbours(None, place, None)
    for reason, pairs in others.items():
        wrong = [pair for pair in pairs if not _answers(pair, asked)]
        for pair in chance.sample(wrong, MOST_HARD):
            yield Page(ANSWER, pair, asked.attribute), reason


def _answers(pair: Pair, asked: Expressed) -> bool:
    return (
        asked.entity in (None, pair.entity)
        and asked.action in (None, pair.action)
        and asked.place in (None, pair.place)
    )
