"""The agreement screen: what it says, and what each key settles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tui.settling import (
    WIDE,
    Judge,
    dispute,
    finals,
    settle,
    settled_events,
)

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


pytestmark = pytest.mark.slow


@pytest.fixture
def disputed(workspace: Workspace) -> Workspace:
    dispute(workspace)
    return workspace


def test_figures_table_and_list(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        rows = judge.rig.rows
        text = judge.rig.text
        assert "small  agreement  ann" in rows[0]
        assert "4 of 4 to settle" in rows[0]
        assert "saved" in rows[0]
        assert "6 pairs double-judged" in text
        assert "same grade 0.50" in text
        # li (rows): 1 0 2 3 1 0; maria (columns): 3 0 2 0 1 1. Two grades apart has a sign.
        table = [row.split("│")[0].split() for row in rows if row.startswith("  ")]
        assert ["0", "1", "1", "0", "0"] in table
        assert ["1", "0", "1", "0", "!1"] in table
        assert ["2", "0", "0", "1", "0"] in table
        assert ["3", "!1", "0", "0", "0"] in table
        assert "li ↓  maria →" in text
        assert [d.size for d in judge.docket.disagreements] == [3, 2, 1, 0]
        assert judge.pair == "q2/d1"
        assert "1 of 4  3 apart" in text
        await judge.see("document  whole text")

    settle(disputed, steps)
    assert finals(disputed) == []


def test_grades_and_notes_stand_beside_the_document_without_names(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        text = judge.rig.text
        assert "3  directly answers   note: says it" in text
        assert "0  does not answer" in text
        assert "not settled yet" in text
        assert "alpha beta" in text
        assert "delta" in judge.rig.rows[1]
        verdicts = "\n".join(row.split("│")[-1] for row in judge.rig.rows[4:8])
        assert "maria" not in verdicts
        assert "li" not in verdicts.split()
        assert {line.split()[0] for line in verdicts.splitlines()[:2]} == {"A", "B"}

    settle(disputed, steps, size=WIDE)


def test_names_are_told_on_demand_and_when_final(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        def verdicts() -> list[str]:
            return [row.split("│")[-1].split()[0] for row in judge.rig.rows[4:6]]

        assert set(verdicts()) == {"A", "B"}
        await judge.press("v")
        assert set(verdicts()) == {"maria", "li"}
        await judge.see("names shown")
        await judge.press("v")
        assert set(verdicts()) == {"A", "B"}
        await judge.press("2", "k")
        assert judge.pair == "q2/d1"
        assert set(verdicts()) == {"maria", "li"}
        await judge.see("by ann")

    settle(disputed, steps, size=WIDE)


@pytest.mark.parametrize("grade", [0, 1, 2, 3])
def test_a_digit_is_final_and_goes_on(disputed: Workspace, grade: int) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press(str(grade))
        assert judge.pair == "q1/d1"
        await judge.see("3 of 4 to settle")
        await judge.see(f"final: graded {grade}")
        assert "saved" in judge.rig.rows[0]
        row = next(row for row in judge.rig.rows if "q2 " in row and "First" in row)
        assert row.split()[2] == str(grade)

    settle(disputed, steps)
    assert finals(disputed) == [("grade", "q2", "d1", grade, False, None)]


def test_a_digit_beyond_the_scale_is_explained(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("7")
        await judge.see("there is no grade 7: 0 to 3")

    settle(disputed, steps)
    assert finals(disputed) == []


def test_enter_takes_the_higher_and_the_mark_of_most(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.see("enter 3, the higher")
        await judge.press("enter", "s")
        assert judge.pair == "q2/d3"
        await judge.see("enter 1, the higher")
        await judge.press("enter")

    settle(disputed, steps)
    assert finals(disputed) == [
        ("grade", "q2", "d1", 3, False, None),
        ("grade", "q2", "d3", 1, False, None),
    ]


def test_x_marks_and_goes_on_or_toggles(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("x")
        assert judge.pair == "q1/d1"
        await judge.press("k", "x")
        assert judge.pair == "q2/d1"
        await judge.see("no hard negative any more")
        await judge.press("3", "k")
        await judge.press("k", "x")
        await judge.see("no hard negative: grade 3 is relevant")

    settle(disputed, steps)
    assert finals(disputed) == [
        ("grade", "q2", "d1", 0, True, None),
        ("grade", "q2", "d1", 0, False, None),
        ("grade", "q2", "d1", 3, False, None),
    ]


def test_skip_leaves_it_open(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("s", "s")
        assert judge.pair == "q2/d3"
        await judge.press("s", "s")
        assert judge.pair == "q2/d1"
        await judge.press("3", "3", "3", "s")
        await judge.see("nothing else is left to settle")

    settle(disputed, steps)
    assert len(finals(disputed)) == 3


def test_a_note_takes_all_keys_and_goes_with_the_grade(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("i")
        await judge.rig.type("3210 q u ?")
        await judge.press("enter")
        await judge.see("note: 3210 q u ?")
        await judge.see("note saved")
        assert judge.pair == "q2/d1"
        await judge.press("i")
        await judge.rig.type("forget me")
        await judge.press("escape")
        assert "forget" not in judge.rig.text
        await judge.press("2")

    settle(disputed, steps)
    assert finals(disputed) == [
        ("note", "q2", "d1", None, False, "3210 q u ?"),
        ("grade", "q2", "d1", 2, False, "3210 q u ?"),
    ]


def test_undo_and_redo_say_what_they_did_and_go_there(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("3", "2", "u")
        assert judge.pair == "q1/d1"
        await judge.see("undone: final grade 2 on d1")
        await judge.see("3 of 4 to settle")
        await judge.press("u")
        assert judge.pair == "q2/d1"
        await judge.see("not settled yet")
        await judge.press("u")
        await judge.see("nothing to undo")
        await judge.press("ctrl+r")
        await judge.see("redone: final grade 3 on d1")
        await judge.press("ctrl+r", "ctrl+r")
        await judge.see("nothing to redo")

    settle(disputed, steps)
    assert [e.op for e in settled_events(disputed)] == [
        "grade",
        "grade",
        "undo",
        "undo",
        "redo",
        "redo",
    ]


def test_backspace_takes_the_final_grade_back(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("3", "k", "backspace")
        await judge.see("final grade taken back")
        await judge.see("4 of 4 to settle")
        await judge.press("backspace")
        await judge.see("nothing to clear")

    settle(disputed, steps)
    assert [e.op for e in settled_events(disputed)] == ["grade", "clear"]


def test_moving_settles_nothing(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("j", "down")
        assert judge.pair == "q2/d3"
        await judge.press("j", "j")
        await judge.see("this is the last disagreement")
        await judge.press("k", "up", "k", "k")
        await judge.see("this is the first disagreement")
        await judge.press("}")
        assert judge.pair == "q1/d1"
        await judge.press("{", "{")
        assert judge.pair == "q1/d2"
        await judge.press("]")
        await judge.see("there are only two annotators")
        await judge.press("[", "left", "right")
        await judge.rig.pilot.click("#list", offset=(5, 1))
        await judge.rig.pilot.pause()
        assert judge.pair == "q1/d1"

    settle(disputed, steps)
    assert finals(disputed) == []


def test_long_notes_are_read_in_full(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("j")
        assert "of the last word" not in judge.rig.text
        await judge.press("n")
        await judge.see("of the last word")
        await judge.press("n")
        assert "of the last word" not in judge.rig.text
        await judge.press("n", "escape")
        assert judge.screen.is_current
        await judge.press("n", "j", "k", "2")
        assert judge.pair == "q2/d3"
        assert not judge.screen.board.is_reading

    settle(disputed, steps)
    assert finals(disputed) == [("grade", "q1", "d1", 2, False, None)]


def test_the_final_grade_is_seen_below_notes_of_any_length(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("j")
        rows = [row for row in judge.rig.rows if "note: because" in row]
        assert len(rows) == 1
        assert rows[0].endswith("…")
        await judge.see("final  -  not settled yet")
        await judge.press("2", "k")
        await judge.see("final  2  useful evidence   by ann")

    settle(disputed, steps, size=(60, 20))


def test_all_figures_with_their_meaning(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("o")
        for words in ("Krippendorff's alpha", "Gwet's AC2", "Fleiss' kappa", "rows li", "0.500"):
            await judge.see(words)
        await judge.press("o")
        assert "Gwet's AC2  " not in judge.rig.text.split("│")[-1]
        await judge.press("o", "escape")
        assert judge.screen.is_current

    settle(disputed, steps, size=WIDE)


def test_the_document_is_read_by_the_page(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("j", "j")
        assert judge.pair == "q2/d3"
        await judge.see("lines 1-")
        await judge.press("G")
        end = next(row for row in judge.rig.rows if "lines" in row)
        last = int(end.split(" of ")[-1].split()[0])
        assert f"-{last} of {last}" in end
        await judge.press("g", "space", "b", "ctrl+d", "ctrl+u", "pagedown", "pageup")
        await judge.see("lines 1-")
        await judge.press("z")
        assert "double-judged" not in judge.rig.text
        await judge.press("z")
        await judge.see("double-judged")

    settle(disputed, steps)


def test_all_settled_says_what_comes_next_and_is_remembered(disputed: Workspace) -> None:
    async def first(judge: Judge) -> None:
        await judge.press("3", "2", "1")
        await judge.press("x")
        await judge.see("all settled. Next: judge score small --labels adjudicated")
        await judge.see("0 of 4 to settle")

    async def second(judge: Judge) -> None:
        await judge.see("0 of 4 to settle")
        await judge.press("u")
        assert judge.pair == "q1/d2"
        await judge.see("1 of 4 to settle")

    settle(disputed, first, size=(100, 30))
    settle(disputed, second)
    assert [e.op for e in settled_events(disputed)] == ["grade"] * 4 + ["undo"]
