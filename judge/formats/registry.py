"""Which formats there are, and which of them a path is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from judge.core.errors import InputError, NotFound, Problem
from judge.core.files import regular
from judge.formats import beir, expected_results, judge_json, relevant_ids, trec_folder
from judge.formats.reading.intake import AS_IT_STANDS
from judge.formats.reading.unknown import unknown

if TYPE_CHECKING:
    from pathlib import Path

    from judge.formats.collection import Collection
    from judge.formats.reading.intake import Reading
    from judge.formats.writing.losses import Carries


class Format(Protocol):
    """What every module of a two-way format has.

    Attributes:
        NAME: As `--from` and `--to` take it.
        TITLE: One line for people.
        CARRIES: What it holds beyond the minimum.
    """

    NAME: str
    TITLE: str
    CARRIES: Carries

    def sniff(self, path: Path) -> str | None:
        """Why a path looks like this format, or None if it does not."""

    def read(self, path: Path, reading: Reading = AS_IT_STANDS) -> Collection:
        """Read a collection; raises one error with all problems."""

    def write(self, collection: Collection, path: Path, *, force: bool = False) -> list[str]:
        """Write a collection; returns what was lost."""


FORMATS: dict[str, Format] = {
    module.NAME: module
    for module in (judge_json, relevant_ids, expected_results, beir, trec_folder)
}
"""The two-way formats by name, in the order in which a path is tried."""


class Sniffed(NamedTuple):
    """What a path was taken for, and why."""

    format: Format
    why: str


def named(name: str) -> Format:
    """The format of this name.

    Raises:
        NotFound: There is none; the nearest are named.
    """
    if name not in FORMATS:
        raise NotFound("format", name, list(FORMATS))
    return FORMATS[name]


def sniff(path: Path) -> Sniffed:
    """Find out what a path is.

    Raises:
        InputError: There is nothing, it cannot be read twice, or no format fits.
    """
    if not path.exists():
        raise InputError(Problem("no such file or folder", path=path))
    if not path.is_dir():
        regular(path)
    for module in FORMATS.values():
        if why := module.sniff(path):
            return Sniffed(module, why)
    if path.is_file() and beir.sniff(path.parent):
        expected = f"the folder {path.parent}"
        raise InputError(Problem("is one file of a folder", path=path, expected=expected))
    titles = "; ".join(f"{m.NAME}: {m.TITLE}" for m in FORMATS.values())
    raise unknown(path, titles, trec_folder.read)
