"""Names of measures, their manual, and their formulas on grades small enough for a hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import MeasureError
from judge.scoring.measures import DEFAULT_MEASURES, MEASURES, Measure, Ranking, parse_measure
from tests.oracles.collections import CALM


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nDCG@10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("nDCG", "nDCG"),
        ("nDCG(dcg='log2')@5", "nDCG@5"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ('NDCG( dcg = "exp-log2" ) @ 10 ', "nDCG(dcg='exp-log2')@10"),
        ("nDCG(dcg=exp-log2)@10", "nDCG(dcg='exp-log2')@10"),
        ("RR", "RR"),
        ("rr@1000000", "RR@1000000"),
        ("R(rel=2)@100", "R(rel=2)@100"),
        ("R(rel=1)@100", "R(rel=1)@100"),
        ("p@1", "P@1"),
        ("Success@5", "Success@5"),
        ("ap", "AP"),
        ("AP()@7", "AP@7"),
        ("Judged@10", "Judged@10"),
    ],
)
def test_names_are_read_and_printed(text: str, name: str) -> None:
    measure = parse_measure(text)
    assert str(measure) == name
    assert parse_measure(name) == measure


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MRR@10", 'no measure "MRR@10"; did you mean RR@10?'),
        ("MAP", 'no measure "MAP"; did you mean AP?'),
        ("Recall@20", 'no measure "Recall@20"; did you mean R@20?'),
        ("precision(rel=2)@5", "did you mean P(rel=2)@5?"),
        ("hit_rate@5", "did you mean Success@5?"),
        ("ndcg_exp@10", "did you mean nDCG(dcg='exp-log2')@10?"),
        ("nDGC@10", "did you mean nDCG@10?"),
        ("Sucess@5", "did you mean Success@5?"),
        ("xyz@3", "there is: nDCG, RR, R, P, Success, AP, Judged"),
        ("", '"" is not the name of a measure'),
        ("nDCG@10@5", "is not the name of a measure"),
        ("nDCG(@10", "is not the name of a measure"),
        ("nDCG@", "the cutoff after @ is a whole number from 1 to 1,000,000"),
        ("nDCG@0", "the cutoff after @ is a whole number from 1 to 1,000,000"),
        ("nDCG@-1", "the cutoff after @ is a whole number"),
        ("nDCG@1000001", "the cutoff after @ is a whole number"),
        ("nDCG@ten", "the cutoff after @ is a whole number"),
        ("nDCG@1.5", "the cutoff after @ is a whole number"),
        ("P", "P needs a cutoff, as in P@10"),
        ("Judged", "Judged needs a cutoff"),
        ("nDCG(rel=2)@10", "nDCG has no parameter rel (it uses all grades); it takes dcg"),
        ("Judged(rel=2)@10", "Judged has no parameter rel; it takes no parameters"),
        ("R(p=2)@10", "R has no parameter p; it takes rel"),
        ("nDCG(dcg='exp')@10", "dcg is 'log2' or 'exp-log2', not \"exp\""),
        ("R(rel=0)@10", 'rel is a whole number of 1 or more, not "0"'),
        ("R(rel=-1)@10", 'rel is a whole number of 1 or more, not "-1"'),
        ("R(rel=1.5)@10", 'rel is a whole number of 1 or more, not "1.5"'),
        ("R(rel=1, rel=2)@10", "rel stands twice"),
        ("R(2)@10", "parameters are written as in R(rel=2)@10"),
    ],
)
def test_wrong_names_say_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(MeasureError) as caught:
        parse_measure(text)
    assert said in str(caught.value)


@given(st.text(st.sampled_from("nDCGRPAsuce@(),='\"0123relp ")))
@CALM
def test_any_text_is_a_measure_or_a_named_error(text: str) -> None:
    try:
        measure = parse_measure(text)
    except MeasureError:
        return
    assert parse_measure(str(measure)) == measure


def test_the_default_report() -> None:
    assert [str(measure) for measure in DEFAULT_MEASURES] == [
        "nDCG@10",
        "nDCG(dcg='exp-log2')@10",
        "RR@10",
        "R@5",
        "R@10",
        "R@20",
        "P@10",
        "AP",
        "Judged@10",
    ]


def test_binary_measures_are_bound_to_the_scale() -> None:
    bound = [str(measure.bound(2)) for measure in DEFAULT_MEASURES]
    assert bound[2:4] == ["RR(rel=2)@10", "R(rel=2)@5"]
    assert bound[0] == "nDCG@10"
    assert bound[-1] == "Judged@10"
    # A threshold that was asked for is never changed, and is told where the scale has another.
    assert str(parse_measure("R(rel=1)@5").bound(2)) == "R(rel=1)@5"
    assert str(parse_measure("R(rel=1)@5").bound(1)) == "R@5"


@pytest.mark.parametrize("name", list(MEASURES))
def test_every_measure_has_a_manual(name: str) -> None:
    manual = MEASURES[name].manual
    for part in (
        "Source: ",
        "Returns:",
        "float64 [queries]",
        ">>>",
        "Ties" if "J" not in name else "",
    ):
        assert part in manual
    assert MEASURES[name].title.startswith(name.split("@")[0])


def value(name: str, *grades: int | None, missed: tuple[int, ...] = ()) -> float:
    values = parse_measure(name).values(Ranking.of([grades], missed=[missed]))
    assert values.dtype == np.float64
    assert len(values) == 1
    return float(values[0])


LOG3, LOG5, LOG6, LOG7 = (math.log2(n) for n in (3, 5, 6, 7))


@pytest.mark.parametrize(
    ("name", "grades", "missed", "expected"),
    [
        # Ranked 3 2 3 0 1 2, with documents of grade 3 and 2 missed: a much-copied worked example.
        ("nDCG@6", (3, 2, 3, 0, 1, 2), (3, 2), 0.785002),
        ("nDCG(dcg='exp-log2')@6", (3, 2, 3, 0, 1, 2), (3, 2), 0.751083),
        ("nDCG@3", (1, 2, 3), (), 0.789998),
        ("nDCG(dcg='exp-log2')@3", (1, 2, 3), (), 0.680606),
        # The ideal ranking has all judged documents, and is cut at k.
        ("nDCG@1", (3,), (3, 3, 3, 3), 1.0),
        ("nDCG@10", (3,), (3, 3, 3, 3), 1 / (1 + 1 / LOG3 + 1 / 2 + 1 / LOG5 + 1 / LOG6)),
        ("nDCG", (3,), (3, 3, 3, 3), 0.339160),
        ("nDCG@5", (1, 0, 3, 2, None), (2,), 0.590484),
        ("nDCG(dcg='exp-log2')@5", (1, 0, 3, 2, None), (2,), 0.535136),
        ("nDCG@10", (1,), (1,), 1 / (1 + 1 / LOG3)),
        ("nDCG@10", (1, 3), (), 0.796708),
        ("nDCG@10", (), (1,), 0.0),
        ("nDCG@10", (0, None), (0,), 0.0),
        ("P@10", (2, 3), (1,), 0.2),
        ("P@1", (None, 1), (), 0.0),
        ("R@2", (1, 0, 1), (1, 0), 1 / 3),
        ("R@10", (0, None), (), 0.0),
        ("R(rel=2)@5", (1, None, 2), (3,), 0.5),
        ("RR(rel=2)@5", (1, None, 2), (3,), 1 / 3),
        ("P(rel=2)@5", (1, None, 2), (3,), 0.2),
        ("nDCG@5", (1, None, 2), (3,), 0.420004),
        ("Success@1", (0, 1), (), 0.0),
        ("Success@2", (0, 1), (), 1.0),
        ("RR@10", (*[None] * 11, 3), (), 0.0),
        ("RR", (*[None] * 11, 3), (), 1 / 12),
        ("AP", (0, 1, None, 1), (1,), (1 / 2 + 2 / 4) / 3),
        ("AP@3", (0, 1, None, 1), (1,), (1 / 2) / 3),
        ("AP", (1, 0), (1,), 0.5),
        ("AP", (0,), (), 0.0),
        ("Judged@2", (None, None, 3, 0), (), 0.0),
        ("Judged@4", (None, None, 3, 0), (), 0.5),
        ("Judged@10", (3, 0), (1,), 1.0),
        ("Judged@10", (0, -1, None), (), 1 / 3),
    ],
)
def test_values_worked_out_by_hand(
    name: str, grades: tuple[int | None, ...], missed: tuple[int, ...], expected: float
) -> None:
    assert value(name, *grades, missed=missed) == pytest.approx(expected, abs=5e-7)


def test_an_empty_ranking_has_no_share_of_judged_documents() -> None:
    assert math.isnan(value("Judged@10"))


def test_grades_too_high_for_the_exponential_gain_are_refused() -> None:
    assert value("nDCG(dcg='exp-log2')@10", 1000, missed=(999,)) == pytest.approx(
        1 / (1 + 0.5 / LOG3)
    )
    with pytest.raises(MeasureError, match="grade 1001 is too high"):
        value("nDCG(dcg='exp-log2')@10", 1001)
    assert value("nDCG@10", 10**9) == 1.0


def test_rankings_without_anything() -> None:
    nothing = Ranking.of([])
    for name in MEASURES:
        assert Measure(name, 10).values(nothing).tolist() == []


rankings = st.lists(st.one_of(st.none(), st.integers(0, 4)), max_size=12)
missed_grades = st.lists(st.integers(0, 4), max_size=5)
cutoffs = st.one_of(st.none(), st.integers(1, 15))
names = st.sampled_from([name for name in MEASURES if name != "Judged"])


def measured(name: str, cutoff: int | None, grades: list[int | None], missed: list[int]) -> float:
    needs = MEASURES[name].cutoff == "required"
    measure = Measure(name, cutoff or 10 if needs else cutoff)
    return float(measure.values(Ranking.of([grades], missed=[missed]))[0])


@given(names, cutoffs, rankings, missed_grades)
@CALM
def test_values_lie_between_0_and_1(
    name: str, cutoff: int | None, grades: list[int | None], missed: list[int]
) -> None:
    assert 0.0 <= measured(name, cutoff, grades, missed) <= 1.0


@given(st.sampled_from(["nDCG@3", "nDCG", "nDCG(dcg='exp-log2')@10"]), missed_grades)
@CALM
def test_the_ideal_order_has_1(name: str, judged: list[int]) -> None:
    ideal = value(name, *sorted(judged, reverse=True))
    assert ideal == (1.0 if any(judged) else 0.0)


@given(names, cutoffs, rankings, missed_grades)
@CALM
def test_an_unjudged_document_at_the_end_raises_nothing(
    name: str, cutoff: int | None, grades: list[int | None], missed: list[int]
) -> None:
    before = measured(name, cutoff, grades, missed)
    assert measured(name, cutoff, [*grades, None], missed) == before


@given(cutoffs, rankings, missed_grades, st.data())
@CALM
def test_moving_a_better_document_up_never_lowers_ndcg(
    cutoff: int | None, grades: list[int | None], missed: list[int], data: st.DataObject
) -> None:
    before = measured("nDCG", cutoff, grades, missed)
    if len(grades) < 2:
        return
    i = data.draw(st.integers(0, len(grades) - 2))
    if (grades[i + 1] or 0) > (grades[i] or 0):
        grades[i], grades[i + 1] = grades[i + 1], grades[i]
        assert measured("nDCG", cutoff, grades, missed) >= before - 1e-15
