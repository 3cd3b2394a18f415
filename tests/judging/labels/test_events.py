"""Rows of the label schema: every column there and back, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from judge.core import arrow
from judge.core.errors import LabelStoreError
from judge.core.model import Event, Judgment
from judge.judging.labels import SCHEMA, new_session_id, recorded
from judge.judging.labels.events import SEGMENT_NAME, from_frame, segment_name, to_columns

Make = Callable[..., Event]
SESSION = "20250301T090000Z-00000001"


def there_and_back(folder: Path, events: list[Event]) -> list[Event]:
    path = folder / "x.parquet"
    arrow.write(path, SCHEMA, to_columns(events))
    return from_frame(arrow.read(path), "ann", SESSION)


def test_every_column_comes_back(tmp_path: Path, event: Make) -> None:
    full = event(
        at=datetime(2025, 3, 1, 9, 0, 0, 123456, tzinfo=UTC),
        grade=3,
        hard_negative=True,
        reason="r",
        note="नोट \u202e\x1b[31m",
        evidence=((0, 4), (7, 9)),
        seconds=2.5,
        position=4,
        order="gap",
        pool="20250301T080000Z-0a0b0c0d",
        repeat=True,
        informed_by="machine",
        query_sha="a",
        doc_sha="b",
        guideline_sha="c",
        model="m",
        prompt_sha="d",
        tool="judge 0.1.0",
        target="t",
    )
    bare = event("skip")
    assert there_and_back(tmp_path, [full, bare]) == [full, bare]


def test_the_columns_are_those_of_the_design() -> None:
    assert SCHEMA.name == "judge.labels/1"
    assert " ".join(SCHEMA.names) == (
        "event_id session seq at annotator source op target query_id doc_id grade hard_negative "
        "reason note evidence seconds position order pool repeat informed_by query_sha doc_sha "
        "guideline_sha model prompt_sha tool"
    )


def test_times_of_other_zones_are_kept_as_moments(tmp_path: Path, event: Make) -> None:
    tokyo = timezone(timedelta(hours=9))
    made = event(at=datetime(2025, 3, 1, 18, 0, tzinfo=tokyo))
    [back] = there_and_back(tmp_path, [made])
    assert back.at == datetime(2025, 3, 1, 9, 0, tzinfo=UTC)
    assert back.at.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "at",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(2038, 1, 19, 3, 14, 8, 123457, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
)
def test_every_moment_is_kept_to_the_microsecond(tmp_path: Path, event: Make, at: datetime) -> None:
    [back] = there_and_back(tmp_path, [event(at=at)])
    assert (back.at, back.at.tzinfo) == (at, UTC)


def test_a_missing_moment_is_none_and_not_the_first_of_1970(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    first = datetime(1970, 1, 1, tzinfo=UTC)
    schema = arrow.Schema("x", (arrow.Column("at", "time", nullable=True),))
    for values in ([None, first], [None], []):
        arrow.write(path, schema, {"at": values})
        assert arrow.read(path).values("at") == values


def test_no_events_are_no_rows(tmp_path: Path) -> None:
    assert there_and_back(tmp_path, []) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"op": "grad"}, '"grad" cannot be the op of its events'),
        ({"source": "alien"}, '"alien" cannot be the source of its events'),
        ({"annotator": "bob"}, '"bob" cannot be the annotator of its events'),
        ({"session": "s9"}, '"s9" cannot be the session of its events'),
        ({"grade": None}, "an event is a grade with grade None"),
        ({"op": "skip", "grade": 2}, "an event is a skip with grade 2"),
    ],
)
def test_what_no_writer_makes_is_refused(
    tmp_path: Path, event: Make, given: dict[str, Any], message: str
) -> None:
    wrong = event(**({"op": "grade"} | given))
    with pytest.raises(LabelStoreError, match=f"^{re.escape(message)}$"):
        there_and_back(tmp_path, [event(), wrong])


def test_a_column_of_another_type_is_refused(tmp_path: Path, event: Make) -> None:
    columns = tuple(
        arrow.Column("seq", "string") if column.name == "seq" else column
        for column in SCHEMA.columns
    )
    path = tmp_path / "x.parquet"
    values = to_columns([event()]) | {"seq": ["0"]}
    arrow.write(path, arrow.Schema(SCHEMA.name, columns), values)
    with pytest.raises(LabelStoreError, match=r"^column seq holds str, not int64$"):
        from_frame(arrow.read(path), "ann", SESSION)


def test_a_missing_value_where_one_must_be_is_refused(tmp_path: Path, event: Make) -> None:
    columns = tuple(
        arrow.Column(column.name, column.kind, nullable=True) for column in SCHEMA.columns
    )
    path = tmp_path / "x.parquet"
    values = to_columns([event()]) | {"doc_id": [None]}
    arrow.write(path, arrow.Schema(SCHEMA.name, columns), values)
    with pytest.raises(LabelStoreError, match=r"^column doc_id holds NoneType, not string$"):
        from_frame(arrow.read(path), "ann", SESSION)


def test_session_ids_are_of_the_design_and_differ() -> None:
    clock = datetime(2025, 3, 1, 18, 0, tzinfo=timezone(timedelta(hours=9)))
    made = {new_session_id(lambda: clock) for _ in range(20)}
    assert len(made) == 20
    for session in made:
        assert re.fullmatch(r"20250301T090000Z-[0-9a-f]{8}", session)
        assert SEGMENT_NAME.fullmatch(segment_name(session, 0))


def test_more_than_ten_thousand_segments_still_have_names() -> None:
    assert segment_name(SESSION, 12345) == f"{SESSION}-12345.parquet"
    assert SEGMENT_NAME.fullmatch(segment_name(SESSION, 12345))


def test_judgments_from_elsewhere_become_events() -> None:
    at = datetime(2025, 3, 1, 9, 0, tzinfo=UTC)
    made = list(
        recorded(
            [Judgment("q1", "d1", 2, note="n"), Judgment("q1", "d2", 0, hard_negative=True)],
            annotator="judge-model",
            source="machine",
            session=SESSION,
            at=at,
            first=5,
            model="m",
            prompt_sha="p",
        )
    )
    assert [(e.seq, e.doc_id, e.grade, e.hard_negative, e.note) for e in made] == [
        (5, "d1", 2, False, "n"),
        (6, "d2", 0, True, None),
    ]
    assert {(e.source, e.op, e.model, e.prompt_sha, e.at) for e in made} == {
        ("machine", "grade", "m", "p", at)
    }
    assert len({e.event_id for e in made}) == 2
