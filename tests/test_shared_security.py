"""What documents of strangers must not do to a terminal, a spreadsheet, a parser or a disk."""

from __future__ import annotations

import csv
import json
import re
from importlib.metadata import requires
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from judge.cli.main import main
from tests.tui.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

STEERING = "P\x1b]0;owned\x07Q\x1b]52;c;b3duZWQ=\x07R\x1b[2JS\x1b[7mT\x1bcU\x9b7mV"
ENDLESS = "before \x1b]8;;http://y \x1bPq \x9d after"
MARKUP = "a[i] [/etc/hosts] [/ [bold]b [[date]] [2] \\[c] [blue]e[/blue] last\\"
IDS = {"steering": STEERING, "endless": ENDLESS, "markup": MARKUP, "slash": "[/"}
SHOWN = {
    "steering": "P␛]0;owned␇Q␛]52;c;b3duZWQ=␇R␛[2JS␛[7mT␛cU�7mV",
    "endless": "before ␛]8;;http://y ␛Pq � after",
    "markup": MARKUP,
    "slash": "[/",
}


def write(folder: Path, texts: dict[str, str], queries: dict[str, str]) -> Path:
    folder.mkdir()
    for name, records in (("corpus", texts), ("queries", queries)):
        lines = (json.dumps({"_id": key, "text": text}) for key, text in records.items())
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def read(path: Path) -> dict[str, str]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {row["_id"]: row["text"] for row in rows}


class Place:
    """A workspace, and the commands in it."""

    def __init__(self, root: Path) -> None:
        self.root = root / "workspace"
        self.root.mkdir()

    def judge(self, *arguments: object) -> int:
        return main(["--workspace", str(self.root), *map(str, arguments)])

    def files(self) -> set[str]:
        return {str(path.relative_to(self.root.parent)) for path in self.root.parent.rglob("*")}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("doc_id", IDS)
def test_a_text_steers_no_terminal_and_is_kept_as_it_is(
    place: Place, tmp_path: Path, doc_id: str
) -> None:
    source = write(tmp_path / "source", {doc_id: IDS[doc_id]}, {"q": "what is it?"})
    assert place.judge("import", source, "--name", "web") == 0
    (tmp_path / "one.trec").write_text(f"q Q0 {doc_id} 1 1 one\n")
    assert place.judge("pool", "web", "--run", tmp_path / "one.trec") == 0
    with Terminal(place.root, "web", (120, 30)) as terminal:
        terminal.wait("not judged yet")
        terminal.settle()
        assert SHOWN[doc_id] in terminal.text
        rows = terminal.text.split("\n")
        assert "? help" in rows[-1]
        assert "hard negative" in terminal.text
        terminal.keys("/[/\r")
        terminal.settle()
        terminal.keys("\x11")
        assert terminal.exit_code() == 0
        raw = bytes(terminal.raw)
    for bad in (
        b"owned\x07",
        b"\x1b]0;",
        b"\x1b]52",
        b"\x1b]8;",
        b"\x1b[2JS",
        b"\x1bcU",
        b"\x1bPq",
    ):
        assert bad not in raw
    assert not re.search(rb"\xc2[\x80-\x9f]", raw)
    assert place.judge("export", "web", "--to", "beir", "-o", tmp_path / "out") == 0
    assert read(tmp_path / "out" / "corpus.jsonl") == {doc_id: IDS[doc_id]}


FORMULAS = {"=2+3": "=cmd|x!A1", "-7": "-7 degrees", "@you": "@SUM(B2)", "+1": "+49 30"}


def test_formulas_are_harmless_for_spreadsheets_and_exact_for_programs(
    place: Place, tmp_path: Path
) -> None:
    texts = {f"={key}": text for key, text in FORMULAS.items()}
    source = write(tmp_path / "source", texts, FORMULAS)
    (source / "qrels").mkdir()
    rows = "".join(f"{key}\t={key}\t{grade}\n" for grade, key in enumerate(FORMULAS))
    (source / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}")
    name = ("--name", "sums", "--relevant-from", "1")
    assert place.judge("import", source, *name) == 0
    found: dict[str, list[dict[str, Any]]] = {}
    for kind, options in (("plain", ()), ("safe", ("--spreadsheet",))):
        path = tmp_path / f"{kind}.csv"
        assert place.judge("export", "sums", "--to", "csv", "-o", path, *options) == 0
        with path.open(encoding="utf-8", newline="") as file:
            found[kind] = list(csv.DictReader(file))
    for plain, safe in zip(found["plain"], found["safe"], strict=True):
        assert FORMULAS[plain["query_id"]] == plain["query"]
        for column, value in safe.items():
            assert not re.match(r"[=+@\t\r-]", value)
            assert value.removeprefix("'") == plain[column]
    assert [row["grade"] for row in found["safe"]] == [row["grade"] for row in found["plain"]]
    assert place.judge("export", "sums", "--to", "beir", "-o", tmp_path / "out") == 0
    assert read(tmp_path / "out" / "queries.jsonl") == FORMULAS
    assert read(tmp_path / "out" / "corpus.jsonl") == texts
    assert place.judge("import", tmp_path / "out", "--name", "again", *name[2:]) == 0


def test_the_option_for_spreadsheets_is_named_in_the_help(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    assert place.judge("export", "--help") == 0
    assert "--spreadsheet" in capsys.readouterr().out


def test_the_release_of_pyarrow_that_ran_code_from_files_is_not_allowed() -> None:
    wanted = next(line for line in requires("relevance-judge") or [] if line.startswith("pyarrow"))
    least = re.fullmatch(r"pyarrow>=(\d+)(?:\.(\d+))?(?:\.(\d+))?", wanted.split(";")[0].strip())
    assert least is not None
    assert tuple(int(part or 0) for part in least.groups()) >= (14, 0, 1)


class Bomb:
    """Leaves a file where it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.path, "w")


@pytest.mark.parametrize("suffix", ["npy", "npz", "pkl", "parquet", "jsonl"])
def test_nothing_that_could_run_code_is_run(
    place: Place, tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, mark = tmp_path / f"vectors.{suffix}", tmp_path / "ran"
    with path.open("wb") as file:
        np.save(file, np.array([Bomb(str(mark))], dtype=object), allow_pickle=True)
    before = place.files()
    for command in (
        ("import", path, "--name", "bad"),
        ("score", "--qrels", path, "--run", path),
    ):
        assert place.judge(*command) in (2, 3)
        assert "Traceback" not in capsys.readouterr().err
    assert place.files() == before
    assert not mark.exists()


@pytest.mark.parametrize(
    "line",
    [
        "[" * 90_000,
        '{"_id": "d", "text": ' + "[" * 90_000 + "]" * 90_000 + "}",
        '{"_id": "d", "text": "t", "n": ' + "7" * 6_000 + "}",
        '{"_id": "d", "text": "t", "metadata": {"n": -' + "7" * 6_000 + "}}",
        '{"_id": "d", "text": "t", "metadata": {"n": 1e' + "7" * 6_000 + "}}",
        '{"_id": ' + "7" * 6_000 + ', "text": "t"}',
    ],
    ids=["open", "deep", "integer", "negative", "exponent", "id"],
)
def test_json_that_breaks_parsers_is_refused_in_one_line_with_its_place(
    place: Place, tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "source", {"d1": "fine"}, {"q": "x"})
    with (source / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    before = place.files()
    assert place.judge("import", source, "--name", "bad") == 3
    said = capsys.readouterr().err
    assert "corpus.jsonl:2" in said
    assert "Traceback" not in said
    assert max(map(len, said.splitlines())) < 1_000
    assert place.files() == before


def test_names_and_ids_lead_nowhere(place: Place, tmp_path: Path) -> None:
    ids = ["../../../tmp/out-of-here", "/tmp/out-of-here", "..", ".", "con", "a\x00b"]
    source = write(tmp_path / "source", dict.fromkeys(ids, "text"), dict.fromkeys(ids, "text"))
    assert place.judge("import", source, "--name", "paths") == 0
    assert place.judge("pool", "paths", "--engine", "terms") == 0
    beside = {path for path in place.files() if not path.startswith(("workspace", "source"))}
    for name in ("../../x", "/abs", "..", ".", "CON", ""):
        assert place.judge("annotate", "paths", f"--as={name}") in (2, 3)
        assert place.judge("export", name, "--to", "beir", "-o", tmp_path / "no") in (2, 3)
    assert place.judge("export", "paths", "--to", "beir", "-o", tmp_path / "out") == 0
    assert list(read(tmp_path / "out" / "queries.jsonl")) == ids
    after = {path for path in place.files() if not path.startswith(("workspace", "source", "out"))}
    assert after == beside
