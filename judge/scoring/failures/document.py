"""What failures look like to others: the document `judge.failures/1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge.scoring.failures.finding import Failure, Failures

SCHEMA = "judge.failures/1"

JSON = dict[str, Any]


def failures_document(failures: Failures, dataset: str | None = None) -> JSON:
    """The document `judge.failures/1`: strict JSON values, nothing rounded, null for no value.

    `queries` have a value of `measure`, and `failed` of them have less than `below` times their
    `ideal`, the value that the ideal ranking of their judged documents would get. `diagnoses` has
    how many of the failed have each diagnosis, `primary` for how many it is the most telling one.
    In `failures`, worst first, each query has `value`, `ideal`, `judged` (the share of its first
    `cutoff` documents), its `diagnoses`, the code of the first of them as `primary` (null without
    one), and the `relevant` documents by rank, null if not ranked.

    Args:
        failures: What went badly.
        dataset: The name of the dataset; None leaves it out.
    """
    return {
        "schema": SCHEMA,
        **({} if dataset is None else {"dataset": dataset}),
        "run": failures.run,
        "measure": failures.measure,
        "cutoff": failures.cutoff,
        "below": failures.below,
        "queries": failures.queries,
        "failed": failures.failed,
        "diagnoses": dict(failures.diagnoses),
        "primary": dict(failures.primary),
        "failures": [_failure(failure) for failure in failures.failures],
    }


def _failure(failure: Failure) -> JSON:
    return {
        "query": failure.query_id,
        "value": failure.value,
        "ideal": failure.ideal,
        "judged": failure.judged,
        "primary": failure.primary,
        "diagnoses": [
            {"code": reason.code, "says": reason.says, "docs": list(reason.docs)}
            for reason in failure.diagnoses
        ],
        "relevant": [
            {"doc": answer.doc_id, "grade": answer.grade, "rank": answer.rank}
            for answer in failure.relevant
        ],
    }
