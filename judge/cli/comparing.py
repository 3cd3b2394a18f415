"""The command `compare`: which of two or more systems is better, and how surely."""

from __future__ import annotations

import textwrap
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli.asking import (
    ByOption,
    HtmlOption,
    LabelsOption,
    MeasureOption,
    NoRelevant,
    NoRelevantOption,
    QrelsOption,
    QueriesOption,
    RelevantOption,
    RollUpOption,
    SourceOption,
    SplitOption,
    Ties,
    TiesOption,
    Unjudged,
    UnjudgedOption,
    measures_named,
)
from judge.cli.options import (
    JsonOption,
    OutputOption,
    QuietOption,
    WorkspaceOption,
    refuse_overwriting,
    sources_named,
    workspace_at,
)
from judge.cli.out import Output
from judge.cli.scoring import about, write_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from judge.bench.asked import Asked
    from judge.bench.evaluate import Evaluation
    from judge.cli.out import Cell

COLUMNS = ("run", "slice", "measure", "baseline", "other", "difference", "judged")
BOUNDS = ("low", "high", "p adjusted", "won", "tied", "lost")


WIDTH = 80
"""Columns of the sentences below the table."""


CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg"}


class Correction(StrEnum):
    """How p is corrected for many tests at once."""

    HOLM = "holm"
    BH = "bh"


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command()(compare)


def compare(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="DATASET BASELINE OTHER...",
            help="A dataset, and two systems or more: kept runs, run files or engines. With"
            " --qrels only run files.",
        ),
    ],
    qrels: QrelsOption = None,
    measure: MeasureOption = None,
    by: ByOption = None,
    detect: Annotated[
        float, typer.Option(min=1e-6, help="The difference that would matter to you.")
    ] = 0.02,
    alpha: Annotated[
        float,
        typer.Option(min=1e-6, max=0.5, help="How often to claim a difference that is none."),
    ] = 0.05,
    correction: Annotated[
        Correction, typer.Option(help="For many tests at once: Holm, or Benjamini-Hochberg.")
    ] = Correction.HOLM,
    changed: Annotated[
        bool, typer.Option("--changed", help="List the queries that changed most instead.")
    ] = False,
    html: HtmlOption = None,
    labels: LabelsOption = "median-low",
    source: SourceOption = None,
    relevant_from: RelevantOption = None,
    ties: TiesOption = Ties.TREC,
    unjudged: UnjudgedOption = Unjudged.ZERO,
    no_relevant: NoRelevantOption = NoRelevant.ZERO,
    queries: QueriesOption = None,
    split: SplitOption = None,
    roll_up: RollUpOption = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Say which system is better, by how much, and whether the queries can tell at all.

    The first system is the baseline. For every measure: the mean difference with its interval, p of
    a paired randomisation test, corrected for all tests shown, and the queries won, tied and lost.
    Where the queries cannot separate two systems it says so, and how many could.
    """
    from judge.bench.asked import Asked
    from judge.bench.comparing import MEASURES, comparison_of
    from judge.scoring.score import ScoreOptions

    asked = Asked(
        measures=measures_named(measure, MEASURES),
        by=by or (),
        options=ScoreOptions(ties.value, unjudged.value, no_relevant.value),
        relevant_from=relevant_from,
        labels=labels,
        sources=sources_named(source),
        queries=queries and queries.value,
        split=split,
        roll_up=roll_up,
        intervals=None,
    )
    refuse_overwriting({"--output": output, "--html": html}, [qrels, *names])
    out = Output(as_json=as_json, path=output, quiet=quiet)
    found = _evaluation(names, qrels, workspace, asked, out)
    document = comparison_of(found, detect=detect, alpha=alpha, correction=correction.value)
    if as_json:
        out.document(document)
    else:
        _print(document, out, changed=changed)
    if html is not None:
        write_page(found, html, out, document)
    out.warn(*document.get("warnings", ()))
    out.say(
        *about({**document, "interval": None}),
        *(f"note: {notice}" for notice in document["notices"]),
    )


def _evaluation(
    names: Sequence[str], qrels: Path | None, workspace: Path | None, asked: Asked, out: Output
) -> Evaluation:
    from pathlib import Path

    from judge.bench.evaluate import evaluate_dataset, evaluate_files
    from judge.bench.systems import system_named
    from judge.dataset.store import Dataset

    if len(names) < (2 if qrels else 3):
        what = "two run files" if qrels else "a dataset and two systems"
        raise typer.BadParameter(f"give {what} or more", param_hint="DATASET BASELINE OTHER...")
    if qrels:
        return evaluate_files(qrels, [Path(name) for name in names], asked)
    dataset = Dataset.open(workspace_at(workspace), names[0])
    systems = [system_named(name, dataset) for name in names[1:]]
    return evaluate_dataset(dataset, asked, engines=systems, progress=out.progress)


def _print(document: dict[str, Any], out: Output, *, changed: bool) -> None:
    from judge.scoring.compare import changed_table, compare_table

    if changed:
        table = changed_table(document)
        out.table(table.header, table.rows)
        return
    table = compare_table(document)
    kept = [i for i, name in enumerate(table.header) if name in (*COLUMNS, *BOUNDS)]
    header = [table.header[i].replace("p adjusted", "p corrected") for i in kept]
    rows: list[list[Cell]] = [[row[i] for i in kept] for row in table.rows]
    told = [entry["says"] for run in document["runs"] for entry in run["measures"].values()]
    told += [_slice_sentence(run["run"], *part) for run in document["runs"] for part in _told(run)]
    pool = [_pool_sentence(found) for found in document["leave_one_out"]]
    family, rule = document["family"], CORRECTIONS[document["correction"]]
    level = f"{document['interval']['confidence']:.0%}"
    basis = f"baseline: {document['baseline']}; low and high: {level} interval of one difference;"
    basis += " p: paired randomisation test"
    if family > 1:
        basis += f", corrected after {rule} over {family} tests"
    lines = [basis, *told, *pool]
    wrapped = [
        part for line in lines for part in textwrap.wrap(line, WIDTH, break_long_words=False)
    ]
    out.table_and_text(header, rows, wrapped)


def _told(run: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The slices of a run in which something can be told: name, measure, values."""
    for part in run["slices"]:
        for measure, row in part["measures"].items():
            if row["verdict"] != "cannot-separate":
                yield f"{part['by']}={part['value']}", measure, row


def _slice_sentence(run: str, part: str, measure: str, row: dict[str, Any]) -> str:
    return (
        f"In {part} {run} is {row['verdict']} on {measure}: {row['difference']:+.4f},"
        f" p {row['p_adjusted']:.2g}."
    )


def _pool_sentence(found: dict[str, Any]) -> str:
    """What a run owes to having fed the pool, by the first measure."""
    measure, values = next(iter(found["measures"].items()))
    lost = values["loss"]
    loss = "no value of" if lost is None else f"{abs(lost):.4f} {'more' if lost < 0 else 'less'}"
    return (
        f"Without the {found['pairs']} judged pairs that only {found['run']} brought into the pool,"
        f" it would have {loss} {measure}."
    )
