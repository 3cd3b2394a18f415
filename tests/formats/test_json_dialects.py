"""What the three dialects of benchmark JSON hold, read and written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from judge.core.errors import InputError
from judge.core.model import Document, Hit, Judgment, Query, Scale
from judge.core.tables import Run
from judge.formats import expected_results, judge_json, relevant_ids
from judge.formats.collection import Collection
from judge.formats.reading.intake import Reading

Write = Callable[[object], Path]

GRADED = Collection(
    documents=[
        Document(id="b.md", text="two", title="B"),
        Document(id="a.md", text="BaNaNa Infinity"),
        Document(id="c.md", text=None),
    ],
    queries=[
        Query(id="q1", text="東京", split="dev", language="ja"),
        Query(id="x", text="none", namespace="n"),
    ],
    judgments=[
        Judgment("q1", "c.md", 0, hard_negative=True, note="near"),
        Judgment("q1", "b.md", 2),
        Judgment("q1", "a.md", 3),
        Judgment("gone", "a.md", 1),
    ],
    name="set",
    description="Some documents",
    version="2",
    licence="MIT",
    languages=("en", "ja"),
    scale=Scale(),
    guidelines="# How\n",
    made_by={"seed": 1},
)


def test_own_dialect_as_written(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    assert judge_json.write(GRADED, path) == []
    assert path.read_text("utf-8") == (
        """{
 "schema": "judge.benchmark/1",
 "name": "set",
 "description": "Some documents",
 "version": "2",
 "licence": "MIT",
 "languages": [
  "en",
  "ja"
 ],
 "scale": {
  "min": 0,
  "max": 3,
  "labels": {
   "0": "does not answer",
   "1": "related but insufficient",
   "2": "useful evidence",
   "3": "directly answers"
  },
  "relevant_from": 2
 },
 "guidelines": "# How\\n",
 "provenance": {
  "seed": 1
 },
 "documents": [
  {"id": "b.md", "title": "B", "text": "two"},
  {"id": "a.md", "text": "BaNaNa Infinity"},
  {"id": "c.md", "text": null}
 ],
 "queries": [
  {"id": "q1", "text": "東京", "language": "ja", "split": "dev", "judgments": ["""
        """{"doc_id": "a.md", "grade": 3}, {"doc_id": "b.md", "grade": 2}, """
        """{"doc_id": "c.md", "grade": 0, "hard_negative": true, "note": "near"}]},
  {"id": "x", "text": "none", "namespace": "n"}
 ],
 "judgments": [
  {"query_id": "gone", "doc_id": "a.md", "grade": 1}
 ]
}
"""
    )


def test_own_dialect_loses_only_runs(tmp_path: Path) -> None:
    run = Run.from_hits("bm25", {"q1": [Hit("a.md", 1.0)]})
    lost = judge_json.write(replace(GRADED, runs={"bm25": run}), tmp_path / "out.json")
    assert lost == ["runs: 1 (bm25)"]


def test_own_dialect_without_what_may_be_left_out(json_file: Write) -> None:
    content = {
        "schema": "judge.benchmark/1",
        "documents": [{"id": "d", "text": None}],
        "queries": [{"id": "q", "text": "t", "judgments": [{"doc_id": "d", "grade": 2.0}]}],
    }
    found = judge_json.read(json_file(content))
    assert list(found.documents) == [Document(id="d", text=None)]
    assert found.queries == [Query(id="q", text="t")]
    assert found.judgments == [Judgment("q", "d", 2)]
    assert isinstance(found.judgments[0].grade, int)
    assert (found.scale, found.guidelines, dict(found.made_by)) == (None, "", {})


def test_own_dialect_maps_grades(json_file: Write) -> None:
    content = {
        "schema": "judge.benchmark/1",
        "scale": {"max": 1, "relevant_from": 1},
        "documents": [{"id": "d", "text": "t"}, {"id": "e", "text": "t"}],
        "queries": [
            {"id": "q", "text": "t", "judgments": [{"doc_id": "d", "grade": 3}]},
            {"id": "p", "text": "t", "judgments": [{"doc_id": "e", "grade": -1}]},
        ],
    }
    found = judge_json.read(json_file(content), Reading(map_grade={3: 1, -1: None}))
    assert found.judgments == [Judgment("q", "d", 1)]
    assert found.notes == (
        "grades 3 mapped to 1: 1 (first: bench.json: queries[0].judgments[0].grade)",
        "grades -1 mapped to unjudged: 1 (first: bench.json: queries[1].judgments[0].grade)",
    )


def test_relevant_ids(json_file: Write) -> None:
    content = {
        "name": "seed set",
        "documents": [{"id": "doc-auth", "title": "Auth", "text": "oauth token", "extra": 1}],
        "queries": [
            {"id": "q1", "query": "oauth", "relevant_ids": ["doc-auth", "doc-auth"]},
            {"id": "q2", "query": "none", "namespace": "other", "relevant_ids": []},
        ],
        "notes": "x",
    }
    found = relevant_ids.read(json_file(content))
    assert list(found.documents) == [
        Document(id="doc-auth", title="Auth", text="oauth token", metadata={"extra": 1})
    ]
    assert next(iter(found.documents)).namespace == "bench"
    assert [(q.id, q.text, q.namespace) for q in found.queries] == [
        ("q1", "oauth", None),
        ("q2", "none", "other"),
    ]
    assert found.judgments == [Judgment("q1", "doc-auth", 1)]
    assert (found.name, found.scale) == ("seed set", Scale.binary())
    assert found.notes == (
        "records with keys of their own, kept in their metadata: 1"
        ' (first: bench.json: documents[0]: "extra")',
        "judgments that stand twice and say the same, kept once: 1"
        " (first: bench.json: queries[0].relevant_ids[1])",
        'the key "notes" of the file, passed over: 1',
    )


def test_relevant_ids_as_written(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    lost = relevant_ids.write(GRADED, path)
    assert json.loads(path.read_text("utf-8"))["queries"] == [
        {
            "id": "q1",
            "query": "東京",
            "language": "ja",
            "split": "dev",
            "relevant_ids": ["a.md", "b.md"],
        },
        {"id": "x", "query": "none", "namespace": "n", "relevant_ids": []},
    ]
    assert "東京" in path.read_text("utf-8")
    assert lost == [
        "judgments below relevance: 2",
        "the grades: every grade from 2 becomes just relevant",
        "hard-negative marks: 1",
        "notes on judgments: 1",
        "judgments on queries that are not in the dataset: 1",
        "the scale: the words of the grades and where relevance begins",
        "the guidelines",
    ]


def test_expected_results(json_file: Write) -> None:
    content = {
        "name": "semantic-similarity",
        "documents": [
            {"id": "daily.md", "content": "tasks", "metadata": {"tags": ["x"]}},
            {"id": "gtd.md", "content": "done"},
        ],
        "queries": [
            {"query": "How?", "expectedResults": ["gtd.md", "daily.md"]},
            {"query": "How?", "expectedResults": ["gone.md"]},
        ],
    }
    found = expected_results.read(json_file(content))
    assert next(iter(found.documents)).metadata == {"tags": ["x"]}
    assert [(q.id, q.text, q.metadata) for q in found.queries] == [
        ("q1", "How?", {"expectedResults": ["gtd.md", "daily.md"]}),
        ("q2", "How?", {"expectedResults": ["gone.md"]}),
    ]
    assert found.judgments == [
        Judgment("q1", "gtd.md", 1),
        Judgment("q1", "daily.md", 1),
        Judgment("q2", "gone.md", 1),
    ]
    assert found.notes == (
        "judgments on 1 document not in the data, kept: 1"
        ' (first: bench.json: queries[1].expectedResults[0]: "gone.md")',
    )


def test_the_order_of_expected_results_is_written_back(json_file: Write, tmp_path: Path) -> None:
    names = ["c.md", "a.md", "b.md"]
    content = {
        "name": "",
        "documents": [{"id": name, "content": name} for name in sorted(names)],
        "queries": [{"query": "x", "expectedResults": names}],
    }
    found = expected_results.read(json_file(content))
    assert expected_results.write(found, tmp_path / "out.json") == []
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == content


def test_grades_go_before_the_order_that_was_read(tmp_path: Path) -> None:
    queries = [
        Query(id="q1", text="x", metadata={"expectedResults": ["c.md", "a.md"], "n": 1}),
        Query(id="other", text="y", metadata={"expectedResults": "odd"}),
    ]
    judgments = [
        Judgment("q1", "a.md", 2),
        Judgment("q1", "b.md", 3),
        Judgment("q1", "c.md", 2),
        Judgment("q1", "d.md", 2),
    ]
    graded = replace(GRADED, queries=queries, judgments=judgments)
    expected_results.write(graded, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["queries"] == [
        {
            "query": "x",
            "metadata": {"n": 1},
            "expectedResults": ["b.md", "c.md", "a.md", "d.md"],
        },
        {"id": "other", "query": "y", "expectedResults": []},
    ]


def test_one_of_several_datasets(json_file: Write) -> None:
    def dataset(name: str) -> dict[str, object]:
        return {
            "name": name,
            "documents": [{"id": f"{name}.md", "content": "t"}],
            "queries": [{"query": "x", "expectedResults": [f"{name}.md"]}],
        }

    path = json_file([dataset("exact"), dataset("short")])
    assert expected_results.read(path, Reading(part="short")).name == "short"
    assert expected_results.read(json_file([dataset("exact")])).name == "exact"


def test_records_that_repeat_are_kept_once(json_file: Write) -> None:
    document = {"id": "d", "text": "t"}
    query = {"id": "q", "query": "t", "relevant_ids": ["d"]}
    content = {"documents": [document, document], "queries": [query, query]}
    found = relevant_ids.read(json_file(content))
    assert len(list(found.documents)) == len(list(found.documents)) == 1
    assert len(found.queries) == len(found.judgments) == 1
    assert len(found.notes) == 3


def test_a_query_that_stands_twice_with_other_results_is_a_fault(json_file: Write) -> None:
    query = {"id": "q", "query": "t"}
    content = {
        "documents": [{"id": "d", "content": "t"}, {"id": "e", "content": "t"}],
        "queries": [query | {"expectedResults": ["d"]}, query | {"expectedResults": ["e"]}],
    }
    with pytest.raises(InputError, match=r'queries\[1\]: query id "q" stands at queries\[0\]'):
        expected_results.read(json_file(content))


def test_datasets_of_a_file_may_be_without_a_name(json_file: Write) -> None:
    path = json_file([{"documents": []}, {"name": None}])
    with pytest.raises(InputError, match='the file holds 2 datasets: "", ""'):
        expected_results.read(path, Reading(part="None"))


def test_an_empty_collection_is_valid_json(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    judge_json.write(Collection(documents=[], queries=[]), path)
    assert json.loads(path.read_text("utf-8")) == {
        "schema": "judge.benchmark/1",
        "name": "",
        "documents": [],
        "queries": [],
    }


def test_the_seed_set(shared_data: Path) -> None:
    found = relevant_ids.read(shared_data / "tinycortex_fixtures_v1" / "fixtures_v1.json")
    assert (len(list(found.documents)), len(found.queries), len(found.judgments)) == (10, 12, 13)
    assert found.name == "fixtures_v1"
    assert found.notes == ()
