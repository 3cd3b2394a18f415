"""The command `generate`, as it is called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judge.core.workspace import Workspace
from judge.dataset.store import Dataset
from judge.judging.labels import read_labels
from judge.synth.kinds import KINDS
from judge.synth.own import own_kinds

if TYPE_CHECKING:
    from tests.cli.conftest import Judge


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_a_set_is_made_scored_and_made_again(judge: Judge, tmp_path: Path) -> None:
    made = judge("generate", "typos", "--name", "one", "--size", 340, "--queries", 40)
    assert made.code == 0
    assert "made a typos set: 340 documents, 40 queries" in made.err
    again = judge("generate", "typos", "--name", "two", "--size", 340, "--queries", 40)
    other = judge(
        "generate", "typos", "--name", "three", "--size", 340, "--queries", 40, "--seed", 2
    )
    digests = []
    for name in ("one", "two", "three"):
        manifest = Dataset.open(Workspace(tmp_path), name).manifest
        digests.append(manifest.made_by["generate"]["rows_sha256"])
    assert digests[0] == digests[1] != digests[2]
    assert digests[0][:16] in made.err
    assert digests[0][:16] in again.err
    assert digests[2][:16] in other.err
    scored = judge("score", "one", "--engine", "bm25", "-m", "nDCG@10", "--json", "-q")
    mean = json.loads(scored.out)["runs"][0]["measures"]["nDCG@10"]["mean"]
    assert 0.2 < mean < 0.95


def test_its_truth_is_gold_with_hard_negatives_and_reasons(judge: Judge, tmp_path: Path) -> None:
    judge("generate", "semantic-similarity", "--name", "one", "--size", 340, "--queries", 20)
    labels = read_labels(tmp_path / "labels" / "one", "one")
    assert {(event.annotator, event.source) for event in labels.events} == {("gold", "gold")}
    assert {event.grade for event in labels.events} == {0, 1, 2, 3}
    for event in labels.events:
        assert event.hard_negative == (event.grade == 0) == bool(event.note)
    card = (tmp_path / "corpora" / "one" / "card.md").read_text("utf-8")
    assert "judge generate semantic-similarity --name one --size 340 --queries 20 --seed 1" in card
    assert "keep scores on this set apart" in card


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["own-ngram", "cloze-mix"])
def test_a_corpus_is_a_dataset_or_a_folder(judge: Judge, tmp_path: Path, kind: str) -> None:
    assert judge("generate", "long-doc", "--name", "big", "--size", 68, "--queries", 5).code == 0
    made = judge("generate", kind, "--name", "own", "--from", "big", "--queries", 10)
    assert made.code == 0, made.err
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, document in enumerate(Dataset.open(Workspace(tmp_path), "big").documents()):
        (folder / f"{number}.txt").write_text(document.text or "", "utf-8")
    made = judge("generate", kind, "--name", "folder", "--from", folder, "--queries", 10)
    assert made.code == 0, made.err
    assert Dataset.open(Workspace(tmp_path), "folder").manifest.counts["queries"] == 10


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("typo",), 'no generator "typo"; did you mean "typos"'),
        (("typos", "--size", 40), "300 queries need more facts than 40 documents tell: 24"),
        (("typos", "--dial", "rate=2"), "the dial rate cannot be"),
        (("typos", "--dial", "rate"), '"rate" is no dial'),
        (("typos", "--dial", "speed=1"), 'no dial "speed"'),
        (("typos", "--languages", "tlh"), "no words for the language"),
        (("typos", "--from", "x"), "no dataset or folder"),
        (("cloze-mix",), "cloze-mix is made of a corpus"),
        (("typos", "--name", "../x"), "../x"),
    ],
)
def test_what_cannot_be_made_is_told_and_leaves_nothing(
    judge: Judge, tmp_path: Path, arguments: tuple[object, ...], told: str
) -> None:
    before = files(tmp_path)
    result = judge("generate", "--name", "one", *arguments)
    assert result.code in (2, 3)
    assert told in result.err
    assert "Traceback" not in result.err
    assert files(tmp_path) - before <= {"corpora", "labels"}


def test_a_name_is_taken_once(judge: Judge, tmp_path: Path) -> None:
    arguments = ("generate", "typos", "--name", "one", "--size", 340, "--queries", 5)
    assert judge(*arguments).code == 0
    before = files(tmp_path)
    assert judge(*arguments).code == 3
    assert files(tmp_path) == before


@pytest.mark.parametrize("name", [*KINDS, *(kind.name for kind in own_kinds(()))])
def test_every_generator_is_explained(judge: Judge, name: str) -> None:
    assert name in judge("explain", "generators").out
    page = judge("explain", name).out
    assert page.startswith(f"{name}: ")
    assert "Truth:" in page
