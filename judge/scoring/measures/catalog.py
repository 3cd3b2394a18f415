"""Which measures there are, and what the name of each may carry."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from judge.scoring.measures.binary import (
    average_precision,
    precision,
    recall,
    reciprocal_rank,
    success,
)
from judge.scoring.measures.coverage import judged
from judge.scoring.measures.graded import ndcg

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from judge.scoring.measures.ranking import Floats

Value = int | float | str


@dataclass(frozen=True)
class Parameter:
    """What may stand in the parentheses of a name.

    Attributes:
        default: What it is when it does not stand there.
        choices: The only values; empty if any value of the default's type will do.
        least: The least value of a number.
        meaning: For people.
    """

    default: Value
    meaning: str
    choices: tuple[Value, ...] = ()
    least: float = 1


@dataclass(frozen=True)
class Definition:
    """One measure.

    Attributes:
        name: As it is written.
        formula: Takes a ranking, the cutoff and the parameters; gives float64 [queries].
        cutoff: Whether the name must have `@k`.
        parameters: What may stand in parentheses.
        higher_is_better: For comparisons.
        about_judging: It describes the judgments, and so is taken before unjudged documents are
            left out.
    """

    name: str
    formula: Callable[..., Floats]
    cutoff: Literal["required", "optional"]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    higher_is_better: bool = True
    about_judging: bool = False

    @property
    def title(self) -> str:
        """One line for people."""
        return self.manual.splitlines()[0]

    @property
    def manual(self) -> str:
        """Everything that there is to know about it: the docstring of its formula."""
        return inspect.getdoc(self.formula) or ""


_REL = {"rel": Parameter(1, "the least grade that counts as relevant")}
_DCG = {
    "dcg": Parameter("log2", "the gain: the grade, or 2^grade - 1", choices=("log2", "exp-log2"))
}

MEASURES: dict[str, Definition] = {
    definition.name: definition
    for definition in (
        Definition("nDCG", ndcg, "optional", _DCG),
        Definition("RR", reciprocal_rank, "optional", _REL),
        Definition("R", recall, "required", _REL),
        Definition("P", precision, "required", _REL),
        Definition("Success", success, "required", _REL),
        Definition("AP", average_precision, "optional", _REL),
        Definition("Judged", judged, "required", about_judging=True),
    )
}
"""Every measure by name."""

OTHER_NAMES: dict[str, str] = {
    "mrr": "RR",
    "recip_rank": "RR",
    "map": "AP",
    "map_cut": "AP",
    "recall": "R",
    "precision": "P",
    "prec": "P",
    "hit": "Success",
    "hits": "Success",
    "hit_rate": "Success",
    "hitrate": "Success",
    "accuracy": "Success",
    "ndcg_cut": "nDCG",
    "ndcg_exp": "nDCG(dcg='exp-log2')",
    "coverage": "Judged",
    "hole": "Judged",
}
"""What other tools call them, in lower case."""
