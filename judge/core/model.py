"""The nouns: what a document, query, scale, hit, candidate, judgment, event and manifest are.

Documents, queries, scales and manifests come through a door and are validated by pydantic.
Everything that is made inside and in bulk (hits, candidates, judgments, events) is a named tuple,
as that is what Python makes fastest.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Identifier = Annotated[str, StringConstraints(min_length=1)]
"""An opaque id: `007`, `1e5` and `NA` stay as they are, and none ever becomes a path."""

UNKNOWN_LANGUAGE = "und"
DEFAULT_NAMESPACE = "bench"


class Record(BaseModel):
    """Base of what comes through a door: immutable, and strict about unknown fields and types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Document(Record):
    """One document of a corpus.

    Attributes:
        id: Opaque, unique in the dataset.
        text: The body; None where only the id is known (such sets score but refuse judging).
        title: May be empty.
        language: BCP 47, `und` if unknown.
        namespace: Which part of the corpus it belongs to; a query may search only one.
        parent_id: The document that this is a chunk of.
        metadata: Whatever else the source said, JSON values.
    """

    id: Identifier
    text: str | None
    title: str = ""
    language: Identifier = UNKNOWN_LANGUAGE
    namespace: Identifier = DEFAULT_NAMESPACE
    parent_id: Identifier | None = None
    metadata: dict[str, Any] = {}

    @property
    def body(self) -> str:
        """All the words of the document: title, then text. Engines index exactly this."""
        return f"{self.title}\n{self.text or ''}" if self.title else self.text or ""


class Query(Record):
    """One query.

    Attributes:
        id: Opaque, unique in the dataset.
        text: What a user typed.
        description: The information need (TREC's narrative); what a grade is judged against.
        language: BCP 47, `und` if unknown.
        namespace: The only namespace that it searches; None searches all.
        category: The kind of query, for slices.
        split: train, dev, test or the like.
        metadata: Whatever else the source said, JSON values.
    """

    id: Identifier
    text: str
    description: str = ""
    language: Identifier = UNKNOWN_LANGUAGE
    namespace: Identifier | None = None
    category: Identifier | None = None
    split: Identifier | None = None
    metadata: dict[str, Any] = {}


class Scale(Record):
    """The grades of a dataset, what each means, and from which one a document is relevant.

    >>> Scale().relevant_from, Scale.binary().max
    (2, 1)
    """

    min: int = 0
    max: int = 3
    labels: dict[int, str] = {
        0: "does not answer",
        1: "related but insufficient",
        2: "useful evidence",
        3: "directly answers",
    }
    relevant_from: int = 2

    @model_validator(mode="after")
    def _ordered(self) -> Scale:
        if not 0 <= self.min < self.max <= 9:
            raise ValueError(
                "a scale runs from 0 (or more) up to at most 9, so one key gives a grade"
            )
        if not self.min < self.relevant_from <= self.max:
            raise ValueError(f"relevant_from must lie in {self.min + 1}..{self.max}")
        if extra := sorted(g for g in self.labels if not self.min <= g <= self.max):
            raise ValueError(f"labels name grades outside the scale: {extra}")
        return self

    @classmethod
    def binary(cls) -> Scale:
        """The scale of sets that say only relevant or not."""
        return cls(max=1, labels={0: "not relevant", 1: "relevant"}, relevant_from=1)

    @classmethod
    def up_to(cls, top: int, relevant_from: int = 1) -> Scale:
        """A scale 0..top without words for its grades, for imported sets."""
        if top <= 1:
            return cls.binary()
        return cls(max=top, labels={}, relevant_from=relevant_from)

    def label(self, grade: int) -> str:
        """The words for a grade, or `grade N` where the scale has none."""
        return self.labels.get(grade, f"grade {grade}")

    @property
    def grades(self) -> range:
        """All grades, lowest first."""
        return range(self.min, self.max + 1)


class Manifest(Record):
    """What `dataset.json` says of a dataset.

    Attributes:
        made_by: The generator and its seed, or where it was imported from: free JSON values.
        counts: `documents`, `queries`.
        sha256: `documents`, `queries`: of the Parquet files as they lie on disk.
    """

    schema_name: Literal["judge.dataset/1"] = Field(default="judge.dataset/1", alias="schema")
    name: str
    version: str = "1"
    description: str = ""
    licence: str = ""
    languages: list[str] = []
    scale: Scale = Scale()
    made_by: dict[str, Any] = {}
    counts: dict[str, int] = {}
    sha256: dict[str, str] = {}

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, validate_by_name=True, serialize_by_alias=True
    )


class Hit(NamedTuple):
    """One document of a ranking, best first: its id and its score (higher is better)."""

    doc_id: str
    score: float


class Candidate(NamedTuple):
    """One document in the pool of a query.

    Attributes:
        run: The run that ranked it best.
        rank: That best rank, from 1.
        band: Which block of the judging order it is served in, from 0.
    """

    query_id: str
    doc_id: str
    run: str
    rank: int
    band: int


class Judgment(NamedTuple):
    """One verdict as outside formats carry it: after merging, without its history."""

    query_id: str
    doc_id: str
    grade: int
    hard_negative: bool = False
    note: str = ""


Source = Literal["human", "gold", "import", "machine", "propagated", "adjudicated"]
Op = Literal[
    "grade", "skip", "cannot_judge", "note", "flag", "unflag", "confirm", "clear", "undo", "redo"
]


class Event(NamedTuple):
    """One recorded action of one annotator; rows of `judge.labels/1`.

    Attributes:
        event_id: Unique for ever among its annotator's; readers drop repeats.
        session: `YYYYMMDDTHHMMSSZ-<8 hex>`.
        seq: Position in the session, from 0.
        at: When, in UTC.
        target: For undo the state event, for redo the undo event.
        grade: For `grade`; None for all other ops.
        evidence: Code-point spans (start, end) of the text shown.
        seconds: From the card being shown to the key.
        position: Place of the card in its query's list, from 0.
        order: Name of the judging order.
        pool: Name of the pool file that the pair came from.
        repeat: A hidden repeat, for self-consistency.
        informed_by: None, `machine`, or the annotator whose verdict was shown before.
        query_sha: Digest of the query text shown; `doc_sha` and `guideline_sha` likewise.
        model: The machine judge's model, with `prompt_sha`, its prompt's digest.
        tool: Program and version that wrote the event.
    """

    event_id: str
    session: str
    seq: int
    at: dt.datetime
    annotator: str
    source: Source
    op: Op
    query_id: str
    doc_id: str
    target: str | None = None
    grade: int | None = None
    hard_negative: bool = False
    reason: str | None = None
    note: str | None = None
    evidence: tuple[tuple[int, int], ...] = ()
    seconds: float | None = None
    position: int | None = None
    order: str | None = None
    pool: str | None = None
    repeat: bool = False
    informed_by: str | None = None
    query_sha: str | None = None
    doc_sha: str | None = None
    guideline_sha: str | None = None
    model: str | None = None
    prompt_sha: str | None = None
    tool: str | None = None
