"""Who agrees with whom, worked out by hand, by four packages, and for every kind of judgment."""

from __future__ import annotations

import datetime as dt
import warnings
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from irrCAC.raw import CAC
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from judge.bench.agreement import Agreement, Figure, Said, agreement_of
from judge.core.model import Event, Op, Scale, Source
from judge.judging.adjudication import FinalGrade
from judge.judging.labels import Labels, ordered
from judge.scoring.stats import Undefined
from tests.oracles.collections import CALM

START = dt.datetime(2025, 3, 1, 9, tzinfo=dt.UTC)


class Book:
    """Events written down one after the other, a second apart."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(
        self,
        annotator: str,
        pair: str,
        grade: int | None = None,
        *,
        op: Op = "grade",
        source: Source = "human",
        hard: bool = False,
        note: str | None = None,
        reason: str | None = None,
        target: Event | None = None,
        late: int = 0,
    ) -> Event:
        """Let an annotator do something to `query/document`."""
        number = len(self.events)
        query_id, doc_id = pair.split("/")
        event = Event(
            f"{annotator}-{number}",
            f"20250301T090000Z-{annotator:>08}",
            number,
            START + dt.timedelta(seconds=number + late),
            annotator,
            source,
            op,
            query_id,
            doc_id,
            target=target.event_id if target else None,
            grade=grade,
            hard_negative=hard,
            note=note,
            reason=reason,
        )
        self.events.append(event)
        return event

    def compared(self, resamples: int = 1000) -> Agreement:
        """Compare the annotators."""
        labels = Labels(ordered(self.events))
        rng = np.random.default_rng(7)
        return agreement_of(labels, Scale(), rng=rng, resamples=resamples)


def value(figure: Figure) -> float:
    assert not isinstance(figure, Undefined), figure
    return figure


def test_two_annotators_by_hand() -> None:
    book = Book()
    ana, bo = [0, 1, 2, 3, 3, 2, 1, 0, 2, 3], [0, 1, 1, 3, 2, 2, 1, 1, 2, 3]
    for item, (x, y) in enumerate(zip(ana, bo, strict=True)):
        book.add("bo", f"q{item % 3}/d{item}", y)
        book.add("ana", f"q{item % 3}/d{item}", x)
    book.add("ana", "q9/alone", 3)
    found = book.compared()
    assert found.annotators == ("ana", "bo")
    assert found.graded == {"ana": 11, "bo": 10}
    assert found.figures.pairs == 10
    assert value(found.figures.raw) == pytest.approx(0.7)
    # The values that scikit-learn and statsmodels give for these two rows.
    assert value(found.figures.kappa) == pytest.approx(0.6)
    assert value(found.figures.linear) == pytest.approx(0.736842, abs=1e-6)
    assert value(found.figures.quadratic) == pytest.approx(0.854369, abs=1e-6)
    (couple,) = found.couples
    assert (couple.first, couple.second, couple.figures) == ("ana", "bo", found.figures)
    assert couple.confusion == ((1, 1, 0, 0), (0, 2, 0, 0), (0, 1, 2, 0), (0, 0, 1, 2))
    assert [(d.query_id, d.doc_id, d.size) for d in found.disagreements] == [
        ("q1", "d4", 1),
        ("q1", "d7", 1),
        ("q2", "d2", 1),
    ]


def test_the_largest_come_first_then_by_query_and_document() -> None:
    book = Book()
    grades = {"q2/a": (0, 1), "q1/b": (0, 2), "q1/a": (2, 0), "q3/z": (3, 0), "q1/c": (1, 1)}
    for pair, (x, y) in grades.items():
        book.add("ana", pair, x)
        book.add("bo", pair, y)
    # A mark besides does not count.
    book.add("bo", "q4/a", 0, hard=True)
    book.add("ana", "q4/a", 2)
    found = [(d.size, d.query_id, d.doc_id) for d in book.compared().disagreements]
    assert found == [
        (3, "q3", "z"),
        (2, "q1", "a"),
        (2, "q1", "b"),
        (2, "q4", "a"),
        (1, "q2", "a"),
    ]


def test_a_mark_alone_is_a_disagreement_and_comes_last() -> None:
    book = Book()
    book.add("ana", "q1/a", 0, hard=True, note="bait")
    book.add("bo", "q1/a", 0)
    book.add("ana", "q2/a", 1)
    book.add("bo", "q2/a", 0, hard=True)
    book.add("ana", "q3/a", 0, hard=True)
    book.add("bo", "q3/a", 0, hard=True)
    first, second = book.compared().disagreements
    assert (first.query_id, first.size, first.highest) == ("q2", 1, 1)
    assert (second.query_id, second.size) == ("q1", 0)
    assert second.said == (Said("ana", 0, True, "bait"), Said("bo", 0, False, ""))
    # Of two who graded below relevant, one marked: that is not most of them.
    assert not first.marked
    assert not second.marked


def test_the_mark_survives_if_most_below_relevant_set_it() -> None:
    book = Book()
    for name, grade, hard in (("a", 0, True), ("b", 1, True), ("c", 0, False), ("d", 3, False)):
        book.add(name, "q/d", grade, hard=hard)
    (found,) = book.compared().disagreements
    assert found.marked
    assert found.highest == 3


def test_agreement_on_hard_negatives_counts_marks_not_their_absence() -> None:
    book = Book()
    marks = [(True, True), (True, False), (False, True), (True, True), *[(False, False)] * 20]
    for item, (x, y) in enumerate(marks):
        book.add("ana", f"q/d{item:02}", 0, hard=x)
        book.add("bo", f"q/d{item:02}", 0, hard=y)
    # Two set by both, two by one: 2 * 2 / (2 * 2 + 2).
    assert value(book.compared().figures.hard_negatives) == pytest.approx(4 / 6)


def test_agreement_on_hard_negatives_of_three() -> None:
    book = Book()
    for name, hard in (("a", True), ("b", True), ("c", False)):
        book.add(name, "q/d1", 0, hard=hard)
    book.add("a", "q/d2", 0, hard=True)
    book.add("b", "q/d2", 2)
    # d1: two marks, each seen by two others, one of whom set it; d2: one mark, nobody else did.
    assert value(book.compared().figures.hard_negatives) == pytest.approx((2 * 1) / (2 * 2 + 1))


def test_only_what_people_graded_for_themselves_counts() -> None:
    book = Book()
    sources: list[Source] = ["gold", "import", "machine", "propagated", "adjudicated"]
    for source in sources:
        book.add(source, "q/d", 3, source=source)
    book.add("ana", "q/d", 1)
    book.add("bo", "q/d", op="skip")
    book.add("di", "q/d", op="flag")
    undone = book.add("ed", "q/d", 0)
    book.add("ed", "q/d", op="undo", target=undone)
    book.add("fa", "q/d", 2)
    book.add("fa", "q/d", op="clear")
    found = book.compared()
    assert found.graded == {"ana": 1}
    assert found.annotators == ()
    assert found.figures.pairs == 0
    assert found.couples == ()
    assert found.disagreements == ()


def test_graded_by_one_and_not_to_be_judged_by_another_comes_last_and_is_in_no_figure() -> None:
    book = Book()
    book.add("ana", "q1/a", 3, note="plain")
    book.add("bo", "q1/a", op="cannot_judge", reason="not my language")
    book.add("ana", "q2/b", 0, hard=True)
    book.add("bo", "q2/b", 0)
    book.add("ana", "q3/c", 1)
    book.add("bo", "q3/c", 2)
    book.add("cy", "q3/c", op="cannot_judge", reason="no context")
    for name in ("ana", "bo"):
        book.add(name, "q4/d", op="cannot_judge", reason=f"as {name} says")
    book.add("ana", "q5/e", 2)
    book.add("bo", "q5/e", op="skip")
    book.add("ana", "q5/f", 2)
    book.add("cy", "q5/f", op="flag")
    found = book.compared()
    assert [(d.query_id, d.size, d.marks_differ, d.unable) for d in found.disagreements] == [
        ("q3", 1, False, 1),
        ("q2", 0, True, 0),
        ("q1", 0, False, 1),
    ]
    last = found.disagreements[-1]
    assert last.said == (
        Said("ana", 3, False, "plain"),
        Said("bo", None, False, "", "not my language"),
    )
    assert (last.highest, last.marked) == (3, False)
    assert found.figures.pairs == 2
    assert found.annotators == ("ana", "bo")
    assert (found.graded, found.left_out) == ({"ana": 5, "bo": 2}, 0)


def test_a_verdict_taken_back_or_a_grade_given_after_all_is_what_counts() -> None:
    book = Book()
    book.add("ana", "q/d", 2)
    unable = book.add("bo", "q/d", op="cannot_judge")
    assert len(book.compared().disagreements) == 1
    book.add("bo", "q/d", op="undo", target=unable)
    assert book.compared().disagreements == ()
    book.add("bo", "q/d", op="cannot_judge")
    book.add("bo", "q/d", 2)
    assert book.compared().disagreements == ()


def test_nobody_at_all() -> None:
    found = Book().compared()
    figures = found.figures
    assert (found.graded, figures.pairs, found.disagreements) == ({}, 0, ())
    for figure in (figures.raw, figures.fleiss, figures.alpha, figures.ac2):
        assert figure == Undefined("no item was graded by two annotators")
    assert figures.hard_negatives == Undefined("nobody marked a hard negative")
    assert isinstance(found.interval, Undefined)


def test_one_grade_throughout_is_undefined_with_its_reason() -> None:
    book = Book()
    for item in range(5):
        book.add("ana", f"q{item}/d", 2)
        book.add("bo", f"q{item}/d", 2)
    found = book.compared()
    only_one = Undefined("only one grade was used: chance alone would agree as well")
    assert found.figures.kappa == only_one
    assert found.figures.alpha == only_one
    assert value(found.figures.raw) == 1
    assert value(found.figures.ac2) == 1
    assert isinstance(found.interval, Undefined)
    assert "only one grade" in found.interval.reason


def test_grades_beyond_the_scale_are_counted_and_left_out() -> None:
    book = Book()
    book.add("ana", "q/d", 7)
    book.add("bo", "q/d", 2)
    book.add("ana", "q/e", 1)
    book.add("bo", "q/e", 2)
    found = book.compared()
    assert found.left_out == 1
    assert found.graded == {"ana": 1, "bo": 2}
    assert found.figures.pairs == 1


def test_final_grades_stand_beside_the_disagreement() -> None:
    book = Book()
    book.add("ana", "q/d", 0)
    book.add("bo", "q/d", 3)
    book.add("lead", "q/d", 2, source="adjudicated", note="half of it")
    (found,) = book.compared().disagreements
    assert found.final == FinalGrade("lead", 2, False, "half of it")
    assert [said.annotator for said in found.said] == ["ana", "bo"]


def test_an_annotator_who_settles_keeps_the_own_grade_in_the_figures() -> None:
    book = Book()
    book.add("ana", "q/d", 0, note="mine")
    book.add("bo", "q/d", 3)
    book.add("ana", "q/d", 3, source="adjudicated", note="they are right")
    found = book.compared()
    assert value(found.figures.raw) == 0
    (one,) = found.disagreements
    assert one.said == (Said("ana", 0, False, "mine"), Said("bo", 3))
    assert one.final == FinalGrade("ana", 3, False, "they are right")
    undo = book.add("ana", "q/d", op="undo", source="adjudicated", target=book.events[2])
    assert book.compared().disagreements[0].final is None
    book.add("ana", "q/d", op="redo", source="adjudicated", target=undo)
    assert book.compared().disagreements[0].final == one.final


def test_of_two_adjudicators_the_later_counts_and_at_once_the_lower() -> None:
    book = Book()
    book.add("ana", "q/d", 0)
    book.add("bo", "q/d", 3)
    book.add("zoe", "q/d", 1, source="adjudicated")
    book.add("lea", "q/d", 3, source="adjudicated")
    assert book.compared().disagreements[0].final == FinalGrade("lea", 3)
    book.add("max", "q/d", 2, source="adjudicated", late=-1)
    assert book.compared().disagreements[0].final == FinalGrade("max", 2)


def test_blind_keeps_who_is_who_from_the_order() -> None:
    book = Book()
    for item in range(60):
        book.add("ana", f"q/d{item}", 0)
        book.add("bo", f"q/d{item}", 3)
    found = book.compared().disagreements
    assert all(sorted(d.blind()) == list(d.said) for d in found)
    firsts = [d.blind()[0].annotator for d in found]
    assert 15 < firsts.count("ana") < 45
    assert firsts == [d.blind()[0].annotator for d in book.compared().disagreements]


def test_three_annotators_have_figures_for_each_two_who_share_a_pair() -> None:
    book = Book()
    for pair, grades in {"q1/a": "01-", "q1/b": "22-", "q2/c": "-10", "q2/d": "-33"}.items():
        for name, grade in zip(("ana", "bo", "cy"), grades, strict=True):
            if grade != "-":
                book.add(name, pair, int(grade))
    found = book.compared()
    assert [(c.first, c.second, c.figures.pairs) for c in found.couples] == [
        ("ana", "bo", 2),
        ("bo", "cy", 2),
    ]
    assert found.figures.kappa == Undefined(
        "it compares two annotators; it is given for each two of them"
    )
    # ana 0 2, bo 1 2: p_a = 1/2, p_e = 1/2 * 1/2 (both gave 2 once).
    assert value(found.couples[0].figures.kappa) == pytest.approx(1 / 3)


def test_the_interval_of_two_queries_by_hand() -> None:
    book = Book()
    of_queries = {"q1": [(0, 0), (3, 3), (1, 1)], "q2": [(0, 3), (3, 1), (0, 2)]}
    for query_id, grades in of_queries.items():
        for item, (x, y) in enumerate(grades):
            book.add("ana", f"{query_id}/d{item}", x)
            book.add("bo", f"{query_id}/d{item}", y)
    interval = book.compared().interval
    assert not isinstance(interval, Undefined)
    # Two queries drawn twice: each of them alone comes up in a quarter of the draws.
    alone = np.array(of_queries["q2"] * 2, dtype=float).T
    worst = krippendorff.alpha(alone, level_of_measurement="ordinal")
    assert interval.low == pytest.approx(worst)
    assert interval.high == pytest.approx(1)


def test_one_query_gives_no_interval() -> None:
    book = Book()
    for item in range(4):
        book.add("ana", f"q/d{item}", item)
        book.add("bo", f"q/d{item}", item)
    assert book.compared().interval == Undefined("it takes pairs of two queries or more")


ROW = st.tuples(*[st.sampled_from([None, 0, 1, 2, 3])] * 3).filter(lambda row: row.count(None) < 2)
# irrCAC divides by the number of items less one.
RATINGS = st.lists(ROW, min_size=2, max_size=14)


def book_of(rows: list[Any], names: tuple[str, ...]) -> Book:
    book = Book()
    for item, row in enumerate(rows):
        for name, grade in zip(names, row, strict=True):
            if grade is not None:
                book.add(name, f"q{item % 4}/d{item:02}", grade)
    return book


@CALM
@given(RATINGS)
def test_three_annotators_against_packages(rows: list[tuple[int | None, ...]]) -> None:
    figures = book_of(rows, ("ana", "bo", "cy")).compared(resamples=1).figures
    assert figures.pairs == len(rows)
    table = np.array([[np.nan if g is None else g for g in row] for row in rows], dtype=float)
    if not isinstance(figures.alpha, Undefined):
        expected = krippendorff.alpha(table.T, level_of_measurement="ordinal")
        assert figures.alpha == pytest.approx(expected, abs=1e-9)
    if len(np.unique(table[~np.isnan(table)])) > 1:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = pd.DataFrame(table)
            cac = CAC(frame, weights="ordinal", categories=[0.0, 1.0, 2.0, 3.0], digits=15)
            expected = cac.gwet()["est"]["coefficient_value"]
        assert value(figures.ac2) == pytest.approx(expected, abs=1e-9)
    full = table[~np.isnan(table).any(axis=1)].astype(int)
    if len(full) == len(table) and not isinstance(figures.fleiss, Undefined):
        counts, _ = aggregate_raters(full)
        assert figures.fleiss == pytest.approx(fleiss_kappa(counts), abs=1e-9)


@CALM
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_two_annotators_against_packages(rows: list[tuple[int, int]]) -> None:
    found = book_of(rows, ("ana", "bo")).compared(resamples=1)
    x, y = zip(*rows, strict=True)
    figures = found.figures
    named = {"kappa": None, "linear": "linear", "quadratic": "quadratic"}
    for name, weights in named.items():
        mine = getattr(figures, name)
        if not isinstance(mine, Undefined):
            expected = cohen_kappa_score(x, y, labels=[0, 1, 2, 3], weights=weights)
            assert mine == pytest.approx(expected, abs=1e-9)
    met = found.couples[0].confusion
    assert [met[a][b] for a, b in sorted(set(rows))] == [rows.count(p) for p in sorted(set(rows))]
    assert sum(map(sum, met)) == len(rows)
    assert len(found.disagreements) == sum(a != b for a, b in rows)


@CALM
@given(RATINGS, st.randoms(use_true_random=False))
def test_the_order_of_events_changes_nothing(rows: list[Any], chance: Any) -> None:
    book = book_of(rows, ("ana", "bo", "cy"))
    found = book.compared(resamples=20)
    chance.shuffle(book.events)
    assert book.compared(resamples=20) == found
