"""What a BEIR folder may look like and still be taken, and what is written."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from judge.core.errors import InputError
from judge.core.model import Document, Judgment, Query, Scale
from judge.formats import beir
from judge.formats.collection import Collection
from judge.formats.reading.intake import Reading

Folder = Callable[[Mapping[str, str | bytes | None]], Path]


def ids(collection: Collection) -> list[str]:
    return [document.id for document in collection.documents]


def pairs(collection: Collection) -> list[tuple[str, str, int]]:
    return [judgment[:3] for judgment in collection.judgments]


def test_a_sound_folder(beir_folder: Folder) -> None:
    folder = beir_folder({})
    found = beir.read(folder)
    assert list(found.documents) == [
        Document(id="d1", text="one"),
        Document(id="d2", text="two"),
    ]
    assert found.queries == [Query(id="q1", text="x")]
    assert found.judgments == [Judgment("q1", "d1", 1)]
    assert found.scale is None
    assert found.notes == ()
    assert [file.relative_to(folder).as_posix() for file in found.files] == [
        "corpus.jsonl",
        "queries.jsonl",
        "qrels/test.tsv",
    ]


def test_documents_can_be_gone_through_again(beir_folder: Folder) -> None:
    found = beir.read(beir_folder({}))
    assert ids(found) == ids(found) == ["d1", "d2"]


@pytest.mark.parametrize(
    "corpus",
    [
        b'\xef\xbb\xbf{"_id":"d1","text":"a"}\n{"_id":"d2","text":"b"}\n',
        b'{"_id":"d1","text":"a"}\r\n{"_id":"d2","text":"b"}\r\n',
        b'{"_id":"d1","text":"a"}\r{"_id":"d2","text":"b"}',
        b'\n{"_id":"d1","text":"a"}\n   \n\n{"_id":"d2","text":"b"}',
        b'[\n  {"_id":"d1","text":"a"},\n  {"_id":"d2","text":"b"}\n]\n',
        gzip.compress(b'{"_id":"d1","text":"a"}\n{"_id":"d2","text":"b"}\n'),
    ],
    ids=["BOM", "CRLF", "CR", "blank lines", "array", "gzip"],
)
def test_what_means_the_same(beir_folder: Folder, corpus: bytes) -> None:
    found = beir.read(beir_folder({"corpus.jsonl": corpus}))
    assert [(d.id, d.text) for d in found.documents] == [("d1", "a"), ("d2", "b")]
    assert found.notes == ()


def test_long_lines(beir_folder: Folder) -> None:
    content = json.dumps({"_id": "d1", "text": "x" * 3_000_000}) + '\n{"_id":"d2","text":"b"}\n'
    found = beir.read(beir_folder({"corpus.jsonl": content}))
    assert [len(d.text or "") for d in found.documents] == [3_000_000, 1]


def test_titles_and_missing_texts(beir_folder: Folder) -> None:
    content = (
        '{"_id":"a","text":"no title"}\n{"_id":"b","title":null,"text":"null title"}\n'
        '{"_id":"c","title":"","text":"empty title"}\n{"_id":"d","title":"title only"}\n'
        '{"_id":"e","title":"t","text":null}\n{"_id":"f","text":null}\n{"_id":"g","text":""}\n'
    )
    found = beir.read(beir_folder({"corpus.jsonl": content, "qrels/test.tsv": None}))
    assert [(d.id, d.title, d.text) for d in found.documents] == [
        ("a", "", "no title"),
        ("b", "", "null title"),
        ("c", "", "empty title"),
        ("d", "title only", ""),
        ("e", "t", ""),
        ("f", "", None),
        ("g", "", ""),
    ]
    assert found.notes == (
        "documents with a title and no text, taken as empty text: 2 (first: corpus.jsonl:4)",
    )


def test_ids_stay_as_they_are(beir_folder: Folder) -> None:
    odd = ["007", "7", "1478720431326732291", "1e5", "NA", "seg_01#2", "https://x.org/a?b=1#c"]
    odd += [
        "ns:doc:7",
        "dir/sub/1.txt",
        "../../up",
        " with blanks ",
        '"quoted',
        "\u00a0",
        "\u00e9",
        "e\u0301",
    ]
    corpus = "".join(json.dumps({"_id": name, "text": "t"}) + "\n" for name in odd)
    qrels = "".join(f"q1\t{name}\t1\n" for name in odd)
    found = beir.read(beir_folder({"corpus.jsonl": corpus, "qrels/test.tsv": qrels}))
    assert ids(found) == odd
    assert [doc_id for _, doc_id, _ in pairs(found)] == odd
    assert found.notes == ()


def test_numbers_as_ids_are_taken_as_their_text(beir_folder: Folder) -> None:
    content = '{"_id":1478720431326732291,"text":"t"}\n{"_id":7,"text":"t"}\n'
    found = beir.read(
        beir_folder({"corpus.jsonl": content, "qrels/test.tsv": "q1\t1478720431326732291\t1\n"})
    )
    assert ids(found) == ["1478720431326732291", "7"]
    assert found.notes == (
        "ids that are JSON numbers, taken as their text: 2 (first: corpus.jsonl:1: _id)",
    )


def test_a_repeated_record_is_kept_once(beir_folder: Folder) -> None:
    content = '{"_id":"d1","text":"a"}\n{"text":"a","_id":"d1"}\n{"_id":"d2","text":"b"}\n'
    found = beir.read(beir_folder({"corpus.jsonl": content}))
    assert ids(found) == ids(found) == ["d1", "d2"]
    assert found.notes == (
        "documents that stand twice and say the same, kept once: 1 (first: corpus.jsonl:2)",
    )


def test_keys_that_are_not_ours_go_to_the_metadata(beir_folder: Folder) -> None:
    content = (
        '{"_id":"d1","text":"a","url":"u","metadata":{"n":1}}\n'
        '{"_id":"d2","text":"b","lang":"hi"}\n'
    )
    found = beir.read(beir_folder({"corpus.jsonl": content}))
    assert [(d.metadata, d.language) for d in found.documents] == [
        ({"n": 1, "url": "u"}, "und"),
        ({}, "hi"),
    ]
    assert found.notes == (
        'records with keys of their own, kept in their metadata: 1 (first: corpus.jsonl:1: "url")',
    )


QRELS = {
    "header": "query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td2\t1\n",
    "header and CRLF": "query-id\tcorpus-id\tscore\r\nq1\td1\t3\r\nq1\td2\t1\r\n",
    "no header": "q1\td1\t3\nq1\td2\t1\n",
    "BOM": "\ufeffquery-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td2\t1\n",
    "blanks": "q1 d1 3\nq1  d2 1\n",
    "TREC": "q1 0 d1 3\nq1 0 d2 1\n",
    "TREC with tabs and blanks mixed": "q1\t0\td1\t3\n  q1 0   d2\t1  \n",
    "whole numbers with a point": "q1\td1\t3.0\nq1\td2\t1.\n",
    "blank lines": "\nq1\td1\t3\n \nq1\td2\t+1",
}


@pytest.mark.parametrize("kind", QRELS)
def test_judgments_in_any_layout(beir_folder: Folder, kind: str) -> None:
    found = beir.read(beir_folder({"qrels/test.tsv": QRELS[kind]}))
    assert pairs(found) == [("q1", "d1", 3), ("q1", "d2", 1)]
    assert found.notes == ()


@pytest.mark.parametrize("name", ["qrels.trec", "qrels.txt", "qrels.tsv"])
def test_judgments_beside_the_corpus(beir_folder: Folder, name: str) -> None:
    found = beir.read(beir_folder({"qrels/test.tsv": None, name: "q1 0 d2 1\n"}))
    assert pairs(found) == [("q1", "d2", 1)]


def test_no_judgments_at_all(beir_folder: Folder) -> None:
    assert pairs(beir.read(beir_folder({"qrels/test.tsv": None}))) == []
    empty = beir.read(beir_folder({"qrels/test.tsv": "\n"}))
    assert empty.notes == ("files of judgments that are empty: 1 (first: test.tsv)",)


def test_repeated_judgments_are_kept_once(beir_folder: Folder) -> None:
    found = beir.read(beir_folder({"qrels/test.tsv": "q1\td1\t1\nq1\td1\t1\n"}))
    assert pairs(found) == [("q1", "d1", 1)]
    assert found.notes == (
        "judgments that stand twice and say the same, kept once: 1 (first: test.tsv:2)",
    )


def test_dangling_judgments_are_kept_and_told(beir_folder: Folder) -> None:
    content = "q1\td1\t3\nq1\td1_512\t2\nq1\td9\t2\nq9\td1\t1\n"
    found = beir.read(beir_folder({"qrels/test.tsv": content}))
    assert len(found.judgments) == 4
    assert found.notes == (
        'judgments on 1 query not in the data, kept: 1 (first: test.tsv:4: "q9")',
        'judgments on 2 documents not in the data, kept: 2 (first: test.tsv:2: "d1_512")',
    )


def test_mapped_grades(beir_folder: Folder) -> None:
    content = "q1\td1\t-1\nq1\td2\t-2\nq1\td3\t4\nq1\td4\t-1\n"
    reading = Reading(map_grade={-1: 0, -2: None, 4: 3})
    found = beir.read(beir_folder({"qrels/test.tsv": content}), reading)
    assert pairs(found) == [("q1", "d1", 0), ("q1", "d3", 3), ("q1", "d4", 0)]
    assert found.notes[:3] == (
        "grades -1 mapped to 0: 2 (first: test.tsv:1: grade)",
        "grades -2 mapped to unjudged: 1 (first: test.tsv:2: grade)",
        "grades 4 mapped to 3: 1 (first: test.tsv:3: grade)",
    )


def test_a_higher_scale_must_be_named(beir_folder: Folder) -> None:
    folder = beir_folder({"qrels/test.tsv": "q1\td1\t4\n"})
    assert pairs(beir.read(folder, Reading(top=4))) == [("q1", "d1", 4)]
    with pytest.raises(InputError, match="--scale 4"):
        beir.read(folder)


def test_splits_come_from_the_names_of_several_files(beir_folder: Folder) -> None:
    files = {
        "queries.jsonl": "".join(f'{{"_id":"q{i}","text":"x"}}\n' for i in range(1, 5)),
        "qrels/dev.tsv": "q2\td1\t1\nq3\td2\t0\n",
        "qrels/train.tsv": "q3\td1\t1\n",
    }
    found = beir.read(beir_folder(files))
    assert [(q.id, q.split) for q in found.queries] == [
        ("q1", "test"),
        ("q2", "dev"),
        ("q3", "dev"),
        ("q4", None),
    ]
    assert found.notes == (
        "queries judged in several splits, put in the first: 1 (first: q3: dev, train)",
    )


def test_one_file_makes_no_split_and_records_rule(beir_folder: Folder) -> None:
    assert [q.split for q in beir.read(beir_folder({})).queries] == [None]
    said = {
        "queries.jsonl": '{"_id":"q1","text":"x","split":"dev"}\n',
        "qrels/train.tsv": "q1\td2\t1\n",
    }
    assert [q.split for q in beir.read(beir_folder(said)).queries] == ["dev"]


COLLECTION = Collection(
    documents=[
        Document(id="d1", text="जवाब 東京 😀", title="T", metadata={"b": 1, "a": "=1+1"}),
        Document(id="d2", text=None),
    ],
    queries=[
        Query(id="q1", text='5" pipe\n', split="dev", language="hi-Latn", category="how"),
        Query(id="q2", text="x", split="../../x"),
        Query(id="q3", text="y"),
    ],
    judgments=[
        Judgment("q2", "d1", 3),
        Judgment("q1", "d1", 2),
        Judgment("q1", "d2", 0, hard_negative=True, note="no"),
        Judgment("q9", "d9", 1),
    ],
    name="set",
    scale=Scale(),
    guidelines="# How",
)


def test_what_is_written(tmp_path: Path) -> None:
    lost = beir.write(COLLECTION, tmp_path / "out")
    folder = tmp_path / "out"
    assert (folder / "corpus.jsonl").read_text("utf-8") == (
        '{"_id": "d1", "title": "T", "text": "जवाब 東京 😀", "metadata": {"a": "=1+1", "b": 1}}\n'
        '{"_id": "d2", "text": null}\n'
    )
    assert (folder / "queries.jsonl").read_text("utf-8") == (
        '{"_id": "q1", "text": "5\\" pipe\\n", "language": "hi-Latn", "category": "how",'
        ' "split": "dev"}\n'
        '{"_id": "q2", "text": "x", "split": "../../x"}\n'
        '{"_id": "q3", "text": "y"}\n'
    )
    header = "query-id\tcorpus-id\tscore\n"
    assert {path.name: path.read_text("utf-8") for path in (folder / "qrels").iterdir()} == {
        "dev.tsv": f"{header}q1\td1\t2\nq1\td2\t0\n",
        "test.tsv": f"{header}q2\td1\t3\nq9\td9\t1\n",
    }
    assert json.loads((folder / "export.json").read_text("utf-8"))["scale"]["relevant_from"] == 2
    assert lost == ["hard-negative marks: 1", "notes on judgments: 1", "the guidelines"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_scale_and_name_come_back_from_the_export_file(tmp_path: Path) -> None:
    beir.write(replace(COLLECTION, scale=Scale.up_to(9, 4)), tmp_path / "out")
    found = beir.read(tmp_path / "out")
    assert (found.name, found.scale) == ("set", Scale.up_to(9, 4))


def test_export_file_of_another_program(beir_folder: Folder) -> None:
    found = beir.read(beir_folder({"export.json": '{"version": 3}'}))
    assert found.notes == ("export.json of another program, passed over: 1 (first: export.json)",)


def test_nothing_is_replaced_by_accident(tmp_path: Path) -> None:
    path = tmp_path / "out"
    beir.write(COLLECTION, path)
    with pytest.raises(InputError, match=r"exists already .*--force"):
        beir.write(COLLECTION, path)
    beir.write(replace(COLLECTION, queries=COLLECTION.queries[:1]), path, force=True)
    assert len((path / "queries.jsonl").read_text("utf-8").splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]


def test_only_exports_and_empty_folders_are_replaced(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("x")
    (precious / "export.json").write_text('{"schema": "other"}')
    (tmp_path / "link").symlink_to(precious)
    for path in (precious, tmp_path / "link"):
        with pytest.raises(InputError) as caught:
            beir.write(COLLECTION, path, force=True)
        assert str(caught.value) == (
            f"{path}: holds what is no export of ours, so it is not replaced: export.json, file"
            " (expected: a new path, an empty folder, or an earlier export, whose export.json lists"
            " all files)"
        )
    assert (precious / "file").read_text() == "x"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "precious"]
    (tmp_path / "empty").mkdir()
    beir.write(COLLECTION, tmp_path / "empty", force=True)
    assert (tmp_path / "empty" / "corpus.jsonl").is_file()


def test_a_folder_that_is_filled_while_we_write_is_not_replaced(tmp_path: Path) -> None:
    def documents() -> Iterator[Document]:
        yield Document(id="d1", text="t")
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "file").write_text("x")

    for force in (False, True):
        with pytest.raises(InputError, match=r"exists already|is no export"):
            beir.write(replace(COLLECTION, documents=documents()), tmp_path / "out", force=force)
        assert (tmp_path / "out" / "file").read_text() == "x"
        assert [p.name for p in tmp_path.iterdir()] == ["out"]
        shutil.rmtree(tmp_path / "out")


def test_a_link_keeps_leading_to_the_export(tmp_path: Path) -> None:
    beir.write(COLLECTION, tmp_path / "one")
    (tmp_path / "latest").symlink_to("one")
    (tmp_path / "one" / "corpus.jsonl").write_text("")
    beir.write(COLLECTION, tmp_path / "latest", force=True)
    assert (tmp_path / "latest").is_symlink()
    assert (tmp_path / "one" / "corpus.jsonl").read_text() != ""
    assert sorted(p.name for p in tmp_path.iterdir()) == ["latest", "one"]


def test_ids_that_columns_cannot_carry_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    odd = replace(COLLECTION, judgments=[Judgment("q1", "a\tb", 1)])
    with pytest.raises(InputError, match="a tab, a line break"):
        beir.write(odd, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "counts"),
    [("vaswani_npl/norm", (11_429, 93, 2_083)), ("scifact/norm", (5_183, 300, 339))],
)
def test_real_collections(shared_data: Path, name: str, counts: tuple[int, int, int]) -> None:
    found = beir.read(shared_data / name)
    assert (len(ids(found)), len(found.queries), len(found.judgments)) == counts
    assert found.notes == ()
