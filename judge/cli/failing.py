"""The command `failures`: which queries a system answers badly, and the likely reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.cli.asking import (
    EngineOption,
    LabelsOption,
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
    sources_named,
    workspace_at,
)
from judge.cli.out import Output

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TEXT = 60
"""Characters of a query's text that stand in its line."""


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command()(failures)


def failures(
    dataset: Annotated[str, typer.Argument(help="The dataset.")],
    run: RunOption = None,
    engine: EngineOption = None,
    measure: Annotated[
        str, typer.Option("--measure", "-m", help="The measure that says how bad.")
    ] = "nDCG@10",
    below: Annotated[
        float, typer.Option(min=0, max=1, help="A query with a lower value has failed.")
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

    A reason is told from the ranking and the judgments: the answer is absent or badly ranked, a
    hard negative or another chunk of the document took its place, only other languages are found,
    too little is judged to tell, annotators disagree. `judge explain failures` has the rules.
    """
    from judge.bench.asked import Asked
    from judge.bench.evaluate import evaluate_dataset
    from judge.bench.failing import failures_of
    from judge.dataset.store import Dataset

    out, decisive = Output(as_json=as_json, path=output, quiet=quiet), one_measure(measure)
    found = evaluate_dataset(
        Dataset.open(workspace_at(workspace), dataset),
        Asked(
            measures=(decisive,),
            relevant_from=relevant_from,
            labels=labels,
            sources=sources_named(source),
            queries=queries and queries.value,
            split=split,
            roll_up=roll_up,
        ),
        runs=run or (),
        engines=engine or (),
        progress=out.progress,
    )
    _print(failures_of(found, decisive, below=below, worst=worst), out)


def _print(documents: Sequence[dict[str, Any]], out: Output) -> None:
    if out.as_json:
        several = {"schema": documents[0]["schema"], "runs": list(documents)}
        out.document(documents[0] if len(documents) == 1 else several)
        return
    out.data("\n".join(line for document in documents for line in _lines(document)))
    for document in documents:
        reasons = ", ".join(f"{count} {code}" for code, count in document["diagnoses"].items())
        out.say(
            f"{document['run']}: {document['failed']} of {document['queries']} queries have"
            f" {document['measure']} below {document['below']:g}" + (f": {reasons}" * bool(reasons))
        )


def _lines(document: dict[str, Any]) -> Iterator[str]:
    """The failures of one system: a line for each query, below it one for each reason."""
    width = max((len(code) for code in document["diagnoses"]), default=0)
    for failure in document["failures"]:
        judged = "-" if failure["judged"] is None else f"{failure['judged']:.2f}"
        where = f"{document['run']}  {failure['query']}  {document['measure']}"
        yield f"{where} {failure['value']:.4f}  judged {judged}  {failure['text'][:TEXT]}"
        for reason in failure["diagnoses"]:
            yield f"    {reason['code']:{width}}  {reason['says']}"
