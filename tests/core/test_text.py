"""The analyser: the right words in many scripts, their places, and hostile input; the digest."""

import hashlib
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.text import MAX_TOKEN, Token, digest, fold, tokens, words

# Characters that merge, vanish, expand, reorder or change class, so that short texts hit the seams.
SEAMS = (
    "aA1+#-_'’ \n\té\u0130ı\u0131ßﬁ½ǆŉµπς\u0390\u0308\u0301\u0323\u0345\u20e3"
    "\u200b\u200c\u200d\u00ad\ufeff\ufe0f\U000e0041иї\u0306ё"
    "東京〇々か\u3099ガー\uff76\uff9e\uff9f㍿①℃™×กำ่ที\u0e33ລ\u0eb3ក្ខမြ"
    "नक\u093c\u094dि\u09c7\u09be\u1100\u1161\u11a8각ㄱㅏㄳ\uffa1\uffc2\u115f\u1160"
    "ا\u0640\u064b\u0651\u0654أآىةیک٣३ﷺ\u02bc\ud800\U0001f600"
)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
SEAM_TEXT = st.text(st.sampled_from(SEAMS), max_size=20)
TEXT = ANY_TEXT | SEAM_TEXT
QUICK = settings(max_examples=150, deadline=None)

BY_LANGUAGE = {
    "en": (
        "Don't PANIC: the e-mail of user_id 42 (v3.14), users’ choice…",
        "don t panic the e mail of user id 42 v3 14 users choice",
    ),
    "de": ("Die STRAẞE, Straße: Fußballgröße Über", "die strasse strasse fussballgrosse uber"),
    "es": ("¿Dónde está el ÑANDÚ? 1ª", "donde esta el nandu 1a"),
    "fr": ("L’œuvre d'été, déjà-vu", "l oeuvre d ete deja vu"),
    "pl": ("Łódź", "lodz"),
    "tr": ("İstanbul ISI ısı", "istanbul isi isi"),
    "vi": ("Đường phố Việt Nam", "duong pho viet nam"),
    "el": ("Ἀθήνα, ΟΔΟΣ οδός ταΐζω", "αθηνα οδοσ οδοσ ταιζω"),
    "ru": ("Мой ёж — ЙОД", "мой ёж йод"),
    "uk": ("пʼять п'ять їжак", "п ять п ять їжак"),
    "hi": ("किसानों को फसल बीमा योजना।", "किसानों को फसल बीमा योजना"),
    "hi digits": ("३ कक्षा २०२४", "3 कक्षा 2024"),
    "ta": ("தமிழ்நாடு அரசு", "தமிழ்நாடு அரசு"),
    "bn": ("বাংলাদেশের রাজধানী", "বাংলাদেশের রাজধানী"),
    "ar": ("الْمَدْرَسَةُ إلى أحمد كـــتاب ٢٠٢٤", "المدرسه الي احمد كتاب 2024"),
    "fa": ("می\u200cروم کتاب", "ميروم كتاب"),
    "he": ("שלום עולם", "שלום עולם"),
    "th": ("ภาษาไทย ๒๕๖๗", "ภา าษ ษา าไ ไท ทย 2567"),
    "th marks": ("ที่นี่ดี", "ที่นี่ นี่ดี"),
    "lo": ("ລາວ", "ລາ າວ"),
    "km": ("ភាសាខ្មែរ", "ភាសា សាខ្ ខ្មែ មែរ"),
    "my": ("မြန်မာ", "မြန် န်မာ"),
    "zh": ("北京大学在2024年，我", "北京 京大 大学 学在 2024 年 我"),
    "zh mixed": ("iPhone手机 𠮷野", "iphone 手机 𠮷野"),
    "ja": ("東京タワーへ行く、人々", "東京 タワ ワー ーへ 行 く 人々"),
    "ja half width": ("ｶﾞﾗｽ ＡＢＣ１２３", "ガラ ラス abc123"),
    "ko": ("서울의 봄, 한글은", "서울의 봄 한글은"),
    "code": (
        "C++ C# F# g++ c++17 C a+b A+ 1+1 #tag c##1 x_y Ｃ＋＋",
        "c++ c# f# g++ c++ 17 c a b a+ 1 1 tag c 1 x y c++",
    ),
    "units": ("5㎏ m² 25℃ Acme™ 1\ufe0f\u20e3 ½", "5kg m2 25 c acme 1 1 2"),
    "soft hyphen": ("Donau\u00addampf a\u200bb x\ufeffy", "donaudampf a b xy"),
}


@pytest.mark.parametrize("language", BY_LANGUAGE)
def test_words_of_each_language(language: str) -> None:
    text, expected = BY_LANGUAGE[language]
    assert words(text) == [unicodedata.normalize("NFC", term) for term in expected.split()]


@pytest.mark.parametrize("language", BY_LANGUAGE)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_words_do_not_depend_on_how_a_letter_is_composed(language: str, form: str) -> None:
    text, _ = BY_LANGUAGE[language]
    again = unicodedata.normalize("NFD" if form == "NFD" else "NFC", text)
    assert words(again) == words(text)
    assert [token.term for token in tokens(again)] == words(text)


@pytest.mark.parametrize("language", BY_LANGUAGE)
def test_folding_a_folded_text_changes_nothing(language: str) -> None:
    once = fold(BY_LANGUAGE[language][0])
    assert fold(once) == once


@pytest.mark.parametrize(
    "text", ["", " \t\n", "\u200b", "!?…—", "\u0301\u0301", "\ud800", "😀❤\ufe0f", "++", "´"]
)
def test_texts_without_words(text: str) -> None:
    assert words(text) == []
    assert tokens(text) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ⅷ", "viii"),
        ("ﬁnd", "FIND"),
        ("cafe\u0301", "CAFÉ"),
        ("क\u093c", "क़"),
        ("葛\U000e0100", "葛"),
        ("ــاً", "ا"),
        ("ｳﾞ", "ヴ"),
        ("ㄱㅏ", "가"),
    ],
)
def test_fold_makes_equal(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("и", "й"), ("か", "が"), ("は", "ぱ"), ("कि", "की"), ("ก", "ก่"), ("c#", "c++"), ("ज", "ज़")],
)
def test_fold_keeps_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_fold_keeps_spaces_and_punctuation() -> None:
    assert fold("A  —\u00a0“B”\n") == "a  — “b”\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi  C++!", [("hi", 0, 2), ("c++", 4, 7)]),
        ("Straße ﬁn", [("strasse", 0, 6), ("fin", 7, 9)]),
        ("e\u0301te\u0301 x", [("ete", 0, 5), ("x", 6, 7)]),
        ("\ufeff東京都", [("東京", 1, 3), ("京都", 2, 4)]),
        ("㍿東", [("株式", 0, 1), ("式会", 0, 1), ("会社", 0, 1), ("社東", 0, 2)]),
        ("ｶﾞﾗｽ", [("ガラ", 0, 3), ("ラス", 2, 4)]),
        ("ที่นี่ดี", [("ที่นี่", 0, 6), ("นี่ดี", 3, 8)]),
        ("हिन्दी में", [("हिन्दी", 0, 6), ("में", 7, 10)]),
        ("1½ y", [("11", 0, 2), ("2", 1, 2), ("y", 3, 4)]),
        ("a\u00adb c", [("ab", 0, 3), ("c", 4, 5)]),
    ],
)
def test_places_of_tokens(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert tokens(text) == [Token(*token) for token in expected]


@given(TEXT)
@QUICK
def test_tokens_are_the_words_with_their_places(text: str) -> None:
    found = tokens(text)
    assert [token.term for token in found] == words(text)
    assert all(0 <= token.start < token.end <= len(text) for token in found)
    assert all(1 <= len(token.term) <= MAX_TOKEN for token in found)
    starts = [token.start for token in found]
    assert starts == sorted(starts)


@given(SEAM_TEXT)
@QUICK
def test_a_token_contains_what_its_term_was_made_of(text: str) -> None:
    for token in tokens(text):
        assert token.term in fold(text[token.start : token.end])


@given(st.text(st.characters(max_codepoint=127), max_size=60) | st.text("aB1+#_ ", max_size=20))
@QUICK
def test_ascii_and_other_texts_go_the_same_way(text: str) -> None:
    assert words("й " + text) == ["й", *words(text)]
    assert tokens("й " + text)[1:] == [
        Token(term, start + 2, end + 2) for term, start, end in tokens(text)
    ]


@given(TEXT, TEXT)
@QUICK
def test_a_line_break_divides_texts(left: str, right: str) -> None:
    assert words(f"{left}\n{right}") == words(left) + words(right)


@given(TEXT)
@QUICK
def test_punctuation_of_typesetting_is_like_any_other(text: str) -> None:
    assert words(text.replace("-", "…")) == words(text)


SIZE = 200_000


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a" * SIZE, 1),
        ("QUJD+/" * 10, 10),
        ("c" + "+" * SIZE, 1),
        ("c#1" * (SIZE // 3), SIZE // 3 + 1),
        ("ß" * SIZE, 1),
        ("a" + "\u0301" * SIZE, 1),
        ("и" + "\u0301\u0323" * (SIZE // 2), 1),
        ("か" + "\uff9e\u0323" * (SIZE // 2), 1),
        ("ا" + "\u0640\u064b" * (SIZE // 2), 1),
        ("\u0301\u0323" * (SIZE // 2), 0),
        ("\u200d" * SIZE, 0),
        ("─" * SIZE, 0),
        ("\ud800" * SIZE, 0),
        ("क्" * (SIZE // 2), 1),
        ("東" * SIZE, SIZE - 1),
        ("ก่" * (SIZE // 2), SIZE // 2 - 1),
    ],
    ids=lambda value: ascii(value[:4]) if isinstance(value, str) else str(value),
)
def test_hostile_texts(text: str, count: int) -> None:
    found = words(text)
    assert len(found) == count
    assert len(max(found, key=len, default="")) <= MAX_TOKEN
    assert [token.term for token in tokens(text)] == found


def test_a_long_word_is_cut_and_keeps_its_place() -> None:
    assert tokens("x" * 100) == [Token("x" * MAX_TOKEN, 0, 100)]
    assert tokens("й" * 100) == [Token("й" * MAX_TOKEN, 0, 100)]


def test_marks_beyond_the_bound_are_ignored() -> None:
    assert fold("и" + "\u0301" * 100 + "!") == "и" + "\u0301" * 32 + "!"
    assert fold("─" * 100) == "─" * 100


def by_hand(*parts: bytes | None) -> str:
    encoded = b"".join(
        b"n" if part is None else b"s" + len(part).to_bytes(8, "big") + part for part in parts
    )
    return hashlib.sha256(encoded).hexdigest()


def test_digest_is_the_documented_encoding() -> None:
    assert digest() == by_hand()
    assert digest("é", None, "") == by_hand("é".encode(), None, b"")
    assert digest("a") == "277a62a088a9ffb6dc0018b70a6d41ac4994452d288058f56d1295436b70fb2c"


def test_digest_of_lone_surrogates() -> None:
    assert len(digest("half \ud835")) == 64
    assert digest("\ud83d\ude00") != digest("😀")


PARTS = st.lists(st.none() | st.text(st.sampled_from("ns\x00\x01a\ud800"), max_size=4), max_size=4)


@given(PARTS, PARTS)
@QUICK
def test_digests_are_equal_only_for_equal_parts(
    one: list[str | None], other: list[str | None]
) -> None:
    assert (digest(*one) == digest(*other)) == (one == other)
