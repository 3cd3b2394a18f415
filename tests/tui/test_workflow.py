"""Judging as people do it, in a real terminal, from import to export."""

from __future__ import annotations

import json
import random
import re
import signal
import time
from typing import TYPE_CHECKING

import pytest

from judge.cli.main import main
from judge.core.workspace import Workspace
from tests.tui.terminal import RUN, Terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.slow

TEXTS = {"d1": "north wind", "d2": "south wind", "d3": "still air"}
QUERIES = {"q1": "wind", "q2": "air"}
SET = "weather"


class Place:
    """A workspace with one dataset, the command line, and terminals in it."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self._capsys = root / "workspace", capsys
        self.source = root / "weather-source"
        self.root.mkdir()
        self._exports = 0

    def judge(self, *arguments: object, code: int = 0) -> str:
        """Run a command; gives what it said, data and talk."""
        self._capsys.readouterr()
        got = main(["--workspace", str(self.root), *map(str, arguments)])
        said = self._capsys.readouterr()
        assert got == code, said.err
        return said.out + said.err

    def fill(
        self,
        texts: dict[str, str] = TEXTS,
        queries: dict[str, str] = QUERIES,
        *,
        force: bool = False,
    ) -> str:
        """Import the documents and queries, and draw every document for every query."""
        self.write(texts, queries)
        said = self.judge("import", self.source, "--name", SET)
        self.judge("pool", SET, "--run", self.source / "all.trec")
        return said

    def write(self, texts: dict[str, str], queries: dict[str, str]) -> None:
        self.source.mkdir(exist_ok=True)
        for name, records in (("corpus", texts), ("queries", queries)):
            lines = (json.dumps({"_id": key, "text": text}) for key, text in records.items())
            (self.source / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        rows = [
            f"{query} Q0 {doc} {rank} {9 - rank} all"
            for query in queries
            for rank, doc in enumerate(texts, 1)
        ]
        (self.source / "all.trec").write_text("\n".join(rows) + "\n", "utf-8")

    def terminal(self, annotator: str = "ann", size: tuple[int, int] = (80, 24)) -> Terminal:
        program = RUN.replace("sys.argv[3]", repr(annotator))
        return Terminal(self.root, SET, size, program=program)

    def annotate(self, *keys: str, annotator: str = "ann") -> None:
        """Open the terminal, press keys, each when all is saved, and quit."""
        with self.terminal(annotator) as terminal:
            terminal.wait("candidates")
            press(terminal, *keys)
            terminal.keys("\x11")
            assert terminal.exit_code() == 0

    def exported(self, *options: str) -> dict[str, int]:
        """Export as TREC and read the qrels: `query/document` to grade."""
        self._exports += 1
        folder = self.root.parent / f"export-{self._exports}"
        self.judge("export", SET, "--to", "trec", "-o", folder, *options)
        lines = (folder / "qrels.trec").read_text("utf-8").splitlines()
        rows = [line.split() for line in lines]
        assert len({(row[0], row[2]) for row in rows}) == len(rows)
        return {f"{query}/{doc}": int(grade) for query, _, doc, grade in rows}


@pytest.fixture
def place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Place:
    return Place(tmp_path, capsys)


def press(terminal: Terminal, *keys: str) -> None:
    for key in keys:
        terminal.keys(key)
        terminal.settle(0.12)
        terminal.wait("saved")


def order(terminal: Terminal) -> list[str]:
    """The documents as the list shows them, by their ids in the title's place."""
    return re.findall(r"^[ ▸]+\d+ +\S+ +(\S.*?) +│", terminal.text, re.MULTILINE)


def test_undo_steps_back_also_over_a_query(place: Place) -> None:
    place.fill()
    place.annotate("3", "u")
    assert place.exported() == {}
    with place.terminal() as terminal:
        terminal.wait("candidates")
        press(terminal, "3", "2", "1")
        terminal.wait("query 2/2")
        press(terminal, "3", "u")
        terminal.wait("judged 0/3")
        press(terminal, "u")
        terminal.wait("query 1/2")
        terminal.wait("judged 2/3")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert sorted(place.exported().values()) == [2, 3]
    assert {pair[:2] for pair in place.exported()} == {"q1"}


def test_a_key_pressed_twice_grades_nothing_unseen(place: Place) -> None:
    place.fill()
    with place.terminal() as terminal:
        terminal.wait("candidates")
        terminal.keys("33")
        terminal.settle(0.3)
        terminal.keys("0" * 50)
        terminal.settle(0.3)
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert sorted(place.exported().values()) == [0, 3]


def test_a_kill_at_any_moment_loses_nothing_that_was_saved(place: Place) -> None:
    place.fill({f"d{number}": f"wind of day {number}" for number in range(12)})
    chance = random.Random(7)
    for acknowledged in range(1, 21):
        with place.terminal() as terminal:
            terminal.wait("candidates")
            press(terminal, "2")
            terminal.keys("f")
            time.sleep(chance.random() * 0.05)
            terminal.end(signal.SIGKILL)
        assert len(place.exported()) == acknowledged


def test_garbage_among_the_labels_is_named_and_hides_nothing(place: Place) -> None:
    place.fill()
    place.annotate("3", "2", "1")
    folder = place.root / "labels" / SET / "ann"
    garbage = folder / "20260101T000000Z-00000000-0001.parquet"
    garbage.write_bytes(b"PAR1" + b"\x00" * 100)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert garbage.name in place.judge("status", SET)
    with place.terminal() as terminal:
        terminal.wait("judged")
        terminal.wait("workspace/labels")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert sorted(place.exported().values()) == [1, 2, 3]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_two_annotators_at_the_same_time(place: Place) -> None:
    place.fill()
    with place.terminal("ann") as one, place.terminal("bo") as other:
        one.wait("candidates")
        other.wait("candidates")
        for mine, theirs in (("3", "0"), ("2", "1"), ("1", "2")):
            one.keys(mine)
            other.keys(theirs)
            one.settle(0.1)
            other.settle(0.1)
            one.wait("saved")
            other.wait("saved")
        for terminal in (one, other):
            terminal.keys("\x11")
            assert terminal.exit_code() == 0
    assert sorted(place.exported("--labels", "ann").values()) == [1, 2, 3]
    assert sorted(place.exported("--labels", "bo").values()) == [0, 1, 2]


def test_a_grade_changed_later_counts_once(place: Place) -> None:
    place.fill()
    place.annotate("3")
    (pair, grade), *none = place.exported().items()
    assert (grade, none) == (3, [])
    place.annotate("k", "1")
    assert place.exported() == {pair: 1}
    score = json.loads(
        place.judge("score", SET, "--run", place.source / "all.trec", "-m", "SetR", "--json", "-q")
    )
    assert score["runs"][0]["measures"]
    place.annotate("k", "\x7f")
    assert place.exported() == {}


def test_a_session_goes_on_where_it_stopped(place: Place) -> None:
    place.fill()
    served: list[str] = []
    for _ in range(6):
        before = place.exported()
        place.annotate("1")
        served += sorted(set(place.exported()) - set(before))
    assert len(set(served)) == 6
    assert [pair[:2] for pair in served] == ["q1"] * 3 + ["q2"] * 3


def test_a_text_that_changed_after_it_was_judged_is_named(place: Place) -> None:
    place.fill()
    place.annotate("3", "2", "1", "3", "2", "1")
    place.write({**TEXTS, "d1": "a storm from the north"}, QUERIES)
    elsewhere = Workspace(place.root.parent / "elsewhere")
    elsewhere.root.mkdir()
    main(["--workspace", str(elsewhere.root), "import", str(place.source), "--name", SET])
    kept = place.root / "corpora" / SET
    for name in ("documents.parquet", "dataset.json"):
        (kept / name).write_bytes((elsewhere.dataset_folder(SET) / name).read_bytes())
    assert "d1" in place.judge("status", SET)
    said = place.judge("score", SET, "--run", place.source / "all.trec")
    assert "d1" in said
    assert "changed" in said


def test_skipped_and_cannot_judge_are_no_grade(place: Place) -> None:
    place.fill()
    place.annotate("s", "0", "c", "l")
    assert list(place.exported().values()) == [0]


def test_a_hard_negative_is_never_relevant(place: Place) -> None:
    place.fill()
    place.annotate("x", "k", "3")
    place.annotate("3", "k", "x")
    path = place.root.parent / "table.csv"
    place.judge("export", SET, "--to", "csv", "-o", path)
    table = path.read_text("utf-8").splitlines()
    names = table[0].split(",")
    rows = [dict(zip(names, line.split(","), strict=True)) for line in table[1:]]
    assert [row["grade"] for row in rows] == ["3", "3"]
    assert {row["hard_negative"].lower() for row in rows} == {"false"}


def test_the_document_stays_through_any_size(place: Place) -> None:
    place.fill()
    with place.terminal(size=(200, 60)) as terminal:
        terminal.wait("candidates")
        press(terminal, "j")
        for size in ((40, 12), (10, 3), (1, 1)):
            terminal.resize(*size)
            terminal.settle()
        terminal.keys("3")
        terminal.resize(80, 24)
        terminal.wait("candidates 2 of 3")
        press(terminal, "2")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert list(place.exported().values()) == [2]


def test_what_is_typed_into_a_note_grades_nothing(place: Place) -> None:
    place.fill()
    with place.terminal() as terminal:
        terminal.wait("candidates")
        press(terminal, "i", "3210 q u", "\r")
        terminal.wait("note saved")
        terminal.wait("3210 q u")
        press(terminal, "/", "2024 s q")
        terminal.keys("\x1b")
        terminal.settle(0.3)
        terminal.wait("judged 0/3")
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
    assert place.exported() == {}


def test_passing_a_document_judges_nothing(place: Place) -> None:
    place.fill()
    place.annotate("j", "j", "\x1b[B", "\x1b[C", "j", "j", "\x1b[A")
    assert place.exported() == {}
    assert json.loads(place.judge("status", SET, "--json"))["datasets"][0]["annotators"] == []


def test_a_pair_is_a_query_and_a_document(place: Place) -> None:
    said = place.fill(queries={"q1": "the same", "q2": "the same"})
    assert 'queries with the text of another: 2 (first: "q1" and "q2")' in said
    place.annotate("3", "3", "3", "0", "0", "0")
    grades = place.exported()
    assert {grades[f"q1/{doc}"] for doc in TEXTS} == {3}
    assert {grades[f"q2/{doc}"] for doc in TEXTS} == {0}


def border(terminal: Terminal, rows: Sequence[int]) -> set[int]:
    """The columns in which the line between the panes stands."""
    return {terminal.cells(row).index("│") for row in rows}


def test_text_without_blanks_wraps_and_can_be_read_to_its_end(place: Place) -> None:
    place.fill({"d1": "東京都１２３" * 1000 + "終端点"})
    with place.terminal() as terminal:
        terminal.wait("東")
        assert len(border(terminal, range(4, 19))) == 1
        press(terminal, "G")
        terminal.wait("終")
        assert "終端点" in terminal.text.replace(" ", "")
        assert len(border(terminal, range(4, 19))) == 1
        terminal.keys("\x11")


@pytest.mark.parametrize("text", ["पासवर्ड भूल जाने पर क्षि हिन्दी", "ที่นี่ ภาษาไทย", "Tiếng Việt có dấu"])
def test_every_mark_reaches_the_terminal_in_its_place(place: Place, text: str) -> None:
    place.fill({"d1": text})
    with place.terminal() as terminal:
        terminal.wait(text[0])
        terminal.settle()
        raw = bytes(terminal.raw).decode("utf-8", "replace")
        terminal.keys("\x11")
    letters = re.sub(r"\x1b\[[0-9;?>$]*[A-Za-z]|\s", "", raw)
    assert text.replace(" ", "") in letters


def test_controls_in_a_text_leave_the_screen_as_it_is(place: Place) -> None:
    place.fill({"d1": "def f():\n\treturn\t1\r\nnext\x0cpage\x08x"})
    with place.terminal() as terminal:
        terminal.wait("return")
        terminal.settle()
        assert len(border(terminal, range(4, 19))) == 1
        line = next(line for line in terminal.text.splitlines() if "return" in line)
        above = next(line for line in terminal.text.splitlines() if "def f():" in line)
        assert line.index("return") > above.index("def f():") + 2
        raw = bytes(terminal.raw)
        terminal.keys("\x11")
    assert b"\x0c" not in raw
    assert b"\x08" not in raw
