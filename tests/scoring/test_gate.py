"""What passes and what fails when two reports are held against each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import InputError, NotFound
from judge.scoring.gate import Rules, Significance, gate, gate_table, higher_is_better
from judge.scoring.reading import Report, parse_report, read_report

KEPT = Path(__file__).resolve().parents[1] / "golden" / "reports"
Means = dict[str, float | None]
Runs = dict[str, Means]


def entry(means: Means, queries: int = 4) -> dict[str, Any]:
    measures = {name: {"mean": mean} for name, mean in means.items()}
    return {"measures": measures, "counts": {"queries": queries}}


def report(path: str, runs: Runs, **more: Any) -> Report:
    """A report; `more` may hold settings, digest, slices and per-query values of every run."""
    names = dict.fromkeys(name for means in runs.values() for name in means)
    entries = []
    for run, means in runs.items():
        made: dict[str, Any] = {"run": run, **entry(means, more.get("queries", 4))}
        made["slices"] = [
            {"by": by, "value": value, **entry(part, count)}
            for by, value, part, count in more.get("slices", [])
        ]
        if "per_query" in more:
            made["queries"] = more["per_query"]
        entries.append(made)
    value = {
        "schema": "judge.score/1",
        "settings": more.get("settings", {"relevant_from": 2, "split": "dev"}),
        "settings_hash": more.get("settings_hash", "0123abcd"),
        "qrels": {"queries": 4, "judgments": 9, "digest": more.get("digest", "aa")},
        "measures": list(names),
        "runs": entries,
    }
    return parse_report(value, path)


def one(before: Means, now: Means, rules: Rules | None = None) -> dict[str, Any]:
    """The only row of reports on one run with one measure."""
    document = gate(report("a.json", {"r": before}), report("b.json", {"r": now}), rules)
    (row,) = document["rows"]
    assert isinstance(row, dict)
    assert document["passed"] == row["passed"]
    return row


def refusal(before: Report, now: Report, rules: Rules | None = None) -> list[str]:
    with pytest.raises(InputError) as caught:
        gate(before, now, rules)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("before", "now", "passed"),
    [
        (0.8, 0.8, True),
        (0.8, 0.9, True),
        (0.8, 0.76, True),  # 5 % exactly, though 0.8 - 0.76 > 0.05 * 0.8 in doubles
        (0.4, 0.38, True),
        (0.8, 0.7599, False),
        (0.5, 0.0, False),
    ],
)
def test_a_share_of_the_baseline_may_be_lost(before: float, now: float, passed: bool) -> None:
    row = one({"nDCG@10": before}, {"nDCG@10": now})
    assert row["passed"] is passed
    assert row["delta"] == now - before
    assert row["relative"] == pytest.approx((now - before) / before)
    assert (row["threshold"], row["kind"]) == (0.05, "relative")


@pytest.mark.parametrize(
    ("now", "passed"), [(0.6, True), (0.58, True), (0.5799, False), (0.571, False)]
)
def test_a_limit_takes_the_place_of_the_share(now: float, passed: bool) -> None:
    # 0.571 is within 5 % of 0.6, but more than two points down.
    rules = Rules(limits={"R@10": 0.02})
    row = one({"R(rel=2)@10": 0.6}, {"R(rel=2)@10": now}, rules)
    assert row["passed"] is passed
    assert (row["threshold"], row["kind"]) == (0.02, "absolute")


def test_a_limit_may_be_wider_than_the_share() -> None:
    assert one({"AP": 0.1}, {"AP": 0.08}, Rules(limits={"ap": 0.02}))["passed"]
    assert not one({"AP": 0.1}, {"AP": 0.08})["passed"]


@pytest.mark.parametrize("name", ["latency_p95", "p50_ms", "search_seconds", "index-size"])
def test_what_should_be_low_must_not_rise(name: str) -> None:
    assert not higher_is_better(name)
    assert one({name: 100.0}, {name: 105.0})["passed"]
    assert not one({name: 100.0}, {name: 105.1})["passed"]
    assert one({name: 100.0}, {name: 10.0})["passed"]
    assert one({name: 100.0}, {name: 120.0}, Rules(limits={name: 20.0}))["passed"]


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "queries_per_second", "items", "resize_quality"])
def test_all_else_must_not_fall(name: str) -> None:
    assert higher_is_better(name)


def test_of_a_baseline_of_0_nothing_can_be_lost() -> None:
    assert one({"AP": 0.0}, {"AP": 0.0})["passed"]
    assert one({"AP": 0.0}, {"AP": 0.3})["passed"]
    row = one({"latency_ms": 0.0}, {"latency_ms": 0.5})
    assert not row["passed"]
    assert row["relative"] is None
    assert "give a limit" in row["reason"]
    assert one({"latency_ms": 0.0}, {"latency_ms": 0.5}, Rules(limits={"latency_ms": 1}))["passed"]


def test_what_is_missing_now_fails() -> None:
    row = one({"AP": 0.5}, {"Judged@10": 1.0})
    assert (row["passed"], row["current"], row["delta"]) == (False, None, None)
    assert row["reason"] == "the measure is not in the current report"
    row = one({"AP": 0.5}, {"AP": None})
    assert (row["passed"], row["reason"]) == (False, "no value now")


def test_what_the_baseline_lacks_passes_with_the_reason() -> None:
    for now in (0.5, None):
        row = one({"AP": None}, {"AP": now})
        assert row["passed"]
        assert "no value in the baseline" in row["reason"]


def test_a_run_that_is_gone_fails_in_every_row() -> None:
    before = report("a.json", {"r": {"AP": 0.5, "RR": 0.5}, "s": {"AP": 0.5, "RR": 0.5}})
    now = report("b.json", {"s": {"AP": 0.5, "RR": 0.5}, "new": {"AP": 0.1}})
    document = gate(before, now)
    assert [(row["name"], row["passed"]) for row in document["rows"]] == [
        ("r AP", False),
        ("r RR", False),
        ("s AP", True),
        ("s RR", True),
    ]
    assert document["counts"] == {"rows": 4, "failed": 2}
    assert "run new is not in the baseline and was not compared" in document["notices"]


def test_one_run_in_each_is_matched_whatever_its_name() -> None:
    document = gate(report("a.json", {"v1": {"AP": 0.5}}), report("b.json", {"v2": {"AP": 0.4}}))
    assert [row["name"] for row in document["rows"]] == ["v1 AP"]
    assert not document["passed"]
    assert document["notices"] == ["run v1 of the baseline is compared with run v2"]


def test_without_a_common_run_nothing_is_compared() -> None:
    before = report("a.json", {"v1": {"AP": 0.5}, "v2": {"AP": 0.5}})
    (line,) = refusal(before, report("b.json", {"v3": {"AP": 0.5}}))
    assert line.startswith('b.json: runs: has the runs "v3", but a.json has "v1", "v2"')


def test_reports_that_differ_in_what_they_rest_on_are_refused() -> None:
    before = report("a.json", {"r": {"AP": 0.5}})
    now = report(
        "b.json",
        {"r": {"AP": 0.5}},
        settings={"relevant_from": 2, "split": "test", "rollup": True},
        settings_hash="ffffffff",
        digest="bb",
        queries=5,
    )
    same = "(expected: the same in both reports)"
    assert refusal(before, now) == [
        f'b.json: settings.split: "test" here, "dev" in a.json {same}',
        f"b.json: settings.rollup: True here, nothing in a.json {same}",
        f'b.json: qrels.digest: "bb" here, "aa" in a.json {same}',
        'b.json: queries: run "r": 5 queries count here, 4 in the baseline'
        " (expected: the same queries in both reports)",
    ]


def test_another_hash_is_refused_even_where_all_known_settings_agree() -> None:
    before = report("a.json", {"r": {"AP": 0.5}})
    (line,) = refusal(before, report("b.json", {"r": {"AP": 0.5}}, settings_hash="ffffffff"))
    assert line.startswith('b.json: settings_hash: "ffffffff" here, "0123abcd" in a.json')


def test_another_scale_is_refused() -> None:
    """ERR and its like change with the top grade, the judgments being the same."""
    before = replace(report("a.json", {"r": {"ERR@10": 0.5}}), top_grade=3)
    now = replace(report("b.json", {"r": {"ERR@10": 0.25}}), top_grade=4)
    (line,) = refusal(before, now)
    assert line.startswith("b.json: qrels.top_grade: 4 here, 3 in a.json")
    # Earlier reports do not say.
    assert not gate(replace(before, top_grade=None), now)["passed"]


def test_other_queries_are_named() -> None:
    values = {f"q{{{i}}}": {"AP": 0.5} for i in range(5)}
    before = report("a.json", {"r": {"AP": 0.5}}, per_query={"q{0}": {"AP": 0.5}})
    lines = refusal(before, report("b.json", {"r": {"AP": 0.5}}, per_query=values))
    assert len(lines) == 1
    assert 'run "r": only here: "q{1}", "q{2}", "q{3}" and 1 more' in lines[0]


def parts(**values: float) -> list[tuple[str, str, Means, int]]:
    return [("language", name, {"AP": value}, 2) for name, value in values.items()]


def test_slices_of_the_baseline_are_rows() -> None:
    before = report("a.json", {"r": {"AP": 0.5}}, slices=parts(en=0.5, hi=0.5))
    now = report("b.json", {"r": {"AP": 0.5}}, slices=parts(en=0.9, hi=0.1))
    document = gate(before, now)
    assert [(row["name"], row["passed"]) for row in document["rows"]] == [
        ("r AP", True),
        ("r language=en AP", True),
        ("r language=hi AP", False),
    ]
    assert document["rows"][2]["slice"] == {"by": "language", "value": "hi"}
    gone = gate(before, report("b.json", {"r": {"AP": 0.5}}, slices=parts(en=0.5)))
    assert gone["rows"][2]["reason"] == "the slice is not in the current report"
    assert not gone["passed"]
    uncut = gate(before, report("b.json", {"r": {"AP": 0.5}}))
    assert [row["passed"] for row in uncut["rows"]] == [True, False, False]
    more = gate(report("a.json", {"r": {"AP": 0.5}}), now)
    assert len(more["rows"]) == 1
    assert more["notices"] == ["run r: only the current report is cut by language; not compared"]


def test_slices_over_other_queries_are_refused() -> None:
    before = report("a.json", {"r": {"AP": 0.5}}, slices=[("language", "en", {"AP": 0.5}, 3)])
    now = report("b.json", {"r": {"AP": 0.5}}, slices=[("language", "en", {"AP": 0.5}, 2)])
    (line,) = refusal(before, now)
    assert 'run "r", language=en: 2 queries count here, 3 in the baseline' in line


def test_only_some_measures() -> None:
    means: Means = {"AP": 0.5, "RR": 0.5, "R(rel=2)@10": 0.5, "Judged@10": 0.5}
    before, now = report("a.json", {"r": means}), report("b.json", {"r": means})

    def names(rules: Rules | None) -> list[str]:
        return [row["measure"] for row in gate(before, now, rules)["rows"]]

    # How much is judged is not how good a run is.
    assert names(None) == ["AP", "RR", "R(rel=2)@10"]
    assert names(Rules(measures=["rr"])) == ["RR"]
    assert names(Rules(measures=["RR"], limits={"R@10": 0.1})) == ["RR", "R(rel=2)@10"]
    assert names(Rules(limits={"Judged@10": 0.1})) == ["AP", "RR", "R(rel=2)@10", "Judged@10"]
    for rules in (Rules(measures=["P@5"]), Rules(limits={"nonsense": 0.1})):
        with pytest.raises(NotFound, match=r"The baseline is a\.json"):
            gate(before, now, rules)


def test_a_change_of_coverage_is_told() -> None:
    before: Means = {"AP": 0.5, "Judged@10": 0.9}
    document = gate(
        report("a.json", {"r": before}), report("b.json", {"r": {"AP": 0.5, "Judged@10": 0.6}})
    )
    assert document["passed"]
    (notice,) = document["notices"]
    assert notice.startswith("run r: Judged@10 went from 0.90 to 0.60")


def trial(before: Sequence[float | None], now: Sequence[float | None]) -> dict[str, Any]:
    """A row that lost more than its threshold, with the test."""
    first, second = (
        report(
            path,
            {"r": {"AP": mean}},
            queries=len(values),
            per_query={f"q{i}": {"AP": value} for i, value in enumerate(values)},
        )
        for path, mean, values in (("a.json", 0.5, before), ("b.json", 0.4, now))
    )
    rules = Rules(significance=Significance(np.random.default_rng(1)))
    (row,) = gate(first, second, rules)["rows"]
    assert isinstance(row, dict)
    return row


def test_a_loss_must_be_significant_where_that_is_asked() -> None:
    # All signs alike: two of 2^n patterns are as extreme.
    row = trial([0.5] * 6, [0.4] * 6)
    assert (row["p"], row["passed"]) == (2 / 64, False)
    row = trial([0.5] * 5, [0.4] * 5)
    assert (row["p"], row["passed"]) == (2 / 32, True)
    assert row["reason"] == "p is not below 0.05"


def test_queries_without_a_value_are_paired_out() -> None:
    row = trial([0.5] * 5 + [0.5, None], [0.4] * 5 + [None, 0.4])
    assert row["p"] == 2 / 32
    row = trial([0.5, None], [None, 0.4])
    assert (row["p"], row["passed"]) == (None, False)
    assert row["reason"].startswith("cannot be tested")


def test_significance_needs_the_values_of_each_query() -> None:
    rules = Rules(significance=Significance(np.random.default_rng(1)))
    full = report("a.json", {"r": {"AP": 0.5}}, per_query={"q": {"AP": 0.5}})
    bare = report("b.json", {"r": {"AP": 0.5}})
    (line,) = refusal(full, bare, rules)
    assert line.startswith('b.json: queries: run "r" does not list the values of each query')
    assert "--per-query" in line
    assert len(refusal(bare, bare, rules)) == 2


def test_slices_are_not_tested_and_that_is_said() -> None:
    rules = Rules(significance=Significance(np.random.default_rng(1)))
    cut = report("a.json", {"r": {"AP": 0.5}}, slices=parts(en=0.5), per_query={"q": {"AP": 0.5}})
    document = gate(cut, cut, rules)
    assert [row["name"] for row in document["rows"]] == ["r AP"]
    assert "parts are not compared" in document["notices"][0]


def test_the_table_has_a_row_each() -> None:
    before = report("a.json", {"r": {"AP": 0.5, "RR": 0.5, "R(rel=2)@10": 0.5}})
    now = report("b.json", {"r": {"AP": 0.5, "R(rel=2)@10": 0.25}})
    table = gate_table(gate(before, now, Rules(limits={"R@10": 0.02})))
    assert table.header == ["name", "baseline", "current", "delta", "threshold", "passed"]
    assert table.rows == [
        ["r AP", 0.5, 0.5, 0.0, "5 %", "yes"],
        ["r RR", 0.5, None, None, "5 %", "NO: the measure is not in the current report"],
        ["r R(rel=2)@10", 0.5, 0.25, -0.25, "0.02", "NO"],
    ]
    rules = Rules(significance=Significance(np.random.default_rng(1)))
    values = {"q": {"AP": 0.5}}
    same = report("a.json", {"r": {"AP": 0.5}}, per_query=values)
    assert gate_table(gate(same, same, rules)).rows == [["r AP", 0.5, 0.5, 0.0, "5 %", None, "yes"]]


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json")), ids=lambda path: path.stem)
def test_every_kept_report_passes_against_itself(path: Path) -> None:
    kept = read_report(path)
    document = gate(kept, kept, Rules(threshold=0.0))
    assert document["passed"]
    assert json.loads(json.dumps(document, allow_nan=False)) == document


shares = st.floats(0, 1)


@given(shares, shares, shares, shares)
def test_more_room_or_a_better_value_never_makes_a_row_fail(
    before: float, now: float, threshold: float, more: float
) -> None:
    assert one({"AP": before}, {"AP": before}, Rules(threshold=0))["passed"]
    if one({"AP": before}, {"AP": now}, Rules(threshold=threshold))["passed"]:
        assert one({"AP": before}, {"AP": now}, Rules(threshold=max(threshold, more)))["passed"]
        assert one({"AP": before}, {"AP": max(now, more)}, Rules(threshold=threshold))["passed"]


@given(shares, shares, st.floats(1e-3, 1e6))
def test_what_is_low_mirrors_what_is_high(before: float, now: float, scale: float) -> None:
    rules = Rules(threshold=0.05)
    up = one({"AP": before}, {"AP": now}, rules)["passed"]
    mirrored = one({"latency_ms": before}, {"latency_ms": 2 * before - now}, rules)["passed"]
    if abs((before - now) - 0.05 * before) > 1e-6:  # off the edge, where rounding decides
        assert up == mirrored
