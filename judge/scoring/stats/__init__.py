"""Statistics of scores and of annotators: arrays in, numbers out, `Undefined` where data are short.

`intervals` bounds means over queries, `significance` compares two systems on the same queries,
`power` says how many queries that needs, `correlation` compares rankings of systems, `agreement`
compares annotators. A result that the data cannot give is `Undefined` with a reason, never NaN; an
array of the wrong shape is a ValueError. Given the same generator, results are the same.
"""

from judge.scoring.stats.agreement import alpha, confusion, fleiss, gwet, kappa, raw_agreement
from judge.scoring.stats.correlation import tau_ap, tau_b
from judge.scoring.stats.intervals import Interval, bootstrap, bootstrap_means
from judge.scoring.stats.power import queries_needed
from judge.scoring.stats.sample import Undefined
from judge.scoring.stats.significance import (
    Test,
    WinTieLoss,
    benjamini_hochberg,
    holm,
    randomisation,
    t_test,
    win_tie_loss,
)

__all__ = [
    "Interval",
    "Test",
    "Undefined",
    "WinTieLoss",
    "alpha",
    "benjamini_hochberg",
    "bootstrap",
    "bootstrap_means",
    "confusion",
    "fleiss",
    "gwet",
    "holm",
    "kappa",
    "queries_needed",
    "randomisation",
    "raw_agreement",
    "t_test",
    "tau_ap",
    "tau_b",
    "win_tie_loss",
]
