"""What `import`, `pool` and `export` say beside doing their work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Judge


def test_the_next_step_is_one_that_can_be_taken(
    judge: Judge, beir: Path, trec: tuple[Path, Path], tmp_path: Path
) -> None:
    said = judge("import", beir, "--name", "texts").err
    assert "Next: `judge pool texts --engine bm25`, then `judge annotate texts`." in said
    said = judge("import", trec[0], "--name", "ids").err
    assert "Next: `judge score ids --run FILE`." in said
    folder = tmp_path / "folder"
    (folder / "runs").mkdir(parents=True)
    trec[0].rename(folder / "qrels.txt")
    trec[1].rename(folder / "runs" / "mine.trec")
    said = judge("import", folder, "--name", "runs").err
    assert "Next: `judge score runs`." in said
    assert judge("score", "runs").code == 0


def test_a_table_for_spreadsheets(judge: Judge, beir: Path, tmp_path: Path) -> None:
    corpus = beir / "corpus.jsonl"
    corpus.write_text(corpus.read_text("utf-8").replace('"Rust"', '"=1+1"'), "utf-8")
    judge("import", beir, "--name", "tiny")
    for options, cell in (((), ",=1+1,"), (("--spreadsheet",), ",'=1+1,")):
        result = judge("export", "tiny", "--to", "csv", "-o", "out.csv", "--force", *options)
        assert result.code == 0
        assert cell in (tmp_path / "out.csv").read_text("utf-8")
    refused = judge("export", "tiny", "--to", "judge", "-o", "out.json", "--spreadsheet")
    assert refused.code == 2
    assert "only csv is read by spreadsheets" in refused.err


@pytest.mark.parametrize("command", ["status", "pool", "export"])
def test_changed_files_are_warned_of(
    judge: Judge, beir: Path, tmp_path: Path, command: str
) -> None:
    judge("import", beir, "--name", "tiny")
    path = tmp_path / "corpora" / "tiny" / "dataset.json"
    path.write_text(path.read_text("utf-8").replace('"queries": "', '"queries": "0'), "utf-8")
    more = {"pool": ["--engine", "terms"], "export": ["--to", "judge", "-o", "out.json"]}
    result = judge(command, "tiny", *more.get(command, []))
    assert result.code == 0
    assert "corpora/tiny/queries.parquet: changed since the dataset was made" in result.err


def test_keys_of_five_thousand_digits_are_refused_in_words(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(
        '{"schema": "judge.benchmark/1", "scale": {"labels": {"' + "1" * 5000 + '": "x"}},'
        ' "documents": [{"id": "d1", "text": "x"}], "queries": [{"id": "q1", "text": "x"}]}'
    )
    result = judge("import", "x.json", "--name", "x")
    assert result.code == 3
    assert result.err.startswith('judge: x.json:1: scale.labels: the entry "1111')
    assert len(result.err) < 300
