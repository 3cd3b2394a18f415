"""What a reader gathers on its way: every problem with its place, and what is worth telling.

A reader never stops at the first fault. It reports each one here, goes on, and calls `finish`,
which raises one error with all of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from judge.core.errors import MAX_LISTED, DatasetError, FormatError, Problem, listed
from judge.formats.reading.json_text import locate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.core.errors import InputError

USUAL_TOP = 3
"""The highest grade that is taken unless the file or the user says how far the scale goes."""


@dataclass(frozen=True)
class Reading:
    """What the user said about how to read.

    Attributes:
        map_grade: Grades to replace; None makes the pair unjudged.
        top: The highest grade that is taken, for files that do not say it themselves.
        strict: Judgments on unknown documents or queries are errors and not only told.
        part: Which dataset to take from a file that holds several, by name.
    """

    map_grade: Mapping[int, int | None] = field(default_factory=dict)
    top: int = USUAL_TOP
    strict: bool = False
    part: str | None = None


AS_IT_STANDS = Reading()
"""Nothing was said."""


class Where(NamedTuple):
    """A place in an input: a file, a line where records are lines, and the keys down to a value.

    >>> from pathlib import Path
    >>> Where(Path("b.json"), None, ("queries", 3, "relevant_ids", 0)).field
    'queries[3].relevant_ids[0]'
    """

    path: Path
    line: int | None = None
    keys: tuple[str | int, ...] = ()

    def at(self, *keys: str | int) -> Where:
        """A place inside this one."""
        return Where(self.path, self.line, self.keys + keys)

    @property
    def field(self) -> str | None:
        """The keys as a message shows them."""
        text = ""
        for key in self.keys:
            text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
        return text or None

    def __str__(self) -> str:
        where = f"{self.path.name}:{self.line}" if self.line is not None else self.path.name
        return f"{where}: {self.field}" if self.field else where


class _Fault(NamedTuple):
    where: Where
    message: str
    expected: str | None


class Intake:
    """Collects problems and notes while one input is read.

    Args:
        reading: What the user said about how to read.

    Attributes:
        files: The files that were read.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._faults: list[_Fault] = []
        self._more = 0
        self._unparsed = False
        self._texts: dict[Path, str] = {}
        self._counts: dict[str, int] = defaultdict(int)
        self._firsts: dict[str, str] = {}
        self.files: list[Path] = []

    def malformed(self, where: Where, message: str, expected: str | None = None) -> None:
        """Report that bytes cannot be parsed."""
        self._unparsed = True
        self._add(_Fault(where, message, expected))

    def invalid(self, where: Where, message: str, expected: str | None = None) -> None:
        """Report that something was parsed but breaks a rule."""
        self._add(_Fault(where, message, expected))

    def take(self, error: InputError) -> None:
        """Report all problems of an error that ended the reading of one file."""
        for problem in error.problems:
            where = Where(Path(problem.path or ""), problem.line)
            if problem.field:
                where = where.at(problem.field)
            self.malformed(where, problem.message, problem.expected)

    def note(self, what: str, where: object = "", count: int = 1) -> None:
        """Count something that the user should know; the first place is remembered."""
        self._counts[what] += count
        if what not in self._firsts:
            self._firsts[what] = str(where)

    def lines_of(self, path: Path, text: str) -> None:
        """Hand over the text of a JSON file, so that places in it can be given as lines."""
        self._texts[path] = text

    def read(self, path: Path) -> None:
        """Remember a file that was read, for the record of where a dataset comes from."""
        if path not in self.files:
            self.files.append(path)

    @property
    def faults(self) -> int:
        """How many problems there are so far."""
        return len(self._faults) + self._more

    @property
    def notes(self) -> tuple[str, ...]:
        """What is worth telling, each kind once with its count and first place."""
        return tuple(
            f"{what}: {count:,}" + (f" (first: {self._firsts[what]})" if self._firsts[what] else "")
            for what, count in self._counts.items()
        )

    def finish(self) -> None:
        """End the reading.

        Raises:
            FormatError: Something could not be parsed.
            DatasetError: All was parsed, but rules are broken.
        """
        if self._faults:
            self.stop()

    def stop(self) -> NoReturn:
        """End the reading at once, because nothing more can be learnt.

        Raises:
            FormatError: Something could not be parsed.
            DatasetError: All was parsed, but rules are broken.
        """
        lines = self._lines()
        files = list(dict.fromkeys(f.where.path for f in self._faults))
        faults = sorted(
            self._faults,
            key=lambda f: (files.index(f.where.path), lines.get(f.where, f.where.line) or 0),
        )
        problems = (
            Problem(
                f.message, f.where.path, lines.get(f.where, f.where.line), f.where.field, f.expected
            )
            for f in faults
        )
        raise (FormatError if self._unparsed else DatasetError)(*listed(problems, self.faults))

    def _add(self, fault: _Fault) -> None:
        if len(self._faults) < MAX_LISTED:
            self._faults.append(fault)
        else:
            self._more += 1

    def _lines(self) -> dict[Where, int]:
        """The lines of those faults whose places are known only by their keys."""
        lines: dict[Where, int] = {}
        for path, text in self._texts.items():
            places = {
                f.where for f in self._faults if f.where.path == path and f.where.line is None
            }
            found = locate(text, {where.keys for where in places}) if places else {}
            lines.update({where: found[where.keys] for where in places})
        return lines
