"""Which names may become paths, and what counts as a dataset."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import InputError, NotFound
from judge.core.workspace import NOT_PEOPLE, Workspace, annotator_name, safe_from, safe_name


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


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("demo", "demo"),
        ("a-_", "a-_"),
        ("BM25 (k1=1)", "bm25-k1-1"),
        ("..", "run"),
        ("", "run"),
        ("東京", "run"),
        ("CON", "run-con"),
        ("nul.trec", "run-nul.trec"),
        ("a" * 63 + "..b", "a" * 63),
        ("(" + "x" * 70 + ")", "x" * 64),
    ],
)
def test_a_safe_name_is_made_from_any_text(text: str, name: str) -> None:
    assert safe_from(text, "run") == name


@given(st.text(max_size=80) | st.sampled_from(["con", "LPT1.x", "aux"]), st.booleans())
def test_whatever_the_text_the_name_is_safe_and_new(text: str, again: bool) -> None:
    taken = {safe_from(text, "run")} if again else set()
    name = safe_from(text, "run", taken)
    assert safe_name(name, "run") == name
    assert name not in taken
    assert safe_from(name, "other") == name


def test_taken_names_get_a_number() -> None:
    assert safe_from("Gold", "me", NOT_PEOPLE) == "gold-2"
    assert safe_from("x" * 64, "me", {"x" * 64}) == "x" * 62 + "-2"


def test_people_judge_under_names_of_their_own() -> None:
    assert annotator_name("ana") == "ana"
    for name in ("gold", "import"):
        with pytest.raises(InputError, match="kept for judgments that come with a dataset"):
            annotator_name(name)
    with pytest.raises(InputError, match="cannot name an annotator"):
        annotator_name("Ana Lima")


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
