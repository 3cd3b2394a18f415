"""Measures by name: `parse_measure("nDCG@10")`, what each means, and its formula.

Names are those of ir_measures. `MEASURES` has the description of each for `judge explain`.
"""

from judge.scoring.measures.catalog import MEASURES, Definition
from judge.scoring.measures.grammar import DEFAULT_MEASURES, Measure, parse_measure, with_coverage
from judge.scoring.measures.ranking import Ranking

__all__ = [
    "DEFAULT_MEASURES",
    "MEASURES",
    "Definition",
    "Measure",
    "Ranking",
    "parse_measure",
    "with_coverage",
]
