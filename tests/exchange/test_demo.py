"""The demo dataset: what is shipped is what its source says, and it gets into a workspace whole."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path

import pytest

import judge
from judge.core.files import publish_tree
from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.exchange import demo
from judge.exchange.demo import place_demo
from judge.exchange.importing import import_dataset
from judge.judging.labels import read_labels

ROOT = Path(judge.__file__).resolve().parents[1]


def test_what_is_shipped_is_made_from_its_source(workspace: Workspace) -> None:
    import_dataset(
        workspace,
        ROOT / "corpora" / "demo.json",
        name="fresh",
        now=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        source="gold",
    )
    fresh, shipped = Dataset.open(workspace, "fresh"), Dataset.open(Workspace(ROOT), "demo")
    assert list(fresh.documents()) == list(shipped.documents())
    assert fresh.queries == shipped.queries
    assert fresh.guidelines == shipped.guidelines != ""
    assert fresh.manifest.scale == shipped.manifest.scale

    def grades(place: Workspace, name: str) -> dict[tuple[str, str], tuple[int | None, bool]]:
        labels = read_labels(place.label_folder(name), name)
        return {
            (event.query_id, event.doc_id): (event.grade, event.hard_negative)
            for event in labels.events
            if event.annotator == "gold"
        }

    assert grades(workspace, "fresh") == grades(Workspace(ROOT), "demo")


def test_the_demo_is_placed_once_and_whole(workspace: Workspace) -> None:
    assert place_demo(workspace) is True
    assert place_demo(workspace) is False
    dataset = Dataset.open(workspace, "demo")
    assert (len(list(dataset.documents())), len(dataset.queries)) == (79, 20)
    assert dataset.run_names() == ["bm25", "terms"]
    assert set(dataset.candidates()) <= {query.id for query in dataset.queries}
    labels = read_labels(workspace.label_folder("demo"), "demo")
    assert len(labels.events) == 225
    assert not labels.warnings
    assert sorted(p.name for p in workspace.label_folder("demo").iterdir()) == ["gold"]


def test_judgments_that_are_there_stay(workspace: Workspace) -> None:
    mine = workspace.label_folder("demo") / "ana"
    mine.mkdir(parents=True)
    (mine / "note.txt").write_text("mine")
    assert place_demo(workspace) is True
    assert (mine / "note.txt").read_text() == "mine"
    assert (workspace.label_folder("demo") / "gold").is_dir()


def test_only_what_the_authors_judged_comes_along(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "checkout"
    for part in ("corpora/demo", "labels/demo"):
        shutil.copytree(ROOT / part, checkout / part)
    (checkout / "labels" / "demo" / "ana").mkdir()
    (checkout / "labels" / "demo" / "import").mkdir()
    monkeypatch.setattr(judge, "__file__", str(checkout / "judge" / "__init__.py"))
    assert place_demo(workspace) is True
    assert [path.name for path in workspace.label_folder("demo").iterdir()] == ["gold"]
    assert [path.name for path in workspace.corpora.iterdir()] == ["demo"]
    assert [path.name for path in workspace.labels.iterdir()] == ["demo"]


def test_another_program_may_be_faster(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(staged: Path, final: Path) -> None:
        shutil.copytree(staged, final)
        publish_tree(staged, final)

    monkeypatch.setattr(demo, "publish_tree", late)
    assert place_demo(workspace) is False
    assert len(Dataset.open(workspace, "demo").queries) == 20
    assert [path.name for path in workspace.corpora.iterdir()] == ["demo"]
