"""How the options are spelled that say what is scored, on which judgments, by which rules."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.scoring.measures import Measure
    from judge.scoring.report import Intervals


class Ties(StrEnum):
    """Which scores are equal."""

    TREC = "trec"
    TREC9 = "trec9"


class Unjudged(StrEnum):
    """What unjudged documents count as."""

    ZERO = "zero"
    CONDENSE = "condense"
    SCENARIO = "scenario"


class NoRelevant(StrEnum):
    """What a query without a relevant document counts as."""

    ZERO = "zero"
    EXCLUDE = "exclude"


class Queries(StrEnum):
    """Which queries of a dataset that is still being judged."""

    FINISHED = "finished"
    ALL = "all"


class Interval(StrEnum):
    """How the intervals around means are made."""

    PERCENTILE = "percentile"
    BCA = "bca"
    NONE = "none"


BY = "language, language-pair, document-length, category, namespace, split, or a key of the"
"""What the help says of slices; `judge.bench.slicing` knows them."""

RunOption = Annotated[
    list[str] | None,
    typer.Option("--run", help="A TREC or Parquet run file, or a run kept with the dataset."),
]
EngineOption = Annotated[
    list[str] | None, typer.Option("--engine", help="bm25, terms: `judge explain engines`.")
]
QrelsOption = Annotated[
    Path | None, typer.Option("--qrels", help="A TREC qrels file, instead of a dataset.")
]
MeasureOption = Annotated[
    list[str] | None,
    typer.Option(
        "--measure", "-m", help="Such as nDCG@10 or P(rel=2)@5: `judge explain measures`."
    ),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option("--by", help=f"Cut the scores into parts: {BY} queries' metadata, as kind."),
]
LabelsOption = Annotated[
    str, typer.Option("--labels", help="How annotators become one grade, or one annotator's name.")
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--source", help="Only judgments of these sources. Default: human, else imported."
    ),
]
RelevantOption = Annotated[
    int | None,
    typer.Option(
        "--relevant-from", help="Lowest relevant grade of binary measures. Default: the dataset's."
    ),
]
TiesOption = Annotated[Ties, typer.Option("--ties", help="trec: 64-bit scores; trec9: 32-bit.")]
UnjudgedOption = Annotated[
    Unjudged,
    typer.Option(
        "--unjudged",
        help="zero: not relevant; condense: taken out of the ranking; scenario: zero, and beside"
        " it the value if all of them had the top grade.",
    ),
]
NoRelevantOption = Annotated[
    NoRelevant,
    typer.Option("--no-relevant", help="Queries without a relevant document: zero, or left out."),
]
QueriesOption = Annotated[
    Queries | None,
    typer.Option(
        "--queries", help="Default: finished ones, or all if none is.", show_default=False
    ),
]
SplitOption = Annotated[
    str | None,
    typer.Option(
        "--split", help="A split, or all. Default: dev if there is one.", show_default=False
    ),
]
RollUpOption = Annotated[
    bool,
    typer.Option("--roll-up", help="A chunk counts as the document it is part of (parent_id)."),
]


def _page_name(path: Path | None) -> Path | None:
    """Refuse an option that was taken for the name of the page."""
    if path is not None and str(path).startswith("-"):
        raise typer.BadParameter(f"{path} is no name for a page", param_hint="--html")
    return path


HtmlOption = Annotated[
    Path | None,
    typer.Option(
        "--html",
        callback=_page_name,
        help="Write a page to look at in a browser: one file, nothing loaded.",
    ),
]
IntervalOption = Annotated[
    Interval,
    typer.Option("--interval", help="95 % intervals over the queries: how, or none."),
]


def measures_named(
    names: Sequence[str] | None, usual: Sequence[Measure] | None = None
) -> tuple[Measure, ...]:
    """The measures, several at once as in `P@5,R@5` too; with coverage; the usual ones for none.

    Raises:
        MeasureError: There is no such measure.
    """
    from judge.scoring.measures import DEFAULT_MEASURES, parse_measure, with_coverage

    found = [parse_measure(name) for name in _apart(names or ())]
    return with_coverage(found or usual or ()) or DEFAULT_MEASURES


def one_measure(name: str) -> Measure:
    """The measure of this name.

    Raises:
        MeasureError: There is no such measure.
    """
    from judge.scoring.measures import parse_measure

    return parse_measure(name)


def _apart(names: Sequence[str]) -> list[str]:
    return [part.strip() for text in names for part in ([text] if "(" in text else text.split(","))]


def intervals_named(method: Interval) -> Intervals | None:
    """How to make intervals; None for none."""
    from judge.scoring.report import Intervals

    if method is Interval.NONE:
        return None
    return Intervals("bca" if method is Interval.BCA else "percentile")
