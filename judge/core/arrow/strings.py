"""How a column of strings lies in two numpy arrays, and is compared without Python strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from judge.core.errors import InputError, Problem, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

WORD = 8
"""Bytes that are compared at once."""
BLOCK = 1 << 16
"""Rows worked on at once, so that what belongs to them stays in the processor's cache."""
_MASK = np.array([(1 << (8 * used)) - 1 for used in range(WORD + 1)], np.uint64)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SALT = 0xC2B2AE3D27D4EB4F
_LENGTH = np.uint64(0x165667B19E3779F9)
_HALF = np.uint64(31)


class Categories(NamedTuple):
    """A column of few distinct strings: the strings, and for each row which one it has.

    Attributes:
        values: The distinct strings.
        codes: int32 [rows], index into `values`.
    """

    values: list[str]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, strings: Iterable[str]) -> Categories:
        """The column of these strings; the distinct ones stand in the order of first use.

        >>> Categories.of(["b", "a", "b"])
        Categories(values=['b', 'a'], codes=array([0, 1, 0], dtype=int32))
        """
        index: dict[str, int] = {}
        codes = [index.setdefault(string, len(index)) for string in strings]
        return cls(list(index), np.array(codes, np.int32))

    @classmethod
    def joined(cls, parts: Sequence[Categories]) -> Categories:
        """The columns one after another as one column."""
        index: dict[str, int] = {}
        codes = []
        for part in parts:
            places = [index.setdefault(value, len(index)) for value in part.values]
            codes.append(np.array(places, np.int32)[part.codes])
        return cls(list(index), np.concatenate(codes) if codes else np.empty(0, np.int32))


class Strings:
    """An immutable column of strings: UTF-8 bytes in one array, where each begins in another.

    Bytes compare as unsigned numbers, so their order is that of code points and of C's `strcmp`.

    Args:
        data: uint8 [bytes + 8], the strings without gaps, then eight zeros.
        offsets: int64 [rows + 1], where each begins, and where the last one ends.
    """

    __slots__ = ("_data", "_offsets", "_words")

    def __init__(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        self._data = data
        self._offsets = offsets
        # Eight bytes from any byte on, read as one number whose lowest byte is the first one.
        self._words = np.ndarray((len(data) - WORD + 1,), np.dtype("<u8"), data, 0, (1,))

    @classmethod
    def of(cls, values: Iterable[str]) -> Strings:
        """The column of these strings.

        Raises:
            InputError: One has lone surrogates and so no UTF-8 form.

        >>> len(Strings.of(["a", "日本"]))
        2
        """
        try:
            encoded = [value.encode("utf-8") for value in values]
        except UnicodeEncodeError as error:
            raise InputError(
                Problem(f"{quoted(ascii(error.object))} is not valid Unicode text")
            ) from None
        return cls.from_bytes(encoded)

    @classmethod
    def from_bytes(cls, values: Sequence[bytes]) -> Strings:
        """The column of strings given in UTF-8."""
        offsets = np.zeros(len(values) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, values), np.int64, len(values)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(values) + bytes(WORD), np.uint8), offsets)

    @classmethod
    def joined(cls, parts: Sequence[Strings]) -> Strings:
        """The columns one after another as one column."""
        if len(parts) == 1:
            return parts[0]
        data = np.concatenate([*(p._data[:-WORD] for p in parts), np.zeros(WORD, np.uint8)])
        offsets = np.zeros(sum(map(len, parts)) + 1, np.int64)
        at = 0
        for part in parts:
            np.add(part._offsets[1:], offsets[at], out=offsets[at + 1 : at + 1 + len(part)])
            at += len(part)
        return cls(data, offsets)

    @property
    def data(self) -> NDArray[np.uint8]:
        """The bytes [bytes + 8]."""
        return self._data

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where each string begins in the bytes, and where the last one ends [rows + 1]."""
        return self._offsets

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, row: int) -> str:
        return self.encoded(row).decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), BLOCK):
            yield from self.take(np.arange(first, min(first + BLOCK, len(self))))

    def encoded(self, row: int) -> bytes:
        """One string as UTF-8 bytes."""
        return self._data[self._offsets[row] : self._offsets[row + 1]].tobytes()

    def take(self, rows: NDArray[np.integer[Any]]) -> list[str]:
        """The strings of some rows [n] as Python strings."""
        view = memoryview(self._data.data)
        ends = zip(self._offsets[rows].tolist(), self._offsets[rows + 1].tolist(), strict=True)
        return [str(view[start:end], "utf-8") for start, end in ends]

    def gather(self, rows: NDArray[np.integer[Any]]) -> Strings:
        """The column of some rows [n], in the order given."""
        lengths = self.lengths(rows)
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        data = np.zeros(int(offsets[-1]) + WORD, np.uint8)
        for i in range(0, len(rows), BLOCK):
            j = min(i + BLOCK, len(rows))
            shift = np.repeat(self._offsets[rows[i:j]] - offsets[i:j], lengths[i:j])
            data[offsets[i] : offsets[j]] = self._data[shift + np.arange(offsets[i], offsets[j])]
        return Strings(data, offsets)

    def lengths(self, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Bytes of the strings of some rows [n]."""
        lengths: NDArray[np.int64] = self._offsets[rows + 1] - self._offsets[rows]
        return lengths

    def shortest(self) -> int:
        """Bytes of the shortest string; 0 if there are none."""
        return int(np.diff(self._offsets).min()) if len(self) else 0

    def words(self, rows: NDArray[np.integer[Any]], word: int) -> NDArray[np.uint64]:
        """The eight bytes at `8 * word` of the strings of some rows [n], first byte lowest.

        Past the end of a string the bytes are zero.
        """
        return self._words_at(self._offsets[rows], self.lengths(rows), word)

    def _words_at(
        self, starts: NDArray[np.int64], lengths: NDArray[np.int64], word: int
    ) -> NDArray[np.uint64]:
        used = lengths - WORD * word
        if len(used) and used.min() >= WORD:
            return self._words[starts + WORD * word]
        places = np.minimum(starts + WORD * word, len(self._words) - 1)
        return self._words[places] & _MASK[np.clip(used, 0, WORD)]

    def equal(
        self, rows: NDArray[np.integer[Any]], other: Strings, others: NDArray[np.integer[Any]]
    ) -> NDArray[np.bool_]:
        """Whether the strings of `rows` [n] are those of `others` [n] in `other`, byte for byte."""
        starts, lengths = self._offsets[rows], self.lengths(rows)
        other_starts = other._offsets[others]
        same: NDArray[np.bool_] = lengths == other.lengths(others)
        live = np.flatnonzero(same & (lengths > 0))
        at = 0
        while len(live):
            differ = self._words[starts[live] + at] ^ other._words[other_starts[live] + at]
            same[live] = differ & _MASK[np.minimum(lengths[live] - at, WORD)] == 0
            at += WORD
            live = live[same[live] & (lengths[live] > at)]
        return same

    def fingerprints(self) -> NDArray[np.uint64]:
        """A 64-bit number for each string [rows]: equal strings have equal ones.

        Different strings nearly always have different ones; a match is to be verified with `equal`.
        """
        prints = np.empty(len(self), np.uint64)
        for i in range(0, len(self), BLOCK):
            starts = self._offsets[i : i + BLOCK + 1]
            lengths = np.diff(starts)
            prints[i : i + BLOCK] = self._fingerprints(starts[:-1], lengths)
        return prints

    def _fingerprints(
        self, starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> NDArray[np.uint64]:
        prints = lengths.astype(np.uint64) * _LENGTH
        longest = int(lengths.max())
        live: NDArray[np.int64] | slice = slice(None)
        for word in range(-(-longest // WORD)):
            if word > 1:  # most ids are short: a long one must not cost a pass over all others
                live = np.flatnonzero(lengths > WORD * word)
            # A zero word adds nothing, so the number does not depend on the longest string near by.
            mixed = self._words_at(starts[live], lengths[live], word)
            mixed *= np.uint64((_SALT * (2 * word + 1)) & 0xFFFFFFFFFFFFFFFF)
            mixed ^= mixed >> _HALF
            mixed *= _SPREAD
            prints[live] += mixed
        return prints
