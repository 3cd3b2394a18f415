"""The command `failures`: which queries a system answers badly, and the likely reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli.asking import (
    EngineOption,
    LabelsOption,
    QrelsOption,
    QueriesOption,
    RelevantOption,
    RollUpOption,
    RunOption,
    SourceOption,
    SplitOption,
    one_measure,
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
from judge.cli.scoring import about, on_dataset, on_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TEXT = 60
"""Characters of a query's text that stand in its line."""


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command()(failures)


def failures(
    dataset: Annotated[
        str | None, typer.Argument(help="The dataset; or give --qrels and --run.")
    ] = None,
    run: RunOption = None,
    engine: EngineOption = None,
    qrels: QrelsOption = None,
    measure: Annotated[
        str, typer.Option("--measure", "-m", help="The measure that says how bad.")
    ] = "nDCG@10",
    below: Annotated[
        float,
        typer.Option(min=0, help="Failed is less than this share of the best possible value."),
    ] = 0.5,
    worst: Annotated[
        int | None, typer.Option(min=1, help="Only so many, the worst first. Default: all.")
    ] = None,
    labels: LabelsOption = "median-low",
    source: SourceOption = None,
    relevant_from: RelevantOption = None,
    queries: QueriesOption = None,
    split: SplitOption = None,
    roll_up: RollUpOption = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """List the queries that a system answers badly, worst first, and why.

    Badly is less than half (--below) of what an ideal ranking of the judged documents would get.

    A reason is told from the ranking and the judgments: the answer is absent or badly ranked, a
    hard negative or another chunk of the document took its place, only other languages are found,
    too little is judged to tell, annotators disagree. `judge explain failures` has the rules.
    """
    from judge.bench.asked import Asked
    from judge.bench.failing import failures_of

    refuse_overwriting({"--output": output}, [qrels, *(run or ())])
    out, decisive = Output(as_json=as_json, path=output, quiet=quiet), one_measure(measure)
    asked = Asked(
        measures=(decisive,),
        relevant_from=relevant_from,
        labels=labels,
        sources=sources_named(source),
        queries=queries and queries.value,
        split=split,
        roll_up=roll_up,
        intervals=None,
    )
    if (dataset is None) == (qrels is None):
        raise typer.BadParameter("give a dataset, or --qrels and --run", param_hint="DATASET")
    runs, engines = run or (), engine or ()
    if dataset is not None:
        place = workspace_at(workspace)
        found = on_dataset(place, dataset, runs=runs, engines=engines, asked=asked, out=out)
    else:
        found = on_files(qrels, runs, engines, asked)
    _print(failures_of(found, decisive, below=below, worst=worst), out)
    out.warn(*found.warnings)


def _print(documents: Sequence[dict[str, Any]], out: Output) -> None:
    if out.as_json:
        several = {"schema": documents[0]["schema"], "runs": list(documents)}
        out.document(documents[0] if len(documents) == 1 else several)
        return
    out.data("\n".join(line for document in documents for line in _lines(document)))
    for document in documents:
        reasons = ", ".join(f"{count} {code}" for code, count in document["primary"].items())
        out.say(
            f"{document['run']}: {document['failed']} of {document['queries']} queries reach less"
            f" than {document['below']:g} of the best possible {document['measure']}"
            + (f"; first reasons: {reasons}" * bool(reasons))
        )
    out.say(*about(documents[0]), *(f"note: {line}" for line in documents[0]["notices"]))


def _lines(document: dict[str, Any]) -> Iterator[str]:
    """The failures of one system: a line for each query, below it one for each reason."""
    width = max((len(code) for code in document["diagnoses"]), default=0)
    for failure in document["failures"]:
        judged = "-" if failure["judged"] is None else f"{failure['judged']:.2f}"
        where = f"{document['run']}  {failure['query']}  {document['measure']}"
        best = "" if failure["ideal"] in (None, 1.0) else f" of {failure['ideal']:.4f}"
        value = f"{failure['value']:.4f}{best}"
        yield f"{where} {value}  judged {judged}  {failure['text'][:TEXT]}"
        for reason in failure["diagnoses"]:
            yield f"    {reason['code']:{width}}  {reason['says']}"
