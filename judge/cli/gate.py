"""The command `gate`: what a build may ask about two reports, and how yes and no are told."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli.options import JsonOption, OutputOption, QuietOption, refuse_overwriting
from judge.cli.out import Output
from judge.core.errors import MeasureError, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EXIT_NO = 1
SEED = 0
"""The same two reports always get the same answer."""


EXAMPLES = (
    "\b\n"
    "Before a change, after it, and what became worse:\n"
    "  judge score my-set --engine bm25 --json -o baseline.json\n"
    "  judge score my-set --engine bm25 --json -o current.json\n"
    "  judge gate baseline.json current.json\n"
    "2 % of every measure, and of R@10 two points, not more:\n"
    "  judge gate baseline.json current.json --threshold 0.02 --limit R@10=0.02"
)


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command(epilog=EXAMPLES)(gate)


def gate(
    baseline: Annotated[
        Path, typer.Argument(help="A report to hold against: `judge score --json -o FILE`.")
    ],
    current: Annotated[Path, typer.Argument(help="The same report, made now.")],
    threshold: Annotated[
        str, typer.Option(help="The share of its baseline that a measure may lose: 0.05 or 5%.")
    ] = "0.05",
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE=ABSOLUTE",
            help="The amount that one measure may lose, in place of the share: R@10=0.02.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="Only these, and those with a limit. Default: all."),
    ] = None,
    significant: Annotated[
        bool,
        typer.Option("--significant", help="Fail only what a paired test confirms as well."),
    ] = False,
    alpha: Annotated[
        float, typer.Option(help="With --significant: p must be below this, row by row.")
    ] = 0.05,
    as_json: JsonOption = False,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Say whether search became worse: exit 0 if all passed, 1 if not.

    Every measure of every run and slice is a row. It passes unless it became worse by more than
    its threshold; a loss of exactly the threshold passes, and what the current report lacks fails.
    Latency, size and the like are worse when higher. Reports on other judgments, other queries or
    with other settings are refused (exit 3), because their numbers cannot be compared.

    --significant needs reports made with --per-query; it spares a small set from failing by chance,
    and lets a small set hide a real loss. Slices are not compared then.
    """
    import numpy as np

    from judge.scoring.gate import Rules, Significance, gate_table
    from judge.scoring.gate import gate as compared
    from judge.scoring.reading import read_report

    refuse_overwriting({"--output": output}, [baseline, current])
    limits = [_limit(text) for text in limit or ()]
    rules = Rules(
        threshold=_threshold(threshold),
        limits=_once(limits),
        measures=measure or (),
        significance=(
            Significance(np.random.default_rng(SEED), _share(alpha, "--alpha"))
            if significant
            else None
        ),
    )
    document = compared(read_report(baseline), read_report(current), rules)
    out = Output(as_json=as_json, path=output, quiet=quiet)
    if out.as_json:
        out.document(document)
    else:
        table = gate_table(document)
        out.table(table.header, table.rows)
    out.say(*(f"note: {notice}" for notice in document["notices"]), _answer(document["counts"]))
    if not document["passed"]:
        raise typer.Exit(EXIT_NO)


def _threshold(text: str) -> float:
    """A share, also in per cent. 5 is refused: it would let everything pass."""
    in_percent = text.strip().endswith("%")
    try:
        share = float(text.strip().removesuffix("%")) / (100 if in_percent else 1)
    except ValueError:
        share = math.nan
    if not (0 <= share < 1 or (in_percent and share == 1)):
        raise typer.BadParameter(
            f"{quoted(text)} is no share from 0 to below 1; 5 % is 0.05 or 5%",
            param_hint="--threshold",
        )
    return share


def _answer(counts: Mapping[str, int]) -> str:
    failed, rows = counts["failed"], counts["rows"]
    what = f"{rows:,} row{'s' * (rows != 1)}"
    return f"gate failed: {failed:,} of {what}" if failed else f"gate passed: {what}"


def _limit(text: str) -> tuple[str, float]:
    """A measure and the amount it may lose; a name may hold `=` itself: `R(rel=2)@10=0.02`."""
    name, _, amount = text.rpartition("=")
    try:
        number = float(amount)
    except ValueError:
        number = math.nan
    if not name.strip() or math.isnan(number):
        raise typer.BadParameter(
            f"{quoted(text)} is not MEASURE=ABSOLUTE, as in R@10=0.02", param_hint="--limit"
        )
    return name.strip(), _amount(number, "--limit")


def _once(limits: Sequence[tuple[str, float]]) -> dict[str, float]:
    """The limits by measure; two for one are refused, as one of them would not hold."""
    from judge.scoring.measures import parse_measure

    found: dict[str, float] = {}
    for name, amount in limits:
        try:
            full = str(parse_measure(name).bound(1))
        except MeasureError:
            full = name
        if full in found:
            raise typer.BadParameter(f"{quoted(name)} has two limits", param_hint="--limit")
        found[full] = amount
    return dict(limits)


def _amount(number: float, option: str) -> float:
    if not (math.isfinite(number) and number >= 0):
        raise typer.BadParameter(f"{number:g} is not a number from 0 up", param_hint=option)
    return number


def _share(number: float, option: str) -> float:
    if not 0 < number < 1:
        raise typer.BadParameter(f"{number:g} is not between 0 and 1", param_hint=option)
    return number
