"""From judgments to qrels: each rule by hand, which sources count, and what is said."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import InputError, NotFound
from judge.core.model import Event, Judgment, Scale
from judge.judging.labels import SOURCES, Labels, ordered
from judge.judging.merge import GIVEN, PEOPLE, RULES, merge_labels

Make = Callable[..., Event]
START = datetime(2025, 3, 1, tzinfo=UTC)
NAMES = ("ann", "bob", "cem", "dee", "eve")


def store(*events: Event) -> Labels:
    return Labels(ordered(events))


def graded(make: Make, *grades: int | None, **given: Any) -> list[Event]:
    """One annotator after the other grades a pair; None passes."""
    return [
        make(grade=grade, annotator=name, **given)
        for name, grade in zip(NAMES, grades, strict=False)
        if grade is not None
    ]


@pytest.mark.parametrize(
    ("rule", "grades", "expected", "tie"),
    [
        ("median-low", (3,), 3, False),
        ("median-low", (1, 2), 1, True),
        ("median-low", (2, 2), 2, False),
        ("median-low", (0, 3, 2), 2, False),
        ("median-low", (0, 1, 3, 3), 1, True),
        ("median-high", (1, 2), 2, True),
        ("median-high", (0, 1, 3, 3), 3, True),
        ("median-high", (0, 3, 2), 2, False),
        ("majority", (0, 3, 3), 3, False),
        ("majority", (1, 3), 1, True),
        ("majority", (3, 3, 0, 0, 2), 0, True),
        ("min", (3, 1, 2), 1, False),
        ("max", (3, 1, 2), 3, False),
        ("latest", (3, 1, 2), 2, False),
        ("adjudicated", (1, 2), 1, True),
    ],
)
def test_rules_by_hand(
    event: Make, rule: str, grades: tuple[int, ...], expected: int, tie: bool
) -> None:
    merged = merge_labels(store(*graded(event, *grades)), Scale(), rule)
    assert merged.judgments == [Judgment("q1", "d1", expected)]
    assert merged.ties == int(tie)
    assert merged.rule == rule
    assert merged.annotators == NAMES[: len(grades)]
    assert merged.sources == {"human": len(grades)}


def test_there_is_a_case_for_every_rule() -> None:
    assert set(RULES) == {
        *("adjudicated", "median-low", "median-high", "majority", "min", "max", "latest")
    }


def test_the_default_is_median_low(event: Make) -> None:
    labels = store(*graded(event, 1, 2))
    assert merge_labels(labels, Scale()) == merge_labels(labels, Scale(), "median-low")


def test_latest_at_the_same_moment_takes_the_lower(event: Make) -> None:
    merged = merge_labels(store(*graded(event, 2, 1, at=START)), Scale(), "latest")
    assert (merged.judgments[0].grade, merged.ties) == (1, 1)


def test_an_adjudicator_settles_grade_and_mark(event: Make) -> None:
    labels = store(
        *graded(event, 3, 3),
        event(grade=1, annotator="dee", source="adjudicated", hard_negative=True, note="see p. 3"),
    )
    merged = merge_labels(labels, Scale(), "adjudicated")
    assert merged.judgments == [Judgment("q1", "d1", 1, hard_negative=True, note="see p. 3")]
    assert merged.ties == 0
    later = event(grade=2, annotator="eve", source="adjudicated")
    again = merge_labels(store(*labels.events, later), Scale(), "adjudicated")
    assert again.judgments[0].grade == 2


def test_one_annotator_alone(event: Make) -> None:
    labels = store(*graded(event, 3, 1), *graded(event, 2, doc_id="d2"))
    merged = merge_labels(labels, Scale(), "bob")
    assert merged.judgments == [Judgment("q1", "d1", 1)]
    assert (merged.rule, merged.annotators) == ("annotator:bob", ("bob",))


def test_an_annotator_named_like_a_rule(event: Make) -> None:
    labels = store(event(grade=1, annotator="max"), event(grade=3, annotator="bob"))
    assert merge_labels(labels, Scale(), "max").judgments[0].grade == 3
    assert merge_labels(labels, Scale(), "annotator:max").judgments[0].grade == 1


def test_an_unknown_rule_names_what_is_near(event: Make) -> None:
    with pytest.raises(NotFound, match=r'no rule or annotator "median"; did you mean "median-'):
        merge_labels(store(event()), Scale(), "median")


def test_judgments_come_by_query_and_document(event: Make) -> None:
    labels = store(
        event(query_id="q2"), event(query_id="q10"), event(doc_id="d9"), event(doc_id="d10")
    )
    pairs = [(j.query_id, j.doc_id) for j in merge_labels(labels, Scale()).judgments]
    assert pairs == [("q1", "d10"), ("q1", "d9"), ("q10", "d1"), ("q2", "d1")]


def test_human_and_adjudicated_leave_import_gold_and_machine_out(event: Make) -> None:
    labels = store(
        event(grade=3),
        event(grade=0, annotator="gold", source="gold"),
        event(grade=0, annotator="trec", source="import"),
        event(grade=0, annotator="llm", source="machine"),
        event(grade=0, annotator="llm", source="machine", doc_id="d2"),
        event(grade=1, annotator="trec", source="import", doc_id="d3"),
    )
    merged = merge_labels(labels, Scale())
    assert merged.judgments == [Judgment("q1", "d1", 3)]
    assert (merged.sources, merged.annotators) == ({"human": 1}, ("ann",))
    assert merged.notes == ("gold and import grades are left out, as there are human ones",)


def test_without_people_import_and_gold_count(event: Make) -> None:
    labels = store(
        event(grade=2, annotator="gold", source="gold"),
        event(grade=1, annotator="trec", source="import", doc_id="d2"),
        event(grade=0, annotator="llm", source="machine", doc_id="d3"),
        event("skip", doc_id="d4"),
    )
    merged = merge_labels(labels, Scale())
    assert [(j.doc_id, j.grade) for j in merged.judgments] == [("d1", 2), ("d2", 1)]
    assert merged.sources == {"gold": 1, "import": 1}
    assert merged.notes == ("there are no human grades: imported and gold ones are used",)


def test_propagated_count_but_are_named_apart(event: Make) -> None:
    labels = store(
        event(grade=2), event(grade=2, source="propagated", doc_id="d2"), event(doc_id="d3")
    )
    merged = merge_labels(labels, Scale())
    assert len(merged.judgments) == 3
    assert merged.sources == {"human": 2, "propagated": 1}
    assert merged.notes == ("1 of 3 verdicts are propagated from like documents",)


def test_machines_count_only_when_named(event: Make) -> None:
    labels = store(event(grade=1, annotator="llm", source="machine"))
    assert merge_labels(labels, Scale()).judgments == []
    named = merge_labels(labels, Scale(), sources=["machine"])
    assert named.judgments == [Judgment("q1", "d1", 1)]
    assert merge_labels(labels, Scale(), "llm").judgments == named.judgments


def test_named_sources_are_taken_exactly(event: Make) -> None:
    labels = store(event(grade=3), event(grade=1, annotator="gold", source="gold", doc_id="d2"))
    merged = merge_labels(labels, Scale(), sources=["gold"])
    assert [(j.doc_id, j.grade) for j in merged.judgments] == [("d2", 1)]


def test_skip_cannot_judge_and_flag_leave_a_pair_unjudged(event: Make) -> None:
    labels = store(
        event("skip", doc_id="d1"),
        event("cannot_judge", doc_id="d2"),
        event("flag", doc_id="d3"),
        event(grade=2, doc_id="d4"),
        event("flag", doc_id="d4"),
        event("cannot_judge", doc_id="d4", annotator="bob"),
        event("note", doc_id="d5", note="n"),
        event("skip", doc_id="d2", annotator="bob"),
    )
    merged = merge_labels(labels, Scale())
    assert merged.judgments == [Judgment("q1", "d4", 2)]
    assert merged.unjudged == {"skipped": 1, "cannot_judge": 1, "flagged": 1}


@pytest.mark.parametrize(
    ("verdicts", "grade", "mark"),
    [
        ([(0, True)], 0, True),
        ([(1, True), (1, True), (1, False)], 1, True),
        ([(1, True), (1, False)], 1, False),  # half is not most
        ([(0, True), (1, True), (3, False)], 1, True),  # who graded 3 is not asked
        ([(0, True), (2, False), (3, False)], 2, False),  # relevant after all
        ([(0, False)], 0, False),
    ],
)
def test_when_a_hard_negative_mark_survives(
    event: Make, verdicts: list[tuple[int, bool]], grade: int, mark: bool
) -> None:
    events = [
        event(grade=given, hard_negative=marked, annotator=name)
        for name, (given, marked) in zip(NAMES, verdicts, strict=False)
    ]
    assert merge_labels(store(*events), Scale()).judgments == [
        Judgment("q1", "d1", grade, hard_negative=mark)
    ]


def test_relevant_from_is_the_scales(event: Make) -> None:
    labels = store(event(grade=1, hard_negative=True))
    assert merge_labels(labels, Scale.binary()).judgments[0].hard_negative is False
    assert merge_labels(labels, Scale()).judgments[0].hard_negative is True


def test_notes_are_kept_once_each(event: Make) -> None:
    notes = ["same", "other", "", "same"]
    events = [
        event(grade=1, note=note, annotator=name) for name, note in zip(NAMES, notes, strict=False)
    ]
    assert merge_labels(store(*events), Scale()).judgments[0].note == "same; other"


def test_grades_off_the_scale_are_all_named(event: Make) -> None:
    labels = store(
        event(grade=7, doc_id="d9"),
        event(grade=7, doc_id="d2"),
        event(grade=-1, annotator="bob", source="adjudicated"),
        event(grade=3, annotator="bob", doc_id="d2"),
        event(grade=8, annotator="llm", source="machine"),
    )
    text = (
        'annotator ann: grade 7 is not on the dataset\'s scale (2 judgments, such as query "q1", '
        'document "d2") (expected: 0-3; grade them anew with `judge annotate --as ann`, or leave '
        "them out with --source or --labels)\n"
        'annotator bob: grade -1 is not on the dataset\'s scale (1 judgment, such as query "q1", '
        'document "d1") (expected: 0-3; grade them anew with `judge annotate --as bob`, or leave '
        "them out with --source or --labels)"
    )
    with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
        merge_labels(labels, Scale())
    # what does not count is not asked about
    assert merge_labels(labels, Scale(max=8, labels={}), "llm").judgments[0].grade == 8


@pytest.mark.parametrize(
    ("source", "grade", "help_"),
    [
        ("import", 7, "import the collection anew with --map-grade 7=3, or leave them out with"),
        ("gold", -1, "import the collection anew with --map-grade -1=0, or leave them out with"),
        ("machine", 7, "leave them out with"),
    ],
)
def test_what_helps_against_a_grade_off_the_scale_depends_on_who_gave_it(
    event: Make, source: str, grade: int, help_: str
) -> None:
    labels = store(event(grade=grade, source=source))
    expected = f"(expected: 0-3; {help_} --source or --labels)"
    with pytest.raises(InputError, match=f"{re.escape(expected)}$"):
        merge_labels(labels, Scale(), "ann")


def test_every_source_is_peoples_or_given_or_neither() -> None:
    assert {"machine", "propagated"} == SOURCES - PEOPLE - GIVEN
    assert not PEOPLE & GIVEN


def test_nothing_judged_is_nothing(event: Make) -> None:
    assert merge_labels(store(), Scale()).judgments == []
    undone = event()
    labels = store(undone, event("undo", target=undone.event_id))
    assert merge_labels(labels, Scale()).judgments == []


VERDICTS = st.lists(
    st.tuples(
        st.sampled_from(NAMES), st.integers(0, 3), st.booleans(), st.sampled_from(["d1", "d2"])
    ),
    max_size=12,
)


@given(VERDICTS, st.sampled_from(sorted(RULES)), st.randoms(use_true_random=False))
def test_merging_does_not_depend_on_order_and_stays_within_what_was_given(
    given_: list[tuple[str, int, bool, str]], rule: str, random: Any
) -> None:
    events = [
        Event(
            event_id=str(number),
            session=f"s-{name}",
            seq=number,
            at=START + timedelta(seconds=number),
            annotator=name,
            source="human",
            op="grade",
            query_id="q",
            doc_id=doc,
            grade=grade,
            hard_negative=mark and grade < 2,
        )
        for number, (name, grade, mark, doc) in enumerate(given_)
    ]
    merged = merge_labels(store(*events), Scale(), rule)
    random.shuffle(events)
    assert merge_labels(store(*events), Scale(), rule) == merged
    for judgment in merged.judgments:
        mine = {name: grade for name, grade, _, doc in given_ if doc == judgment.doc_id}
        assert judgment.grade in mine.values()
        assert not (judgment.hard_negative and judgment.grade >= 2)
        if len(set(mine.values())) == 1:
            assert judgment.grade == next(iter(mine.values()))
