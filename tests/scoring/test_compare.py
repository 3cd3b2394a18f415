"""Two runs beside each other: numbers worked out by hand, and what each run owes to the pool."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.errors import InputError
from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.compare import (
    changed_table,
    compare,
    compare_table,
    leave_one_out,
)
from judge.scoring.measures import MEASURES, parse_measure
from judge.scoring.score import Counts, ScoreOptions, Scores
from judge.scoring.slices import by_query
from tests.oracles.collections import CALM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

NAN = math.nan
# Student's data of 1908, hours of sleep gained by two drugs, as shares of 10 hours.
FIRST = [0.07, -0.16, -0.02, -0.12, -0.01, 0.34, 0.37, 0.08, 0.0, 0.2]
SECOND = [0.19, 0.08, 0.11, 0.01, -0.01, 0.44, 0.55, 0.16, 0.46, 0.34]


def scores(
    run: str,
    values: Mapping[str, Sequence[float] | NDArray[np.float64]],
    options: ScoreOptions | None = None,
    judged: Sequence[float] | None = None,
) -> Scores:
    columns = {name: np.array(column, np.float64) for name, column in values.items()}
    count = len(next(iter(columns.values())))
    ids = tuple(f"q{i}" for i in range(count))
    shares = {name: np.array(judged or [1.0] * count) for name in columns}
    none = Counts((), (), (), 0, {})
    return Scores(run, ids, columns, shares, none, options or ScoreOptions())


def compared(before: Scores, *others: Scores, seed: int = 1, **options: Any) -> dict[str, Any]:
    return compare(before, others, seed=seed, **options)


def row(before: Sequence[float], after: Sequence[float], **options: Any) -> dict[str, Any]:
    """The only row of two runs with one measure."""
    document = compared(scores("old", {"AP": before}), scores("new", {"AP": after}), **options)
    entry = document["runs"][0]["measures"]["AP"]
    assert isinstance(entry, dict)
    return entry


def test_students_sleep() -> None:
    found = row(FIRST, SECOND)
    assert found["baseline"] == pytest.approx(0.075)
    assert found["other"] == pytest.approx(0.233)
    assert found["difference"] == pytest.approx(0.158)
    # t = 4.0621 with 9 degrees of freedom, p = 0.002833: the table that every textbook has.
    assert found["p_t"] == pytest.approx(0.002833, abs=5e-7)
    assert found["deviation"] == pytest.approx(0.1229995, abs=1e-7)
    assert found["effect"] == pytest.approx(0.158 / 0.1229995, abs=1e-5)
    # Nine differences rise and one is 0: 2 of 2^9 patterns of signs are as far from 0.
    assert found["p"] == 2 / 512
    assert (found["won"], found["tied"], found["lost"]) == (9, 1, 0)
    assert found["low"] < 0.158 < found["high"]
    assert (found["pairs"], found["left_out"]) == (10, 0)
    assert found["verdict"] == "better"
    assert found["says"].startswith("new is better than old on AP: +0.1580 (95 % interval +0.")


def test_the_same_the_other_way_round() -> None:
    found = row(SECOND, FIRST)
    assert found["difference"] == pytest.approx(-0.158)
    assert (found["won"], found["tied"], found["lost"]) == (0, 1, 9)
    assert found["verdict"] == "worse"
    assert "new is worse than old on AP: -0.1580" in found["says"]


def test_a_measure_of_cost_is_better_when_lower(monkeypatch: pytest.MonkeyPatch) -> None:
    cost = replace(MEASURES["AP"], name="Cost", higher_is_better=False)
    monkeypatch.setitem(MEASURES, "Cost", cost)
    document = compared(scores("old", {"Cost": [0.5] * 6}), scores("new", {"Cost": [0.4] * 6}))
    found = document["runs"][0]["measures"]["Cost"]
    assert (found["verdict"], found["won"], found["lost"]) == ("better", 6, 0)
    assert found["difference"] == pytest.approx(-0.1)


def test_too_few_queries_cannot_separate_and_how_many_could_is_said() -> None:
    # Differences 0.1, 0.3: deviation 0.1 sqrt 2; ((1.959964 + 0.841621) 0.141421 / 0.02)^2
    # + 1.959964^2 / 2 = 394.4 + 1.9.
    found = row([0.1, 0.1], [0.2, 0.4])
    assert found["p"] == 0.5
    assert found["verdict"] == "cannot-separate"
    assert found["queries_needed"] == 395
    assert found["says"] == (
        "2 queries cannot separate new from old on AP (difference +0.2000, p 0.5); to find a"
        " difference of 0.02 (--detect) with 80 % power takes about 395."
    )


def test_a_set_that_is_large_enough_says_so() -> None:
    # Differences +-0.001: far fewer than 6 queries find 0.02.
    found = row([0.5] * 6, [0.501, 0.499] * 3)
    assert found["verdict"] == "cannot-separate"
    assert found["queries_needed"] == 2
    assert "any true difference is probably smaller" in found["says"]


def test_queries_that_lack_a_value_are_paired_out() -> None:
    found = row([0.1, 0.1, NAN, 0.9], [0.2, 0.4, 0.9, NAN])
    assert (found["pairs"], found["left_out"]) == (2, 2)
    assert found["baseline"] == pytest.approx(0.1)
    assert found["other"] == pytest.approx(0.3)
    assert found["p"] == 0.5


def test_equal_runs_are_the_same_and_not_better() -> None:
    found = row([0.1, 0.5, 0.9], [0.1, 0.5, 0.9])
    assert (found["p"], found["verdict"], found["tied"]) == (1.0, "cannot-separate", 3)
    assert found["says"] == "new and old have the same AP on every query."
    assert found["changed"] == []
    assert found["effect"] is None


def test_rounding_wins_no_query() -> None:
    found = row([0.3, 0.5], [0.1 + 0.2, 0.5])
    assert (found["won"], found["tied"], found["lost"]) == (0, 2, 0)
    assert found["changed"] == []


def test_what_cannot_be_computed_says_why() -> None:
    nothing = row([NAN, 0.5], [0.5, NAN])
    for name in ("baseline", "other", "difference", "low", "high", "p", "p_adjusted", "p_t"):
        assert nothing[name] is None
    assert set(nothing["undefined"]) == {"interval", "p", "p_t", "queries_needed"}
    assert nothing["verdict"] == "cannot-separate"
    assert nothing["says"] == "No query has a value of AP in both new and old."
    single = row([0.5], [0.6])
    assert single["p"] == 1.0
    assert set(single["undefined"]) == {"interval", "p_t", "queries_needed"}
    assert "1 query cannot separate" in single["says"]
    assert "how many could is not known" in single["says"]


@pytest.mark.parametrize(
    ("correction", "first", "second", "third"),
    # Exact p of n equal differences: 2 / 2^n; three tests.
    [
        ("holm", 3 * 2 / 256, 2 * 2 / 128, 2 / 64),
        ("bh", 3 * 2 / 256, 3 / 2 * 2 / 128, 2 / 64),
    ],
)
def test_p_is_corrected_over_the_whole_family(
    correction: str, first: float, second: float, third: float
) -> None:
    def moved(count: int) -> list[float]:
        return [0.1] * count + [0.0] * (8 - count)

    document = compared(
        scores("old", {"AP": [0.0] * 8, "RR": [0.0] * 8}),
        scores("a", {"AP": moved(8), "RR": moved(7)}),
        correction=correction,
    )
    assert document["family"] == 2
    document = compared(
        scores("old", {"AP": [0.0] * 8}),
        *(scores(name, {"AP": moved(count)}) for name, count in (("a", 7), ("b", 8), ("c", 6))),
        correction=correction,
    )
    assert document["family"] == 3
    found = {run["run"]: run["measures"]["AP"]["p_adjusted"] for run in document["runs"]}
    assert found == pytest.approx({"b": first, "a": max(first, second), "c": third})
    assert document["runs"][0]["measures"]["AP"]["p"] == 2 / 128


def test_slices_belong_to_the_family_and_are_compared_alike() -> None:
    old = scores("old", {"AP": [0.0] * 8})
    new = scores("new", {"AP": [0.1] * 6 + [0.0, 0.0]})
    language = {f"q{i}": "en" if i < 6 else "hi" for i in range(7)}
    document = compared(
        old, new, slices=[by_query(run, "language", language) for run in (old, new)]
    )
    english, hindi, rest = document["runs"][0]["slices"]
    assert [(part["value"], part["queries"]) for part in (english, hindi, rest)] == [
        ("en", 6),
        ("hi", 1),
        ("(none)", 1),
    ]
    assert english["measures"]["AP"]["difference"] == pytest.approx(0.1)
    assert english["measures"]["AP"]["p"] == 2 / 64
    assert hindi["measures"]["AP"]["difference"] == 0.0
    # Four tests, all and the three parts: 2/64 twice and 1 twice; Holm gives 4 x 2/64 to both.
    assert document["family"] == 4
    assert english["measures"]["AP"]["p_adjusted"] == 4 * 2 / 64
    assert document["runs"][0]["measures"]["AP"]["verdict"] == "cannot-separate"
    assert "says" not in english["measures"]["AP"]
    table = compare_table(document)
    assert table.header[:3] == ["run", "slice", "measure"]
    assert [line[:3] for line in table.rows] == [
        ["new", "all", "AP"],
        ["new", "language=en", "AP"],
        ["new", "language=hi", "AP"],
        ["new", "language=(none)", "AP"],
    ]


def test_the_queries_that_changed_most_come_first() -> None:
    old = [0.5] * 12
    new = [0.5, 0.1, 0.9, 0.6, *[0.51] * 8]
    document = compared(scores("old", {"AP": old}), scores("new", {"AP": new}))
    changed = document["runs"][0]["measures"]["AP"]["changed"]
    assert [change["query"] for change in changed[:4]] == ["q1", "q2", "q3", "q10"]
    assert changed[0] == {"query": "q1", "baseline": 0.5, "other": 0.1, "difference": -0.4}
    assert len(changed) == 10
    table = changed_table(document)
    assert table.header == ["run", "measure", "query", "baseline", "other", "difference"]
    assert table.rows[0] == ["new", "AP", "q1", 0.5, 0.1, -0.4]


@pytest.mark.parametrize(
    ("before", "after", "advice"),
    [
        (1.0, 0.9, "judge more of both"),
        (0.6, 0.95, "judge more of both"),
        (0.7, 0.72, "judge more before trusting a difference"),
        (0.9, 0.92, None),
    ],
)
def test_coverage_is_no_measure_to_win_by(before: float, after: float, advice: str | None) -> None:
    same = {"AP": [0.5, 0.5], "RR@10": [0.5, 0.5], "P@10": [0.5, 0.5]}
    document = compared(
        scores("old", {**same, "Judged@10": [before, before]}, judged=[before, before]),
        scores("new", {**same, "Judged@10": [after, NAN]}, judged=[after, NAN]),
    )
    run = document["runs"][0]
    assert document["measures"] == list(run["measures"]) == ["AP", "RR@10", "P@10"]
    assert run["measures"]["AP"]["judged"] == {"baseline": before, "other": after}
    if advice is None:
        assert document["notices"] == []
    else:
        # AP has no cutoff: how much of a whole ranking is judged says nothing.
        (notice,) = document["notices"]
        assert notice.startswith(
            f"RR@10, P@10: {100 * after:.0f} % of what new found is judged, and"
            f" {100 * before:.0f} % of what old found; "
        )
        assert notice.endswith(advice)


def test_runs_scored_otherwise_are_refused() -> None:
    old = scores("old", {"AP": [0.5, 0.5]})
    other = scores("new", {"RR": [0.5]}, ScoreOptions(ties="trec9"))
    with pytest.raises(InputError) as caught:
        compared(old, other)
    assert str(caught.value).splitlines() == [
        '"new" and "old" are not scored on the same queries, such as "q1" (expected: the same)',
        '"new" and "old" are not scored by the same measures (expected: the same)',
        '"new" and "old" are not scored with the same options',
    ]


values = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0, NAN]), st.sampled_from([0.0, 0.5, 0.75, NAN])),
    min_size=1,
    max_size=9,
)


@given(values)
@settings(CALM, max_examples=60)
def test_changing_sides_turns_everything_around(pairs: list[tuple[float, float]]) -> None:
    before, after = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = row(before, after), row(after, before)
    opposite = {"better": "worse", "worse": "better", "cannot-separate": "cannot-separate"}
    assert other["verdict"] == opposite[one["verdict"]]
    for name in ("p", "p_adjusted", "p_t", "pairs", "left_out", "tied", "queries_needed"):
        assert other[name] == one[name]
    assert (other["won"], other["lost"]) == (one["lost"], one["won"])
    for name, mirrored in (("difference", "difference"), ("low", "high"), ("high", "low")):
        if one[name] is None:
            assert other[mirrored] is None
        else:
            assert other[mirrored] == pytest.approx(-one[name], abs=1e-12)


@given(values, st.randoms(use_true_random=False))
@settings(CALM, max_examples=40)
def test_the_order_of_queries_changes_no_exact_result(
    pairs: list[tuple[float, float]], random: Any
) -> None:
    shuffled = random.sample(pairs, len(pairs))
    one = row([a for a, _ in pairs], [b for _, b in pairs])
    other = row([a for a, _ in shuffled], [b for _, b in shuffled])
    for name in set(one) - {"low", "high", "changed", "says"}:
        assert other[name] == one[name]


def test_the_document_is_strict_json_and_repeatable() -> None:
    rng = np.random.default_rng(7)
    tables = [{"AP": rng.random(40), "Judged@10": rng.random(40)} for _ in range(3)]
    made = [scores(name, table) for name, table in zip("abc", tables, strict=True)]
    kind = {f"q{i}": str(i % 3) for i in range(40)}
    parts = [by_query(run, "kind", kind) for run in made]
    one, other = (compared(*made, slices=parts) for _ in range(2))
    assert json.loads(json.dumps(one, allow_nan=False)) == one == other
    assert one["schema"] == "judge.compare/1"


def test_a_run_without_its_own_share_of_the_pool() -> None:
    qrels = Qrels.from_judgments(
        [
            Judgment("q1", "a", 2),  # from one only
            Judgment("q1", "b", 1),  # from both
            Judgment("q1", "c", 0),  # from two only
            Judgment("q1", "z", 3),  # from nobody
            Judgment("q2", "d", 1),  # from one only, and all that is relevant
        ]
    )
    one = Run.from_hits("one", {"q1": [Hit("a", 2.0), Hit("b", 1.0)], "q2": [Hit("d", 1.0)]})
    two = Run.from_hits("two", {"q1": [Hit("b", 2.0), Hit("c", 1.0), Hit("a", 0.5)]})
    measures = [parse_measure(name) for name in ("RR", "P@2", "R@2", "Judged@2")]
    first, second = leave_one_out(qrels, [one, two], [2, 2], measures)
    assert (first.run, first.pairs, first.relevant) == ("one", 2, 2)
    # q1: a unjudged, b second and one of two relevant; q2: nothing relevant is left.
    assert {n: v.tolist() for n, v in first.without.values.items()} == {
        "RR": [0.5, 0.0],
        "P@2": [0.5, 0.0],
        "R@2": [0.5, 0.0],
        "Judged@2": [0.5, 0.0],
    }
    # Before: q1 2/3 of the relevant found, q2 all.
    assert first.losses() == pytest.approx(
        {"RR": 1 - 0.25, "P@2": 0.75 - 0.25, "R@2": 5 / 6 - 0.25, "Judged@2": 1 - 0.25}
    )
    assert (second.run, second.pairs, second.relevant) == ("two", 1, 0)
    assert second.losses() == {"RR": 0.0, "P@2": 0.0, "R@2": 0.0, "Judged@2": 0.5}


def test_what_only_one_run_brought_was_never_pooled() -> None:
    """The sample of a pool that infAP estimates from is the pool of the other runs."""
    graded = [("a", 1), ("b", -1), ("c", -1), ("d", 1)]
    qrels = Qrels.from_judgments([Judgment("q", doc, grade) for doc, grade in graded])
    one = Run.from_hits("one", {"q": [Hit(doc, 9.0 - i) for i, doc in enumerate("abcd")]})
    two = Run.from_hits("two", {"q": [Hit("d", 2.0), Hit("a", 1.0)]})
    first, _ = leave_one_out(qrels, [one, two], [4, 4], [parse_measure("infAP")])
    assert first.pairs == 0
    # Rank 1: 1. Rank 4: 1/4 + 3/4 (pooled above / 3) (relevant + eps) / (judged + 2 eps): with b
    # and c 3 are pooled above d, without them only a.
    assert first.full.values["infAP"].tolist() == pytest.approx([(1 + 1 / 4 + 3 / 4) / 2], abs=1e-4)
    assert first.without.values["infAP"].tolist() == pytest.approx([(1 + 1 / 4 + 1 / 4) / 2], 1e-4)


def test_a_query_left_with_nothing_stays_where_such_are_excluded() -> None:
    qrels = Qrels.from_judgments([Judgment("q1", "a", 1), Judgment("q2", "b", 1)])
    one = Run.from_hits("one", {"q1": [Hit("a", 1.0)], "q2": [Hit("b", 1.0)]})
    two = Run.from_hits("two", {"q2": [Hit("b", 1.0)]})
    options = ScoreOptions(no_relevant="exclude")
    first, _ = leave_one_out(qrels, [one, two], [1, 1], [parse_measure("RR")], options)
    assert first.without.query_ids == ("q1", "q2")
    assert first.losses() == {"RR": 0.5}


Hits = dict[str, dict[str, float]]
documents = st.sampled_from("abcdef")
rankings = st.dictionaries(documents, st.sampled_from([0.0, 1.0, 2.0]), min_size=1)
some_runs = st.lists(
    st.fixed_dictionaries({"q1": rankings, "q2": rankings}), min_size=1, max_size=3
)
some_qrels = st.fixed_dictionaries(
    {query: st.dictionaries(documents, st.integers(-1, 2), min_size=1) for query in ("q1", "q2")}
)


def plainly(ranking: Sequence[str], grades: Mapping[str, int]) -> tuple[float, float]:
    """RR and AP of one ranking, step by step."""
    relevant = {doc for doc, grade in grades.items() if grade > 0}
    found = [rank for rank, doc in enumerate(ranking, 1) if doc in relevant]
    if not found:
        return 0.0, 0.0
    precisions = [(i + 1) / rank for i, rank in enumerate(found)]
    return 1 / found[0], sum(precisions) / len(relevant)


@given(some_runs, some_qrels, st.integers(1, 4))
@settings(CALM, max_examples=100)
def test_leaving_out_is_scoring_without_those_lines(
    runs: list[Hits], grades: dict[str, dict[str, int]], depth: int
) -> None:
    """Against plain dictionaries, from which the lines are really taken."""
    judgments = [Judgment(q, d, g) for q, rows in grades.items() for d, g in rows.items()]
    tables = [
        Run.from_hits(str(i), {q: [Hit(*hit) for hit in hits.items()] for q, hits in run.items()})
        for i, run in enumerate(runs)
    ]
    results = leave_one_out(
        Qrels.from_judgments(judgments),
        tables,
        [depth + i for i in range(len(tables))],
        [parse_measure("RR"), parse_measure("AP")],
    )
    ordered = [
        {q: sorted(hits, key=lambda d: (hits[d], d), reverse=True) for q, hits in run.items()}
        for run in runs
    ]
    for i, result in enumerate(results):
        pooled = [
            {(q, d) for q, r in run.items() for d in r[: depth + j]}
            for j, run in enumerate(ordered)
        ]
        others = set().union(*(pool for j, pool in enumerate(pooled) if j != i))
        own = pooled[i] - others
        judged = {(q, d) for q, rows in grades.items() for d, grade in rows.items() if grade >= 0}
        assert result.pairs == len(own & judged)
        left = {
            q: {d: g for d, g in rows.items() if (q, d) not in own} for q, rows in grades.items()
        }
        wanted = [plainly(ordered[i][q], left[q]) for q in result.without.query_ids]
        assert result.without.query_ids == tuple(grades)
        assert result.without.values["RR"].tolist() == pytest.approx([rr for rr, _ in wanted])
        assert result.without.values["AP"].tolist() == pytest.approx([ap for _, ap in wanted])


def test_alpha_decides_interval_and_power() -> None:
    pairs = [0.1, 0.1], [0.2, 0.4]
    strict, loose = row(*pairs, alpha=0.05), row(*pairs, alpha=0.2)
    # ((1.281552 + 0.841621) 0.141421 / 0.02)^2 + 1.281552^2 / 2 = 225.4 + 0.8.
    assert (strict["queries_needed"], loose["queries_needed"]) == (395, 227)
    before, after = [0.0] * 30, [i / 30 for i in range(30)]
    wide, narrow = row(before, after, alpha=0.01), row(before, after, alpha=0.5)
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]


def test_many_queries_take_students_interval_and_say_so() -> None:
    many = 10_001
    old, new = (
        scores("old", {"AP": [0.0] * many}),
        scores("new", {"AP": [0.0, 1.0] * 5_000 + [1.0]}),
    )
    document = compared(old, new)
    assert document["interval"] == {"method": "student", "confidence": 0.95, "resamples": 0}
    found = document["runs"][0]["measures"]["AP"]
    # Half of the differences are 1: standard error 0.5 / sqrt(n).
    assert found["high"] - found["low"] == pytest.approx(2 * 1.96 * 0.5 / many**0.5, rel=1e-3)


def test_what_is_compared_beside_it_changes_no_row() -> None:
    rng = np.random.default_rng(3)
    values = {"AP": rng.random(30), "RR": rng.random(30)}
    zero = {name: np.zeros(30) for name in values}
    alone = compared(scores("old", {"AP": zero["AP"]}), scores("new", {"AP": values["AP"] - 0.4}))
    values["AP"] = values["AP"] - 0.4
    both = compared(scores("old", zero), scores("new", values))
    one, other = (d["runs"][0]["measures"]["AP"] for d in (alone, both))
    assert one["p"] == other["p"]
