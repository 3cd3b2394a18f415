"""Engines by name: which there are, how they are spelled, what their manuals say."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from judge.core.errors import InputError, NotFound
from judge.core.model import Document
from judge.engines import ENGINES, EngineKind, manual, open_engine

if TYPE_CHECKING:
    from judge.dataset.store import Dataset
    from tests.engines.conftest import MakeDataset


@pytest.fixture
def dataset(make_dataset: MakeDataset) -> Dataset:
    return make_dataset([Document(id="a", text="a")])


@pytest.mark.parametrize(("spec", "near"), [("bm52", "bm25"), ("term", "terms"), ("Bm25", "bm25")])
def test_an_unknown_engine_names_the_nearest(dataset: Dataset, spec: str, near: str) -> None:
    with pytest.raises(NotFound, match=f'no engine "{spec}"; did you mean "{near}"'):
        open_engine(spec, dataset)


def test_an_engine_unlike_any_lists_all(dataset: Dataset) -> None:
    with pytest.raises(
        NotFound, match=r"there is: bm25, run:FILE, terms\. `judge explain engines`"
    ):
        open_engine("solr:here", dataset)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [("bm25:fast", "bm25"), ("bm25:", "bm25"), ("run", "run:FILE"), ("run:", "run:FILE")],
)
def test_what_follows_the_colon_must_belong_there(
    dataset: Dataset, spec: str, expected: str
) -> None:
    with pytest.raises(InputError, match=rf'engine "{spec}" \(expected: {expected}\)'):
        open_engine(spec, dataset)


@pytest.mark.parametrize("found", ENGINES, ids=lambda found: str(found.kind))
def test_every_engine_has_a_manual(found: EngineKind) -> None:
    first, *rest = manual(found.kind).splitlines()
    assert first.endswith((".", ":"))
    assert len(rest) > 5
    assert manual(found.spelling) == manual(found.kind)


def test_the_manual_of_all_lists_each_and_the_promises() -> None:
    text = manual("engines")
    for found in ENGINES:
        assert f"  {found.spelling} " in text
        assert found.summary in text
    assert "document id downwards" in text


def test_a_manual_of_nothing_is_not_found() -> None:
    with pytest.raises(NotFound, match='did you mean "bm25"'):
        manual("bm2")


def test_the_baseline_does_not_load_the_index_library() -> None:
    code = (
        "import sys, judge.engines, judge.engines.terms, judge.engines.recorded\n"
        "print('tantivy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
