"""How batches of Arrow become whole numpy columns, with each byte copied once and then let go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa

from judge.core.arrow.strings import WORD, Categories, Strings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

SPARE = 1.02
"""Room beyond what is expected, so that a little more does not mean moving everything."""
LEAST = 1024


class MixedError(Exception):
    """A column holds something else than it should.

    Attributes:
        name: The column.
        found: What it holds.
        expected: What it should hold.
    """

    def __init__(
        self, name: str, found: str, expected: str = "values of one kind, none missing"
    ) -> None:
        super().__init__(f"{name} {found}")
        self.name, self.found, self.expected = name, found, expected

    @classmethod
    def missing(cls, name: str, count: int) -> MixedError:
        """For a column that has too few values."""
        return cls(name, f"misses {count:,} value{'s' if count > 1 else ''}")


@dataclass(frozen=True)
class Columns:
    """Whole columns of one length, by name.

    Attributes:
        rows: Their length.
        strings: Those that were read as strings.
        categories: Those that were read as categories.
        numbers: Those that were read as numbers.
    """

    rows: int
    strings: Mapping[str, Strings]
    categories: Mapping[str, Categories]
    numbers: Mapping[str, NDArray[Any]]


class Collector:
    """Takes batches one after another and puts their columns together.

    Args:
        kinds: `string`, `category` or a number's kind for each column that is wanted.
    """

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._rows = 0
        self._done = 0.0
        self._strings = {name: _Strings() for name, kind in kinds.items() if kind == "string"}
        self._few = {name: _Categories() for name, kind in kinds.items() if kind == "category"}
        numbers = kinds.keys() - self._strings.keys() - self._few.keys()
        self._numbers = {name: _Numbers() for name in numbers}

    def add(self, batch: pa.RecordBatch | pa.Table, done: float = 0.0) -> None:
        """Take a batch.

        Args:
            batch: Has all the columns.
            done: Which part of everything has come with it, from 0 to 1; 0 if that is not known.

        Raises:
            MixedError: A column has missing values, or not those of its kind.
        """
        parts: dict[str, _Part] = {**self._strings, **self._few, **self._numbers}
        for name, part in parts.items():
            column = batch.column(name)
            if not part.fits(column.type):
                raise MixedError(name, f"holds {column.type}")
            if count := column.null_count:
                raise MixedError.missing(name, count)
            rows = 0
            for array in _arrays(column):
                rows += len(array)
                share = rows / batch.num_rows
                part.add(array, self._done + (done - self._done) * share if done else 0.0)
        self._rows += batch.num_rows
        self._done = done

    def finish(self) -> Columns:
        """The whole columns."""
        return Columns(
            self._rows,
            {name: part.finish() for name, part in self._strings.items()},
            {name: part.finish() for name, part in self._few.items()},
            {name: part.finish() for name, part in self._numbers.items()},
        )


def _arrays(column: pa.Array | pa.ChunkedArray) -> Iterator[pa.Array]:
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return (chunk for chunk in chunks if len(chunk))


class _Growing:
    """A numpy array that is written from its start."""

    def __init__(self, dtype: np.dtype[Any], head: int = 0) -> None:
        self._room = np.zeros(head, dtype)
        self.used = head

    def take(self, count: int, done: float) -> NDArray[Any]:
        """Room for so many more; to be filled at once."""
        need = self.used + count
        if need > len(self._room):
            size = need / done * SPARE if done > 0 else need * 1.5
            room = np.empty(int(size) + LEAST, self._room.dtype)
            room[: self.used] = self._room[: self.used]
            self._room = room
        self.used = need
        return self._room[need - count : need]

    def finish(self) -> NDArray[Any]:
        return self._room[: self.used]


class _Part(Protocol):
    """One column that is being put together."""

    def fits(self, kind: pa.DataType) -> bool:
        """Whether arrays of this type can be added."""

    def add(self, array: pa.Array, done: float) -> None:
        """Take an array that is not empty."""


class _Numbers:
    def __init__(self) -> None:
        self._values: _Growing | None = None

    def fits(self, kind: pa.DataType) -> bool:
        return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))

    def add(self, array: pa.Array, done: float) -> None:
        dtype = np.dtype(array.type.to_pandas_dtype())
        if self._values is None:
            self._values = _Growing(dtype)
        self._values.take(len(array), done)[:] = _view(array, dtype)

    def finish(self) -> NDArray[Any]:
        return np.empty(0) if self._values is None else self._values.finish()


class _Strings:
    def __init__(self) -> None:
        self._data = _Growing(np.dtype(np.uint8))
        self._offsets = _Growing(np.dtype(np.int64), 1)

    def fits(self, kind: pa.DataType) -> bool:
        return _is_string(kind)

    def add(self, array: pa.Array, done: float) -> None:
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        width = np.dtype(np.int64 if pa.types.is_large_string(array.type) else np.int32)
        places = np.frombuffer(array.buffers()[1], width)
        places = places[array.offset : array.offset + len(array) + 1]
        first, last = int(places[0]), int(places[-1])
        np.add(places[1:], self._data.used - first, out=self._offsets.take(len(array), done))
        content = array.buffers()[2]
        if content is not None:
            view = np.frombuffer(content, np.uint8)
            self._data.take(last - first, done)[:] = view[first:last]

    def finish(self) -> Strings:
        self._data.take(WORD, 1.0)[:] = 0
        return Strings(self._data.finish(), self._offsets.finish())


class _Categories:
    def __init__(self) -> None:
        self._codes = _Growing(np.dtype(np.int32))
        self._learned: list[pa.Array] = []
        self._starts: list[int] = []

    def fits(self, kind: pa.DataType) -> bool:
        return _is_string(kind)

    def add(self, array: pa.Array, done: float) -> None:
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        # Each batch of a Parquet file has a copy of its own, with all values of its row group.
        if not self._learned or not array.dictionary.equals(self._learned[-1]):
            self._learned.append(array.dictionary)
            self._starts.append(self._codes.used)
        codes = _view(array.indices, np.dtype(array.indices.type.to_pandas_dtype()))
        self._codes.take(len(array), done)[:] = codes

    def finish(self) -> Categories:
        codes = self._codes.finish()
        if not self._learned:
            return Categories([], codes)
        values, places = _unified(self._learned)
        ends = [*self._starts[1:], len(codes)]
        for start, end, where in zip(self._starts, ends, places, strict=True):
            codes[start:end] = where[codes[start:end]]
        return Categories(values, codes)


def _unified(dictionaries: Sequence[pa.Array]) -> tuple[list[str], list[NDArray[np.int32]]]:
    """The distinct values of all dictionaries, and where each value of each one is among them."""
    whole = pa.chunked_array([_itself(values) for values in dictionaries]).unify_dictionaries()
    # A dictionary of another maker may hold a value twice.
    index: dict[str, int] = {}
    values = whole.chunk(0).dictionary.to_pylist()
    first = np.array([index.setdefault(value, len(index)) for value in values], np.int32)
    dtype = np.dtype(np.int32)
    return list(index), [first[_view(part.indices, dtype)] for part in whole.chunks]


def _itself(values: pa.Array) -> pa.DictionaryArray:
    """A dictionary as a column that has each of its values once."""
    # Not from the numpy array itself: that would import pandas where it is installed.
    numbers = pa.py_buffer(np.arange(len(values), dtype=np.int32))
    codes = pa.Array.from_buffers(pa.int32(), len(values), [None, numbers])
    return pa.DictionaryArray.from_arrays(codes, values)


def _view(array: pa.Array, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The values of an array, without `to_numpy` (which would import pandas)."""
    return np.frombuffer(array.buffers()[1], dtype)[array.offset : array.offset + len(array)]


def _is_string(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
