"""Signs and scripts that matching by letters alone would mix up, wherever texts are compared."""

from __future__ import annotations

import pytest

from judge.core.model import Document, Query, Scale
from judge.core.similar import nearest, similarity
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.engines.registry import open_engine
from judge.tui.text.finding import Finder

TEXTS = {
    "sharp": "F# is a language",
    "plus": "F++ is a language",
    "minus": "F-- is a language",
    "cpp": "C++ compiles",
    "csharp": "C# compiles",
    "none": "",
    "blank": " \n\t",
    "spice": "मसाला",
    "mashed": "मसल",
    "price": "मूल्य",
    "tower": "東京塔",
    "capital": "京都御所",
}


@pytest.fixture
def dataset(workspace: Workspace) -> Dataset:
    with stage(workspace, "signs") as staging:
        staging.write_documents([Document(id=name, text=text) for name, text in TEXTS.items()])
        staging.write_queries([Query(id="q", text="language")])
        staging.publish(scale=Scale())
    return Dataset.open(workspace, "signs")


@pytest.mark.parametrize("engine", ["bm25", "terms"])
@pytest.mark.parametrize(
    ("text", "best", "not_found"),
    [
        ("C++", "cpp", {"csharp", "plus"}),
        ("c#", "csharp", {"cpp", "sharp"}),
        ("मसाला", "spice", {"price"}),
        ("東京塔", "tower", {"spice"}),
        ("मूल्य", "price", {"spice", "mashed"}),
    ],
)
def test_an_engine_tells_scripts_apart(
    dataset: Dataset, engine: str, text: str, best: str, not_found: set[str]
) -> None:
    hits = open_engine(engine, dataset).search(Query(id="q", text=text), 10)
    assert hits[0].doc_id == best
    assert all(hit.score < hits[0].score for hit in hits[1:])
    found = {hit.doc_id for hit in hits}
    assert not found & ({"none", "blank"} | not_found)


@pytest.mark.parametrize(("wanted", "best"), [("F++", "plus"), ("F#", "sharp"), ("F--", "minus")])
def test_signs_are_no_blanks(dataset: Dataset, wanted: str, best: str) -> None:
    hits = open_engine("terms", dataset).search(Query(id="q", text=wanted), 10)
    assert [hit.doc_id for hit in hits] == [best]
    found = {}
    for name, text in TEXTS.items():
        finder = Finder(text, wanted)
        finder.look(1_000)
        found[name] = [text[start:end] for start, end in finder.hits]
    assert {name: hits for name, hits in found.items() if hits} == {best: [wanted]}


def test_near_copies_by_hand() -> None:
    assert similarity("C#", "C++") == pytest.approx(2 * 1 / 5)
    assert similarity("+", "-") == 0
    assert similarity("", "") == 0
    assert similarity("", "F#") == 0
    assert similarity(" \n", "\t") == 0
    # Five code points against three of them.
    assert similarity("मसाला", "मसल") == pytest.approx(2 * 3 / 8)
    assert similarity("東京塔", "京都御所") == pytest.approx(2 * 1 / 7)


def test_only_a_text_with_something_in_it_has_near_copies() -> None:
    assert nearest("", TEXTS.values()) is None
    names = list(TEXTS)
    for name in ("spice", "tower", "plus", "sharp"):
        match = nearest(TEXTS[name], TEXTS.values())
        assert match is not None
        assert (names[match.place], match.share) == (name, 1)
