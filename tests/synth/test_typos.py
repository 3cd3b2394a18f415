from __future__ import annotations

import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from judge.synth.chance import Chance
from judge.synth.typos import EDITS, LEAST, can_be_mistyped, letters, mistyped, typo

ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyzäöüéñß",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "абвгдежзиклмнопрстуфхцчшщыьэюя",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "אבגדהוזחטיכלמנסעפצקרשת",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "東京都大阪府日本語検索",
    "さくらまつりかたひ",
    "가나다라마바사아자차",
    "አበገደሀወዘ",  # Ethiopic: no list of its letters here
)
words_of_one_script = st.sampled_from(ALPHABETS).flatmap(
    lambda alphabet: st.text(alphabet, min_size=LEAST, max_size=12)
)
seeds = st.integers(0, 10**6)


@given(words_of_one_script, seeds)
def test_a_typo_is_one_edit_that_keeps_the_first_and_the_last_letter(word: str, seed: int) -> None:
    wrong, kind = typo(word, Chance(seed))
    assert OSA.distance(word, wrong) == 1
    assert (wrong[0], wrong[-1]) == (word[0], word[-1])
    assert len(wrong) - len(word) == {"insert": 1, "delete": -1}.get(kind, 0)


@given(words_of_one_script, seeds)
def test_a_typo_stays_in_the_script_of_the_word(word: str, seed: int) -> None:
    def script(text: str) -> set[str]:
        return {unicodedata.name(char).split()[0] for char in text}

    assert script(typo(word, Chance(seed)).word) <= script(word)


@given(st.text("कखगतनपमरलसािीुे्ंँ", min_size=1, max_size=16), seeds)
def test_no_letter_is_cut(word: str, seed: int) -> None:
    parts = letters(word)
    assert "".join(parts) == word
    if not can_be_mistyped(word):
        return
    wrong, kind = typo(word, Chance(seed))
    after = letters(wrong)
    assert OSA.distance(parts, after) == 1
    assert (after[0], after[-1]) == (parts[0], parts[-1])
    if kind in {"delete", "swap"}:
        assert not Counter(after) - Counter(parts)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("क्षमा", ["क्ष", "मा"]),  # the virama stacks
        ("அம்மா", ["அ", "ம்", "மா"]),  # the pulli does not
        ("น้ำ", ["น้ำ"]),
        ("cafe\u0301s", ["c", "a", "f", "e\u0301", "s"]),
        ("한국", ["한", "국"]),
        ("ﾊﾞｽ", ["ﾊﾞ", "ｽ"]),
        ("می\u200cروم", ["م", "ی\u200cر", "و", "م"]),
        ("", []),
    ],
)
def test_letters_are_what_a_reader_takes_for_one(word: str, parts: list[str]) -> None:
    assert letters(word) == parts


def test_all_kinds_come_about_as_often_where_all_are_possible() -> None:
    kinds = Counter(typo("friction", Chance(seed)).kind for seed in range(2000))
    assert set(kinds) == set(EDITS)
    assert all(330 < count < 470 for count in kinds.values())  # 400 each; sd 18


def test_a_neighbouring_key_is_one_that_touches() -> None:
    wrong = {
        kind.word for seed in range(300) if (kind := typo("xaax", Chance(seed))).kind == "adjacent"
    }
    assert {word.replace("a", "", 1).strip("x") for word in wrong} == set("qwsz")


def test_no_swap_of_equal_letters_and_no_key_where_no_layout_is_known() -> None:
    assert {typo("booot", Chance(seed)).kind for seed in range(200)} == set(EDITS) - {"swap"}
    kinds = {typo("東京都庁舎", Chance(seed)).kind for seed in range(200)}
    assert kinds == set(EDITS) - {"adjacent"}


def test_capitals_stay_capitals() -> None:
    assert all(typo("CHAIN", Chance(seed)).word.isupper() for seed in range(100))


@pytest.mark.parametrize("word", ["oil", "", "1984", "a-bcd", "year2000", "\u1112\u1161\u11ab" * 4])
def test_what_cannot_be_mistyped_is_refused(word: str) -> None:
    assert not can_be_mistyped(word)
    with pytest.raises(ValueError, match="fewer than 4 letters"):
        typo(word, Chance(1))


@given(st.text(max_size=60), seeds)
def test_a_share_of_nothing_changes_nothing(text: str, seed: int) -> None:
    assert mistyped(text, 0.0, Chance(seed)) == (text, ())


def test_every_word_of_four_letters_gets_one_edit_at_a_share_of_one() -> None:
    text = "The chain, oiled in 2024 (twice), doesn't squeak."
    wrong = mistyped(text, 1.0, Chance(7))
    assert len(wrong.edits) == 5  # chain, oiled, twice, doesn, squeak
    assert [w for w in wrong.text.split() if w in text.split()] == ["The", "in", "2024"]
    assert wrong.text.endswith(".")
    assert wrong == mistyped(text, 1.0, Chance(7))


def test_about_the_share_of_the_words_is_mistyped() -> None:
    edits = mistyped("chain " * 4000, 0.3, Chance(5)).edits
    assert 1100 < len(edits) < 1300


def test_a_script_without_spaces_is_mistyped_by_fours() -> None:
    assert len(mistyped("東京都庁舎前駅。新宿", 1.0, Chance(1)).edits) == 1
    assert len(mistyped("東京都庁" * 5, 1.0, Chance(1)).edits) == 5
