"""Names of measures, their manual, and their formulas on grades small enough for a hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import MeasureError
from judge.scoring.measures import DEFAULT_MEASURES, MEASURES, Measure, Ranking, parse_measure
from judge.scoring.measures.catalog import OTHER_NAMES
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
        ("judged", "Judged"),
        ("rprec", "Rprec"),
        ("RPrec(rel=2)", "Rprec(rel=2)"),
        ("bpref", "Bpref"),
        ("BPref(rel=3)", "Bpref(rel=3)"),
        ("infap", "infAP"),
        ("err@20", "ERR@20"),
        ("ERR", "ERR"),
        ("ERR(max_rel=4)@10", "ERR(max_rel=4)@10"),
        ("RBP", "RBP(p=0.8)"),
        ("RBP(p=.95)@10", "RBP(p=0.95)@10"),
        ("rbp(rel=1, p=0.5)", "RBP(p=0.5, rel=1)"),
        ("RBP(gain='graded')", "RBP(p=0.8, gain='graded')"),
        ("RBP(gain='binary', p=0)", "RBP(p=0.0)"),
        ("RBP(p=0.00001)", "RBP(p=1e-05)"),
        ("dcg@10", "DCG@10"),
        ("DCG(dcg='exp-log2')", "DCG(dcg='exp-log2')"),
        ("setp", "SetP"),
        ("SetR(rel=2)", "SetR(rel=2)"),
        ("SetF", "SetF"),
        ("SetF(beta=1)", "SetF"),
        ("SetF(rel=2, beta=0.5)", "SetF(beta=0.5, rel=2)"),
        ("SetF(beta=1e20)", "SetF(beta=1e+20)"),
        ("r_cap@10", "R_cap@10"),
        ("R_cap(rel=2)@5", "R_cap(rel=2)@5"),
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
        ("xyz@3", "there is: nDCG, RR, R, P, Success, AP, Rprec, "),
        ("recall_cap@10", "did you mean R_cap@10?"),
        ("set_P", "did you mean SetP?"),
        ("set_recall(rel=2)", "did you mean SetR(rel=2)?"),
        ("f1", "did you mean SetF?"),
        ("r_precision(rel=2)@10", "did you mean Rprec(rel=2)?"),
        ("Bprev@10", "did you mean Bpref or Rprec?"),
        ("r_precision", "did you mean Rprec?"),
        ("ndcg_burges@10", "did you mean nDCG(dcg='exp-log2')@10?"),
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
        ("R_cap", "R_cap needs a cutoff, as in R_cap@10"),
        ("Rprec@10", "Rprec takes no cutoff"),
        ("infAP@10", "infAP takes no cutoff"),
        ("ERR(rel=2)@10", "ERR has no parameter rel (it uses all grades); it takes max_rel"),
        ("ERR(max_rel=0)", 'max_rel is a whole number of 1 or more, not "0"'),
        ("ERR(max_rel=2.5)", 'max_rel is a whole number of 1 or more, not "2.5"'),
        ("RBP(p=1)", 'p is a number of at least 0 and less than 1, not "1"'),
        ("RBP(p=-0.5)", 'p is a number of at least 0 and less than 1, not "-0.5"'),
        ("RBP(p=nan)", 'p is a number of at least 0 and less than 1, not "nan"'),
        ("RBP(gain='raw')", "gain is 'binary' or 'graded', not \"raw\""),
        ("RBP(gain='graded', rel=2)", "a graded gain has no rel, it uses all grades"),
        ("SetF(beta=1e999)", 'beta is a number of 0 or more, not "1e999"'),
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


@given(st.text(st.sampled_from("nDCGRBPAFSetsuce@(),='\"0123.relpbtagindf_cx ")))
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


@pytest.mark.parametrize(
    ("text", "level", "name"),
    [
        ("RBP@10", 1, "RBP(p=0.8, rel=1)@10"),
        ("RBP@10", 2, "RBP(p=0.8, rel=2)@10"),
        ("RBP(rel=1)@10", 2, "RBP(p=0.8, rel=1)@10"),
        ("RBP(gain='graded')@10", 2, "RBP(p=0.8, gain='graded')@10"),
        ("SetF(beta=0.5)", 2, "SetF(beta=0.5, rel=2)"),
        ("ERR@10", 2, "ERR@10"),
    ],
)
def test_the_gain_of_rbp_always_stands_in_its_name(text: str, level: int, name: str) -> None:
    bound = parse_measure(text).bound(level)
    assert str(bound) == name
    assert parse_measure(name) == bound


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_names_of_other_tools_lead_to_measures_there_are(name: str) -> None:
    with pytest.raises(MeasureError) as caught:
        parse_measure(name)
    suggested = str(caught.value).partition("did you mean ")[2].rstrip("?")
    needs_cutoff = MEASURES[suggested.partition("(")[0]].cutoff == "required"
    assert str(parse_measure(suggested + "@10" * needs_cutoff)).startswith(suggested.rstrip(")"))


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
        # The first two of three relevant documents that a top 2 has room for.
        ("R_cap@2", (1, 1, 0), (1,), 1.0),
        ("R_cap@2", (1, 0, 1), (1,), 0.5),
        ("R_cap@10", (1, None), (1, 0), 0.5),
        ("R_cap@10", (0,), (), 0.0),
        # Three are relevant, so the top three decide; a ranking may be shorter than that.
        ("Rprec", (1, 0, None, 1), (1,), 1 / 3),
        ("Rprec", (1,), (1, 1), 1 / 3),
        ("Rprec(rel=2)", (1, 3), (), 0.0),
        ("Rprec", (0, None), (), 0.0),
        # Above the second relevant document stands one of two that are not; above the third both.
        ("Bpref", (1, 0, None, 1, -1, 0, 1), (), (1 + 1 / 2 + 0) / 3),
        # More than R are not relevant: only the first R = 1 of them counts.
        ("Bpref", (0, 1), (0, 0), 0.0),
        ("Bpref", (None, 1), (0, 0), 1.0),
        ("Bpref", (5, 3), (), 1.0),
        ("Bpref", (0,), (), 0.0),
        ("Bpref(rel=2)", (1, 2), (2, 0), (1 - 1 / 2) / 2),
        ("infAP", (1,), (), 1.0),
        # Nothing judged above: the pooled document there counts as a half.
        ("infAP", (-1, 1), (), (1 + 1 / 2) / 2),
        # The unpooled one counts as not relevant.
        ("infAP", (None, 1), (), 1 / 2),
        # One of one judged above is relevant, so the pooled one is as good as relevant.
        ("infAP", (1, -1, 1), (), (1 + (1 + 2 * 1.00001 / 1.00002) / 3) / 2),
        ("infAP", (-1, 0, 1), (1,), (1 + 2 * 0.00001 / 1.00002) / 3 / 2),
        ("infAP", (-1, 0), (), 0.0),
        # Chances of 1/8, 3/8 and 7/8; with a highest grade of 4 of 1/16, 3/16 and 7/16.
        ("ERR", (1, 2, 3), (), 1 / 8 + 7 / 8 * 3 / 8 / 2 + 7 / 8 * 5 / 8 * 7 / 8 / 3),
        ("ERR", (1, 2, 3), (), 0.448568),
        ("ERR(max_rel=4)", (1, 2, 3), (), 0.261475),
        ("ERR@2", (1, 2, 3), (), 1 / 8 + 7 / 8 * 3 / 8 / 2),
        ("ERR", (0, None, 2), (3,), 3 / 8 / 3),
        ("ERR", (), (1,), 0.0),
        # Grades 1, 0, 3 have three values in three other tools; here the name says which.
        ("RBP(p=0.8)", (1, 0, 3), (), 0.2 * (1 + 0.64)),
        ("RBP(p=0.8, rel=2)", (1, 0, 3), (), 0.2 * 0.64),
        ("RBP(p=0.8, gain='graded')", (1, 0, 3), (), 0.2 * (1 / 3 + 0.64)),
        ("RBP(p=0.8, gain='graded')", (1, 0, 3), (), 0.194667),
        ("RBP(p=0.5)@2", (None, 1, 1), (), 0.25),
        ("RBP(p=0)", (1, 1), (), 1.0),
        ("RBP(p=0.9)", (), (1,), 0.0),
        ("DCG@3", (3, None, 2, 1), (3,), 3 + 2 / 2),
        ("DCG(dcg='exp-log2')", (3, None, 2), (), 7 + 3 / 2),
        ("SetP", (1, None, 0, 1), (1,), 0.5),
        ("SetP", (), (1,), 0.0),
        ("SetR", (1, None, 0, 1), (1, 1), 0.5),
        ("SetR", (0,), (), 0.0),
        # Precision 1/2, recall 1/4: one over the mean of 2 and 4; recall four times as heavy.
        ("SetF", (1, 0), (1, 1, 1), 1 / 3),
        ("SetF(beta=4)", (1, 0), (1, 1, 1), 1 / ((2 + 4 * 4) / 5)),
        ("SetF(beta=0)", (1, 0), (1, 1, 1), 0.5),
        ("SetF", (0,), (1,), 0.0),
        ("Judged", (None, 0, -1, 2), (1,), 0.5),
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


def test_grades_above_the_scale_are_refused_where_it_matters() -> None:
    for name in ("ERR(max_rel=2)@5", "ERR(max_rel=1)"):
        with pytest.raises(
            MeasureError, match="there is grade 3, above the highest that was given"
        ):
            value(name, 3)
    ranking = Ranking.of([[1]], missed=[[3]], scale_top=2)
    for name in ("ERR", "RBP(gain='graded')"):
        with pytest.raises(
            MeasureError, match="there is grade 3, above the highest that was given"
        ):
            parse_measure(name).values(ranking)
    assert parse_measure("RBP").values(ranking).tolist() == [pytest.approx(0.2)]


def test_the_highest_grade_of_the_scale_counts_and_not_the_highest_given() -> None:
    ranking = Ranking.of([[1, 2]], scale_top=4)
    found = {
        name: parse_measure(name).values(ranking).tolist()
        for name in ("ERR", "ERR(max_rel=2)", "RBP(p=0.5, gain='graded')")
    }
    assert found == {
        "ERR": [1 / 16 + 15 / 16 * 3 / 16 / 2],
        "ERR(max_rel=2)": [1 / 4 + 3 / 4 * 3 / 4 / 2],
        "RBP(p=0.5, gain='graded')": [0.5 * (1 / 4 + 0.5 * 2 / 4)],
    }


def test_huge_grades_and_long_rankings_give_numbers() -> None:
    assert value("ERR", 10**9) == 1.0
    assert value("ERR", *[1] * 5000) == pytest.approx(math.log(2))
    assert value("RBP(p=0.999)", *[1] * 50_000) == pytest.approx(1.0)


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
    assert nothing.filled().count == nothing.condensed().count == 0


rankings = st.lists(st.one_of(st.none(), st.integers(-1, 4)), max_size=12)
missed_grades = st.lists(st.integers(0, 4), max_size=5)
cutoffs = st.one_of(st.none(), st.integers(1, 15))
names = st.sampled_from([name for name in MEASURES if name != "Judged"])
small = st.sampled_from([name for name in MEASURES if name not in {"Judged", "DCG"}])


def measured(name: str, cutoff: int | None, grades: list[int | None], missed: list[int]) -> float:
    needs = MEASURES[name].cutoff == "required"
    measure = Measure(name, cutoff or 10 if needs else cutoff)
    return float(measure.values(Ranking.of([grades], missed=[missed]))[0])


@given(small, cutoffs, rankings, missed_grades)
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
    after = measured(name, cutoff, [*grades, None], missed)
    # Only what is retrieved as a set is worth less with it.
    assert after <= before if name in {"SetP", "SetF"} else after == before


@given(st.lists(st.tuples(rankings, missed_grades), min_size=1, max_size=5), names, cutoffs)
@CALM
def test_a_query_has_its_value_whatever_stands_beside_it(
    queries: list[tuple[list[int | None], list[int]]], name: str, cutoff: int | None
) -> None:
    needs = MEASURES[name].cutoff == "required"
    measure = Measure(name, cutoff or 10 if needs else cutoff)
    together = Ranking.of([q[0] for q in queries], [q[1] for q in queries], scale_top=4)
    alone = [
        float(measure.values(Ranking.of([grades], [missed], scale_top=4))[0])
        for grades, missed in queries
    ]
    assert measure.values(together).tolist() == alone


ORDERED = [name for name in MEASURES if name not in {"infAP", "Judged"}]


@given(st.sampled_from(ORDERED), cutoffs, rankings, missed_grades, st.data())
@CALM
def test_moving_a_better_document_up_lowers_nothing(
    name: str, cutoff: int | None, grades: list[int | None], missed: list[int], data: st.DataObject
) -> None:
    before = measured(name, cutoff, grades, missed)
    if len(grades) < 2:
        return
    i = data.draw(st.integers(0, len(grades) - 2))
    if (grades[i + 1] or 0) > (grades[i] or 0):
        grades[i], grades[i + 1] = grades[i + 1], grades[i]
        assert measured(name, cutoff, grades, missed) >= before - 1e-15
