"""What a path is taken for, and why."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.core.errors import InputError, NotFound
from judge.formats import json_document, registry
from judge.formats.reading.intake import Intake, Reading
from judge.formats.reading.json_lines import read_records

Folder = Callable[[Mapping[str, str | bytes | None]], Path]


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        ('{"schema": "judge.benchmark/1"}', "judge", "its schema is judge.benchmark"),
        ('{"queries": [{"relevant_ids" : []', "relevant-ids", 'there is "relevant_ids" in it'),
        ('[{"queries": [{"expectedResults": []}]}]', "expected-results", "expectedResults"),
        ("q1 0 d1 1\n", "trec", 'its first line reads "query_id 0 doc_id grade"'),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_files(tmp_path: Path, content: str, name: str, why: str, packed: bool) -> None:
    path = tmp_path / "file"
    data = content.encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    sniffed = registry.sniff(path)
    assert name == sniffed.format.NAME
    assert why in sniffed.why


def test_folders(beir_folder: Folder, tmp_path: Path) -> None:
    assert registry.sniff(beir_folder({})).why == "a folder with corpus.jsonl"
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "qrels.test.txt").write_text("q 0 d 1\n")
    assert registry.sniff(tmp_path / "t").why == "a folder with qrels.test.txt and no corpus"


def test_a_text_that_only_mentions_a_key(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"text": "say \\"relevant_ids\\": or not"}')
    assert (
        reason(path) == 'is JSON, an object with the keys "text", in no format that is known here'
    )


def reason(path: Path) -> str:
    """Why a path is in no format, without its own name and without the list of formats."""
    with pytest.raises(InputError) as caught:
        registry.sniff(path)
    return str(caught.value).removeprefix(str(path)).partition(" (expected: judge:")[0][1:].strip()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[" * 100_000, "1: not JSON: nested deeper than 100 levels (column 101)"),
        ('{"a":\n1,}', "2: not JSON: a comma before the closing bracket (column 2)"),
        ('{"_id": "d", "text": "t", "n": ' + "9" * 5000 + "}\n", "1: not JSON: an integer of 5000"),
        ('{"_id": "d"}\n{"_id":\n', "2: not JSON: the text ends too early (column 8)"),
        ('{"_id": "d"}\n{"text": "d"}\n', 'is JSON Lines with the keys "_id", "text", which is'),
        ("[1, 2]", "is JSON, a list, in no format that is known here"),
        ("id,text\n1,2\n", "is in no format that is known here"),
        ("", "is in no format that is known here"),
    ],
)
def test_what_is_wrong_with_an_unknown_file(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert reason(path).startswith(message)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(b"\x93NUMPY\n\xff")
    assert reason(tmp_path / "x.npy") == "1: byte 0x93 is not UTF-8 (expected: UTF-8 text)"


def test_what_cannot_be_read_twice_is_refused_before_it_is_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"q1 0 d1 1\n")
    os.close(writing)
    path = Path(f"/dev/fd/{reading}")
    readers: list[Callable[[Path], object]] = [
        registry.sniff,
        registry.named("trec").read,
        registry.named("judge").read,
        lambda path: list(read_records(path, Intake(Reading()))),
    ]
    for read in readers:
        with pytest.raises(InputError) as caught:
            read(path)
        assert str(caught.value) == (f"{path}: is a pipe (expected: a file that can be read twice)")
    assert os.read(reading, 100) == b"q1 0 d1 1\n"
    os.close(reading)


def test_a_large_file_that_is_no_json_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "f").write_text("\n \nq1 0 d1 1\n" + 'q1 0 "relevant_ids": 1\n' * 1000)
    monkeypatch.setattr(json_document, "read_text", lambda _: pytest.fail("it was read whole"))
    assert registry.sniff(tmp_path / "f").format.NAME == "trec"


def test_one_file_of_a_folder(beir_folder: Folder) -> None:
    folder = beir_folder({})
    with pytest.raises(InputError) as caught:
        registry.sniff(folder / "corpus.jsonl")
    assert str(caught.value) == (
        f"{folder}/corpus.jsonl: is one file of a folder (expected: the folder {folder})"
    )


def test_what_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        registry.sniff(tmp_path / "absent")
    (tmp_path / "x.pkl").write_bytes(b"\x80\x04}\x94.")
    assert reason(tmp_path / "x.pkl") == "1: byte 0x80 is not UTF-8 (expected: UTF-8 text)"
    with pytest.raises(InputError, match=r"no known format; the folder holds x\.pkl"):
        registry.sniff(tmp_path)


def test_names() -> None:
    assert registry.named("beir").NAME == "beir"
    with pytest.raises(NotFound, match='did you mean "beir"'):
        registry.named("bier")


@pytest.mark.parametrize("name", registry.FORMATS)
def test_every_format_says_what_it_loses(name: str) -> None:
    module = registry.FORMATS[name]
    assert module.TITLE
    assert "Lost:" in (module.__doc__ or "")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (
            '{"schema": "judge.benchmark/1", "documents": [{"metadata": {"relevant_ids": []}}],'
            ' "queries": [{"metadata": {"expectedResults": 1}}]}',
            "judge",
        ),
        (
            '{"documents": [{"relevant_ids": [], "metadata": {"schema": "judge.benchmark/1"}}],'
            ' "relevant_ids": 1, "queries": [{"id": "q", "expectedResults": []}]}',
            "expected-results",
        ),
        (
            '{"provenance": {"schema": "judge.benchmark/1", "expectedResults": 0},'
            ' "queries": [{"text": "x"}, {"relevant_ids": []}]}',
            "relevant-ids",
        ),
    ],
)
def test_keys_deep_inside_do_not_decide(tmp_path: Path, content: str, name: str) -> None:
    path = tmp_path / "f.json"
    path.write_text(content)
    assert name == registry.sniff(path).format.NAME


@pytest.mark.parametrize(
    "content",
    [
        "q1 0 d1 x\nq1 0 d2 1\n",
        "q1 0 d1\nq1 0 d2 1\n",
        "q1 0 d1 x\n",
        "q1 Q0 d1 one\n",
        "\n7 8 9 0.5\n",
        "7 8 9 0.9999999999999999999\n",
    ],
)
def test_broken_judgments_are_still_taken_for_judgments(tmp_path: Path, content: str) -> None:
    path = tmp_path / "labels.txt"
    path.write_text(content)
    assert registry.sniff(path).format.NAME == "trec"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "a,b\n1,2\n",
            "; as trec it is refused at line 1: expected 4 columns, found 1"
            " (expected: query_id 0 doc_id grade)",
        ),
        (
            "\nq1 Q0 d1 1 0.5 tag\n",
            "; it looks like a run, which `judge score` and `judge pool` take with --run",
        ),
        (
            "q1\td1\tx\n",
            '; as trec it is refused at line 1: grade: "x" is not a grade (expected: a grade 0-3)',
        ),
        ("q1\td1\t1\n", "; as trec it can be read, with --from trec"),
        (
            "q1\tfour words for 1\nq2\twhat 4 7\nq3\tis it\n",
            '; as trec it is refused at line 1: grade: "for" is not a grade'
            " (expected: a grade 0-3)",
        ),
    ],
)
def test_the_likeliest_format_says_why_it_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "labels.txt"
    path.write_text(content)
    assert reason(path) == f"is in no format that is known here{said}"
