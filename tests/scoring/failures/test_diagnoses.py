"""Each diagnosis at its threshold and just beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.scoring.failures import (
    Diagnosis,
    Disputed,
    Facts,
)
from judge.scoring.score import ScoreOptions
from tests.scoring.failures.cases import diagnoses, find

if TYPE_CHECKING:
    pass


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
            "none of 2 relevant documents is in the top 3: 1 is ranked, at 4",
            ("b", "a"),
        ),
    }
    assert diagnoses(judged, ["x", "y", "z", "w", "b", "a"])["answer-absent"] == (
        "none of 2 relevant documents is in the top 3: all are ranked, the best at 5",
        ("b", "a"),
    )
    assert diagnoses(judged, ["x"])["answer-absent"] == (
        "none of 2 relevant documents is in the top 3: none is ranked at all",
        ("a", "b"),
    )
    assert diagnoses(judged, ["x", "y", "b", "z", "a"]).keys() == {"badly-ranked"}
    assert diagnoses({"a": 1, "x": 0}, ["x"]) == {
        "answer-absent": (
            "the only relevant document is not in the top 3: it is not ranked at all",
            ("a",),
        )
    }
    far = [*"xyz", *(f"u{i}" for i in range(1507)), "a"]
    assert diagnoses({"a": 1, "x": 0, "y": 0}, far) == {
        "answer-absent": ("the only relevant document is not in the top 3: it is at 1,511", ("a",))
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
        "badly-ranked": ('1 of 2 relevant documents stands below rank 2: "b" at 3', ("b",))
    }
    assert diagnoses({"a": 1, "x": 0}, ["x", "a"]) == {
        "badly-ranked": ('the only relevant document is not first: "a" at 2', ("a",))
    }
    assert diagnoses(judged, ["b", "a", "x"]) == {}
    # Five answers may stand at rank 5, though only three ranks are looked at.
    many = dict.fromkeys("abcde", 1)
    assert diagnoses(many, list("abcde")) == {}
    assert diagnoses({**many, "x": 0}, list("abcdxe")) == {
        "badly-ranked": ('1 of 5 relevant documents stands below rank 5: "e" at 6', ("e",))
    }


def test_what_is_named_and_what_is_counted_add_up() -> None:
    answers = [f"a{i}" for i in range(1, 9)]
    ranking = [answers[0], *(f"x{i}" for i in range(9)), *answers[1:7]]
    says, docs = diagnoses({**dict.fromkeys(answers, 1), "x0": 0, "x1": 0}, ranking)["badly-ranked"]
    assert says == (
        '6 of 8 relevant documents stand below rank 8: "a2" at 11, "a3" at 12, "a4" at 13,'
        ' "a5" at 14, "a6" at 15 and 1 more'
    )
    assert docs == ("a2", "a3", "a4", "a5", "a6", "a7")


def test_some_absent() -> None:
    judged = {"a": 1, "b": 1, "x": 0}
    assert diagnoses(judged, ["a", "x"]) == {
        "some-absent": ('1 of 2 relevant documents is not ranked at all: "b"', ("b",))
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


@pytest.mark.parametrize(("other", "is_thin"), [({"b": 2}, False), ({"b": 1}, True)])
def test_a_pool_of_which_only_the_relevant_are_kept_is_not_called_thin(
    other: dict[str, int], is_thin: bool
) -> None:
    # Only the grade below 2, of another query, tells that what is not relevant was kept too.
    qrels = {"q": {"a": 2}, "r": {"c": 3, **other}}
    ranking = {"q": ["u", "v", "w"], "r": ["c", "b"]}
    found = find(qrels, ranking, options=ScoreOptions(relevant_from=2))
    assert ("thin-pool" in found.diagnoses) is is_thin
    assert found.failures[0].judged == 0.0


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
    assert says == (
        '7 of 8 relevant documents are not ranked at all: "a2", "a3", "a4", "a5", "a6" and 2 more'
    )
    assert docs == tuple(f"a{i}" for i in range(2, 9))
