from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from judge.core.errors import InputError
from judge.core.model import Document
from judge.core.text import words
from judge.synth.own import KnownItems, own_kinds
from judge.synth.own.cloze import informative
from judge.synth.own.copies import holds
from judge.synth.seam import Asked, Kind, Request

if TYPE_CHECKING:
    from collections.abc import Iterable

CONSONANTS, VOWELS = "bcdfghjklmnprstvwxyz", "aeiou"
NAMES = ("own-ngram", "own-terms", "own-title", "own-typos", "own-burial", "own-domains")


def word(number: int) -> str:
    """A word of its own for each number."""
    parts = []
    while number:
        number, digit = divmod(number, 20)
        parts.append(CONSONANTS[digit] + VOWELS[digit % 5])
    return "".join(parts) or "qua"


def sentence(document: int, number: int) -> str:
    """Eight words: four that many documents have, one that some have, three of this one."""
    own = [word(8000 + 40 * document + 4 * number + place) for place in range(3)]
    own.append(word(900 + (document + 11 * number) % 200))
    shared = [word(1 + (document * 7 + number * 3 + place) % 29) for place in range(4)]
    mixed = [part for pair in zip(own, shared, strict=True) for part in pair]
    return " ".join(mixed).capitalize() + "."


def document(number: int, domain: str = "") -> Document:
    return Document(
        id=f"d{number}",
        title=" ".join(word(90_000 + 3 * number + place) for place in range(3)),
        text="  ".join(sentence(number, place) for place in range(6)),
        language="la",
        metadata={"domain": domain or f"domain{number % 3}"},
    )


CORPUS = [document(number) for number in range(120)]


def kind_of(name: str, source: Iterable[Document] = CORPUS) -> Kind:
    return next(kind for kind in own_kinds(source) if kind.name == name)


def make(
    name: str, source: Iterable[Document] = CORPUS, queries: int = 20, seed: int = 1
) -> KnownItems:
    dials = {"words": 500} if name == "own-burial" else {}
    request = Request(size=0, queries=queries, seed=seed, dials=dials)
    made = kind_of(name, source).make(request)
    assert isinstance(made, KnownItems)
    return made


def by_id(made: KnownItems) -> dict[str, Document]:
    return {item.id: item for item in made.documents()}


def row(asked: Asked) -> tuple[str, str]:
    """Target and what it is asked by: of a cloze query the sentence."""
    facts = asked.query.metadata
    return str(facts["target"]), str(facts.get("sentence", asked.query.text))


@pytest.mark.parametrize("name", [*NAMES, "cloze-mix"])
def test_what_all_kinds_keep(name: str) -> None:
    made = make(name)
    asked = list(made.asked())
    assert not made.closed
    assert made.facts["targets"] == len(asked)
    assert len(asked) == 20 or (name == "own-burial" and len(asked) > 5)
    assert len({item.query.id for item in asked}) == len(asked)
    ids = list(by_id(made))
    assert len(ids) == len(set(ids))
    for item in asked:
        assert item.query.category == item.query.metadata["kind"] == name
        assert item.query.language == "la"
        assert item.grades == {item.query.metadata["target"]: 3}
        assert item.hard_negatives == {}
        assert set(item.grades) <= set(ids)


@pytest.mark.parametrize("name", [*NAMES, "cloze-mix"])
def test_the_same_seed_makes_the_same_and_another_one_does_not(name: str) -> None:
    first, again, other = make(name), make(name), make(name, seed=2)
    assert list(first.asked()) == list(again.asked())
    assert list(first.documents()) == list(again.documents()) == list(first.documents())
    assert list(map(row, first.asked())) != list(map(row, other.asked()))


@pytest.mark.parametrize("name", ["own-ngram", "own-title", "own-typos", "cloze-mix"])
def test_an_item_depends_on_no_other(name: str) -> None:
    asked = list(make(name, queries=20).asked())
    assert list(make(name, queries=7).asked()) == asked[:7]
    gone = {"d3", "d50", str(asked[0].query.metadata["target"]).partition("~")[0]}
    fewer = make(name, [item for item in reversed(CORPUS) if item.id not in gone], queries=20)
    # Which words are informative hangs on the whole corpus; which sentence it is does not.
    rows = [found for found in map(row, asked) if found[0].partition("~")[0] not in gone]
    assert len(rows) >= 17
    assert set(rows) <= {row(item) for item in fewer.asked()}


@pytest.mark.parametrize("name", ["own-ngram", "own-title"])
def test_a_passage_stands_in_its_target_only(name: str) -> None:
    for asked in make(name).asked():
        found = words(asked.query.text)
        assert len(found) == (7 if name == "own-ngram" else 3)
        holding = [item.id for item in CORPUS if holds(words(item.body), found)]
        assert holding == [asked.query.metadata["target"]]


def test_a_passage_that_strangers_have_is_not_asked_by() -> None:
    # All passages but those with the last word stand in the other document as well.
    one = "a b c d e f g h i j last"
    strange = f"{one[:-5]} {' '.join(word(n) for n in range(100, 140))}"
    made = make("own-ngram", [Document(id="a", text=one), Document(id="b", text=strange)])
    texts = {row(asked)[0]: row(asked)[1] for asked in made.asked()}
    assert texts["a"] == "e f g h i j last"


def test_terms_are_of_middling_frequency() -> None:
    counts: Counter[int] = Counter()
    for asked in make("own-terms", queries=60).asked():
        found = words(asked.query.text)
        assert len(found) == len(set(found)) == asked.query.metadata["terms"]
        counts[len(found)] += 1
        target = next(item for item in CORPUS if item.id == asked.query.metadata["target"])
        for term in found:
            assert term in words(target.body)
            # 120 documents: at least 2, at most one in twenty.
            assert 2 <= sum(term in words(item.body) for item in CORPUS) <= 6
    assert set(counts) <= {1, 2, 3}


def test_typos_are_those_of_the_dial() -> None:
    for asked in make("own-typos").asked():
        text, true = asked.query.text, asked.query.metadata["right"]
        edits = asked.query.metadata["typos"]
        assert OSA.distance(text, true) <= len(edits)
        changed = sum(a != b for a, b in zip(text.split(), true.split(), strict=True))
        assert changed == len(edits)
    kind = kind_of("own-typos")
    for rate, same in ((0.0, True), (1.0, False)):
        made = kind.make(Request(size=0, queries=20, dials={"typo-rate": rate}))
        assert all((a.query.text == a.query.metadata["right"]) is same for a in made.asked())
    with pytest.raises(InputError, match="typo-rate"):
        kind.make(Request(size=0, queries=5, dials={"typo-rate": 1.5}))


def test_domains_take_turns() -> None:
    domains = Counter(a.query.metadata["domain"] for a in make("own-domains", queries=21).asked())
    assert domains == {"domain0": 7, "domain1": 7, "domain2": 7}
    with pytest.raises(InputError, match="belong to 1 domain"):
        make("own-domains", [document(n, "only") for n in range(40)])


def test_near_copies_share_the_grade_and_are_asked_once() -> None:
    twin = CORPUS[5].model_copy(update={"id": "twin", "title": "another"})
    made = make("own-ngram", [*CORPUS[:12], twin], queries=12)
    graded = [set(asked.grades) for asked in made.asked() if len(asked.grades) > 1]
    assert graded == [{"d5", "twin"}]
    assert made.facts["left_out"] == {"near-copy of another target": 1}
    assert made.facts["near_copies"] == 1


@pytest.mark.parametrize("name", [*NAMES, "cloze-mix"])
def test_a_corpus_without_anything_to_ask_is_refused(name: str) -> None:
    for source in ([], [Document(id="a", text=None), Document(id="b", text="", title="t")]):
        with pytest.raises(InputError):
            make(name, source)


# --- burial --------------------------------------------------------------------------------------


def buried(queries: int = 20, size: int = 500) -> KnownItems:
    source = [document(number, "one" if number % 2 else "two") for number in range(300)]
    made = kind_of("own-burial", source).make(
        Request(size=0, queries=queries, dials={"words": size})
    )
    assert isinstance(made, KnownItems)
    return made


def test_a_target_lies_between_whole_documents_of_its_domain_at_its_depth() -> None:
    made = buried()
    documents = by_id(made)
    originals = {f"d{number}": document(number) for number in range(300)}
    for asked in made.asked():
        facts = asked.query.metadata
        long = documents[facts["target"]]
        parts = long.metadata["parts"]
        assert long.text == "\n\n".join(originals[part].body for part in parts)
        assert len({int(part[1:]) % 2 for part in parts}) == 1
        sizes = [len(words(originals[part].body)) for part in parts]
        place = parts.index(facts["buried"])
        assert sum(sizes) - sizes[place] >= 500
        assert facts["reached"] == pytest.approx(sum(sizes[:place]) / sum(sizes), abs=1e-4)
        assert abs(facts["reached"] - facts["depth"]) <= 0.6 * max(sizes) / sum(sizes)
        holding = [
            d.id for d in documents.values() if holds(words(d.body), words(asked.query.text))
        ]
        assert holding == [long.id]


@pytest.mark.parametrize("queries", [5, 60])
def test_every_document_goes_into_one_long_one(queries: int) -> None:
    made = buried(queries)
    parts = [part for item in made.documents() for part in item.metadata["parts"]]
    assert sorted(parts) == sorted(f"d{number}" for number in range(300))


def test_targets_that_cannot_be_buried_are_counted() -> None:
    made = buried(queries=60)
    asked = len(list(made.asked()))
    assert made.facts["left_out"] == {"not enough other documents to bury it": 60 - asked}
    assert made.facts["targets"] == asked
    assert 0 < asked < 60
    with pytest.raises(InputError, match="no domain has 100,000 words"):
        buried(size=100_000)


# --- cloze ---------------------------------------------------------------------------------------


def test_the_sentence_is_gone_and_the_rest_is_intact() -> None:
    originals = {item.id: item for item in CORPUS}
    made = make("cloze-mix", queries=40)
    documents = by_id(made)
    halves = Counter(asked.query.metadata["half"] for asked in made.asked())
    assert set(halves) == {"typos", "informative"}
    changed = set()
    for asked in made.asked():
        facts = asked.query.metadata
        altered = documents[facts["target"]]
        original = originals[altered.metadata["altered_from"]]
        assert facts["retired"] == [original.id]
        assert altered.title == original.title
        before, cut, after = str(original.text).partition(facts["sentence"])
        assert cut
        assert altered.text == before + after.lstrip()
        assert not holds(words(altered.body), words(facts["sentence"]))
        changed.add(original.id)
    assert len(changed) == 40
    assert not changed & set(documents)
    untouched = [item for item in CORPUS if item.id not in changed]
    assert [item for item in documents.values() if "~" not in item.id] == untouched


def test_what_the_queries_of_both_halves_say() -> None:
    having = Counter(term for item in CORPUS for term in set(words(item.body)))
    for asked in make("cloze-mix", queries=40).asked():
        true = words(asked.query.metadata["sentence"])
        said = words(asked.query.text)
        if asked.query.metadata["half"] == "typos":
            assert len(said) == len(true)
            assert all(OSA.distance(a, b) <= 1 for a, b in zip(said, true, strict=True))
            assert all(len(b) >= 4 for a, b in zip(said, true, strict=True) if a != b)
        else:
            telling = [term for term in true if having[term] <= 24]
            assert len(said) == -(-55 * len(telling) // 100)
            assert [term for term in true if term in said] == said
            left = [having[term] for term in telling if term not in said]
            assert max(having[term] for term in said) <= min(left, default=999)


def test_near_copies_lose_the_sentence_too() -> None:
    text = " ".join(sentence(7, place) for place in range(6))
    copy = Document(id="copy", text=text.upper().replace(". ", ".\n") + " THE END")
    made = make("cloze-mix", [*CORPUS[:10], copy], queries=11)
    documents = by_id(made)
    (asked,) = (item for item in made.asked() if len(item.grades) > 1)
    assert sorted(asked.query.metadata["retired"]) == ["copy", "d7"]
    assert len(asked.grades) == 2
    for doc_id, grade in asked.grades.items():
        assert grade == 3
        assert not holds(words(documents[doc_id].body), words(asked.query.metadata["sentence"]))
    altered = next(item for item in documents.values() if item.id.startswith("copy~"))
    gone = words(asked.query.metadata["sentence"])
    left = f" {' '.join(words(copy.body))} ".replace(f" {' '.join(gone)} ", " ").split()
    assert words(altered.body) == left
    assert len(left) == len(words(copy.body)) - len(gone)


def test_a_sentence_that_strangers_have_stays() -> None:
    footer = "All rights are reserved by the house of the example."
    source = [
        item.model_copy(update={"text": f"{sentence(n, 0)} {footer} {footer} {sentence(n, 1)}"})
        for n, item in enumerate(CORPUS)
    ]
    asked = list(make("cloze-mix", source, queries=30).asked())
    assert len(asked) == 30
    assert all(item.query.metadata["sentence"] != footer for item in asked)


def test_what_comes_again_in_its_document_is_not_taken_out() -> None:
    twice, titled, once = "Oil the chain in the rain.", "Rust spreads on wet iron.", sentence(1, 1)
    source = [Document(id="a", title=titled, text=f"{twice} {titled} {once} {twice}")]
    for seed in range(12):
        (asked,) = make("cloze-mix", source, seed=seed).asked()
        assert asked.query.metadata["sentence"] == once


texts = st.lists(
    st.lists(
        st.sampled_from(["oil", "rust", "chain", "a", "bc", "def"]), min_size=3, max_size=9
    ).map(lambda found: " ".join(found) + ". "),
    min_size=3,
    max_size=7,
).map("".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, min_size=1, max_size=5), st.integers(0, 99))
def test_no_altered_target_still_has_its_sentence(bodies: list[str], seed: int) -> None:
    source = [Document(id=f"d{n}", text=text.title()) for n, text in enumerate(bodies)]
    try:
        made = make("cloze-mix", source, queries=5, seed=seed)
    except InputError:
        return
    documents = by_id(made)
    originals = {item.id: str(item.text) for item in source}
    for asked in made.asked():
        target = documents[asked.query.metadata["target"]]
        original = originals[target.metadata["altered_from"]]
        assert not holds(words(target.body), words(asked.query.metadata["sentence"]))
        lost = len(original) - len(str(target.text))
        cuts = (original[:at] + original[at + lost :] for at in range(len(original) - lost + 1))
        assert str(target.text) in cuts


def test_informative_words_of_a_script_without_spaces() -> None:
    # Pairs of characters: of 京都 and 都庁 one is more than .55 of 2, so both are kept, and
    # written once, as they overlap; 東京 and 庁舎 stand in more than a fifth of the documents.
    having = {"東京": 30, "京都": 1, "都庁": 1, "庁舎": 30}
    assert informative("東京都庁舎", having, 100) == "京都庁"
    assert informative("the of", {"the": 100, "of": 100}, 100) == "the of"
