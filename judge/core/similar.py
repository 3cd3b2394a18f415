"""Which texts are near-copies of one another: shingles, MinHash, and rapidfuzz to confirm.

Texts are compared folded and without white space, so new lines, case and the width of letters make
no difference, and no script needs to be told where its words end. A first look compares signatures
of their shingles (windows of `SHINGLE` letters); what may be alike is confirmed letter by letter.

Texts of more than `CAP` letters are cut where both have the same rare window of `ANCHOR` letters
(rare: its hash is among the lowest of all possible ones, and it stands in each text once). What
lies between two cuts either is the same in both, which costs nothing, or is compared letter by
letter until `CAP` letters are looked at; hashing decides which come first, and they speak for the
rest. So a text of any size costs little more than reading it once.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from rapidfuzz.distance import Indel

from judge.core.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]
    Hashes = NDArray[np.uint32]

NEAR: Final = 0.9
"""From this share on a text counts as a near-copy."""

SHINGLE: Final = 5
ANCHOR: Final = 3 * SHINGLE
CAP: Final = 8192
"""The most letters of a pair of texts that are compared one by one."""

_BINS: Final = 128
_EMPTY: Final = np.uint32(0xFFFFFFFF)
# Texts that are alike for nine tenths share a third of their shingles even where the changes are
# spread evenly; signatures are off by a few hundredths, and texts that only share a topic stay
# well below.
_MAYBE: Final = 0.15
# Below this, one change can spoil all shingles, and comparing costs nothing.
_SHORT: Final = 256
# One window in so many is an anchor.
_RARE: Final = np.uint32(0xFFFFFFFF // 200)
_SPACE: Final = 32
_LOWER: Final = np.uint32(0x20)


class Match(NamedTuple):
    """The text found most like another: its place among the others, and how alike, 0-1."""

    place: int
    share: float


class Sketch:
    """What is kept of a text for comparing it with many others.

    Args:
        text: Any text, lone surrogates included.

    Attributes:
        whole: Whether it is short enough to be compared letter by letter.
        text: Its letters; folded if it is whole.
    """

    def __init__(self, text: str) -> None:
        letters = _codes(text)
        letters = letters[letters > _SPACE]
        self.whole = len(letters) <= CAP
        self.text = letters.tobytes().decode("utf-32-le", "surrogatepass")
        if self.whole:
            self.text = fold(self.text)
            letters = _codes(self.text)
        # Of long texts, bit 5 is all that is folded before they are cut: hashing needs no more.
        self._shingles = _shingles(letters | _LOWER)
        self._signature = _signature(self._shingles)

    @cached_property
    def anchors(self) -> dict[int, int]:
        """The hash of each rare window that stands in the text once, and where it begins."""
        count = len(self._shingles) - 2 * SHINGLE
        if count <= 0:
            return {}
        windows = np.zeros(count, np.uint32)
        for part in range(0, ANCHOR, SHINGLE):
            windows = (windows ^ self._shingles[part : part + count]) * np.uint32(0x9E3779B1)
        windows ^= windows >> np.uint32(15)
        places = np.flatnonzero(windows <= _RARE)
        hashes, first, times = np.unique(windows[places], return_index=True, return_counts=True)
        once = times == 1
        return dict(zip(hashes[once].tolist(), places[first[once]].tolist(), strict=True))

    def may_be_like(self, other: Sketch) -> bool:
        """Whether the other text is worth a closer look."""
        if min(len(self.text), len(other.text)) < _SHORT:
            return True
        there = (self._signature != _EMPTY) | (other._signature != _EMPTY)
        same = there & (self._signature == other._signature)
        return int(same.sum()) >= _MAYBE * int(there.sum())

    def share(self, other: Sketch, at_least: float = 0.0) -> float:
        """How alike the texts are, as `similarity` says; 0 if it is less than `at_least`."""
        if not self.text or not other.text:
            return 0.0
        if self.whole and other.whole:
            alike = Indel.normalized_similarity(self.text, other.text, score_cutoff=at_least)
            return float(alike)
        # No more can be common to both than the shorter one has.
        shorter, longer = sorted((self, other), key=lambda sketch: (len(sketch.text), sketch.text))
        if 2 * len(shorter.text) < at_least * (len(shorter.text) + len(longer.text)):
            return 0.0
        found = _by_parts(shorter, longer)
        return found if found >= at_least else 0.0


def similarity(a: str, b: str) -> float:
    """How alike two texts are: what they have in common, in order, as a share of both.

    `2 LCS(a, b) / (len(a) + len(b))` of the folded texts without white space, the longest common
    subsequence counted in code points. Of texts of more than `CAP` letters the share is an
    estimate, and rather too low where they repeat themselves.

    Args:
        a: One text.
        b: The other; the order makes no difference.

    Returns:
        0-1; 1 for texts that are equal but for case, white space and what else folding takes away.
        A text of which nothing is left is like no other, and not like itself.

    Source: Broder, On the resemblance and containment of documents (1997) for shingles and the
    choice by smallest hashes; rapidfuzz's Indel distance for the share.

    >>> similarity("The pump  leaks.", "the pump leaks."), similarity("", "")
    (1.0, 0.0)
    >>> round(similarity("the pump leaks", "the pumps leak"), 2)
    0.92
    """
    return Sketch(a).share(Sketch(b))


def nearest(
    text: str | Sketch, others: Iterable[str | Sketch], at_least: float = NEAR
) -> Match | None:
    """The text most like another, if it is a near-copy at all.

    Args:
        text: What is looked at, or its sketch.
        others: What it may be like: texts, or sketches where they are compared more than once.
        at_least: The least share that counts; the first look is made for shares from 0.9 on, and
            may pass over texts that are less alike than that.

    Returns:
        The first of those with the highest share; None where no share reaches `at_least`.

    >>> nearest("Bleed the radiator first", ["Oil the chain", "bleed the radiators first"])
    Match(place=1, share=0.9767441860465116)
    >>> nearest("Bleed the radiator first", ["Oil the chain"])
    """
    mine = _sketched(text)
    best: Match | None = None
    for place, other in enumerate(map(_sketched, others)):
        if not mine.may_be_like(other):
            continue
        share = mine.share(other, best.share if best else at_least)
        if share >= at_least and share > (best.share if best else 0.0):
            best = Match(place, share)
    return best


def _sketched(text: str | Sketch) -> Sketch:
    return Sketch(text) if isinstance(text, str) else text


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _shingles(codes: Codes) -> Hashes:
    """A hash of every window of `SHINGLE` letters; of the whole, where there are fewer."""
    size = min(SHINGLE, len(codes))
    count = len(codes) - size + 1 if size else 0
    mixed = np.zeros(count, np.uint64)
    for offset in range(size):
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed += codes[offset : offset + count]
    # The high bits depend on all that is below them, the low ones do not.
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(32)).astype(np.uint32)


def _signature(hashes: Hashes) -> Hashes:
    """The smallest of the hashes in each of `_BINS` bins (MinHash with one permutation).

    Source: Li, Owen and Zhang, One permutation hashing (NIPS 2012).
    """
    signature = np.full(_BINS, _EMPTY, np.uint32)
    np.minimum.at(signature, hashes % _BINS, hashes // _BINS)
    return signature


class _Part(NamedTuple):
    """What stands between two cuts in each of two texts; `turn` says which are looked at first."""

    turn: int
    one: str
    other: str

    @property
    def size(self) -> int:
        return len(self.one) + len(self.other)


def _by_parts(one: Sketch, other: Sketch) -> float:
    """The share of two texts of which at least one is long."""
    same = differing = looked_at = 0
    alike = 0.0
    unlike = []
    for part in _parts(one, other):
        if part.one == part.other:
            same += part.size
        elif max(len(part.one), len(part.other)) <= CAP:  # else nothing in it is common to both
            unlike.append(part)
            differing += part.size
    for part in sorted(unlike):
        if looked_at >= 2 * CAP:
            break
        alike += part.size * Indel.normalized_similarity(fold(part.one), fold(part.other))
        looked_at += part.size
    estimate = alike / looked_at * differing if looked_at else 0.0
    return (same + estimate) / (len(one.text) + len(other.text))


def _parts(one: Sketch, other: Sketch) -> Iterator[_Part]:
    """Both texts cut at the anchors that they have in common, in order."""
    common = one.anchors.keys() & other.anchors.keys()
    cuts = sorted((one.anchors[anchor], other.anchors[anchor], anchor) for anchor in common)
    kept = [cuts[index] for index in _longest_rise([place for _, place, _ in cuts])]
    begin, turn = (0, 0), 0
    for here, there, anchor in [*kept, (len(one.text), len(other.text), 0)]:
        yield _Part(turn, one.text[begin[0] : here], other.text[begin[1] : there])
        begin, turn = (here, there), anchor


def _longest_rise(values: Sequence[int]) -> list[int]:
    """Which values make the longest rising sequence.

    >>> _longest_rise([5, 1, 2, 9, 3])
    [1, 2, 4]
    """
    ends: list[int] = []  # the lowest value that ends a rise of each length
    ending: list[int] = []  # and where it stands
    before: list[int] = []
    for index, value in enumerate(values):
        length = bisect_left(ends, value)
        ends[length : length + 1] = [value]
        ending[length : length + 1] = [index]
        before.append(ending[length - 1] if length else -1)
    rise = []
    index = ending[-1] if ending else -1
    while index >= 0:
        rise.append(index)
        index = before[index]
    return rise[::-1]
