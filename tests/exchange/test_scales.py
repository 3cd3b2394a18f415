"""Which scale an imported dataset gets."""

from __future__ import annotations

import pytest

from judge.core.errors import InputError
from judge.core.model import Judgment, Scale
from judge.exchange.scales import choose_scale


def graded(*grades: int) -> list[Judgment]:
    return [Judgment("q", f"d{i}", grade) for i, grade in enumerate(grades)]


def test_a_stated_scale_rules() -> None:
    assert choose_scale(Scale(), graded(1)).scale == Scale()
    moved = choose_scale(Scale(), graded(1), relevant_from=3).scale
    assert (moved.relevant_from, moved.labels) == (3, Scale().labels)


@pytest.mark.parametrize("grades", [(1,), (0, 1), (0,)])
def test_binary_sets(grades: tuple[int, ...]) -> None:
    assert choose_scale(None, graded(*grades)) == (Scale.binary(), ())


def test_graded_sets_take_1_and_say_so() -> None:
    scale, notes = choose_scale(None, graded(0, 3, 2))
    assert (scale.min, scale.max, scale.relevant_from, scale.labels) == (0, 3, 1, {})
    assert notes == (
        "grades go up to 3 and --relevant-from was not given: 1 is taken; published work"
        " counts from 2 on the passages of TREC Deep Learning, and from 1 on BEIR and most other"
        " TREC sets",
    )
    assert choose_scale(None, graded(0, 3), relevant_from=2) == (Scale.up_to(3, 2), ())


def test_a_named_top_counts_even_if_no_grade_reaches_it() -> None:
    assert choose_scale(None, graded(1), top=4, relevant_from=2).scale == Scale.up_to(4, 2)
    assert choose_scale(None, [], top=1).scale == Scale.binary()


def test_the_highest_grade_is_one_key() -> None:
    for top in (0, 10, 20, -1):
        with pytest.raises(InputError) as caught:
            choose_scale(None, graded(1), top=top)
        assert str(caught.value) == f"--scale: {top} cannot be the highest grade (expected: 1-9)"
    assert choose_scale(None, graded(1), top=9, relevant_from=1).scale == Scale.up_to(9)


def test_a_stated_scale_is_not_silently_kept_against_the_users_word() -> None:
    assert choose_scale(Scale(), graded(1), top=3).scale == Scale()
    with pytest.raises(InputError) as caught:
        choose_scale(Scale(), graded(1), top=4)
    assert str(caught.value) == (
        "--scale: the source itself states the scale 0-3"
        " (expected: 3, or nothing; --map-grade changes grades)"
    )


def test_nothing_judged_takes_the_default() -> None:
    assert choose_scale(None, []).scale == Scale()
    assert choose_scale(None, [], relevant_from=1).scale.relevant_from == 1


def test_relevance_outside_the_scale() -> None:
    with pytest.raises(InputError) as caught:
        choose_scale(None, graded(1), relevant_from=2)
    assert str(caught.value) == "--relevant-from: 2 is not on the scale 0-1 (expected: 1-1)"
