from __future__ import annotations

from pathlib import Path

import pytest

from judge.core.errors import FormatError, InputError
from judge.core.model import Document
from judge.synth.own import Folder, domain_of


def made(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_text_markdown_and_html_become_documents(tmp_path: Path) -> None:
    page = (
        "<html><head><title>Pumps &amp; hoses</title><style>p {color: red}</style>"
        "<body><h1>Pumps</h1><p>A <b>hand</b> pump\n leaks.<script>alert('x < y')</script>"
        "<ul><li>oil<li>air</ul>"
    )
    folder = made(
        tmp_path,
        {
            "a.txt": "\ufeffplain\ntext",
            "bikes/b.md": "\n# Rust on chains #\n\nIt *spreads*.\n## More\nrain",
            "bikes/deep/c.HTML": page,
            "bikes/d.markdown": "no heading",
        },
    )
    source = Folder(folder)
    documents = {document.id: document for document in source}
    assert list(documents) == ["a.txt", "bikes/b.md", "bikes/d.markdown", "bikes/deep/c.HTML"]
    assert documents["a.txt"].text == "plain\ntext"
    assert documents["bikes/b.md"].title == "Rust on chains"
    assert documents["bikes/b.md"].text == "\nIt *spreads*.\n## More\nrain"
    html = documents["bikes/deep/c.HTML"]
    assert html.title == "Pumps & hoses"
    assert html.text == "Pumps\n\nA hand pump leaks.\n\noil\n\nair"
    assert [domain_of(document) for document in documents.values()] == ["", *["bikes"] * 3]
    assert list(source) == list(documents.values())
    assert len(source) == 4


def test_what_is_not_read_is_named(tmp_path: Path) -> None:
    made(tmp_path, {"a.txt": "a", "b.pdf": "b", ".git/c.txt": "c", ".d.txt": "d"})
    source = Folder(tmp_path)
    assert source.passed_over == ("b.pdf",)
    assert [document.id for document in source] == ["a.txt"]


def test_a_folder_without_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no text .*\.txt"):
        Folder(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        Folder(tmp_path / "none")
    made(tmp_path, {"a.txt": "a"})
    with pytest.raises(InputError, match="is not a folder"):
        Folder(tmp_path / "a.txt")


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    made(tmp_path, {"a.txt": "a", "d.txt": "d"})
    (tmp_path / "b.txt").write_bytes(b"good\nb\xe4d")
    (tmp_path / "c.txt").write_bytes(b"\xff")
    source = Folder(tmp_path)
    with pytest.raises(FormatError, match=r"b\.txt:2: byte 0xe4 is not UTF-8"):
        list(source)
    with pytest.raises(InputError) as caught:
        source.check()
    assert [Path(str(p.path)).name for p in caught.value.problems] == ["b.txt", "c.txt"]


def test_a_file_that_changes_stops_the_work(tmp_path: Path) -> None:
    made(tmp_path, {"a.txt": "a", "b.txt": "b"})
    source = Folder(tmp_path)
    (tmp_path / "b.txt").write_text("longer")
    with pytest.raises(InputError, match="changed while it was read"):
        list(source)
    (tmp_path / "b.txt").unlink()
    with pytest.raises(InputError, match=r"b\.txt"):
        list(source)


def test_a_domain_is_the_namespace_where_nothing_else_is_said() -> None:
    assert domain_of(Document(id="a", text="", namespace="law")) == "law"
