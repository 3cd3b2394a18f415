"""How the name of a measure is written: `nDCG(dcg='exp-log2')@10`, as in ir_measures."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judge.core.errors import MeasureError, nearest, quoted
from judge.scoring.measures.catalog import MEASURES, OTHER_NAMES, Definition, Parameter, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judge.scoring.measures.ranking import Floats, Ranking

HIGHEST_CUTOFF = 1_000_000
GRADED = "graded"
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\((.*)\))?\s*(?:@\s*([^@()]*))?", re.ASCII)
_PARAMETER = re.compile(
    r"""\s*([A-Za-z_]\w*)\s*=\s*(?:'([^']*)'|"([^"]*)"|([^\s,'"]+))\s*(?:,|$)""", re.ASCII
)
_WHOLE = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?")


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters; `str` of it is its name.

    Attributes:
        name: Key of `MEASURES`.
        cutoff: k, None for the whole ranking.
        parameters: Those that are not at their default or always stand in the name, in the order
            of the definition. `rel` is kept also when it is 1, because it then was asked for.
    """

    name: str
    cutoff: int | None = None
    parameters: tuple[tuple[str, Value], ...] = ()

    @property
    def definition(self) -> Definition:
        """What it is."""
        return MEASURES[self.name]

    @property
    def uses_scale(self) -> bool:
        """Whether its values depend on the highest grade of the scale."""
        asked = dict(self.parameters)
        without_own = "max_rel" in self.definition.parameters and "max_rel" not in asked
        return without_own or asked.get("gain") == GRADED

    def __str__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.parameters)
        return (
            self.name
            + (f"({inside})" if inside else "")
            + (f"@{self.cutoff}" if self.cutoff is not None else "")
        )

    def bound(self, relevant_from: int) -> Measure:
        """The measure for a scale: binary ones count grades from `relevant_from` on.

        A `rel` that was asked for stays.

        >>> str(parse_measure("R@10").bound(2)), str(parse_measure("R(rel=3)@10").bound(2))
        ('R(rel=2)@10', 'R(rel=3)@10')
        >>> str(parse_measure("R@10").bound(1)), str(parse_measure("nDCG@10").bound(2))
        ('R@10', 'nDCG@10')
        >>> str(parse_measure("RBP@10").bound(1))
        'RBP(p=0.8, rel=1)@10'
        """
        asked = dict(self.parameters)
        threshold = self.definition.parameters.get("rel")
        if threshold is None or asked.get("gain") == GRADED:
            return self
        rel = asked.get("rel", relevant_from)
        if rel == relevant_from == 1 and not threshold.named:
            asked.pop("rel", None)
        else:
            asked["rel"] = rel
        return replace(self, parameters=_ordered(self.definition, asked))

    def values(self, ranking: Ranking) -> Floats:
        """The value of each query, float64 [queries]; NaN where it has none."""
        keywords = dict(self.parameters)
        if self.definition.cutoff == "none":
            return self.definition.formula(ranking, **keywords)
        return self.definition.formula(ranking, self.cutoff, **keywords)


def parse_measure(text: str) -> Measure:
    """The measure of this name; upper and lower case do not matter.

    Raises:
        MeasureError: There is no such measure or parameter, or a value is out of range; says what
            comes nearest.

    >>> str(parse_measure("ndcg(dcg='exp-log2')@10"))
    "nDCG(dcg='exp-log2')@10"
    >>> parse_measure("MRR@10")
    Traceback (most recent call last):
    ...
    judge.core.errors.MeasureError: no measure "MRR@10"; did you mean RR@10?
    """
    match = _NAME.fullmatch(text)
    if match is None:
        raise MeasureError(f"{quoted(text)} is not the name of a measure, such as {_SAMPLES}")
    name, inside, at = match.groups()
    definition = _definition(name, text)
    parameters = _parameters(definition, inside or "", text)
    measure = Measure(definition.name, _cutoff(definition, at, text), parameters)
    return measure


def _definition(name: str, text: str) -> Definition:
    lower = {known.lower(): definition for known, definition in MEASURES.items()}
    if definition := lower.get(name.lower()):
        return definition
    rest = text.strip()[len(name) :]
    if other := OTHER_NAMES.get(name.lower()):
        hint = f"; did you mean {_with_rest(other, rest)}?"
    elif near := nearest(name.lower(), lower, 3):
        hint = "; did you mean " + " or ".join(_with_rest(lower[n].name, rest) for n in near) + "?"
    else:
        hint = f"; there is: {', '.join(MEASURES)}"
    raise MeasureError(f"no measure {quoted(text.strip())}{hint}")


def _with_rest(name: str, rest: str) -> str:
    """A name with the parameters and the cutoff that stood behind another, if it can have them."""
    inside, at, cutoff = rest.partition("@")
    base, own, _ = name.partition("(")
    return (
        name
        + ("" if own else inside)
        + ("" if MEASURES[base].cutoff == "none" else f"{at}{cutoff}")
    )


def _cutoff(definition: Definition, at: str | None, text: str) -> int | None:
    if at is None:
        if definition.cutoff == "required":
            raise MeasureError(
                f"{quoted(text)}: {definition.name} needs a cutoff, as in {definition.name}@10"
            )
        return None
    if definition.cutoff == "none":
        raise MeasureError(
            f"{quoted(text)}: {definition.name} takes no cutoff, it looks at the whole ranking"
        )
    if not _WHOLE.fullmatch(at.strip()) or not 1 <= int(at) <= HIGHEST_CUTOFF:
        raise MeasureError(
            f"{quoted(text)}: the cutoff after @ is a whole number from 1 to {HIGHEST_CUTOFF:,}"
        )
    return int(at)


def _parameters(definition: Definition, inside: str, text: str) -> tuple[tuple[str, Value], ...]:
    found: dict[str, Value] = {}
    place = 0
    while place < len(inside.rstrip()):
        match = _PARAMETER.match(inside, place)
        if match is None:
            raise MeasureError(f"{quoted(text)}: parameters are written as in R(rel=2)@10")
        key, single, double, bare = match.groups()
        if key not in definition.parameters:
            raise MeasureError(f"{quoted(text)}: {_unknown(definition, key)}")
        if key in found:
            raise MeasureError(f"{quoted(text)}: {key} stands twice")
        word = bare if bare is not None else single if single is not None else double
        found[key] = _value(definition.parameters[key], key, word, text)
        place = match.end()
    if "rel" in found and found.get("gain") == GRADED:
        raise MeasureError(f"{quoted(text)}: a graded gain has no rel, it uses all grades")
    for key, parameter in definition.parameters.items():
        # Which grade is relevant is not known before `bound`.
        if parameter.named and parameter.default is not None and key != "rel":
            found.setdefault(key, parameter.default)
    return _ordered(definition, found)


def _ordered(definition: Definition, found: dict[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple(
        (key, found[key])
        for key, parameter in definition.parameters.items()
        if key in found and (key == "rel" or parameter.named or found[key] != parameter.default)
    )


def _unknown(definition: Definition, key: str) -> str:
    known = ", ".join(definition.parameters) or "no parameters"
    all_grades = key == "rel" and {"dcg", "max_rel"} & set(definition.parameters)
    why = " (it uses all grades)" if all_grades else ""
    return f"{definition.name} has no parameter {key}{why}; it takes {known}"


def _value(parameter: Parameter, key: str, word: str, text: str) -> Value:
    if parameter.choices:
        if word not in parameter.choices:
            choices = " or ".join(repr(choice) for choice in parameter.choices)
            raise MeasureError(f"{quoted(text)}: {key} is {choices}, not {quoted(word)}")
        return word
    whole = not isinstance(parameter.default, float)
    pattern = _WHOLE if whole else _NUMBER
    if not pattern.fullmatch(word) or not parameter.least <= float(word) < parameter.below:
        kind = "whole number" if whole else "number"
        limits = f"{parameter.least:g} or more"
        if parameter.below < math.inf:
            limits = f"at least {parameter.least:g} and less than {parameter.below:g}"
        raise MeasureError(f"{quoted(text)}: {key} is a {kind} of {limits}, not {quoted(word)}")
    return int(word) if whole else float(word)


_SAMPLES = "nDCG@10, RR@10, R(rel=2)@100 or AP"


def with_coverage(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures, and after them `Judged@k` for every cutoff: no number without its coverage.

    >>> [str(m) for m in with_coverage([parse_measure("nDCG@5"), parse_measure("AP")])]
    ['nDCG@5', 'AP', 'Judged@5']
    """
    asked = tuple(dict.fromkeys(measures))
    cutoffs = sorted({measure.cutoff for measure in asked if measure.cutoff is not None})
    judged = (parse_measure(f"Judged@{cutoff}") for cutoff in cutoffs)
    return tuple(dict.fromkeys((*asked, *judged)))


DEFAULT_MEASURES: tuple[Measure, ...] = tuple(
    parse_measure(name)
    for name in (
        "nDCG@10",
        "nDCG(dcg='exp-log2')@10",
        "RR@10",
        "R@5",
        "R@10",
        "R@20",
        "P@10",
        "AP",
        "Judged@10",
    )
)
"""What a report shows when nothing else is asked for."""
