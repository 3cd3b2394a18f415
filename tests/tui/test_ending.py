"""The program ends with its terminal, and when the system wants it to; nothing is lost by it."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.tui.rig import NAME, make_small, told
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
