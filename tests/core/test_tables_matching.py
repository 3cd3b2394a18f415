"""Judged documents are found and ranked right even where fingerprints say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.arrow import Strings
from judge.core.errors import InputError
from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run, match
from judge.core.tables.grouping import blocks, group, stable_order
from tests.oracles.collections import CALM, Made, collections
from tests.oracles.measures import ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge.core.tables import Ties

TIES: list[Ties] = ["trec", "trec9"]


def found(made: Made, ties: Ties) -> list[tuple[str, str, int]]:
    """(query, document, rank) of every judged document of the run."""
    qrels, run = made.tables()
    matches = match(run, qrels, ties)
    sizes = [len(made.run.get(query, {})) for query in qrels.query_ids]
    assert matches.retrieved.tolist() == sizes
    docs = qrels.docs.take(matches.judgment)
    queries = [qrels.query_ids[i] for i in matches.query.tolist()]
    return list(zip(queries, docs, matches.rank.tolist(), strict=True))


def expected(made: Made, ties: Ties) -> list[tuple[str, str, int]]:
    return [
        (query, doc, rank)
        for query, judged in made.qrels.items()
        for rank, doc in enumerate(ranked(made.run.get(query, {}), ties), 1)
        if doc in judged
    ]


@given(collections(), st.sampled_from(TIES))
@CALM
def test_judged_documents_have_their_settled_ranks(made: Made, ties: Ties) -> None:
    assert found(made, ties) == expected(made, ties)


def constant(strings: Strings) -> NDArray[np.uint64]:
    return np.zeros(len(strings), np.uint64)


def by_length(strings: Strings) -> NDArray[np.uint64]:
    return np.diff(strings.offsets).astype(np.uint64)


@pytest.mark.parametrize("prints", [constant, by_length])
@given(made=collections(), ties=st.sampled_from(TIES))
@settings(CALM, max_examples=50)
def test_colliding_fingerprints_change_nothing(made: Made, ties: Ties, prints: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Strings, "fingerprints", prints)
        assert found(made, ties) == expected(made, ties)


@pytest.mark.parametrize("prints", [constant, by_length])
def test_colliding_fingerprints_do_not_hide_repeats(
    prints: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Strings, "fingerprints", prints)
    with pytest.raises(InputError, match='"b" is ranked twice') as caught:
        Run.from_hits("r", {"q": [Hit(doc, 1.0) for doc in "abcb"]})
    assert len(caught.value.problems) == 1
    judgments = [Judgment("q", doc, 1) for doc in "abca"]
    assert len(Qrels.from_judgments(judgments)) == 3


def test_a_tie_of_one_whole_run() -> None:
    docs = [f"d{i}" for i in range(100_000)]
    run = Run.from_hits("r", {"q": [Hit(doc, 0.0) for doc in docs]})
    qrels = Qrels.from_judgments([Judgment("q", doc, 1) for doc in ("d99999", "d0", "d5")])
    order = sorted(docs, reverse=True)
    ranks = sorted(order.index(doc) + 1 for doc in ("d99999", "d0", "d5"))
    assert match(run, qrels).rank.tolist() == ranks


def test_beyond_32_bits_all_scores_are_equal() -> None:
    run = Run.from_hits("r", {"q": [Hit("a", 1e300), Hit("b", 1e39)]})
    qrels = Qrels.from_judgments([Judgment("q", "b", 1)])
    assert match(run, qrels, "trec").rank.tolist() == [2]
    assert match(run, qrels, "trec9").rank.tolist() == [1]


@given(st.lists(st.integers(0, 5)))
@CALM
def test_groups_keep_the_order_of_first_use(codes: list[int]) -> None:
    groups = group(np.array(codes, np.int32), 6)
    rows = np.arange(len(codes)) if groups.rows is None else groups.rows
    first = list(dict.fromkeys(codes))
    assert groups.codes.tolist() == first
    assert rows.tolist() == [i for code in first for i, c in enumerate(codes) if c == code]
    assert np.diff(groups.starts).tolist() == [codes.count(code) for code in first]


@given(st.lists(st.integers(0, 200_000)))
@CALM
def test_the_order_of_codes_is_stable(codes: list[int]) -> None:
    order = stable_order(np.array(codes, np.int32), 200_001)
    assert order.tolist() == sorted(range(len(codes)), key=codes.__getitem__)


@given(st.lists(st.integers(0, 9)), st.integers(1, 12))
@CALM
def test_blocks_never_cut_a_group(sizes: list[int], size: int) -> None:
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    cut = list(blocks(starts, size))
    assert [row for b in cut for row in range(b.start, b.stop)] == list(range(sum(sizes)))
    for block in cut:
        assert (starts[block.first], starts[block.last]) == (block.start, block.stop)
        assert block.stop - block.start <= size + max(sizes)
