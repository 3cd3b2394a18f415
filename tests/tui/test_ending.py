"""The program ends with its terminal, and when the system wants it to; nothing is lost by it."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.tui.rig import NAME, events, make_small, told
from tests.tui.settling import dispute, finals
from tests.tui.terminal import Terminal

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


def ended(pid: int, seconds: float = 15.0) -> bool:
    """Whether a child of ours ends in time."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_nothing_is_lost(workspace: Workspace, number: signal.Signals) -> None:
    make_small(workspace)
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        terminal.keys("3")
        terminal.wait("judged 1/3")
        os.kill(terminal.pid, number)
        assert terminal.exit_code() == 0
        # The terminal is given back: main screen, cursor shown.
        assert terminal.raw.rstrip().endswith(b"\x1b[?7h") or b"\x1b[?1049l" in terminal.raw
    assert told(workspace) == [("grade", "q1", "d1", 3)]


def test_a_closed_terminal_ends_it_and_nothing_is_lost(workspace: Workspace) -> None:
    make_small(workspace)
    terminal = Terminal(workspace.root, NAME)
    terminal.wait("not judged yet")
    terminal.settle()
    terminal.keys("2")
    terminal.wait("judged 1/3")
    terminal.hang_up()
    assert ended(terminal.pid)
    assert told(workspace) == [("grade", "q1", "d1", 2)]


NOTE = "half a sentence"
WAYS = (signal.SIGTERM, signal.SIGHUP, "hang up", "\x11")


def leave(terminal: Terminal, way: signal.Signals | str) -> None:
    """Let the program end in one of the ways."""
    if way == "hang up":
        terminal.hang_up()
    elif isinstance(way, str):
        terminal.keys(way)
    else:
        os.kill(terminal.pid, way)
    assert ended(terminal.pid)


def open_agreement(terminal: Terminal) -> None:
    terminal.wait("candidates")
    for key, wanted in (("q", "queries"), ("a", "to settle"), ("", "not settled yet")):
        terminal.keys(key)
        terminal.wait(wanted)
    terminal.settle()


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_note_being_typed_is_kept_however_it_ends(
    workspace: Workspace, way: signal.Signals | str
) -> None:
    make_small(workspace)
    terminal = Terminal(workspace.root, NAME)
    terminal.wait("not judged yet")
    terminal.settle()
    terminal.keys("i")
    terminal.wait("enter saves")
    terminal.keys(NOTE)
    terminal.wait(NOTE)
    leave(terminal, way)
    assert [(e.op, e.note) for e in events(workspace)] == [("note", NOTE)]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_note_on_a_final_grade_is_kept_however_it_ends(
    workspace: Workspace, way: signal.Signals | str
) -> None:
    dispute(workspace)
    terminal = Terminal(workspace.root, NAME)
    open_agreement(terminal)
    terminal.keys("2")
    terminal.wait("3 of 4 to settle")
    terminal.settle()
    terminal.keys("i")
    terminal.wait("enter saves")
    terminal.keys(NOTE)
    terminal.wait(NOTE)
    leave(terminal, way)
    assert [(one[0], one[3], one[5]) for one in finals(workspace)] == [
        ("grade", 2, None),
        ("note", None, NOTE),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_final_grade_on_its_way_to_the_disk_is_kept(
    workspace: Workspace, way: signal.Signals | str
) -> None:
    dispute(workspace)
    terminal = Terminal(workspace.root, NAME)
    open_agreement(terminal)
    terminal.keys("3")
    if way == "hang up":
        terminal.wait("3 of 4 to settle")  # what was typed into a closed terminal is lost with it
    elif not isinstance(way, str):
        time.sleep(0.05)
    leave(terminal, way)
    grades = [one[3] for one in finals(workspace)]
    assert grades == [3] or (not isinstance(way, str) and not grades)


@pytest.mark.slow
def test_what_cannot_be_kept_when_it_must_end_is_said(workspace: Workspace) -> None:
    make_small(workspace)
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        terminal.keys("i")
        terminal.wait("enter saves")
        terminal.keys(NOTE)
        terminal.wait(NOTE)
        workspace.label_folder(NAME).parent.mkdir(parents=True, exist_ok=True)
        workspace.label_folder(NAME).write_text("in the way")
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.exit_code() == 3
        terminal.settle()
        assert "NOT be saved" in bytes(terminal.raw).decode()
