"""Runs and qrels as columns of numbers; ids, ties and rank fusion are settled here, nowhere else.

`Run` and `Qrels` hold ids as bytes beside numpy columns, so that millions of rows cost little;
their dict-like methods are conveniences for people and for small loops. `match` finds the judged
documents of a run and their ranks.
"""

from judge.core.tables.fusion import fuse
from judge.core.tables.matching import Matches, match
from judge.core.tables.qrels import Qrels
from judge.core.tables.run import RUN_SCHEMA, Run
from judge.core.tables.ties import Ties

__all__ = ["RUN_SCHEMA", "Matches", "Qrels", "Run", "Ties", "fuse", "match"]
