"""Tables of judgments, read back by programs that are not ours."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from judge.core import arrow
from judge.core.errors import InputError
from judge.formats import csv_table, parquet_table
from judge.formats.writing.table import SCHEMA, Row

ROWS = [
    Row("q1", 'say "hi", 東京', "007", "=1+1", "graded", 3, False),
    Row("q1", None, "-42", "@SUM(A1)\r\nx", "cannot_judge", None, False, "ann", "human", "lang"),
    Row(
        "q2",
        " lead",
        "1e5",
        "\rx",
        "graded",
        0,
        True,
        "bo",
        "human",
        None,
        True,
        "a\nb",
        1.25,
        datetime(2025, 3, 1, 12, 0, 0, 5, tzinfo=timezone(timedelta(hours=2))),
    ),
]
FACTS = {"schema": "judge.export/1", "provenance": {"rule": "median-low"}}


def test_csv_bytes(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    written = csv_table.write_rows(ROWS, FACTS, path)
    assert path.read_bytes().decode("utf-8") == (
        "query_id,query,doc_id,title,verdict,grade,hard_negative,annotator,source,reason,flagged,"
        "note,seconds,at\n"
        'q1,"say ""hi"", 東京",007,=1+1,graded,3,false,,,,false,,,\n'
        'q1,,-42,"@SUM(A1)\r\nx",cannot_judge,,false,ann,human,lang,false,,,\n'
        'q2," lead",1e5,"\rx",graded,0,true,bo,human,,true,"a\nb",1.25,'
        "2025-03-01T10:00:00.000005Z\n"
    )
    assert written == [path, tmp_path / "t.export.json"]
    beside = json.loads(written[1].read_text("utf-8"))
    assert beside["provenance"] == {"rule": "median-low"}
    assert tuple(beside["columns"]) == SCHEMA.names


def test_csv_is_read_back_by_the_standard_reader(tmp_path: Path) -> None:
    csv_table.write_rows(ROWS, FACTS, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["title"] for row in found] == ["=1+1", "@SUM(A1)\r\nx", "\rx"]
    assert [row["doc_id"] for row in found] == ["007", "-42", "1e5"]
    assert found[2]["note"] == "a\nb"


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    assert parquet_table.write_rows(ROWS, FACTS, path) == [path]
    frame = arrow.read(path)
    assert frame.names == SCHEMA.names
    assert frame.values("doc_id") == ["007", "-42", "1e5"]
    assert frame.values("grade") == [3, None, 0]
    assert frame.values("at")[2] == datetime(2025, 3, 1, 10, 0, 0, 5, tzinfo=UTC)
    assert frame.metadata["schema"] == "judge.judgments/1"
    assert json.loads(frame.metadata["export"]) == FACTS


def test_tables_without_rows(tmp_path: Path) -> None:
    csv_table.write_rows([], FACTS, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text("utf-8").count("\n") == 1
    parquet_table.write_rows([], FACTS, tmp_path / "t.parquet")
    assert arrow.read(tmp_path / "t.parquet").rows == 0


@pytest.mark.parametrize("module", [csv_table, parquet_table])
def test_nothing_is_replaced_by_accident(tmp_path: Path, module: object) -> None:
    write = csv_table.write_rows if module is csv_table else parquet_table.write_rows
    path = tmp_path / "t.out"
    write(ROWS, FACTS, path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="exists already"):
        write([], FACTS, path)
    assert path.read_bytes() == before
    write([], FACTS, path, force=True)
    assert path.read_bytes() != before
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write(ROWS, FACTS, tmp_path / "folder", force=True)


def failing() -> Iterator[Row]:
    yield ROWS[0]
    raise OSError("disk full")


@pytest.mark.parametrize("module", [csv_table, parquet_table])
def test_a_failed_table_leaves_nothing(tmp_path: Path, module: object) -> None:
    write = csv_table.write_rows if module is csv_table else parquet_table.write_rows
    with pytest.raises(OSError, match="disk full"):
        write(failing(), FACTS, tmp_path / "half.csv")
    assert list(tmp_path.iterdir()) == []
    written = write(ROWS, FACTS, tmp_path / "t.csv")
    before = [path.read_bytes() for path in written]
    with pytest.raises(OSError, match="disk full"):
        write(failing(), {"other": 1}, tmp_path / "t.csv", force=True)
    assert [path.read_bytes() for path in written] == before
    assert sorted(tmp_path.iterdir()) == sorted(written)


@pytest.mark.parametrize("module", [csv_table, parquet_table])
def test_only_regular_files_are_replaced(tmp_path: Path, module: object) -> None:
    write = csv_table.write_rows if module is csv_table else parquet_table.write_rows
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    for name in ("fifo", "link"):
        with pytest.raises(InputError) as caught:
            write(ROWS, FACTS, tmp_path / name, force=True)
        assert str(caught.value) == (
            f"{tmp_path / name}: is a pipe (expected: a regular file, or a new path)"
        )
    assert (tmp_path / "fifo").is_fifo()


def test_a_link_keeps_leading_to_the_table(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("old")
    (tmp_path / "latest.csv").symlink_to("one.csv")
    csv_table.write_rows(ROWS, FACTS, tmp_path / "latest.csv", force=True)
    assert (tmp_path / "latest.csv").is_symlink()
    assert (tmp_path / "one.csv").read_text("utf-8").startswith("query_id,")


def test_a_table_for_spreadsheets_starts_no_formula(tmp_path: Path) -> None:
    starts = ["=1+1", "+1", "-42", "@user", "\tx", "\rx", "\nx", "＝1", "'quoted", "plain", "7-x"]
    rows = [Row("q1", text, text, text, "graded", 3, False, note=text) for text in starts]
    plain, safe = tmp_path / "plain.csv", tmp_path / "safe.csv"
    csv_table.write_rows(rows, FACTS, plain)
    csv_table.write_rows(rows, FACTS, safe, spreadsheet=True)
    for path, texts in (
        (plain, starts),
        (safe, [*("'" + text for text in starts[:9]), "plain", "7-x"]),
    ):
        with path.open(encoding="utf-8", newline="") as file:
            read = list(csv.DictReader(file))
        for column in ("query", "doc_id", "title", "note"):
            assert [row[column] for row in read] == texts
        assert {row["grade"] for row in read} == {"3"}
    assert json.loads((tmp_path / "safe.export.json").read_text("utf-8"))["spreadsheet"] is True
    assert "spreadsheet" not in json.loads((tmp_path / "plain.export.json").read_text("utf-8"))


def test_numbers_stay_numbers_in_spreadsheets() -> None:
    row = Row("q1", None, "d", None, "graded", 0, False, seconds=-1.5)
    assert [csv_table.harmless(value) for value in row[5:7]] == ["0", "false"]
    assert csv_table.harmless(row.seconds) == "-1.5"
