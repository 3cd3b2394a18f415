"""The forms: import, drawing candidates, export; their reports, and how they are cancelled."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judge.dataset import build
from judge.dataset.store import Dataset
from judge.tui.screens import tasks
from judge.tui.screens.datasets import DatasetsScreen
from judge.tui.screens.queries import QueriesScreen
from judge.tui.screens.tasks import ImportScreen, PoolScreen, TaskScreen, meter
from judge.tui.tasks import FOUND_OUT
from tests.tui.rig import Rig, drive, make_small

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.core.workspace import Workspace
    from judge.tui.tasks import Tell

pytestmark = pytest.mark.slow

START = "There is no dataset in this workspace yet."


def files_of(folder: Path) -> dict[str, bytes]:
    """Give all files below a folder; empty folders do not count."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def kept_files(folder: Path) -> dict[str, bytes]:
    """Give the files of a dataset but for what can be made anew at any time."""
    return {name: data for name, data in files_of(folder).items() if ".cache" not in name}


async def fill(rig: Rig, text: str) -> None:
    """Type into the current row, in the place of what stands there."""
    await rig.press("enter", "end", "ctrl+u")
    await rig.type(text)
    await rig.press("enter")


async def open_form(rig: Rig, key: str, shows: str) -> None:
    await rig.press(key)
    await rig.see(shows)


def test_import_pool_judge_and_export_without_a_command_line(
    workspace: Workspace, beir: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"

    async def steps(rig: Rig) -> None:
        await open_form(rig, "i", "relevant from")
        await fill(rig, str(beir))
        await rig.see("name            tiny")
        await fill(rig, "mine")
        await rig.press("j")
        await fill(rig, "2")
        await rig.press("j", "enter")
        await rig.see("scale 0-3, relevant from 2")
        await rig.see("mine: imported: 4 documents, 2 queries, 4 judgments")
        await rig.see("done")
        await rig.press("escape")
        await rig.see("not ready to judge")
        await open_form(rig, "p", "engine bm25")
        await rig.press(*"jjjjj", "enter")
        await rig.see("next: open mine to judge them")
        await rig.press("q")
        await rig.see("of 4")
        await open_form(rig, "x", "what judge cannot carry of mine:")
        await rig.press("j")
        await fill(rig, str(out))
        await rig.press("j", "enter")
        await rig.see("from a dataset of 4 documents")
        await rig.press("escape", "enter")
        await rig.until(lambda: isinstance(rig.app.screen, QueriesScreen))

    drive(workspace, steps, dataset=None, opened=START, size=(100, 30))
    dataset = Dataset.open(workspace, "mine")
    assert dataset.manifest.scale.relevant_from == 2
    assert {q: {c.doc_id for c in found} for q, found in dataset.candidates().items()} == {
        "q1": {"d1", "d2", "d3"},
        "q2": {"d4"},
    }
    assert out.exists()


def test_only_checking_writes_nothing(workspace: Workspace, beir: Path) -> None:
    async def steps(rig: Rig) -> None:
        await open_form(rig, "i", "relevant from")
        await fill(rig, str(beir))
        await rig.press(*"jjj", "right", "left", "l")
        await rig.see("< yes >")
        await rig.press("j", "enter")
        await rig.see("would be imported: 4 documents")
        await rig.see("nothing was written")

    drive(workspace, steps, dataset=None, opened=START)
    assert files_of(workspace.root) == {}


def test_all_problems_are_listed_and_can_be_read(workspace: Workspace, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    (broken / "qrels").mkdir(parents=True)
    lines = [f'{{"_id": "d{n}"' for n in range(120)]
    (broken / "corpus.jsonl").write_text("\n".join(lines), "utf-8")
    (broken / "queries.jsonl").write_text('{"_id": "q[/x]", "text": 3}\n', "utf-8")

    async def steps(rig: Rig) -> None:
        await open_form(rig, "i", "relevant from")
        await fill(rig, str(broken))
        await rig.press(*"jjjj", "enter")
        await rig.see("121 problems")
        await rig.see("corpus.jsonl:1:")
        await rig.press("G")
        await rig.see("queries.jsonl:1:")
        seen = set()
        await rig.press("g")
        for _ in range(60):
            seen |= {n for n in range(1, 121) if f"corpus.jsonl:{n}:" in rig.text}
            await rig.press("ctrl+d")
        assert seen == set(range(1, 121))
        await rig.press("space", "b", "pagedown", "pageup", "ctrl+u", "home", "end")

    drive(workspace, steps, dataset=None, opened=START, size=(120, 40))
    assert files_of(workspace.root) == {}


@pytest.mark.parametrize(
    ("path", "name", "said"),
    [
        ("", "x", "path: is needed"),
        ("/nowhere/at/all", "x", "no such file or folder"),
        ("BEIR", "", "name: is needed"),
        ("BEIR", "Ü/..", "cannot name a dataset"),
    ],
)
def test_what_is_wrong_with_the_form_is_said(
    workspace: Workspace, beir: Path, path: str, name: str, said: str
) -> None:
    async def steps(rig: Rig) -> None:
        await open_form(rig, "i", "relevant from")
        await fill(rig, str(beir) if path == "BEIR" else path)
        await fill(rig, name)
        await rig.press(*"jjj", "enter")
        await rig.see(said)

    drive(workspace, steps, dataset=None, opened=START, size=(120, 30))
    assert files_of(workspace.root) == {}


def test_typing_can_be_left_and_a_wrong_number_is_said(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await open_form(rig, "p", "engine bm25")
        await rig.press("j", "j", "enter")
        await rig.type("nowhere.run")
        await rig.press("escape")
        assert "nowhere.run" not in rig.text
        await rig.press("j")
        await fill(rig, "0")
        await rig.press("j", "enter")
        await rig.see('depth: "0" is too small')
        await rig.press("k", "k")
        await fill(rig, "many")
        await rig.press("j", "enter")
        await rig.see('"many" is no number')
        await rig.press("k", "k", "k", "k", "k")
        await rig.press("enter", *"jjjjj", "enter")
        await rig.see("nothing to draw from")

    drive(workspace, steps, dataset=None, opened="small")
    assert len(list((workspace.dataset_folder("small") / "pools").iterdir())) == 1


def test_what_a_format_loses_is_said_before_and_after(workspace: Workspace, tmp_path: Path) -> None:
    make_small(workspace)

    async def judge(rig: Rig) -> None:
        await rig.press("x", "i")
        await rig.type("close")
        await rig.press("enter", "2")

    async def export(rig: Rig) -> None:
        await open_form(rig, "x", "< judge >")
        while "< beir >" not in rig.text:
            await rig.press("enter")
        await rig.see("what beir cannot carry of small:")
        await rig.see("- hard-negative marks: 1")
        await rig.see("- the guidelines")
        assert not (tmp_path / "out").exists()
        await rig.press("j")
        await fill(rig, str(tmp_path / "out"))
        await rig.press("j", "enter")
        await rig.see("lost: hard-negative marks: 1")
        await rig.press("enter")
        await rig.see("exists already")
        await rig.press("k", "enter", "j", "enter")
        await rig.see("written as beir")

    drive(workspace, judge)
    drive(workspace, export, dataset=None, opened="small", size=(100, 40))
    assert (tmp_path / "out" / "corpus.jsonl").read_text("utf-8").count("\n") == 3


class Gate:
    """Holds the documents of an import back until the test has pressed its key."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        hear = TaskScreen._hear

        def held(screen: TaskScreen, what: str, done: int, total: int) -> None:
            if done:
                self.reached.set()
                assert self.open.wait(10)
            hear(screen, what, done, total)

        monkeypatch.setattr(TaskScreen, "_hear", held)
        # An import tells after each group of rows; here each document is one.
        monkeypatch.setattr(build, "ROW_GROUP", 1)


def test_a_cancelled_import_leaves_nothing(
    workspace: Workspace, beir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)

    async def steps(rig: Rig) -> None:
        await open_form(rig, "i", "relevant from")
        await fill(rig, str(beir))
        await rig.press(*"jjjj", "enter")
        await rig.until(gate.reached.is_set)
        await rig.press("enter")
        await rig.see("still at work: esc cancels")
        await rig.press("escape")
        await rig.see("cancelling")
        gate.open.set()
        await rig.see(tasks.NOTHING_WRITTEN)
        await rig.press("enter")
        await rig.see("imported: 4 documents")

    drive(workspace, steps, dataset=None, opened=START)
    assert workspace.datasets() == ["tiny"]
    assert [path.name for path in workspace.corpora.iterdir() if path.is_dir()] == ["tiny"]


def test_leaving_during_the_work_cancels_it(
    workspace: Workspace, beir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)

    async def steps(rig: Rig) -> None:
        await open_form(rig, "i", "relevant from")
        await fill(rig, str(beir))
        await rig.press(*"jjjj", "enter")
        await rig.until(gate.reached.is_set)
        await rig.press("escape", "escape")
        await rig.until(lambda: isinstance(rig.app.screen, DatasetsScreen))
        gate.open.set()
        await rig.until(lambda: not [t for t in threading.enumerate() if "working" in t.name])

    drive(workspace, steps, dataset=None, opened=START)
    assert workspace.datasets() == []


def test_a_cancelled_draw_and_export_leave_nothing(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_small(workspace)
    before = kept_files(workspace.dataset_folder("small"))
    gate = Gate(monkeypatch)

    async def steps(rig: Rig) -> None:
        await open_form(rig, "p", "engine bm25")
        await rig.press(*"jjjjj", "enter")
        await rig.until(gate.reached.is_set)
        await rig.press("escape")
        gate.open.set()
        await rig.see(tasks.NOTHING_WRITTEN)
        await rig.press("escape")
        gate.reached.clear()
        gate.open.clear()
        await open_form(rig, "x", "< judge >")
        await rig.press("j")
        await fill(rig, str(tmp_path / "out" / "file"))
        await rig.press("j", "enter")
        await rig.until(gate.reached.is_set)
        await rig.press("escape")
        gate.open.set()
        await rig.see(tasks.NOTHING_WRITTEN)

    drive(workspace, steps, dataset=None, opened="small")
    assert kept_files(workspace.dataset_folder("small")) == before
    assert files_of(tmp_path / "out") == {}


def test_a_fault_of_the_program_is_shown_too(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(screen: ImportScreen, values: Mapping[str, str], tell: Tell) -> Sequence[str]:
        del screen, values, tell
        raise ZeroDivisionError("[/x] \x1b[2J")

    monkeypatch.setattr(ImportScreen, "work", fails)

    async def steps(rig: Rig) -> None:
        await open_form(rig, "i", "relevant from")
        await rig.press(*"jjjjj", "enter")
        await rig.see("the program failed: ZeroDivisionError: [/x]")
        await rig.press("enter", "escape")
        await rig.until(lambda: isinstance(rig.app.screen, DatasetsScreen))

    drive(workspace, steps, dataset=None, opened=START)


def test_the_forms_are_in_the_palette_of_an_open_dataset(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        commands = {c.title: c for c in rig.app.get_system_commands(rig.app.screen)}
        assert {"import", "pool small", "export small"} <= set(commands)
        commands["pool small"].callback()
        await rig.until(lambda: isinstance(rig.app.screen, PoolScreen))
        await rig.see("candidates of small")
        await rig.press("escape")
        await rig.see("not judged yet")

    drive(workspace, steps)


def test_a_click_changes_the_row_under_it(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await open_form(rig, "p", "engine bm25     < yes >")
        await rig.pilot.click("#form", offset=(4, 1))
        await rig.pilot.click("#form", offset=(4, 1))
        await rig.see("▸ engine terms    < yes >")

    drive(workspace, steps, dataset=None, opened="small")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
def test_forms_fit(workspace: Workspace, size: tuple[int, int]) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await open_form(rig, "p", "[ draw ]")
        await rig.see("the top of each is added")
        assert {s.cell_length for s in rig.app.screen._compositor.render_strips()} == {size[0]}

    drive(workspace, steps, dataset=None, opened="small", size=size)


def test_meter() -> None:
    assert meter("documents", 24, 24) == "█" * 24 + " 100 %  24 of 24 documents"
    assert meter("rows", 7, 0) == "7 rows…"


def test_the_form_offers_every_format(workspace: Workspace, beir: Path) -> None:
    del beir

    async def steps(rig: Rig) -> None:
        await open_form(rig, "i", "relevant from")
        await rig.press("j", "j")
        seen: list[str] = []
        while not seen or f"< {FOUND_OUT} >" not in rig.text:
            await rig.press("right")
            row = next(row for row in rig.rows if "format" in row)
            seen.append(row.split("<")[1].split(">")[0].strip())
        assert {"beir", "trec", "judge"} <= set(seen)

    drive(workspace, steps, dataset=None, opened=START)
