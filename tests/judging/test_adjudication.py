"""Final grades: what each action writes, what counts then, and what is safe on disk."""

from __future__ import annotations

import datetime as dt
import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from judge.core.errors import InputError
from judge.core.model import Candidate, Document, Event, Judgment, Query, Scale
from judge.core.text import digest
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.judging.adjudication import Adjudication, FinalGrade, Ruling, final_grades
from judge.judging.labels import Labels, SegmentWriter, fold, read_labels, recorded
from judge.judging.merge import merge_labels
from judge.judging.session import Session

NOW = dt.datetime(2025, 3, 1, 9, tzinfo=dt.UTC)


def made(root: Path) -> Dataset:
    workspace = Workspace(root)
    with stage(workspace, "demo") as staging:
        staging.write_documents(
            [
                Document(id="d1", title="One", text="text 1"),
                Document(id="d2", text="text 2"),
                Document(id="gone", text=None),
            ]
        )
        staging.write_queries([Query(id="q1", text="first", description="need")])
        staging.publish(scale=Scale())
    return Dataset.open(workspace, "demo")


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """One query, two documents with text and one without."""
    return made(tmp_path)


def stored(dataset: Dataset) -> Labels:
    labels = read_labels(dataset.workspace.label_folder("demo"), "demo")
    assert labels.warnings == ()
    return labels


@pytest.fixture
def begin(dataset: Dataset) -> Iterator[Callable[..., Adjudication]]:
    """Opens adjudications on what the store says, and closes all of them."""
    opened: list[Adjudication] = []
    tokens = itertools.count()

    def start(name: str = "lead", **given: Any) -> Adjudication:
        given.setdefault("clock", lambda: NOW)
        found = Adjudication.open(
            dataset, name, stored(dataset), token=lambda _: f"{next(tokens):08x}", **given
        )
        opened.append(found)
        return found

    yield start
    for adjudication in opened:
        adjudication.close()


def saved(adjudication: Adjudication, ruling: Ruling) -> Ruling:
    assert adjudication.wait(30)
    assert adjudication.settle().accepted
    assert adjudication.save_state.kind == "saved"
    return ruling


def judge(dataset: Dataset, annotator: str, grade: int, doc_id: str = "d1") -> None:
    session = f"20250301T080000Z-{sum(map(ord, annotator)):08x}"
    writer = SegmentWriter(dataset.workspace.label_folder("demo") / annotator, "demo", session)
    given = [Judgment("q1", doc_id, grade, note=f"of {annotator}")]
    at = NOW - dt.timedelta(hours=1)
    writer.append_batch(
        recorded(given, annotator=annotator, source="human", session=session, at=at)
    )


def test_a_final_grade_is_an_event_of_its_own_source(
    dataset: Dataset, begin: Callable[..., Adjudication]
) -> None:
    lead = begin(tool="t")
    ruling = saved(lead, lead.grade("q1", "d1", 2))
    assert ruling == Ruling(True, "", ("q1", "d1"))
    assert lead.final("q1", "d1") == FinalGrade("lead", 2)
    (event,) = stored(dataset).events
    assert event == Event(
        "20250301T090000Z-00000000-0",
        "20250301T090000Z-00000000",
        0,
        NOW,
        "lead",
        "adjudicated",
        "grade",
        "q1",
        "d1",
        grade=2,
        query_sha=digest("first", "need"),
        doc_sha=digest("One", "text 1"),
        tool="t",
    )
    assert final_grades(stored(dataset)) == {("q1", "d1"): FinalGrade("lead", 2)}


def test_merging_takes_the_final_grade(
    dataset: Dataset, begin: Callable[..., Adjudication]
) -> None:
    judge(dataset, "ana", 0)
    judge(dataset, "bo", 3)
    lead = begin()
    saved(lead, lead.grade("q1", "d1", 1, hard_negative=True))
    merged = merge_labels(stored(dataset), Scale(), "adjudicated")
    assert [(j.grade, j.hard_negative) for j in merged.judgments] == [(1, True)]


def test_marks(begin: Callable[..., Adjudication]) -> None:
    lead = begin()
    saved(lead, lead.hard_negative("q1", "d1"))
    assert lead.final("q1", "d1") == FinalGrade("lead", 0, True)
    saved(lead, lead.grade("q1", "d1", 1))
    assert lead.final("q1", "d1") == FinalGrade("lead", 1, True)
    saved(lead, lead.hard_negative("q1", "d1"))
    assert lead.final("q1", "d1") == FinalGrade("lead", 1, False)
    saved(lead, lead.hard_negative("q1", "d1"))
    saved(lead, lead.grade("q1", "d1", 3))
    assert lead.final("q1", "d1") == FinalGrade("lead", 3, False)
    refused = lead.hard_negative("q1", "d1")
    assert not refused.accepted
    assert refused.message == "no hard negative: grade 3 is relevant; grade it 1 or lower first"


def test_a_note_may_come_first_and_goes_with_the_grade(
    dataset: Dataset, begin: Callable[..., Adjudication]
) -> None:
    lead = begin()
    saved(lead, lead.note("q1", "d1", "half of it"))
    assert lead.final("q1", "d1") is None
    assert lead.note_on("q1", "d1") == "half of it"
    assert lead.note("q1", "d1", "half of it").message == "the note is as it was"
    saved(lead, lead.grade("q1", "d1", 2))
    assert lead.final("q1", "d1") == FinalGrade("lead", 2, False, "half of it")
    assert stored(dataset).events[-1].note == "half of it"
    saved(lead, lead.note("q1", "d1", ""))
    assert lead.final("q1", "d1") == FinalGrade("lead", 2)


def test_clear_takes_the_own_grade_away_and_brings_back_that_of_another(
    begin: Callable[..., Adjudication],
) -> None:
    first = begin("first")
    saved(first, first.grade("q1", "d1", 3))
    lead = begin()
    assert lead.final("q1", "d1") == FinalGrade("first", 3)
    assert lead.undo() == Ruling(False, "nothing to undo")
    assert lead.clear("q1", "d1").message == "nothing to clear: you gave it no final grade"
    saved(lead, lead.grade("q1", "d1", 1))
    assert lead.final("q1", "d1") == FinalGrade("lead", 1)
    saved(lead, lead.clear("q1", "d1"))
    assert lead.final("q1", "d1") == FinalGrade("first", 3)
    saved(lead, lead.undo())
    assert lead.final("q1", "d1") == FinalGrade("lead", 1)


def test_undo_and_redo_reach_into_sessions_before(begin: Callable[..., Adjudication]) -> None:
    lead = begin()
    saved(lead, lead.grade("q1", "d1", 2))
    saved(lead, lead.grade("q1", "d2", 1))
    lead.close()
    lead = begin()
    ruling = saved(lead, lead.undo())
    assert ruling == Ruling(True, "undone: final grade 1 on d2 (query q1)", ("q1", "d2"))
    saved(lead, lead.undo())
    assert lead.final("q1", "d1") is None
    assert lead.undo() == Ruling(False, "nothing to undo")
    lead.close()
    lead = begin()
    ruling = saved(lead, lead.redo())
    assert ruling == Ruling(True, "redone: final grade 2 on d1 (query q1)", ("q1", "d1"))
    saved(lead, lead.redo())
    assert lead.final("q1", "d2") == FinalGrade("lead", 1)
    assert lead.redo() == Ruling(False, "nothing to redo")
    saved(lead, lead.undo())
    saved(lead, lead.grade("q1", "d1", 3))
    assert lead.redo() == Ruling(False, "nothing to redo")


def test_what_the_adjudicator_judged_as_an_annotator_is_another_matter(
    dataset: Dataset, begin: Callable[..., Adjudication]
) -> None:
    judge(dataset, "lead", 3)
    lead = begin()
    assert lead.final("q1", "d1") is None
    assert lead.note_on("q1", "d1") == ""
    assert lead.undo() == Ruling(False, "nothing to undo")
    saved(lead, lead.grade("q1", "d1", 1))
    assert final_grades(stored(dataset)) == {("q1", "d1"): FinalGrade("lead", 1)}
    saved(lead, lead.undo())
    states = fold(stored(dataset).events)
    assert [(s.grade, s.source, s.note) for s in states.values()] == [(3, "human", "of lead")]


def test_only_one_is_under_way_and_a_failed_one_is_taken_back(
    begin: Callable[..., Adjudication],
) -> None:
    class Stuck:
        """Waits for a word, then fails as long as it is told to."""

        def __init__(self, *_: Any) -> None:
            self.go, self.broken = threading.Event(), True

        def append(self, *events: Event) -> None:
            del events
            assert self.go.wait(30)
            if self.broken:
                raise OSError(28, "No space left on device")

        def close(self) -> None:
            """End."""

    stuck = Stuck()
    lead = begin(writer=lambda *_: stuck)

    def state() -> str:
        return lead.save_state.kind

    told = threading.Event()
    lead.subscribe(told.set)
    assert lead.grade("q1", "d1", 2).accepted
    assert state() == "saving"
    assert lead.settle() == Ruling(True)
    acts: list[Callable[[], Ruling]] = [
        lambda: lead.grade("q1", "d2", 1),
        lambda: lead.hard_negative("q1", "d2"),
        lambda: lead.note("q1", "d2", "n"),
        lambda: lead.clear("q1", "d1"),
        lead.undo,
        lead.redo,
    ]
    for act in acts:
        assert act() == Ruling(False, "key ignored: the last final grade is still being saved")
    stuck.go.set()
    assert told.wait(30)
    ruling = lead.settle()
    assert not ruling.accepted
    assert ruling.pair == ("q1", "d1")
    assert "NOT SAVED: final grade 2 on d1 (query q1): No space left on device" in ruling.message
    assert state() == "failed"
    assert not lead.wait(1)
    assert lead.final("q1", "d1") is None
    assert lead.undo() == Ruling(False, "nothing to undo")
    stuck.broken = False
    saved(lead, lead.grade("q1", "d1", 2))
    assert lead.final("q1", "d1") == FinalGrade("lead", 2)


def test_a_clock_that_is_behind_does_not_make_it_older(
    dataset: Dataset, begin: Callable[..., Adjudication]
) -> None:
    judge(dataset, "lead", 3)
    lead = begin(clock=lambda: NOW - dt.timedelta(days=300))
    saved(lead, lead.grade("q1", "d1", 1))
    assert [e.source for e in stored(dataset).events] == ["human", "adjudicated"]


@pytest.mark.parametrize(
    ("doc_id", "grade", "why"),
    [
        ("d1", 4, "grade 4 is not on the scale 0-3"),
        ("d1", -1, "grade -1 is not on the scale 0-3"),
        ("nowhere", 1, "the dataset has this query or document no more"),
        ("gone", 1, "this document has no text"),
    ],
)
def test_what_cannot_be_settled(
    dataset: Dataset, begin: Callable[..., Adjudication], doc_id: str, grade: int, why: str
) -> None:
    lead = begin()
    ruling = lead.grade("q1", doc_id, grade)
    assert not ruling.accepted
    assert why in ruling.message
    assert stored(dataset).events == ()


def test_nothing_is_settled_after_the_end(begin: Callable[..., Adjudication]) -> None:
    lead = begin()
    lead.close()
    assert lead.grade("q1", "d1", 1).message == "key ignored: the adjudication is closed"


@pytest.mark.parametrize("name", ["gold", "../x", "Lead"])
def test_names_that_are_nobody_s(begin: Callable[..., Adjudication], name: str) -> None:
    with pytest.raises(InputError):
        begin(name)


class Desk(RuleBasedStateMachine):
    """An adjudicator against a list of finals with a stack of what was before."""

    folders: Iterator[Path]

    def __init__(self) -> None:
        super().__init__()
        self.dataset = made(next(self.folders))
        self.tokens = itertools.count()
        self.fails = False
        self.finals: dict[str, tuple[int, bool]] = {}
        self.done: list[dict[str, tuple[int, bool]]] = []
        self.undone: list[dict[str, tuple[int, bool]]] = []
        self.open()

    def open(self) -> None:
        machine = self

        class Writer(SegmentWriter):
            def append(self, *events: Event) -> None:
                if machine.fails:
                    raise OSError("no")
                super().append(*events)

        self.desk = Adjudication.open(
            self.dataset,
            "lead",
            stored(self.dataset),
            clock=lambda: NOW,
            token=lambda _: f"{next(self.tokens):08x}",
            writer=Writer,
        )

    def act(self, ruling: Ruling, after: dict[str, tuple[int, bool]] | None) -> None:
        """Compare with what the model expects; None: a refusal."""
        assert ruling.accepted == (after is not None), ruling
        self.desk.wait(30)
        settled = self.desk.settle()
        assert settled.accepted == (after is None or not self.fails)
        if after is not None and not self.fails:
            self.done.append(self.finals)
            self.finals, self.undone = after, []

    @rule(doc=st.sampled_from(["d1", "d2"]), grade=st.integers(0, 3))
    def grade(self, doc: str, grade: int) -> None:
        marked = self.finals.get(doc, (0, False))[1] and grade < 2
        self.act(self.desk.grade("q1", doc, grade), self.finals | {doc: (grade, marked)})

    @rule(doc=st.sampled_from(["d1", "d2"]))
    def mark(self, doc: str) -> None:
        grade, marked = self.finals.get(doc, (0, False))
        after = self.finals | {doc: (grade, not marked)} if grade < 2 else None
        self.act(self.desk.hard_negative("q1", doc), after)

    @rule(doc=st.sampled_from(["d1", "d2"]))
    def clear(self, doc: str) -> None:
        after = {d: f for d, f in self.finals.items() if d != doc} if doc in self.finals else None
        self.act(self.desk.clear("q1", doc), after)

    @rule()
    def undo(self) -> None:
        self.travel(self.desk.undo(), self.done, self.undone)

    @rule()
    def redo(self) -> None:
        self.travel(self.desk.redo(), self.undone, self.done)

    def travel(self, ruling: Ruling, source: list[Any], other: list[Any]) -> None:
        assert ruling.accepted == bool(source)
        self.desk.wait(30)
        self.desk.settle()
        if source and not self.fails:
            other.append(self.finals)
            self.finals = source.pop()

    @rule(fails=st.booleans())
    def disk(self, *, fails: bool) -> None:
        self.fails = fails

    @rule()
    def restart(self) -> None:
        self.desk.close()
        self.open()

    @invariant()
    def alike(self) -> None:
        for found in (
            {p: self.desk.final("q1", p) for p in ("d1", "d2")},
            {p: final_grades(stored(self.dataset)).get(("q1", p)) for p in ("d1", "d2")},
        ):
            assert {d: (f.grade, f.hard_negative) for d, f in found.items() if f} == self.finals

    def teardown(self) -> None:
        self.desk.close()


def test_any_course_of_actions(tmp_path: Path) -> None:
    Desk.folders = (tmp_path / str(number) for number in itertools.count())
    run_state_machine_as_test(
        Desk, settings=settings(max_examples=15, stateful_step_count=25, deadline=None)
    )


def test_a_session_of_the_same_person_leaves_final_grades_alone(tmp_path: Path) -> None:
    dataset = made(tmp_path)
    pairs = [Candidate("q1", "d1", "r", 1, 0), Candidate("q1", "d2", "r", 2, 0)]
    dataset.add_pool(pairs, order="depth", seed=1, made_by={}, now=NOW)
    judge(dataset, "lead", 3)
    chair = Adjudication.open(dataset, "lead", stored(dataset))
    actions: list[Callable[[], object]] = [lambda: chair.grade("q1", "d1", 1), chair.undo]
    for action in actions:
        action()
        assert chair.wait(9)
        chair.settle()
    session = Session.open(dataset, "lead")
    assert session.redo().message == "nothing to redo"
    session.close()
    assert not final_grades(stored(dataset))
    # Settled and taken back again: the own grade stands as it was given.
    chair.close()
    chair = Adjudication.open(dataset, "lead", stored(dataset))
    chair.grade("q1", "d1", 1)
    assert chair.wait(9)
    chair.settle()
    states = {pair.doc_id: state for pair, state in stored(dataset).states.items()}
    assert (states["d1"].grade, states["d1"].source) == (1, "adjudicated")
    chair.clear("q1", "d1")
    assert chair.wait(9)
    chair.close()
    states = {pair.doc_id: state for pair, state in stored(dataset).states.items()}
    assert (states["d1"].grade, states["d1"].source) == (3, "human")
