from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.model import Document
from judge.core.text import words
from judge.synth.own.copies import holds, look_for_copies, shingles
from judge.synth.own.survey import Survey


def corpus(*texts: str) -> list[Document]:
    return [Document(id=f"d{number}", text=text) for number, text in enumerate(texts)]


def counted(documents: list[Document], *targets: int) -> Survey:
    having = Counter(word for item in documents for word in set(words(item.body)))
    return Survey(len(documents), having, tuple(documents[at] for at in targets))


def test_near_copies_and_passages_by_hand() -> None:
    # 12 words: 10 shingles. One word changed at the end: 9 of 11 are common (.82); one in the
    # middle: 7 of 13 (.54).
    base = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]
    documents = corpus(
        " ".join(base),
        " ".join([*base[:-1], "x"]),
        " ".join([*base[:5], "x", *base[6:]]),
        "A, b; c d e!  f g h i j k l",
        "m n o p",
    )
    found = look_for_copies(
        documents,
        counted(documents, 0),
        {"d0": [("a", "b", "c"), ("j", "k", "l"), ("d", "e", "f")]},
    ).by_target["d0"]
    assert found.copies == {"d1": frozenset({0, 2}), "d3": frozenset({0, 1, 2})}
    assert found.elsewhere == {0, 1}  # both stand in d2, which is no near-copy


@given(st.lists(st.text("abc ", max_size=24), min_size=1, max_size=6))
def test_near_copies_are_those_of_the_definition(texts: list[str]) -> None:
    documents = corpus(*texts)
    findings = look_for_copies(
        documents, counted(documents, *range(len(texts))), {d.id: [] for d in documents}
    )
    for one in documents:
        near = set()
        for other in documents:
            a, b = shingles(words(one.body)), shingles(words(other.body))
            if one is not other and a and b and len(a & b) >= 0.7 * len(a | b):
                near.add(other.id)
        assert set(findings.by_target[one.id].copies) == near


def test_a_row_of_words_stands_in_another_at_its_borders_only() -> None:
    assert holds(["the", "oil", "can"], ["oil", "can"])
    assert not holds(["the", "oil", "cans"], ["oil", "can"])
    assert not holds(["can", "oil"], ["oil", "can"])


def test_redundancy_by_hand() -> None:
    # idf: x and y stand in 2 of 4 documents, ln 2; z, u in one, ln 4. Vectors: d0 (x ln2, y ln2),
    # d1 (x ln2, z ln4): cosine ln2^2 / (ln2 sqrt2 * ln2 sqrt5) = .316; d2 (y, u): the same.
    documents = corpus("x y", "x z", "y u", "v")
    assert 1 / math.sqrt(10) > 0.3
    findings = look_for_copies(documents, counted(documents, 0), {"d0": []})
    assert findings.redundancy == 2.0
    findings = look_for_copies(documents, counted(documents, 0, 3), {"d0": [], "d3": []})
    assert findings.redundancy == 1.0


@pytest.mark.parametrize(("text", "count"), [("", 0), ("one", 1), ("one two", 1), ("a b c d", 2)])
def test_shingles_of_short_texts(text: str, count: int) -> None:
    assert len(shingles(words(text))) == count
