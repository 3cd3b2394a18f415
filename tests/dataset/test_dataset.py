"""Datasets on disk: built whole or not at all, and read back as they were."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from judge.core import arrow
from judge.core.errors import DatasetError, InputError, NotFound
from judge.core.model import Candidate, Document, Hit, Query, Scale
from judge.core.tables import Run
from judge.dataset.build import stage
from judge.dataset.store import Dataset, Pooled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from judge.core.workspace import Workspace

NOW = dt.datetime(2026, 3, 1, 12, 0, 5, tzinfo=dt.UTC)
DOCUMENTS = [
    Document(id="007", text="Bond", title="Agent", language="en", metadata={"year": 1962}),
    Document(id="7", text=None, namespace="films", parent_id="007"),
    Document(id="日本/#", text="検索\n第二行", language="ja"),
]
QUERIES = [
    Query(id="q2", text="zwei", language="de", category="semantic", split="dev"),
    Query(id="q1", text="one", description="what one means", namespace="films"),
]


def build(workspace: Workspace, name: str = "set") -> Dataset:
    with stage(workspace, name) as staging:
        assert staging.write_documents(DOCUMENTS) == 3
        assert staging.write_queries(QUERIES) == 2
        staging.write_guidelines("# Guidelines\n")
        staging.publish(
            scale=Scale(), description="a set", licence="MIT", made_by={"source": "hand"}
        )
    return Dataset.open(workspace, name)


def tree(folder: Path) -> dict[str, str]:
    return {
        str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def test_everything_comes_back_as_it_was(workspace: Workspace) -> None:
    dataset = build(workspace)
    assert list(dataset.documents()) == DOCUMENTS
    assert list(dataset.queries) == QUERIES
    assert [dataset.document(d.id) for d in DOCUMENTS] == DOCUMENTS
    assert dataset.query("q1") == QUERIES[1]
    assert dataset.guidelines == "# Guidelines\n"
    manifest = dataset.manifest
    assert (manifest.name, manifest.description, manifest.licence) == ("set", "a set", "MIT")
    assert manifest.languages == ["de", "en", "ja", "und"]
    assert manifest.counts == {"documents": 3, "queries": 2}
    assert (
        manifest.sha256["documents"]
        == hashlib.sha256((dataset.folder / "documents.parquet").read_bytes()).hexdigest()
    )
    assert dataset.documents_sha == manifest.sha256["documents"]


def test_titles_and_languages(workspace: Workspace) -> None:
    dataset = build(workspace)
    assert dataset.titles(["日本/#", "007", "none"]) == {"日本/#": "検索\n第二行", "007": "Agent"}
    assert dataset.document_languages(["7", "日本/#"]) == {"7": "und", "日本/#": "ja"}


def test_unknown_ids_are_named_errors(workspace: Workspace) -> None:
    dataset = build(workspace)
    with pytest.raises(NotFound, match='no document "07"'):
        dataset.document("07")
    with pytest.raises(NotFound, match='no query "q3"; there is: q1, q2'):
        dataset.query("q3")
    with pytest.raises(NotFound, match='no run "bm25"'):
        dataset.run("bm25")
    with pytest.raises(NotFound, match=r'no dataset "sett"; did you mean "set"'):
        Dataset.open(workspace, "sett")


def attempt(workspace: Workspace, documents: list[Document], queries: list[Query]) -> None:
    with stage(workspace, "set") as staging:
        staging.write_documents(documents)
        staging.write_queries(queries)
        staging.publish(scale=Scale())


@pytest.mark.parametrize(
    ("documents", "queries", "message"),
    [
        ([*DOCUMENTS, DOCUMENTS[0]], QUERIES, 'documents id "007" stands twice'),
        (DOCUMENTS, [QUERIES[0], QUERIES[0]], 'queries id "q2" stands twice'),
        ([], QUERIES, "there are no documents"),
        (DOCUMENTS, [], "there are no queries"),
    ],
)
def test_a_refused_dataset_leaves_no_trace(
    workspace: Workspace, documents: list[Document], queries: list[Query], message: str
) -> None:
    build(workspace, "other")
    before = tree(workspace.root)
    with pytest.raises(DatasetError, match=message):
        attempt(workspace, documents, queries)
    assert tree(workspace.root) == before
    assert workspace.datasets() == ["other"]


def test_a_name_is_taken_once(workspace: Workspace) -> None:
    build(workspace)
    with pytest.raises(DatasetError, match="already"), stage(workspace, "set"):
        pass
    with pytest.raises(InputError, match="cannot name"), stage(workspace, "../x"):
        pass


def test_an_abandoned_stage_is_swept_away_by_the_next(workspace: Workspace) -> None:
    folder = workspace.corpora / ".new-set-0a1b2c3d"
    folder.mkdir(parents=True)
    (folder / "documents.parquet").write_bytes(b"half")
    assert list(build(workspace).documents()) == DOCUMENTS
    assert [path.name for path in workspace.corpora.iterdir()] == ["set"]


def test_of_two_that_build_at_once_the_second_is_refused(workspace: Workspace) -> None:
    entered = []

    @contextmanager
    def inside() -> Iterator[None]:
        entered.append("in")
        try:
            yield
        except DatasetError:
            entered.append("out")
            raise

    with stage(workspace, "set") as slow:
        slow.write_documents(DOCUMENTS)
        slow.write_queries(QUERIES[:1])
        build(workspace)
        with pytest.raises(DatasetError, match='there is a dataset "set" already'):
            slow.publish(scale=Scale(), inside=inside())
    assert entered == ["in", "out"]
    assert list(Dataset.open(workspace, "set").queries) == QUERIES
    assert [path.name for path in workspace.corpora.iterdir()] == ["set"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"dataset\.json:1: not valid JSON"),
        ("[]", "the schema is null"),
        ('{"schema": "judge.dataset/9"}', "a newer judge may have written"),
        ('{"schema": "judge.dataset/1", "name": "set", "licence": 3}', "licence: "),
    ],
)
def test_a_broken_manifest_is_named(workspace: Workspace, text: str, message: str) -> None:
    dataset = build(workspace)
    (dataset.folder / "dataset.json").write_text(text)
    with pytest.raises(DatasetError, match=message):
        Dataset.open(workspace, "set")


def test_the_cache_is_only_derived(workspace: Workspace) -> None:
    dataset = build(workspace)
    for path in dataset.cache.iterdir():
        path.unlink()
    again = Dataset.open(workspace, "set")
    assert again.document("7") == DOCUMENTS[1]


@pytest.mark.parametrize("junk", [b"", b"junk" * 5000])
def test_a_damaged_index_is_made_anew(workspace: Workspace, junk: bytes) -> None:
    dataset = build(workspace)
    (index,) = dataset.cache.glob("documents-*.sqlite")
    index.write_bytes(junk)
    assert Dataset.open(workspace, "set").document("7") == DOCUMENTS[1]
    index.write_bytes(junk)
    assert Dataset.open(workspace, "set").titles(["007"]) == {"007": "Agent"}


def test_foreign_files_among_the_pools_do_not_disturb_their_names(workspace: Workspace) -> None:
    dataset = build(workspace)
    name = dataset.add_pool(
        [Candidate("q1", "7", "r", 1, 0)], order="depth", seed=1, made_by={}, now=NOW
    )
    copy = dataset.folder / "pools" / "zcopy.parquet"
    copy.write_bytes((dataset.folder / "pools" / f"{name}.parquet").read_bytes())
    again = dataset.add_pool(
        [Candidate("q1", "007", "r", 2, 0)], order="depth", seed=1, made_by={}, now=NOW
    )
    assert again[:16] == "20260301T120006Z"
    assert [c.doc_id for c in dataset.candidates()["q1"]] == ["7", "007"]


def test_a_changed_corpus_is_noticed(workspace: Workspace) -> None:
    dataset = build(workspace)
    assert dataset.documents_sha == dataset.manifest.sha256["documents"]
    changed = [DOCUMENTS[0].model_copy(update={"text": "Blofeld"}), *DOCUMENTS[1:]]
    with stage(workspace, "other") as staging:
        staging.write_documents(changed)
        (staging.folder / "documents.parquet").replace(dataset.folder / "documents.parquet")
    again = Dataset.open(workspace, "set")
    assert again.documents_sha != again.manifest.sha256["documents"]
    assert again.document("007").text == "Blofeld"


def test_runs_are_kept(workspace: Workspace) -> None:
    dataset = build(workspace)
    run = Run.from_hits("bm25", {"q1": [Hit("7", 2.5), Hit("007", 1.0)]})
    dataset.add_run(run, {"engine": "bm25"})
    assert dataset.run_names() == ["bm25"]
    assert dataset.run("bm25").hits("q1") == [Hit("7", 2.5), Hit("007", 1.0)]
    _, metadata = arrow.read_metadata(dataset.folder / "runs" / "bm25.parquet")
    assert json.loads(metadata["made_by"]) == {"engine": "bm25"}
    with pytest.raises(InputError, match="cannot name a run"):
        dataset.add_run(Run.from_hits("../up", {"q1": [Hit("7", 1.0)]}), {})


def test_the_pool_is_the_union_and_a_pair_keeps_its_first_place(workspace: Workspace) -> None:
    dataset = build(workspace)
    first = [
        Candidate("q1", "7", "bm25", 1, 0),
        Candidate("q1", "007", "terms", 2, 1),
        Candidate("q2", "007", "bm25", 1, 0),
    ]
    second = [Candidate("q1", "日本/#", "dense", 1, 0), Candidate("q1", "7", "dense", 2, 0)]
    one = dataset.add_pool(first, order="depth", seed=1, made_by={}, now=NOW)
    later = NOW + dt.timedelta(seconds=1)
    two = dataset.add_pool(second, order="gap", seed=1, made_by={}, now=later)
    assert (one[:17], two[:17]) == ("20260301T120005Z-", "20260301T120006Z-")
    assert dataset.candidates() == {
        "q1": [
            Pooled("7", "bm25", 1, 0, one, "depth"),
            Pooled("007", "terms", 2, 1, one, "depth"),
            Pooled("日本/#", "dense", 1, 2, two, "gap"),
        ],
        "q2": [Pooled("007", "bm25", 1, 0, one, "depth")],
    }
