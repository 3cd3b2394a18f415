"""Pools: who gets in, the worked order of each rule, and independence of everything irrelevant."""

from __future__ import annotations

import re
from itertools import combinations
from math import log2
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import InputError
from judge.core.model import Candidate, Hit
from judge.core.tables import Run
from judge.judging.pool import ORDERS, band_of, build_pool, default_order, gap


def ranking(name: str, **queries: str) -> Run:
    """A run from words: the documents of each query, best first."""
    hits = {
        query: [Hit(doc, -float(place)) for place, doc in enumerate(docs.split())]
        for query, docs in queries.items()
    }
    return Run.from_hits(name, hits)


A = ranking("a", q1="d1 d2 d3")
B = ranking("b", q1="d3 d1 d4")


def served(candidates: list[Candidate], query_id: str = "q1") -> list[str]:
    return [c.doc_id for c in candidates if c.query_id == query_id]


def line(order: str, *runs: Run, depth: int = 3, seed: int = 0) -> list[str]:
    """The order itself: blocks of one are not shuffled."""
    return served(build_pool(runs, depth=depth, order=order, block=1, seed=seed))


def test_gap_by_hand() -> None:
    # discounts: rank 1 is 1, rank 2 is .63093, rank 3 is .5, absent is 0
    # d1: ranks 1, 2 -> .36907^2 = .13621      d2: 2, none -> .39807
    # d3: ranks 3, 1 -> .5^2     = .25         d4: none, 3 -> .25
    assert gap([1, 2], 2) == pytest.approx(0.1362128)
    assert gap([2], 2) == pytest.approx(0.3980724)
    assert gap([3, 1], 2) == gap([3], 2) == 0.25
    order = line("gap", A, B)
    assert (order[0], set(order[1:3]), order[3]) == ("d2", {"d3", "d4"}, "d1")


def test_gap_of_what_all_agree_on_is_nothing() -> None:
    assert gap([7] * 5, 5) == 0
    assert gap([2], 1) == 0


@given(st.lists(st.one_of(st.none(), st.integers(1, 100)), min_size=2, max_size=7))
def test_gap_is_the_sum_over_pairs_of_runs(ranks: list[int | None]) -> None:
    discounts = [1 / log2(rank + 1) if rank else 0.0 for rank in ranks]
    expected = sum((one - other) ** 2 for one, other in combinations(discounts, 2))
    found = [rank for rank in ranks if rank]
    assert gap(found, len(ranks)) == pytest.approx(expected, abs=1e-11)
    assert gap(found, len(ranks)) == gap(sorted(found, reverse=True), len(ranks))


def test_a_run_without_the_query_disagrees_too() -> None:
    # three runs, one silent: d1 at 1, 1 -> 2 + 0 pairs: (1-1)^2 + 2 * 1 = 2; d2 at 2 -> 2 * .398
    silent = ranking("c", q2="d1")
    assert line("gap", ranking("a", q1="d1 d2"), ranking("b", q1="d1"), silent) == ["d1", "d2"]


def test_depth_takes_best_rank_then_votes() -> None:
    # best rank, votes: d1 1, 2   d3 1, 2   d2 2, 1   d4 3, 1
    order = line("depth", A, B)
    assert (set(order[:2]), order[2:]) == ({"d1", "d3"}, ["d2", "d4"])
    more = ranking("c", q1="d9 d8 d1")
    assert line("depth", A, B, more)[0] == "d1"  # rank 1, three votes


def test_rrf_by_hand() -> None:
    # d1 1/61 + 1/62 = .03252   d3 1/63 + 1/61 = .03227   d2 1/62 = .01613   d4 1/63 = .01587
    assert line("rrf", A, B) == ["d1", "d3", "d2", "d4"]


def test_fineband_by_hand() -> None:
    # band of best rank, then fusion. a: d1 d2 d3 d4 d5   b: d6 d5 d4 d3 d2
    # band 0 (rank 1): d1 1/61, d6 1/61 tie   band 1 (rank 2): d2 1/62 + 1/65, d5 the same: tie
    # band 2 (rank 3): d3 1/63 + 1/64, d4 the same: tie
    a, b = ranking("a", q1="d1 d2 d3 d4 d5"), ranking("b", q1="d6 d5 d4 d3 d2")
    order = line("fineband", a, b, depth=5)
    bands = [set(order[place : place + 2]) for place in (0, 2, 4)]
    assert bands == [{"d1", "d6"}, {"d2", "d5"}, {"d3", "d4"}]
    # best ranks 4 and 5 share a band, so fusion decides there: d8 1/64, d9 1/65 + 1/65
    a, b = ranking("a", q1="d1 d2 d3 d8 d9"), ranking("b", q1="d1 d2 d3 d7 d9")
    assert line("fineband", a, b, depth=5)[:4] == ["d1", "d2", "d3", "d9"]


def test_bands_go_on_by_tens() -> None:
    ends = [1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300]
    for band, end in enumerate(ends):
        assert (band_of(end), band_of(end + 1)) == (band, band + 1)


def test_random_depends_on_the_seed_alone() -> None:
    many = ranking("a", q1=" ".join(f"d{n}" for n in range(30)))
    first = line("random", many, depth=30, seed=1)
    assert first == line("random", many, depth=30, seed=1)
    assert first != line("random", many, depth=30, seed=2)
    assert sorted(first) == sorted(served(build_pool([many], depth=30)))
    assert first != sorted(first)


def test_depth_cuts_every_ranking() -> None:
    assert sorted(line("depth", A, B, depth=1)) == ["d1", "d3"]
    assert sorted(line("depth", A, B, depth=99)) == ["d1", "d2", "d3", "d4"]


def test_ranks_come_from_scores_and_ids_not_from_the_order_given() -> None:
    tied = Run.from_hits("a", {"q1": [Hit("d1", 1.0), Hit("d2", 1.0), Hit("d3", 5.0)]})
    ranks = {c.doc_id: c.rank for c in build_pool([tied], depth=3)}
    assert ranks == {"d3": 1, "d2": 2, "d1": 3}  # ties: document id descending


def test_a_candidate_names_the_run_that_ranks_it_best() -> None:
    found = {c.doc_id: (c.run, c.rank) for c in build_pool([B, A], depth=3)}
    assert found == {"d1": ("a", 1), "d2": ("a", 2), "d3": ("b", 1), "d4": ("b", 3)}
    both = build_pool([ranking("b", q1="d1"), ranking("a", q1="d1")], depth=1)
    assert (both[0].run, both[0].rank) == ("a", 1)


def test_blocks_are_served_in_one_go_and_shuffled_inside() -> None:
    many = ranking("a", q1=" ".join(f"d{n:02}" for n in range(12)))
    pool = build_pool([many], depth=12)
    assert [c.band for c in pool] == [0] * 5 + [1] * 5 + [2] * 2
    for block in range(3):
        ranks = [c.rank for c in pool if c.band == block]
        assert sorted(ranks) == list(range(block * 5 + 1, min(block * 5 + 6, 13)))
    shuffled = [[c.rank for c in build_pool([many], depth=5, seed=seed)] for seed in range(60)]
    assert len({tuple(ranks) for ranks in shuffled}) > 10
    # over many seeds every place is taken by every rank: no place tells the rank
    assert {ranks[0] for ranks in shuffled} == {1, 2, 3, 4, 5}


def test_known_candidates_are_left_out() -> None:
    fresh = build_pool([A, B], depth=3, known={"q1": {"d1", "d2", "d3"}, "q9": {"d4"}})
    assert [(c.doc_id, c.band) for c in fresh] == [("d4", 0)]
    assert build_pool([A], depth=3, known={"q1": ["d1", "d2", "d3"]}) == []


def test_a_query_does_not_depend_on_the_others() -> None:
    docs = " ".join(f"d{n}" for n in range(20))
    alone = build_pool([ranking("a", q2=docs)], depth=20, seed=4)
    among = build_pool([ranking("a", q1="d5 d3", q2=docs, q3="d1")], depth=20, seed=4)
    assert [c for c in among if c.query_id == "q2"] == alone


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_runs_does_not_matter(order: str) -> None:
    runs = [
        ranking("a", q1="d1 d2 d3 d4", q2="d1 d2"),
        ranking("b", q2="d2 d1", q1="d4 d3 d2 d1"),
        ranking("c", q1="d2 d9 d8 d1"),
    ]
    pools = [
        build_pool(mixed, depth=4, order=order, seed=3)
        for mixed in (runs, runs[::-1], [runs[1], runs[0], runs[2]])
    ]
    assert pools[0] == pools[1] == pools[2]


def test_defaults() -> None:
    assert (default_order(1), default_order(2), default_order(9)) == ("depth", "gap", "gap")
    assert build_pool([A], depth=3) == build_pool([A], depth=3, order="depth")
    assert build_pool([A, B], depth=3) == build_pool([A, B], depth=3, order="gap", seed=0, block=5)


@pytest.mark.parametrize(
    ("runs", "settings", "message"),
    [
        ([], {}, "there are no runs to pool (expected: at least one run or engine)"),
        (
            [A, A],
            {},
            'two runs are named "a" (expected: a name of its own for each run)',
        ),
        (
            [A, B],
            {"order": "best"},
            'there is no order "best" (expected: gap, depth, fineband, rrf, random)',
        ),
        (
            [A],
            {"order": "gap"},
            "order gap: one run alone cannot disagree (expected: two or more runs)",
        ),
        (
            [A],
            {"depth": 0, "block": 0},
            "depth: 0 is too small (expected: 1 or more)\n"
            "block: 0 is too small (expected: 1 or more)",
        ),
    ],
)
def test_what_cannot_be_pooled(runs: list[Run], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        build_pool(runs, **({"depth": 3} | settings))


IDS = st.sampled_from([f"d{n}" for n in range(9)])


@given(
    st.lists(st.lists(IDS, unique=True, max_size=9), min_size=2, max_size=4),
    st.integers(1, 9),
    st.sampled_from(sorted(ORDERS)),
    st.integers(1, 4),
)
def test_the_pool_is_the_union_once_each(
    rankings: list[list[str]], depth: int, order: str, block: int
) -> None:
    runs = [ranking(f"r{n}", q1=" ".join(docs)) for n, docs in enumerate(rankings)]
    pool = build_pool(runs, depth=depth, order=order, block=block, seed=1)
    assert sorted(served(pool)) == sorted({doc for docs in rankings for doc in docs[:depth]})
    assert [c.band for c in pool] == [place // block for place in range(len(pool))]
