"""What every kind of generated set must show, measured by an independent BM25."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from judge.core.errors import InputError
from judge.core.model import Document, Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.core.text import words
from judge.scoring.measures import parse_measure
from judge.scoring.score import ScoreOptions, score
from judge.synth.audit.probes import BM25, character_grams
from judge.synth.kinds import KINDS
from judge.synth.lexicon import LANGUAGES, ConceptFinder
from judge.synth.seam import Asked, Request

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = tuple(KINDS)
SEEDS = (1, 2, 3)
EACH_SEED = pytest.mark.parametrize("seed", SEEDS)
MEASURE = "nDCG@10"


class Set(NamedTuple):
    """A set that was made, in memory."""

    documents: tuple[Document, ...]
    asked: tuple[Asked, ...]


@cache
def made(name: str, seed: int, dials: tuple[tuple[str, float], ...] = ()) -> Set:
    kind = KINDS[name]
    found = kind.make(Request(kind.size, kind.queries, seed, kind.languages, dict(dials)))
    return Set(tuple(found.documents()), tuple(found.asked()))


def values(
    found: Set,
    analyse: Callable[[str], list[str]],
    text_of: Callable[[Document], str] = lambda document: document.body,
) -> dict[str, float]:
    """The nDCG@10 of each query, as `judge score` has it, for BM25 over some tokens."""
    index = BM25(map(text_of, found.documents), analyse)
    ids = [document.id for document in found.documents]
    hits = {}
    for asked in found.asked:
        scores = index.scores(asked.query.text)
        best = np.argsort(-scores, kind="stable")[:50]
        hits[asked.query.id] = [Hit(ids[i], float(scores[i])) for i in best if scores[i] > 0]
    return scored(found, hits)


def scored(found: Set, hits: dict[str, list[Hit]]) -> dict[str, float]:
    judgments = [
        Judgment(asked.query.id, doc_id, grade)
        for asked in found.asked
        for doc_id, grade in asked.grades.items()
    ]
    qrels = Qrels.from_judgments(judgments)
    result = score(qrels, Run.from_hits("probe", hits), [parse_measure(MEASURE)], ScoreOptions())
    return dict(zip(result.query_ids, result.values[MEASURE].tolist(), strict=True))


def by(found: Set, got: dict[str, float], difficulty: str) -> dict[object, float]:
    groups: dict[object, list[float]] = defaultdict(list)
    for asked in found.asked:
        groups[asked.query.metadata["difficulty"][difficulty]].append(got[asked.query.id])
    return {name: mean(group) for name, group in groups.items()}


def outranked(found: Set) -> float:
    """The share of queries that have a hard negative above the best relevant document."""
    index = BM25((document.body for document in found.documents), words)
    place = {document.id: at for at, document in enumerate(found.documents)}
    count = 0
    for asked in found.asked:
        scores = index.scores(asked.query.text)
        right = max(scores[place[name]] for name, grade in asked.grades.items() if grade > 1)
        count += any(scores[place[name]] > right for name in asked.hard_negatives)
    return count / len(found.asked)


@pytest.mark.parametrize("name", NAMES)
def test_the_truth_is_about_documents_that_are_there(name: str) -> None:
    found = made(name, 1)
    ids = [document.id for document in found.documents]
    assert len(set(ids)) == len(ids)
    assert len({asked.query.id for asked in found.asked}) == len(found.asked) >= 150
    assert len({asked.query.text for asked in found.asked}) > 0.5 * len(found.asked)
    for asked in found.asked:
        assert 3 in asked.grades.values()
        assert asked.grades.keys() <= set(ids) >= asked.hard_negatives.keys()
        assert not asked.grades.keys() & asked.hard_negatives.keys()
        assert asked.query.category == name


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_makes_the_same_and_another_does_not(name: str) -> None:
    kind = KINDS[name]
    again = kind.make(Request(kind.size, kind.queries, 1, kind.languages, {}))
    assert next(again.documents()) == made(name, 1).documents[0]
    assert next(iter(again.asked())) == made(name, 1).asked[0]
    assert made(name, 2).documents[0] != made(name, 1).documents[0]
    assert made(name, 2).asked[0].query.text != made(name, 1).asked[0].query.text


@pytest.mark.parametrize("name", NAMES)
def test_no_text_tells_its_grade_or_a_name(name: str) -> None:
    found = made(name, 1)
    ids = "|".join(document.id for document in found.documents[:50])
    tells = re.compile(
        rf"\b({ids}|grade|relevant|answer-\d|partial|overview|hard negative)\b", re.I
    )
    assert not [d.id for d in found.documents[:200] if tells.search(d.body)]


@EACH_SEED
@pytest.mark.slow
def test_exact_match_is_found_by_words(seed: int) -> None:
    assert mean(values(made("exact-match", seed), words).values()) >= 0.98


@EACH_SEED
@pytest.mark.slow
def test_semantic_is_hard_for_words_and_fair(seed: int) -> None:
    found = made("semantic-similarity", seed)
    lexical = values(found, words)
    assert 0.05 <= mean(lexical.values()) <= 0.55
    by_flips = by(found, lexical, "flips")
    assert by_flips[0] >= 0.75
    assert by_flips[0] > by_flips[1] > by_flips[2]
    assert mean(values(found, ConceptFinder(["en"])).values()) >= 0.9


@EACH_SEED
@pytest.mark.slow
def test_short_queries_are_neither_trivial_nor_broken(seed: int) -> None:
    found = made("short-query", seed)
    assert 0.3 <= mean(values(found, words).values()) <= 0.8
    assert max(len(asked.query.text.split()) for asked in found.asked) <= 3


@EACH_SEED
@pytest.mark.slow
def test_the_other_sense_tempts(seed: int) -> None:
    found = made("cross-domain", seed)
    assert outranked(found) >= 0.3
    assert mean(values(found, ConceptFinder(["en"])).values()) >= 0.9
    reasons = {reason for asked in found.asked for reason in asked.hard_negatives.values()}
    assert "same_word_other_sense" in reasons


@pytest.mark.slow
def test_more_typos_make_it_harder_for_words_than_for_letters() -> None:
    rates = (0.0, 0.3, 0.6, 1.0)
    sets = [made("typos", 1, (("rate", rate),)) for rate in rates]
    lexical = [mean(values(found, words).values()) for found in sets]
    assert lexical == sorted(lexical, reverse=True)
    assert lexical[0] >= 0.75
    assert mean(values(sets[2], character_grams).values()) > lexical[2] + 0.2


@EACH_SEED
@pytest.mark.slow
def test_depth_matters_only_to_those_who_stop_reading(seed: int) -> None:
    found = made("long-doc", seed)
    assert min(len(words(document.body)) for document in found.documents) >= 2200
    full = by(found, values(found, words), "depth")
    assert max(full.values()) - min(full.values()) < 0.25
    beginning = by(found, values(found, words, lambda d: " ".join(d.body.split()[:512])), "depth")
    assert beginning.pop(0.05) >= 0.75
    assert max(beginning.values()) <= 0.15


@pytest.mark.slow
def test_many_answers_are_right() -> None:
    found = made("multi-answer", 1)
    tops = [sum(grade == 3 for grade in asked.grades.values()) for asked in found.asked]
    assert min(tops) >= 2


def test_more_queries_than_facts_are_refused() -> None:
    kind = KINDS["typos"]
    with pytest.raises(InputError, match=r"300 queries need more facts than 40 documents tell: 24"):
        kind.make(Request(40, 300))


def test_a_dial_out_of_range_is_refused() -> None:
    kind = KINDS["typos"]
    found = kind.make(Request(400, 10, dials={"rate": 1.5}))
    with pytest.raises(InputError, match=r'the dial rate cannot be "1\.5"'):
        list(found.asked())


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [name for name in NAMES if name != "long-doc"])
def test_every_language_has_a_truth(name: str, language: str) -> None:
    found = KINDS[name].make(Request(680, 60, 1, (language,)))
    ids = {document.id for document in found.documents()}
    for asked in found.asked():
        assert 3 in asked.grades.values()
        assert asked.grades.keys() <= ids
        assert asked.query.language == language
