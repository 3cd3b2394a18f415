"""The judging screen: a key, what it leaves on disk, and what is seen then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.core.model import Document, Query, Scale
from tests.tui.rig import NAME, Rig, drive, events, make, make_small, told

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


@pytest.fixture
def small(workspace: Workspace) -> Workspace:
    make_small(workspace)
    return workspace


def test_everything_needed_is_on_screen(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        text = rig.text
        for needed in (
            "small  ann",
            "query 1/2",
            "judged 0/3",
            "today 0",
            "saved",
            "alpha beta",
            "Which letters?",
            "candidates 1 of 3",
            "First",
            "0 does not answer",
            "1 related but insufficient",
            "2 useful evidence",
            "3 directly answers",
            "x hard negative",
            "s skip",
            "c cannot judge",
            "not judged yet",
            "? help",
            "u undo",
        ):
            assert needed in text

    drive(small, steps)


@pytest.mark.parametrize("grade", [0, 1, 2, 3])
def test_a_digit_grades_and_goes_on(small: Workspace, grade: int) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press(str(grade))
        assert rig.card == ("q1", "d2")
        await rig.see(f"graded {grade}: ")
        await rig.see("judged 1/3")
        assert "saved" in rig.rows[0]
        assert "NOT" not in rig.rows[0]

    drive(small, steps)
    assert told(small) == [("grade", "q1", "d1", grade)]


def test_a_digit_beyond_the_scale_is_explained(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("7")
        await rig.see("there is no grade 7: 0 to 3")

    drive(small, steps)
    assert told(small) == []


def test_marks_flags_skips_and_reasons(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("x")
        await rig.press("s")
        await rig.press("f")
        await rig.see("flagged")
        await rig.press("c")
        await rig.see("cannot judge: l unknown language")
        await rig.press("b")
        assert rig.card == ("q2", "d1")

    drive(small, steps)
    assert told(small) == [
        ("grade", "q1", "d1", 0),
        ("skip", "q1", "d2", None),
        ("flag", "q1", "d3", None),
        ("cannot_judge", "q1", "d3", None),
    ]
    assert events(small)[0].hard_negative
    assert events(small)[3].reason == "broken or missing text"


def test_a_reason_can_be_left_and_no_other_key_counts_meanwhile(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("c", "3", "u", "j")
        await rig.see("press one of the keys that are shown, or esc")
        assert rig.card == ("q1", "d1")
        await rig.press("escape")
        await rig.see("0 does not answer")
        await rig.pilot.pause(0.2)
        await rig.press("3")

    drive(small, steps)
    assert told(small) == [("grade", "q1", "d1", 3)]


def test_hard_negative_toggles_on_low_grades_and_is_refused_on_high_ones(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("1", "k", "x")
        await rig.see("graded 1  hard negative")
        await rig.press("x")
        await rig.see("no hard negative any more")
        assert "graded 1  hard negative" not in rig.text
        await rig.press("3", "k", "x")
        await rig.see("no hard negative: grade 3")

    drive(small, steps)
    assert [e.hard_negative for e in events(small)] == [False, True, False, False]


def test_undo_and_redo_say_what_they_did(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("3", "2", "u")
        assert rig.card == ("q1", "d2")
        await rig.see("undone: grade 2 on d2")
        await rig.press("u")
        assert rig.card == ("q1", "d1")
        await rig.see("not judged yet")
        await rig.press("ctrl+r")
        await rig.see("redone: grade 3 on d1")
        await rig.press("u", "u")
        await rig.see("nothing to undo")

    drive(small, steps)
    assert [e.op for e in events(small)] == ["grade", "grade", "undo", "undo", "redo", "undo"]


def test_undo_reaches_into_the_session_before_and_resume_is_exact(small: Workspace) -> None:
    async def first(rig: Rig) -> None:
        await rig.press("3", "2")

    async def second(rig: Rig) -> None:
        assert rig.card == ("q1", "d3")
        await rig.see("judged 2/3")
        await rig.press("u")
        assert rig.card == ("q1", "d2")
        await rig.press("1")

    drive(small, first)
    drive(small, second)
    assert [e.op for e in events(small)] == ["grade", "grade", "undo", "grade"]


def test_clear_takes_a_judgment_back(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("3", "k", "backspace")
        await rig.see("not judged yet")
        await rig.press("backspace")
        await rig.see("nothing to clear")

    drive(small, steps)
    assert [e.op for e in events(small)] == ["grade", "clear"]


def test_moving_judges_nothing(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("j", "down", "j")
        assert rig.card == ("q1", "d3")
        await rig.see("the last candidate")
        await rig.press("]")
        assert rig.card is not None
        assert rig.card[0] == "q2"
        await rig.press("[", "left", "}", "{", "right")

    drive(small, steps)
    assert told(small) == []


def test_a_note_takes_all_keys_and_grades_nothing(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("i")
        await rig.type("3210 q u ?")
        await rig.press("enter")
        await rig.see("note: 3210 q u ?")
        await rig.press("i")
        await rig.type("forget me")
        await rig.press("escape")
        assert rig.card == ("q1", "d1")
        assert "forget" not in rig.text

    drive(small, steps)
    assert [(e.op, e.note) for e in events(small)] == [("note", "3210 q u ?")]


def test_a_note_that_is_being_typed_is_saved_on_quitting(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("i")
        await rig.type("half a thou")

    drive(small, steps)
    assert [(e.op, e.note) for e in events(small)] == [("note", "half a thou")]


def test_pages_reach_the_end_and_the_place_is_told(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("j", "j")
        await rig.see("lines 1-")
        await rig.press("G")
        end = next(row for row in rig.rows if "lines" in row)
        last = int(end.split(" of ")[-1].split()[0])
        assert f"-{last} of {last}" in end
        await rig.press("g", "space", "b", "ctrl+d", "ctrl+u", "pagedown", "pageup")
        await rig.see("lines 1-")

    drive(small, steps)


def test_query_words_are_marked(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        board = rig.judging.board
        document = board.query_one("#document")
        strips = document.render_lines(document.size.region)
        marked = [s.text for strip in strips for s in strip if s.style and s.style.underline]
        assert marked == ["alpha", "beta"]

    drive(small, steps)


def test_guidelines_open_and_close_and_moving_brings_the_document_back(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("o")
        await rig.see("Read it all.")
        await rig.see("guidelines")
        await rig.press("o")
        assert "Read it all." not in rig.text
        await rig.press("o", "escape")
        assert rig.judging.is_current
        await rig.press("o", "2")
        assert "Read it all." not in rig.text
        await rig.see("beta gamma")

    drive(small, steps)
    assert told(small) == [("grade", "q1", "d1", 2)]


def test_guidelines_stand_beside_the_document_where_there_is_room(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.see("Read it all.")
        await rig.see("alpha beta")

    drive(small, steps, size=(160, 45))


def test_zoom_gives_the_document_the_whole_width(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("z")
        assert "candidates" not in rig.text
        await rig.see("alpha beta")
        await rig.press("3")
        await rig.see("beta gamma")
        await rig.press("z")
        await rig.see("candidates")

    drive(small, steps)
    assert told(small) == [("grade", "q1", "d1", 3)]


def test_all_judged_is_said_with_what_comes_next(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("3", "x", "1", "0", "2", "1")
        await rig.see("All 6 candidates of 2 queries judged. Well done!")
        await rig.see("6 graded, 1 hard negative")
        await rig.see(f"judge score {NAME}")
        await rig.press("3")
        await rig.press("escape", "u")
        assert rig.card == ("q2", "d3")

    drive(small, steps)
    assert [e.op for e in events(small)] == ["grade"] * 6 + ["undo"]


def test_a_finished_dataset_opens_with_its_queries(small: Workspace) -> None:
    async def judge_all(rig: Rig) -> None:
        await rig.press("3", "2", "1", "0", "2", "1")

    async def look(rig: Rig) -> None:
        await rig.see("judge score small")
        await rig.press("enter")
        assert rig.card is not None

    drive(small, judge_all)
    drive(small, look, opened="2 done, 0 part, 0 new")


@pytest.mark.parametrize(("top", "labels"), [(1, ("not relevant", "relevant")), (9, ())])
def test_other_scales(workspace: Workspace, top: int, labels: tuple[str, ...]) -> None:
    documents = [Document(id="d1", text="one"), Document(id="d2", text="two")]
    make(workspace, documents, [Query(id="q", text="one")], scale=Scale.up_to(top))

    async def steps(rig: Rig) -> None:
        for label in labels:
            assert label in rig.text
        for digit in range(top + 1):
            await rig.see(f" {digit} ")
        await rig.see("x hard negative")
        await rig.press(str(top))

    drive(workspace, steps)
    assert told(workspace) == [("grade", "q", "d1", top)]


def test_going_back_leads_to_the_queries_and_out(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("3", "q")
        await rig.see("1/3")
        await rig.press("enter")
        assert rig.card == ("q1", "d2")
        await rig.press("escape", "q")
        await rig.until(lambda: not rig.app.is_running)

    app = drive(small, steps)
    assert app.return_code == 0


def test_a_click_goes_to_a_candidate(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.pilot.click("#list", offset=(5, 2))
        await rig.pilot.pause()
        assert rig.card == ("q1", "d3")

    drive(small, steps)
    assert told(small) == []


def test_the_palette_runs_actions_by_name(small: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.press("ctrl+p")
        await rig.type("skip")
        await rig.pilot.pause(0.5)
        await rig.press("enter")
        await rig.until(lambda: len(rig.app.screen_stack) == 3)
        await rig.settle()
        await rig.see("skipped")

    drive(small, steps)
    assert told(small) == [("skip", "q1", "d1", None)]
