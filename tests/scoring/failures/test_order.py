from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judge.scoring.failures.order import natural


def test_numbers_go_by_their_size() -> None:
    ids = ["1", "2", "10", "a", "a2b1", "a2b10", "a10", "q007", "q7", "q7a", "q" + "9" * 5000]
    turned = ids[::-1]
    assert sorted(turned, key=natural) == ids


@given(st.lists(st.text("q07²٣-", max_size=5)))
def test_any_ids_have_one_order(ids: list[str]) -> None:
    turned = ids[::-1]
    assert sorted(ids, key=natural) == sorted(turned, key=natural)


@given(st.integers(0), st.integers(0))
def test_the_order_of_whole_numbers(first: int, second: int) -> None:
    assert (natural(f"q{first}") < natural(f"q{second}")) == (first < second)
