"""What every format reads into and writes from: a whole collection, with its documents streamed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from judge.core.model import Scale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from judge.core.model import Document, Judgment, Query
    from judge.core.tables import Run


class Stream:
    """Documents that can be gone through again and again without all being in memory.

    Args:
        start: Begins a new pass.

    >>> squares = Stream(lambda: iter([]))
    >>> list(squares), list(squares)
    ([], [])
    """

    def __init__(self, start: Callable[[], Iterator[Document]]) -> None:
        self._start = start

    def __iter__(self) -> Iterator[Document]:
        return self._start()


@dataclass(frozen=True)
class Collection:
    """A test collection as outside formats know it.

    Attributes:
        documents: In the order of the source; may be gone through more than once.
        queries: In the order of the source.
        judgments: One for each judged pair; a pair may name a document or query that is not there.
        runs: Ranked results by the name of the run.
        scale: None where the source does not say.
        guidelines: Markdown for the annotators.
        made_by: Where the collection comes from, free JSON values.
        notes: What the reader found worth telling.
        files: The files that it read.
    """

    documents: Iterable[Document]
    queries: Sequence[Query]
    judgments: Sequence[Judgment] = ()
    runs: Mapping[str, Run] = field(default_factory=dict)
    name: str = ""
    description: str = ""
    version: str = "1"
    licence: str = ""
    languages: Sequence[str] = ()
    scale: Scale | None = None
    guidelines: str = ""
    made_by: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()
    files: Sequence[Path] = ()

    @property
    def relevant_from(self) -> int:
        """The grade from which a document counts as relevant; 1 where no scale says otherwise."""
        return self.scale.relevant_from if self.scale else 1
