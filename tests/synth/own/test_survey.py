from __future__ import annotations

from itertools import pairwise

import pytest

from judge.core.errors import InputError
from judge.core.model import Document
from judge.synth.chance import Chance
from judge.synth.own.survey import LONGEST, MOST_DOMAINS, take_survey


def documents(count: int, domains: int = 1) -> list[Document]:
    return [
        Document(id=f"d{n}", text=f"word{n} all all", metadata={"domain": f"x{n % domains:03}"})
        for n in range(count)
    ]


def luck(doc_id: str) -> Chance:
    return Chance("luck", doc_id)


def test_words_are_counted_once_a_document() -> None:
    survey = take_survey(documents(5), lambda _, __: True, luck, 2)
    assert survey.documents == 5
    assert survey.having["all"] == 5
    assert survey.having["word3"] == 1


def test_targets_are_the_luckiest_whatever_else_is_there() -> None:
    source = documents(400)
    few = take_survey(source, lambda _, __: True, luck, 10).targets
    assert len(few) == 70
    bits = [luck(target.id).bits() for target in few]
    assert all(one < other for one, other in pairwise(bits))
    assert bits[-1] == sorted(luck(item.id).bits() for item in source)[69]
    many = take_survey(source[::-1], lambda _, __: True, luck, 100).targets
    assert many[:70] == few


def test_who_does_not_suit_and_who_is_too_long_is_no_target() -> None:
    long = Document(id="long", text="w " * (LONGEST + 1))
    survey = take_survey([*documents(9), long], lambda item, _: item.id != "d4", luck, 10)
    assert {item.id for item in survey.targets} == {f"d{n}" for n in (0, 1, 2, 3, 5, 6, 7, 8)}
    assert survey.having["w"] == 1


def test_domains_take_turns_while_they_last() -> None:
    source = [*documents(12, domains=3), Document(id="e", text="e", metadata={"domain": "y"})]
    targets = take_survey(source, lambda _, __: True, luck, 10, by_domain=True).targets
    order = [target.metadata["domain"] for target in targets]
    assert order == ["x000", "x001", "x002", "y", *["x000", "x001", "x002"] * 3]


@pytest.mark.parametrize("domains", [1, MOST_DOMAINS + 1])
def test_one_domain_and_too_many_are_refused(domains: int) -> None:
    with pytest.raises(InputError, match=rf"belong to {domains} domain"):
        take_survey(documents(202, domains), lambda _, __: True, luck, 10, by_domain=True)
