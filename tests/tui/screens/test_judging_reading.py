"""Reading on the judging screen: best passages, finding, evidence, and looking back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.core.model import Document, Query
from judge.tui.widgets.docview import DocView
from tests.tui.rig import NAME, Rig, drive, events, make, make_small, told

if TYPE_CHECKING:
    from judge.core.workspace import Workspace

FILL = "The weather was fine, and nobody asked for more of it.\n"
ANSWER = "A hard negative looks close, yet answers nothing.\n"
BEFORE = 100
LONG = FILL * BEFORE + ANSWER + FILL * BEFORE
HUGE = FILL * 2_000 + ANSWER + FILL * 2_000
QUERY = Query(id="q1", text="why a hard negative?")


def one(workspace: Workspace, text: str, title: str = "Title") -> None:
    """Make a dataset of one document."""
    make(workspace, [Document(id="d1", title=title, text=text)], [QUERY])


def document(rig: Rig) -> DocView:
    return rig.judging.board.document


def body(rig: Rig) -> list[str]:
    """Give the rows of the document, without what stands left of it."""
    return [row.partition("│")[2].partition("┃")[0] for row in rig.rows[3:-4]]


def roles(rig: Rig, role: str) -> list[str]:
    """Give what is drawn in a role in the document."""
    pane = document(rig)
    style = pane.style_of(role)
    strips = pane.render_lines(pane.size.region)
    return [s.text for strip in strips for s in strip if s.style == style and s.text.strip()]


# -- the best passage


@pytest.mark.parametrize("text", [LONG, HUGE])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
def test_a_long_document_opens_at_its_best_passage(
    workspace: Workspace, text: str, size: tuple[int, int]
) -> None:
    one(workspace, text)
    start = text.index(ANSWER)

    async def steps(rig: Rig) -> None:
        assert "Title" in rig.text
        assert f"passage {start:,}-" in rig.text
        assert f" of {len(text):,}; w whole text" in rig.text
        assert "A hard negative looks close" in rig.text
        assert document(rig).first_place() == start

    drive(workspace, steps, size=size, opened="whole text")


def test_w_shows_the_whole_text_around_it_and_goes_back(workspace: Workspace) -> None:
    one(workspace, HUGE)

    async def steps(rig: Rig) -> None:
        await rig.press("w")
        row = next(i for i, row in enumerate(rig.rows) if "A hard negative" in row)
        assert "of it." in rig.rows[row - 1]
        assert "Title" not in "\n".join(body(rig))
        await rig.press("w")
        await rig.see("w whole text")
        assert document(rig).first_place() == HUGE.index(ANSWER)
        await rig.press("b")
        assert document(rig).first_place() < HUGE.index(ANSWER)

    drive(workspace, steps)


@pytest.mark.parametrize("text", ["alpha hard negative", FILL * 300, ANSWER + FILL * 300])
def test_no_passage_where_none_is_needed(workspace: Workspace, text: str) -> None:
    one(workspace, text)

    async def steps(rig: Rig) -> None:
        assert "w whole text" not in rig.text
        assert document(rig).first_place() == 0
        assert "Title" in rig.text
        if "negative" not in text or text.startswith("alpha"):
            await rig.press("w")
            await rig.see("this is the whole text")

    drive(workspace, steps)


def test_ends_of_a_huge_text_are_reached_and_full(workspace: Workspace) -> None:
    one(workspace, HUGE + "The last line.")

    async def steps(rig: Rig) -> None:
        await rig.press("G")
        await rig.see("The last line.")
        assert len([row for row in body(rig) if row.strip()]) >= 12
        await rig.press("space")
        await rig.see("The last line.")
        await rig.press("b", "ctrl+u", "pagedown", "end")
        await rig.see("The last line.")
        await rig.press("g")
        await rig.see("Title")
        assert document(rig).first_place() == 0

    drive(workspace, steps)


@pytest.mark.parametrize("keys", [(), ("w",), ("w", "space", "space"), ("G",), ("space", "space")])
def test_the_place_survives_a_change_of_size(workspace: Workspace, keys: tuple[str, ...]) -> None:
    one(workspace, HUGE)

    async def steps(rig: Rig) -> None:
        await rig.press(*keys)
        place = document(rig).first_place()
        for size in ((160, 45), (60, 20), (100, 30)):
            await rig.pilot.resize_terminal(*size)
            await rig.settle()
            now = document(rig).first_place()
            assert abs(now - place) <= 60 * 45 if keys == ("G",) else abs(now - place) < 130

    drive(workspace, steps)


def test_the_next_document_opens_anew(workspace: Workspace) -> None:
    documents = [Document(id="d1", text=LONG), Document(id="d2", text=LONG + "more")]
    make(workspace, documents, [QUERY])

    async def steps(rig: Rig) -> None:
        await rig.press("w", "space", "3")
        assert rig.card == ("q1", "d2")
        await rig.see("w whole text")
        assert document(rig).first_place() == LONG.index(ANSWER)

    drive(workspace, steps)


@pytest.mark.parametrize(
    ("unit", "answer", "query"),
    [
        ("検索モデルの評価は難しい。", "東京都に住む。", "東京都"),
        ("यह प्रक्रिया सुरक्षित है। ", "नया पासवर्ड यहाँ है। ", "नया पासवर्ड"),
        ("يمكن تغييرها لاحقا. ", "كلمة المرور هنا. ", "كلمة المرور"),
    ],
)
def test_passages_in_other_scripts(
    workspace: Workspace, unit: str, answer: str, query: str
) -> None:
    text = unit * 3_000 + answer + unit * 3_000
    make(workspace, [Document(id="d1", text=text)], [Query(id="q1", text=query)])

    async def steps(rig: Rig) -> None:
        await rig.see(answer.strip())
        assert roles(rig, "match")
        await rig.press("w", "b", "G", "g", "w")
        await rig.see(answer.strip())

    drive(workspace, steps)


def test_near_spellings_stand_out_more_weakly(workspace: Workspace) -> None:
    one(workspace, "A negative, two negatives, a negatve.")

    async def steps(rig: Rig) -> None:
        assert roles(rig, "match") == ["negative"]
        assert roles(rig, "near") == ["negatives", "negatve"]

    drive(workspace, steps)


# -- finding


async def find(rig: Rig, words: str) -> None:
    await rig.press("/")
    await rig.type(words)
    await rig.press("enter")


def test_find_goes_from_hit_to_hit_and_round(workspace: Workspace) -> None:
    one(workspace, "Apple pie.\n" + FILL * 60 + "APPLÉ  pie\n" + FILL * 60 + "apple pies")

    async def steps(rig: Rig) -> None:
        await find(rig, "apple PIE")
        await rig.see("hit 1 of 3")
        assert roles(rig, "here") == ["Apple pie"]
        await rig.press("n")
        await rig.see("hit 2 of 3")
        assert roles(rig, "here") == ["APPLÉ  pie"]
        await rig.press("n")
        await rig.see("hit 3 of 3")
        await rig.press("n")
        await rig.see("hit 1 of 3")
        await rig.press("N")
        await rig.see("hit 3 of 3")
        assert roles(rig, "here") == ["apple pie"]
        await rig.press("escape")
        assert roles(rig, "here") == []
        assert rig.judging.is_current
        await rig.press("n")  # the last words again
        await rig.see("hit 3 of 3")
        await find(rig, "")
        await rig.see("hit 3 of 3")

    drive(workspace, steps)
    assert told(workspace) == []


def test_finding_far_away_in_a_huge_text(workspace: Workspace) -> None:
    one(workspace, HUGE * 5 + "The needle.")

    async def steps(rig: Rig) -> None:
        await find(rig, "needle")
        await rig.see("hit 1 of 1")
        await rig.see("The needle.")
        await find(rig, "hard negative")
        await rig.see(" of 5; n N esc")
        await rig.press("N")
        await rig.see("A hard negative looks close")

    drive(workspace, steps)


def test_nothing_found_is_said_and_typing_judges_nothing(workspace: Workspace) -> None:
    one(workspace, "some text")

    async def steps(rig: Rig) -> None:
        await rig.press("n")
        await rig.see("nothing was looked for yet: / does")
        await find(rig, "3210 xsr=e [/bold]")
        await rig.see("no hit for")
        await rig.press("escape")
        await rig.press("/")
        await rig.type("forget")
        await rig.press("escape")
        assert rig.card == ("q1", "d1")

    drive(workspace, steps)
    assert told(workspace) == []


# -- evidence

LINES = "First line here.\nSecond\tline.\nThird line.\n\nFifth line."


def test_lines_become_evidence_with_the_grade(workspace: Workspace) -> None:
    make(workspace, [Document(id="d1", text=LINES), Document(id="d2", text="other")], [QUERY])
    start, end = LINES.index("Second"), LINES.index("\n\nFifth")

    async def steps(rig: Rig) -> None:
        await rig.press("e")
        await rig.see("evidence:")
        await rig.press("j", "space")
        await rig.see("from this line on")
        await rig.press("j", "j", "space")
        await rig.see("kept for the grade")
        assert roles(rig, "evidence") == ["Second  line.", "Third line."]
        await rig.press("3")  # no grade while lines are marked
        await rig.see("esc leaves it")
        await rig.press("escape", "3", "k")
        assert roles(rig, "evidence") == ["Second  line.", "Third line."]
        assert sum("┃" in row for row in rig.rows) == 2

    drive(workspace, steps)
    [event] = events(workspace)
    assert (event.op, event.grade, event.evidence) == ("grade", 3, ((start, end),))

    async def again(rig: Rig) -> None:
        await rig.press("k")
        assert roles(rig, "evidence") == ["Second  line.", "Third line."]
        await rig.press("e", "backspace")
        await rig.see("no evidence any more")
        assert roles(rig, "evidence") == []
        await rig.press("escape", "u")
        assert len(roles(rig, "evidence")) == 2

    drive(workspace, again)
    assert [(e.op, e.grade, e.evidence) for e in events(workspace)[1:2]] == [("grade", 3, ())]


def test_the_passage_becomes_evidence(workspace: Workspace) -> None:
    one(workspace, LONG)

    async def steps(rig: Rig) -> None:
        await rig.press("3", "escape", "k", "e", "p")
        await rig.see("characters kept")
        await rig.press("escape")

    drive(workspace, steps)
    [start, end] = events(workspace)[-1].evidence[0]
    assert LONG[start:].startswith(ANSWER)
    assert LONG[end - 1] == "."


def test_the_cursor_reaches_both_ends_and_pages_take_it_along(workspace: Workspace) -> None:
    one(workspace, HUGE)

    async def steps(rig: Rig) -> None:
        await rig.press("w", "e", *("k", "up") * 15)
        assert document(rig).cursor is not None
        await rig.press("pagedown", "ctrl+d")
        assert any("▸" in row.partition("│")[0][-1:] or "▸" in row[28:30] for row in rig.rows)
        await rig.press("g")
        assert document(rig).cursor == 0
        await rig.press("k", "G", "j", "down", "j")
        place = document(rig).cursor
        assert place is not None
        assert place > len(HUGE) - 60
        await rig.press("q")
        assert document(rig).cursor is None

    drive(workspace, steps)


# -- looking back


def test_what_is_graded_is_listed_and_shown_beside(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("v")
        await rig.see("no document of this query is graded yet")
        await rig.press("1", "3", "k", "i")
        await rig.type("as it says")
        await rig.press("enter", "j", "v")
        await rig.see("graded 1 of 2")
        await rig.see("d2: graded 3")
        await rig.press("enter")
        await rig.see("beside  d2, graded 3")
        await rig.see("beta gamma")
        await rig.press("j")
        await rig.see("beside  d1, graded 1")
        await rig.see("alpha beta")
        await rig.press("2", "escape")
        await rig.see("graded 2 of 2")
        await rig.press("escape")
        await rig.see("candidates 3 of 3")
        assert rig.card == ("q1", "d3")

    drive(workspace, steps)
    assert [e.op for e in events(workspace)] == ["grade", "grade", "note"]


@pytest.mark.parametrize(("size", "both"), [((160, 45), True), ((60, 20), False)])
def test_side_by_side_where_there_is_room(
    workspace: Workspace, size: tuple[int, int], *, both: bool
) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("3", "v", "enter")
        await rig.see("beside  d1, graded 3")
        assert any("beta gamma" in row and "alpha beta" in row for row in rig.rows[3:]) == both
        await rig.press("v")
        await rig.see("beta gamma")

    drive(workspace, steps, size=size, opened="alpha beta")


def test_a_near_copy_is_pointed_out_and_graded_alike(workspace: Workspace) -> None:
    text = " ".join(f"word{n}" for n in range(200))
    documents = [
        Document(id="d1", title="Original", text=text),
        Document(id="d2", title="Copy", text=text + " end"),
        Document(id="d3", title="Third", text="something else"),
    ]
    make(workspace, documents, [QUERY])

    async def steps(rig: Rig) -> None:
        await rig.press("=")
        await rig.see("near-copy")
        await rig.press("2")
        await rig.see('% like "Original", which you graded 2: = gives the same')
        await rig.press("=")
        await rig.see("graded 2 like d1")
        assert rig.card == ("q1", "d3")
        await rig.pilot.pause(0.4)
        assert "% like" not in rig.text

    drive(workspace, steps, size=(100, 24))
    assert [(e.op, e.doc_id, e.grade, e.source) for e in events(workspace)] == [
        ("grade", "d1", 2, "human"),
        ("grade", "d2", 2, "propagated"),
    ]


def test_the_rest_of_a_query_is_one_action(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("3", "r")
        await rig.see("2 documents graded 0")
        assert rig.card is not None
        assert rig.card[0] == "q2"
        await rig.press("u")
        await rig.see("judged 1/3")
        assert rig.card == ("q1", "d2")

    drive(workspace, steps)


def test_coming_back_to_what_was_put_off(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press(".", "x")
        await rig.see("press one of the keys that are shown")
        await rig.press("f")
        await rig.see("flagged")
        await rig.press("s", "f", "j", "c", "o", ".", "s")
        assert rig.card == ("q1", "d1")
        await rig.press(".", "f")
        assert rig.card == ("q1", "d2")
        await rig.press(".", "c")
        assert rig.card == ("q1", "d3")

    drive(workspace, steps)
    assert [e.op for e in events(workspace)] == ["skip", "flag", "cannot_judge"]


def test_the_pace_is_a_sheet_and_stands_in_the_header(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.press("p")
        await rig.see("known after the first judgment")
        await rig.press("p", "3")
        await rig.see("s each")
        await rig.press("p")
        await rig.see("1 of 6 candidates judged")
        await rig.see("s a judgment (median")
        await rig.press("escape")
        assert "(median" not in rig.text

    drive(workspace, steps, size=(160, 45))


def test_a_long_row_of_equal_grades_is_mentioned_once(workspace: Workspace) -> None:
    documents = [Document(id=f"d{n}", text=f"text {n}") for n in range(16)]
    make(workspace, documents, [QUERY])

    async def steps(rig: Rig) -> None:
        await rig.press(*"0" * 12)
        await rig.see("12 times grade 0 in a row")
        await rig.press("0")
        assert "in a row" not in rig.text

    drive(workspace, steps, size=(120, 24))


HOSTILE = "\x1b[31m\x1b]0;x\x07\x9b2J[/bold] [/ \u202e\u200b needle\t\r\n"


def test_hostile_text_in_every_mode(workspace: Workspace) -> None:
    documents = [
        Document(id=f"d{n}\x1b[2J", title=HOSTILE, text=HOSTILE * 200 + f"{n}") for n in range(3)
    ]
    make(workspace, documents, [Query(id="q1", text="needle " + HOSTILE)], name=NAME)

    async def steps(rig: Rig) -> None:
        await rig.press("2")
        await find(rig, "needle [/bold]")
        await rig.press("n", "e", "space", "p", "escape", "w", "v", "enter", "escape", "escape")
        await rig.press("i")
        await rig.type("[/x]")
        await rig.press("enter", "v", "p", "escape", ".", "escape")
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in rig.text if c != "\n")

    drive(workspace, steps, opened="not judged yet")
