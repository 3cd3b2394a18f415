"""The only door to pyarrow: typed columns to and from Parquet, with strings as numpy views."""

from __future__ import annotations

import datetime as dt
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from judge.core.errors import FormatError, InputError, Problem
from judge.core.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

Kind = Literal["string", "int32", "int64", "float64", "bool", "time", "spans"]

_TYPES: dict[str, pa.DataType] = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
    "time": pa.timestamp("us", tz="UTC"),
    "spans": pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64())])),
}
SCHEMA_KEY = b"schema"


@dataclass(frozen=True)
class Column:
    """One column of a file of ours: its name, what it holds, and whether a value may be missing.

    Kinds: `time` is a UTC datetime to the microsecond, `spans` a list of (start, end) pairs.
    """

    name: str
    kind: Kind
    nullable: bool = False


@dataclass(frozen=True)
class Schema:
    """A named and versioned list of columns, such as `judge.labels/1`."""

    name: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in file order."""
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True)
class Frame:
    """Columns read from one Parquet file.

    Attributes:
        rows: How many rows there are.
        metadata: The key-value metadata of the file; our own files have `schema`.
    """

    rows: int
    metadata: dict[str, str]
    _table: Any = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in file order."""
        return tuple(self._table.column_names)

    def values(self, name: str) -> list[Any]:
        """One column as Python values; a missing value is None, spans are (start, end) pairs."""
        values = self._table.column(name).to_pylist()
        if pa.types.is_list(self._table.column(name).type):
            return [v and [(s["start"], s["end"]) for s in v] for v in values]
        return list(values)

    def numbers(self, name: str) -> np.ndarray[Any, Any]:
        """One numeric column without missing values as an array [rows]."""
        return _numbers(self._table.column(name))


def _numbers(column: Any) -> np.ndarray[Any, Any]:
    """A numeric chunked column as one array, without `to_numpy` (which would import pandas)."""
    dtype = np.dtype("float64" if pa.types.is_float64(column.type) else str(column.type))
    parts = [
        np.frombuffer(chunk.buffers()[1], dtype)[chunk.offset : chunk.offset + len(chunk)]
        for chunk in column.chunks
        if len(chunk)
    ]
    if not parts:
        return np.empty(0, dtype)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _arrow_schema(schema: Schema, metadata: Mapping[str, str]) -> pa.Schema:
    fields = [pa.field(c.name, _TYPES[c.kind], nullable=c.nullable) for c in schema.columns]
    return pa.schema(fields, metadata={**metadata, SCHEMA_KEY.decode(): schema.name})


def _arrow_values(kind: str, values: Any) -> Any:
    if kind == "spans":
        values = [v and [{"start": s, "end": e} for s, e in v] for v in values]
    return pa.array(values, _TYPES[kind])


class Writer:
    """Writes one Parquet file of ours batch by batch to an open binary file.

    Each batch becomes one row group. The file is complete only after `close`.
    """

    def __init__(
        self, file: IO[bytes], schema: Schema, metadata: Mapping[str, str] | None = None
    ) -> None:
        self._schema = schema
        self._arrow = _arrow_schema(schema, metadata or {})
        self._writer = pq.ParquetWriter(file, self._arrow, compression="zstd")

    def write(self, columns: Mapping[str, Any]) -> None:
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


def write(
    path: Path,
    schema: Schema,
    columns: Mapping[str, Any],
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
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0][:200]
        raise FormatError(
            Problem(f"not a readable Parquet file: {reason}", path=path)
        ) from error


def read(path: Path, columns: Sequence[str] | None = None) -> Frame:
    """Read a Parquet file, or some of its columns.

    Raises:
        InputError: There is no such file.
        FormatError: It is not a readable Parquet file, or lacks one of the columns.
    """
    with _unreadable_named(path), pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        missing = [c for c in columns or () if c not in names]
        if missing:
            raise FormatError(
                Problem(
                    f"there is no column {', '.join(missing)}",
                    path=path,
                    expected=f"columns {', '.join(columns or ())}; found {', '.join(names)}",
                )
            )
        table = file.read(None if columns is None else list(columns))
        return Frame(table.num_rows, _metadata(file), table)


def read_batches(
    path: Path, columns: Sequence[str] | None = None, size: int = 1000
) -> Iterator[Frame]:
    """Read a Parquet file in batches of at most `size` rows, with bounded memory.

    Raises:
        InputError: There is no such file.
        FormatError: It is not a readable Parquet file.
    """
    with _unreadable_named(path), pq.ParquetFile(path) as file:
        wanted = None if columns is None else list(columns)
        for batch in file.iter_batches(size, columns=wanted):
            table = pa.Table.from_batches([batch])
            yield Frame(table.num_rows, _metadata(file), table)


def read_metadata(path: Path) -> tuple[int, dict[str, str]]:
    """The number of rows of a Parquet file and its key-value metadata, without its data.

    Raises:
        InputError: There is no such file.
        FormatError: It is not a readable Parquet file.
    """
    with _unreadable_named(path), pq.ParquetFile(path) as file:
        return file.metadata.num_rows, _metadata(file)


def _metadata(file: Any) -> dict[str, str]:
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
