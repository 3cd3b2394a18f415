"""Folders and files that many tests of the formats begin with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Folder = Callable[[Mapping[str, str | bytes | None]], Path]

SOUND: dict[str, str] = {
    "corpus.jsonl": '{"_id":"d1","text":"one"}\n{"_id":"d2","text":"two"}\n',
    "queries.jsonl": '{"_id":"q1","text":"x"}\n',
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
}


@pytest.fixture
def beir_folder(tmp_path: Path) -> Folder:
    """Makes a sound BEIR folder, with some files replaced (None: left out)."""

    def make(files: Mapping[str, str | bytes | None]) -> Path:
        folder = tmp_path / "beir"
        for name, content in {**SOUND, **files}.items():
            if content is not None:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.encode() if isinstance(content, str) else content)
        return folder

    return make


@pytest.fixture
def json_file(tmp_path: Path) -> Callable[[object], Path]:
    """Writes a JSON file, from a value (indented by one) or from its text."""

    def make(value: object) -> Path:
        path = tmp_path / "bench.json"
        text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        return path

    return make
