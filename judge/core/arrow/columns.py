"""How batches of Arrow become whole numpy columns, with each byte copied once and then let go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa

from judge.core.arrow.strings import WORD, Categories, Strings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

SPARE = 1.02
"""Room beyond what is expected, so that a little more does not mean moving everything."""
LEAST = 1024


class MixedError(Exception):
    """A column holds something else than it should.

    Attributes:
        name: The column.
        found: What it holds.
    """

    def __init__(self, name: str, found: str) -> None:
        super().__init__(f"{name} {found}")
        self.name, self.found = name, found


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
                raise MixedError(name, f"misses {count:,} value{'s' if count > 1 else ''}")
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
        self._index: dict[str, int] = {}
        self._codes = _Growing(np.dtype(np.int32))
        self._places = np.empty(0, np.int32)
        self._learned: pa.Array = None

    def fits(self, kind: pa.DataType) -> bool:
        return _is_string(kind)

    def add(self, array: pa.Array, done: float) -> None:
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        if not _same(self._learned, array.dictionary):
            self._learn(array.dictionary)
        codes = _view(array.indices, np.dtype(array.indices.type.to_pandas_dtype()))
        np.take(self._places, codes, out=self._codes.take(len(array), done), mode="clip")

    def _learn(self, dictionary: pa.Array) -> None:
        self._learned = dictionary
        self._places = np.array(
            [self._index.setdefault(value, len(self._index)) for value in dictionary.to_pylist()],
            np.int32,
        )

    def finish(self) -> Categories:
        return Categories(list(self._index), self._codes.finish())


def _same(one: pa.Array, other: pa.Array) -> bool:
    """Whether two dictionaries are one in memory, as those of one row group's batches are."""
    if one is None or len(one) != len(other) or one.offset != other.offset:
        return False
    return all(
        (a and a.address) == (b and b.address)
        for a, b in zip(one.buffers(), other.buffers(), strict=True)
    )


def _view(array: pa.Array, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The values of an array, without `to_numpy` (which would import pandas)."""
    return np.frombuffer(array.buffers()[1], dtype)[array.offset : array.offset + len(array)]


def _is_string(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
