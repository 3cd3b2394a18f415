"""What reaches a terminal on the screens of scores and agreement, and what an answer does there."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from judge.core.model import Hit
from judge.core.tables import Run
from judge.dataset.store import Dataset
from tests.tui.rig import NAME, make_small, told
from tests.tui.settling import judged, settled_events
from tests.tui.terminal import Terminal
from tests.tui.test_terminal_bytes import HOSTILE, assert_harmless, hostile_workspace, press

if TYPE_CHECKING:
    from judge.core.workspace import Workspace

pytestmark = pytest.mark.slow

SIZES = ((160, 45), (80, 24))
SWEEP = (
    *((width, 45) for width in (150, 109, 75, 61, 30, 7)),
    *((80, height) for height in (33, 17, 8, 2)),
    *((1, 1), (2, 1), (1, 2), (59, 20), (60, 19), (60, 20), (300, 100), (160, 45)),
)
SLOW_TO_COME = {"a": "to settle", "m": "measure"}
"""What a screen shows that takes its time, by the key that opens it."""
ANSWERS = ("[?62;1;2c", "[3;3R", "]11;rgb:1/2/3\x07", "P1+r544e\x1b\\")
QUERY = f"q{HOSTILE}"
FIRST, SECOND = f"id{HOSTILE}", "plain"


def judged_by_two(workspace: Workspace) -> None:
    """Let two people grade the hostile documents differently, with hostile notes."""
    hostile_workspace(workspace)
    dataset = Dataset.open(workspace, NAME)
    hits = [Hit(SECOND, 2.0), Hit(FIRST, 1.0)]
    dataset.add_run(Run.from_hits("mine", {QUERY: hits}), {})
    for annotator, grades in (("maria", (3, 0)), ("li", (0, 2))):
        given = {}
        for doc_id, grade in zip((FIRST, SECOND), grades, strict=True):
            given[f"{QUERY}\x00{doc_id}"] = (grade, False, f"note {HOSTILE}")
        judged(workspace, annotator, given, apart="\x00")


@pytest.mark.parametrize("size", SIZES)
def test_no_control_reaches_the_terminal_from_agreement(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    judged_by_two(workspace)
    with Terminal(workspace.root, NAME, size) as terminal:
        terminal.wait("candidates")
        press(terminal, "q", "a")
        terminal.wait("to settle")
        keys = ("v", "n", "G", "n", "o", "o", "z", "z", "]", "j", "k", "i", "n[/]\r", "3", "u")
        press(terminal, *keys, "?", "G", "q")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
        assert_harmless(bytes(terminal.raw))
        terminal_text = terminal.text
    assert "Traceback" not in terminal_text


@pytest.mark.parametrize("size", SIZES)
def test_no_control_reaches_the_terminal_from_scores(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    judged_by_two(workspace)
    with Terminal(workspace.root, NAME, size) as terminal:
        terminal.wait("candidates")
        press(terminal, "m")
        terminal.wait("mine", 30)
        time.sleep(1)
        for _ in range(7):
            press(terminal, "\t", "j", "G")
        press(terminal, "s", "c", "n", "b", "b", "b", "}", "{", "R", "?", "G", "q", "\r")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
        raw = bytes(terminal.raw)
    assert_harmless(raw)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize(
    "way",
    [("q",), ("q", "a"), ("m",), ("?",), (",",), ("o",), ("e",), ("3", "v"), ("q", "q")],
    ids="-".join,
)
def test_an_answer_of_the_terminal_judges_nothing_on_any_screen(
    workspace: Workspace, way: tuple[str, ...], answer: str
) -> None:
    make_small(workspace)
    judged(workspace, "maria", {"q1/d1": (3,), "q1/d2": (0,)})
    judged(workspace, "li", {"q1/d1": (0,), "q1/d2": (0,)})
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        press(terminal, *way[:-1])
        if way != ("q", "q"):
            press(terminal, way[-1])
        before = [("grade", "q1", "d1", 3)] if "3" in way else []
        terminal.keys("\x1b" + answer)
        terminal.settle(0.3)
        if way[-1] == "a" and "to settle" not in terminal.text:
            press(terminal, "a")
        terminal.keys("\x1b")
        time.sleep(0.5)
        terminal.keys(answer)
        terminal.settle(0.3)
        assert [event[0::3] for event in told(workspace)] == [e[0::3] for e in before]
        assert settled_events(workspace) == []
        terminal.keys("\x11")
        terminal.exit_code()


def contents(workspace: Workspace) -> dict[str, bytes]:
    """Every file of a workspace, without what can be made again."""
    paths = (path for path in workspace.root.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in paths if ".cache" not in path.parts}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("way", ["", "i", "p", "x", "\x10", "i\r"])
def test_an_answer_of_the_terminal_starts_nothing_from_the_datasets(
    workspace: Workspace, way: str, answer: str
) -> None:
    make_small(workspace)
    before = contents(workspace)
    with Terminal(workspace.root, "") as terminal:
        terminal.wait("0 of 6")
        terminal.settle()
        press(terminal, *way)
        terminal.keys("\x1b" + answer)
        terminal.settle(0.3)
        terminal.keys("\x1b")
        time.sleep(0.5)
        terminal.keys(answer)
        terminal.settle(0.3)
        assert contents(workspace) == before
        terminal.keys("\x11")
        assert terminal.exit_code() == 0


@pytest.mark.parametrize(
    ("dataset", "way"),
    [
        *(("", way) for way in ("", "i", "p", "x", "\x10")),
        *(
            (NAME, way)
            for way in ("", "q", "qa", "qm", "qmc", "?", ",", "o", "i", "c", "/", "e", "\x10", "q/")
        ),
    ],
)
def test_any_size_and_back_in_a_real_terminal(workspace: Workspace, dataset: str, way: str) -> None:
    make_small(workspace)
    given = {"q1/d1": (3,), "q1/d2": (0,)}
    judged(workspace, "maria", given)
    judged(workspace, "li", {**given, "q1/d2": (2,)})
    before = contents(workspace)
    with Terminal(workspace.root, dataset, (160, 45)) as terminal:
        terminal.wait("candidates" if dataset else "of 6")
        terminal.settle()
        press(terminal, *way)
        if way[1:2] in SLOW_TO_COME:
            terminal.wait(SLOW_TO_COME[way[1:2]])
        terminal.settle(0.3)
        shown = terminal.text
        for size in SWEEP:
            terminal.resize(*size)
            terminal.settle(0.03)
        terminal.settle(0.3)
        assert terminal.text.split("\n")[0] == shown.split("\n")[0]
        assert "too small" not in terminal.text
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
        assert b"Traceback" not in terminal.raw
    assert contents(workspace) == before
