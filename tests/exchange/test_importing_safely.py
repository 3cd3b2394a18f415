"""Imports that are killed, or run at once, or meet judgments of people, lose nothing."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.core.errors import DatasetError
from judge.core.files import locked, publish_tree
from judge.core.workspace import Workspace
from judge.dataset import build
from judge.dataset.store import Dataset
from judge.exchange.importing import import_dataset
from judge.judging.labels import read_labels

Source = Callable[[Mapping[str, str | None]], Path]
Tree = Callable[[Path], dict[str, str]]


def labels(workspace: Workspace) -> list[tuple[str, str, int | None]]:
    events = read_labels(workspace.label_folder("set"), "set").events
    return [(e.query_id, e.doc_id, e.grade) for e in events]


KILLED = """
import datetime as dt, os, sys
from pathlib import Path
from judge.core.workspace import Workspace
from judge.dataset import build
from judge.exchange.importing import import_dataset
build.publish_tree = lambda *_arguments, **_named: os._exit(9)
now = dt.datetime(2025, 3, 1, tzinfo=dt.UTC)
source = sys.argv[3]
import_dataset(
    Workspace(Path(sys.argv[1])), Path(sys.argv[2]), name="set", now=now, source=source
)
"""


def killed(workspace: Workspace, folder: Path, source: str = "import") -> None:
    """Import as `set`, and be killed before the dataset gets its name."""
    command = [sys.executable, "-c", KILLED, str(workspace.root), str(folder), source]
    root = Path(__file__).resolve().parents[2]
    assert subprocess.run(command, cwd=root, check=False).returncode == 9
    assert workspace.datasets() == []


def test_killed_before_the_last_step(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    killed(workspace, source({}))
    assert len(labels(workspace)) == 3
    other = source({"qrels.txt": "q2 0 d1 1\n"})
    import_dataset(workspace, other, name="set", now=now)
    assert labels(workspace) == [("q2", "d1", 1)]
    assert [path.name for path in workspace.corpora.iterdir()] == ["set"]
    assert [path.name for path in workspace.labels.iterdir()] == ["set"]


def test_leftover_judgments_do_not_fall_to_a_set_without_any(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    killed(workspace, source({}))
    folder = source({})
    (folder / "qrels.txt").unlink()
    import_dataset(workspace, folder, name="set", now=now)
    assert labels(workspace) == []


def test_a_refused_import_leaves_the_leftover(
    workspace: Workspace,
    source: Source,
    now: dt.datetime,
    tree: Tree,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed(workspace, source({}))
    before = tree(workspace.label_folder("set"))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    changed: list[dict[str, str | None]] = [{"qrels.txt": "q2 0 d1 1\n"}, {"qrels.txt": ""}]
    monkeypatch.setattr(build, "publish_tree", fail)
    for files in changed:
        with pytest.raises(OSError, match="No space left"):
            import_dataset(workspace, source(files), name="set", now=now)
        assert tree(workspace.label_folder("set")) == before


def test_only_what_the_same_kind_of_import_left_is_replaced(
    workspace: Workspace, source: Source, now: dt.datetime, tree: Tree
) -> None:
    killed(workspace, source({}), "gold")
    before = tree(workspace.label_folder("set"))
    with pytest.raises(DatasetError, match='no dataset "set", but judgments on one by gold'):
        import_dataset(workspace, source({}), name="set", now=now)
    assert tree(workspace.label_folder("set")) == before
    import_dataset(workspace, source({}), name="set", now=now, source="gold")
    assert len(labels(workspace)) == 3


@pytest.mark.parametrize("damaged", [False, True])
def test_judgments_that_no_import_made_are_kept_whatever_the_folder_is_called(
    workspace: Workspace,
    source: Source,
    now: dt.datetime,
    tree: Tree,
    record: Callable[..., None],
    damaged: bool,
) -> None:
    folder = workspace.label_folder("set") / "import"
    if damaged:
        folder.mkdir(parents=True)
        (folder / "20250301T090500Z-00000000-0000.parquet").write_bytes(b"x")
    else:
        record("import", ("grade", "q1", "d1", 3))
    before = tree(workspace.root)
    with pytest.raises(DatasetError, match='no dataset "set", but judgments on one by import'):
        import_dataset(workspace, source({}), name="set", now=now)
    assert tree(workspace.root) == before


@pytest.mark.parametrize("first", ["q1 0 d1 1\n", None])
@pytest.mark.parametrize("second", ["q2 0 d3 3\n", None])
def test_of_two_imports_at_once_one_is_whole_and_one_is_refused(
    workspace: Workspace,
    source: Source,
    now: dt.datetime,
    tree: Tree,
    first: str | None,
    second: str | None,
) -> None:
    folder = source({"qrels.txt": None})
    seen: list[dict[str, str]] = []

    def judged(text: str | None) -> None:
        (folder / "qrels.txt").write_text(text or "")

    def published() -> dict[str, str]:
        files = tree(workspace.root)
        return {n: files[n] for n in files if ".new-" not in n and files[n] != "folder"}

    def overtake(done: int, _total: int) -> None:
        if not seen:
            seen.append({})  # the other import has progress to tell as well
            judged(first)
            import_dataset(workspace, folder, name="set", now=now)
            seen[0] = published()

    corpus = "".join(f'{{"_id":"d{i}","text":"t"}}\n' for i in range(1500))
    (folder / "corpus.jsonl").write_text(corpus)
    judged(second)
    with pytest.raises(DatasetError, match='there is a dataset "set" already'):
        import_dataset(workspace, folder, name="set", now=now, progress=overtake)
    assert published() == seen[0]
    assert not [name for name in tree(workspace.root) if ".new-" in name]
    assert len(labels(workspace)) == (first is not None)
    assert [path.name for path in workspace.corpora.iterdir()] == ["set"]


def test_a_person_who_begins_to_judge_while_an_import_runs_is_not_overrun(
    workspace: Workspace, source: Source, now: dt.datetime, record: Callable[..., None]
) -> None:
    corpus = "".join(f'{{"_id":"d{i}","text":"t"}}\n' for i in range(1500))

    def judge_meanwhile(_done: int, _total: int) -> None:
        record("ann", ("grade", "q1", "d1", 2))

    with pytest.raises(DatasetError, match='no dataset "set", but judgments on one by ann'):
        import_dataset(
            workspace,
            source({"corpus.jsonl": corpus}),
            name="set",
            now=now,
            progress=judge_meanwhile,
        )
    assert labels(workspace) == [("q1", "d1", 2)]
    assert not workspace.corpora.exists()


def test_judgments_and_dataset_get_their_places_under_one_lock(
    workspace: Workspace, source: Source, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []

    def look(staged: Path, final: Path) -> None:
        with locked(workspace.corpora, wait=False) as lock:
            held.append((lock, len(labels(workspace)), final.exists()))
        publish_tree(staged, final)

    monkeypatch.setattr(build, "publish_tree", look)
    import_dataset(workspace, source({}), name="set", now=now)
    assert held == [("other", 3, False)]


def test_judgments_of_people_are_never_replaced(
    workspace: Workspace,
    source: Source,
    now: dt.datetime,
    tree: Tree,
    dataset: Dataset,
    record: Callable[..., None],
) -> None:
    record("ann", ("grade", "q1", "d1", 3))
    publish_tree(dataset.folder, workspace.root / "elsewhere")
    before = tree(workspace.root)
    with pytest.raises(DatasetError, match='no dataset "set", but judgments on one by ann'):
        import_dataset(workspace, source({}), name="set", now=now)
    assert tree(workspace.root) == before
