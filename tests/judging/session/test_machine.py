"""Whole sessions, whatever is pressed in whatever order, against a model that knows no events.

The model keeps what is thought of every pair, and for each action the whole of it before and after:
undo goes back to the one, redo forward to the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from judge.core.model import Candidate, Document, Event, Query, Scale
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.judging.labels import read_labels
from judge.judging.session import Outcome, Session
from tests.judging.session.machine_model import (
    LONG,
    POOL,
    RELEVANT,
    START,
    TEXTS,
    TWIN,
    Disk,
    Key,
    Spans,
    Thought,
    Thoughts,
    as_thought,
)


class Judging(RuleBasedStateMachine):
    """Every rule presses one key, tells the model what it means, and compares."""

    def __init__(self, dataset: Dataset, annotator: str) -> None:
        super().__init__()
        self.dataset, self.annotator = dataset, annotator
        self.now = START
        self.disk = Disk()
        self.thoughts: Thoughts = {(q, d): Thought() for q, docs in POOL.items() for d in docs}
        self.kept: dict[Key, Spans] = {}
        self.done: list[tuple[Thoughts, Thoughts]] = []
        self.undone: list[tuple[Thoughts, Thoughts]] = []
        self.found: tuple[Key, str] | None = None
        self.written = 0
        self.session = self.opened()

    def opened(self) -> Session:
        return Session.open(
            self.dataset, self.annotator, clock=lambda: self.now, tool="t", writer=self.disk
        )

    def teardown(self) -> None:
        self.session.close()

    # --- the model ---

    def here(self) -> Key | None:
        card = self.session.card
        return None if card is None else (card.query.id, card.document.id)

    def shown(self, key: Key) -> Thought:
        """A thought as its card shows it: with the evidence kept for the grade."""
        thought = self.thoughts[key]
        if thought.kind == "graded":
            return thought
        return replace(thought, evidence=self.kept.get(key, ()))

    def events(self) -> list[Event]:
        folder = self.dataset.workspace.label_folder("machine")
        labels = read_labels(folder, "machine", [self.annotator])
        assert labels.warnings == ()
        return sorted(labels.events, key=lambda event: (event.at, event.session, event.seq))

    def press(self, fails: bool, name: str, *given: Any) -> Outcome:
        """Press a key on the painted card and wait for the end of its save."""
        self.now += timedelta(seconds=2)
        card = self.session.card
        assert card is not None or name in ("undo", "redo")
        if card is not None:
            self.session.painted(card.token)
        token = [card.token] if card is not None and name not in ("undo", "redo") else []
        self.disk.full = fails
        outcome: Outcome = getattr(self.session, name)(*token, *given)
        stored = self.session.wait(LONG)
        told = self.session.settle()
        self.disk.full = False
        failed = outcome.accepted and told.message.startswith("NOT SAVED")
        # A failure is told until something is saved.
        assert stored == (self.session.save_state.kind != "failed")
        return replace(outcome, message="NOT SAVED") if failed else outcome

    def act(self, fails: bool, key: tuple[Any, ...], after: dict[Key, Thought] | None) -> None:
        """Press a key that makes these pairs so; None if it is to be refused."""
        before, card = self.thoughts, self.here()
        outcome = self.press(fails, *key)
        assert outcome.accepted == (after is not None)
        if after is None:
            assert self.here() == card
        elif fails:
            assert outcome.message == "NOT SAVED"
            assert self.here() == card  # it is back
            assert self.session.save_state.kind == "failed"
        else:
            self.thoughts = before | after
            self.done.append((before, self.thoughts))
            self.undone = []
            self.check_written(len(after))

    def check_written(self, count: int) -> None:
        """One action more is on disk, and it is whole."""
        new = self.events()[self.written :]
        assert len(new) == count
        assert len({event.event_id.partition("~")[0] for event in new}) == 1
        assert [event.event_id for event in new] == (
            [event.event_id for event in new[:1]]
            if count == 1
            else [f"{new[0].session}-{new[0].seq}~{n}" for n in range(count)]
        )
        assert self.session.save_state.kind == "saved"
        self.written += count

    # --- keys ---

    def card_key(self) -> Key:
        key = self.here()
        assert key is not None
        return key

    @precondition(lambda self: self.here())
    @rule(grade=st.integers(0, 4), fails=st.booleans())
    def grade(self, grade: int, fails: bool) -> None:
        key = self.card_key()
        shown = self.shown(key)
        mark = shown.mark and grade < RELEVANT
        after = {key: self.thoughts[key].graded(grade, mark, "human", shown.evidence)}
        self.act(fails, ("grade", grade), after if grade <= 3 else None)

    @precondition(lambda self: self.here())
    @rule(fails=st.booleans())
    def hard_negative(self, fails: bool) -> None:
        key = self.card_key()
        shown = self.shown(key)
        grade = 0 if shown.grade is None else shown.grade
        mark = shown.grade is None or not shown.mark
        after = {key: self.thoughts[key].graded(grade, mark, "human", shown.evidence)}
        self.act(fails, ("hard_negative",), after if grade < RELEVANT else None)

    @precondition(lambda self: self.here())
    @rule(fails=st.booleans())
    def skip(self, fails: bool) -> None:
        key = self.card_key()
        before = self.thoughts[key]
        judged = before.kind in ("graded", "cannot_judge")
        self.act(fails, ("skip",), None if judged else {key: before.unjudged("skipped")})

    @precondition(lambda self: self.here())
    @rule(fails=st.booleans())
    def cannot_judge(self, fails: bool) -> None:
        key = self.card_key()
        after = {key: self.thoughts[key].unjudged("cannot_judge")}
        self.act(fails, ("cannot_judge", "l"), after)

    @precondition(lambda self: self.here())
    @rule(fails=st.booleans())
    def flag(self, fails: bool) -> None:
        key = self.card_key()
        before = self.thoughts[key]
        self.act(fails, ("flag",), {key: replace(before, flagged=not before.flagged)})

    @precondition(lambda self: self.here())
    @rule(text=st.sampled_from(["", "a", "b"]), fails=st.booleans())
    def note(self, text: str, fails: bool) -> None:
        key = self.card_key()
        before = self.thoughts[key]
        after = None if text == before.note else {key: replace(before, note=text)}
        self.act(fails, ("note", text), after)

    @precondition(lambda self: self.here())
    @rule(fails=st.booleans())
    def clear(self, fails: bool) -> None:
        key = self.card_key()
        before = self.thoughts[key]
        if before.kind == "unjudged":
            self.act(fails, ("clear",), None)
        else:
            self.kept.pop(key, None)
            self.act(fails, ("clear",), {key: before.unjudged()})

    @precondition(lambda self: self.here())
    @rule(
        spans=st.sampled_from([(), ((0, 4),), ((6, 9), (2, 6)), ((0, 200),), ((3, 3),)]),
        fails=st.booleans(),
    )
    def evidence(self, spans: Spans, fails: bool) -> None:
        key = self.card_key()
        shown = self.shown(key)
        joined: Spans = ((2, 9),) if spans == ((6, 9), (2, 6)) else spans
        fits = all(start < end <= len(TEXTS[key[1]]) for start, end in spans)
        if not fits or joined == shown.evidence:
            self.act(fails, ("evidence", spans), None)
        elif shown.kind == "graded":
            after = replace(self.thoughts[key], evidence=joined, source="human")
            self.act(fails, ("evidence", spans), {key: after})
        else:
            assert self.press(fails, "evidence", spans).accepted  # fails or not, nothing is saved
            self.kept[key] = joined

    @precondition(lambda self: self.here())
    @rule()
    def look(self) -> None:
        """Find the twin, if the annotator graded it."""
        query_id, doc_id = key = self.card_key()
        self.session.look_for_near()
        twin = self.thoughts.get((query_id, TWIN.get(doc_id, "")), Thought())
        self.found = (
            (key, TWIN[doc_id]) if twin.source == "human" and twin.grade is not None else None
        )

    @precondition(lambda self: self.here())
    @rule(fails=st.booleans())
    def same(self, fails: bool) -> None:
        key = self.card_key()
        near = self.near(key)
        if near is None or self.thoughts[key].kind == "graded":
            self.act(fails, ("same",), None)
            return
        grade, mark = near.grade, near.mark
        assert grade is not None
        shown = self.shown(key)
        after = self.thoughts[key].graded(grade, mark, "propagated", shown.evidence)
        self.act(fails, ("same",), {key: after})

    def near(self, key: Key) -> Thought | None:
        """What is thought of the twin that a look has found, while a person's grade is there."""
        if self.found is None or self.found[0] != key:
            return None
        twin = self.thoughts[key[0], self.found[1]]
        return twin if twin.grade is not None and twin.source == "human" else None

    @precondition(lambda self: self.here())
    @rule(fails=st.booleans())
    def rest(self, fails: bool) -> None:
        query_id, _ = self.card_key()
        after = {
            key: thought.graded(0, False, "human", self.shown(key).evidence)
            for key, thought in self.thoughts.items()
            if key[0] == query_id and thought.kind == "unjudged"
        }
        self.act(fails, ("rest",), after or None)

    @rule(fails=st.booleans())
    def undo(self, fails: bool) -> None:
        self.back_or_forth(fails, "undo", self.done, self.undone, 0)

    @rule(fails=st.booleans())
    def redo(self, fails: bool) -> None:
        self.back_or_forth(fails, "redo", self.undone, self.done, 1)

    def back_or_forth(
        self,
        fails: bool,
        name: str,
        take: list[tuple[Thoughts, Thoughts]],
        give: list[tuple[Thoughts, Thoughts]],
        side: int,
    ) -> None:
        card = self.here()
        outcome = self.press(fails, name)
        if not take:
            assert outcome == Outcome(False, f"nothing to {name}")
        elif fails:
            assert outcome.message == "NOT SAVED"
            assert self.here() == card
        else:
            assert outcome.message.startswith(f"{name}ne: " if name == "undo" else "redone: ")
            action = take.pop()
            give.append(action)
            self.thoughts = action[side]
            # All that an action changed is in it, and what it left as it was may be: a grade again.
            changed = sum(action[0][key] != action[1][key] for key in action[0])
            self.check_written(max(changed, 1))

    # --- everything else ---

    @rule(
        move=st.sampled_from(
            [
                f"{way}{what}"
                for way in ("next", "previous")
                for what in ("", "_query", "_unfinished")
            ]
        )
    )
    def move(self, move: str) -> None:
        before = self.here()
        outcome = getattr(self.session, move)()
        assert outcome.moved == outcome.accepted
        if not outcome.accepted:
            assert self.here() == before

    @rule(query_id=st.sampled_from(["q1", "q2"]), at=st.integers(0, 3))
    def go(self, query_id: str, at: int) -> None:
        assert self.session.go(query_id, POOL[query_id][at]).moved
        assert self.here() == (query_id, POOL[query_id][at])

    @rule(kind=st.sampled_from(["flagged", "skipped", "cannot_judge"]))
    def revisit(self, kind: Any) -> None:
        def wanted(key: Key | None) -> bool:
            thought = self.thoughts[key] if key else Thought()
            return thought.flagged if kind == "flagged" else thought.kind == kind

        before = self.here()
        outcome = self.session.revisit(kind)
        others = any(wanted(key) for key in self.thoughts if key != before)
        assert outcome.accepted == others
        assert wanted(self.here()) if others else self.here() == before

    @precondition(lambda self: self.here())
    @rule()
    def press_twice(self) -> None:
        """While a save is under way nothing else is judged."""
        key = self.card_key()
        self.now += timedelta(seconds=2)
        before, after = self.thoughts[key], self.thoughts[key]
        after = replace(before, flagged=not before.flagged)
        assert self.session.card is not None
        token = self.session.card.token
        self.session.painted(token)
        self.disk.gate.clear()
        assert self.session.flag(token).accepted
        refusals = [
            self.session.grade(token, 1),
            self.session.rest(token),
            self.session.undo(),
            self.session.redo(),
        ]
        self.disk.gate.set()
        assert {o.message for o in refusals} == {
            "key ignored: the last judgment is still being saved"
        }
        assert self.session.wait(LONG)
        self.session.settle()
        before_all = self.thoughts
        self.thoughts = before_all | {key: after}
        self.done.append((before_all, self.thoughts))
        self.undone = []
        self.check_written(1)

    @rule()
    def restart(self) -> None:
        self.now += timedelta(seconds=2)
        rows = self.session.query_rows()
        self.session.close()
        self.disk = Disk()
        self.session = self.opened()
        self.kept, self.found = {}, None
        assert self.session.query_rows() == rows

    # --- what holds at all times ---

    @invariant()
    def the_screen_shows_the_model(self) -> None:
        here, session = self.here(), self.session
        if here is None:
            assert all(t.kind in ("graded", "cannot_judge") for t in self.thoughts.values())
            return
        assert session.card is not None
        assert as_thought(session.card.state) == self.shown(here)
        near, expected = session.near(), self.near(here)
        assert (near is None) == (expected is None)
        if near is not None and expected is not None:
            assert (near.grade, near.hard_negative) == (expected.grade, expected.mark)
        for query_id, docs in POOL.items():
            session.go(query_id)
            found = {(query_id, row.doc_id): as_thought(row.state) for row in session.rows()}
            assert found == {(query_id, doc): self.thoughts[query_id, doc] for doc in docs}
            best = [row.state.grade for row in session.graded()]
            grades = [t.grade for k, t in self.thoughts.items() if k[0] == query_id]
            assert best == sorted((g for g in grades if g is not None), reverse=True)
        session.go(*here)

    @invariant()
    def the_counts_are_those_of_the_model(self) -> None:
        def count(query_id: str, test: Callable[[Thought], bool]) -> int:
            return sum(test(t) for key, t in self.thoughts.items() if key[0] == query_id)

        judged = {q: count(q, lambda t: t.kind in ("graded", "cannot_judge")) for q in POOL}
        for row in self.session.query_rows():
            name = row.query.id
            assert (row.total, row.judged) == (len(POOL[name]), judged[name])
            assert row.graded == count(name, lambda t: t.kind == "graded")
            assert row.skipped == count(name, lambda t: t.kind == "skipped")
            assert row.flagged == count(name, lambda t: t.flagged)
            assert row.hard_negatives == count(name, lambda t: t.mark)
            assert row.propagated == count(name, lambda t: t.source == "propagated")
        progress = self.session.progress()
        assert progress.done == progress.today == sum(judged.values())
        assert progress.total == sum(map(len, POOL.values()))
        assert progress.queries_done == sum(judged[q] == len(POOL[q]) for q in POOL)
        assert progress.propagated == sum(t.source == "propagated" for t in self.thoughts.values())

    @invariant()
    def the_disk_says_the_same(self) -> None:
        folder = self.dataset.workspace.label_folder("machine")
        states = read_labels(folder, "machine", [self.annotator]).states
        on_disk = {(pair.query_id, pair.doc_id): as_thought(s) for pair, s in states.items()}
        assert on_disk == {key: t for key, t in self.thoughts.items() if t != Thought()}
        assert len(self.events()) == self.written


@pytest.fixture(scope="module")
def machine_dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Two queries with near-copies among their candidates, in two blocks each."""
    workspace = Workspace(tmp_path_factory.mktemp("machine"))
    with stage(workspace, "machine") as staging:
        staging.write_documents(Document(id=name, text=text) for name, text in TEXTS.items())
        staging.write_queries(Query(id=query_id, text=query_id) for query_id in POOL)
        staging.publish(scale=Scale())
    dataset = Dataset.open(workspace, "machine")
    pool = [
        Candidate(query_id, doc_id, "r", rank, rank // 2)
        for query_id, docs in POOL.items()
        for rank, doc_id in enumerate(docs)
    ]
    dataset.add_pool(pool, order="depth", seed=0, made_by={}, now=START - timedelta(days=9))
    return dataset


def run(dataset: Dataset, examples: int, steps: int) -> None:
    names = (f"a{number}-{examples}" for number in itertools.count())

    class Here(Judging):
        """On this dataset, each time as somebody else."""

        def __init__(self) -> None:
            super().__init__(dataset, next(names))

    run_state_machine_as_test(
        Here,
        settings=settings(max_examples=examples, stateful_step_count=steps, deadline=None),
    )


def test_whole_sessions(machine_dataset: Dataset) -> None:
    run(machine_dataset, examples=25, steps=25)


@pytest.mark.slow
def test_many_long_sessions(machine_dataset: Dataset) -> None:
    run(machine_dataset, examples=80, steps=60)
