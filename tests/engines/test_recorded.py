"""Runs that other systems made, replayed as an engine."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from judge.core.errors import FormatError, InputError, NotFound
from judge.core.model import Document, Hit, Query
from judge.core.tables import Run
from judge.engines.registry import open_engine

if TYPE_CHECKING:
    from pathlib import Path

    from judge.dataset.store import Dataset
    from tests.engines.conftest import MakeDataset

TREC = "q1 Q0 a 1 -1.5 theirs\nq1 Q0 b 2 -1.5 theirs\nq1 Q0 c 3 0 theirs\nq2 Q0 a 1 3 theirs\n"
SETTLED = [Hit("c", 0.0), Hit("b", -1.5), Hit("a", -1.5)]


@pytest.fixture
def dataset(make_dataset: MakeDataset) -> Dataset:
    return make_dataset([Document(id="a", text="a", namespace="elsewhere")])


def ask(dataset: Dataset, spec: str, query_id: str = "q1", k: int = 10) -> list[Hit]:
    return open_engine(spec, dataset).search(Query(id=query_id, text="x", namespace="bench"), k)


def test_a_trec_file_is_replayed_as_it_is(dataset: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "theirs.trec"
    path.write_text(TREC)
    # Scores below zero stay, the rank column is not read, unknown documents stay.
    assert ask(dataset, f"run:{path}") == SETTLED
    assert ask(dataset, f"run:{path}", k=2) == SETTLED[:2]
    assert ask(dataset, f"run:{path}", query_id="q3") == []


def test_a_packed_trec_file_is_read(dataset: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "theirs.trec.gz"
    path.write_bytes(gzip.compress(TREC.encode()))
    assert ask(dataset, f"run:{path}") == SETTLED


def test_parquet_is_known_by_its_first_bytes(dataset: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "no-suffix"
    Run.from_hits("mine", {"q1": SETTLED}).write(path)
    assert ask(dataset, f"run:{path}") == SETTLED


def test_a_kept_run_goes_before_a_file_of_its_name(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").write_text(TREC)
    dataset.add_run(Run.from_hits("kept", {"q1": [Hit("z", 1.0)]}), {})
    assert ask(dataset, "run:kept") == [Hit("z", 1.0)]
    assert ask(dataset, "run:./kept") == SETTLED
    assert open_engine("run:kept", dataset).name == "kept"


def test_a_name_of_nothing_names_what_there_is(dataset: Dataset) -> None:
    dataset.add_run(Run.from_hits("baseline", {"q1": [Hit("z", 1.0)]}), {})
    with pytest.raises(NotFound, match='no run "baselin"; did you mean "baseline"'):
        open_engine("run:baselin", dataset)


def test_a_file_that_is_no_run_is_refused(dataset: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "bad.trec"
    path.write_text("q1 Q0 a 1 abc tag\n")
    with pytest.raises(InputError, match='"abc" is not a number'):
        open_engine(f"run:{path}", dataset)
    path.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(FormatError, match="not a readable Parquet file"):
        open_engine(f"run:{path}", dataset)
    with pytest.raises(InputError):
        open_engine(f"run:{tmp_path}", dataset)
