"""Reports that were written earlier: all kept ones load, and faults are named with their field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.core.errors import FormatError, InputError
from judge.scoring.reading import Part, ReportedRun, parse_report, read_report

KEPT = Path(__file__).resolve().parents[1] / "golden" / "reports"


def sample() -> dict[str, Any]:
    return {
        "schema": "judge.score/1",
        "settings": {"ties": "trec"},
        "settings_hash": "0123abcd",
        "qrels": {"queries": 2, "judgments": 5, "digest": "ff"},
        "measures": ["RR", "Judged@10"],
        "runs": [
            {
                "run": "bm25",
                "measures": {"RR": {"mean": 0.5, "low": 0.0}, "Judged@10": {"mean": None}},
                "counts": {"queries": 2},
                "slices": [
                    {
                        "by": "language",
                        "value": "en",
                        "counts": {"queries": 1},
                        "measures": {"RR": {"mean": 1}},
                    }
                ],
                "queries": {"q1": {"RR": 1.0}, "q2": {"RR": None}},
            }
        ],
        "notices": [],
    }


def refused(value: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_report(value, "a.json")
    return str(caught.value).splitlines()


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json")), ids=lambda path: path.stem)
def test_every_kept_report_loads(path: Path) -> None:
    report = read_report(path)
    assert report.runs
    assert all(run.means for run in report.runs.values())


def test_the_first_report_ever_kept() -> None:
    report = read_report(KEPT / "score-0.1.0.json")
    assert (report.queries, report.judgments, report.settings_hash) == (20, 225, "cdc9db63")
    assert report.digest.startswith("2a3a5e28")
    assert report.settings["relevant_from"] == 2
    assert list(report.runs) == ["bm25", "terms"]
    bm25 = report.runs["bm25"]
    assert bm25.queries == 20
    assert bm25.means["R(rel=2)@10"] == 0.5833333333333333
    assert bm25.per_query is not None
    assert len(bm25.per_query) == 20
    assert sum(values["P(rel=2)@10"] or 0 for values in bm25.per_query.values()) / 20 == (
        pytest.approx(bm25.means["P(rel=2)@10"])
    )
    # The only query that `terms` finds nothing for has no share of judged results.
    terms = report.runs["terms"].per_query
    assert terms is not None
    assert [q for q, values in terms.items() if values["Judged@10"] is None] == ["q11"]


def test_all_that_is_used_is_read() -> None:
    report = parse_report(sample(), "a.json")
    assert report.path == "a.json"
    assert report.settings == {"ties": "trec"}
    assert report.measures == ("RR", "Judged@10")
    assert report.runs == {
        "bm25": ReportedRun(
            name="bm25",
            queries=2,
            means={"RR": 0.5, "Judged@10": None},
            slices={("language", "en"): Part(1, {"RR": 1.0})},
            per_query={"q1": {"RR": 1.0}, "q2": {"RR": None}},
        )
    }


def test_slices_and_queries_need_not_be_there() -> None:
    value = sample()
    del value["runs"][0]["slices"], value["runs"][0]["queries"]
    run = parse_report(value, "a.json").runs["bm25"]
    assert run.slices == {}
    assert run.per_query is None


def test_the_document_is_not_changed() -> None:
    value = sample()
    parse_report(value, "a.json")
    assert value == sample()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "a.json: is not a report"),
        ({}, "a.json: schema: is missing"),
        ({"schema": 1}, "a.json: schema: 1 is a number"),
        ({"schema": "judge.gate/1"}, 'schema: "judge.gate/1" is another kind of document'),
        ({"schema": "judge.score/99"}, 'schema: "judge.score/99" is not known to this version'),
        ({"schema": "judge.score"}, 'schema: "judge.score" is not known to this version'),
    ],
)
def test_another_document_is_refused_in_one_line(value: object, message: str) -> None:
    (line,) = refused(value)
    assert message in line
    assert "judge.score/1" in line


def test_a_report_on_several_datasets_is_not_one_report() -> None:
    assert refused({"schema": "judge.scores/1"}) == [
        'a.json: schema: "judge.scores/1" holds several datasets (expected: a report on one)'
    ]


def test_every_fault_is_named_once_with_its_field() -> None:
    value = sample()
    del value["settings"]
    value["qrels"]["queries"] = True
    value["measures"][1] = 3
    run = value["runs"][0]
    run["measures"]["RR"]["mean"] = "high"
    run["slices"][0]["counts"] = []
    run["queries"]["q2"] = None
    value["runs"].append("x")
    number = "(expected: a number or null)"
    assert refused(value) == [
        "a.json: settings: is missing (expected: an object)",
        "a.json: measures[1]: 3 is a number (expected: a text)",
        f'a.json: runs[0].measures.RR.mean: "high" is a text {number}',
        "a.json: runs[0].slices[0].counts: a list (expected: an object)",
        "a.json: runs[0].queries.q2: null (expected: an object)",
        'a.json: runs[1]: "x" is a text (expected: an object)',
        "a.json: qrels.queries: true (expected: a whole number, 0 or more)",
    ]


def test_a_report_without_runs_is_refused() -> None:
    assert refused({**sample(), "runs": []}) == [
        "a.json: runs: is empty (expected: at least one run)"
    ]


def test_two_runs_of_one_name_are_refused() -> None:
    value = sample()
    value["runs"] *= 2
    assert refused(value) == [
        'a.json: runs: two runs are called "bm25" (expected: a name for each run)'
    ]


def test_numbers_that_no_double_holds_are_refused(tmp_path: Path) -> None:
    value = sample()
    value["runs"][0]["measures"]["RR"]["mean"] = 10**400
    assert refused(value) == [
        "a.json: runs[0].measures.RR.mean: is too large (expected: a number up to 1e+100)"
    ]
    path = tmp_path / "nan.json"
    path.write_text(json.dumps({"schema": "judge.score/1", "x": float("nan")}))
    with pytest.raises(FormatError, match="NaN is not a JSON number"):
        read_report(path)


def test_files_that_are_no_json_are_named_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text('{\n "schema": "judge.score/1",\n')
    with pytest.raises(FormatError) as caught:
        read_report(path)
    assert str(caught.value).startswith(f"{path}:")
    with pytest.raises(InputError, match="no such file"):
        read_report(tmp_path / "none.json")


def test_a_value_that_is_no_object_is_no_measure_without_a_mean() -> None:
    value = sample()
    value["runs"][0]["measures"]["RR"] = 0.5
    assert refused(value) == ["a.json: runs[0].measures.RR: 0.5 is a number (expected: an object)"]


def test_a_part_that_is_there_twice_is_refused() -> None:
    value = sample()
    value["runs"][0]["slices"] *= 2
    (line,) = refused(value)
    assert line.endswith("is there twice (expected: each part once)")
