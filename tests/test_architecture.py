"""The shape of the house: sizes, first lines, names, what an import may load."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import judge

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "judge").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MAX_FILE = 500
MAX_BODY = 40
HEAVY = ("numpy", "pyarrow", "pydantic", "httpx", "tantivy", "textual", "rapidfuzz", "sqlite3")


def ids(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function's body without its docstring."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    if not body or node.end_lineno is None:
        return 0
    return node.end_lineno - body[0].lineno + 1


@pytest.mark.parametrize("path", [*MODULES, *TESTS], ids=ids([*MODULES, *TESTS]))
def test_no_file_is_long(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < MAX_FILE


@pytest.mark.parametrize("path", MODULES, ids=ids(MODULES))
def test_no_function_is_long(path: Path) -> None:
    long = [
        f"{node.name} ({body_lines(node)} lines)"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) >= MAX_BODY
    ]
    assert not long


@pytest.mark.parametrize("path", MODULES, ids=ids(MODULES))
def test_every_module_says_what_it_alone_knows(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    first = docstring.split("\n")[0]
    assert len(first.split()) >= 5, "the first docstring line says what this module alone knows"
    assert first.endswith((".", ":")), first


def test_no_room_for_odds_and_ends() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "tools"}
    assert not [str(path) for path in MODULES if path.stem in vague or path.parent.name in vague]


def test_nobody_inside_imports_the_front_door() -> None:
    guilty = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.ImportFrom) else []
            if (
                isinstance(node, ast.ImportFrom)
                and node.module == "judge"
                and names != ["__version__"]
            ):
                guilty.append(f"{path}:{node.lineno}")
    assert not guilty


def test_public_names_resolve() -> None:
    for name in judge.__all__:
        assert getattr(judge, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        judge.__getattr__("nonsense")


def loaded_by(statement: str) -> set[str]:
    """Which of the heavy packages a statement loads, in a fresh interpreter."""
    code = f"import sys\n{statement}\nprint(','.join(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(filter(None, done.stdout.strip().split(",")))


HELP = """
import contextlib, io
from judge.cli.main import app
with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
    app(["--help"], prog_name="judge")
assert "Usage" in out.getvalue()
"""


@pytest.mark.parametrize("statement", ["import judge", "import judge.cli.main", HELP])
def test_the_door_opens_without_the_furniture(statement: str) -> None:
    assert loaded_by(statement) == set()


@pytest.mark.parametrize(
    "room", ["core.tables", "scoring", "judging.session", "engines", "exchange", "dataset.store"]
)
def test_no_room_below_the_screen_loads_textual(room: str) -> None:
    importlib.import_module(f"judge.{room}")
    assert "textual" not in loaded_by(f"import judge.{room}")


def test_no_screen_library_in_the_plain_commands() -> None:
    assert "textual" not in loaded_by("import judge.bench.evaluate, judge.cli.scoring")


def test_no_unsafe_loaders() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert "pickle" not in text, path
        assert "eval(" not in text.replace("re.eval(", ""), path
