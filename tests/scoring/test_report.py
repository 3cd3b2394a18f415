"""The report document, its tables, and what is told in words."""

from __future__ import annotations

import json

import pytest

from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.measures import parse_measure
from judge.scoring.report import (
    Intervals,
    RunReport,
    notices,
    query_table,
    score_report,
    score_table,
    settings_hash,
    several_reports,
    several_table,
)
from judge.scoring.score import ScoreOptions, score
from judge.scoring.slices import by_query

QRELS = Qrels.from_judgments(
    [
        Judgment("q1", "a", 3),
        Judgment("q2", "b", 1),
        Judgment("q3", "c", 0),
        Judgment("q3", "d", -1),
    ]
)
RUN = Run.from_hits(
    "bm25", {"q1": [Hit("x", 2.0), Hit("a", 1.0), Hit("y", 1.0)], "q9": [Hit("a", 1)]}
)
MEASURES = [parse_measure(name) for name in ("RR", "P@2", "Judged@2")]


def made(**options: bool) -> RunReport:
    chosen = ScoreOptions(no_relevant="exclude") if options.get("exclude") else ScoreOptions()
    scores = score(QRELS, RUN, MEASURES, chosen)
    parts = by_query(scores, "language", {"q1": "en", "q2": "hi"})
    return RunReport(scores, parts if options.get("slices") else (), ("odd",))


def test_the_document() -> None:
    report = score_report(QRELS, [made()], {"labels": "median-low"}, per_query=True)
    settings = {
        "ties": "trec",
        "unjudged": "zero",
        "no_relevant": "zero",
        "relevant_from": 1,
        "labels": "median-low",
    }
    assert report == {
        "schema": "judge.score/1",
        "settings": settings,
        "settings_hash": settings_hash(settings),
        "interval": None,
        "qrels": {"queries": 3, "judgments": 4, "digest": QRELS.digest()},
        "measures": ["RR", "P@2", "Judged@2"],
        "runs": [
            {
                "run": "bm25",
                "measures": {
                    # q1 has three results, of which `a` is judged; it stands at rank 3.
                    "RR": {"mean": 1 / 9, "judged": 1 / 3},
                    "P@2": {"mean": 0.0, "judged": 0.0},
                    "Judged@2": {"mean": 0.0, "judged": 0.0},
                },
                "counts": {
                    "queries": 3,
                    "missing": 2,
                    "no_relevant": 1,
                    "ignored": 1,
                    "negative": 1,
                    "tied": {"2": 1},
                },
                "missing": ["q2", "q3"],
                "no_relevant": ["q3"],
                "slices": [],
                "queries": {
                    "q1": {"RR": 1 / 3, "P@2": 0.0, "Judged@2": 0.0},
                    "q2": {"RR": 0.0, "P@2": 0.0, "Judged@2": None},
                    "q3": {"RR": 0.0, "P@2": 0.0, "Judged@2": None},
                },
            }
        ],
        "notices": [
            "run bm25: odd",
            '2 judged queries are not in run bm25 and count 0: "q2", "q3"',
            '1 query has no relevant document and counts 0: "q3"',
            '1 query of run bm25 has no judgments and is ignored: "q9"',
            "1 judgment has a grade below 0 and counts as unjudged",
            "run bm25: equal scores cross rank 2 in 1 query",
        ],
    }


def test_the_document_is_strict_json() -> None:
    report = score_report(QRELS, [made(exclude=True, slices=True)], per_query=True)
    assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_without_any_query_the_means_are_null() -> None:
    qrels = Qrels.from_judgments([Judgment("q1", "a", 0)])
    scores = score(qrels, RUN, MEASURES, ScoreOptions(no_relevant="exclude"))
    report = score_report(qrels, [RunReport(scores)])
    nothing = {"mean": None, "judged": None}
    assert report["runs"][0]["measures"] == dict.fromkeys(scores.values, nothing)
    assert report["runs"][0]["counts"]["queries"] == 0
    assert score_table(report).rows[0] == ["RR", "bm25", None, None]


def test_values_are_listed_per_query_only_on_request() -> None:
    assert "queries" not in score_report(QRELS, [made()])["runs"][0]


def test_slices_are_rows_below_all_queries() -> None:
    report = score_report(QRELS, [made(slices=True)])
    table = score_table(report)
    assert table.header == ["measure", "slice", "queries", "run", "mean", "judged"]
    assert table.rows[:5] == [
        ["RR", "all", 3, "bm25", 1 / 9, 1 / 3],
        ["", "language=en", 1, "bm25", 1 / 3, 1 / 3],
        ["", "language=hi", 1, "bm25", 0.0, None],
        ["", "language=(none)", 1, "bm25", 0.0, None],
        ["P@2", "all", 3, "bm25", 0.0, 0.0],
    ]
    assert report["runs"][0]["slices"][0]["counts"] == {"queries": 1}


def test_the_table_of_queries() -> None:
    table = query_table(score_report(QRELS, [made()], per_query=True))
    assert table.header == ["run", "query", "RR", "P@2", "Judged@2"]
    assert table.rows[0] == ["bm25", "q1", 1 / 3, 0.0, 0.0]
    assert table.rows[2] == ["bm25", "q3", 0.0, 0.0, None]


def test_many_ids_are_cut_in_words_but_not_in_the_document() -> None:
    qrels = Qrels.from_judgments([Judgment(f"q{i}", "a", 1) for i in [1, *range(11, 40)]])
    report = RunReport(score(qrels, RUN, MEASURES))
    assert notices(report.scores)[0] == (
        "29 judged queries are not in run bm25 and count 0: "
        + ", ".join(f'"q{i}"' for i in range(11, 21))
        + ", and 19 more"
    )
    assert len(score_report(qrels, [report])["runs"][0]["missing"]) == 29


def test_queries_that_are_left_out_are_told_so() -> None:
    assert notices(made(exclude=True).scores)[1] == (
        '1 query has no relevant document and is left out: "q3"'
    )


@pytest.mark.parametrize(
    "other", [{"ties": "trec9", "n": 1}, {"ties": "trec", "n": 2}, {"ties": "trec"}]
)
def test_other_settings_have_another_hash(other: dict[str, object]) -> None:
    settings = {"ties": "trec", "n": 1}
    assert settings_hash(settings) != settings_hash(other)
    assert len(settings_hash(settings)) == 8


def test_intervals_hold_the_mean_and_are_the_same_each_time() -> None:
    judged = [Judgment(f"q{i}", "a", 1) for i in range(40)]
    found = {f"q{i}": [Hit("x" if i % 4 else "a", 2.0), Hit("y", 1.0)] for i in range(40)}
    report = RunReport(
        score(Qrels.from_judgments(judged), Run.from_hits("r", found), [parse_measure("RR")])
    )
    made_twice = [
        score_report(Qrels.from_judgments(judged), [report], intervals=Intervals()) for _ in "ab"
    ]
    assert made_twice[0] == made_twice[1]
    assert made_twice[0]["interval"] == {
        "method": "percentile",
        "confidence": 0.95,
        "resamples": 1000,
    }
    values = made_twice[0]["runs"][0]["measures"]["RR"]
    # A quarter of 40 queries has 1, the others 0: the standard error is sqrt(.25 * .75 / 40).
    assert values["mean"] == 0.25
    assert values["low"] == pytest.approx(0.25 - 1.96 * 0.0685, abs=0.03)
    assert values["high"] == pytest.approx(0.25 + 1.96 * 0.0685, abs=0.03)
    assert score_table(made_twice[0]).header == ["measure", "run", "mean", "low", "high", "judged"]


def test_an_interval_that_cannot_be_given_says_why() -> None:
    qrels = Qrels.from_judgments([Judgment("q1", "a", 1)])
    report = score_report(qrels, [RunReport(score(qrels, RUN, MEASURES))], intervals=Intervals())
    reason = "an interval needs values of at least two queries"
    entry = report["runs"][0]["measures"]["RR"]
    assert (entry["low"], entry["high"], entry["undefined"]) == (None, None, reason)
    assert report["notices"].count(f"where no interval is given: {reason}") == 1


def test_settings_that_were_not_given_do_not_change_the_hash() -> None:
    one = score_report(QRELS, [made()], {"labels": "median-low"})
    other = score_report(QRELS, [made()], {"labels": "median-low", "new": None})
    assert one["settings_hash"] == other["settings_hash"]
    assert "new" not in other["settings"]


def test_several_datasets_weigh_the_same_in_the_average() -> None:
    reports = [{**score_report(QRELS, [made()]), "dataset": "one"}]
    more = Qrels.from_judgments([Judgment("q1", "x", 1)])
    second = score_report(more, [RunReport(score(more, RUN, MEASURES))])
    reports.append({**second, "dataset": "two"})
    document = several_reports(reports)
    assert document["schema"] == "judge.scores/1"
    (average,) = document["average"]
    assert (average["run"], average["datasets"]) == ("bm25", 2)
    # 1 / 9 over three queries, 1 over one.
    assert average["measures"]["RR"]["mean"] == pytest.approx((1 / 9 + 1) / 2)
    table = several_table(document)
    assert table.header == ["dataset", "measure", "run", "mean", "judged"]
    assert table.rows[0] == ["one", "RR", "bm25", 1 / 9, 1 / 3]
    assert table.rows[-2] == ["average", "RR", "bm25", (1 / 9 + 1) / 2, None]
    assert document["notices"] == []
