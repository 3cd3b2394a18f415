"""Near-copies: the share against a plain longest common subsequence, in any script, at any size."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from judge.core.similar import CAP, NEAR, Match, Sketch, nearest, similarity

LETTERS = {
    "latin": "abcdefghijklmnopqrstuvwxyz",
    "cyrillic": "абвгдежзиклмнопрстуфхцчшщыэюя",
    "devanagari": "कखगघचछजझटठडढतथदधनपफबभमयरलवसह",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "han": "".join(chr(code) for code in range(0x4E00, 0x5600)),
    "kana": "かきくけこさしすせそたちつてとなにぬねの",
    "hangul": "".join(chr(code) for code in range(0xAC00, 0xB000)),
    "emoji": "".join(chr(code) for code in range(0x1F400, 0x1F440)),
}


def prose(script: str, letters: int, seed: int = 0, word: int = 7) -> str:
    """Made-up words of a script with spaces between them; `letters` does not count the spaces."""
    chance = random.Random(f"{script} {seed}")
    text = "".join(chance.choices(LETTERS[script], k=letters))
    return " ".join(text[at : at + word] for at in range(0, letters, word))


def common(a: str, b: str) -> int:
    """The longest common subsequence, by the textbook."""
    row = [0] * (len(b) + 1)
    for left in a:
        before = 0
        for at, right in enumerate(b, 1):
            before, row[at] = row[at], before + 1 if left == right else max(row[at], row[at - 1])
    return row[-1]


@settings(max_examples=200)
@given(st.text("abcd", max_size=30), st.text("abcd", max_size=30))
def test_the_share_of_short_texts_is_twice_what_is_common_by_the_letters(a: str, b: str) -> None:
    expected = 2 * common(a, b) / (len(a) + len(b)) if a and b else 0.0
    assert similarity(a, b) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The pump leaks.", "the PUMP\n\tleaks."),
        ("Straße", "STRASSE"),
        ("ｆｕｌｌ width", "full width"),
        ("café", "cafe\u0301"),
        ("東 京 都", "東京都"),
        ("كتاب", "كـتاب"),
    ],
)
def test_case_width_marks_and_white_space_make_no_difference(a: str, b: str) -> None:
    assert similarity(a, b) == 1.0


@pytest.mark.parametrize("nothing", ["", " \n\t ", "\u00ad", "\u0640"])
def test_nothing_is_like_nothing(nothing: str) -> None:
    assert similarity(nothing, nothing) == 0.0
    assert similarity(nothing, "text") == 0.0
    assert nearest(nothing, [nothing, "text"]) is None


def test_lone_surrogates_are_letters_like_others() -> None:
    assert similarity("ab\ud800cd", "ab\ud800cd") == 1.0
    assert similarity("ab\ud800c", "ab\udc00c") == 0.75


@settings(max_examples=100)
@given(st.text(max_size=60), st.text(max_size=60))
def test_the_order_makes_no_difference_and_the_share_is_a_share(a: str, b: str) -> None:
    share = similarity(a, b)
    assert 0.0 <= share <= 1.0
    assert similarity(b, a) == share


def with_changes(text: str, places: list[int], size: int, by: str) -> str:
    for place in sorted(places, reverse=True):
        text = text[:place] + by + text[place + size :]
    return text


@pytest.mark.parametrize("script", sorted(LETTERS))
@pytest.mark.parametrize("letters", [300, 3_000, 30_000, 90_000])
def test_a_copy_with_changed_words_is_as_like_as_was_left(script: str, letters: int) -> None:
    plain = prose(script, letters).replace(" ", "")
    # Six letters of every hundred are replaced by signs that the text does not have.
    changed = with_changes(plain, list(range(40, letters - 6, 100)), 6, "§§§§§§")
    kept = 1 - 6 * len(range(40, letters - 6, 100)) / letters
    assert similarity(plain, changed) == pytest.approx(kept, abs=0.004)
    others = [prose(script, letters, seed) for seed in (1, 2, 3)]
    found = nearest(plain, [*others, changed])
    assert found == Match(3, similarity(plain, changed))


@pytest.mark.parametrize("letters", [2_000, 50_000])
def test_another_text_of_the_script_is_no_copy(letters: int) -> None:
    for script in LETTERS:
        others = [prose(script, letters, seed) for seed in (1, 2, 3)]
        assert nearest(prose(script, letters), others) is None


@pytest.mark.parametrize("letters", [1_000, 60_000])
def test_what_was_added_or_left_out_counts(letters: int) -> None:
    text, more = prose("latin", letters), prose("latin", letters // 10, seed=9)
    half = len(text) // 2
    count = len(text.replace(" ", ""))
    extra = len(more.replace(" ", ""))
    expected = 2 * count / (2 * count + extra)
    for longer in (text + more, more + text, text[:half] + more + text[half:]):
        # Letters that happen to be common to both beside the copy can only add to the share.
        assert similarity(text, longer) == pytest.approx(expected, abs=0.002)
        assert nearest(longer, [text]) is not None
    assert nearest(text + text[::-1], [text]) is None


def test_a_block_that_moved_counts_once() -> None:
    text = prose("latin", 50_000)
    fifth = len(text) // 5
    moved = text[fifth:] + " " + text[:fifth]
    assert similarity(text, moved) == pytest.approx(0.8, abs=0.02)


def test_a_replaced_chapter_counts_in_full() -> None:
    text, other = prose("latin", 100_000), prose("latin", 20_000, seed=5)
    start = len(text) // 3
    changed = text[:start] + other + text[start + len(other) :]
    assert similarity(text, changed) == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize("letters", [CAP - 3, CAP - 2, CAP, CAP + 1, CAP + 2])
def test_nothing_breaks_where_long_begins(letters: int) -> None:
    text = prose("latin", letters)
    for other in (text[:-9], text + " more", text.upper(), text.replace(" ", "\n")):
        shorter, longer = sorted((len(text.replace(" ", "")), len("".join(other.split()))))
        assert similarity(text, other) == pytest.approx(2 * shorter / (shorter + longer), abs=1e-3)


def test_repeated_texts_are_at_least_like_themselves() -> None:
    for text in ("foo " * 50_000, "x" * 20_000, "ab\n" * 9_000):
        assert similarity(text, text) == 1.0
        assert similarity(text, text.upper()) <= 1.0


def test_the_nearest_is_the_first_of_the_best() -> None:
    text = "Bleed the radiator before the season begins"
    one, two = text.replace("the", "teh"), text.replace("season", "saison")
    assert nearest(text, [two, one, one]) == Match(0, similarity(text, two))
    assert similarity(text, two) > similarity(text, one) > NEAR
    assert nearest(text, [one, two, two]) == Match(1, similarity(text, two))
    assert nearest(text, [one, text, two]) == Match(1, 1.0)
    assert nearest(text, []) is None


def test_sketches_and_texts_are_the_same() -> None:
    text = prose("latin", 20_000)
    others = [prose("latin", 20_000, 1), text.replace("e", "3", 50)]
    expected = nearest(text, others)
    assert expected is not None
    assert nearest(Sketch(text), list(map(Sketch, others))) == expected
    assert nearest(Sketch(text), others) == expected


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_first_look_passes_over_no_copy_that_people_make(data: st.DataObject) -> None:
    letters = data.draw(st.integers(20, 2_000))
    script = data.draw(st.sampled_from(sorted(LETTERS)))
    text = prose(script, letters, data.draw(st.integers(0, 50)))
    words = text.split(" ")
    for _ in range(data.draw(st.integers(0, 1 + len(words) // 8))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at : at + 1] = data.draw(st.sampled_from([[], ["zzz"], [words[at], "und"]]))
        words = words or ["z"]
    changed = " ".join(words)
    share = similarity(text, changed)
    found = nearest(text, [prose(script, letters, 99), changed])
    assert found == (Match(1, share) if share >= NEAR else None)


@pytest.mark.parametrize("script", ["latin", "devanagari", "han", "emoji"])
def test_200_000_letters_are_never_compared_letter_by_letter(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What keeps long texts quick: what takes time with the square of letters gets few of them."""
    text = prose(script, 200_000)
    changed = with_changes(text, list(range(0, 200_000, 400)), 6, "§§§§§§")
    looked_at = 0

    def counted(one: str, other: str) -> float:
        nonlocal looked_at
        looked_at += len(one) + len(other)
        return compare(one, other)

    compare = Indel.normalized_similarity
    monkeypatch.setattr(Indel, "normalized_similarity", counted)
    assert Sketch(text).share(Sketch(changed)) > 0.95
    assert 0 < looked_at <= 4 * CAP
