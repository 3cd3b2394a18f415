"""How an evaluation becomes a comparison: what it is cut by, and how fair the pool was."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from judge.bench.evaluate import holds_only_relevant
from judge.core.errors import InputError, Problem
from judge.scoring.compare import compare, leave_one_out
from judge.scoring.measures import parse_measure

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from judge.bench.evaluate import Evaluation
    from judge.dataset.store import Dataset
    from judge.scoring.compare import Correction, LeftOut
    from judge.scoring.measures import Measure
    from judge.scoring.score import Scores

MEASURES = tuple(map(parse_measure, ("nDCG@10", "RR@10", "R@10", "AP")))
"""What systems are compared by if nothing else is asked: few, since every test more makes each of
them blunter."""
COVERED = 0.9
"""Share of the pool that is judged if the judgments were made by judging it."""


def comparison_of(
    evaluation: Evaluation,
    *,
    detect: float = 0.02,
    alpha: float = 0.05,
    correction: Correction = "holm",
    measures: Sequence[Measure] | None = None,
) -> dict[str, Any]:
    """The document `judge.compare/1`: the first system is the baseline of all others.

    Args:
        evaluation: At least two systems.
        detect: The difference that would matter.
        alpha: How often a difference may be claimed where there is none.
        correction: For many tests at once.
        measures: Compare by these only, of those that were taken; None takes all.

    Raises:
        InputError: There is only one system.
    """
    if not 0 < detect < math.inf:
        raise InputError(Problem(f"{detect:g} is no difference", field="--detect"))
    if len(evaluation.systems) < 2:
        raise InputError(Problem("a comparison takes two systems or more"))
    options = evaluation.systems[0].scores.options
    if options.unjudged == "scenario":
        raise InputError(
            Problem("scenarios are not compared", field="--unjudged", expected="zero or condense")
        )
    names = _names(evaluation.systems[0].scores, measures)
    if all(parse_measure(name).definition.about_judging for name in names):
        told = ", ".join(sorted(names))
        raise InputError(Problem(f"{told} tells of judging, not of systems", field="--measure"))
    baseline, *others = (system.scores.only(names) for system in evaluation.systems)
    slices = [
        [part._replace(scores=part.scores.only(names)) for part in reported.slices]
        for reported in evaluation.reported
    ]
    document = compare(
        baseline,
        others,
        slices=slices,
        detect=detect,
        alpha=alpha,
        correction=correction,
    )
    report = evaluation.report
    taken = ("dataset", "settings", "settings_hash", "qrels", "labels", "warnings")
    document |= {name: report[name] for name in taken if name in report}
    if holds_only_relevant(evaluation.qrels, baseline.options):
        document["notices"] = []  # they are about coverage, which such judgments do not show
    document["notices"] = [*report["notices"], *document["notices"]]
    document["leave_one_out"] = [_left_out(found) for found in _without_each(evaluation)]
    return document


def _names(scores: Scores, measures: Sequence[Measure] | None) -> Collection[str]:
    """The full names of the measures to compare by; all if none of them was taken."""
    wanted = {str(measure.bound(scores.options.relevant_from)) for measure in measures or ()}
    return wanted & set(scores.values) or set(scores.values)


def _without_each(evaluation: Evaluation) -> list[LeftOut]:
    """What each run that fed the pool loses for not having fed it; nothing of fewer than two."""
    dataset = evaluation.dataset
    if dataset is None or evaluation.asked.roll_up or not _is_judged_pool(evaluation, dataset):
        return []
    depths, judged = dataset.pool_depths(), set(evaluation.qrels.query_ids)
    names = sorted(set(depths) & set(dataset.run_names()))
    runs = [run for run in map(dataset.run, names) if judged.intersection(run.query_ids)]
    if len(runs) < 2:
        return []
    options = evaluation.systems[0].scores.options
    deep = [depths[run.name] for run in runs]
    return leave_one_out(evaluation.qrels, runs, deep, evaluation.asked.measures, options)


def _is_judged_pool(evaluation: Evaluation, dataset: Dataset) -> bool:
    """Whether the judgments come from judging the pool, and not from elsewhere."""
    judged = {(j.query_id, j.doc_id) for j in evaluation.qrels.judgments()}
    pooled = [
        (query_id, row.doc_id) in judged
        for query_id, rows in dataset.candidates().items()
        if query_id in evaluation.qrels.query_index
        for row in rows
    ]
    return bool(pooled) and sum(pooled) >= COVERED * len(pooled)


def _left_out(found: LeftOut) -> dict[str, Any]:
    full, without, losses = found.full.means(), found.without.means(), found.losses()
    return {
        "run": found.run,
        "pairs": found.pairs,
        "relevant": found.relevant,
        "measures": {
            name: {"full": full[name], "without": without[name], "loss": losses[name]}
            for name in full
        },
    }
