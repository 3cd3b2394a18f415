"""Flows: a document in pieces reads as the whole, marks what was asked for, makes no more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judge.core.text import words
from judge.tui.marking import Mark, Marks
from judge.tui.text.cells import cells
from judge.tui.text.flow import HANG, PIECE, Flow

HOSTILE = st.text(
    st.one_of(st.sampled_from("ab c.\n\t\r\x1b\x9b\u202e東京हि्द"), st.characters()), max_size=300
)


def drawn(flow: Flow) -> list[str]:
    flow.extend()
    found = []
    for index in range(len(flow)):
        line = flow.line(index)
        assert line is not None
        found.append(line.text)
    return found


def marked(flow: Flow) -> list[str]:
    flow.extend()
    found = []
    for index in range(len(flow)):
        line = flow.line(index)
        assert line is not None
        found += [run.text for run in line.runs() if run.role == "match"]
    return found


def test_lines_of_a_small_text() -> None:
    assert drawn(Flow("one two\r\nthree", 5)) == ["one", "two", "three"]


@given(HOSTILE, st.integers(2, 60))
def test_runs_are_the_line_and_safe(text: str, width: int) -> None:
    flow = Flow(text, width, Marks(frozenset(words(text)[:3])))
    flow.extend()
    for index in range(len(flow)):
        line = flow.line(index)
        assert line is not None
        assert "".join(run.text for run in line.runs()) == line.text
        assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in line.text)


@given(st.integers(1, 4), st.sampled_from(["wörter und ", "東京都に住む", "naïve\n", "x", "a\r\n"]))
def test_pieces_join_to_the_whole(pieces: int, unit: str) -> None:
    text = unit * (pieces * PIECE // len(unit) + 7)
    flow = Flow(text, 40)
    flow.extend()
    joined = "".join(line.text for i in range(len(flow)) if (line := flow.line(i)))
    assert joined.split() == text.split() or "".join(joined.split()) == "".join(text.split())
    assert flow.done


def test_a_long_line_runs_on_over_the_edge_of_a_piece() -> None:
    text = "word " * 2000
    found = drawn(Flow(text, 49))
    assert set(found[:-1]) == {("word " * 10).strip()}


def test_only_what_is_asked_for_is_made() -> None:
    flow = Flow("some words here " * 20_000, 80)
    assert flow.line(40) is not None
    assert len(flow) < 80
    assert not flow.done


def test_marks_whole_words_in_any_script() -> None:
    text = "The Straße has STRASSE signs. नमस्ते दुनिया 東京都 l'été"
    assert marked(Flow(text, 30, Marks(frozenset(words("strasse दुनिया été"))))) == [
        "Straße",
        "STRASSE",
        "दुनिया",
        "été",
    ]


def test_overlapping_bigrams_become_one_mark() -> None:
    assert marked(Flow("昨日東京都に", 40, Marks(frozenset(words("東京都"))))) == ["東京都"]


def test_marks_stand_right_behind_tabs_and_line_feeds() -> None:
    assert (
        marked(Flow("a\tneedle\r\nb\r\n\tneedle", 40, Marks(frozenset(["needle"]))))
        == ["needle"] * 2
    )


def test_a_word_broken_over_two_lines_is_marked_on_both() -> None:
    assert marked(Flow("abcdefgh", 5, Marks(frozenset(["abcdefgh"])))) == ["abcde", "fgh"]


@given(st.integers(0, 5_000), st.integers(5, 60))
def test_find_gives_the_line_of_a_place(origin: int, width: int) -> None:
    text = "".join(f"{number} " for number in range(2_000))
    flow = Flow(text, width)
    index = flow.find(origin)
    line, after = flow.line(index), flow.line(index + 1)
    assert line is not None
    assert line.origin <= origin
    assert after is None or origin < after.origin


def test_wide_text_keeps_to_its_width() -> None:
    assert all(cells(line) <= 20 for line in drawn(Flow("東京都１２３" * 3000, 20)))


PARAGRAPHS = "".join(f"paragraph {n} says {'something ' * (n % 9)}\n" for n in range(200))


@given(st.integers(0, len(PARAGRAPHS) - 1), st.integers(8, 60))
def test_going_up_from_anywhere_gives_the_lines_of_the_whole(origin: int, width: int) -> None:
    whole = Flow(PARAGRAPHS, width)
    flow = Flow.around(PARAGRAPHS, width, Marks(), origin)
    assert flow.start <= origin
    line, same = flow.line(flow.find(origin)), whole.line(whole.find(origin))
    assert line is not None
    assert same is not None
    assert (line.text, line.origin) == (same.text, same.origin)
    while flow.extend_up():
        pass
    assert flow.start == 0
    assert drawn(flow) == drawn(whole)


@given(st.sampled_from(["x", "東京都に住む", "word ", "नमस्ते", "é\u0301"]), st.integers(0, 9_000))
def test_going_up_tears_nothing_where_there_are_no_paragraphs(unit: str, origin: int) -> None:
    text = unit * 3_000
    flow = Flow.around(text, 40, Marks(), origin)
    while flow.extend_up():
        pass
    assert "".join(drawn(flow)).replace(" ", "") == text.replace(" ", "")


def test_a_flow_from_a_place_on_begins_there() -> None:
    flow = Flow("one two three", 40, start=4)
    assert drawn(flow) == ["two three"]
    line = flow.line(0)
    assert line is not None
    assert (line.origin, line.end) == (4, 13)


def test_marks_lie_over_each_other_in_order() -> None:
    flow = Flow("a needle in\ta stack", 40, Marks(frozenset(["needle"])))
    line = flow.line(0)
    assert line is not None
    over = [Mark(0, 11, "evidence"), Mark(4, 8, "found"), Mark(12, 13, "here")]
    assert [(run.text, run.role) for run in line.runs(over)] == [
        ("a ", "evidence"),
        ("ne", "match"),
        ("edle", "found"),
        (" in", "evidence"),
        ("     ", ""),
        ("a", "here"),
        (" stack", ""),
    ]


def test_a_mark_never_tears_a_character() -> None:
    line = Flow("e\u0301x", 40).line(0)
    assert line is not None
    assert [run.text for run in line.runs([Mark(1, 2, "found")])] == ["e\u0301", "x"]


def hung(flow: Flow) -> list[str]:
    flow.extend()
    lines = [flow.line(index) for index in range(len(flow))]
    return [" " * line.indent + line.text for line in lines if line is not None]


def test_rows_of_a_table_stand_at_stops_and_go_on_further_right() -> None:
    text = (
        "name\tcity\nada\tberlin and its many lakes\r\n\tdeep\tin the wood today\nand so on again"
    )
    assert hung(Flow(text, 24)) == [
        "name    city",
        "ada     berlin and its",
        "    many lakes",
        "        deep    in the",
        "        wood today",
        "and so on again",
    ]


def test_a_row_longer_than_a_piece_hangs_throughout() -> None:
    text = "title\t" + "word " * 1000 + "\nafter"
    found = hung(Flow(text, 40))
    assert found[0].startswith("title   word")
    assert found[-1] == "after"
    assert len(found) > 2 * PIECE // 40
    assert {len(line) - len(line.lstrip()) for line in found[1:-1]} == {HANG}


TABLE = st.text(st.sampled_from("ab \t\n東"), max_size=200)


@given(TABLE, st.integers(1, 40))
def test_tables_keep_to_their_width_and_lose_nothing(text: str, width: int) -> None:
    flow = Flow(text, width)
    found = hung(flow)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(cells(line.rstrip()) <= max(2, width) for line in found)


TABLES = "".join(f"row {n}\t{'cell ' * (n % 19)}\t{n}\nprose {n} {'on ' * 9}\n" for n in range(80))


@given(st.integers(0, len(TABLES) - 1), st.integers(8, 60))
def test_going_up_in_a_table_gives_the_lines_of_the_whole(origin: int, width: int) -> None:
    flow = Flow.around(TABLES, width, Marks(), origin)
    while flow.extend_up():
        pass
    assert hung(flow) == hung(Flow(TABLES, width))
