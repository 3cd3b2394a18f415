"""Which names may become paths, and what counts as a dataset."""

from __future__ import annotations

import pytest

from judge.core.errors import InputError, NotFound
from judge.core.workspace import Workspace, safe_name


@pytest.mark.parametrize("name", ["demo", "a", "0", "my-set_2.1", "x" * 64])
def test_good_names(name: str) -> None:
    assert safe_name(name, "dataset") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "/abs",
        "a/b",
        "A",
        "ä",
        "-x",
        ".hidden",
        "x" * 65,
        "con",
        "nul.txt",
        "a\n",
        "a b",
        "lpt1",
        "trailing.",
    ],
)
def test_names_that_cannot_leave_the_workspace(name: str) -> None:
    with pytest.raises(InputError, match="cannot name a dataset"):
        safe_name(name, "dataset")


def test_only_whole_datasets_count(workspace: Workspace) -> None:
    assert workspace.datasets() == []
    for name in ("b", "a", ".new-c", "half"):
        folder = workspace.corpora / name
        folder.mkdir(parents=True)
        if name != "half":
            (folder / "dataset.json").write_text("{}")
    assert workspace.datasets() == ["a", "b"]
    assert workspace.existing_dataset("a") == workspace.corpora / "a"
    with pytest.raises(NotFound, match="judge demo"):
        workspace.existing_dataset("half")
    with pytest.raises(NotFound):
        workspace.existing_dataset("../a")
