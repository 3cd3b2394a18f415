"""Where `corpora/` and `labels/` lie, and which names may become paths, is known only here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from judge.core.errors import InputError, NotFound, Problem, quoted

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
RESERVED = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{n}{i}" for n in ("com", "lpt") for i in range(1, 10)}
)
"""File names that Windows keeps for devices; refused everywhere so that a workspace can move."""


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
    if not NAME.fullmatch(name) or name.split(".")[0] in RESERVED or name.endswith("."):
        raise InputError(
            Problem(
                f"{quoted(name)} cannot name {article} {kind}",
                field=f"{kind} name",
                expected="1-64 of a-z 0-9 . _ - and a letter or digit first, such as my-set_2",
            )
        )
    return name


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

    def staged_dataset(self, name: str) -> Path:
        """Where a dataset is built before it gets its name."""
        return self.corpora / f".new-{safe_name(name, 'dataset')}"

    def label_folder(self, name: str) -> Path:
        """Where the judgments on a dataset lie or would lie."""
        return self.labels / safe_name(name, "dataset")

    def cache_folder(self, name: str) -> Path:
        """Where everything derived from a dataset lies; may be deleted at any time."""
        return self.dataset_folder(name) / ".cache"
