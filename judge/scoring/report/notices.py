"""What a reader of the numbers of a run must know beside them, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.errors import quoted
from judge.scoring.measures import parse_measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.scoring.score import Scores

SHOWN_IDS = 10


def notices(scores: Scores) -> list[str]:
    """What is odd about the scores of a run, a sentence each."""
    counts, name = scores.counts, scores.run
    lines = list(scores.notes)
    if counts.missing:
        what = _number(counts.missing, "judged query is", "judged queries are")
        count = "counts" if len(counts.missing) == 1 else "count"
        lines.append(f"{what} not in run {name} and {count} 0: {_some(counts.missing)}")
    if counts.no_relevant:
        what = _number(counts.no_relevant, "query has", "queries have")
        left_out = ("is left out", "are left out"), ("counts 0", "count 0")
        one, many = left_out[scores.options.no_relevant != "exclude"]
        fate = one if len(counts.no_relevant) == 1 else many
        lines.append(f"{what} no relevant document and {fate}: {_some(counts.no_relevant)}")
    if counts.ignored:
        what = _number(counts.ignored, f"query of run {name} has", f"queries of run {name} have")
        fate = "is" if len(counts.ignored) == 1 else "are"
        lines.append(f"{what} no judgments and {fate} ignored: {_some(counts.ignored)}")
    if counts.negative:
        what = _number(counts.negative, "judgment has", "judgments have")
        count = "counts" if counts.negative == 1 else "count"
        lines.append(f"{what} a grade below 0 and {count} as unjudged")
    if scores.scenario:
        whole = scores.options.no_relevant == "zero"
        bounded = [n for n in scores.scenario if whole and parse_measure(n).definition.bounded]
        what = "mean and if-top are the least and the most that judging the rest could give"
        lines += [f"{what}: {', '.join(bounded)}"] if bounded else []
        if other := [name for name in scores.scenario if name not in bounded]:
            lines.append(f"if-top is no bound, as the ideal changes with it: {', '.join(other)}")
    if tied := {cutoff: count for cutoff, count in counts.tied.items() if count}:
        where = ", ".join(
            f"rank {cutoff} in {_number(count, 'query', 'queries')}"
            for cutoff, count in tied.items()
        )
        lines.append(f"run {name}: equal scores cross {where}")
    return lines


def _number(things: Sequence[str] | int, one: str, many: str) -> str:
    count = things if isinstance(things, int) else len(things)
    return f"{count:,} {one if count == 1 else many}"


def _some(ids: Sequence[str]) -> str:
    more = f", and {len(ids) - SHOWN_IDS:,} more" if len(ids) > SHOWN_IDS else ""
    return ", ".join(quoted(i) for i in ids[:SHOWN_IDS]) + more
