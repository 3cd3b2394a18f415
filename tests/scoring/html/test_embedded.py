from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.scoring.html import PageData, Shown
from judge.scoring.html.embedded import json_text, query_ids, script_data
from tests.scoring.html.sample import MADE_AT

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(max_size=3), parts),
)


@given(st.dictionaries(st.sampled_from(["<!--", "</script>", "&", "\u2028"]), VALUES))
def test_the_json_is_strict_and_ends_no_element(value: dict[str, object]) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029") & set(text)


def test_a_number_that_json_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_text({"a": float("nan")})


def test_the_values_are_those_of_the_report(data: PageData) -> None:
    made = script_data(data)
    ids = [query for query, _ in made["queries"]]
    assert len(ids) == 40
    for place, run in enumerate(data.report["runs"]):
        assert made["runs"][place] == run["run"]
        for column, name in enumerate(made["measures"]):
            told = dict(zip(ids, made["values"][place][column], strict=True))
            assert told == {query: values[name] for query, values in run["queries"].items()}


def test_the_rankings_are_those_that_were_given(data: PageData) -> None:
    made = script_data(data)
    for place, run in enumerate(made["runs"]):
        for number, (query, _) in enumerate(made["queries"]):
            told = made["tops"][place].get(str(number))
            hits = data.tops[run].get(query)
            if hits is None:
                assert told is None
                continue
            assert told == [
                [
                    made["documents"].index([hit.doc_id, hit.title, hit.language]),
                    made["snippets"].index(hit.snippet),
                    hit.score,
                    hit.grade,
                    hit.hard_negative,
                ]
                for hit in hits
            ]


def test_every_text_is_there_once(data: PageData) -> None:
    made = script_data(data)
    assert len(set(made["snippets"])) == len(made["snippets"])
    ids = [doc_id for doc_id, _, _ in made["documents"]]
    assert len(set(ids)) == len(ids)


def test_a_value_that_is_not_finite_is_no_value(data: PageData) -> None:
    hit = Shown("d", "", "", "und", float("-inf"), None, False)
    run = data.report["runs"][0]
    report = {
        "runs": [{**run, "run": "r", "queries": {"q": {"m": float("nan")}}}],
        "measures": ["m"],
    }
    made = script_data(replace(data, report=report, tops={"r": {"q": [hit]}}))
    assert made["values"] == [[[None]]]
    assert made["tops"] == [{"0": [[0, 0, None, None, False]]}]
    assert made["documents"] == [["d", "", ""]]


def test_queries_go_by_the_numbers_in_their_ids(data: PageData) -> None:
    none: list[Shown] = []
    tops = {data.report["runs"][0]["run"]: {"extra": none, "q1": none}}
    ids = query_ids(replace(data, tops=tops))
    assert ids == ["extra", *(f"q{number}" for number in range(1, 41))]


def test_grades_without_words_are_known_where_a_document_has_them() -> None:
    hits = [Shown("d", "", "", "und", 1.0, grade, False) for grade in (3, None, -1, 0)]
    report = {"runs": [{"run": "r"}], "measures": ["AP"]}
    data = PageData("t", MADE_AT, report, {"r": {"q": hits}}, grade_labels={1: "words"})
    made = script_data(data)
    assert made["grades"] == {"0": "", "1": "words", "3": ""}
    assert made["queries"] == [["q", ""]]
