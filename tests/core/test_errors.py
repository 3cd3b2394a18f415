"""The texts and exit codes of errors, as users and scripts meet them."""

from __future__ import annotations

import pytest

from judge.core import errors
from judge.core.errors import (
    DatasetError,
    EngineError,
    FormatError,
    InputError,
    JudgeError,
    LabelStoreError,
    MeasureError,
    NotFound,
    Problem,
    quoted,
)


def test_a_problem_names_file_line_field_value_and_what_was_expected() -> None:
    problem = Problem(
        '"abc" is not a number',
        path="runs/a.trec",
        line=17,
        field="score",
        expected="query_id Q0 doc_id rank score tag",
    )
    assert str(problem) == (
        'runs/a.trec:17: score: "abc" is not a number (expected: query_id Q0 doc_id rank score tag)'
    )


def test_parts_that_are_not_known_leave_no_trace() -> None:
    assert str(Problem("broken")) == "broken"
    assert str(Problem("broken", line=3)) == "line 3: broken"
    assert str(Problem("broken", path="a.json", field="id")) == "a.json: id: broken"


def test_all_problems_are_told_not_just_the_first() -> None:
    error = FormatError(Problem("one", line=1), Problem("two", line=2))
    assert str(error) == "line 1: one\nline 2: two"
    assert [p.line for p in error.problems] == [1, 2]


@pytest.mark.parametrize(
    ("count", "lines", "last"),
    [
        (0, 0, ""),
        (1000, 1000, "line 1000: x"),
        (1001, 1001, "f: and 1 more problem"),
        (3500, 1001, "f: and 2,500 more problems"),
    ],
)
def test_very_many_problems_are_counted(count: int, lines: int, last: str) -> None:
    problems = (Problem("x", line=line) for line in range(1, count + 1))
    found = errors.listed(problems, count, "f")
    assert len(found) == lines
    assert str(found[-1] if found else "") == last


def test_long_values_are_cut() -> None:
    assert quoted("x" * 500) == '"' + "x" * 80 + '…"'
    assert quoted(1.5) == "1.5"


def test_what_is_not_found_names_the_nearest() -> None:
    assert 'did you mean "scifact"?' in str(NotFound("dataset", "scifcat", ["demo", "scifact"]))
    assert "there is: demo, other" in str(NotFound("dataset", "zzz", ["other", "demo"]))
    assert str(NotFound("dataset", "x", hint="Make one.")) == 'no dataset "x". Make one.'


@pytest.mark.parametrize(
    ("kind", "code", "base"),
    [
        (InputError, 3, ValueError),
        (FormatError, 3, InputError),
        (DatasetError, 3, InputError),
        (NotFound, 3, LookupError),
        (MeasureError, 2, ValueError),
        (LabelStoreError, 3, JudgeError),
        (EngineError, 4, JudgeError),
    ],
)
def test_the_tree(kind: type[JudgeError], code: int, base: type[Exception]) -> None:
    assert kind.exit_code == code
    assert issubclass(kind, base)
    assert issubclass(kind, JudgeError)
    assert kind.__name__ in (errors.__doc__ or "")
