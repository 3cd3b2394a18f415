"""How typed columns become Parquet files of ours, and come back, is known only here."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from judge.core.arrow.columns import Collector, Columns, MixedError
from judge.core.arrow.strings import Categories, Strings
from judge.core.errors import FormatError, InputError, Problem
from judge.core.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Kind = Literal["string", "category", "int32", "int64", "float64", "bool", "time", "spans"]

_TYPES: dict[str, pa.DataType] = {
    "string": pa.string(),
    "category": pa.dictionary(pa.int32(), pa.string()),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
    "time": pa.timestamp("us", tz="UTC"),
    "spans": pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64())])),
}
Values = Sequence[Any] | np.ndarray[Any, Any] | Strings | Categories
"""What a column may be written from."""
SCHEMA_KEY = b"schema"
_OUR_SCHEMA = re.compile(r"judge\.[a-z]+/[0-9]{1,9}")
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
BATCH = 1 << 17
"""Rows decoded at once."""


@dataclass(frozen=True)
class Column:
    """One column of a file of ours.

    Attributes:
        name: Its name.
        kind: What it holds.
        nullable: Whether a value may be missing.
        repeats: Whether a string is likely to stand in many rows, so that it pays to store it once.

    Kinds: `category` is a string column of few distinct values, `time` is a UTC datetime to the
    microsecond, `spans` a list of (start, end) pairs.
    """

    name: str
    kind: Kind
    nullable: bool = False
    repeats: bool = True


@dataclass(frozen=True)
class Schema:
    """A named and versioned list of columns, such as `judge.labels/1`."""

    name: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in file order."""
        return tuple(column.name for column in self.columns)

    def only(self, *names: str) -> Schema:
        """The same schema with some of its columns, in its own order."""
        return Schema(self.name, tuple(c for c in self.columns if c.name in names))


@dataclass(frozen=True)
class Frame:
    """Columns read from one Parquet file.

    Attributes:
        rows: How many rows there are.
        metadata: The key-value metadata of the file; our own files have `schema`.
        path: The file, for messages.
    """

    rows: int
    metadata: dict[str, str]
    _table: Any = field(repr=False)
    path: Path | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in file order."""
        return tuple(self._table.column_names)

    def values(self, name: str) -> list[Any]:
        """One column as Python values; a missing value is None, spans are (start, end) pairs.

        Raises:
            FormatError: A text is not UTF-8, or a moment lies outside the calendar.
        """
        column = self._table.column(name)
        with _mixed_named(self.path):
            return _python_values(name, column)

    def numbers(self, name: str) -> np.ndarray[Any, Any]:
        """One numeric column without missing values as an array [rows].

        Raises:
            FormatError: The column holds something else, or a value is missing.
        """
        return self._collected(name, "float64").numbers[name]

    def strings(self, name: str) -> Strings:
        """One string column without missing values as bytes and offsets.

        Raises:
            FormatError: The column holds something else, or a value is missing.
        """
        return self._collected(name, "string").strings[name]

    def categories(self, name: str) -> Categories:
        """One string column of few distinct values, without missing ones, as values and codes.

        Raises:
            FormatError: The column holds something else, or a value is missing.
        """
        return self._collected(name, "category").categories[name]

    def _collected(self, name: str, kind: Kind) -> Columns:
        collector = Collector({name: kind})
        with _mixed_named(self.path):
            _refuse_broken_text(self._table, [name])
            collector.add(self._table, 1.0)
        return collector.finish()


def _python_values(name: str, column: pa.ChunkedArray) -> list[Any]:
    try:
        if column.type == _TYPES["time"]:
            return list(_moments(column))
        values = column.to_pylist()
    except UnicodeDecodeError:
        raise MixedError(name, NOT_UTF8) from None
    except (ValueError, OverflowError, TypeError):
        raise MixedError(name, "holds a value that has no counterpart here") from None
    if _is_spans(column.type):
        return [v and [(s["start"], s["end"]) for s in v] for v in values]
    return list(values)


def _moments(column: pa.ChunkedArray) -> list[dt.datetime | None]:
    """UTC datetimes of a `time` column, to the microsecond; `to_pylist` takes far longer."""
    # Not `to_numpy`: it would load pandas where that is installed.
    passed = np.array(column.cast(pa.int64()).to_pylist(), "m8[us]").tolist()
    return [None if span is None else _EPOCH + span for span in passed]


@contextmanager
def _mixed_named(path: Path | None) -> Iterator[None]:
    try:
        yield
    except MixedError as error:
        problem = Problem(error.found, path, field=error.name, expected=error.expected)
        raise FormatError(problem) from None


NOT_UTF8 = "holds text that is not UTF-8"


def _refuse_broken_text(batch: pa.RecordBatch | pa.Table, names: Sequence[str]) -> None:
    """Refuse strings that are not UTF-8: Parquet only claims that they are."""
    for name in names:
        column = batch.column(name)
        if _fits("string", column.type):
            try:
                column.validate(full=True)
            except pa.ArrowInvalid:
                raise MixedError(name, NOT_UTF8) from None


def _fits(kind: Kind, found: pa.DataType) -> bool:
    """Whether a column of this type can be read as this kind."""
    types = pa.types
    if kind in ("string", "category"):
        plain = found.value_type if types.is_dictionary(found) else found
        return bool(types.is_string(plain) or types.is_large_string(plain))
    if kind in ("int32", "int64"):
        return bool(types.is_integer(found))
    if kind == "float64":
        return bool(types.is_floating(found) or types.is_integer(found))
    return bool(_is_spans(found) if kind == "spans" else found == _TYPES[kind])


def _is_spans(found: pa.DataType) -> bool:
    if not pa.types.is_list(found) or not pa.types.is_struct(found.value_type):
        return False
    return {field.name for field in found.value_type} == {"start", "end"}


def _refuse_unfit(batch: pa.RecordBatch | pa.Table, schema: Schema) -> None:
    """Refuse columns that hold anything but what their schema says."""
    for column in schema.columns:
        found = batch.column(column.name)
        if not _fits(column.kind, found.type):
            raise MixedError(column.name, f"holds {found.type}", column.kind)
        if found.null_count and not column.nullable:
            raise MixedError.missing(column.name, found.null_count)
    _refuse_broken_text(batch, schema.names)


def _refuse_later(metadata: Mapping[str, str], schema: Schema, path: Path) -> None:
    """Refuse a file of ours of another kind or version; one of another maker has no such name."""
    name = metadata.get(SCHEMA_KEY.decode(), schema.name)
    if name == schema.name or not _OUR_SCHEMA.fullmatch(name):
        return
    family, _, version = schema.name.partition("/")
    later = name.startswith(f"{family}/") and int(name.partition("/")[2]) > int(version)
    why = ": a newer judge wrote it; update to read it" if later else ""
    raise FormatError(Problem(f"its schema is {name}{why}", path, expected=schema.name))


def _arrow_schema(schema: Schema, metadata: Mapping[str, str]) -> pa.Schema:
    fields = [pa.field(c.name, _TYPES[c.kind], nullable=c.nullable) for c in schema.columns]
    return pa.schema(fields, metadata={**metadata, SCHEMA_KEY.decode(): schema.name})


def arrow_type(kind: Kind) -> pa.DataType:
    """The pyarrow type of a kind of column."""
    return _TYPES[kind]


def _arrow_values(kind: Kind, values: Values) -> pa.Array:
    if isinstance(values, Strings):
        buffers = [None, pa.py_buffer(values.offsets), pa.py_buffer(values.data)]
        # Offsets are 64 bits wide, so the text of a column may be longer than 2 GB.
        return pa.Array.from_buffers(pa.large_string(), len(values), buffers).cast(_TYPES[kind])
    if isinstance(values, Categories):
        distinct = pa.array(values.values, pa.string())
        return pa.DictionaryArray.from_arrays(values.codes, distinct).cast(_TYPES[kind])
    if kind == "spans":
        values = [spans and [_span(*span) for span in spans] for spans in values]
    return pa.array(values, _TYPES[kind])


def _span(start: int, end: int) -> dict[str, int]:
    return {"start": start, "end": end}


class Writer:
    """Writes one Parquet file of ours batch by batch to an open binary file.

    Each batch becomes one row group. The file is complete only after `close`.
    """

    def __init__(
        self, file: IO[bytes], schema: Schema, metadata: Mapping[str, str] | None = None
    ) -> None:
        self._schema = schema
        self._arrow = _arrow_schema(schema, metadata or {})
        repeating = [c.name for c in schema.columns if c.repeats and c.kind != "float64"]
        self._writer = pq.ParquetWriter(
            file,
            self._arrow,
            compression="zstd",
            use_dictionary=repeating,
            # So that a flipped bit is an error when the page is read, and never another value.
            write_page_checksum=True,
        )

    def write(self, columns: Mapping[str, Values]) -> None:
        """Append one row group.

        Args:
            columns: For every column of the schema a sequence or array, all of one length.

        Raises:
            ValueError: A column is missing, of another length, or its values do not fit its kind.
        """
        arrays = [_arrow_values(c.kind, columns[c.name]) for c in self._schema.columns]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._arrow))

    def close(self) -> None:
        """Write the footer."""
        self._writer.close()

    def __del__(self) -> None:
        # Given up half-way: pyarrow would write a footer to a file that is closed by then.
        if hasattr(self, "_writer"):
            self._writer.is_open = False


def write(
    path: Path,
    schema: Schema,
    columns: Mapping[str, Values],
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write one Parquet file, whole or not at all, and return when it is durable.

    Raises:
        OSError: The disk refused.
        ValueError: The columns do not fit the schema.
    """

    def fill(file: IO[bytes]) -> None:
        writer = Writer(file, schema, metadata)
        writer.write(columns)
        writer.close()

    write_atomic(path, fill)


@contextmanager
def _unreadable_named(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(Problem("no such file", path=path)) from None
    # The last two are what damaged names of columns lead to.
    except (pa.ArrowException, OSError, UnicodeDecodeError, KeyError) as error:
        reason = str(error).splitlines()[0][:200]
        raise FormatError(Problem(f"not a readable Parquet file: {reason}", path=path)) from error


@contextmanager
def _opened(path: Path, categories: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
    """A Parquet file, open; all that can be wrong with it is named."""
    # By its bytes, as names need not be UTF-8; given a text, Arrow looks for addresses in it.
    with _unreadable_named(path), pa.OSFile(os.fsencode(path)) as source:
        yield pq.ParquetFile(
            source, read_dictionary=list(categories), page_checksum_verification=True
        )


def read(
    path: Path,
    columns: Sequence[str] | Schema | None = None,
    categories: Sequence[str] = (),
) -> Frame:
    """Read a Parquet file, or some of its columns.

    Args:
        path: The file.
        columns: Their names, or a schema, which they must fit; None reads all.
        categories: Which string columns have few distinct values, so that each is read only once.

    Raises:
        InputError: There is no such file.
        FormatError: It is not a readable Parquet file, lacks one of the columns, or does not fit
            the schema.
    """
    with _opened(path, categories) as file:
        names = _wanted(file, columns, path)
        table = file.read(names)
        _refuse_shortened(file, table.num_rows, path)
        return _frame(file, table, columns, path)


def _wanted(
    file: pq.ParquetFile, columns: Sequence[str] | Schema | None, path: Path
) -> list[str] | None:
    """The names of the columns to read, which are there; None for all."""
    if isinstance(columns, Schema):
        _refuse_later(_metadata(file), columns, path)
        columns = columns.names
    if columns is None:
        return None
    _refuse_missing(file, columns, path)
    return list(columns)


def _frame(
    file: pq.ParquetFile, table: pa.Table, columns: Sequence[str] | Schema | None, path: Path
) -> Frame:
    if isinstance(columns, Schema):
        with _mixed_named(path):
            _refuse_unfit(table, columns)
    return Frame(table.num_rows, _metadata(file), table, path)


def read_columns(path: Path, schema: Schema) -> Columns:
    """Read the columns of a schema from a Parquet file of any maker, batch by batch.

    Args:
        path: The file; it may have more columns.
        schema: Strings, categories and numbers, none missing. A number may be of another width.

    Raises:
        InputError: There is no such file.
        FormatError: It is not a readable Parquet file, or a column is missing or of another kind.
    """
    few = [column.name for column in schema.columns if column.kind == "category"]
    with _opened(path, few) as file:
        _wanted(file, schema, path)
        collector = Collector({column.name: column.kind for column in schema.columns})
        rows = 0
        for batch in file.iter_batches(BATCH, columns=list(schema.names)):
            rows += len(batch)
            with _mixed_named(path):
                _refuse_broken_text(batch, schema.names)
                collector.add(batch, rows / file.metadata.num_rows)
        _refuse_shortened(file, rows, path)
        return collector.finish()


def _refuse_shortened(file: pq.ParquetFile, rows: int, path: Path) -> None:
    """Refuse a file of which pages were passed over, as happens when their heads are damaged."""
    groups = range(file.metadata.num_row_groups)
    stated = {file.metadata.num_rows, sum(file.metadata.row_group(i).num_rows for i in groups)}
    if stated != {rows}:
        message = f"not a readable Parquet file: {rows:,} rows were found"
        raise FormatError(Problem(message, path, expected=f"{max(stated):,}, as its end says"))


def _refuse_missing(file: pq.ParquetFile, wanted: Sequence[str], path: Path) -> None:
    names = file.schema_arrow.names
    missing = [name for name in wanted if name not in names]
    if missing:
        expected = f"columns {', '.join(wanted)}; found {', '.join(names)}"
        text = f"there is no column {', '.join(missing)}"
        raise FormatError(Problem(text, path, expected=expected))


def read_batches(
    path: Path, columns: Sequence[str] | Schema | None = None, size: int = 1000
) -> Iterator[Frame]:
    """Read a Parquet file in batches of at most `size` rows, with bounded memory.

    Raises:
        InputError: There is no such file.
        FormatError: As with `read`; it comes with the batch that is wrong.
    """
    with _opened(path) as file:
        rows = 0
        for batch in file.iter_batches(size, columns=_wanted(file, columns, path)):
            rows += len(batch)
            yield _frame(file, pa.Table.from_batches([batch]), columns, path)
        _refuse_shortened(file, rows, path)


def read_metadata(path: Path) -> tuple[int, dict[str, str]]:
    """The number of rows of a Parquet file and its key-value metadata, without its data.

    Raises:
        InputError: There is no such file.
        FormatError: It is not a readable Parquet file.
    """
    with _opened(path) as file:
        return file.metadata.num_rows, _metadata(file)


def _metadata(file: pq.ParquetFile) -> dict[str, str]:
    pairs = file.metadata.metadata or {}
    return {
        k.decode("utf-8", "replace"): v.decode("utf-8", "replace")
        for k, v in pairs.items()
        if k != b"ARROW:schema"
    }


def utc(moment: dt.datetime) -> dt.datetime:
    """A moment in UTC, as the `time` kind keeps it.

    Raises:
        ValueError: The moment has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return moment.astimezone(dt.UTC)
