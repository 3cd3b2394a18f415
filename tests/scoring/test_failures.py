"""Which queries failed, and each diagnosis at its threshold and just beyond."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.errors import InputError, MeasureError
from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.scoring.failures import (
    CODES,
    MANUAL,
    Answer,
    Diagnosis,
    Disputed,
    Facts,
    Failures,
    failures_document,
    find_failures,
)
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, evaluate, gather
from tests.oracles.collections import CALM, Made, collections
from tests.oracles.measures import ranked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.core.tables import Ties

NOTHING = Facts()


def find(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Sequence[str]],
    measure: str = "RR@3",
    facts: Facts = NOTHING,
    options: ScoreOptions | None = None,
    **limits: Any,
) -> Failures:
    """Failures of rankings that are given best first."""
    judgments = [Judgment(q, d, g) for q, table in qrels.items() for d, g in table.items()]
    hits = {q: [Hit(d, -float(i)) for i, d in enumerate(docs)] for q, docs in run.items()}
    evidence = gather(
        Qrels.from_judgments(judgments), Run.from_hits("mine", hits), options or ScoreOptions()
    )
    parsed = parse_measure(measure)
    return find_failures(evidence, evaluate(evidence, [parsed]), parsed, facts, **limits)


def diagnoses(
    grades: Mapping[str, int],
    ranking: Sequence[str],
    facts: Facts = NOTHING,
    options: ScoreOptions | None = None,
    **limits: Any,
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The diagnoses of one query, whatever its value is: for each code what it says, and of what.

    The look goes to rank 3; another query only lets the run meet the qrels.
    """
    qrels, run = {"q": grades, "other": {"a": 1}}, {"q": ranking, "other": ["a"]}
    found = find(qrels, run, facts=facts, options=options, below=1.1, **limits)
    (failure,) = (failure for failure in found.failures if failure.query_id == "q")
    codes = [diagnosis.code for diagnosis in failure.diagnoses]
    assert codes == [code for code in CODES if code in codes]
    return {d.code: (d.says, d.docs) for d in failure.diagnoses}


def test_all_is_well() -> None:
    assert diagnoses({"a": 1, "b": 1, "x": 0}, ["a", "b", "x"]) == {}


def test_no_answer_known() -> None:
    two = ScoreOptions(relevant_from=2)
    assert diagnoses({"a": 1, "x": 0, "y": -1}, ["a", "x"], options=two) == {
        "no-answer-known": ("no grade of 2 or above among 2 judged documents", ())
    }
    assert diagnoses({"a": 2, "x": 0}, ["a", "x"], options=two) == {}


def test_a_measure_with_its_own_relevance_is_asked_for_that() -> None:
    found = find({"q": {"a": 2}}, {"q": ["a"]}, "RR(rel=3)", options=ScoreOptions(relevant_from=2))
    assert found.measure == "RR(rel=3)"
    assert [d.says for d in found.failures[0].diagnoses] == [
        "no grade of 3 or above among 1 judged document"
    ]


def test_answer_absent() -> None:
    judged = {"a": 1, "b": 1, "x": 0, "y": 0, "z": 0}
    # b is at rank 4 of the 3 that are looked at; at rank 3 it would be there, if too low.
    assert diagnoses(judged, ["x", "y", "z", "b"]) == {
        "answer-absent": (
            "none of 2 relevant documents is in the top 3 (best rank: 4)",
            ("b", "a"),
        ),
        "badly-ranked": ('too low for 2 relevant documents: "b" at rank 4', ("b",)),
    }
    assert diagnoses(judged, ["x", "y", "b", "z", "a"]).keys() == {"badly-ranked"}
    assert diagnoses({"a": 1, "x": 0}, ["x"]) == {
        "answer-absent": (
            "the only relevant document is not in the top 3 (not ranked at all)",
            ("a",),
        )
    }


def test_a_query_that_the_run_misses() -> None:
    found = find({"q": {"a": 1}, "r": {"b": 1}}, {"r": ["b"]})
    assert [(f.query_id, f.value, f.judged) for f in found.failures] == [("q", 0.0, None)]
    assert found.failures[0].diagnoses == (
        Diagnosis("answer-absent", "the run has no results for this query", ("a",)),
    )


def test_badly_ranked() -> None:
    judged = {"a": 1, "b": 1, "x": 0}
    assert diagnoses(judged, ["x", "a", "b"]) == {
        "badly-ranked": ('too low for 2 relevant documents: "b" at rank 3', ("b",))
    }
    assert diagnoses(judged, ["b", "a", "x"]) == {}
    # Five answers may stand at rank 5, though only three ranks are looked at.
    many = dict.fromkeys("abcde", 1)
    assert diagnoses(many, list("abcde")) == {}
    assert diagnoses({**many, "x": 0}, list("abcdxe")) == {
        "badly-ranked": ('too low for 5 relevant documents: "e" at rank 6', ("e",))
    }


def test_some_absent() -> None:
    judged = {"a": 1, "b": 1, "x": 0}
    assert diagnoses(judged, ["a", "x"]) == {
        "some-absent": ('not ranked at all: 1 of 2 relevant documents, "b"', ("b",))
    }
    assert "some-absent" not in diagnoses(judged, ["a", "x", "y", "z", "b"])
    assert "some-absent" not in diagnoses(judged, ["x"])


def test_hard_negative_above() -> None:
    judged = {"a": 1, "b": 1, "x": 0, "y": 0, "z": 0}
    marked = Facts(hard_negatives={("q", "x"), ("q", "z"), ("q", "a"), ("other", "y")})
    assert diagnoses(judged, ["x", "a", "z", "b"], marked)["hard-negative-above"] == (
        '1 hard negative stands above the first relevant document (rank 2): "x"',
        ("x",),
    )
    assert diagnoses(judged, ["z", "x", "a"], marked)["hard-negative-above"] == (
        '2 hard negatives stand above the first relevant document (rank 3): "z", "x"',
        ("z", "x"),
    )
    # Marked below the first answer, above it for another query, or the answer: none counts.
    assert "hard-negative-above" not in diagnoses(judged, ["y", "a", "x"], marked)


def test_hard_negatives_without_an_answer_below_them() -> None:
    judged = {"a": 1, "w": 0, "x": 0, "y": 0, "z": 0}
    marked = Facts(hard_negatives={("q", "x"), ("q", "z")})
    assert diagnoses(judged, ["x", "w", "y", "z", "a"], marked)["hard-negative-above"] == (
        '1 hard negative stands in the top 3, which has no relevant document: "x"',
        ("x",),
    )
    assert "hard-negative-above" not in diagnoses(judged, ["w", "y", "v", "x", "a"], marked)
    assert "hard-negative-above" not in diagnoses({"x": 0}, ["x"], marked)


def test_thin_pool() -> None:
    judged = {"a": 1, "x": 0, "y": -1}
    # y has a grade below 0, which is no judgment: 1 of 3. With x it is 2 of 3.
    assert diagnoses(judged, ["a", "y", "u"]) == {
        "thin-pool": ("too few judged to tell: 1 of the first 3 documents", ("y", "u"))
    }
    assert diagnoses(judged, ["a", "y", "x"]) == {}
    # Just half is enough; what stands below the top 3 does not matter.
    assert diagnoses(judged, ["a", "u"]) == {}
    assert diagnoses(judged, ["a", "x", "u", "v", "w", "y"]) == {}


LANGUAGES = Facts(
    query_languages={"q": "en-GB", "other": "hi"},
    document_languages={"a": "en", "b": "EN-us", "h": "hi", "t": "ta", "x": "hi", "n": "und"},
)


def test_only_the_language_of_the_query_is_found() -> None:
    judged = {"a": 1, "h": 1, "t": 1, "b": 1, "n": 1, "x": 0}
    said = diagnoses(judged, ["a", "x"], LANGUAGES)["language-specific"]
    assert said == (
        "relevant documents in en, the language of the query, are in the top 3;"
        " those in hi, ta are not",
        ("h", "t"),
    )
    assert "language-specific" not in diagnoses(judged, ["a", "x", "h"], LANGUAGES)


def test_only_other_languages_are_found() -> None:
    judged = {"a": 1, "h": 1, "t": 1, "x": 0}
    said = diagnoses(judged, ["h", "x", "y", "a"], LANGUAGES)["language-specific"]
    assert said == (
        "relevant documents in hi are in the top 3;"
        " those in en, the language of the query, are not",
        ("a",),
    )
    assert "language-specific" not in diagnoses(judged, ["h", "x", "a"], LANGUAGES)


@pytest.mark.parametrize(
    ("judged", "ranking", "facts"),
    [
        pytest.param({"a": 1, "b": 1}, ["a"], LANGUAGES, id="none in another language"),
        pytest.param({"a": 1, "h": 1}, ["x"], LANGUAGES, id="nothing found"),
        pytest.param({"a": 1, "n": 1}, ["a"], LANGUAGES, id="the other is not known"),
        pytest.param({"n": 1, "h": 1}, ["n"], LANGUAGES, id="that found is not known"),
        pytest.param({"h": 1, "t": 1}, ["h"], LANGUAGES, id="two others"),
        pytest.param(
            {"a": 1, "h": 1},
            ["a"],
            Facts(document_languages=LANGUAGES.document_languages),
            id="that of the query is not known",
        ),
    ],
)
def test_languages_explain_nothing(
    judged: dict[str, int], ranking: list[str], facts: Facts
) -> None:
    assert "language-specific" not in diagnoses(judged, ranking, facts)


CHUNKS = Facts(parents={"p1": "p", "p2": "p", "p3": "p", "r1": "r", "r2": "r"})


def test_other_chunk() -> None:
    judged = {"p1": 1, "x": 0, "p2": 0, "r1": 0}
    assert diagnoses(judged, ["x", "p2", "p3"], CHUNKS)["other-chunk"] == (
        'the top 3 lacks "p1" but has "p2", "p3" of the same document',
        ("p2", "p3"),
    )
    # p2 is at rank 4, r1 is a chunk of something else.
    assert "other-chunk" not in diagnoses(judged, ["x", "r1", "y", "p2"], CHUNKS)
    # p1 is not missed.
    assert "other-chunk" not in diagnoses(judged, ["p2", "x", "p1"], CHUNKS)
    # p2 is missed too, but nobody said that it answers.
    assert "other-chunk" not in diagnoses(judged, ["p1"], CHUNKS)


def test_other_chunks_of_several_documents() -> None:
    judged = {"p1": 1, "r2": 1, "x": 1}
    assert diagnoses(judged, ["r1", "p3"], CHUNKS)["other-chunk"] == (
        'the top 3 lacks "p1", "r2" but has "r1", "p3" of the same documents',
        ("r1", "p3"),
    )


def test_a_chunk_and_its_whole_document() -> None:
    assert diagnoses({"p1": 1}, ["x", "p"], CHUNKS)["other-chunk"][1] == ("p",)
    assert diagnoses({"p": 1}, ["p2", "x"], CHUNKS)["other-chunk"][1] == ("p2",)


def test_ambiguous() -> None:
    judged = {"a": 1, "x": 0, "y": 0}
    apart = Disputed({"x": (3, 0), "y": (1, 0), "a": (2, 1, 0)})
    assert diagnoses(judged, ["a"], Facts(disputed={"q": apart})) == {
        "ambiguous": (
            'annotators are 2 grades or more apart on "x" (0, 3), "a" (0, 1, 2)',
            ("x", "a"),
        )
    }
    near = Disputed({"x": (1, 0), "a": (2, 2, 1), "y": (3,)})
    assert diagnoses(judged, ["a"], Facts(disputed={"q": near, "other": apart})) == {}


def test_ambiguous_because_nobody_could_tell() -> None:
    unsure = Facts(disputed={"q": Disputed({"x": (0, 2)}, ("u", "x"))})
    assert diagnoses({"a": 1}, ["a"], unsure)["ambiguous"] == (
        'annotators are 2 grades or more apart on "x" (0, 2); annotators could not judge "u", "x"',
        ("x", "u"),
    )


def test_many_documents_are_cut_in_words_only() -> None:
    judged = {**{f"a{i}": 1 for i in range(1, 9)}, "x": 0}
    says, docs = diagnoses(judged, ["a1", "x"])["some-absent"]
    assert says.endswith('7 of 8 relevant documents, "a2", "a3", "a4", "a5", "a6" and 2 more')
    assert docs == tuple(f"a{i}" for i in range(2, 9))


QRELS = {
    "good": {"a": 2},
    "half": {"a": 2, "x": 0},
    "third": {"a": 1, "b": 3, "c": 2, "d": 2, "y": 0},
    "none": {"x": 0},
    "lost": {"a": 1},
}
RUN = {
    "good": ["a"],
    "half": ["x", "a"],
    "third": ["u", "y", "a", "v", "c"],
    "none": ["x"],
    "lost": ["u", "v", "w", "y"],
    "unknown": ["a"],
}


def test_the_failed_queries_worst_first() -> None:
    found = find(QRELS, RUN)
    assert (found.run, found.measure, found.cutoff, found.below) == ("mine", "RR@3", 3, 0.5)
    # A value of just 0.5 is no failure; equal values keep the order of the qrels.
    values = [(f.query_id, f.value, f.judged) for f in found.failures]
    assert values == [("none", 0.0, 1.0), ("lost", 0.0, 0.0), ("third", 1 / 3, 2 / 3)]
    assert (found.queries, found.failed) == (5, 3)
    assert found.diagnoses == {
        "no-answer-known": 1,
        "answer-absent": 1,
        "badly-ranked": 1,
        "some-absent": 1,
        "thin-pool": 1,
    }
    assert list(found.diagnoses) == [code for code in CODES if code in found.diagnoses]
    # By rank; of those that are not ranked, the best grade first.
    assert found.failures[2].relevant == (
        Answer("a", 1, 3),
        Answer("c", 2, 5),
        Answer("b", 3, None),
        Answer("d", 2, None),
    )


def test_the_worst_are_returned_and_all_are_counted() -> None:
    every, worst = find(QRELS, RUN), find(QRELS, RUN, worst=1)
    assert worst.failures == every.failures[:1]
    assert (worst.failed, worst.diagnoses) == (3, every.diagnoses)


def test_queries_that_do_not_count() -> None:
    left_out = find(QRELS, RUN, options=ScoreOptions(no_relevant="exclude"))
    assert left_out.queries == 4
    assert [f.query_id for f in left_out.failures] == ["lost", "third"]
    judgments = Qrels.from_judgments([Judgment("q", "a", 1), Judgment("r", "b", 1)])
    run = Run.from_hits("mine", {"q": [Hit("x", 1.0)]})
    evidence, measure = gather(judgments, run, ScoreOptions()), parse_measure("RR")
    scores = evaluate(evidence, [measure])
    scores.values["RR"][1] = math.nan
    found = find_failures(evidence, scores, measure, NOTHING)
    assert (found.queries, [f.query_id for f in found.failures]) == (1, ["q"])


@pytest.mark.parametrize(
    ("measure", "k", "cutoff"), [("RR@3", None, 3), ("RR", None, 10), ("RR", 4, 4), ("RR@3", 4, 4)]
)
def test_how_deep_the_diagnoses_look(measure: str, k: int | None, cutoff: int) -> None:
    ranking = [f"x{i}" for i in range(1, 20)]
    for rank, absent in ((cutoff, False), (cutoff + 1, True)):
        run = {"q": [*ranking[: rank - 1], "a"]}
        found = find({"q": {"a": 1}}, run, measure, below=1.1, k=k)
        assert found.cutoff == cutoff
        assert ("answer-absent" in found.diagnoses) is absent


def test_what_cannot_be_asked() -> None:
    with pytest.raises(MeasureError, match="Judged@10 tells how much is judged"):
        find(QRELS, RUN, "Judged@10")
    evidence = gather(
        Qrels.from_judgments([Judgment("q", "a", 1)]), Run.from_hits("mine", {}), ScoreOptions()
    )
    scores = evaluate(evidence, [parse_measure("RR"), parse_measure("P@3")])
    with pytest.raises(MeasureError, match="run mine have no AP; they have: RR, P@3"):
        find_failures(evidence, scores, parse_measure("AP"), NOTHING)
    with pytest.raises(InputError) as caught:
        find(QRELS, RUN, below=math.nan, worst=0, k=0)
    assert [problem.field for problem in caught.value.problems] == ["below", "worst", "k"]


def test_the_document() -> None:
    found = find({"q1": {"a": 2, "x": 0}, "q2": {"b": 1}}, {"q1": ["x", "y", "a"]})
    document = failures_document(found, "tiny")
    assert document == {
        "schema": "judge.failures/1",
        "dataset": "tiny",
        "run": "mine",
        "measure": "RR@3",
        "cutoff": 3,
        "below": 0.5,
        "queries": 2,
        "failed": 2,
        "diagnoses": {"answer-absent": 1, "badly-ranked": 1},
        "failures": [
            {
                "query": "q2",
                "value": 0.0,
                "judged": None,
                "diagnoses": [
                    {
                        "code": "answer-absent",
                        "says": "the run has no results for this query",
                        "docs": ["b"],
                    }
                ],
                "relevant": [{"doc": "b", "grade": 1, "rank": None}],
            },
            {
                "query": "q1",
                "value": 1 / 3,
                "judged": 2 / 3,
                "diagnoses": [
                    {
                        "code": "badly-ranked",
                        "says": 'too low for 1 relevant document: "a" at rank 3',
                        "docs": ["a"],
                    }
                ],
                "relevant": [{"doc": "a", "grade": 2, "rank": 3}],
            },
        ],
    }
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert "dataset" not in failures_document(found)


def test_the_manual_has_every_diagnosis_in_order() -> None:
    first_words = [line.split(" ")[0] for line in MANUAL.splitlines()]
    assert [word for word in first_words if word in CODES] == list(CODES)


@pytest.mark.parametrize(("ties", "judged"), [("trec", 1.0), ("trec9", 0.0)])
def test_the_top_has_its_ties_settled_as_the_options_say(ties: Ties, judged: float) -> None:
    # The scores differ as 64-bit floats and are equal as 32-bit ones, where the greater id leads.
    run = Run.from_hits("mine", {"q": [Hit("a", 0.5 + 2e-9), Hit("b", 0.5)]})
    qrels = Qrels.from_judgments([Judgment("q", "a", 0)])
    evidence, measure = gather(qrels, run, ScoreOptions(ties=ties)), parse_measure("RR@1")
    found = find_failures(evidence, evaluate(evidence, [measure]), measure, NOTHING)
    assert found.failures[0].judged == judged


@given(collections(), st.sampled_from(["trec", "trec9"]), st.integers(1, 6), st.integers(0, 9))
@CALM
def test_top_and_ranks_are_those_of_the_ranking(made: Made, ties: Ties, k: int, seed: int) -> None:
    qrels, run = made.tables(np.random.default_rng(seed))
    evidence = gather(qrels, run, ScoreOptions(ties=ties))
    measure = parse_measure("RR")
    found = find_failures(evidence, evaluate(evidence, [measure]), measure, NOTHING, below=2, k=k)
    assert {failure.query_id for failure in found.failures} == made.qrels.keys()
    for failure in found.failures:
        judged = {d: g for d, g in made.qrels[failure.query_id].items() if g >= 0}
        ranking = ranked(made.run.get(failure.query_id, {}), ties)
        top = ranking[:k]
        share = len([d for d in top if d in judged]) / len(top) if top else None
        assert failure.judged == share
        answers = {d for d, g in judged.items() if g >= 1}
        assert {(a.doc_id, a.grade, a.rank) for a in failure.relevant} == {
            (d, judged[d], ranking.index(d) + 1 if d in ranking else None) for d in answers
        }
        docs = {diagnosis.code: diagnosis.docs for diagnosis in failure.diagnoses}
        assert ("no-answer-known" in docs) == (not answers)
        assert ("answer-absent" in docs) == bool(answers and not answers & set(top))
        assert ("thin-pool" in docs) == (share is not None and share < 0.5)
        if "thin-pool" in docs:
            assert docs["thin-pool"] == tuple(d for d in top if d not in judged)


@given(collections(), st.integers(1, 6))
@CALM
def test_only_a_perfect_order_of_answers_has_no_diagnosis(made: Made, k: int) -> None:
    qrels, run = made.tables()
    evidence, measure = gather(qrels, run, ScoreOptions()), parse_measure("AP")
    found = find_failures(evidence, evaluate(evidence, [measure]), measure, NOTHING, below=2, k=k)
    for failure in found.failures:
        if not failure.diagnoses:
            assert failure.value == 1.0
