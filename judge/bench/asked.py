"""What a user may ask of scores: measures, slices, settings, and which queries count."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from judge.core.errors import InputError, Problem
from judge.judging.merge import DEFAULT_RULE
from judge.scoring.measures import DEFAULT_MEASURES
from judge.scoring.report import Intervals
from judge.scoring.score import ScoreOptions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from judge.core.model import Source
    from judge.scoring.measures import Measure


@dataclass(frozen=True)
class Asked:
    """What a user wants to know.

    Attributes:
        measures: Which to take.
        by: What to cut the scores by, as `judge.bench.slicing` spells it.
        options: Ties, unjudged, no-relevant, relevance.
        relevant_from: None takes the scale's.
        labels: The rule that merges annotators.
        sources: Only judgments of these; None takes people's, else imported ones.
        queries: `finished`, `all`, or None: finished ones, or all if none is.
        split: A split's name, `all`, or None: `dev` if the dataset has one, else all.
        roll_up: Whether a chunk counts as the document that it is part of.
        per_query: Whether to report the values of every query.
        intervals: How to put an interval around every mean; None puts none.
    """

    measures: Sequence[Measure] = DEFAULT_MEASURES
    by: Sequence[str] = ()
    options: ScoreOptions = field(default_factory=ScoreOptions)
    relevant_from: int | None = None
    labels: str = DEFAULT_RULE
    sources: Collection[Source] | None = None
    queries: str | None = None
    split: str | None = None
    roll_up: bool = False
    per_query: bool = False
    intervals: Intervals | None = field(default_factory=Intervals)

    @property
    def parts(self) -> tuple[str, ...]:
        """What to cut by, each once."""
        return tuple(dict.fromkeys(self.by))

    def with_relevance(self, default: int, top: int) -> ScoreOptions:
        """The options, with the least relevant grade that was asked for or is the default.

        Raises:
            InputError: It is not above 0, or above the top grade.
        """
        chosen = default if self.relevant_from is None else self.relevant_from
        if not 1 <= chosen <= top:
            raise InputError(
                Problem(
                    f"grade {chosen} cannot be the lowest relevant one",
                    field="--relevant-from",
                    expected=f"1 to {top}",
                )
            )
        for measure in self.measures:
            rel = dict(measure.parameters).get("rel", 1)
            if isinstance(rel, int) and rel > top:
                raise InputError(
                    Problem(
                        f"grade {rel} cannot be the lowest relevant one",
                        field=str(measure),
                        expected=f"1 to {top}",
                    )
                )
        return replace(self.options, relevant_from=chosen)
