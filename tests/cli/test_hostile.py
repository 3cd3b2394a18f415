"""What a stranger's file or name must not be able to do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import judge as package

if TYPE_CHECKING:
    from tests.cli.conftest import Judge


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.mark.parametrize("name", ["../../x", "/abs", "..", ".", "CON", "", "a/b", "a\x00b", "-x"])
def test_no_name_leads_out_of_the_workspace(judge: Judge, beir: Path, name: str) -> None:
    before = files(beir.parent)
    assert judge("import", beir, "--name", name).code in (2, 3)
    assert files(beir.parent) == before
    assert judge("import", beir, "--name", "good").code == 0
    kept = files(beir.parent)
    assert judge("annotate", "good", f"--as={name}").code in (2, 3)
    assert judge("annotate", name).code in (2, 3)
    assert {path for path in files(beir.parent) - kept if ".cache" not in path} == set()


def test_ids_that_look_like_paths_stay_ids(judge: Judge, tmp_path: Path) -> None:
    ids = ["../../etc/passwd", "/abs", "..", "a\\b", "CON", "007", "1e5", "NA"]
    source = tmp_path / "paths"
    (source / "qrels").mkdir(parents=True)
    rows = [{"_id": name, "title": "", "text": f"text of {name}"} for name in ids]
    (source / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    (source / "queries.jsonl").write_text(json.dumps({"_id": "../q", "text": "text"}) + "\n")
    lines = "".join(f"../q\t{name}\t1\n" for name in ids)
    (source / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{lines}")
    assert judge("import", source, "--name", "paths", "--relevant-from", "1").code == 0
    assert judge("pool", "paths", "--engine", "bm25").code == 0
    assert judge("export", "paths", "--to", "beir", "-o", tmp_path / "out").code == 0
    corpus = (tmp_path / "out" / "corpus.jsonl").read_text("utf-8").splitlines()
    assert sorted(json.loads(line)["_id"] for line in corpus) == sorted(ids)
    assert all(path.startswith(("corpora", "labels", "out", "paths")) for path in files(tmp_path))


def test_nothing_is_ever_unpickled() -> None:
    for path in Path(package.__file__).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        assert not re.search(r"\bpickle\b|allow_pickle\s*=\s*True|\beval\(|\bexec\(", text), path


@pytest.mark.parametrize(
    "content",
    ["[" * 100_000, '{"a":' * 100_000, '{"_id": ' + "9" * 100_000 + "}", '{"' + "k" * 10_000_000],
    ids=["lists", "objects", "a number", "a key"],
)
def test_json_that_breaks_parsers_is_refused_with_its_place(
    judge: Judge, tmp_path: Path, content: str
) -> None:
    source = tmp_path / "deep"
    source.mkdir()
    (source / "corpus.jsonl").write_text(content + "\n")
    (source / "queries.jsonl").write_text('{"_id": "q", "text": "x"}\n')
    result = judge("import", source, "--name", "deep")
    assert result.code == 3
    assert "corpus.jsonl:1" in result.err
    assert "Traceback" not in result.err
    assert max(map(len, result.err.splitlines())) < 1000
    assert not (tmp_path / "corpora" / "deep").exists()


@pytest.mark.parametrize("name", ["x.npy", "x.pkl", "x.pickle"])
def test_what_could_run_code_is_no_format(judge: Judge, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(
        b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\n"
    )
    assert judge("import", path, "--name", "bad").code == 3
    assert not (tmp_path / "corpora" / "bad").exists()
