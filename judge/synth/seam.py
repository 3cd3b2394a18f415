"""What every generator is asked and gives: the seam between kinds, audit and building."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from judge.core.errors import InputError, NotFound, Problem, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from judge.core.model import Document, Query


SYNTHETIC = "synthetic set, made of templates: keep its scores apart from those of judged sets"


class Asked(NamedTuple):
    """A query with its truth.

    Attributes:
        query: Its `category` is the kind; its metadata say what makes it hard (`difficulty`).
        grades: Document id -> grade of 1 or more.
        hard_negatives: Document id -> why it looks relevant; the grade of each is 0.
    """

    query: Query
    grades: Mapping[str, int]
    hard_negatives: Mapping[str, str]


class Made(Protocol):
    """A dataset as it comes out of a generator, document by document.

    Both iterators give the same again when asked again, and need no memory that grows with the
    number of documents.

    Attributes:
        closed: Whether every document that a truth does not name has grade 0; otherwise only the
            named ones are known, and the rest is unjudged.
    """

    closed: bool

    def documents(self) -> Iterator[Document]:
        """Give all documents."""
        ...

    def asked(self) -> Iterator[Asked]:
        """Give all queries with their truth."""
        ...


@dataclass(frozen=True)
class Dial:
    """Something about a kind that can be turned.

    Attributes:
        name: As it is given: `--dial NAME=VALUE`.
        default: A number.
        low: The least, and `high`, the greatest value.
        help: What it does.
    """

    name: str
    default: float
    low: float
    high: float
    help: str


@dataclass(frozen=True)
class Request:
    """What is to be made.

    Attributes:
        size: Number of documents, nearly: whole facts are made.
        queries: Number of queries.
        seed: Another one gives another set.
        languages: BCP 47 tags that there is a lexicon for.
        dials: Values by name; what is left out has its default.
    """

    size: int
    queries: int
    seed: int = 1
    languages: tuple[str, ...] = ("en",)
    dials: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """A kind of dataset that can be made.

    Attributes:
        name: As in `judge generate NAME`.
        version: Part of the luck of every item: goes up when what is made changes.
        summary: One line for lists.
        manual: What it tests, how the truth is made, what it cannot tell: `judge explain NAME`.
        size: Documents, and `queries`, queries, if nobody says otherwise.
        make: Makes it.
        dials: What can be turned.
        languages: The languages if nobody says otherwise.
        caveat: What is said with every score.
    """

    name: str
    version: int
    summary: str
    manual: str
    size: int
    queries: int
    make: Callable[[Request], Made]
    dials: tuple[Dial, ...] = ()
    languages: tuple[str, ...] = ("en",)
    caveat: str = SYNTHETIC

    def dial(self, request: Request, name: str) -> float:
        """Give the value of a dial.

        Raises:
            InputError: It is out of its range.
            NotFound: There is no such dial.
        """
        dial = next((dial for dial in self.dials if dial.name == name), None)
        if dial is None:
            raise NotFound("dial", name, [known.name for known in self.dials])
        value = request.dials.get(name, dial.default)
        if not dial.low <= value <= dial.high:
            expected = f"{dial.low:g} to {dial.high:g}"
            raise InputError(
                Problem(f"the dial {name} cannot be {quoted(f'{value:g}')}", expected=expected)
            )
        return value
