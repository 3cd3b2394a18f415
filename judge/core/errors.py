"""Every error that `judge` raises on purpose, and the exit code of each, is known only here.

JudgeError                exit 3
  InputError              path, line, field, value, expected; one or many problems
    FormatError           the bytes cannot be parsed
    DatasetError          parsed, but a rule of datasets is broken
  NotFound                names the nearest existing names
  MeasureError            exit 2: unknown measure or parameter
  LabelStoreError         newer schema, foreign dataset, unreadable segment
  EngineError             exit 4: an engine failed, timed out or lied
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

MAX_VALUE = 80
"""Characters of an offending value that a message shows."""

MAX_LISTED = 1000
"""Problems that are listed one by one; more are only counted, so that memory stays bounded."""


@dataclass(frozen=True)
class Problem:
    """One fault in one input, with all that a person needs to find it.

    Attributes:
        message: What is wrong, in words (without path, line or field).
        path: The file, as the user named it.
        line: Physical line, from 1.
        field: The field or column.
        expected: What would have been right.

    >>> str(Problem('"abc" is not a number', path="a.trec", line=17, field="score"))
    'a.trec:17: score: "abc" is not a number'
    """

    message: str
    path: str | Path | None = None
    line: int | None = None
    field: str | None = None
    expected: str | None = None

    def __str__(self) -> str:
        where = "" if self.path is None else str(self.path)
        if self.line is not None:
            where = f"{where}:{self.line}" if where else f"line {self.line}"
        parts = [part for part in (where, self.field, self.message) if part]
        text = ": ".join(parts)
        return f"{text} (expected: {self.expected})" if self.expected else text


def quoted(value: object) -> str:
    """An offending value as a message shows it: in double quotes, cut when long.

    >>> quoted("abc")
    '"abc"'
    """
    # A line break inside a value must not look like the next line of a message.
    text = "␊".join(value.splitlines()) if isinstance(value, str) else repr(value)
    if len(text) > MAX_VALUE:
        text = text[:MAX_VALUE] + "…"
    return f'"{text}"' if isinstance(value, str) else text


def listed(
    problems: Iterable[Problem], count: int, path: str | Path | None = None
) -> list[Problem]:
    """All problems of an input; of very many the first, and then how many more there are.

    Args:
        problems: In the order of the input; no more are taken than are listed.
        count: How many there are in all.
        path: The file that the line about the rest names.

    >>> print(listed(map(Problem, "abc"), 1500)[-1])
    and 1,497 more problems
    """
    first = list(islice(problems, MAX_LISTED))
    rest = count - len(first)
    if rest > 0:
        first.append(Problem(f"and {rest:,} more problem{'s' if rest > 1 else ''}", path))
    return first


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The existing names most like a mistyped one, best first; capitals do not matter.

    >>> nearest("scifcat", ["SciFact", "demo"])
    ['SciFact']
    """
    # Loaded only when something was mistyped: `judge --help` needs no fuzzy matching.
    from rapidfuzz import fuzz, process

    folded = {other.lower(): other for other in known}
    close = process.extract(
        name.lower(), list(folded), scorer=fuzz.ratio, limit=count, score_cutoff=60
    )
    return [folded[other] for other, _score, _index in close]


class JudgeError(Exception):
    """Base of every error that `judge` raises on purpose; its text is written for the user."""

    exit_code: ClassVar[int] = 3


class InputError(JudgeError, ValueError):
    """Input that cannot be taken, with every problem found in it, not just the first."""

    def __init__(self, *problems: Problem | str) -> None:
        self.problems: tuple[Problem, ...] = tuple(
            Problem(p) if isinstance(p, str) else p for p in problems
        )
        super().__init__("\n".join(map(str, self.problems)))


class FormatError(InputError):
    """The bytes of a file cannot be parsed as the format that they should be in."""


class DatasetError(InputError):
    """The input was parsed, but breaks a rule of datasets (a duplicate id, an empty corpus)."""


class NotFound(JudgeError, LookupError):
    """Something was named that does not exist; the text names what comes nearest."""

    def __init__(self, kind: str, name: str, known: Sequence[str] = (), hint: str = "") -> None:
        self.kind, self.name = kind, name
        near = nearest(name, known)
        text = f"no {kind} {quoted(name)}"
        if near:
            text += "; did you mean " + " or ".join(quoted(n) for n in near) + "?"
        elif known:
            shown = ", ".join(sorted(known)[:10])
            text += f"; there is: {shown}" + (", …" if len(known) > 10 else "")
        super().__init__(f"{text}{'' if text[-1] in '?…' else '.'} {hint}" if hint else text)


class MeasureError(JudgeError, ValueError):
    """A measure's name or parameter is not known or cannot be used here."""

    exit_code: ClassVar[int] = 2


class LabelStoreError(JudgeError):
    """The label store holds something that cannot be read, or cannot be written."""


class EngineError(JudgeError):
    """An engine failed, timed out, or broke its contract."""

    exit_code: ClassVar[int] = 4
