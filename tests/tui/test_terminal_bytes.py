"""What really reaches a terminal: bytes recorded in a pty."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import time
from typing import TYPE_CHECKING

import pytest

from judge.core.model import Document, Query, Scale
from tests.tui.rig import NAME, make, make_small, told
from tests.tui.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

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
            id=f"id{HOSTILE}",
            title=f"title {HOSTILE}",
            text=f"text {HOSTILE} {CONTROLS} fin",
            language=HOSTILE,
            namespace=HOSTILE,
            parent_id=HOSTILE,
            metadata={HOSTILE: HOSTILE},
        ),
        Document(id="plain", title="", text=HOSTILE * 30),
    ]
    query = Query(
        id=f"q{HOSTILE}",
        text=HOSTILE,
        description=HOSTILE,
        language=f"l{HOSTILE}",
        category=HOSTILE,
        split=HOSTILE,
        metadata={HOSTILE: HOSTILE},
    )
    labels = {0: f"no {HOSTILE}", 1: "[/]", 2: "\x1b[2J", 3: HOSTILE}
    make(
        workspace,
        documents,
        [query],
        scale=Scale(labels=labels),
        guidelines=f"# {HOSTILE}\n\n- {HOSTILE}\n\n{HOSTILE}",
        description=HOSTILE,
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
    assert_harmless(raw)


def assert_harmless(raw: bytes) -> None:
    """Check that nothing in these bytes steers a terminal but what our program itself may send."""
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


def press(terminal: Terminal, *keys: str) -> None:
    """Press keys, each when all is quiet after the one before."""
    for key in keys:
        terminal.keys(key)
        terminal.settle()


@pytest.mark.slow
def test_no_control_of_files_or_of_what_is_typed_reaches_the_terminal(
    workspace: Workspace, tmp_path: Path
) -> None:
    hostile_workspace(workspace)
    # What a file may be called: all but a slash and NUL.
    name = (HOSTILE.replace("/", "|") + CONTROLS.replace("\x00", ""))[:120]
    (tmp_path / name.encode("utf-8")[:200].decode("utf-8", "ignore")).mkdir()
    folder = tmp_path / "bad"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        json.dumps({"_id": f"d{HOSTILE}", "text": 3}) + "\n{[/\x1b]"
    )
    (folder / "queries.jsonl").write_text(json.dumps({"_id": 7, "text": HOSTILE}) + "\n")
    config = tmp_path / "config"
    config.mkdir()
    (config / "keys.toml").write_text(f'"{HOSTILE[:9]}[/x]" = 1', "latin-1")
    (config / "settings.json").write_text(f'{{"theme": "[/] {HOSTILE[7:20]}"', "utf-8")
    with Terminal(workspace.root, "", (160, 45)) as terminal:
        terminal.wait("of 2")
        press(terminal, "?", "G", "q", ",", "\r", "l", "h", "q", "p")
        terminal.wait("engine bm25")
        press(terminal, "jjjjj", "\r")
        terminal.wait("to judge them")
        press(terminal, "q", "x")
        terminal.wait("cannot carry")
        press(terminal, "l", "l", "l", "q", "i")
        terminal.wait("relevant from")
        pasted = f"\x1b[200~{tmp_path}/\x1b]0;PWNED\x07[/x]\x9b31m\x1b[201~\r"
        press(terminal, "\r", pasted, "jjjj", "\r")
        terminal.wait("no such file")
        press(terminal, "kkkkkk", "\r", "\x05\x15", f"{tmp_path}\r", "jjjj", "\r")
        terminal.wait("no known format")
        press(terminal, "kkkkkk", "\r", "/bad\r", "jjjj", "\r")
        terminal.wait("problems")
        press(terminal, "G", "q", "\r")
        terminal.wait("queries")
        press(terminal, "#", "[/]\x1b[200~\x1b]52;c;x\x07\x1b[201~\r", *"ffffff", "/")
        press(terminal, "cat:[bold]\r", "/", "\x05\x15\r", "a")
        terminal.wait("double-judged")
        press(terminal, "q", "m")
        terminal.wait("measure")
        press(terminal, "q", "\r")
        terminal.wait("candidates")
        press(terminal, "p", "p", "v", "v", "/", "[/\r", "n", "\x10", "the[/]", "\x11")
        assert terminal.exit_code() == 0
        raw = bytes(terminal.raw)
    assert_harmless(raw)


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["[?62;1;2c", "[3;3R", "]11;rgb:1/2/3\x07"])
@pytest.mark.parametrize("cut", [True, False])
def test_what_the_terminal_answers_stores_nothing(
    workspace: Workspace, answer: str, cut: bool
) -> None:
    make_small(workspace)
    with Terminal(workspace.root, NAME) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        for before in ("", "c"):
            if not terminal.text.count("First"):
                terminal.keys("\r")
                terminal.wait("candidates")
            press(terminal, before)
            if cut:
                terminal.keys("\x1b")
                time.sleep(0.5)
                terminal.keys(answer)
            else:
                terminal.keys("\x1b" + answer)
            terminal.settle(0.2)
            while "candidates" not in terminal.text:
                press(terminal, "q" if "help" in terminal.text.split("\n")[0] else "\r")
                time.sleep(0.2)
            press(terminal, "\x1b")
            time.sleep(0.2)
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert told(workspace) == []


def test_a_full_disk_is_told_and_judging_goes_on_once_there_is_room(workspace: Workspace) -> None:
    make_small(workspace)
    with Terminal(workspace.root, NAME, (100, 24)) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        _, most = resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, (0, most))
        terminal.keys("3")
        terminal.wait("NOT SAVED: grade 3 on d1")
        terminal.settle()
        assert "judged 0/3" in terminal.text
        assert "1  -   First" in terminal.text
        assert "  saved" not in terminal.text
        resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, (most, most))
        terminal.keys("2")
        terminal.wait("judged 1/3")
        terminal.wait("saved")
        assert "NOT SAVED" not in terminal.text
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert told(workspace) == [("grade", "q1", "d1", 2)]


AS_ANYBODY = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
"""Takes from root what lets it write where nobody may; others have nothing to lose."""


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root needs setpriv")
def test_a_read_only_folder_is_told_and_judging_goes_on_once_it_is_writable(
    workspace: Workspace,
) -> None:
    make_small(workspace)
    folder = workspace.label_folder(NAME)
    folder.mkdir(parents=True)
    folder.chmod(0o555)
    wrapper = AS_ANYBODY if os.geteuid() == 0 else ()
    with Terminal(workspace.root, NAME, (100, 24), wrapper=wrapper) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        terminal.keys("3")
        terminal.wait("NOT SAVED: grade 3 on d1")
        terminal.settle()
        assert "judged 0/3" in terminal.text
        folder.chmod(0o755)
        terminal.keys("3")
        terminal.wait("judged 1/3")
        terminal.wait("saved")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert told(workspace) == [("grade", "q1", "d1", 3)]


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
        for size in ((200, 60), (60, 20), (10, 3), (1, 1), (80, 24)):
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
