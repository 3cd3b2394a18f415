"""How a report that was written earlier is read back: the fields of `judge.score/1`, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core.errors import FormatError, InputError, Problem, listed, quoted
from judge.core.files import read_text
from judge.formats.reading.fields import described
from judge.formats.reading.json_text import JsonFault, parse
from judge.scoring.report import SEVERAL

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SCHEMA_NAME = "judge.score"
KNOWN_VERSIONS = ("1",)
"""Versions of the schema that can be read; none is ever taken away."""

LARGEST = 1e100
"""The largest value that a measure can have, so that differences stay numbers."""

Values = dict[str, float | None]
"""A value for each measure, by its full name; None where it has none."""


class Part(NamedTuple):
    """One slice of a run.

    Attributes:
        queries: How many queries count in it.
        means: The mean of each measure.
    """

    queries: int
    means: Values


class ReportedRun(NamedTuple):
    """What a report says of one run.

    Attributes:
        name: What the system is called.
        queries: How many queries count.
        means: The mean of each measure.
        slices: Its parts, by property and value: `("language", "en")`.
        per_query: The values of each query; None if the report does not list them.
    """

    name: str
    queries: int
    means: Values
    slices: dict[tuple[str, str], Part]
    per_query: dict[str, Values] | None


@dataclass(frozen=True)
class Report:
    """A score report.

    Attributes:
        path: The file, as the user named it.
        settings: What the numbers depend on besides run, qrels and the names of the measures.
        settings_hash: Differs where any setting does.
        queries: Queries of the qrels.
        judgments: Judgments of the qrels.
        digest: SHA-256 of the judgments.
        top_grade: The highest grade of their scale; None where the report does not say.
        measures: The names of the measures, in the order of the report.
        runs: The runs, by name.
    """

    path: str
    settings: Mapping[str, Any]
    settings_hash: str
    queries: int
    judgments: int
    digest: str
    top_grade: int | None
    measures: tuple[str, ...]
    runs: Mapping[str, ReportedRun]


def read_report(path: Path) -> Report:
    """Read a report that `judge score --json -o FILE` wrote, by this or any earlier version.

    Raises:
        InputError: There is no such file, or a field is missing or holds something else; names
            every such field.
        FormatError: The file is not JSON.
    """
    try:
        value = parse(read_text(path))
    except JsonFault as fault:
        raise FormatError(
            Problem(fault.message, path, fault.line, expected=f"a {SCHEMA_NAME}/1 report")
        ) from None
    return parse_report(value, str(path))


def parse_report(value: object, path: str) -> Report:
    """The report that a parsed JSON document stands for; fields of no use here are passed over.

    Args:
        value: The document.
        path: Where it came from, for messages.

    Raises:
        InputError: It is no score report, or a field is missing or holds something else.

    >>> parse_report({"schema": "judge.gate/1"}, "a.json")
    Traceback (most recent call last):
    ...
    judge.core.errors.InputError: a.json: schema: "judge.gate/1" is another kind of
    document (expected: "judge.score/1", as `judge score --json` writes it)
    """
    problems: list[Problem] = []
    node = _Node(value, "", path, problems)
    _check_schema(node)
    settings, qrels = node.key("settings").record(), node.child("qrels")
    measures = tuple(name.text() for name in node.items("measures"))
    runs = [_run(entry) for entry in node.items("runs")]
    names = [run.name for run in runs]
    for name in sorted({name for name in names if names.count(name) > 1}):
        node.key("runs").fault(f"two runs are called {quoted(name)}", "a name for each run")
    report = Report(
        path=path,
        settings=settings,
        settings_hash=node.key("settings_hash").text(),
        queries=qrels.key("queries").count(),
        judgments=qrels.key("judgments").count(),
        digest=qrels.key("digest").text(),
        top_grade=qrels.key("top_grade").count() if "top_grade" in qrels.record() else None,
        measures=measures,
        runs={run.name: run for run in runs},
    )
    if not problems and not runs:
        node.key("runs").fault("is empty", "at least one run")
    if problems:
        raise InputError(*listed(problems, len(problems), path))
    return report


class _Node:
    """A value inside the document, and where it stands.

    What is wrong is noted and something harmless given back, so that all faults are told at once;
    of what lies inside a faulty value nothing more is told.
    """

    def __init__(self, value: object, field: str, path: str, problems: list[Problem]) -> None:
        self.value, self.field, self.path, self.problems = value, field, path, problems

    def fault(self, message: str, expected: str) -> None:
        self.problems.append(
            Problem(message, self.path, field=self.field or None, expected=expected)
        )

    def refuse(self, expected: str) -> None:
        if self.value is _ABSENT:
            self.fault("is missing", expected)
        elif self.value is not _UNKNOWN:
            self.fault(described(self.value), expected)

    def key(self, name: str) -> _Node:
        inside = self.value.get(name, _ABSENT) if isinstance(self.value, dict) else _UNKNOWN
        return self._step(inside, f".{name}")

    def child(self, name: str) -> _Node:
        node = self.key(name)
        node.record()
        return node

    def record(self) -> dict[str, Any]:
        if isinstance(self.value, dict):
            return self.value
        self.refuse("an object")
        return {}

    def members(self) -> list[tuple[str, _Node]]:
        return [(key, self._step(value, f".{key}")) for key, value in self.record().items()]

    def items(self, name: str) -> list[_Node]:
        node = self.key(name)
        if isinstance(node.value, list):
            return [node._step(value, f"[{i}]") for i, value in enumerate(node.value)]
        node.refuse("a list")
        return []

    def text(self) -> str:
        if isinstance(self.value, str):
            return self.value
        self.refuse("a text")
        return ""

    def count(self) -> int:
        if isinstance(self.value, int) and not isinstance(self.value, bool) and self.value >= 0:
            return self.value
        self.refuse("a whole number, 0 or more")
        return 0

    def number(self) -> float | None:
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            if abs(self.value) <= LARGEST:
                return float(self.value)
            self.fault("is too large", f"a number up to {LARGEST:g}")
        elif self.value is not None:
            self.refuse("a number or null")
        return None

    def _step(self, value: object, step: str) -> _Node:
        return _Node(value, f"{self.field}{step}".lstrip("."), self.path, self.problems)


_ABSENT, _UNKNOWN = object(), object()
"""Not there; and not to be looked for, because what it should be in is faulty."""


def _check_schema(node: _Node) -> None:
    expected = f'"{SCHEMA_NAME}/{KNOWN_VERSIONS[-1]}", as `judge score --json` writes it'
    if not isinstance(node.value, dict):
        node.fault("is not a report", f"an object with the schema {expected}")
    else:
        schema = node.key("schema")
        name, _, version = str(schema.value).partition("/")
        if schema.value is _ABSENT or not isinstance(schema.value, str):
            schema.refuse(expected)
        elif name == SCHEMA_NAME and version not in KNOWN_VERSIONS:
            schema.fault(f"{quoted(schema.value)} is not known to this version", expected)
        elif name == SEVERAL.partition("/")[0]:
            schema.fault(f"{quoted(schema.value)} holds several datasets", "a report on one")
        elif name != SCHEMA_NAME:
            schema.fault(f"{quoted(schema.value)} is another kind of document", expected)
    if node.problems:  # nothing else can be said of another kind of document
        raise InputError(*node.problems)


def _run(node: _Node) -> ReportedRun:
    listed_queries = node.key("queries")
    return ReportedRun(
        name=node.key("run").text(),
        queries=node.child("counts").key("queries").count(),
        means=_means(node),
        slices=_parts(node) if "slices" in node.record() else {},
        per_query=(
            None
            if listed_queries.value is _ABSENT or listed_queries.value is _UNKNOWN
            else {query: _values(values) for query, values in listed_queries.members()}
        ),
    )


def _parts(node: _Node) -> dict[tuple[str, str], Part]:
    parts = [_part(part) for part in node.items("slices")]
    keys = [key for key, _ in parts]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        node.key("slices").fault(f"{quoted('='.join(key))} is there twice", "each part once")
    return dict(parts)


def _part(node: _Node) -> tuple[tuple[str, str], Part]:
    queries = node.child("counts").key("queries").count()
    return (node.key("by").text(), node.key("value").text()), Part(queries, _means(node))


def _means(node: _Node) -> Values:
    means = {}
    for name, entry in node.key("measures").members():
        entry.record()  # a value that is no object is a fault, and not a measure without a mean
        means[name] = entry.key("mean").number()
    return means


def _values(node: _Node) -> Values:
    return {name: value.number() for name, value in node.members()}
