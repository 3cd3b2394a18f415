"""The page of a real collection, made by the command as a user makes it, in a real browser."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judge.cli.main import main

if TYPE_CHECKING:
    from tests.browser.conftest import Viewer

pytestmark = pytest.mark.slow

PLANTED = "<script>document.title = 'planted'; fetch('https://example.org')</script>"


def test_two_engines_on_vaswani(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, viewer: Viewer
) -> None:
    """A script in the text of every relevant document does nothing; no request leaves the page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_WORKSPACE", raising=False)
    source, folder = shared_data / "vaswani_npl" / "norm", tmp_path / "vaswani"
    folder.mkdir()
    for name in ("queries.jsonl", "qrels.trec"):
        (folder / name).write_bytes((source / name).read_bytes())
    with (
        gzip.open(source / "corpus.jsonl.gz", "rt", encoding="utf-8") as given,
        (folder / "corpus.jsonl").open("w", encoding="utf-8") as planted,
    ):
        for line in given:
            document = json.loads(line)
            planted.write(json.dumps({**document, "title": PLANTED}) + "\n")
    assert main(["import", str(folder), "--name", "vaswani", "-q"]) == 0
    engines = ["--engine", "bm25", "--engine", "terms", "--by", "document-length"]
    assert main(["score", "vaswani", *engines, "--html", "page.html", "-q"]) == 0
    opened = viewer.show((tmp_path / "page.html").read_text("utf-8"))
    page = opened.page
    page.get_by_role("link", name="Side by side").click()
    assert page.locator(".hit").count() == 20
    assert PLANTED in page.locator(".hit").first.inner_text()
    assert page.title() != "planted"
    assert page.locator("#query-rows tr").count() == 93
    assert opened.requests == [page.url.split("#")[0]]
    assert opened.dialogs == opened.messages == opened.violations == []
