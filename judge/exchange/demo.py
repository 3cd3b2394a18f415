"""Where the demo dataset comes from, and how it gets into a workspace, is known only here."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import judge
from judge.core.errors import InputError, Problem
from judge.core.files import make_folder, publish_tree

if TYPE_CHECKING:
    from judge.core.workspace import Workspace

NAME = "demo"
GOLD = "gold"
"""The annotator whose judgments come along; what others judge in a checkout is theirs."""


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
    with workspace.staged_labels(NAME) as staged:
        make_folder(labels)
        _copy(source / "labels" / NAME / GOLD, staged / GOLD, labels / GOLD)
    with workspace.staged_dataset(NAME) as staged:
        return _copy(source / "corpora" / NAME, staged / NAME, workspace.dataset_folder(NAME))


def _copy(source: Path, staged: Path, final: Path) -> bool:
    """Copy a folder, whole or not at all; whether it was not there already."""
    if not final.exists():
        shutil.copytree(source, staged, ignore=shutil.ignore_patterns(".cache"))
        with contextlib.suppress(FileExistsError):  # another program was faster
            publish_tree(staged, final)
            return True
    return False


def _shipped() -> Path:
    """The folder with the demo's `corpora` and `labels`: inside the package, or the checkout."""
    package = Path(judge.__file__).parent
    for folder in (package / "_demo", package.parent):
        if (folder / "corpora" / NAME / "dataset.json").is_file():
            return folder
    raise InputError(Problem("this installation came without the demo dataset"))
