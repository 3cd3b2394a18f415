"""Which measures there are, and what the name of each may carry."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from judge.scoring.measures.binary import (
    average_precision,
    capped_recall,
    precision,
    r_precision,
    recall,
    reciprocal_rank,
    success,
)
from judge.scoring.measures.browsing import expected_reciprocal_rank, rank_biased_precision
from judge.scoring.measures.coverage import judged
from judge.scoring.measures.graded import discounted_gain, ndcg
from judge.scoring.measures.incomplete import bpref, inferred_ap
from judge.scoring.measures.sets import set_f, set_precision, set_recall

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from judge.scoring.measures.ranking import Floats

Value = int | float | str


@dataclass(frozen=True)
class Parameter:
    """What may stand in the parentheses of a name.

    Attributes:
        default: What it is when it does not stand there; None if that depends on the qrels.
        meaning: For people.
        choices: The only values; empty if any number will do: one with a fraction where the default
            has one, else a whole number.
        least: The least value of a number.
        below: A number is less than this.
        named: It stands in the name of a measure also where it is the default.
    """

    default: Value | None
    meaning: str
    choices: tuple[Value, ...] = ()
    least: float = 1
    below: float = math.inf
    named: bool = False

    @property
    def described(self) -> str:
        """What it means, what it may be, and what it is where it is not named."""
        choices = f": {' or '.join(map(repr, self.choices))}" if self.choices else ""
        usual = "" if self.default is None else f"; {self.default!r} if it is not named"
        return f"{self.meaning}{choices}{usual}"


@dataclass(frozen=True)
class Definition:
    """One measure.

    Attributes:
        name: As it is written.
        formula: Takes a ranking, the cutoff if there may be one, and the parameters; gives float64
            [queries].
        cutoff: Whether the name must, may or may not have `@k`.
        parameters: What may stand in parentheses.
        higher_is_better: For comparisons.
        about_judging: It describes the judgments, and so is taken before unjudged documents are
            left out.
        bounded: However judging turns out, the value lies between the plain one and that with
            every unjudged document retrieved at the top grade. Not so where it also depends on the
            ideal ranking, or on how many documents are relevant in all.
        needs_sample: It has a value only where a random sample of the pool was judged.
    """

    name: str
    formula: Callable[..., Floats]
    cutoff: Literal["required", "optional", "none"]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    higher_is_better: bool = True
    about_judging: bool = False
    bounded: bool = False
    needs_sample: bool = False

    @property
    def title(self) -> str:
        """One line for people."""
        return self.manual.splitlines()[0]

    @property
    def manual(self) -> str:
        """Everything that there is to know about it: the docstring of its formula."""
        return inspect.getdoc(self.formula) or ""

    @property
    def spelling(self) -> str:
        """How its name is written, and what may stand in it, a line each.

        >>> print(MEASURES["Success"].spelling)
        Written  Success@k
          rel    the least grade that counts as relevant; 1 if it is not named
        """
        forms = {"required": ("@k",), "optional": ("", "@k"), "none": ("",)}[self.cutoff]
        lines = ["Written  " + ", ".join(f"{self.name}{form}" for form in forms)]
        width = max((len(name) for name in self.parameters), default=0) + 4
        lines += [f"  {name:{width}}{p.described}" for name, p in self.parameters.items()]
        return "\n".join(lines)


_REL = {"rel": Parameter(1, "the least grade that counts as relevant")}
_DCG = {
    "dcg": Parameter("log2", "the gain: the grade, or 2^grade - 1", choices=("log2", "exp-log2"))
}
_BETA = {"beta": Parameter(1.0, "how many times recall weighs what precision does", least=0)}
_MAX = {"max_rel": Parameter(None, "the highest grade that there could be, if not the scale's")}
_RBP = {
    "p": Parameter(0.8, "the chance that a reader goes on", least=0, below=1, named=True),
    "gain": Parameter(
        "binary", "1 from rel on, or the share of the highest grade", choices=("binary", "graded")
    ),
    "rel": Parameter(1, "the least grade that has a binary gain", named=True),
}

MEASURES: dict[str, Definition] = {
    definition.name: definition
    for definition in (
        Definition("nDCG", ndcg, "optional", _DCG),
        Definition("RR", reciprocal_rank, "optional", _REL, bounded=True),
        Definition("R", recall, "required", _REL),
        Definition("P", precision, "required", _REL, bounded=True),
        Definition("Success", success, "required", _REL, bounded=True),
        Definition("AP", average_precision, "optional", _REL),
        Definition("Rprec", r_precision, "none", _REL),
        Definition("Bpref", bpref, "none", _REL),
        Definition("ERR", expected_reciprocal_rank, "optional", _MAX, bounded=True),
        Definition("RBP", rank_biased_precision, "optional", _RBP, bounded=True),
        Definition("infAP", inferred_ap, "none", _REL, needs_sample=True),
        Definition("DCG", discounted_gain, "optional", _DCG, bounded=True),
        Definition("SetP", set_precision, "none", _REL, bounded=True),
        Definition("SetR", set_recall, "none", _REL),
        Definition("SetF", set_f, "none", _BETA | _REL),
        Definition("R_cap", capped_recall, "required", _REL),
        Definition("Judged", judged, "optional", about_judging=True),
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
    "ndcg_burges": "nDCG(dcg='exp-log2')",
    "r_precision": "Rprec",
    "rprecision": "Rprec",
    "recall_cap": "R_cap",
    "capped_recall": "R_cap",
    "inf_ap": "infAP",
    "set_p": "SetP",
    "set_recall": "SetR",
    "set_r": "SetR",
    "set_f": "SetF",
    "f1": "SetF",
    "expected_reciprocal_rank": "ERR",
    "rank_biased_precision": "RBP",
    "coverage": "Judged",
    "hole": "Judged",
}
"""What other tools call them, in lower case."""
