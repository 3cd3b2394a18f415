from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from judge.synth.own import (
    CAVEAT,
    System,
    old_index,
    redundancy_warning,
    refuse_ranking,
    verdict,
)
from judge.synth.own.verdicts import blended, rejection, split_half

RNG = np.random.default_rng


def test_halves_are_standardised_apart_and_averaged() -> None:
    # Means .8 .4 .0 (sd .3266, z 1.2247 0 -1.2247) and .02 .04 .03 (z -1.2247 1.2247 0): the hard
    # half weighs as much as the easy one.
    scores = np.array([[0.8, 0.8, 0.02], [0.4, 0.4, 0.04], [0.0, 0.0, 0.03]])
    found = blended(scores, [np.array([0, 1]), np.array([2])])
    assert found == pytest.approx([0.0, 0.6123724, -0.6123724])


def test_one_half_is_the_order_of_the_means() -> None:
    scores = RNG(3).random((5, 40))
    parts = [np.arange(40)]
    assert (np.argsort(blended(scores, parts)) == np.argsort(scores.mean(axis=1))).all()


def test_split_halves_agree_where_systems_differ_and_do_not_where_they_do_not() -> None:
    parts = [np.arange(0, 100), np.arange(100, 200)]
    levels = np.array([[0.1], [0.3], [0.5], [0.7]])
    clear = levels + RNG(1).normal(0, 0.02, (4, 200))
    assert split_half(clear, parts, RNG(2)) == 1.0
    noise = np.repeat(RNG(4).random((1, 200)), 6, axis=0) + RNG(5).normal(0, 0.2, (6, 200))
    assert abs(split_half(noise, parts, RNG(2))) < 0.4
    assert split_half(np.ones((3, 200)), parts, RNG(2)) == 0.0
    assert split_half(np.ones((3, 1)), [np.array([0])], RNG(2)) == 0.0


@pytest.mark.parametrize(
    ("best", "tau", "says"),
    [
        (0.05, 0.4, ""),
        (0.0499, 0.9, "too hard"),
        (0.5, 0.399, "tau 0.40, below 0.4"),
        (0.5, None, ""),
    ],
)
def test_when_a_set_is_rejected(best: float, tau: float | None, says: str) -> None:
    found = rejection(best, tau)
    assert says in found
    assert bool(found) is bool(says)


def test_a_rejected_set_ranks_nobody() -> None:
    scores = np.full((3, 20), 0.01)
    found = verdict([System("a"), System("b"), System("c")], scores, ["typos"] * 20, RNG(1))
    assert "too hard" in found.rejected
    assert (found.standing, found.pairs) == ({}, ())
    assert found.halves == {"typos": pytest.approx({"a": 0.01, "b": 0.01, "c": 0.01})}
    assert found.caveat == CAVEAT


def test_three_words_and_no_others() -> None:
    noise = RNG(1).normal(0, 0.05, (6, 60))
    levels = np.array([[0.7], [0.5], [0.69], [0.3], [0.2], [0.4]])
    systems = [
        System("bm25", "lexical"),
        System("tfidf", "lexical"),
        System("bm25b", "lexical"),
        System("e5", "dense"),
        System("mystery"),
        System("riddle"),
    ]
    halves = ["typos", "informative"] * 30
    pairs = {
        (p.better, p.other): p.word for p in verdict(systems, levels + noise, halves, RNG(2)).pairs
    }
    assert pairs[("bm25", "tfidf")] == "likely"
    assert ("bm25", "bm25b") in pairs or ("bm25b", "bm25") in pairs
    assert pairs.get(("bm25", "bm25b"), pairs.get(("bm25b", "bm25"))) == "open"
    assert pairs[("bm25", "e5")] == pairs[("tfidf", "e5")] == "not comparable"
    assert pairs[("bm25", "mystery")] == pairs[("e5", "mystery")] == "open"
    assert pairs[("riddle", "mystery")] == "open"
    assert len(pairs) == 15
    assert set(pairs.values()) == {"likely", "open", "not comparable"}


@given(st.integers(0, 10**6), st.integers(4, 60))
def test_t_is_that_of_the_paired_test_with_one_half(seed: int, count: int) -> None:
    scores = RNG(seed).random((2, count))
    systems = [System("a", "lexical"), System("b", "lexical")]
    found = verdict(systems, scores, ["typos"] * count, RNG(1))
    for pair in found.pairs:
        expected = stats.ttest_rel(scores[0], scores[1])
        assert pair.t == pytest.approx(abs(float(expected.statistic)))
        assert pair.difference == pytest.approx(abs(scores[0].mean() - scores[1].mean()))


def test_t_of_two_halves_by_hand() -> None:
    # Differences .2 .4 (mean .3, variance .02) and .1 .1 .4 (mean .2, variance .03): d = .25,
    # se = sqrt(.02 / 2 + .03 / 3) / 2 = sqrt(.02) / 2, t = .5 / sqrt(.02) = 3.5355.
    scores = [[0.5, 0.7, 0.5, 0.5, 0.8], [0.3, 0.3, 0.4, 0.4, 0.4]]
    halves = ["typos"] * 2 + ["informative"] * 3
    (pair,) = verdict([System("a"), System("b")], scores, halves, RNG(1)).pairs
    assert (pair.difference, pair.t) == pytest.approx((0.25, 0.5 / math.sqrt(0.02)))


def test_a_pair_without_noise() -> None:
    scores = [[0.5] * 4, [0.25] * 4, [0.5] * 4]
    systems = [System(name, "lexical") for name in "abc"]
    pairs = {p.better + p.other: p for p in verdict(systems, scores, ["x"] * 4, RNG(1)).pairs}
    assert (pairs["ab"].t, pairs["ab"].word) == (math.inf, "likely")
    assert (pairs["ac"].t, pairs["ac"].word) == (0.0, "open")


def test_what_cannot_be_read_is_refused() -> None:
    for scores, halves in (([[1.0, 2.0]], ["x"]), ([[1.0]], []), ([[math.nan]], ["x"])):
        with pytest.raises(ValueError, match="scores"):
            verdict([System("a")], scores, halves, RNG(1))


def test_no_system_and_one_system() -> None:
    assert verdict([], [], ["x"], RNG(1)).rejected == "no system was scored"
    alone = verdict([System("a")], [[0.5, 0.7]], ["x", "x"], RNG(1))
    assert (alone.split_half, alone.pairs, alone.standing) == (None, (), {"a": 0.0})


def test_the_texts_have_the_published_figures() -> None:
    assert all(figure in CAVEAT for figure in (".6 (.25 to .8)", ".4 (0 to .7)", "20-40 judged"))
    assert "own-ngram is a function test" in refuse_ranking("own-ngram")
    assert redundancy_warning(5.0) == ""
    assert redundancy_warning(8.1).startswith("8.1 other documents")


def test_answers_of_the_old_index_are_told() -> None:
    assert old_index(["d1~aa", "d9"], ["d1", "d2", "d3", "d4"]) == ""
    told = old_index(["d4", "d1", "d2", "d3", "d1~aa"], ["d1", "d2", "d3", "d4"])
    assert "4 documents" in told
    assert "(d1, d2, d3, ...)" in told
