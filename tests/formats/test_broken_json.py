"""Each kind of broken benchmark JSON: line, place in the document, value, remedy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.core.errors import FormatError, InputError
from judge.formats import expected_results, judge_json, relevant_ids
from judge.formats.reading.intake import Reading
from judge.formats.registry import Format

Write = Callable[[object], Path]


def problems(module: Format, path: Path, reading: Reading | None = None) -> list[str]:
    with pytest.raises(InputError) as caught:
        module.read(path, reading or Reading())
    return [line.replace(f"{path.parent}/", "") for line in str(caught.value).splitlines()]


def test_relevant_ids(json_file: Write) -> None:
    documents = '"documents": [\n{"id": "doc-auth", "text": "t"}],\n'
    queries = (
        '"queries": [\n{"id": "q1", "query": "a", "relevant_ids": [\n"doc-auht",\n3, null]},\n'
        '{"id": "q1", "query": "b", "relevant_ids": "doc"},\n{"id": "q3", "query": "b"},\n4]'
    )
    path = json_file('{"name": "x",\n' + documents + queries + "}\n")
    assert problems(relevant_ids, path) == [
        'bench.json:6: queries[0].relevant_ids[0]: there is no document "doc-auht";'
        ' did you mean "doc-auth"?',
        "bench.json:7: queries[0].relevant_ids[2]: null (expected: an id as a JSON string)",
        'bench.json:7: queries[0].relevant_ids[1]: there is no document "3"',
        'bench.json:8: queries[1].relevant_ids: "doc" is a text (expected: a list)',
        'bench.json:8: queries[1]: query id "q1" stands at queries[0] already, with another content'
        " (expected: one record for each id)",
        "bench.json:9: queries[2].relevant_ids: missing"
        " (expected: a list of document ids, which may be empty)",
        "bench.json:10: queries[3]: a number where an object was expected",
    ]


DOCUMENTS: dict[str, tuple[Format, str, list[str]]] = {
    "lists missing": (
        relevant_ids,
        '{"name": "x", "docs": []}',
        [
            'bench.json:1: documents: missing; the keys found are "name", "docs"'
            ' (expected: "documents", "queries")',
            'bench.json:1: queries: missing; the keys found are "name", "docs"'
            ' (expected: "documents", "queries")',
        ],
    ),
    "lists empty": (
        expected_results,
        '{"documents": [],\n "queries": []}',
        ["bench.json:1: documents: there are no documents"],
    ),
    "syntax": (
        relevant_ids,
        '{"name": "x",\n"documents": [{"id": "a", "text": "b" "c"}]}',
        ['bench.json:2: not JSON: unexpected """ (column 39)'],
    ),
    "raw line break": (
        relevant_ids,
        '{"name": "x",\n"documents": [{"id": "a", "text": "b\nc"}]}',
        ["bench.json:2: not JSON: a raw line break inside a string is written \\n (column 37)"],
    ),
    "trailing comma": (
        relevant_ids,
        '{"documents": [1, 2,\n ]}',
        ["bench.json:1: not JSON: a comma before the closing bracket (column 20)"],
    ),
    "infinity": (
        expected_results,
        '{"name": "Infinity pool NaN",\n"n": -Infinity}',
        ["bench.json:2: not JSON: -Infinity is not a JSON number (column 6)"],
    ),
    "a key twice": (
        expected_results,
        '{"name": "x",\n "queries": [],\n "queries": []}',
        ['bench.json:3: not JSON: the key "queries" stands twice in one object (column 2)'],
    ),
    "too deep": (
        judge_json,
        '{"a": ' + "[" * 100_000,
        ["bench.json:1: not JSON: nested deeper than 100 levels (column 106)"],
    ),
    "a list": (
        relevant_ids,
        "[1]",
        ["bench.json:1: a list where an object was expected"],
    ),
    "JSON Lines": (
        relevant_ids,
        '{"id": "d1", "text": "a"}\n{"id": "d2", "text": "b"}\n',
        ["bench.json:2: JSON Lines, and not one JSON document"],
    ),
    "several datasets": (
        expected_results,
        '[{"name": "exact"},\n {"name": "short"}]',
        [
            'bench.json:1: the file holds 2 datasets: "exact", "short"'
            " (expected: one of them, chosen by --part NAME)"
        ],
    ),
    "no results": (
        expected_results,
        '{"documents": [{"id": "a.md", "content": "t"}],\n "queries": [{"query": "x"}]}',
        [
            "bench.json:2: queries[0].expectedResults: missing"
            " (expected: a list of document ids, which may be empty)"
        ],
    ),
    "a newer schema": (
        judge_json,
        '{\n"schema": "judge.benchmark/2"}',
        [
            'bench.json:2: schema: "judge.benchmark/2" is a text, not a schema that is known here'
            ' (expected: "judge.benchmark/1")'
        ],
    ),
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_document(json_file: Write, kind: str) -> None:
    module, content, expected = DOCUMENTS[kind]
    assert problems(module, json_file(content)) == expected


def own(**parts: Any) -> dict[str, Any]:
    sound = {
        "schema": "judge.benchmark/1",
        "documents": [{"id": "d", "text": "t"}],
        "queries": [{"id": "q", "text": "t"}],
    }
    return sound | parts


def judged(*judgments: object) -> str:
    """A document with one judgment on each line from line 2 on."""
    head = json.dumps(own(queries=[]))[:-3]
    rows = ",\n".join(json.dumps(judgment) for judgment in judgments)
    return f'{head}[{{"id": "q", "text": "t", "judgments": [\n{rows}]}}]}}'


def test_judgments(json_file: Write) -> None:
    path = json_file(
        judged(
            {"doc_id": "d", "grade": True},
            {"doc_id": "d", "grade": "3"},
            {"doc_id": "d", "grade": None},
            {"doc_id": "d", "grade": 1.5},
            {"doc_id": "d", "grade": -1},
            {"doc_id": "d", "grade": 10},
            {"doc_id": "x", "grade": 2, "hard_negativ": 1},
            {"doc_id": "x", "grade": 0, "hard_negative": "yes"},
            {"grade": 1},
            "d",
        )
    )
    assert problems(judge_json, path) == [
        "bench.json:2: queries[0].judgments[0].grade: true, not a grade (expected: a grade 0-3)",
        'bench.json:3: queries[0].judgments[1].grade: "3" is a text, not a grade'
        " (expected: a grade 0-3)",
        "bench.json:4: queries[0].judgments[2].grade: null;"
        ' the keys found are "doc_id", "grade" (expected: "doc_id", "grade")',
        "bench.json:5: queries[0].judgments[3].grade: 1.5 is not a whole number"
        " (expected: a grade 0-3)",
        "bench.json:6: queries[0].judgments[4].grade: -1 is negative, and sets mean different"
        " things by that (expected: a grade 0-3, or --map-grade -1=0 or -1=unjudged)",
        "bench.json:7: queries[0].judgments[5].grade: 10 is outside the scale 0-3"
        " (expected: a grade 0-3, or --map-grade 10=3)",
        "bench.json:8: queries[0].judgments[6].hard_negativ: not a key of a judgment"
        ' (expected: "hard_negative")',
        'bench.json:9: queries[0].judgments[7].hard_negative: "yes" is a text'
        " (expected: true or false)",
        "bench.json:10: queries[0].judgments[8].doc_id: missing;"
        ' the keys found are "grade" (expected: "doc_id", "grade")',
        "bench.json:11: queries[0].judgments[9]: a text where an object was expected",
    ]


def test_judgments_against_each_other_and_the_scale(json_file: Write) -> None:
    path = json_file(
        judged(
            {"doc_id": "d", "grade": 1},
            {"doc_id": "d", "grade": 1},
            {"doc_id": "d", "grade": 1, "note": "!"},
            {"doc_id": "d", "grade": 2},
            {"doc_id": "e", "grade": 3, "hard_negative": True},
        ).replace('"documents"', '"scale": {"max": 3, "relevant_from": 2}, "documents"', 1)
    )
    pair = 'query "q", document "d"'
    where = "bench.json: queries[0].judgments[0]"
    only = "(expected: one judgment for each pair)"
    assert problems(judge_json, path) == [
        f"bench.json:4: queries[0].judgments[2]: {pair}: also at {where} with another mark or note"
        f" {only}",
        f"bench.json:5: queries[0].judgments[3]: {pair}: 1 at {where} and 2 here {only}",
        "bench.json:6: queries[0].judgments[4].hard_negative: a document of grade 3 is relevant"
        " (expected: the mark only below grade 2)",
    ]


SCALES: dict[str, tuple[object, str]] = {
    "too long": (
        {"max": 12},
        "scale: a scale runs from 0 (or more) up to at most 9, so one key gives a grade",
    ),
    "relevance outside": ({"max": 1, "relevant_from": 2}, "scale: relevant_from must lie in 1..1"),
    "labels outside": (
        {"max": 2, "labels": {"3": "x"}},
        "scale: labels name grades outside the scale: [3]",
    ),
    "labels that are no grades": (
        {"labels": {"high": "x"}},
        'scale.labels: the entry "high" is wrong (expected: as in {"0": "does not answer"})',
    ),
    "unknown key": ({"maximum": 3}, 'scale.maximum: not a key of a scale (expected: "max")'),
    "no number": ({"max": "3"}, 'scale.max: "3" is a text (expected: a whole number)'),
    "no object": (3, "scale: 3 is a number (expected: an object)"),
}


@pytest.mark.parametrize("kind", SCALES)
def test_scale(json_file: Write, kind: str) -> None:
    scale, expected = SCALES[kind]
    path = json_file(json.dumps(own(scale=scale)))
    assert problems(judge_json, path) == [f"bench.json:1: {expected}"]


def test_own_format_is_closed(json_file: Write) -> None:
    content = own(
        naem="x",
        documents=[{"id": "d"}, {"id": "e", "text": "x", "colour": 1}],
        queries=[{"id": "q", "text": "t", "judgements": []}],
        languages=["en", 3],
        version=True,
    )
    ours = "not a key of judge.benchmark/1"
    known = '"id", "language", "metadata", "namespace", "parent_id", "text", "title"'
    assert problems(judge_json, json_file(json.dumps(content))) == [
        "bench.json:1: version: true (expected: a text)",
        "bench.json:1: documents[0].text: missing;"
        ' the keys found are "id" (expected: "id", "text")',
        f"bench.json:1: documents[1].colour: {ours} (expected: {known})",
        f'bench.json:1: queries[0].judgements: {ours} (expected: "judgments")',
        f'bench.json:1: naem: {ours} (expected: "name")',
    ]


def test_syntax_and_rules_are_different_errors(json_file: Write) -> None:
    with pytest.raises(FormatError):
        judge_json.read(json_file("{"))
    with pytest.raises(InputError, match="no such file"):
        judge_json.read(Path("absent.json"))
