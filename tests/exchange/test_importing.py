"""An import is there whole or not at all, keeps everything or says what not."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.core.errors import DatasetError, FormatError, InputError, NotFound
from judge.core.model import Scale
from judge.core.workspace import Workspace
from judge.dataset import build
from judge.dataset.build import Staging
from judge.dataset.store import Dataset
from judge.exchange.importing import import_dataset
from judge.judging.labels import SegmentWriter, read_labels

Source = Callable[[Mapping[str, str | None]], Path]
Tree = Callable[[Path], dict[str, str]]


def labels(workspace: Workspace, name: str = "set") -> list[tuple[str, str, int | None]]:
    events = read_labels(workspace.label_folder(name), name).events
    return [(e.query_id, e.doc_id, e.grade) for e in events]


def test_everything_is_kept(workspace: Workspace, source: Source, now: dt.datetime) -> None:
    report = import_dataset(workspace, source({}), name="set", now=now)
    assert report.lines() == [
        "taken for beir: a folder with corpus.jsonl",
        "note: grades go up to 3 and --relevant-from was not given: 1 is taken; published work"
        " counts from 2 on the passages of TREC Deep Learning, and from 1 on BEIR and most other"
        " TREC sets",
        "scale 0-3, relevant from 1",
        "set: imported: 3 documents, 2 queries, 3 judgments, 0 runs",
    ]
    dataset = Dataset.open(workspace, "set")
    assert [document.id for document in dataset.documents()] == ["d1", "d2", "d3"]
    assert [query.text for query in dataset.queries] == ["first", "second"]
    assert dataset.manifest.scale == Scale.up_to(3, 1)
    assert labels(workspace) == [("q1", "d1", 3), ("q1", "d2", 0), ("q2", "d3", 2)]


def test_judgments_are_import_events(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    import_dataset(workspace, source({}), name="set", now=now)
    folder = workspace.label_folder("set")
    assert [path.name for path in folder.iterdir()] == ["import"]
    assert len(list((folder / "import").iterdir())) == 1
    event = read_labels(folder, "set").events[0]
    assert (event.annotator, event.source, event.op, event.at) == ("import", "import", "grade", now)


def test_the_manifest_says_where_it_comes_from(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    folder = source({"qrels.txt": "q1 0 d1 -1\nq1 0 d2 2\n"})
    import_dataset(
        workspace, folder, name="set", now=now, relevant_from=2, map_grade={-1: 0, 4: None}
    )
    text = (workspace.corpora / "set" / "dataset.json").read_text("utf-8")
    made_by = json.loads(text)["made_by"]["import"]
    assert [file["name"] for file in made_by["files"]] == [
        "corpus.jsonl",
        "qrels.txt",
        "queries.jsonl",
    ]
    assert made_by["files"][1]["sha256"] == (
        # printf 'q1 0 d1 -1\nq1 0 d2 2\n' | sha256sum
        "c26b5ef527d532d6f0f8ce39183b4770ccfef7719c4ccb25c909cf86964bcbab"
    )
    assert made_by["options"] == {"relevant_from": 2, "map_grade": {"-1": 0, "4": None}}
    assert str(folder.parent) not in text


def test_same_files_make_same_bytes(
    tmp_path: Path, source: Source, now: dt.datetime, tree: Tree
) -> None:
    for name in ("a", "b"):
        import_dataset(Workspace(tmp_path / name), source({}), name="set", now=now)
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_a_dry_run_reads_everything_and_writes_nothing(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    report = import_dataset(workspace, source({}), name="set", now=now, dry_run=True)
    assert report.lines()[-1] == (
        "set: would be imported: 3 documents, 2 queries, 3 judgments, 0 runs"
    )
    assert not workspace.root.exists()


BROKEN: dict[str, tuple[dict[str, str | None], type[InputError], str]] = {
    "one bad line at the end": (
        {"qrels.txt": "".join(f"q1 0 d{i} 1\n" for i in range(1000)) + "q1 0 d x\n"},
        InputError,
        ":1001: grade",
    ),
    "not JSON": ({"corpus.jsonl": "{"}, FormatError, ":1: not JSON"),
    "no queries": ({"queries.jsonl": "\n"}, DatasetError, "there are no queries"),
    "no documents": ({"corpus.jsonl": "\n"}, DatasetError, "there are no documents"),
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("fresh", [True, False])
def test_a_refused_import_changes_nothing(
    workspace: Workspace, source: Source, now: dt.datetime, tree: Tree, kind: str, fresh: bool
) -> None:
    files, error, message = BROKEN[kind]
    if not fresh:
        import_dataset(workspace, source({}), name="other", now=now)
    before = tree(workspace.root)
    with pytest.raises(error, match=message):
        import_dataset(workspace, source(files), name="set", now=now)
    assert tree(workspace.root) == before
    assert workspace.root.exists() != fresh


def test_what_the_user_says_must_fit(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    with pytest.raises(InputError, match="4 is not on the scale 0-3"):
        import_dataset(workspace, source({}), name="set", now=now, relevant_from=4)
    with pytest.raises(NotFound, match="no format"):
        import_dataset(workspace, source({}), name="set", now=now, format_name="bier")
    with pytest.raises(InputError, match="cannot name a dataset"):
        import_dataset(workspace, source({}), name="../set", now=now)
    assert not workspace.root.exists()


@pytest.mark.parametrize(
    ("owner", "method"),
    [
        (Staging, "write_documents"),
        (Staging, "write_queries"),
        (SegmentWriter, "append_batch"),
        (Staging, "publish"),
        (build, "publish_tree"),
    ],
)
@pytest.mark.parametrize("fresh", [True, False])
def test_a_full_disk_changes_nothing(
    workspace: Workspace,
    source: Source,
    now: dt.datetime,
    tree: Tree,
    monkeypatch: pytest.MonkeyPatch,
    owner: object,
    method: str,
    fresh: bool,
) -> None:
    if not fresh:
        import_dataset(workspace, source({}), name="other", now=now)
    before = tree(workspace.root)

    def fail(*_arguments: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(owner, method, fail)
        with pytest.raises(OSError, match="No space left"):
            import_dataset(workspace, source({}), name="set", now=now)
    assert tree(workspace.root) == before
    import_dataset(workspace, source({}), name="set", now=now)
    assert len(labels(workspace)) == 3


def test_a_name_is_taken_once(
    workspace: Workspace, source: Source, now: dt.datetime, tree: Tree
) -> None:
    import_dataset(workspace, source({}), name="set", now=now)
    before = tree(workspace.root)
    with pytest.raises(DatasetError, match='there is a dataset "set" already'):
        import_dataset(workspace, source({}), name="set", now=now)
    assert tree(workspace.root) == before


def test_dangling_judgments_are_kept_unless_strict(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    folder = source({"qrels.txt": "q1 0 d1 1\nq1 0 d1_512 1\nq9 0 d1 1\n"})
    with pytest.raises(DatasetError) as caught:
        import_dataset(workspace, folder, name="set", now=now, strict=True)
    assert len(caught.value.problems) == 2
    report = import_dataset(workspace, folder, name="set", now=now)
    assert report.notes == (
        'judgments on 1 query not in the data, kept: 1 (first: qrels.txt:3: "q9")',
        'judgments on 1 document not in the data, kept: 1 (first: qrels.txt:2: "d1_512")',
    )
    assert report.counts["judgments"] == len(labels(workspace)) == 3


def test_a_higher_scale(workspace: Workspace, source: Source, now: dt.datetime) -> None:
    folder = source({"qrels.txt": "q1 0 d1 4\n"})
    with pytest.raises(InputError, match="--scale 4"):
        import_dataset(workspace, folder, name="set", now=now)
    report = import_dataset(workspace, folder, name="set", now=now, top=5, relevant_from=3)
    assert report.scale == Scale.up_to(5, 3)


@pytest.mark.parametrize("top", [0, 10, 20])
def test_no_scale_is_cut_short_in_silence(
    workspace: Workspace, source: Source, now: dt.datetime, top: int
) -> None:
    with pytest.raises(InputError, match=rf"^--scale: {top} cannot be the highest grade"):
        import_dataset(workspace, source({}), name="set", now=now, top=top)
    assert not workspace.root.exists()


def test_a_scale_that_the_source_states_is_not_overruled_in_silence(
    workspace: Workspace, source: Source, now: dt.datetime
) -> None:
    stated = {"schema": "judge.export/1", "scale": {"max": 3}}
    folder = source({"export.json": json.dumps(stated)})
    with pytest.raises(InputError, match="--scale: the source itself states the scale 0-3"):
        import_dataset(workspace, folder, name="set", now=now, top=5)
    assert import_dataset(workspace, folder, name="set", now=now, top=3).scale.max == 3


def test_a_part_that_is_not_there(
    workspace: Workspace, source: Source, tmp_path: Path, now: dt.datetime
) -> None:
    path = tmp_path / "bench.json"
    content = {
        "name": "exact",
        "documents": [{"id": "d", "text": "t"}],
        "queries": [{"id": "q", "query": "t", "relevant_ids": ["d"]}],
    }
    path.write_text(json.dumps(content))
    for there, called in ((path, '"exact"'), (source({}), "without a name")):
        with pytest.raises(InputError) as caught:
            import_dataset(workspace, there, name="set", now=now, part="short")
        assert str(caught.value) == (
            f'{there}: --part: there is no "short" in it (expected: one dataset, {called})'
        )
    assert not workspace.root.exists()
    import_dataset(workspace, path, name="set", now=now, part="exact")


def test_a_set_without_texts_brings_its_runs(
    workspace: Workspace, tmp_path: Path, now: dt.datetime
) -> None:
    folder = tmp_path / "trec"
    (folder / "runs").mkdir(parents=True)
    (folder / "qrels.trec").write_text("q1 0 d1 1\n")
    for name in ("BM25 (k1=1).run", "bm25-k1-1.txt", "().trec"):
        (folder / "runs" / name).write_text("q1 Q0 d2 1 0.5 t\n")
    report = import_dataset(workspace, folder, name="set", now=now)
    dataset = Dataset.open(workspace, "set")
    assert dataset.run_names() == ["bm25-k1-1", "bm25-k1-1-2", "run"]
    assert list(dataset.run("run").rows()) == [("q1", "d2", 0.5)]
    assert [document.text for document in dataset.documents()] == [None, None]
    assert report.counts["runs"] == 3
    assert report.notes[-1] == (
        'runs whose names cannot be kept, renamed: 3 ("()" is run, "BM25 (k1=1)" is bm25-k1-1,'
        ' "bm25-k1-1" is bm25-k1-1-2)'
    )


def test_marks_must_fit_the_scale_that_is_asked_for(
    workspace: Workspace, tmp_path: Path, now: dt.datetime
) -> None:
    path = tmp_path / "bench.json"
    judgment = {"doc_id": "d", "grade": 1, "hard_negative": True}
    content = {
        "schema": "judge.benchmark/1",
        "scale": {"max": 3, "relevant_from": 2},
        "guidelines": "# How",
        "provenance": {"by": "us"},
        "documents": [{"id": "d", "text": "t"}],
        "queries": [{"id": "q", "text": "t", "judgments": [judgment]}],
    }
    path.write_text(json.dumps(content))
    with pytest.raises(DatasetError) as caught:
        import_dataset(workspace, path, name="set", now=now, relevant_from=1)
    assert str(caught.value) == (
        'hard negatives of a grade that is relevant from 1 on: 1 (first: query "q", document "d")'
    )
    import_dataset(workspace, path, name="set", now=now)
    dataset = Dataset.open(workspace, "set")
    assert dataset.guidelines == "# How"
    assert dataset.manifest.made_by["provenance"] == {"by": "us"}
    assert read_labels(workspace.label_folder("set"), "set").events[0].hard_negative


def test_a_set_without_judgments(workspace: Workspace, source: Source, now: dt.datetime) -> None:
    report = import_dataset(workspace, source({"qrels.txt": None}), name="set", now=now)
    assert report.scale == Scale()
    assert not workspace.labels.exists()


def test_progress(workspace: Workspace, source: Source, now: dt.datetime) -> None:
    corpus = "".join(f'{{"_id":"{i}","text":"t"}}\n' for i in range(2500))
    seen: list[int] = []
    import_dataset(
        workspace,
        source({"corpus.jsonl": corpus, "qrels.txt": None}),
        name="set",
        now=now,
        progress=lambda done, _total: seen.append(done),
    )
    assert seen == [1000, 2000]


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("vaswani_npl/norm", [11_429, 93, 2_083, 0]),
        ("scifact/norm", [5_183, 300, 339, 0]),
        ("tinycortex_fixtures_v1/fixtures_v1.json", [10, 12, 13, 0]),
        ("dl_typo/qrels.txt", [3_803, 60, 3_811, 0]),
    ],
)
def test_real_collections(
    workspace: Workspace, shared_data: Path, now: dt.datetime, path: str, counts: list[int]
) -> None:
    report = import_dataset(workspace, shared_data / path, name="set", now=now)
    assert list(report.counts.values()) == counts
    assert len(labels(workspace)) == counts[2]
