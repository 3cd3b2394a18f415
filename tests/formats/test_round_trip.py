"""Whatever a format says that it carries comes back exactly, and what is lost is told."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.core.model import Document, Hit, Judgment, Query, Scale
from judge.core.tables import Run
from judge.formats import expected_results, trec_folder
from judge.formats.collection import Collection
from judge.formats.reading.intake import Reading
from judge.formats.registry import FORMATS, Format

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
WORD = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
PLAIN = WORD.filter(lambda t: not re.search(r"[ \t\n\v\f\r]|^\ufeff", t))
COLUMN = WORD.filter(lambda t: t.strip(" ") != "" and not re.search(r"[\t\n\r]|^\ufeff", t))
IDS = {"beir": COLUMN, "trec": PLAIN}
"""The ids that a format can write; the JSON ones take any."""

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
METADATA: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.dictionaries(TEXT, JSON, max_size=3)
READING = Reading(top=9)


@st.composite
def scales(draw: st.DrawFn) -> Scale | None:
    kind = draw(st.sampled_from(["none", "binary", "default", "other"]))
    if kind != "other":
        return {"none": None, "binary": Scale.binary(), "default": Scale()}[kind]
    low = draw(st.integers(0, 8))
    high = draw(st.integers(low + 1, 9))
    labels = draw(st.dictionaries(st.integers(low, high), TEXT, max_size=4))
    return Scale(min=low, max=high, labels=labels, relevant_from=draw(st.integers(low + 1, high)))


@st.composite
def documents(draw: st.DrawFn, doc_id: str) -> Document:
    return Document(
        id=doc_id,
        text=draw(st.none() | TEXT),
        title=draw(TEXT),
        language=draw(st.just("und") | WORD),
        namespace=draw(st.just("bench") | WORD),
        parent_id=draw(st.none() | WORD),
        metadata=draw(METADATA),
    )


@st.composite
def queries(draw: st.DrawFn, query_id: str) -> Query:
    return Query(
        id=query_id,
        text=draw(TEXT),
        description=draw(TEXT),
        language=draw(st.just("und") | WORD),
        namespace=draw(st.none() | WORD),
        category=draw(st.none() | WORD),
        split=draw(st.none() | st.sampled_from(["dev", "Dev", "test", "../x"]) | WORD),
        metadata=draw(METADATA),
    )


@st.composite
def judgments(draw: st.DrawFn, pair: tuple[str, str], scale: Scale) -> Judgment:
    grade = draw(st.sampled_from(list(scale.grades)))
    marked = grade < scale.relevant_from and draw(st.booleans())
    return Judgment(*pair, grade, hard_negative=marked, note=draw(st.just("") | TEXT))


@st.composite
def runs(draw: st.DrawFn, name: str, query_ids: list[str], doc_ids: list[str]) -> Run:
    score = st.floats(allow_nan=False, allow_infinity=False)
    ranked = st.lists(st.tuples(st.sampled_from(doc_ids), score), unique_by=lambda hit: hit[0])
    hits = {query_id: [Hit(*hit) for hit in draw(ranked)] for query_id in query_ids}
    return Run.from_hits(name, {query_id: found for query_id, found in hits.items() if found})


@st.composite
def collections(draw: st.DrawFn, ids: st.SearchStrategy[str]) -> Collection:
    doc_ids = draw(st.lists(ids, min_size=1, max_size=5, unique=True))
    query_ids = draw(st.lists(ids, min_size=1, max_size=4, unique=True))
    scale = draw(scales())
    known = st.tuples(st.sampled_from(query_ids), st.sampled_from(doc_ids))
    pairs = draw(st.lists(known | st.tuples(ids, ids), max_size=8, unique=True))
    ranked = [pair[1] for pair in pairs] + doc_ids
    names = draw(st.sets(st.sampled_from(["bm25", "a.b-c_1"])))
    return Collection(
        documents=[draw(documents(doc_id)) for doc_id in doc_ids],
        queries=[draw(queries(query_id)) for query_id in query_ids],
        judgments=[draw(judgments(pair, scale or Scale.binary())) for pair in pairs],
        runs={
            name: draw(runs(name, query_ids, sorted(set(ranked))).filter(len))
            for name in sorted(names)
        },
        name=draw(TEXT),
        description=draw(TEXT),
        version=draw(st.just("1") | TEXT),
        licence=draw(TEXT),
        languages=tuple(draw(st.lists(WORD, max_size=3))),
        scale=scale,
        guidelines=draw(st.just("") | TEXT),
        made_by=draw(METADATA),
    )


def view(collection: Collection) -> dict[str, Any]:
    """What two equal collections have in common; the order of judgments means nothing."""
    return {
        "documents": list(collection.documents),
        "queries": list(collection.queries),
        "judgments": sorted(collection.judgments),
        "runs": {name: list(run.rows()) for name, run in collection.runs.items()},
        "scale": collection.scale,
        "guidelines": collection.guidelines,
        "facts": [collection.name, collection.description, collection.version, collection.licence],
        "languages": tuple(collection.languages),
        "made_by": dict(collection.made_by),
    }


def carried(collection: Collection, module: Format) -> Collection:
    """The collection without what the format says that it does not carry."""
    carries = module.CARRIES
    relevant_from = collection.relevant_from
    doc_ids = {document.id for document in collection.documents}
    query_ids = {query.id for query in collection.queries}
    kept = [
        j
        for j in collection.judgments
        if (carries.grades or j.grade >= relevant_from)
        and (carries.dangling_queries or j.query_id in query_ids)
        and (carries.dangling_documents or j.doc_id in doc_ids)
    ]
    if not carries.grades:
        kept = [j._replace(grade=1) for j in kept]
    if not carries.hard_negatives:
        kept = [j._replace(hard_negative=False) for j in kept]
    if not carries.notes:
        kept = [j._replace(note="") for j in kept]
    documents = list(collection.documents)
    if not carries.missing_text:
        documents = [
            d.model_copy(update={"text": ""}) if d.text is None and d.title else d
            for d in documents
        ]
    return replace(
        collection,
        documents=documents,
        judgments=kept,
        runs=collection.runs if carries.runs else {},
        scale=collection.scale if carries.scale else Scale.binary(),
        guidelines=collection.guidelines if carries.guidelines else "",
    )


def written_and_read(
    module: Format, collection: Collection, look: Callable[[Path], Any] = lambda path: None
) -> tuple[Collection, list[str], Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        lost = module.write(collection, path)
        found = module.read(path, READING)
        # Documents are streamed: they must be read while the file is there.
        return replace(found, documents=list(found.documents)), lost, look(path)


def without_order(collection: Collection) -> Collection:
    """The order of expected results is kept in the metadata and is no part of the collection."""
    queries = [
        query.model_copy(
            update={
                "metadata": {
                    k: v for k, v in query.metadata.items() if k != expected_results.EXPECTED
                }
            }
        )
        for query in collection.queries
    ]
    return replace(collection, queries=queries)


CHECKED = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
WITH_DOCUMENTS = [module for module in FORMATS.values() if module.NAME != trec_folder.NAME]


@pytest.mark.parametrize("module", WITH_DOCUMENTS, ids=lambda module: str(module.NAME))
@CHECKED
@given(data=st.data())
def test_what_is_carried_comes_back(module: Format, data: st.DataObject) -> None:
    collection = data.draw(collections(IDS.get(module.NAME, WORD)))
    found, lost, _ = written_and_read(module, collection)
    if module.NAME == expected_results.NAME:
        found = without_order(found)
    expected = carried(collection, module)
    assert view(found) == view(expected)
    same = view(expected) == view(replace(collection, scale=collection.scale or expected.scale))
    assert bool(lost) != same, lost


@CHECKED
@given(collection=collections(PLAIN))
def test_trec_carries_judgments_and_runs(collection: Collection) -> None:
    found, _, _ = written_and_read(FORMATS["trec"], collection)
    expected = carried(collection, FORMATS["trec"])
    kept = ("judgments", "runs", "scale", "facts", "languages", "made_by")
    assert {key: view(found)[key] for key in kept} == {key: view(expected)[key] for key in kept}
    assert [(q.id, q.text) for q in found.queries] == [
        (q.id, re.sub(r"[\t\n\r]", " ", q.text)) for q in collection.queries
    ]
    ranked = {doc_id for run in collection.runs.values() for _, doc_id, _ in run.rows()}
    used = {judgment.doc_id for judgment in collection.judgments} | ranked
    assert {document.id for document in found.documents} == used


def contents(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in files}


@pytest.mark.parametrize("module", FORMATS.values(), ids=lambda module: str(module.NAME))
@CHECKED
@given(data=st.data())
def test_same_data_are_same_bytes(module: Format, data: st.DataObject) -> None:
    collection = data.draw(collections(IDS.get(module.NAME, WORD)))
    judgments = data.draw(st.permutations(list(collection.judgments)))
    shuffled = replace(collection, judgments=judgments)
    found, _, first = written_and_read(module, collection, contents)
    _, _, second = written_and_read(module, shuffled, contents)
    assert first == second
    if module.NAME != trec_folder.NAME:
        _, lost, again = written_and_read(module, found, contents)
        assert again == first
        assert not lost
