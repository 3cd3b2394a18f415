"""Where `corpora/` and `labels/` lie, and which names may become paths, is known only here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

from judge.core.errors import InputError, NotFound, Problem, quoted
from judge.core.files import staged_folder

if TYPE_CHECKING:
    from collections.abc import Container
    from contextlib import AbstractContextManager
    from pathlib import Path

MAX_NAME = 64
NAME = re.compile(rf"[a-z0-9][a-z0-9._-]{{0,{MAX_NAME - 1}}}")
RESERVED = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{n}{i}" for n in ("com", "lpt") for i in range(1, 10)}
)
"""File names that Windows keeps for devices; refused everywhere so that a workspace can move."""

NOT_PEOPLE = frozenset({"gold", "import"})
"""Annotators under whose names lie the judgments that came with a dataset."""


def safe_name(name: str, kind: str) -> str:
    """The name itself, if it may become a path.

    Args:
        name: A name for a dataset, run or annotator.
        kind: What it names, for the message.

    Raises:
        InputError: The name does not match `[a-z0-9][a-z0-9._-]{0,63}` or is a device's name.

    >>> safe_name("demo", "dataset")
    'demo'
    """
    article = "an" if kind[0] in "aeiou" else "a"
    if not _is_safe(name):
        raise InputError(
            Problem(
                f"{quoted(name)} cannot name {article} {kind}",
                field=f"{kind} name",
                expected="1-64 of a-z 0-9 . _ - and a letter or digit first, such as my-set_2",
            )
        )
    return name


def _is_safe(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and not _is_device(name) and not name.endswith(".")


def _is_device(name: str) -> bool:
    return name.split(".")[0] in RESERVED


def safe_from(text: str, fallback: str, taken: Container[str] = ()) -> str:
    """A name that may become a path, made from any text.

    What is a safe name already stays; otherwise capitals become small letters and every run of
    other characters one `-`.

    Args:
        text: Whatever something is called.
        fallback: A safe name for a text without a letter or digit; also put before a device's name.
        taken: Names that must not come out; a number makes the name another one then.

    >>> safe_from("My Run (v2)", "run"), safe_from("東京", "run"), safe_from("con", "run")
    ('my-run-v2', 'run', 'run-con')
    >>> safe_from("a", "run", {"a", "a-2"})
    'a-3'
    """
    name = text if _is_safe(text) else _cut(re.sub(r"[^a-z0-9._-]+", "-", text.lower()))
    name = name or fallback
    if _is_device(name):
        name = _cut(f"{fallback}-{name}")
    numbered = (_cut(name, MAX_NAME - len(f"-{n}")) + f"-{n}" for n in count(2))
    return next(found for found in chain([name], numbered) if found not in taken)


def _cut(name: str, length: int = MAX_NAME) -> str:
    return name.lstrip("-._")[:length].rstrip("-._")


def annotator_name(name: str) -> str:
    """The name itself, if a person may judge under it.

    Raises:
        InputError: It may not become a path, or judgments that no person here made lie under it.

    >>> annotator_name("ana")
    'ana'
    """
    if name in NOT_PEOPLE:
        raise InputError(
            Problem(
                f"{quoted(name)} cannot name an annotator: it is kept for judgments that come with"
                " a dataset",
                field="annotator name",
                expected="another name",
            )
        )
    return safe_name(name, "annotator")


@dataclass(frozen=True)
class Workspace:
    """A folder that holds `corpora/` and `labels/`."""

    root: Path

    @property
    def corpora(self) -> Path:
        """The folder of all datasets."""
        return self.root / "corpora"

    @property
    def labels(self) -> Path:
        """The folder of all label stores."""
        return self.root / "labels"

    def datasets(self) -> list[str]:
        """The names of the datasets that are there whole, in order."""
        if not self.corpora.is_dir():
            return []
        return sorted(
            folder.name
            for folder in self.corpora.iterdir()
            if NAME.fullmatch(folder.name) and (folder / "dataset.json").is_file()
        )

    def dataset_folder(self, name: str) -> Path:
        """Where a dataset of this name lies or would lie.

        Raises:
            InputError: The name may not become a path.
        """
        return self.corpora / safe_name(name, "dataset")

    def existing_dataset(self, name: str) -> Path:
        """The folder of a dataset that is there.

        Raises:
            NotFound: There is none of that name; the nearest names are given.
        """
        if NAME.fullmatch(name) and (self.corpora / name / "dataset.json").is_file():
            return self.corpora / name
        hint = "`judge demo` makes one to try, `judge import PATH --name NAME` brings your own."
        raise NotFound("dataset", name, self.datasets(), hint=f"Looked in {self.corpora}. {hint}")

    def staged_dataset(self, name: str) -> AbstractContextManager[Path]:
        """A folder of one's own, in which a dataset is built before it gets its name."""
        return staged_folder(self.corpora, safe_name(name, "dataset"))

    def staged_labels(self, name: str) -> AbstractContextManager[Path]:
        """A folder of one's own for the judgments that come with a dataset being built."""
        return staged_folder(self.labels, safe_name(name, "dataset"))

    def label_folder(self, name: str) -> Path:
        """Where the judgments on a dataset lie or would lie."""
        return self.labels / safe_name(name, "dataset")

    def cache_folder(self, name: str) -> Path:
        """Where everything derived from a dataset lies; may be deleted at any time."""
        return self.dataset_folder(name) / ".cache"
