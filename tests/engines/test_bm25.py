"""BM25 by tantivy: its scores, its ties and what it makes of odd text."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.model import Document, Query, Scale
from judge.core.text import MAX_TOKEN, words
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.engines.bm25 import K1, B, Bm25
from judge.engines.registry import manual, open_engine
from tests.oracles.bm25 import bm25, exact, one_byte

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.engines.conftest import MakeDataset

ALPHABET = [f"w{number}" for number in range(30)]
FREQUENT_FIRST = [1 / (number + 1) for number in range(30)]


def ask(engine: Bm25, text: str, k: int = 1000, namespace: str | None = None) -> dict[str, float]:
    return dict(engine.search(Query(id="q", text=text, namespace=namespace), k))


def about(scores: dict[str, float]) -> object:
    """Equal to 1e-5, or to 1e-6 of a point: 32 bits keep little of the idf of a word all have."""
    return pytest.approx(scores, rel=1e-5, abs=1e-6)


def random_texts(seed: int, lengths: Sequence[int]) -> dict[str, list[str]]:
    rng = random.Random(seed)
    return {
        f"d{number}": rng.choices(ALPHABET, FREQUENT_FIRST, k=length)
        for number, length in enumerate(lengths)
    }


def opened(workspace: Workspace, texts: dict[str, list[str]]) -> Bm25:
    with stage(workspace, "set") as staging:
        staging.write_documents(Document(id=i, text=" ".join(text)) for i, text in texts.items())
        staging.write_queries([Query(id="q", text="w1")])
        staging.publish(scale=Scale())
    engine = open_engine("bm25", Dataset.open(workspace, "set"))
    assert isinstance(engine, Bm25)
    return engine


SAME_LENGTH = random_texts(1, [37] * 200)
MANY_LENGTHS = random_texts(2, [*range(1, 120), 216, 231, 232, 500, 999, 1541, 5000, 70000])


@pytest.fixture(scope="module")
def same_length(tmp_path_factory: pytest.TempPathFactory) -> Bm25:
    return opened(Workspace(tmp_path_factory.mktemp("same")), SAME_LENGTH)


@pytest.fixture(scope="module")
def many_lengths(tmp_path_factory: pytest.TempPathFactory) -> Bm25:
    return opened(Workspace(tmp_path_factory.mktemp("many")), MANY_LENGTHS)


queries = st.lists(st.sampled_from([*ALPHABET, "unknown"]), min_size=1, max_size=8)


@given(query=queries)
def test_documents_of_one_length_score_as_the_formula_says(
    same_length: Bm25, query: list[str]
) -> None:
    expected = bm25(SAME_LENGTH, query, length=exact)
    assert ask(same_length, " ".join(query)) == about(expected)


@given(query=queries)
def test_lengths_count_as_one_byte_keeps_them(many_lengths: Bm25, query: list[str]) -> None:
    expected = bm25(MANY_LENGTHS, query, length=one_byte)
    assert ask(many_lengths, " ".join(query)) == about(expected)


@given(query=queries)
def test_exact_lengths_differ_by_what_the_byte_drops(many_lengths: Bm25, query: list[str]) -> None:
    found = ask(many_lengths, " ".join(query))
    expected = bm25(MANY_LENGTHS, query, length=exact)
    assert found.keys() == expected.keys()
    for doc_id, score in found.items():
        # A length at most 1/8 short makes each term's share at most 1/7 larger, never smaller.
        assert expected[doc_id] - 1e-6 <= score * (1 + 1e-5)
        assert score <= expected[doc_id] * (8 / 7 + 1e-5) + 1e-6


def test_the_independent_package_agrees(same_length: Bm25) -> None:
    bm25s = pytest.importorskip("bm25s")
    reference = bm25s.BM25(method="lucene", k1=K1, b=B)
    reference.index(list(SAME_LENGTH.values()), show_progress=False)
    query = ["w3", "w7", "w20", "w29"]
    # Its variant leaves the constant factor k1 + 1 out.
    scores = (K1 + 1) * reference.get_scores(query)
    expected = {i: s for i, s in zip(SAME_LENGTH, scores.tolist(), strict=True) if s > 0}
    assert ask(same_length, " ".join(query)) == about(expected)


def test_one_score_worked_out_by_hand(make_dataset: MakeDataset) -> None:
    dataset = make_dataset([Document(id="a", text="x x y"), Document(id="b", text="z")])
    engine = Bm25.open("", dataset)
    # n = 1 of N = 2: idf = ln(1 + 1.5/1.5) = ln 2; avgdl = 2, dl = 3, tf = 2.
    norm = 1.2 * (0.25 + 0.75 * 3 / 2)
    assert ask(engine, "x") == pytest.approx({"a": math.log(2) * 2 * 2.2 / (2 + norm)}, rel=1e-6)


def test_a_repeated_word_counts_twice(same_length: Bm25) -> None:
    once, twice = ask(same_length, "w9"), ask(same_length, "w9 w9")
    assert twice == pytest.approx({doc_id: 2 * score for doc_id, score in once.items()}, rel=1e-6)


def test_title_and_text_are_one_field(make_dataset: MakeDataset) -> None:
    documents = [Document(id="both", title="Alpha", text="beta"), Document(id="x", text="x y")]
    documents += [Document(id="text", text="Alpha beta"), Document(id="none", text=None)]
    engine = Bm25.open("", make_dataset(documents))
    found = ask(engine, "beta alpha")
    assert set(found) == {"both", "text"}
    assert found["both"] == found["text"]


def test_copies_tie_wherever_they_stand(make_dataset: MakeDataset) -> None:
    # tantivy works through 4,096 documents at a time; a copy far away must not differ by a bit.
    rng = random.Random(3)
    texts = [rng.choices(ALPHABET, FREQUENT_FIRST, k=6) for _ in range(9000)]
    copy = ALPHABET[:12] * 2 + ["filler"] * 11
    places = (0, 1, 4095, 4096, 4097, 8191, 8192, 8999)
    for place in places:
        texts[place] = copy
    texts[5].append("early")  # a word whose list ends long before the others do
    documents = [Document(id=f"{n:04}", text=" ".join(text)) for n, text in enumerate(texts)]
    engine = Bm25.open("", make_dataset(documents))
    for query in (ALPHABET[:12], [*ALPHABET[3:12], "early"], ALPHABET[:5], [*ALPHABET[:12], "w2"]):
        found = ask(engine, " ".join(query), 9000)
        assert len({found[f"{place:04}"] for place in places}) == 1
        few = engine.search(Query(id="q", text=" ".join(query)), 20)
        assert dict(few).items() <= found.items()
        assert [hit.doc_id for hit in few] == list(found)[:20]


@pytest.mark.parametrize("k", [1, 3, 10, 49, 50, 60])
def test_a_tie_cut_at_k_keeps_the_highest_ids(make_dataset: MakeDataset, k: int) -> None:
    rng = random.Random(4)
    names = [f"{number:02}" for number in range(50)]
    shuffled = rng.sample(names, k=50)
    dataset = make_dataset([Document(id=name, text="same words") for name in shuffled])
    assert list(ask(Bm25.open("", dataset), "same", k)) == sorted(names, reverse=True)[:k]


def test_a_filter_leaves_the_scores_of_many_documents_alone(make_dataset: MakeDataset) -> None:
    documents = [
        Document(id=i, text=" ".join(text), namespace="odd" if int(i[1:]) % 2 else "even")
        for i, text in MANY_LENGTHS.items()
    ]
    engine = Bm25.open("", make_dataset(documents))
    for query in ("w1 w2 w3", "w0", "w28 w29 w5 w5"):
        everywhere = ask(engine, query)
        odd = {i: score for i, score in everywhere.items() if int(i[1:]) % 2}
        assert ask(engine, query, namespace="odd") == odd


LONG = {
    "latin": "x" * MAX_TOKEN,
    "longer": "y" * (MAX_TOKEN * 3),
    "devanagari": "क" * MAX_TOKEN,
    "four bytes each": "\U0001e922" * MAX_TOKEN,
}


@pytest.mark.parametrize("doc_id", LONG)
def test_long_words_survive(make_dataset: MakeDataset, doc_id: str) -> None:
    dataset = make_dataset([Document(id=name, text=f"a {word} b") for name, word in LONG.items()])
    assert list(ask(Bm25.open("", dataset), LONG[doc_id])) == [doc_id]


def test_terms_reach_the_index_as_the_analyser_made_them(make_dataset: MakeDataset) -> None:
    texts = {"c": "C", "plus": "C++", "sharp": "C#", "sz": "Straße", "sign": "a:b AND (c", "0": "½"}
    engine = Bm25.open("", make_dataset([Document(id=i, text=t) for i, t in texts.items()]))
    for doc_id, text in texts.items():
        wanted = set(words(text))
        shared = {other for other, t in texts.items() if wanted & set(words(t))}
        assert doc_id in shared
        assert set(ask(engine, text)) == shared
    assert list(ask(engine, "STRASSE")) == ["sz"]
    assert list(ask(engine, "c++")) == ["plus"]


@pytest.mark.parametrize(
    "text", ['"unbalanced', "AND OR NOT", "a:b", "[x TO y]", "*", "w1^-2", "(" * 999]
)
def test_query_syntax_means_nothing(same_length: Bm25, text: str) -> None:
    expected = bm25(SAME_LENGTH, words(text))
    assert ask(same_length, text) == about(expected)


def test_odd_ids_come_back_whole(make_dataset: MakeDataset) -> None:
    names = ["007", "1e5", "NA", " ", "a\tb\n", "\x00", "k" * 70000, "../x", "日本/#"]
    dataset = make_dataset([Document(id=name, text="word") for name in names])
    assert set(ask(Bm25.open("", dataset), "word")) == set(names)


def test_odd_namespaces_are_told_apart(make_dataset: MakeDataset) -> None:
    names = ["a b", "a", "A", "\x00", "n" * 70000]
    dataset = make_dataset(
        [Document(id=str(n), text="word", namespace=name) for n, name in enumerate(names)]
    )
    engine = Bm25.open("", dataset)
    for number, name in enumerate(names):
        assert list(ask(engine, "word", namespace=name)) == [str(number)]


def test_a_query_as_long_as_a_book_is_answered(same_length: Bm25) -> None:
    query = ALPHABET * 200 + [f"other{number}" for number in range(3000)]
    expected = bm25(SAME_LENGTH, query)
    assert ask(same_length, " ".join(query)) == about(expected)


def test_the_manual_and_the_settings_say_the_constants() -> None:
    text = manual("bm25")
    for fact in (str(K1), str(B), "ln(1 + (N - n + 0.5) / (n + 0.5))", "one byte", "no stemming"):
        assert fact in text
