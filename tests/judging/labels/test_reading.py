"""One bad file among good ones: it is named, and the rest is read."""

from __future__ import annotations

import gc
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.core import arrow
from judge.core.model import Event
from judge.judging.labels import SCHEMA, STATE_COLUMNS, Labels, SegmentWriter, read_labels
from judge.judging.labels.events import to_columns

Make = Callable[..., Event]
SESSION = "20250301T090000Z-00000001"
OTHER = "20250301T090000Z-00000002"


@pytest.fixture
def store(tmp_path: Path, event: Make) -> Path:
    """`labels/demo` with two events of `ann` and one of `bob`."""
    folder = tmp_path / "labels" / "demo"
    writer = SegmentWriter(folder / "ann", "demo", SESSION)
    writer.append(event(grade=1))
    writer.append(event(grade=2, doc_id="d2"))
    bob = SegmentWriter(folder / "bob", "demo", OTHER)
    bob.append(event(grade=3, annotator="bob", session=OTHER))
    return folder


def grades(labels: Labels) -> list[tuple[str, str, int | None]]:
    return sorted((p.annotator, p.doc_id, s.grade) for p, s in labels.states.items())


GOOD = [("ann", "d1", 1), ("ann", "d2", 2), ("bob", "d1", 3)]


def test_all_annotators_are_read(store: Path) -> None:
    labels = read_labels(store, "demo")
    assert grades(labels) == GOOD
    assert labels.annotators == ("ann", "bob")
    assert labels.warnings == ()


def test_one_annotator_can_be_read_alone(store: Path) -> None:
    assert grades(read_labels(store, "demo", ["bob"])) == [("bob", "d1", 3)]


def test_a_store_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert read_labels(tmp_path / "labels" / "demo", "demo") == Labels()


def test_a_copied_file_counts_once(store: Path) -> None:
    original = store / "ann" / f"{SESSION}-0000.parquet"
    shutil.copy(original, store / "ann" / f"{SESSION}-0007.parquet")
    labels = read_labels(store, "demo")
    assert len(labels.events) == 3
    assert grades(labels) == GOOD


def damage(path: Path, kind: str) -> None:
    content = path.read_bytes()
    cut = {"empty": b"", "garbage": b"\0" * 500, "text": b"hello", "truncated": content[:-20]}
    path.write_bytes(cut[kind])


@pytest.mark.parametrize("kind", ["empty", "garbage", "text", "truncated"])
def test_a_damaged_segment_is_named_and_the_rest_read(store: Path, kind: str) -> None:
    bad = store / "ann" / f"{OTHER}-0000.parquet"
    shutil.copy(store / "ann" / f"{SESSION}-0000.parquet", bad)
    damage(bad, kind)
    labels = read_labels(store, "demo")
    assert grades(labels) == GOOD
    [warning] = labels.warnings
    assert warning.startswith(f"{bad}: not read: not a readable Parquet file")


def put(path: Path, event: Event, **metadata: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    named = {"dataset": "demo", "annotator": path.parent.name, "session": path.name[:25]}
    name = metadata.pop("schema", SCHEMA.name)
    schema = arrow.Schema(name, SCHEMA.columns)
    arrow.write(path, schema, to_columns([event]), named | metadata)


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        (
            {"schema": "judge.labels/2"},
            "its schema is judge.labels/2: a newer judge wrote it; update to read it",
        ),
        ({"schema": "judge.labels/0"}, 'its schema is "judge.labels/0", not judge.labels/1'),
        ({"schema": "judge.run/1"}, 'its schema is "judge.run/1", not judge.labels/1'),
        ({"dataset": "other"}, 'it belongs to dataset "other", not "demo"'),
        ({"annotator": "bob"}, 'it belongs to annotator "bob", not "ann"'),
        ({"session": "s"}, f'it belongs to session "s", not "{OTHER}"'),
    ],
)
def test_a_strange_segment_is_named_and_left_out(
    store: Path, event: Make, metadata: dict[str, str], reason: str
) -> None:
    path = store / "ann" / f"{OTHER}-0000.parquet"
    put(path, event(session=OTHER, doc_id="d9"), **metadata)
    labels = read_labels(store, "demo")
    assert grades(labels) == GOOD
    assert labels.warnings == (f"{path}: not read: {reason}",)


def test_a_segment_without_a_column_is_named(store: Path, event: Make) -> None:
    path = store / "ann" / f"{OTHER}-0000.parquet"
    columns = tuple(column for column in SCHEMA.columns if column.name not in ("op", "grade"))
    metadata = {"dataset": "demo", "annotator": "ann", "session": OTHER}
    values = to_columns([event(session=OTHER)])
    arrow.write(path, arrow.Schema(SCHEMA.name, columns), values, metadata)
    labels = read_labels(store, "demo")
    assert grades(labels) == GOOD
    assert labels.warnings == (f"{path}: not read: there is no column op, grade",)


def test_a_newer_segment_without_a_column_is_named_as_newer(store: Path, event: Make) -> None:
    path = store / "ann" / f"{OTHER}-0000.parquet"
    columns = tuple(column for column in SCHEMA.columns if column.name != "op")
    arrow.write(path, arrow.Schema("judge.labels/2", columns), to_columns([event()]))
    reason = "its schema is judge.labels/2: a newer judge wrote it; update to read it"
    assert read_labels(store, "demo").warnings == (f"{path}: not read: {reason}",)


def test_reading_only_what_a_state_depends_on_gives_the_same_states(
    store: Path, event: Make
) -> None:
    circumstances: dict[str, Any] = {
        "seconds": 2.5,
        "position": 4,
        "order": "gap",
        "pool": "p",
        "repeat": True,
        "informed_by": "machine",
        "query_sha": "a",
        "doc_sha": "b",
        "guideline_sha": "c",
        "model": "m",
        "prompt_sha": "d",
        "tool": "judge 0.1.0",
    }
    full = {"session": OTHER, "note": "n", "evidence": ((0, 4),), **circumstances}
    first = event(grade=0, doc_id="d9", hard_negative=True, **full)
    SegmentWriter(store / "ann", "demo", OTHER).append_batch(
        [
            first,
            event("cannot_judge", doc_id="d8", reason="r", **full),
            event("flag", doc_id="d7", **full),
            event(grade=3, doc_id="d8", **full),
            event("undo", session=OTHER, target="e6"),
        ]
    )
    everything = read_labels(store, "demo")
    less = read_labels(store, "demo", columns=STATE_COLUMNS)
    assert [e.event_id for e in everything.events][-2:] == ["e6", "e7"]
    assert less.states == everything.states
    kinds = {p.doc_id: s.kind for p, s in less.states.items() if p.annotator == "ann"}
    assert (kinds["d9"], kinds["d8"], kinds["d7"]) == ("graded", "cannot_judge", "unjudged")
    assert first in everything.events
    bare = {name: Event._field_defaults[name] for name in circumstances}
    assert first._replace(**bare) in less.events


def test_additional_columns_do_no_harm(store: Path, event: Make) -> None:
    path = store / "ann" / f"{OTHER}-0000.parquet"
    columns = (*SCHEMA.columns, arrow.Column("mood", "string"))
    metadata = {"dataset": "demo", "annotator": "ann", "session": OTHER}
    values = to_columns([event(session=OTHER, doc_id="d9")]) | {"mood": ["good"]}
    arrow.write(path, arrow.Schema(SCHEMA.name, columns), values, metadata)
    assert grades(read_labels(store, "demo")) == sorted([*GOOD, ("ann", "d9", 1)])


def test_files_that_are_no_segments(store: Path) -> None:
    segment = store / "ann" / f"{SESSION}-0000.parquet"
    for passed_over in ("README.md", f".{SESSION}-0001.parquet.99.tmp", ".hidden.parquet"):
        (store / "ann" / passed_over).write_bytes(b"x")
    (store / ".git").mkdir()
    shutil.copy(segment, store / "ann" / "copy of a segment.parquet")
    shutil.copy(segment, store / "loose.parquet")
    (store / "Not A Name").mkdir()
    shutil.copy(segment, store / "Not A Name" / segment.name)
    labels = read_labels(store, "demo")
    assert grades(labels) == GOOD
    assert sorted(labels.warnings) == sorted(
        [
            f'{store}/Not A Name: not read: "Not A Name" is not an annotator\'s name',
            f"{store}/ann/copy of a segment.parquet: not read: its name is not that of a segment",
            f"{store}/loose.parquet: not read: it is not in an annotator's folder",
        ]
    )


def test_a_folder_in_place_of_a_segment_is_named(store: Path) -> None:
    (store / "ann" / f"{OTHER}-0000.parquet").mkdir()
    labels = read_labels(store, "demo")
    assert grades(labels) == GOOD
    assert len(labels.warnings) == 1


def test_a_file_in_place_of_the_store_is_named(tmp_path: Path) -> None:
    path = tmp_path / "demo"
    path.write_text("x")
    assert read_labels(path, "demo").warnings == (f"{path}: not read: Not a directory",)


def test_events_come_in_the_total_order(store: Path, event: Make) -> None:
    late = "20250301T070000Z-00000003"  # sorts first by name, comes last by time
    SegmentWriter(store / "ann", "demo", late).append(event(grade=0, session=late))
    labels = read_labels(store, "demo")
    assert [e.grade for e in labels.events] == [1, 2, 3, 0]
    assert grades(labels)[0] == ("ann", "d1", 0)


def test_the_collector_is_left_as_it_was(store: Path) -> None:
    assert gc.isenabled()
    _ = read_labels(store, "demo").states
    assert gc.isenabled()
    gc.disable()
    try:
        _ = read_labels(store, "demo").states
        assert not gc.isenabled()
    finally:
        gc.enable()


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7), cut=st.booleans())
def test_no_damage_ever_raises_or_hides_other_files(
    store: Path, place: float, bit: int, cut: bool
) -> None:
    good = (store / "ann" / f"{SESSION}-0000.parquet").read_bytes()
    at = int(place * len(good))
    flipped = bytes([good[at] ^ 1 << bit])
    broken = store / "ann" / f"{SESSION}-0001.parquet"
    broken.write_bytes(good[:at] if cut else good[:at] + flipped + good[at + 1 :])
    labels = read_labels(store, "demo")
    assert {e.event_id for e in labels.events} >= {"e0", "e1", "e2"}
    assert all(re.match(rf"{re.escape(str(broken))}: not read: .", w) for w in labels.warnings)
    if cut:
        assert len(labels.warnings) == 1


def test_a_flipped_bit_is_named_and_hides_nothing(store: Path) -> None:
    bad = store / "ann" / f"{OTHER}-0000.parquet"
    content = bytearray((store / "ann" / f"{SESSION}-0000.parquet").read_bytes())
    content[content.index(b"human")] ^= 1
    bad.write_bytes(content)
    labels = read_labels(store, "demo")
    assert grades(labels) == GOOD
    [warning] = labels.warnings
    assert warning.startswith(f"{bad}: not read: not a readable Parquet file: ")
    assert "CRC" in warning


def test_a_column_of_another_kind_is_named(store: Path, event: Make) -> None:
    path = store / "ann" / f"{OTHER}-0000.parquet"
    columns = tuple(
        arrow.Column("at", "string") if column.name == "at" else column for column in SCHEMA.columns
    )
    metadata = {"dataset": "demo", "annotator": "ann", "session": OTHER}
    rows = {**to_columns([event(session=OTHER)]), "at": ["yesterday"]}
    arrow.write(path, arrow.Schema(SCHEMA.name, columns), rows, metadata)
    labels = read_labels(store, "demo")
    assert grades(labels) == GOOD
    assert labels.warnings == (f"{path}: not read: column at holds string",)
