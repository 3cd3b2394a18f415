"""The baseline in memory: what counts as a term, what counts as contained."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

import pytest
import pytrec_eval

from judge.core.model import Document, Hit, Query
from judge.engines.registry import open_engine
from judge.engines.terms import Terms

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engines.conftest import MakeDataset


def ask(documents: dict[str, str], text: str, k: int = 10) -> list[Hit]:
    engine = Terms(Document(id=i, text=t) for i, t in documents.items())
    return engine.search(Query(id="q", text=text), k)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("token", [Hit("d2", 1.0), Hit("d1", 1.0)]),  # inside a word, whatever the case
        ("token refresh", [Hit("d1", 1.0), Hit("d2", 0.5)]),
        ("TOKEN\u2003absent  words", [Hit("d2", 1 / 3), Hit("d1", 1 / 3)]),
        ("refresh refresh absent", [Hit("d1", 2 / 3)]),  # a repeated term counts twice
        ("token,", []),  # the comma is part of the term
        ("oken ref", [Hit("d1", 1.0), Hit("d2", 0.5)]),  # each term for itself
    ],
)
def test_scores(text: str, expected: list[Hit]) -> None:
    assert ask({"d1": "Token refresh.", "d2": "It TOKENIZES."}, text) == expected


def test_title_and_text_are_searched_and_nothing_else() -> None:
    document = Document(id="d", title="Alpha", text="beta", language="en", metadata={"x": "gamma"})
    engine = Terms([document])
    query = Query(id="q", text="alpha beta gamma bench", description="beta")
    assert engine.search(query, 10) == [Hit("d", 0.5)]
    assert engine.search(Query(id="q", text="gamma", description="beta"), 10) == []


def test_progress_ends_full(make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.engines.terms.STEP", 2)
    calls: list[tuple[int, int]] = []
    dataset = make_dataset([Document(id=str(number), text="x") for number in range(3)])
    open_engine("terms", dataset, lambda done, total: calls.append((done, total)))
    assert calls == [(2, 3), (3, 3)]


MEASURES = {
    **{f"recall@{k}": f"recall_{k}" for k in (1, 5, 10)},
    **{f"p@{k}": f"P_{k}" for k in (1, 5, 10)},
    **{f"hit@{k}": f"success_{k}" for k in (1, 5, 10)},
    "mrr": "recip_rank",
    "ndcg@10": "ndcg_cut_10",
}


def test_the_published_baseline_comes_out(shared_data: Path) -> None:
    folder = shared_data / "tinycortex_fixtures_v1"
    fixtures = json.loads((folder / "fixtures_v1.json").read_text("utf-8"))
    expected = json.loads((folder / "expected_lexical_any_term.json").read_text("utf-8"))
    engine = Terms(Document(**document) for document in fixtures["documents"])
    runs = {
        query["id"]: engine.search(Query(id=query["id"], text=query["query"]), 10)
        for query in fixtures["queries"]
    }
    # There the newest document wins a tie: the same sets tier by tier, in another order inside.
    assert runs.keys() == expected["run"].keys()
    for query_id, hits in runs.items():
        published = iter(expected["run"][query_id])
        for _, tier in itertools.groupby(hits, key=lambda hit: hit.score):
            ids = {hit.doc_id for hit in tier}
            assert set(itertools.islice(published, len(ids))) == ids, query_id
        assert list(published) == []

    qrels = {q["id"]: dict.fromkeys(q["relevant_ids"], 1) for q in fixtures["queries"]}
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, {"recall.1,5,10", "P.1,5,10", "success.1,5,10", "recip_rank", "ndcg_cut.10"}
    )
    per_query = evaluator.evaluate({query_id: dict(hits) for query_id, hits in runs.items()})
    means = {
        name: sum(values[theirs] for values in per_query.values()) / len(qrels)
        for name, theirs in MEASURES.items()
    }
    assert means == pytest.approx(expected["metrics"], abs=5e-7)
