"""The commands that bring whole collections in and out: `import`, `pool`, `export`."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli.options import (
    QuietOption,
    WorkspaceOption,
    sources_named,
    workspace_at,
)
from judge.cli.out import Output

if TYPE_CHECKING:
    from judge.exchange.importing import ImportReport


class Rows(StrEnum):
    """What a row of a table is."""

    MERGED = "merged"
    ANNOTATORS = "annotators"


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command("import")(import_)
    app.command("pool")(pool)
    app.command("export")(export)


def import_(
    path: Annotated[Path, typer.Argument(help="A folder or file: see `judge explain formats`.")],
    name: Annotated[str, typer.Option("--name", help="What to call the dataset.")],
    format_: Annotated[
        str | None,
        typer.Option("--from", help="The format. Default: found out, and told why."),
    ] = None,
    relevant_from: Annotated[
        int | None, typer.Option(help="The lowest grade that binary measures count as relevant.")
    ] = None,
    scale: Annotated[
        int | None,
        typer.Option("--scale", help="The highest grade, for sources that do not say it."),
    ] = None,
    map_grade: Annotated[
        list[str] | None,
        typer.Option(help="Take grade A for B, such as -1=0 or -1=unjudged. May be repeated."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse judgments on unknown queries or documents.")
    ] = False,
    part: Annotated[
        str | None, typer.Option("--part", help="Which dataset, where one file holds several.")
    ] = None,
    gold: Annotated[
        bool, typer.Option("--gold", help="The judgments are those of the collection's authors.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and check everything, write nothing.")
    ] = False,
    workspace: WorkspaceOption = None,
    quiet: QuietOption = False,
) -> None:
    """Bring a collection in, all of it or nothing: documents, queries, judgments, runs.

    Takes BEIR folders, TREC qrels and runs, and benchmark JSON. Judgments that come along are
    kept with source `import` and score until people have judged.
    """
    from judge.exchange.importing import import_dataset

    out = Output(quiet=quiet)
    with out.progress(f"reading {path.name}") as progress:
        report = import_dataset(
            workspace_at(workspace),
            path,
            name=name,
            format_name=format_,
            relevant_from=relevant_from,
            top=scale,
            map_grade=_grade_map(map_grade or []),
            strict=strict,
            part=part,
            source="gold" if gold else "import",
            dry_run=dry_run,
            now=dt.datetime.now(dt.UTC),
            progress=progress,
        )
    out.say(*report.lines())
    if not dry_run:
        out.say(f"Next: {_next_step(report)}.")


def _next_step(report: ImportReport) -> str:
    name = report.name
    if report.can_be_judged:
        return f"`judge pool {name} --engine bm25`, then `judge annotate {name}`"
    return f"`judge score {name}`" if report.counts["runs"] else f"`judge score {name} --run FILE`"


def pool(
    dataset: Annotated[str, typer.Argument(help="The dataset.")],
    run: Annotated[
        list[str] | None,
        typer.Option("--run", help="A TREC or Parquet run file, or a run kept with the dataset."),
    ] = None,
    engine: Annotated[
        list[str] | None, typer.Option("--engine", help="bm25, terms: `judge explain engines`.")
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", min=1, help="How many documents of each run are drawn.")
    ] = 20,
    order: Annotated[
        str | None,
        typer.Option(
            help="gap, depth, fineband, rrf or random: `judge explain orders`."
            " Default: gap with two or more runs, depth with one."
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            max=2**63 - 1,
            help="Settles ties, the shuffling inside a block, and the order random.",
        ),
    ] = 1,
    workspace: WorkspaceOption = None,
    quiet: QuietOption = False,
) -> None:
    """Draw the documents to judge: the top of every system, each pair once.

    Running it again with another system adds what is new; nothing that was judged moves.
    """
    from judge.bench.draw import draw_candidates
    from judge.dataset.store import Dataset

    out = Output(quiet=quiet)
    opened = Dataset.open(workspace_at(workspace), dataset)
    drawn = draw_candidates(
        opened,
        runs=run or [],
        engines=engine or [],
        depth=depth,
        order=order,
        seed=seed,
        now=dt.datetime.now(dt.UTC),
        progress=out.progress,
    )
    out.say(*(f"warning: {warning}" for warning in opened.warnings()))
    out.say(*drawn.lines())
    out.say(f"Next: `judge annotate {dataset}`.")


def export(
    dataset: Annotated[str, typer.Argument(help="The dataset.")],
    format_: Annotated[str, typer.Option("--to", help="The format: `judge explain formats`.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file or folder to write.")
    ] = None,
    labels: Annotated[
        str, typer.Option(help="How several annotators become one grade: `judge explain labels`.")
    ] = "median-low",
    source: Annotated[
        list[str] | None,
        typer.Option(help="Only judgments of these sources. Default: human, else imported."),
    ] = None,
    rows: Annotated[
        Rows, typer.Option(help="Rows of csv and parquet: merged grades, or each annotator's.")
    ] = Rows.MERGED,
    spreadsheet: Annotated[
        bool,
        typer.Option(
            "--spreadsheet",
            help="For csv: an apostrophe before texts that a spreadsheet would run as formulas."
            " Without it every cell holds the data exactly.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what stands there.")] = False,
    workspace: WorkspaceOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write a dataset with its judgments in an outside format; says what that format loses."""
    from judge.dataset.store import Dataset
    from judge.exchange.exporting import TABLES, export_dataset

    if output is None:
        raise typer.BadParameter("say where to write it: -o PATH", param_hint="--output")
    if rows is not Rows.MERGED and format_ not in TABLES:
        raise typer.BadParameter(f"only {' and '.join(TABLES)} have rows", param_hint="--rows")
    if spreadsheet and format_ != "csv":
        raise typer.BadParameter("only csv is read by spreadsheets", param_hint="--spreadsheet")
    opened = Dataset.open(workspace_at(workspace), dataset)
    report = export_dataset(
        opened,
        format_,
        output,
        rule=labels,
        sources=sources_named(source),
        rows=rows.value,
        spreadsheet=spreadsheet,
        force=force,
    )
    Output(quiet=quiet).say(*report.lines())


def _grade_map(pairs: list[str]) -> dict[int, int | None]:
    mapped: dict[int, int | None] = {}
    for pair in pairs:
        old, _, new = pair.partition("=")
        try:
            mapped[int(old)] = None if new == "unjudged" else int(new)
        except ValueError:
            raise typer.BadParameter(
                f'"{pair}" is not A=B, such as -1=0 or -1=unjudged', param_hint="--map-grade"
            ) from None
    return mapped
