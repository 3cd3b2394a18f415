"""The command `score`: how good systems are, as tables, JSON or a page for the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli.asking import (
    ByOption,
    EngineOption,
    HtmlOption,
    Interval,
    IntervalOption,
    LabelsOption,
    MeasureOption,
    NoRelevant,
    NoRelevantOption,
    QrelsOption,
    QueriesOption,
    RelevantOption,
    RollUpOption,
    RunOption,
    SourceOption,
    SplitOption,
    Ties,
    TiesOption,
    Unjudged,
    UnjudgedOption,
    intervals_named,
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
from judge.core.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.bench.asked import Asked
    from judge.bench.evaluate import Evaluation
    from judge.core.workspace import Workspace


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command()(score)


def score(
    datasets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DATASET", help="One dataset or several; or give --qrels and --run."
        ),
    ] = None,
    run: RunOption = None,
    engine: EngineOption = None,
    qrels: QrelsOption = None,
    measure: MeasureOption = None,
    by: ByOption = None,
    per_query: Annotated[
        bool, typer.Option("--per-query", help="The value of every query.")
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
    interval: IntervalOption = Interval.PERCENTILE,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Say how good systems are, on the judgments of datasets or of a qrels file.

    Without --run and --engine the runs kept with the dataset are scored. Beside every mean stand
    its 95 % interval over the queries, and the share of the results looked at that somebody has
    judged. Several datasets get a report each, and an average that gives each the same weight.
    """
    from judge.bench.asked import Asked
    from judge.scoring.score import ScoreOptions

    asked = Asked(
        measures=measures_named(measure),
        by=by or (),
        options=ScoreOptions(ties.value, unjudged.value, no_relevant.value),
        relevant_from=relevant_from,
        labels=labels,
        sources=sources_named(source),
        queries=queries and queries.value,
        split=split,
        roll_up=roll_up,
        per_query=per_query,
        intervals=intervals_named(interval),
    )
    out = Output(as_json=as_json, path=output, quiet=quiet)
    refuse_overwriting({"--output": output, "--html": html}, [qrels, *(run or ())])
    if datasets and qrels is not None:
        raise typer.BadParameter("give a dataset or --qrels, not both", param_hint="--qrels")
    if html is not None and len(datasets or ()) > 1:
        raise typer.BadParameter(
            "a page shows one dataset: write one for each", param_hint="--html"
        )
    if datasets:
        place = workspace_at(workspace)
        found = [
            on_dataset(place, name, runs=run or (), engines=engine or (), asked=asked, out=out)
            for name in _each_once(datasets)
        ]
    else:
        found = [on_files(qrels, run or (), engine or (), asked)]
    _show(found, out)
    if html is not None:
        write_page(found[0], html, out)


def _each_once(datasets: Sequence[str]) -> Sequence[str]:
    if twice := next((name for name in datasets if datasets.count(name) > 1), None):
        raise typer.BadParameter(f"{quoted(twice)} is named twice", param_hint="DATASET")
    if found := next((name for name in datasets if Path(name).is_file()), None):
        raise typer.BadParameter(
            f"{quoted(found)} is a file, not a dataset; if it is a run: --run {found}",
            param_hint="DATASET",
        )
    return datasets


def on_files(
    qrels: Path | None, runs: Sequence[str], engines: Sequence[str], asked: Asked
) -> Evaluation:
    """Score what a user named beside --qrels, or say what is missing."""
    from judge.bench.evaluate import evaluate_files

    if qrels is None:
        raise typer.BadParameter(
            "give a dataset, or --qrels FILE with at least one --run FILE", param_hint="DATASET"
        )
    if engines:
        raise typer.BadParameter(
            "an engine searches a dataset; --qrels is scored with --run FILE", param_hint="--engine"
        )
    if not runs:
        raise typer.BadParameter("give the runs to score on --qrels", param_hint="--run")
    return evaluate_files(qrels, [Path(name) for name in runs], asked)


def print_scores(
    place: Workspace, dataset: str, *, out: Output, engines: Sequence[str] = ()
) -> None:
    """Score engines on a dataset and print the report, all as usual."""
    from judge.bench.asked import Asked

    _show([on_dataset(place, dataset, engines=engines, asked=Asked(), out=out)], out)


def on_dataset(
    place: Workspace,
    dataset: str,
    *,
    out: Output,
    asked: Asked,
    runs: Sequence[str] = (),
    engines: Sequence[str] = (),
) -> Evaluation:
    """Score what a user named on a dataset."""
    from judge.bench.evaluate import evaluate_dataset
    from judge.dataset.store import Dataset

    opened = Dataset.open(place, dataset)
    return evaluate_dataset(opened, asked, runs=runs, engines=engines, progress=out.progress)


def _show(found: Sequence[Evaluation], out: Output) -> None:
    """Print the report of each evaluation, and the average of several."""
    from judge.scoring.report import query_table, score_table, several_reports, several_table

    reports = [evaluation.report for evaluation in found]
    several = several_reports(reports) if len(reports) > 1 else None
    per_query = found[0].asked.per_query
    if out.as_json:
        out.document(several or reports[0], compact=per_query)
    elif per_query:
        rows = [
            [*([report["dataset"]] if several else []), *row]
            for report in reports
            for row in query_table(report).rows
        ]
        out.table([*(["dataset"] if several else []), *query_table(reports[0]).header], rows)
    else:
        table = several_table(several) if several else score_table(reports[0])
        out.table(table.header, table.rows)
    for report in reports:
        out.warn(*report.get("warnings", ()))
        if several:
            out.say(f"{report['dataset']}:")
        out.say(*about(report), *(f"note: {notice}" for notice in report["notices"]))
    out.say(*(f"note: {notice}" for notice in (several or {}).get("notices", ())))


def about(report: dict[str, Any]) -> list[str]:
    """What the numbers of a report rest on, a line for each kind of thing."""
    settings, qrels = report["settings"], report["qrels"]
    queries, judgments = qrels["queries"], qrels["judgments"]
    lines = [
        f"{queries} quer{'y' if queries == 1 else 'ies'},"
        f" {judgments} judgment{'s' * (judgments != 1)}"
    ]
    if labels := report.get("labels"):
        sources = ", ".join(f"{count} {name}" for name, count in labels["sources"].items())
        lines.append(
            f"split {settings['split']}, {settings['queries']} queries; labels: {sources},"
            f" merged by {labels['rule']}, ties {labels['ties']}"
        )
    if interval := report.get("interval"):
        how = "Student's t"
        if interval["resamples"]:
            how = f"{interval['method']} bootstrap, {interval['resamples']:,} resamples"
        what = f"{interval['confidence']:.0%} interval of the mean over the queries"
        lines.append(f"low, high: {what}, {how}")
    lines.append(
        f"relevant from grade {settings['relevant_from']}, ties {settings['ties']},"
        f" unjudged {settings['unjudged']}, no relevant {settings['no_relevant']},"
        f" settings {report['settings_hash']}"
    )
    return lines


def write_page(
    evaluation: Evaluation, path: Path, out: Output, comparison: dict[str, Any] | None = None
) -> None:
    """Write the page of an evaluation, with a comparison of its systems."""
    import datetime as dt

    from judge.bench.comparing import MEASURES, comparison_of
    from judge.bench.pages import page_of

    if comparison is None and len(evaluation.systems) > 1:
        comparison = comparison_of(evaluation, measures=MEASURES)
    page = page_of(evaluation, dt.datetime.now(dt.UTC), comparison)
    out.write(path, page.encode("utf-8"))
    out.say(f"{path} shows it: open it in any browser.")
