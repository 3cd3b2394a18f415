"""Runs beside each other: which is better, by how much, how surely, and how fair the pool was.

`comparison` makes the document `judge.compare/1`, `pooling` scores each run without its own share
of the pool.
"""

from judge.scoring.compare.comparison import (
    SCHEMA,
    Correction,
    changed_table,
    compare,
    compare_table,
)
from judge.scoring.compare.pooling import LeftOut, leave_one_out

__all__ = [
    "SCHEMA",
    "Correction",
    "LeftOut",
    "changed_table",
    "compare",
    "compare_table",
    "leave_one_out",
]
