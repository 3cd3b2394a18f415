"""Where the demo dataset comes from, and how it gets into a workspace, is known only here."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import judge
from judge.core.errors import InputError, Problem
from judge.core.files import make_folder, publish_tree, remove_tree

if TYPE_CHECKING:
    from judge.core.workspace import Workspace

NAME = "demo"


def place_demo(workspace: Workspace) -> bool:
    """Copy the demo dataset and its gold judgments into a workspace that has none.

    Judgments that are there already stay as they are. The dataset appears last, so that it is
    there whole or not at all.

    Returns:
        Whether anything was copied.

    Raises:
        InputError: The program was installed without its demo.
    """
    if (workspace.dataset_folder(NAME) / "dataset.json").is_file():
        return False
    source = _shipped()
    labels = workspace.label_folder(NAME)
    make_folder(labels)
    for annotator in sorted((source / "labels" / NAME).iterdir()):
        if annotator.is_dir() and not (labels / annotator.name).exists():
            _copy(annotator, labels / f".new-{annotator.name}", labels / annotator.name)
    make_folder(workspace.corpora)
    _copy(source / "corpora" / NAME, workspace.staged_dataset(NAME), workspace.dataset_folder(NAME))
    return True


def _copy(source: Path, staged: Path, final: Path) -> None:
    remove_tree(staged)
    shutil.copytree(source, staged, ignore=shutil.ignore_patterns(".cache"))
    publish_tree(staged, final)


def _shipped() -> Path:
    """The folder with the demo's `corpora` and `labels`: inside the package, or the checkout."""
    package = Path(judge.__file__).parent
    for folder in (package / "_demo", package.parent):
        if (folder / "corpora" / NAME / "dataset.json").is_file():
            return folder
    raise InputError(Problem("this installation came without the demo dataset"))
