"""The agreement screen where there is little to settle, when it goes small, or goes wrong."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from typing import TYPE_CHECKING, Any

import pytest
from textual import events as textual_events

from judge.core.model import Document, Event, Judgment, Query, Scale
from judge.judging.labels import SegmentWriter, recorded
from judge.tui.actions import AGREEMENT
from judge.tui.screens.queries import QueriesScreen
from tests.tui.rig import ANNOTATOR, NAME, make
from tests.tui.settling import (
    WIDE,
    Judge,
    dispute,
    finals,
    judged,
    settle,
    settled_events,
    two_queries,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from judge.core.workspace import Workspace


pytestmark = pytest.mark.slow


@pytest.fixture
def disputed(workspace: Workspace) -> Workspace:
    dispute(workspace)
    return workspace


def test_nobody_overlaps_says_what_to_do(workspace: Workspace) -> None:
    two_queries(workspace)
    judged(workspace, "maria", {"q1/d1": (3,), "q1/d2": (0,)})
    judged(workspace, "li", {"q2/d1": (3,)})

    async def steps(judge: Judge) -> None:
        await judge.see("No pair was graded by two people yet.")
        await judge.see("judge annotate small --as NAME")
        assert "2 pairs graded" in next(row for row in judge.rig.rows if " maria" in row)
        await judge.press("3", "x", "enter", "s", "i", "backspace", "j", "k", "}", "]", "v", "n")
        await judge.press("o", "u", "z", "z", "G", "g")
        await judge.see("No pair was graded")
        await judge.press("escape")
        assert isinstance(judge.rig.app.screen, QueriesScreen)

    settle(workspace, steps)
    assert finals(workspace) == []


def test_full_agreement_is_said(workspace: Workspace) -> None:
    two_queries(workspace)
    for name in ("maria", "li"):
        judged(workspace, name, {"q1/d1": (3,), "q1/d2": (0,)})

    async def steps(judge: Judge) -> None:
        await judge.see("No disagreement in 2 pairs judged by two or more.")

    settle(workspace, steps, size=WIDE)


def test_three_annotators_are_laid_side_by_side_two_by_two(workspace: Workspace) -> None:
    two_queries(workspace)
    for name, grade in (("maria", 3), ("li", 1), ("ed", 0)):
        judged(workspace, name, {"q1/d1": (grade,), "q2/d1": (1,)})

    async def steps(judge: Judge) -> None:
        titles = []
        for _ in range(4):
            titles.append(next(row for row in judge.rig.rows if "↓" in row))
            await judge.press("]")
        assert ["ed ↓  li →" in titles[0], "ed ↓  maria →" in titles[1]] == [True, True]
        assert "li ↓  maria →" in titles[2]
        assert titles[3] == titles[0]
        row = next(row for row in judge.rig.rows if "▸" in row)
        assert sorted(row.split()[1:4]) == ["0", "1", "3"]

    settle(workspace, steps)


def test_what_the_dataset_has_no_more_is_shown_and_not_settled(workspace: Workspace) -> None:
    two_queries(workspace)
    for name, grade in (("maria", 3), ("li", 0)):
        judged(workspace, name, {"q1/lost": (grade,), "nowhere/d1": (grade,)})

    async def steps(judge: Judge) -> None:
        await judge.see("not in the dataset")
        await judge.press("2")
        await judge.see("the dataset has this query or document no more")
        await judge.press("j")
        await judge.see("this document is not in the dataset")
        await judge.press("2")

    settle(workspace, steps, size=WIDE)
    assert finals(workspace) == []


def test_a_damaged_label_file_is_told_and_hides_no_other(disputed: Workspace) -> None:
    folder = disputed.label_folder(NAME) / "zed"
    folder.mkdir()
    (folder / "20260301T080000Z-00000000-0000.parquet").write_bytes(b"PAR1 nonsense")

    async def steps(judge: Judge) -> None:
        await judge.see("not read")
        await judge.see("4 of 4")

    settle(disputed, steps, size=WIDE)


def test_an_error_of_the_worker_is_shown(
    disputed: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("[/boom]")

    monkeypatch.setattr("judge.tui.docket.agreement_of", broken)

    async def steps(judge: Judge) -> None:
        await judge.see("[/boom]")
        assert judge.screen.docket is None
        await judge.press("3", "u", "i", "j", "o")
        await judge.press("escape")
        assert isinstance(judge.rig.app.screen, QueriesScreen)

    settle(disputed, steps)


def in_the_way(workspace: Workspace) -> Path:
    """Block the adjudicator's folder with a file."""
    blocked = workspace.label_folder(NAME) / ANNOTATOR
    blocked.write_text("in the way")
    return blocked


def test_a_failed_save_brings_the_pair_back_and_says_why(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        blocked = in_the_way(disputed)
        await judge.press("3")
        await judge.see("NOT SAVED")
        assert judge.pair == "q2/d1"
        await judge.see("4 of 4 to settle")
        assert "NOT SAVED" in judge.rig.rows[0]
        await judge.press("escape")
        await judge.see("the same key again leaves without it")
        blocked.unlink()
        await judge.press("2")
        await judge.see("3 of 4 to settle")
        assert "NOT" not in judge.rig.rows[0]
        await judge.press("escape")
        assert isinstance(judge.rig.app.screen, QueriesScreen)

    settle(disputed, steps)
    assert finals(disputed) == [("grade", "q2", "d1", 2, False, None)]


def test_leaving_with_something_unsaved_takes_a_second_key(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        blocked = in_the_way(disputed)
        await judge.press("3")
        await judge.see("NOT SAVED")
        await judge.press("escape", "escape")
        assert isinstance(judge.rig.app.screen, QueriesScreen)
        blocked.unlink()

    settle(disputed, steps)
    assert finals(disputed) == []


def test_keys_pressed_before_the_next_pair_was_painted_are_dropped(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        for key in "3210":
            judge.rig.app.post_message(textual_events.Key(key, key))
        await judge.rig.settle()
        await judge.settle()
        await judge.see("key ignored")

    settle(disputed, steps)
    assert finals(disputed) == [("grade", "q2", "d1", 3, False, None)]


def test_coming_in_counts_no_key_twice_and_leaving_keeps_the_last_save(
    disputed: Workspace,
) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("3")
        await judge.rig.press("2", "q")
        await judge.rig.until(lambda: isinstance(judge.rig.app.screen, QueriesScreen), 10)
        await judge.rig.press("a")
        await judge.rig.until(lambda: "2 of 4 to settle" in judge.rig.text, 10)

    settle(disputed, steps)
    assert [e.grade for e in settled_events(disputed)] == [3, 2]


SIZES: Sequence[tuple[int, int]] = [(60, 20), (63, 24), (80, 24), (120, 34), (160, 45), (300, 80)]


@pytest.mark.parametrize("size", SIZES)
def test_rows_are_never_wider_than_the_screen(disputed: Workspace, size: tuple[int, int]) -> None:
    async def steps(judge: Judge) -> None:
        for key in ("j", "v", "n", "n", "o", "o", "z", "z", "?", "escape"):
            await judge.press(key)
            strips = judge.rig.app.screen._compositor.render_strips()
            assert {strip.cell_length for strip in strips} == {size[0]}

    settle(disputed, steps, size=size)


def test_resizing_keeps_the_pair_and_settles_nothing_blind(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("j", "j")
        for size in ((200, 60), (60, 20), (10, 3), (1, 1)):
            await judge.rig.pilot.resize_terminal(*size)
            await judge.rig.pilot.pause()
        await judge.press("2", "x", "u", "enter", "s", "i", "v", "o", "n")
        await judge.rig.pilot.resize_terminal(80, 24)
        await judge.see("3 of 4")
        assert judge.pair == "q2/d3"

    settle(disputed, steps)
    assert finals(disputed) == []


def test_many_grades_fit_beside_few_rows(workspace: Workspace) -> None:
    two_queries(workspace, Scale.up_to(9))
    judged(workspace, "maria", {"q1/d1": (9,), "q2/d1": (1,)})
    judged(workspace, "li", {"q1/d1": (0,), "q2/d1": (1,)})

    async def steps(judge: Judge) -> None:
        await judge.see("disagreements 1")
        await judge.see("▸ ")
        await judge.press("9")

    settle(workspace, steps)
    assert [e.grade for e in settled_events(workspace)] == [9]


@pytest.mark.parametrize("seed", range(3))
def test_any_burst_of_keys_leaves_it_alive(disputed: Workspace, seed: int) -> None:
    chosen = random.Random(seed)
    keys = [key for action in AGREEMENT for key in action.keys if key not in ("q", "escape")]

    async def steps(judge: Judge) -> None:
        for key in chosen.choices([*keys, "tab", "y"], k=120):
            judge.rig.app.post_message(textual_events.Key(key, key if len(key) == 1 else None))
            if chosen.random() < 0.2:
                await judge.rig.pilot.pause()
        await judge.rig.settle()
        await asyncio.sleep(0)
        assert judge.rig.app.is_running

    settle(disputed, steps)
    assert {e.op for e in settled_events(disputed)} <= {"grade", "note", "clear", "undo", "redo"}


HOSTILE = "[/] [bold]x \x1b]0;P\x07 \x1b[2J \x9b31m \u202egnp \u200b [@click=app.quit]q[/] \x00"


def test_hostile_strings_are_shown_as_they_are(workspace: Workspace) -> None:
    make(
        workspace,
        [Document(id=f"d{HOSTILE}", title=HOSTILE, text=HOSTILE)],
        [Query(id=f"q{HOSTILE}", text=HOSTILE, description=HOSTILE, language=HOSTILE)],
        scale=Scale(labels={0: HOSTILE, 3: "[/foo]"}),
    )
    pair = ("q" + HOSTILE, "d" + HOSTILE)
    for name, grade in (("maria", 3), ("li", 0)):
        given = [Judgment(*pair, grade, note=HOSTILE)]
        session = f"20260301T080000Z-{grade:08x}"
        writer = SegmentWriter(workspace.label_folder(NAME) / name, NAME, session)
        at = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
        writer.append_batch(recorded(given, annotator=name, source="human", session=session, at=at))

    async def steps(judge: Judge) -> None:
        for key in ("n", "n", "v", "i"):
            await judge.press(key)
            assert "[/] [bold]x ␛]0;P" in judge.rig.text
            assert not {"\x1b", "\x07", "\x9b", "\u202e", "\x00"} & set(judge.rig.text)
        await judge.rig.type("[/] [bold]")
        await judge.press("enter", "3", "u")
        await judge.see("undone: final grade 3 on d[/] [bold]x")

    settle(workspace, steps, size=WIDE)


def test_quitting_saves_the_note_that_is_being_typed(workspace: Workspace) -> None:
    dispute(workspace)

    async def steps(judge: Judge) -> None:
        await judge.press("2", "k", "i")
        await judge.rig.type("settled by the guidelines")
        await judge.rig.app.action_quit()

    settle(workspace, steps)
    assert finals(workspace)[-1][-1] == "settled by the guidelines"


def test_a_note_that_cannot_be_saved_is_told_before_one_quits(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        await judge.press("i")
        await judge.rig.type("never to be read")
        blocked = in_the_way(disputed)
        await judge.rig.app.action_quit()
        assert judge.rig.app.is_running
        await judge.see("NOT saved; ctrl+q again leaves without it")
        blocked.unlink()
        await judge.press("2")
        await judge.see("3 of 4 to settle")
        # What was told is past: what fails from now on is told again.
        await judge.press("i")
        await judge.rig.type("nor this one")
        folder = disputed.label_folder(NAME) / ANNOTATOR
        folder.rename(folder.with_name("elsewhere"))
        blocked = in_the_way(disputed)
        await judge.rig.app.action_quit()
        assert judge.rig.app.is_running
        blocked.unlink()
        folder.with_name("elsewhere").rename(folder)

    settle(disputed, steps)
    assert finals(disputed) == [("grade", "q2", "d1", 2, False, None)]


def test_leaving_is_warned_of_again_after_all_was_saved(disputed: Workspace) -> None:
    async def steps(judge: Judge) -> None:
        for _ in range(2):
            folder = disputed.label_folder(NAME) / ANNOTATOR
            away = folder.with_name("elsewhere")
            if folder.exists():
                folder.rename(away)
            blocked = in_the_way(disputed)
            await judge.press("3")
            await judge.see("NOT SAVED")
            await judge.press("escape")
            await judge.see("the same key again leaves without it")
            blocked.unlink()
            if away.exists():
                away.rename(folder)
            await judge.press("3")
            assert "NOT" not in judge.rig.rows[0]

    settle(disputed, steps)
    assert [e.grade for e in settled_events(disputed)] == [3, 3]


def unable(workspace: Workspace, annotator: str, pair: str, reason: str) -> None:
    """Let somebody say that `query/document` cannot be judged."""
    query_id, doc_id = pair.split("/")
    session = "20260302T080000Z-0000c0de"
    event = Event(
        event_id=f"{session}-0",
        session=session,
        seq=0,
        at=dt.datetime(2026, 3, 2, 8, tzinfo=dt.UTC),
        annotator=annotator,
        source="human",
        op="cannot_judge",
        query_id=query_id,
        doc_id=doc_id,
        reason=reason,
    )
    writer = SegmentWriter(workspace.label_folder(NAME) / annotator, NAME, session)
    writer.append_batch([event])


@pytest.mark.parametrize("size", [(80, 24), WIDE])
def test_what_somebody_cannot_judge_comes_last_and_can_be_settled(
    disputed: Workspace, size: tuple[int, int]
) -> None:
    unable(disputed, "ed", "q1/d3", "[/] not my \x1blanguage")

    async def steps(judge: Judge) -> None:
        await judge.see("5 of 5 to settle")
        await judge.press("k", "j", "j", "j", "j")
        assert judge.pair == "q1/d3"
        await judge.see("1 of 3 cannot judge it")
        await judge.see("c  cannot judge: [/] not my ␛language")
        await judge.see("enter 2, the one given")
        row = next(row for row in judge.rig.rows if "▸" in row)
        assert sorted(row.split()[1:4]) == ["2", "2", "c"]
        assert "ed" not in judge.rig.text.split()
        await judge.press("enter")
        await judge.see("4 of 5 to settle")

    settle(disputed, steps, size=size)
    assert finals(disputed) == [("grade", "q1", "d3", 2, False, None)]


def test_only_one_graded_and_another_cannot_judge_is_no_agreement(workspace: Workspace) -> None:
    two_queries(workspace)
    judged(workspace, "maria", {"q1/d1": (3,)})
    unable(workspace, "li", "q1/d1", "")

    async def steps(judge: Judge) -> None:
        await judge.see("1 of 1 to settle")
        await judge.see("0 pairs double-judged")
        await judge.see("1 of 2 cannot judge it")
        await judge.press("v", "n", "n", "]", "0")
        await judge.see("all settled")

    settle(workspace, steps, size=WIDE)
    assert finals(workspace) == [("grade", "q1", "d1", 0, False, None)]
