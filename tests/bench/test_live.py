"""What a live look shows, worked out by hand on two queries and two kept runs."""

from __future__ import annotations

import dataclasses
import itertools
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from judge.bench.live import grid, look, stamp_of
from judge.bench.views import Bad, Cell, Choice, Cut, Figure, Part, Placed, View
from judge.core.errors import InputError
from judge.core.model import Document
from judge.dataset.store import Dataset
from judge.exchange.importing import import_dataset
from tests.bench.live_set import DOCUMENTS, GRADES, NOW, RUNS, judge, make_set, no_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from judge.bench.live import Live
    from judge.core.workspace import Workspace

RR, RECALL, PRECISION = "RR(rel=2)@10", "R(rel=2)@10", "P(rel=2)@10"


@pytest.fixture
def live(workspace: Workspace) -> Live:
    dataset = make_set(workspace)
    judge(dataset, hard=["d2"])
    return look(dataset, no_bar)


def complete(live: Live, **chosen: str) -> View:
    *_, view = live.views(Choice(**chosen), no_bar)
    return view


def test_means_and_coverage_of_every_system(live: Live) -> None:
    found = live.snapshot
    assert found.names == ("alpha", "beta", "bm25", "terms")
    alpha, beta, _, _ = (system.figures for system in found.systems)
    assert alpha[RR].mean == pytest.approx((1 / 2 + 1) / 2)
    assert beta[RR].mean == pytest.approx((1 + 1 / 3) / 2)
    assert alpha[RECALL].mean == beta[RECALL].mean == pytest.approx(1.0)
    assert alpha[PRECISION].mean == pytest.approx((2 / 10 + 1 / 10) / 2)
    assert alpha[RR].judged == pytest.approx(1.0)
    assert beta[RR].judged == pytest.approx((1 + 2 / 3) / 2)
    assert beta["Judged@10"].mean == pytest.approx((1 + 2 / 3) / 2)
    low, high = alpha[RR][1:3]
    assert low is not None
    assert high is not None
    assert 0.5 <= low <= 0.75 <= high <= 1.0


def test_what_the_numbers_rest_on_is_told(live: Live) -> None:
    found = live.snapshot
    assert (found.dataset, found.queries, found.judgments) == ("small", 2, 8)
    assert (found.rule, found.annotators, found.unfinished) == ("median-low", ("ann",), 0)
    assert found.settings["relevant_from"] == 2
    assert len(found.settings_hash) == 8
    assert found.interval["confidence"] == 0.95
    assert "Judged@10" in found.measures
    assert "Judged@10" not in found.deciding
    assert found.cuts[:2] == ("language-pair", "document-length")
    assert found.cuts[-1] == "kind"


def test_language_pairs_become_a_grid(live: Live) -> None:
    view = complete(live, first="alpha", measure=RR)
    assert view.grid is not None
    # q1 finds its English answer at rank 2 and its German one at 3, q2 its German one at 1.
    assert view.grid.rows == ("de", "en")
    assert view.grid.columns == ("de", "en")
    values = {pair: cell.value for pair, cell in view.grid.cells.items()}
    wanted = {("en", "en"): 1 / 2, ("en", "de"): 1 / 3, ("de", "de"): 1.0}
    assert values == pytest.approx(wanted)
    assert {cell.queries for cell in view.grid.cells.values()} == {1}


def test_a_value_of_pairs_that_is_no_pair_keeps_its_place() -> None:
    parts = (Part("odd", 1, ({"RR": Figure(0.5)},)),)
    assert grid(Cut("language-pair", parts), 0, "RR").cells == {("odd", ""): Cell(0.5, 1)}


def test_slices_by_what_the_queries_metadata_say(live: Live) -> None:
    view = complete(live, by="kind")
    assert view.cut is not None
    found = {part.value: part.figures[0][RR].mean for part in view.cut.parts}
    assert found == pytest.approx({"long": 1.0, "short": 0.5})
    assert [part.queries for part in view.cut.parts] == [1, 1]


def test_what_cuts_nothing_apart_says_so(live: Live) -> None:
    view = complete(live, by="category")
    assert view.cut is not None
    assert view.cut.parts == ()
    assert "nothing to cut by category" in view.cut.notice


def test_the_worst_queries_with_their_diagnosis(live: Live) -> None:
    view = complete(live, first="beta", measure=RR)
    assert view.worst is not None
    assert (view.worst.failed, view.worst.queries) == (1, 2)
    (bad,) = view.worst.listed
    assert isinstance(bad, Bad)
    assert (bad.query_id, bad.text, bad.language) == ("q2", "word3 second", "de")
    assert bad.value == pytest.approx(1 / 3)
    assert bad.judged == pytest.approx(2 / 3)
    assert any('"d3" at 3' in says for says in bad.says)


def test_no_query_below_half_is_no_failure(live: Live) -> None:
    view = complete(live, first="alpha", measure=RR)
    assert view.worst is not None
    assert (view.worst.failed, view.worst.listed) == (0, ())
    assert view.choice.query == "q1"


def test_the_first_documents_side_by_side(live: Live) -> None:
    view = complete(live, first="alpha", second="beta", query="q2")
    assert view.tops is not None
    assert (view.tops.query_id, view.tops.text) == ("q2", "word3 second")
    assert view.tops.left == (
        Placed(1, "d3", "Title 3", 3, hard_negative=False, other=3),
        Placed(2, "d4", "Title 4", 1, hard_negative=False, other=None),
    )
    assert view.tops.right == (
        Placed(1, "d1", "Title 1", 0, hard_negative=False, other=None),
        Placed(2, "d5", "Title 5", None, hard_negative=False, other=None),
        Placed(3, "d3", "Title 3", 3, hard_negative=False, other=1),
    )
    first = complete(live, first="alpha", query="q1").tops
    assert first is not None
    assert first.left[0].hard_negative


def test_two_systems_held_against_each_other(live: Live) -> None:
    view = complete(live, first="alpha", second="beta")
    assert view.comparison is not None
    row = next(row for row in view.comparison.measures if row.measure == RR)
    assert row.difference == pytest.approx(2 / 3 - 3 / 4)
    assert (row.won, row.tied, row.lost) == (1, 0, 1)
    assert row.verdict == "cannot-separate"
    assert "2 queries cannot separate beta from alpha" in row.says


def test_a_choice_of_what_is_not_there_takes_what_is(live: Live) -> None:
    settled = live.settled(Choice("gone", "gone", "gone@10", "gone", "gone"))
    assert settled == Choice("alpha", "beta", "nDCG@10", "language-pair", "")
    assert live.settled(Choice(first="beta", second="beta")).second == "alpha"


def test_each_view_has_more_than_the_last(live: Live) -> None:
    def there(view: View) -> set[str]:
        return {f.name for f in dataclasses.fields(view) if getattr(view, f.name) is not None}

    seen = [there(view) for view in live.views(Choice(), no_bar)]
    assert all(before < after for before, after in itertools.pairwise(seen))
    assert seen[-1] == {f.name for f in dataclasses.fields(View)}


def test_what_is_not_there_yet_is_taken_from_before_as_far_as_it_holds(live: Live) -> None:
    before = complete(live, by="kind")
    first, *_ = live.views(Choice(second="terms", by="kind"), no_bar)
    assert first.cut is None
    filled = first.filled(before)
    assert filled.cut is before.cut
    assert filled.worst is before.worst
    assert filled.comparison is None
    assert filled.tops is None
    assert first.filled(None) is first


def test_a_kept_run_stands_for_the_engine_of_its_name(workspace: Workspace) -> None:
    dataset = make_set(workspace, runs={"bm25": RUNS["alpha"]})
    judge(dataset)
    found = look(dataset, no_bar).snapshot
    assert found.names == ("bm25", "terms")
    assert found.systems[0].figures[RR].mean == pytest.approx(0.75)


def test_a_run_of_other_queries_is_left_out_and_told(workspace: Workspace) -> None:
    dataset = make_set(workspace, runs={**RUNS, "stray": {"q9": ("d1",)}})
    judge(dataset)
    found = look(dataset, no_bar).snapshot
    assert found.names == ("alpha", "beta", "bm25", "terms")
    assert found.notices[0] == "run stray is left out: it has no judged query"


def test_without_judgments_it_says_what_to_do(workspace: Workspace) -> None:
    dataset = make_set(workspace)
    with pytest.raises(InputError, match=r"no judgments.*judge annotate small"):
        look(dataset, no_bar)


def test_unfinished_queries_count_until_one_is_finished(workspace: Workspace) -> None:
    dataset = make_set(workspace)
    judge(dataset, {"q1": {"d1": 3}})
    early = look(dataset, no_bar).snapshot
    assert any("no query is finished yet" in notice for notice in early.notices)
    judge(dataset, {"q1": GRADES["q1"], "q2": {"d3": 3}})
    later = look(dataset, no_bar).snapshot
    assert (later.query_ids, later.unfinished) == (("q1",), 1)
    assert any("1 query is not finished" in notice for notice in later.notices)


def test_documents_without_text_are_not_searched(workspace: Workspace) -> None:
    bare = [Document(id=document.id, text=None) for document in DOCUMENTS]
    dataset = make_set(workspace, documents=bare, runs={}, pool={})
    with pytest.raises(InputError, match="judge pool small --run FILE"):
        look(dataset, no_bar)


def test_kept_runs_of_documents_without_text_are_measured(
    workspace: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "trec"
    (folder / "runs").mkdir(parents=True)
    (folder / "qrels.txt").write_text("q1 0 d1 3\nq1 0 d2 0\n")
    (folder / "runs" / "mine.trec").write_text("q1 Q0 d2 1 2.0 t\nq1 Q0 d1 2 1.0 t\n")
    import_dataset(workspace, folder, name="bare", now=NOW, relevant_from=2)
    found = look(Dataset.open(workspace, "bare"), no_bar).snapshot
    assert found.names == ("mine",)
    assert found.systems[0].figures[RR].mean == pytest.approx(0.5)
    assert found.notices[0] == "the documents have no text, so bm25 and terms are not measured"


def test_judging_changes_the_stamp(workspace: Workspace) -> None:
    dataset = make_set(workspace)
    judge(dataset, {"q1": {"d1": 3}})
    before = stamp_of(dataset)
    assert stamp_of(dataset) == before
    assert look(dataset, no_bar).snapshot.stamp == before
    judge(dataset, {"q1": {"d1": 2}})
    assert stamp_of(dataset) != before


def test_work_that_nobody_waits_for_ends(live: Live) -> None:
    class Over(Exception):
        pass

    @contextmanager
    def over(_what: str, /) -> Iterator[Callable[[int, int], None]]:
        raise Over
        yield

    views = live.views(Choice(), over)
    assert next(views).pairs is None
    with pytest.raises(Over):
        next(views)
    # The turn was given back: others still get their answers.
    assert complete(live).comparison is not None
