"""What scores look like to others: one JSON document, the rows of tables, sentences.

`document` makes `judge.score/1` (one dataset) and `judge.scores/1` (several), `tables` the rows of
both, `notices` what a reader of the numbers must know.
"""

from judge.scoring.report.document import (
    SCHEMA,
    SEVERAL,
    Intervals,
    RunReport,
    score_report,
    settings_hash,
    several_reports,
)
from judge.scoring.report.notices import notices
from judge.scoring.report.tables import Table, query_table, score_table, several_table

__all__ = [
    "SCHEMA",
    "SEVERAL",
    "Intervals",
    "RunReport",
    "Table",
    "notices",
    "query_table",
    "score_report",
    "score_table",
    "settings_hash",
    "several_reports",
    "several_table",
]
