"""Every key of every screen: pressed in the real application, and what it changed looked at.

The tables must name every action; each is tried with every one of its keys, in a run of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.core.model import Document
from judge.tui.actions import MODES, SCREENS
from judge.tui.screens.scores import ScoresScreen
from tests.bench.live_set import DOCUMENTS, NAME, make_set
from tests.tui.effects import EFFECTS, REPORT, WAYS, card, docket, final, grades, scores
from tests.tui.rig import Rig, drive
from tests.tui.settling import judged

if TYPE_CHECKING:
    from pathlib import Path

    from judge.core.workspace import Workspace
    from judge.tui.actions import Action

TEXT = "chain of words in a text that goes on and on. " * 400
POOL = {"q1": ("d1", "d2", "d3", "d4"), "q2": ("d1", "d2", "d3"), "q3": ("d1", "d5")}
SIZE = (80, 24)


def test_every_action_is_tried() -> None:
    for name, table in SCREENS.items():
        assert {action.name for action in table if not action.keep} == set(EFFECTS[name])


def make_all(workspace: Workspace) -> None:
    """Make three datasets, one of which three annotators have graded before."""
    documents = [d.model_copy(update={"text": f"{d.text} {TEXT}"}) for d in DOCUMENTS]
    documents[1] = Document(id="d2", title=documents[0].title, text=documents[0].text)
    make_set(workspace, documents=documents, pool=POOL)
    first = {"q1/d1": (3,), "q1/d4": (2,), "q2/d3": (3,), "q1/d3": (3,), "q3/d5": (3,)}
    judged(workspace, "maria", first)
    judged(workspace, "li", {**first, "q1/d1": (0,), "q2/d3": (1,)})
    judged(workspace, "kim", {**first, "q1/d1": (1,)})
    for name in ("tiny", "zoo"):
        folder = workspace.dataset_folder(NAME)
        copy = workspace.dataset_folder(name)
        copy.mkdir()
        for path in ("documents.parquet", "queries.parquet"):
            (copy / path).write_bytes((folder / path).read_bytes())
        manifest = (folder / "dataset.json").read_text("utf-8")
        (copy / "dataset.json").write_text(manifest.replace('"small"', f'"{name}"'), "utf-8")
    (workspace.dataset_folder("zoo") / "queries.parquet").write_bytes(b"no Parquet")


def make_bad(folder: Path) -> None:
    """Write a collection with many faults."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text("no JSON\n" * 60)
    (folder / "queries.jsonl").write_text("no JSON\n" * 60)
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\tx\n")


def cases() -> list[tuple[str, Action, str]]:
    return [
        (name, action, key)
        for name, table in SCREENS.items()
        for action in table
        if action.name in EFFECTS[name]
        for key in action.keys
    ]


async def is_there(rig: Rig, name: str) -> None:
    """Wait until a screen that works in the background shows what it has."""
    if name == "agreement":
        await rig.until(lambda: docket(rig) is not None)
    if name == "scores":
        await rig.until(lambda: _is_measured(scores(rig)), 20)
    if name == "opening":
        await rig.see("cannot be opened")
    if name == "form":
        await rig.see("relevant from")
    await rig.settle()


def _is_measured(shown: ScoresScreen) -> bool:
    is_idle = not any(worker.is_running for worker in shown.workers) and not shown.busy
    return is_idle and shown._view is not None and shown._view.comparison is not None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "action", "key"), cases(), ids=lambda case: str(case)[:40])
def test_a_key_does_what_the_table_says(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, name: str, action: Action, key: str
) -> None:
    effect = EFFECTS[name][action.name]
    make_all(workspace)
    make_bad(workspace.root / "bad")
    monkeypatch.chdir(workspace.root)

    async def steps(rig: Rig) -> None:
        await rig.press(*WAYS.get(name, ()))
        await is_there(rig, name)
        for before in effect.before:
            await rig.press(before)
            await is_there(rig, name)
        if effect.before[: len(REPORT)] == REPORT:
            await rig.see("problems")
        if action.name == "same":
            await rig.see("gives the same")
        seen, wanted = effect.look(rig), effect.wanted
        is_test = callable(wanted)
        assert is_test or seen != wanted
        await rig.press(key)
        await rig.until(
            lambda: wanted(seen, effect.look(rig)) if is_test else bool(effect.look(rig) == wanted),
            20 if name == "scores" else 4,
        )

    at_datasets = name in ("datasets", "form", "opening")
    dataset, opened = (None, "zoo") if at_datasets else (NAME, "not judged yet")
    drive(workspace, steps, dataset=dataset, opened=opened, size=SIZE)


@pytest.mark.slow
@pytest.mark.parametrize("key", "0123")
def test_each_grade_has_its_digit(workspace: Workspace, key: str) -> None:
    make_all(workspace)

    async def judge(rig: Rig) -> None:
        await rig.press(key)
        assert grades(rig)[0] == int(key)
        assert card(rig) == ("q1", 1)

    drive(workspace, judge, dataset=NAME, opened="not judged yet", size=SIZE)

    async def settle(rig: Rig) -> None:
        await rig.press("q", "a")
        await is_there(rig, "agreement")
        await rig.press(key)
        await rig.until(lambda: final(rig) == (int(key), False))

    drive(workspace, settle, dataset=NAME, opened="candidates", size=SIZE)


def test_the_modes_belong_to_a_screen() -> None:
    assert set(MODES) < set(SCREENS)
