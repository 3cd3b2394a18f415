"""The list of datasets, what cannot be opened, and what to do in an empty workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.model import Document, Query
from judge.tui.screens.datasets import DatasetsScreen
from judge.tui.screens.judging import JudgingScreen
from judge.tui.screens.queries import QueriesScreen
from tests.tui.rig import Rig, drive, make, make_small, told

if TYPE_CHECKING:
    from judge.core.workspace import Workspace


def test_an_empty_workspace_says_what_to_do(workspace: Workspace) -> None:
    async def steps(rig: Rig) -> None:
        await rig.see("judge demo")
        await rig.see("judge import PATH --name NAME")
        await rig.press("enter", "j", "?", "q")

    drive(workspace, steps, dataset=None, opened="There is no dataset in this workspace yet.")


def test_counts_and_progress_and_the_way_in_and_out(workspace: Workspace) -> None:
    make_small(workspace)

    async def steps(rig: Rig) -> None:
        await rig.see("0 of 6")
        row = next(row for row in rig.rows if "small" in row)
        assert row.split() == ["▸", "small", "3", "2", "0", "of", "6", "-", "en", "und"]
        await rig.press("enter")
        await rig.until(lambda: isinstance(rig.app.screen, QueriesScreen))
        await rig.press("enter")
        await rig.until(lambda: isinstance(rig.app.screen, JudgingScreen))
        await rig.press("3", "q", "q")
        await rig.until(lambda: isinstance(rig.app.screen, DatasetsScreen))
        await rig.see("1 of 6")
        await rig.press("q")
        await rig.until(lambda: not rig.app.is_running)

    drive(workspace, steps, dataset=None, opened="small")
    assert told(workspace) == [("grade", "q1", "d1", 3)]


def test_a_dataset_without_candidates_says_which_command_makes_them(workspace: Workspace) -> None:
    make(workspace, [Document(id="d", text="t")], [Query(id="q", text="t")], pools={})

    async def steps(rig: Rig) -> None:
        await rig.see("not ready to judge")
        await rig.see("judge pool small --engine bm25")
        await rig.press("enter")
        await rig.see("small cannot be opened")
        await rig.see("judge pool small")
        await rig.press("escape")
        assert isinstance(rig.app.screen, DatasetsScreen)

    drive(workspace, steps, dataset=None, opened="small")


def test_a_broken_dataset_is_a_row_with_its_reason_and_hides_no_other(workspace: Workspace) -> None:
    make_small(workspace)
    make(workspace, [Document(id="d", text="t")], [Query(id="q", text="t")], name="broken")
    (workspace.dataset_folder("broken") / "dataset.json").write_text("{[/x] \x1b[2J")

    async def steps(rig: Rig) -> None:
        await rig.see("0 of 6")
        await rig.see("not valid JSON")
        await rig.press("enter")
        await rig.see("broken cannot be opened")
        await rig.press("q", "j", "enter")
        await rig.until(lambda: isinstance(rig.app.screen, QueriesScreen))

    drive(workspace, steps, dataset=None, opened="broken")


def test_a_dataset_that_was_asked_for_and_cannot_be_opened_fails_the_program(
    workspace: Workspace,
) -> None:
    async def steps(rig: Rig) -> None:
        await rig.until(lambda: not rig.app.is_running)

    app = drive(workspace, steps, dataset="absent", opened="")
    assert 'no dataset "absent"' in str(app.failure)
    assert app.return_code == 3
