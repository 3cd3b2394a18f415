"""Measures by pytrec_eval (trec_eval 9's code, scores as 32-bit floats)."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytrec_eval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NAMES = {
    "nDCG": "ndcg",
    "nDCG@": "ndcg_cut",
    "P@": "P",
    "R@": "recall",
    "Success@": "success",
    "RR": "recip_rank",
    "RR@": "recip_rank",
    "AP": "map",
    "AP@": "map_cut",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "infAP": "infAP",
    "SetP": "set_P",
    "SetR": "set_recall",
    "SetF": "set_F",
}
_NAME = re.compile(r"(\w+)(?:\((?:beta=([\d.]+))?(?:, )?(?:rel=(\d))?\))?(?:(@)(\d+))?")


def scores(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    names: Iterable[str],
) -> dict[str, dict[str, float]]:
    """The value of each measure for each judged query; 0 for one that the run misses.

    A query whose grades are all below 0 is not shown to pytrec_eval, which then reads past the end
    of an array (it hangs or crashes); without anything relevant its values are 0.
    """
    # Only one beta can be asked for at a time, and its values come without it in the name.
    asked: dict[tuple[int, str | None], dict[str, str]] = defaultdict(dict)
    for name in names:
        parsed = _NAME.fullmatch(name)
        assert parsed is not None, name
        base, beta, rel, at, cutoff = parsed.groups()
        known = NAMES[base + (at or "")]
        theirs = f"{known}.{cutoff}" if at and base != "RR" else known
        asked[int(rel or 1), beta][name] = theirs
    values: dict[str, dict[str, float]] = {name: dict.fromkeys(qrels, 0.0) for name in names}
    for (level, beta), wanted in asked.items():
        evaluator = pytrec_eval.RelevanceEvaluator(
            {q: dict(grades) for q, grades in qrels.items() if max(grades.values()) >= 0},
            {f"{theirs}.{beta}" if beta else theirs for theirs in wanted.values()},
            relevance_level=level,
        )
        for query, found in evaluator.evaluate({q: dict(s) for q, s in run.items()}).items():
            for name, theirs in wanted.items():
                values[name][query] = _cut(name, found[theirs.replace(".", "_")])
    return values


def _cut(name: str, value: float) -> float:
    """RR@k from RR, which is all that trec_eval has."""
    if name.startswith("RR") and "@" in name and value < 1 / int(name.partition("@")[2]):
        return 0.0
    return value
