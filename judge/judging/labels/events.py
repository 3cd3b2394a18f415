"""What a row of `judge.labels/1` is, and how sessions and their files are named."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, get_args

from judge.core.arrow import Column, Frame, Schema
from judge.core.errors import LabelStoreError, quoted
from judge.core.model import Event, Op, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from judge.core.model import Judgment

SCHEMA: Final = Schema(
    "judge.labels/1",
    (
        Column("event_id", "string"),
        Column("session", "string"),
        Column("seq", "int64"),
        Column("at", "time"),
        Column("annotator", "string"),
        Column("source", "string"),
        Column("op", "string"),
        Column("target", "string", nullable=True),
        Column("query_id", "string"),
        Column("doc_id", "string"),
        Column("grade", "int32", nullable=True),
        Column("hard_negative", "bool"),
        Column("reason", "string", nullable=True),
        Column("note", "string", nullable=True),
        Column("evidence", "spans"),
        Column("seconds", "float64", nullable=True),
        Column("position", "int32", nullable=True),
        Column("order", "string", nullable=True),
        Column("pool", "string", nullable=True),
        Column("repeat", "bool"),
        Column("informed_by", "string", nullable=True),
        Column("query_sha", "string", nullable=True),
        Column("doc_sha", "string", nullable=True),
        Column("guideline_sha", "string", nullable=True),
        Column("model", "string", nullable=True),
        Column("prompt_sha", "string", nullable=True),
        Column("tool", "string", nullable=True),
    ),
)
"""Every column from the start, so that one query reads all stores of all times."""

STATE_COLUMNS: Final = SCHEMA.names[: SCHEMA.names.index("seconds")]
"""Those that say what was judged; no state depends on the others, which say how it came about."""

OPS: Final[frozenset[str]] = frozenset(get_args(Op))
SOURCES: Final[frozenset[str]] = frozenset(get_args(Source))
STATE_OPS: Final = OPS - {"undo", "redo"}
"""The ops that say something of a pair; only these can be undone."""
VERDICT_OPS: Final[frozenset[str]] = frozenset({"grade", "skip", "cannot_judge"})
"""The ops that give a verdict; `clear` takes it away, and all others leave it as it is."""

_VALUES: Final = attrgetter(*SCHEMA.names)
_TYPES: Final[dict[str, type]] = {
    "string": str,
    "int32": int,
    "int64": int,
    "float64": float,
    "bool": bool,
    "time": datetime,
    "spans": list,
}

SEGMENT_NAME: Final = re.compile(r"(\d{8}T\d{6}Z-[0-9a-f]{8})-(\d{4,})\.parquet")


def new_session_id(
    clock: Callable[[], datetime], token: Callable[[int], str] = secrets.token_hex
) -> str:
    """A session's name: when it began and eight random hex digits, `YYYYMMDDTHHMMSSZ-<8 hex>`.

    Args:
        clock: Gives the time, with its zone.
        token: Gives hex digits for a number of random bytes.

    >>> new_session_id(lambda: datetime(2025, 3, 1, 9, 5, tzinfo=UTC), lambda size: "0f" * size)
    '20250301T090500Z-0f0f0f0f'
    """
    return f"{clock().astimezone(UTC):%Y%m%dT%H%M%SZ}-{token(4)}"


def segment_name(session: str, number: int) -> str:
    """The file name of a session's segment, numbered from 0.

    >>> segment_name("20250301T090500Z-0f0f0f0f", 3)
    '20250301T090500Z-0f0f0f0f-0003.parquet'
    """
    return f"{session}-{number:04d}.parquet"


def event_id(session: str, seq: int) -> str:
    """The id of a session's event: unique for ever for its annotator, as a session has one writer.

    >>> event_id("20250301T090500Z-0f0f0f0f", 3)
    '20250301T090500Z-0f0f0f0f-3'
    """
    return f"{session}-{seq}"


def event_ids(session: str, first: int, count: int) -> list[str]:
    """The ids of the events of one action, which take `count` numbers of a session.

    Several are named `<batch>~<n>`, the batch being what a single event would be named.

    >>> event_ids("20250301T090000Z-0f0f0f0f", 3, 2)
    ['20250301T090000Z-0f0f0f0f-3~0', '20250301T090000Z-0f0f0f0f-3~1']
    """
    name = event_id(session, first)
    return [name] if count == 1 else [f"{name}~{number}" for number in range(count)]


def action_of(event: Event) -> str:
    """What the events of one action have in common and no other event has: the batch's name."""
    return event.event_id.partition("~")[0]


def recorded(
    judgments: Iterable[Judgment],
    *,
    annotator: str,
    source: Source,
    session: str,
    at: datetime,
    first: int = 0,
    tool: str | None = None,
    model: str | None = None,
    prompt_sha: str | None = None,
) -> Iterator[Event]:
    """Judgments made elsewhere (imports, gold, machines) as `grade` events, for `append_batch`.

    Args:
        judgments: What was judged, in order.
        annotator: Whose folder they go to.
        source: Where they come from.
        session: The session of the writer that will append them.
        at: When they came in.
        first: The `seq` of the first one, for a second batch of the same session.
        tool: Program and version.
        model: The machine judge's model.
        prompt_sha: Digest of the machine judge's prompt.

    >>> from judge.core.model import Judgment
    >>> at = datetime(2025, 3, 1, tzinfo=UTC)
    >>> made = [Judgment("q1", "d1", 2)]
    >>> events = recorded(made, annotator="gold", source="gold", session="s", at=at)
    >>> [(e.event_id, e.op, e.grade) for e in events]
    [('s-0', 'grade', 2)]
    """
    moment = at.astimezone(UTC)
    for seq, judgment in enumerate(judgments, first):
        yield Event(
            event_id=event_id(session, seq),
            session=session,
            seq=seq,
            at=moment,
            annotator=annotator,
            source=source,
            op="grade",
            query_id=judgment.query_id,
            doc_id=judgment.doc_id,
            grade=judgment.grade,
            hard_negative=judgment.hard_negative,
            note=judgment.note or None,
            model=model,
            prompt_sha=prompt_sha,
            tool=tool,
        )


def to_columns(events: Sequence[Event]) -> dict[str, Any]:
    """Events as the columns of `SCHEMA`; no events give empty columns."""
    if not events:
        return {name: [] for name in SCHEMA.names}
    return dict(zip(SCHEMA.names, zip(*map(_VALUES, events), strict=True), strict=True))


def from_frame(frame: Frame, annotator: str, session: str) -> list[Event]:
    """The events of one segment, in file order.

    Args:
        frame: What was read; must have `STATE_COLUMNS`. What else it lacks is at its default.
        annotator: Whose events all of them must be.
        session: Of which session all of them must be.

    Raises:
        LabelStoreError: A value is of another type than the schema says, or an op, source, grade or
            owner that such a segment cannot have. Nothing of such a file is taken, as guessing at
            the rest would be worse.
    """
    there = frozenset(frame.names)
    columns = {c.name: _checked(frame, c) for c in SCHEMA.columns if c.name in there}
    possible = {"op": OPS, "source": SOURCES, "annotator": {annotator}, "session": {session}}
    for name, values in possible.items():
        if strange := set(columns[name]) - values:
            raise LabelStoreError(f"{quoted(min(strange))} cannot be the {name} of its events")
    for op, grade in set(zip(columns["op"], columns["grade"], strict=True)):
        if (op == "grade") == (grade is None):
            raise LabelStoreError(f"an event is a {op} with grade {grade}")
    columns["evidence"] = [tuple(spans) if spans else () for spans in columns["evidence"]]
    absent = {name: [value] * frame.rows for name, value in Event._field_defaults.items()}
    cells = absent | columns
    rows = zip(*(cells[name] for name in Event._fields), strict=True)
    return [Event._make(row) for row in rows]


def _checked(frame: Frame, column: Column) -> list[Any]:
    """One column's values; types are compared as sets, which costs nothing beside reading them."""
    values = frame.values(column.name)
    allowed = {_TYPES[column.kind]} | ({type(None)} if column.nullable else set())
    if strange := set(map(type, values)) - allowed:
        names = " or ".join(sorted(t.__name__ for t in strange))
        raise LabelStoreError(f"column {column.name} holds {names}, not {column.kind}")
    return values
