"""Fixtures that many rooms share."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from judge.core.workspace import Workspace


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real collections beside a checkout; tests that read them skip where they are absent."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("JUDGE_SHARED_DATA", default))
    if not folder.is_dir():
        pytest.skip("the shared collections are not beside this checkout (JUDGE_SHARED_DATA)")
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace."""
    return Workspace(tmp_path / "workspace")


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    """Four documents, two queries, four judgments, in the current folder."""
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "d1", "title": "Rust", "text": "rust on a chain", "language": "en"},
        {"_id": "d2", "title": "", "text": "oil for the chain", "language": "en"},
        {"_id": "d3", "title": "", "text": "a chain of shops", "language": "en"},
        {"_id": "d4", "title": "Pumpe", "text": "Luft für den Reifen", "language": "de"},
    ]
    queries = [
        {"_id": "q1", "text": "rust chain", "language": "en", "category": "parts"},
        {"_id": "q2", "text": "Reifen", "language": "de", "category": "air"},
    ]
    for name, rows in (("corpus", documents), ("queries", queries)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td2\t1\nq1\td3\t0\nq2\td4\t2\n"
    )
    return folder
