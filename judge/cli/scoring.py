"""The command `score`: what a user may ask of the measures, and how the answer is printed."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli.options import (
    JsonOption,
    OutputOption,
    QuietOption,
    WorkspaceOption,
    sources_named,
    workspace_at,
)
from judge.cli.out import Cell, Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.bench.evaluate import Asked
    from judge.core.workspace import Workspace


class Ties(StrEnum):
    """Which scores are equal."""

    TREC = "trec"
    TREC9 = "trec9"


class Unjudged(StrEnum):
    """What unjudged documents count as."""

    ZERO = "zero"
    CONDENSE = "condense"


class NoRelevant(StrEnum):
    """What a query without a relevant document counts as."""

    ZERO = "zero"
    EXCLUDE = "exclude"


class By(StrEnum):
    """What scores can be cut by."""

    LANGUAGE = "language"
    LANGUAGE_PAIR = "language-pair"
    CATEGORY = "category"
    NAMESPACE = "namespace"
    SPLIT = "split"


class Queries(StrEnum):
    """Which queries of a dataset that is still being judged."""

    FINISHED = "finished"
    ALL = "all"


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command()(score)


def score(
    dataset: Annotated[
        str | None, typer.Argument(help="The dataset; without one, give --qrels and --run.")
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option("--run", help="A TREC or Parquet run file, or a run kept with the dataset."),
    ] = None,
    engine: Annotated[
        list[str] | None, typer.Option("--engine", help="bm25, terms: `judge explain engines`.")
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option("--qrels", help="A TREC qrels file, instead of a dataset.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", "-m", help="Such as nDCG@10 or P(rel=2)@5: `judge explain measures`."
        ),
    ] = None,
    by: Annotated[list[By] | None, typer.Option("--by", help="Cut the scores into parts.")] = None,
    per_query: Annotated[
        bool, typer.Option("--per-query", help="The value of every query.")
    ] = False,
    labels: Annotated[
        str,
        typer.Option(help="How annotators become one grade, or one annotator's name."),
    ] = "median-low",
    source: Annotated[
        list[str] | None,
        typer.Option(help="Only judgments of these sources. Default: human, else imported."),
    ] = None,
    relevant_from: Annotated[
        int | None,
        typer.Option(help="Lowest relevant grade of binary measures. Default: the dataset's."),
    ] = None,
    ties: Annotated[Ties, typer.Option(help="trec: 64-bit scores; trec9: 32-bit.")] = Ties.TREC,
    unjudged: Annotated[
        Unjudged, typer.Option(help="zero: not relevant; condense: taken out of the ranking.")
    ] = Unjudged.ZERO,
    no_relevant: Annotated[
        NoRelevant, typer.Option(help="Queries without a relevant document: zero, or left out.")
    ] = NoRelevant.ZERO,
    queries: Annotated[
        Queries | None,
        typer.Option(help="Default: finished ones, or all if none is.", show_default=False),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(help="A split, or all. Default: dev if there is one.", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Say how good systems are, on the judgments of a dataset or of a qrels file.

    Without --run and --engine the runs kept with the dataset are scored. Beside every number
    stands Judged@k, the share of its results that somebody has judged.
    """
    from judge.bench.evaluate import Asked
    from judge.scoring.measures import DEFAULT_MEASURES, parse_measure, with_coverage
    from judge.scoring.score import ScoreOptions

    asked = Asked(
        measures=with_coverage(map(parse_measure, _apart(measure or ()))) or DEFAULT_MEASURES,
        by=[part.value for part in by or ()],
        options=ScoreOptions(ties.value, unjudged.value, no_relevant.value),
        relevant_from=relevant_from,
        labels=labels,
        sources=sources_named(source),
        queries=queries and queries.value,
        split=split,
        per_query=per_query,
    )
    out = Output(as_json=as_json, path=output, quiet=quiet)
    if dataset is not None:
        if qrels is not None:
            raise typer.BadParameter("give a dataset or --qrels, not both", param_hint="--qrels")
        place = workspace_at(workspace)
        print_scores(place, dataset, runs=run or (), engines=engine or (), asked=asked, out=out)
        return
    if qrels is None or not run or engine:
        raise typer.BadParameter(
            "give a dataset, or --qrels FILE with at least one --run FILE", param_hint="DATASET"
        )
    from judge.bench.evaluate import score_files

    _print(score_files(qrels, [Path(name) for name in run], asked), out, per_query=per_query)


def _apart(measures: Sequence[str]) -> list[str]:
    """Measures one by one, also where several were given at once: `P@5,R@5`."""
    return [
        part.strip() for text in measures for part in ([text] if "(" in text else text.split(","))
    ]


def print_scores(
    place: Workspace,
    dataset: str,
    *,
    out: Output,
    runs: Sequence[str] = (),
    engines: Sequence[str] = (),
    asked: Asked | None = None,
) -> None:
    """Score systems on a dataset and print the report."""
    from judge.bench.evaluate import Asked, score_dataset
    from judge.dataset.store import Dataset

    asked = asked or Asked()
    report = score_dataset(
        Dataset.open(place, dataset), asked, runs=runs, engines=engines, progress=out.progress
    )
    _print(report, out, per_query=asked.per_query)


def _print(report: dict[str, Any], out: Output, *, per_query: bool) -> None:
    from judge.scoring.report import query_table, score_table

    if out.as_json:
        out.document(report)
    else:
        table = query_table(report) if per_query else score_table(report)
        sliced = any(entry["slices"] for entry in report["runs"])
        if per_query or sliced:
            out.table(table.header, table.rows)
        else:
            out.table(*_on_their_side([table.header, *table.rows]))
    out.say(*_about(report), *(f"note: {notice}" for notice in report["notices"]))


def _on_their_side(rows: Sequence[Sequence[Cell]]) -> tuple[list[str], list[list[Cell]]]:
    """A row for each measure and a column for each run, which fits any terminal."""
    header, *turned = (list(column) for column in zip(*rows, strict=True))
    return ["measure", *map(str, header[1:])], turned


def _about(report: dict[str, Any]) -> list[str]:
    settings, qrels = report["settings"], report["qrels"]
    lines = [f"{qrels['queries']} queries, {qrels['judgments']} judgments"]
    if labels := report.get("labels"):
        sources = ", ".join(f"{count} {name}" for name, count in labels["sources"].items())
        lines.append(
            f"split {settings['split']}, {settings['queries']} queries; labels: {sources},"
            f" merged by {labels['rule']}, ties {labels['ties']}"
        )
    lines.append(
        f"relevant from grade {settings['relevant_from']}, ties {settings['ties']},"
        f" unjudged {settings['unjudged']}, no relevant {settings['no_relevant']},"
        f" settings {report['settings_hash']}"
    )
    return lines
