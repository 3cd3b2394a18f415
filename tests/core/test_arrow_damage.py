"""Parquet files that are damaged, foreign or of a later make: refused by name, never believed."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from judge.core import arrow
from judge.core.arrow import Column, Schema
from judge.core.errors import FormatError, InputError
from judge.core.model import Hit
from judge.core.tables import Run

SCHEMA = Schema(
    "judge.tests/1",
    (
        Column("name", "string"),
        Column("kind", "category"),
        Column("n", "int32", nullable=True),
        Column("x", "float64"),
        Column("yes", "bool"),
        Column("at", "time"),
        Column("spans", "spans"),
    ),
)
GOOD: dict[str, Any] = {
    "name": pa.array(["a", "b"]),
    "kind": pa.array(["k", "k"]).dictionary_encode(),
    "n": pa.array([1, None], pa.int32()),
    "x": pa.array([0.5, 1.5]),
    "yes": pa.array([True, False]),
    "at": pa.array([0, 1], pa.timestamp("us", "UTC")),
    "spans": pa.array(
        [[{"start": 0, "end": 3}], []],
        pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64())])),
    ),
}
NOT_TEXT = pa.array([b"\xff", b"fine"]).view(pa.string())
"""What a maker that does not look calls text."""


def put(path: Path, columns: dict[str, Any], schema: str | None = None) -> Path:
    table = pa.table(columns)
    pq.write_table(table.replace_schema_metadata({"schema": schema} if schema else None), path)
    return path


def refused(path: Path) -> str:
    """What every way to read the file says of it, without its folder."""
    said = set()
    for read in (
        lambda: arrow.read(path, SCHEMA),
        lambda: list(arrow.read_batches(path, SCHEMA, 1)),
    ):
        with pytest.raises(FormatError) as caught:
            read()
        said.add(str(caught.value).replace(f"{path.parent}/", ""))
    [text] = said
    return text


@pytest.mark.parametrize("bit", range(8))
def test_no_flipped_bit_changes_a_value(tmp_path: Path, bit: int) -> None:
    path = tmp_path / "r.parquet"
    ranking = [Hit(f"d{i}", 1 / (i + 1)) for i in range(5)]
    Run.from_hits("r", {"q1": ranking, "q2": ranking[:2]}).write(path)
    whole = path.read_bytes()
    refusals = 0
    for place in range(bit % 4, len(whole), 4):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << bit
        path.write_bytes(damaged)
        try:
            run = Run.read(path)
        except InputError:
            refusals += 1
        else:
            assert {q: run.hits(q) for q in run.query_ids} == {"q1": ranking, "q2": ranking[:2]}
    assert refusals > len(whole) // 16


def test_a_page_that_is_passed_over_is_missed(tmp_path: Path) -> None:
    """A page of an unknown kind is skipped by readers of Parquet, as its specification asks."""
    path = tmp_path / "x.parquet"
    schema = Schema("judge.tests/1", (Column("s", "string", repeats=False),))
    arrow.write(path, schema, {"s": ["one", "two"]})
    whole = path.read_bytes()
    # Thrift's compact form: field 1 (0x15), the kind of page, 0 for data, as a zigzag number.
    assert whole[4:6] == b"\x15\x00"
    path.write_bytes(whole[:5] + b"\x0e" + whole[6:])
    expected = r"not a readable Parquet file: 0 rows were found \(expected: 2, as its end says\)"
    for read in (
        lambda: arrow.read(path),
        lambda: list(arrow.read_batches(path)),
        lambda: arrow.read_columns(path, schema),
    ):
        with pytest.raises(FormatError, match=expected):
            read()


def test_a_schema_takes_what_fits_it(tmp_path: Path) -> None:
    wide = {**GOOD, "name": GOOD["name"].cast(pa.large_string()), "n": pa.array([1, None])}
    frame = arrow.read(put(tmp_path / "x.parquet", {**wide, "more": GOOD["x"]}), SCHEMA)
    assert frame.names == SCHEMA.names
    assert frame.values("name") == ["a", "b"]
    assert frame.values("n") == [1, None]
    assert frame.values("spans") == [[(0, 3)], []]
    some = arrow.read(tmp_path / "x.parquet", SCHEMA.only("n", "name"))
    assert some.names == ("name", "n")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"name": pa.array([1, 2])}, "name: holds int64 (expected: string)"),
        ({"name": pa.array(["a", None])}, "name: misses 1 value"),
        ({"name": NOT_TEXT}, "name: holds text that is not UTF-8"),
        ({"kind": NOT_TEXT.dictionary_encode()}, "kind: holds text that is not UTF-8"),
        ({"n": pa.array(["1", "2"])}, "n: holds string (expected: int32)"),
        ({"x": pa.array([True, False])}, "x: holds bool (expected: float64)"),
        ({"yes": pa.array([0, 1])}, "yes: holds int64 (expected: bool)"),
        ({"at": pa.array([0, 1])}, "at: holds int64 (expected: time)"),
        ({"at": pa.array([0, 1], pa.timestamp("ns", "UTC"))}, "at: holds timestamp[ns, tz=UTC]"),
        ({"spans": pa.array([[1], []])}, "spans: holds list<element: int64> (expected: spans)"),
    ],
)
def test_a_column_that_does_not_fit_is_named(
    tmp_path: Path, columns: dict[str, Any], said: str
) -> None:
    assert refused(put(tmp_path / "x.parquet", {**GOOD, **columns})).startswith(
        f"x.parquet: {said}"
    )


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    columns = {name: column for name, column in GOOD.items() if name != "yes"}
    assert refused(put(tmp_path / "x.parquet", columns)).startswith(
        "x.parquet: there is no column yes (expected: columns name, kind, n, x, yes, at, spans;"
    )


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("judge.tests/2", "its schema is judge.tests/2: a newer judge wrote it; update to read it"),
        ("judge.tests/0", "its schema is judge.tests/0"),
        ("judge.others/2", "its schema is judge.others/2"),
    ],
)
def test_a_file_of_ours_must_be_of_the_kind(tmp_path: Path, schema: str, said: str) -> None:
    path = put(tmp_path / "x.parquet", GOOD, schema)
    assert refused(path) == f"x.parquet: {said} (expected: judge.tests/1)"


def test_another_makers_schema_means_nothing_here(tmp_path: Path) -> None:
    path = put(tmp_path / "x.parquet", GOOD, '{"type": "record"}')
    assert arrow.read(path, SCHEMA).rows == 2


def test_a_run_of_broken_text_is_refused(tmp_path: Path) -> None:
    columns = {"query_id": GOOD["name"], "doc_id": NOT_TEXT, "score": GOOD["x"]}
    with pytest.raises(FormatError, match=r"r\.parquet: doc_id: holds text that is not UTF-8"):
        Run.read(put(tmp_path / "r.parquet", columns))
    path = put(tmp_path / "r.parquet", {**columns, "doc_id": GOOD["name"]}, "judge.run/2")
    with pytest.raises(FormatError, match=r"its schema is judge\.run/2: a newer judge wrote it"):
        Run.read(path)


def test_values_that_have_no_counterpart_are_named(tmp_path: Path) -> None:
    moments = pa.array([0, 2**62], pa.timestamp("us", "UTC"))
    frame = arrow.read(put(tmp_path / "x.parquet", {"at": moments, "s": NOT_TEXT}))
    for name in ("at", "s"):
        with pytest.raises(FormatError, match=rf"x\.parquet: {name}: holds "):
            frame.values(name)
    good = arrow.read(put(tmp_path / "y.parquet", {"at": moments[:1]}))
    assert good.values("at") == [dt.datetime(1970, 1, 1, tzinfo=dt.UTC)]


def test_the_name_of_a_file_need_not_be_text(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/s3:\xff"))
    folder.mkdir()
    arrow.write(folder / "x.parquet", SCHEMA.only("x"), {"x": [0.5]})
    assert arrow.read(folder / "x.parquet").values("x") == [0.5]
    with pytest.raises(InputError, match="no such file"):
        arrow.read(folder / "y.parquet")
    with pytest.raises(FormatError, match="not a readable Parquet file"):
        arrow.read(folder)
