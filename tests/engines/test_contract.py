"""What every engine promises, asked of every engine there is."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.model import Document, Hit, Query, Scale
from judge.core.tables import Run
from judge.core.workspace import Workspace
from judge.dataset.build import stage
from judge.dataset.store import Dataset
from judge.engines import ENGINES, Engine, open_engine, run_engine

if TYPE_CHECKING:
    from collections.abc import Sequence

# Ids in an order that differs by bytes, by UTF-16 code unit, by number and by alphabet.
TIED = ["d10", "d9", "Z", "é", "\uff5e", "\U0001f600"]
TIED_DOWN_BY_BYTES = ["\U0001f600", "\uff5e", "é", "d9", "d10", "Z"]

DOCUMENTS = [
    *(Document(id=doc_id, text="the river rises") for doc_id in TIED),
    Document(id="best", title="River", text="river"),
    Document(id="elsewhere", text="the river rises", namespace="other"),
    Document(id="hi", text="किसानों को फसल बीमा", language="hi"),
    Document(id="zh", text="東京都庁舎", language="ja"),
    Document(id="ar", text="المدرسة الكبيرة", language="ar"),
    Document(id="fr", text="le café est fermé", language="fr"),
    Document(id="nothing", text=""),
    Document(id="title only", text=None, title="a bridge"),
]
QUERIES = [
    Query(id="river", text="river"),
    Query(id="river here", text="river", namespace="bench"),
    Query(id="river there", text="river", namespace="other"),
    Query(id="river nowhere", text="river", namespace="nowhere"),
    Query(id="bridge or river", text="bridge river"),
    Query(id="hi", text="किसानों"),
    Query(id="zh", text="東京"),
    Query(id="ar", text="المدرسة"),
    Query(id="fr", text="café"),
    Query(id="empty", text=""),
    Query(id="blank", text=" \t\n\u3000"),
    Query(id="marks", text="?! … ( ] \\"),
    Query(id="unknown", text="zzzzz"),
]
BY_ID = {query.id: query for query in QUERIES}

# Every kind of engine must stand here, with what it is opened on.
SPECS = {"bm25": "bm25", "terms": "terms", "run": "run:recorded"}


def recorded() -> Run:
    """The run of a system that answered the queries by a rule of its own: shared words."""
    answers = {}
    for query in QUERIES:
        asked = set(query.text.lower().split())
        answers[query.id] = [
            Hit(d.id, float(sum(word in d.body.lower() for word in asked)))
            for d in DOCUMENTS
            if query.namespace in (None, d.namespace) and any(w in d.body.lower() for w in asked)
        ]
    return Run.from_hits("recorded", {q: hits for q, hits in answers.items() if hits})


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    workspace = Workspace(tmp_path_factory.mktemp("contract"))
    with stage(workspace, "set") as staging:
        staging.write_documents(DOCUMENTS)
        staging.write_queries(QUERIES)
        staging.write_run(recorded())
        staging.publish(scale=Scale())
    return Dataset.open(workspace, "set")


@pytest.fixture(scope="module", params=list(SPECS.values()), ids=list(SPECS))
def engine(request: pytest.FixtureRequest, dataset: Dataset) -> Engine:
    spec: str = request.param
    return open_engine(spec, dataset)


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.doc_id for hit in hits]


def test_no_engine_escapes_the_contract() -> None:
    assert set(SPECS) == {found.kind for found in ENGINES}


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: str(query.id))
def test_every_answer_is_the_start_of_every_longer_one(engine: Engine, query: Query) -> None:
    everything = engine.search(query, 1000)
    for k in range(len(DOCUMENTS) + 2):
        assert engine.search(query, k) == everything[:k]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: str(query.id))
def test_hits_are_ordered_once_each_and_for_a_reason(engine: Engine, query: Query) -> None:
    hits = engine.search(query, 1000)
    assert len(set(ids(hits))) == len(hits) <= len(DOCUMENTS)
    assert all(math.isfinite(hit.score) and hit.score > 0 for hit in hits)
    keys = [(hit.score, hit.doc_id.encode()) for hit in hits]
    assert keys == sorted(keys, reverse=True)


def test_ties_go_by_id_downwards_by_bytes(engine: Engine) -> None:
    hits = engine.search(BY_ID["river here"], 1000)
    tied = [hit for hit in hits if hit.doc_id != "best"]
    assert ids(tied) == TIED_DOWN_BY_BYTES
    assert len({hit.score for hit in tied}) == 1


def test_namespaces_are_obeyed(engine: Engine) -> None:
    assert set(ids(engine.search(BY_ID["river"], 1000))) == {*TIED, "best", "elsewhere"}
    assert set(ids(engine.search(BY_ID["river here"], 1000))) == {*TIED, "best"}
    assert ids(engine.search(BY_ID["river there"], 1000)) == ["elsewhere"]
    assert engine.search(BY_ID["river nowhere"], 1000) == []


def test_a_namespace_does_not_change_a_score(engine: Engine) -> None:
    everywhere = dict(engine.search(BY_ID["river"], 1000))
    here = dict(engine.search(BY_ID["river here"], 1000))
    assert here == {doc_id: everywhere[doc_id] for doc_id in here}


@pytest.mark.parametrize("query", ["empty", "blank", "marks", "unknown"])
def test_no_words_no_hits(engine: Engine, query: str) -> None:
    assert engine.search(BY_ID[query], 10) == []


@pytest.mark.parametrize("language", ["hi", "zh", "ar", "fr"])
def test_every_script_is_searched(engine: Engine, language: str) -> None:
    assert ids(engine.search(BY_ID[language], 10)) == [language]


def test_a_document_with_a_title_only_is_found(engine: Engine) -> None:
    assert "title only" in ids(engine.search(BY_ID["bridge or river"], 1000))


def test_the_same_question_has_the_same_answer(engine: Engine, dataset: Dataset) -> None:
    first = run_engine(engine, QUERIES, 5)
    again = run_engine(open_engine(SPECS[str(engine.describe()["engine"])], dataset), QUERIES, 5)
    assert list(first.rows()) == list(again.rows())


def test_it_says_what_it_is(engine: Engine) -> None:
    settings = engine.describe()
    assert json.loads(json.dumps(settings, allow_nan=False)) == settings
    assert settings["engine"] in SPECS
    assert engine.name
    assert isinstance(engine, Engine)


@given(
    words=st.lists(
        st.sampled_from(["the", "river", "rises", "bridge", "café", "東京", "le"]), max_size=6
    ),
    k=st.integers(min_value=0, max_value=20),
)
def test_the_order_of_the_words_does_not_matter(engine: Engine, words: list[str], k: int) -> None:
    forwards = engine.search(Query(id="q", text=" ".join(words)), k)
    assert engine.search(Query(id="q", text=" ".join(reversed(words))), k) == forwards
    assert forwards == engine.search(Query(id="q", text=" ".join(words)), 1000)[:k]
