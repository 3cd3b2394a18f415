"""Each kind of broken BEIR folder: every problem at once, with file, line, field, value, remedy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.core.errors import MAX_LISTED, DatasetError, FormatError, InputError
from judge.formats import beir
from judge.formats.reading.intake import Reading

Folder = Callable[[Mapping[str, str | bytes | None]], Path]
LINES = "JSON Lines, one object on each line, or one JSON array of objects"


def problems(folder: Path, reading: Reading | None = None) -> list[str]:
    with pytest.raises(InputError) as caught:
        beir.read(folder, reading or Reading())
    return [line.replace(f"{folder}/", "") for line in str(caught.value).splitlines()]


CORPORA: dict[str, tuple[str | bytes, list[str]]] = {
    "cut off": (
        '\n{"_id":"d1","text":"a"}\n  \n\n{"_id":"d2","text":"b"}\n{"_id":',
        ["corpus.jsonl:6: not JSON: the text ends too early (column 8)"],
    ),
    "raw line break in a string": (
        '{"_id":"d0","text":"fine"}\n{"_id":"d1","text":"line one\nline two"}\n',
        [
            "corpus.jsonl:2: not JSON: a string is not closed on its line; a line break inside is"
            " written \\n (column 20)",
            f'corpus.jsonl:3: not JSON: unexpected "l" (column 1) (expected: {LINES})',
        ],
    ),
    "raw control character": (
        '{"_id":"d1","text":"a\x01b"}\n',
        ["corpus.jsonl:1: not JSON: a raw control character (U+0001) inside a string (column 22)"],
    ),
    "bytes that are not UTF-8": (
        b'{"_id":"d1","text":"a"}\n{"_id":"d2","text":"\xff"}\n',
        ["corpus.jsonl:2: byte 0xff is not UTF-8 (expected: UTF-8 text)"],
    ),
    "half a surrogate pair": (
        '{"_id":"d1","text":"half \\ud835 pair"}\n{"_id":"d2","text":"ok \\ud83d\\ude00"}\n',
        ["corpus.jsonl:1: not JSON: \\ud835 is half of a surrogate pair (column 20)"],
    ),
    "one object over several lines": (
        '{\n"_id":"d1","text":"a"\n}\n',
        [f"corpus.jsonl:1: one JSON object over several lines (expected: {LINES})"],
    ),
    "a wrong value in an array": (
        '[\n{"_id":"d1","text":"a"},\n{"_id":"d2",\n "text":3},\n7\n]\n',
        [
            "corpus.jsonl:4: [1].text: 3 is a number (expected: a text)",
            "corpus.jsonl:5: [2]: a number and not an object",
        ],
    ),
    "keys of another tool": (
        '{"id":"d1","contents":"a"}\n{"_id":"d2","text":"b"}\n{"_id":"d3","contents":"c"}\n',
        [
            'corpus.jsonl:1: _id: missing; the keys found are "id", "contents"'
            ' (expected: "_id", "text")',
            'corpus.jsonl:3: text: missing; the keys found are "_id", "contents"'
            ' (expected: "_id", "text")',
        ],
    ),
    "one id, two contents": (
        '{"_id":"d1","text":"first"}\n{"_id":"d2","text":"x"}\n{"_id":"d1","text":"second"}\n',
        [
            'corpus.jsonl:3: document id "d1" stands at line 1 already, with another content'
            " (expected: one record for each id)"
        ],
    ),
    "a key twice": (
        '{"_id":"d1","text":"a","_id":"d2"}\n',
        ['corpus.jsonl:1: not JSON: the key "_id" stands twice in one object (column 24)'],
    ),
    "values that are no ids": (
        '{"_id":1.0,"text":"t"}\n{"_id":true,"text":"t"}\n{"_id":"","text":"t"}\n{"_id":["a"],'
        '"text":"t"}\n{"_id":null,"text":"t"}\n',
        [
            "corpus.jsonl:1: _id: 1.0 is a number (expected: an id as a JSON string)",
            "corpus.jsonl:2: _id: true (expected: an id as a JSON string)",
            "corpus.jsonl:3: _id: the text is empty (expected: an id as a JSON string)",
            "corpus.jsonl:4: _id: a list (expected: an id as a JSON string)",
            'corpus.jsonl:5: _id: null; the keys found are "_id", "text" (expected: "_id")',
        ],
    ),
    "too deep": (
        "[" * 100_000 + "\n",
        ["corpus.jsonl:1: not JSON: nested deeper than 100 levels (column 101)"],
    ),
    "deep inside a record": (
        '{"_id":"d","text":"t","n":' + "[" * 200 + "]" * 200 + "}\n",
        ["corpus.jsonl:1: not JSON: nested deeper than 100 levels (column 126)"],
    ),
    "numbers that are none": (
        '{"_id":"a","text":"t","n":' + "9" * 5000 + '}\n{"_id":"b","text":"NaN","n":NaN}\n'
        '{"_id":"c","text":"t","n":[1,-Infinity]}\n{"_id":"d","text":"t","n":1e400}\n',
        [
            "corpus.jsonl:1: not JSON: an integer of 5000 digits (column 27)",
            "corpus.jsonl:2: not JSON: NaN is not a JSON number (column 29)",
            "corpus.jsonl:3: not JSON: -Infinity is not a JSON number (column 30)",
            "corpus.jsonl:4: not JSON: 1e400 is too large for a number (column 27)",
        ],
    ),
    "JSON as people write it": (
        '{"_id":"7","text":"t",}\n{"_id":"7",,"text":"t"}\n{"_id":"7" "text":"t"}\n'
        '{"_id":"7","text":"\\q"}\n{\'_id\':"7"}\n"x"\n{} {}\nnull\n',
        [
            "corpus.jsonl:1: not JSON: a comma before the closing bracket (column 22)",
            'corpus.jsonl:2: not JSON: unexpected "," (column 12)',
            'corpus.jsonl:3: not JSON: unexpected """ (column 12)',
            "corpus.jsonl:4: not JSON: an escape in a string that JSON does not know (column 20)",
            'corpus.jsonl:5: not JSON: unexpected "\'" (column 2)',
            f"corpus.jsonl:6: a text and not an object (expected: {LINES})",
            "corpus.jsonl:7: not JSON: more text after the end of the value (column 4)",
            f"corpus.jsonl:8: null and not an object (expected: {LINES})",
        ],
    ),
    "wrong types": (
        '{"_id":"d1","text":["a"],"title":1,"language":2,"metadata":[1]}\n',
        [
            "corpus.jsonl:1: title: 1 is a number (expected: a text)",
            "corpus.jsonl:1: text: a list (expected: a text)",
            "corpus.jsonl:1: language: 2 is a number (expected: a text)",
            "corpus.jsonl:1: metadata: a list (expected: an object)",
        ],
    ),
    "a key beside the metadata and in it": (
        '{"_id":"d1","text":"a","url":"u","metadata":{"url":"v"}}\n',
        ["corpus.jsonl:1: url: stands both beside the metadata and in it"],
    ),
    "nothing": ("\n \n", ["corpus.jsonl: there are no documents"]),
    "damaged gzip": (
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\x56",
        [
            "corpus.jsonl: damaged gzip data: Compressed file ended before the end-of-stream marker"
            " was reached",
        ],
    ),
}


@pytest.mark.parametrize("kind", CORPORA)
def test_corpus(beir_folder: Folder, kind: str) -> None:
    content, expected = CORPORA[kind]
    assert problems(beir_folder({"corpus.jsonl": content, "qrels/test.tsv": None})) == expected


QRELS: dict[str, tuple[str, list[str]]] = {
    "grades that are none": (
        "q1\td1\tabc\nq1\td1\ttrue\nq1\td1\t\nq1\td1\t1,5\nq1\td1\tnan\nq1\td1\t１\nq1\td1\t1_0\n",
        [
            'qrels/test.tsv:1: grade: "abc" is not a grade (expected: a grade 0-3)',
            'qrels/test.tsv:2: grade: "true" is not a grade (expected: a grade 0-3)',
            'qrels/test.tsv:3: grade: "" is not a grade (expected: a grade 0-3)',
            'qrels/test.tsv:4: grade: "1,5" is not a grade (expected: a grade 0-3)',
            'qrels/test.tsv:5: grade: "nan" is not a grade (expected: a grade 0-3)',
            'qrels/test.tsv:6: grade: "１" is not a grade (expected: a grade 0-3)',
            'qrels/test.tsv:7: grade: "1_0" is not a grade (expected: a grade 0-3)',
        ],
    ),
    "parts of grades": (
        "q1\td1\t1.5\nq1\td2\t0.7\nq1\td2\t1e999\n",
        [
            "qrels/test.tsv:1: grade: 1.5 is not a whole number (expected: a grade 0-3)",
            "qrels/test.tsv:2: grade: 0.7 is not a whole number (expected: a grade 0-3)",
            "qrels/test.tsv:3: grade: 1e999 is not a whole number (expected: a grade 0-3)",
        ],
    ),
    "grades outside the scale": (
        "q1 0 d1 3\nq1 0 b -1\nq1 0 c -2\nq1 0 d 4\nq1 0 e 12\n",
        [
            "qrels/test.tsv:2: grade: -1 is negative, and sets mean different things by that"
            " (expected: a grade 0-3, or --map-grade -1=0 or -1=unjudged)",
            "qrels/test.tsv:3: grade: -2 is negative, and sets mean different things by that"
            " (expected: a grade 0-3, or --map-grade -2=0 or -2=unjudged)",
            "qrels/test.tsv:4: grade: 4 is outside the scale 0-3"
            " (expected: a grade 0-3, or --scale 4 for a scale up to it, or --map-grade 4=3)",
            "qrels/test.tsv:5: grade: 12 is outside the scale 0-3"
            " (expected: a grade 0-3, or --map-grade 12=3)",
        ],
    ),
    "columns": (
        "q1\td1\t1\nq1\td2\n\nq1\td2\t1\tx\n\td2\t1\nq1\t \t1\n",
        [
            "qrels/test.tsv:2: expected 3 columns, found 2 (expected: query_id doc_id grade)",
            "qrels/test.tsv:4: expected 3 columns, found 4 (expected: query_id doc_id grade)",
            "qrels/test.tsv:5: an id is empty (expected: query_id doc_id grade)",
            "qrels/test.tsv:6: an id is empty (expected: query_id doc_id grade)",
        ],
    ),
    "contradictions": (
        "q1\td1\t1\nq1\td2\t1\nq1\td1\t1\nq1\td2\t2\n",
        [
            'qrels/test.tsv:4: query "q1", document "d2": 1 at line 2 and 2 here'
            " (expected: one judgment for each pair)"
        ],
    ),
}


@pytest.mark.parametrize("kind", QRELS)
def test_qrels(beir_folder: Folder, kind: str) -> None:
    content, expected = QRELS[kind]
    assert problems(beir_folder({"qrels/test.tsv": content})) == expected


def test_contradiction_between_files_names_both(beir_folder: Folder) -> None:
    folder = beir_folder({"qrels/dev.tsv": "q1\td1\t0\n"})
    assert problems(folder) == [
        'qrels/test.tsv:2: query "q1", document "d1": 0 at dev.tsv:1 and 1 here'
        " (expected: one judgment for each pair)"
    ]


def test_strict_refuses_what_dangles_and_names_the_nearest(beir_folder: Folder) -> None:
    folder = beir_folder({"qrels/test.tsv": "q1\td1\t1\nq1\td22\t2\nq9\td1\t1\n"})
    assert problems(folder, Reading(strict=True)) == [
        'qrels/test.tsv:2: there is no document "d22"; did you mean "d2"?',
        'qrels/test.tsv:3: there is no query "q9"',
    ]


def test_queries(beir_folder: Folder) -> None:
    content = '{"_id":"q1","text":null}\n{"_id":"q2"}\n{"_id":"q3","text":"t","split":[]}\n'
    folder = beir_folder({"queries.jsonl": content, "qrels/test.tsv": None})
    assert problems(folder) == [
        'queries.jsonl:1: text: null; the keys found are "_id", "text" (expected: "_id", "text")',
        'queries.jsonl:2: text: missing; the keys found are "_id" (expected: "_id", "text")',
        "queries.jsonl:3: split: a list (expected: an id as a JSON string)",
    ]


def test_problems_of_all_files_come_together(beir_folder: Folder) -> None:
    folder = beir_folder(
        {
            "corpus.jsonl": '{"_id":"d1","text":"a"}\n{\n',
            "queries.jsonl": '{"_id":"q1"}\n',
            "qrels/test.tsv": "q1\td1\tx\n",
        }
    )
    assert problems(folder) == [
        "corpus.jsonl:2: not JSON: the text ends too early (column 2)",
        'queries.jsonl:1: text: missing; the keys found are "_id" (expected: "_id", "text")',
        'qrels/test.tsv:1: grade: "x" is not a grade (expected: a grade 0-3)',
    ]


def test_the_kind_of_error_says_whether_bytes_or_rules_are_broken(beir_folder: Folder) -> None:
    with pytest.raises(FormatError):
        beir.read(beir_folder({"corpus.jsonl": "{"}))
    with pytest.raises(DatasetError):
        beir.read(beir_folder({"corpus.jsonl": '{"_id":"d"}'}))


def test_problems_beyond_the_limit_are_counted(beir_folder: Folder) -> None:
    rows = "".join(f"q{i} 0 d{i} 1\n" for i in range(10)) + "q1 0 d1 x\n" * (MAX_LISTED + 5)
    found = problems(beir_folder({"qrels/test.tsv": rows}))
    assert found[0] == 'qrels/test.tsv:11: grade: "x" is not a grade (expected: a grade 0-3)'
    assert len(found) == MAX_LISTED + 1
    assert found[-1] == "and 5 more problems"


def test_missing_files(beir_folder: Folder, tmp_path: Path) -> None:
    folder = beir_folder({"queries.jsonl": None})
    assert problems(folder) == [
        f"{folder}: there is no queries.jsonl; there is corpus.jsonl, qrels"
        f" (expected: {beir.TITLE})"
    ]
    assert problems(tmp_path / "absent") == [
        f"{tmp_path}/absent: no such folder (expected: a folder with corpus.jsonl)"
    ]
    corpus = folder / "corpus.jsonl"
    assert problems(corpus) == [f"{corpus}: is a file (expected: a folder with corpus.jsonl)"]
