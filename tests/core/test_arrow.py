"""The door to pyarrow: string columns, plain text read at speed, Parquet there and back."""

from __future__ import annotations

import datetime as dt
import gzip
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core import arrow
from judge.core.arrow import Categories, Column, Schema, Strings, delimited
from judge.core.errors import FormatError, InputError
from judge.core.files import open_bytes
from tests.oracles.collections import CALM

if TYPE_CHECKING:
    from pathlib import Path

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
words = st.text(st.sampled_from("ab0é日𝄞#-"), min_size=1, max_size=20)
THREE: list[tuple[str, arrow.Kind] | None] = [
    ("query", "category"),
    ("doc", "string"),
    ("score", "float64"),
]


def test_strings_are_utf8_bytes_and_offsets() -> None:
    strings = Strings.of(["a", "", "日"])
    assert len(strings) == 3
    assert strings.offsets.tolist() == [0, 1, 1, 4]
    assert bytes(strings.data) == b"a\xe6\x97\xa5" + bytes(8)
    assert list(strings) == ["a", "", "日"]
    assert strings[2] == "日"
    assert strings.shortest() == 0


def test_strings_of_lone_surrogates_are_refused() -> None:
    with pytest.raises(InputError, match=r"\\ud800"):
        Strings.of(["fine", "\ud800"])


@given(st.lists(texts), st.lists(texts))
@CALM
def test_strings_come_back(one: list[str], other: list[str]) -> None:
    first, second = Strings.of(one), Strings.of(other)
    assert list(first) == one
    assert list(Strings.joined([first, second])) == one + other
    assert list(first.gather(np.arange(len(one))[::-1])) == one[::-1]


@given(st.lists(texts, min_size=1), st.data())
@CALM
def test_strings_are_compared_byte_for_byte(values: list[str], data: st.DataObject) -> None:
    place = st.integers(0, len(values) - 1)
    pairs = data.draw(st.lists(st.tuples(place, place)))
    left = np.array([a for a, _ in pairs], np.int64)
    right = np.array([b for _, b in pairs], np.int64)
    strings = Strings.of(values)
    same = strings.equal(left, Strings.of(values), right)
    assert same.tolist() == [values[a] == values[b] for a, b in pairs]


@given(st.lists(texts), st.lists(texts))
@CALM
def test_fingerprints_do_not_depend_on_the_neighbours(one: list[str], other: list[str]) -> None:
    alone = [Strings.of([value]).fingerprints()[0] for value in one]
    together = Strings.of(one + other).fingerprints()[: len(one)]
    assert together.tolist() == alone


def test_fingerprints_of_many_like_ids_differ() -> None:
    ids = [f"doc_{i:08d}" for i in range(100_000)] + [f"d{i}" for i in range(100_000)]
    assert len(set(Strings.of(ids).fingerprints().tolist())) == len(ids)


def test_words_are_zero_past_the_end() -> None:
    strings = Strings.of(["abcdefghi", "ab"])
    rows = np.array([0, 1])
    assert strings.words(rows, 0).tolist() == [
        int.from_bytes(b"abcdefgh", "little"),
        int.from_bytes(b"ab", "little"),
    ]
    assert strings.words(rows, 1).tolist() == [ord("i"), 0]


def test_categories_join_by_value() -> None:
    joined = Categories.joined([Categories.of(["b", "a"]), Categories.of(["c", "b"])])
    assert joined.values == ["b", "a", "c"]
    assert joined.codes.tolist() == [0, 1, 2, 0]
    assert Categories.joined([]).values == []


def read(data: bytes, delimiter: bytes = b" ") -> arrow.Columns | None:
    return arrow.read_delimited(io.BytesIO(data), delimiter, THREE)


def rows(columns: arrow.Columns | None) -> list[tuple[str, str, float]]:
    assert columns is not None
    queries = columns.categories["query"]
    names = [queries.values[code] for code in queries.codes]
    return list(zip(names, columns.strings["doc"], columns.numbers["score"].tolist(), strict=True))


@pytest.mark.parametrize(
    "data",
    [
        b"q1 d1 2.5\nq1 d2 -1e-3\n",
        b"q1 d1 2.5\nq1 d2 -1e-3",
        b"q1 d1 2.5\r\nq1 d2 -1e-3\r\n",
        b"\xef\xbb\xbfq1 d1 2.5\nq1 d2 -1e-3\n",
    ],
    ids=["plain", "no last end", "CR LF", "byte-order mark"],
)
def test_regular_text_is_read(data: bytes) -> None:
    assert rows(read(data)) == [("q1", "d1", 2.5), ("q1", "d2", -0.001)]
    assert rows(read(data.replace(b" ", b"\t"), b"\t")) == rows(read(data))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"q1 d1 2.5\n\nq1 d2 1\n",
        b"q1  d1 2.5\n",
        b" q1 d1 2.5\n",
        b"q1 d1 2.5 \n",
        b"q1 d1 2.5 ",
        b"q1 d1\t2.5\n",
        b"q1 d1 2.5\nq1 d\t2 1\n",
        b"q1 d1 2.5\rq1 d2 1\r",
        b"q1 d1 2.5\nq1 d2\n",
        b"q1 d1 2.5 x\n",
        b"q1 d1 x\n",
        b"q1 d\xe9 1\n",
        b"q1 d1 1\nq1 d\xe6\x97 1\n",
        b"q1 d1 1\nq1 d1 1\xe6",
    ],
)
def test_irregular_text_is_declined(data: bytes) -> None:
    assert read(data) is None


@pytest.mark.parametrize("text", ["nan", "NaN", "NA", "null", ""])
def test_a_number_is_never_missing(text: str) -> None:
    columns = read(f"q1 d1 {text}\n".encode())
    assert columns is None or not np.isfinite(columns.numbers["score"]).all()


def test_infinite_numbers_are_handed_on() -> None:
    columns = read(b"q1 d1 1e400\n")
    assert columns is None or columns.numbers["score"].tolist() == [float("inf")]


def test_ids_are_data() -> None:
    data = b'007 "d#1" 1\n1e5 https://x/a?b=1#c 2\nNA \xc2\xa0 3\n'
    assert rows(read(data)) == [
        ("007", '"d#1"', 1.0),
        ("1e5", "https://x/a?b=1#c", 2.0),
        ("NA", "\u00a0", 3.0),
    ]


@given(
    st.lists(st.tuples(words, words, st.floats(allow_nan=False, allow_infinity=False))),
    st.sampled_from([1, 7, 50, 1000]),
)
@settings(CALM, max_examples=60)
def test_small_blocks_change_nothing(made: list[tuple[str, str, float]], block: int) -> None:
    text = "".join(f"{q} {d} {s!r}\r\n" for q, d, s in made).encode()
    with pytest.MonkeyPatch.context() as patch:
        # Seams fall inside CR LF and inside characters of several bytes.
        patch.setattr(delimited, "BLOCK", block)
        patch.setattr(delimited, "PARSED", 97)
        patch.setattr(delimited, "STEP", 7)
        found = read(text)
    assert made == [] if found is None else rows(found) == made


def test_damaged_gzip_is_declined(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"q1 d1 1\n" * 1000)[:-20])
    with open_bytes(path) as file:
        assert arrow.read_delimited(file, b" ", THREE) is None


SCHEMA = Schema(
    "test/1",
    (
        Column("name", "string"),
        Column("kind", "category"),
        Column("n", "int32"),
        Column("x", "float64", nullable=True),
        Column("yes", "bool"),
        Column("at", "time"),
        Column("spans", "spans"),
    ),
)
AT = dt.datetime(2024, 2, 29, 12, 0, 0, 123456, tzinfo=dt.UTC)


def test_parquet_keeps_every_kind(tmp_path: Path) -> None:
    columns: dict[str, Any] = {
        "name": Strings.of(["a", "日本"]),
        "kind": Categories.of(["k", "k"]),
        "n": np.array([1, -2], np.int32),
        "x": [1.5, None],
        "yes": [True, False],
        "at": [AT, AT],
        "spans": [[(0, 3)], []],
    }
    path = tmp_path / "x.parquet"
    arrow.write(path, SCHEMA, columns, {"made_by": "me"})
    frame = arrow.read(path)
    assert (frame.rows, frame.names) == (2, SCHEMA.names)
    assert frame.metadata == {"schema": "test/1", "made_by": "me"}
    assert frame.values("name") == ["a", "日本"]
    assert list(frame.strings("name")) == ["a", "日本"]
    assert frame.categories("kind").values == ["k"]
    assert frame.numbers("n").tolist() == [1, -2]
    assert frame.values("x") == [1.5, None]
    assert frame.values("yes") == [True, False]
    assert frame.values("at") == [AT, AT]
    assert frame.values("spans") == [[(0, 3)], []]
    assert arrow.read_metadata(path) == (2, frame.metadata)
    assert [f.values("n") for f in arrow.read_batches(path, ["n"], 1)] == [[1], [-2]]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), "dictionary"])
@given(values=st.lists(texts, max_size=20))
@settings(CALM, max_examples=25)
def test_strings_of_any_width_are_read(kind: object, values: list[str]) -> None:
    column = pa.chunked_array(
        [pa.array(values[:3], pa.string()), pa.array(values[3:], pa.string())]
    )
    column = column.dictionary_encode() if kind == "dictionary" else column.cast(kind)
    frame = arrow.Frame(len(values), {}, pa.table({"x": column}).slice(0, len(values)))
    assert list(frame.strings("x")) == values
    categories = frame.categories("x")
    assert [categories.values[code] for code in categories.codes] == values


def test_foreign_parquet_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"s": pa.array(["a", None]), "n": pa.array([1, 2])}), path)
    frame = arrow.read(path)
    for wrong in (
        lambda: frame.strings("s"),
        lambda: frame.categories("s"),
        lambda: frame.strings("n"),
        lambda: frame.categories("n"),
        lambda: frame.numbers("s"),
    ):
        with pytest.raises(
            FormatError, match=r"x\.parquet: [sn]: (misses 1 value|holds (int64|string))"
        ):
            wrong()
    with pytest.raises(FormatError, match="there is no column z"):
        arrow.read(path, ["s", "z"])
    with pytest.raises(InputError, match="no such file"):
        arrow.read(tmp_path / "nothing.parquet")
    path.write_bytes(b"PAR1 nonsense")
    with pytest.raises(FormatError, match="not a readable Parquet file"):
        arrow.read(path)


def test_a_writer_that_is_given_up_is_silent(tmp_path: Path) -> None:
    with (tmp_path / "x.parquet").open("wb") as file:
        writer = arrow.Writer(file, SCHEMA)
    del writer
