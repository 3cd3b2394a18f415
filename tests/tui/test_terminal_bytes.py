"""What really reaches a terminal: bytes recorded in a pty."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

from judge.core.model import Document, Query, Scale
from tests.tui.rig import NAME, make, make_small, told
from tests.tui.terminal import Terminal

if TYPE_CHECKING:
    from judge.core.workspace import Workspace

CONTROLS = "".join(map(chr, [*range(32), *range(127, 160)]))
HOSTILE = (
    "start \x1b]0;PWNED\x07 \x1b]52;c;UFdORUQ=\x07 \x1b]8;;http://pwned\x1b\\ \x1b[2JD \x1bcF"
    " \x9b31m \x9d0;PWNED\x9c \x1b[6n \x1bPq \x1b[?1049l \u202egnp.exe\u202c \u2066x\u2069 a\u200bb"
    " arr[i] [/some/path] [/ [bold]x [[nsdate]] [1] \\[x] [red]r[/red] [/foo] bar \\ end"
)
ALLOWED = re.compile(
    rb"\x1b\[[0-9;?>$]*[A-Za-z]|\x1b\[[0-9;?>$]*[$][a-z]|\x1b\[=[0-9;]*[A-Za-z]|\x1b\[<[0-9]*u"
    rb"|\x1b\][0-9]+;\?\x1b\\|\x1bP\+q[0-9a-f;]*\x1b\\|\x1b_G[^\x1b]*\x1b\\"
    rb"|\x1b[78]|[\r\n]"
)
"""What our program may write: cursor, colours, modes, pointer; never a title or the clipboard."""


def hostile_workspace(workspace: Workspace) -> None:
    """Make a dataset whose every string is hostile."""
    documents = [
        Document(
            id=f"id{HOSTILE}", title=f"title {HOSTILE}", text=f"text {HOSTILE} {CONTROLS} fin"
        ),
        Document(id="plain", title="", text=HOSTILE * 30),
    ]
    query = Query(id=f"q{HOSTILE}", text=f"{HOSTILE}", description=HOSTILE, language=f"l{HOSTILE}")
    labels = {0: f"no {HOSTILE}", 1: "[/]", 2: "\x1b[2J", 3: HOSTILE}
    make(
        workspace,
        documents,
        [query],
        scale=Scale(labels=labels),
        guidelines=f"# {HOSTILE}\n\n- {HOSTILE}\n\n{HOSTILE}",
    )


def test_no_control_of_the_data_reaches_the_terminal(workspace: Workspace) -> None:
    hostile_workspace(workspace)
    with Terminal(workspace.root, NAME, (160, 45)) as terminal:
        terminal.wait("not judged yet")
        for keys in ("o", "o", "j", "G", "g", "z", "z", "?", "G", "q", "i", "n[/]\r", "c", "b"):
            terminal.keys(keys)
            terminal.settle()
        terminal.keys("q")
        terminal.settle()
        terminal.keys("/")
        terminal.settle()
        terminal.keys("\x1b[200~[/x] \x1b]0;PWNED\x07\x9b31m\x1b[201~\r")
        terminal.settle()
        terminal.wait("query")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
        raw = bytes(terminal.raw)
    raw = re.sub(rb"\x1b\]22;[a-z]*(\x07|\x1b\\)", b"", raw)  # the shape of the mouse pointer
    assert b"[/some/path] [/ [bold]x [[nsdate]]" in raw
    for forbidden in (
        b"PWNED\x07",
        b"\x1b]0;",
        b"\x1b]52",
        b"\x1b]8;",
        b"\x1b[2JD",
        b"\x1bcF",
        b"\x1bPq",
        b"\xc2\x9b",
        b"\xc2\x9d",
        b"\x07",
        b"\xe2\x80\xae",
    ):
        assert forbidden not in raw
    rest = ALLOWED.sub(b"", raw)
    assert not re.search(rb"[\x00-\x1f\x7f]|\xc2[\x80-\x9f]", rest)


def test_a_burst_of_one_key_judges_once_and_says_so(workspace: Workspace) -> None:
    make_small(workspace)
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        terminal.keys(b"3" * 50)
        terminal.wait("key ignored")
        terminal.wait("judged 1/3")
        terminal.settle()
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert told(workspace) == [("grade", "q1", "d1", 3)]


def test_resizing_in_a_real_terminal(workspace: Workspace) -> None:
    make_small(workspace)
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("not judged yet")
        terminal.keys("j")
        terminal.wait("candidates 2 of 3")
        for size in ((200, 60), (40, 12), (10, 3), (1, 1), (80, 24)):
            terminal.resize(*size)
            terminal.settle()
        terminal.wait("candidates 2 of 3")
        terminal.keys("2")
        terminal.wait("judged 1/3")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert told(workspace) == [("grade", "q1", "d2", 2)]


def test_the_line_between_the_panes_stands_still_in_all_scripts(workspace: Workspace) -> None:
    texts = [
        "東京都１２３" * 200,
        "पासवर्ड भूल जाने पर क्षि हिन्दी " * 20,
        "ที่นี่ ภาษาไทย" * 40,
        "a\tb\r\n\tc\x0cd\x08e",
    ]
    documents = [
        Document(id=f"d{n}", title=title, text=text)
        for n, (title, text) in enumerate(
            zip(["東京都", "हिन्दी में खोज", "ที่นี่", ""], texts, strict=True)
        )
    ]
    make(workspace, documents, [Query(id="q", text="x")])
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("not judged yet")
        for _ in documents:
            terminal.settle()
            rows = terminal.text.split("\n")
            top = next(n for n, row in enumerate(rows) if "candidates" in row)
            columns = {column_of(terminal, row, "│") for row in range(top + 1, 20)}
            assert columns == {column_of(terminal, top, "┬")}
            terminal.keys("j")
        terminal.keys("k" * 5)
        terminal.settle()
        terminal.keys("G")
        terminal.settle()
        assert "１２３" in terminal.text.split("not judged")[0].split("東京都")[-1]


def column_of(terminal: Terminal, row: int, char: str) -> int:
    """Give the column of the first such character of a row."""
    return terminal.cells(row).index(char)


def test_without_colours_the_screen_still_says_everything(workspace: Workspace) -> None:
    make_small(workspace)
    with Terminal(workspace.root, NAME, environment={"NO_COLOR": "1"}) as terminal:
        terminal.wait("not judged yet")
        terminal.keys("3")
        terminal.wait("judged 1/3")
        terminal.keys("k")
        terminal.wait("graded 3")
        terminal.settle()
        assert "▸ 1  3" in terminal.text
        drawn = [m for m in re.findall(rb"\x1b\[([0-9;]*)m", bytes(terminal.raw)) if m]
        assert not [m for m in drawn if re.search(rb"(^|;)[34]8;", m)]


def test_a_dataset_that_cannot_be_opened_ends_with_its_reason(workspace: Workspace) -> None:
    make(workspace, [Document(id="d", text="t")], [Query(id="q", text="t")], pools={})
    with Terminal(workspace.root, NAME) as terminal:
        assert terminal.exit_code() != 0
        terminal.settle()
        assert "judge pool small" in bytes(terminal.raw).decode()


def test_what_is_shown_as_saved_survives_a_kill(workspace: Workspace) -> None:
    make_small(workspace)
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        terminal.keys("3")
        terminal.wait("judged 1/3")
        terminal.wait("saved")
        terminal.end(signal.SIGKILL)
    assert told(workspace) == [("grade", "q1", "d1", 3)]
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("judged 1/3")
