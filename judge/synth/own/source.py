"""How a folder of text, Markdown and HTML files becomes documents, and what a domain is."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from judge.core.errors import InputError, Problem, listed
from judge.core.files import legible, read_text
from judge.core.model import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    State = tuple[int, int, int]

DOMAIN: Final = "domain"
"""The key of a document's metadata that says which domain it belongs to."""

_HEADING = re.compile(r"\s*# +(?P<title>[^\n]+?)[ #]*(?:\n|$)")
_UNSEEN = frozenset({"script", "style", "template", "noscript"})
_IN_LINE = frozenset({"a", "abbr", "b", "code", "em", "font", "i", "mark", "q", "s", "small"}) | {
    "span", "strong", "sub", "sup", "tt", "u", "wbr"
}  # fmt: skip


class _Content(NamedTuple):
    title: str
    text: str


class Folder:
    """The files of a folder as documents, read anew each time they are gone through.

    `.txt`, `.md`, `.markdown`, `.html` and `.htm` count; hidden files and folders are passed over.
    The id is the path in the folder; the domain (`domain_of`) the first folder of that path, empty
    for files that lie in the folder itself. A title is what stands in `<title>`, or in the `#`
    heading that a Markdown file begins with; it is taken out of the text. Links to folders are not
    followed.

    Args:
        path: The folder.

    Attributes:
        files: Those that are read, in the order of their ids.
        passed_over: Names of those that are not, in order.

    Raises:
        InputError: It is no folder, or holds no such file.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            what = "is not a folder" if path.exists() else "no such folder"
            raise InputError(Problem(what, path, expected="a folder of text files"))
        self.path = path
        found = sorted(_walk(path), key=lambda file: file.relative_to(path).as_posix())
        self.files = tuple(file for file in found if file.suffix.lower() in _READERS)
        names = (legible(f.relative_to(path).as_posix()) for f in found if f not in {*self.files})
        self.passed_over = tuple(names)
        if not self.files:
            expected = "files that end with " + ", ".join(_READERS)
            raise InputError(Problem("holds no text", path, expected=expected))
        self._states = {file: _state(file) for file in self.files}

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.files)

    def __iter__(self) -> Iterator[Document]:
        """Read one file after the other.

        Raises:
            FormatError: Bytes that are not UTF-8; `check` finds all such files at once.
            InputError: A file is gone, or not what it was when the folder was listed.
        """
        for file in self.files:
            content = _READERS[file.suffix.lower()](read_text(file))
            if _state(file) != self._states[file]:
                raise InputError(
                    Problem("changed while it was read", file, expected="a file at rest")
                )
            parts = file.relative_to(self.path).parts
            yield Document(
                id=legible("/".join(parts)),
                title=content.title,
                text=content.text,
                metadata={DOMAIN: legible(parts[0]) if len(parts) > 1 else ""},
            )

    def check(self) -> None:
        """Read all files once, so that none stops the work later.

        Raises:
            InputError: With a line for each file that cannot be read or is not UTF-8.
        """
        faults: list[Problem] = []
        for file in self.files:
            try:
                read_text(file)
            except InputError as error:
                faults.extend(error.problems)
        if faults:
            raise InputError(*listed(faults, len(faults), self.path))


def domain_of(document: Document) -> str:
    """Which domain a document belongs to: what its metadata say, else its namespace.

    >>> domain_of(Document(id="a", text="", metadata={"domain": "law"}))
    'law'
    """
    domain = document.metadata.get(DOMAIN)
    return domain if isinstance(domain, str) else document.namespace


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = (Path(root) / name for name in names if not name.startswith("."))
        yield from (file for file in files if file.is_file())


def _state(path: Path) -> State:
    """What changes when a file does: which file it is, its size and its time."""
    try:
        stat = path.stat()
    except OSError as error:
        raise InputError(Problem(error.strerror or str(error), path)) from error
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _plain(text: str) -> _Content:
    return _Content("", text)


def _markdown(text: str) -> _Content:
    heading = _HEADING.match(text)
    return _Content(heading["title"], text[heading.end() :]) if heading else _plain(text)


def _html(text: str) -> _Content:
    page = _Page()
    page.feed(text)
    page.close()
    lines = (" ".join(line.split()) for line in "".join(page.text).split(_BREAK))
    return _Content(" ".join("".join(page.title).split()), "\n\n".join(filter(None, lines)))


_BREAK = "\x00"  # HTML cannot hold it, so it can stand for the border of a block


class _Page(HTMLParser):
    """What a reader sees of a page: words, and where blocks begin and end."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.text: list[str] = []
        self._unseen: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where a block begins, and what is not shown."""
        del attrs
        # A picture inside the page may have a title too.
        self._in_title = tag == "title" and not self.title
        if tag in _UNSEEN:
            self._unseen.append(tag)
        if tag not in _IN_LINE:
            self.text.append(_BREAK)

    def handle_endtag(self, tag: str) -> None:
        """Note where a block ends."""
        self._in_title = False
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        if tag not in _IN_LINE:
            self.text.append(_BREAK)

    def handle_data(self, data: str) -> None:
        """Keep what is shown."""
        if self._in_title:
            self.title.append(data)
        elif not self._unseen:
            self.text.append(data.replace(_BREAK, " "))


_READERS: dict[str, Callable[[str], _Content]] = {
    ".txt": _plain,
    ".md": _markdown,
    ".markdown": _markdown,
    ".html": _html,
    ".htm": _html,
}
