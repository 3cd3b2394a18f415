"""Whatever happens to a file, reading it gives a collection or an error of ours, never another."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.core.errors import InputError
from judge.core.model import Document, Hit, Judgment, Query, Scale
from judge.core.tables import Run
from judge.formats import registry
from judge.formats.collection import Collection
from judge.formats.reading.intake import Reading

SAMPLE = Collection(
    documents=[
        Document(id="d1", text="one 東京", title="T", metadata={"n": [1, 2.5, None]}),
        Document(id="d2", text=None, language="hi", namespace="x", parent_id="d1"),
    ],
    queries=[Query(id="q1", text="a", split="dev"), Query(id="q2", text="b", category="c")],
    judgments=[Judgment("q1", "d1", 3, note="!"), Judgment("q2", "d2", 0, hard_negative=True)],
    runs={"bm25": Run.from_hits("bm25", {"q1": [Hit("d1", 1.5), Hit("d2", -1e-6)]})},
    name="sample",
    scale=Scale(),
    made_by={"seed": 1},
)
PIECES = [b'"', b"{", b"}", b"[", b",", b":", b"\n", b"\r", b"\t", b" ", b"\\", b"\\ud800", b"\xff"]
PIECES += [
    b"\x00",
    b"null",
    b"NaN",
    b"1e999",
    b"-1",
    b"true",
    b"9" * 30,
    b"\xef\xbb\xbf",
    b"[" * 200,
]
EDITS = st.lists(
    st.tuples(st.integers(0, 4000), st.integers(0, 12), st.sampled_from([b"", *PIECES])),
    min_size=1,
    max_size=4,
)


def damaged(content: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    for start, length, piece in edits:
        place = start % (len(content) + 1)
        content = content[:place] + piece + content[place + length :]
    return content


@pytest.mark.parametrize("name", registry.FORMATS)
@settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(which=st.integers(0, 20), edits=EDITS, strict=st.booleans())
def test_damaged_files(
    name: str, which: int, edits: list[tuple[int, int, bytes]], strict: bool
) -> None:
    module = registry.FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        module.write(SAMPLE, path)
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        file = files[which % len(files)]
        file.write_bytes(damaged(file.read_bytes(), edits))
        with contextlib.suppress(InputError):
            found = module.read(path, Reading(strict=strict))
            list(found.documents)
        with contextlib.suppress(InputError):
            registry.sniff(path)
