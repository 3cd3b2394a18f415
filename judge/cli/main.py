"""The program `judge`: how its commands hang together, and what every exit code means.

Exit codes: 0 done or yes, 1 the answer is no, 2 usage, 3 bad input or store, 4 an engine failed,
70 a fault of the program, 130 interrupted.
"""

from __future__ import annotations

import io
import sys
import traceback
from typing import TYPE_CHECKING, Annotated

import typer

from judge import __version__
from judge.cli import collections, comparing, failing, gate, generating, judging, manual, scoring
from judge.cli.options import AnnotatorOption, WorkspaceOption
from judge.cli.out import Output
from judge.core.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_USAGE = 2
EXIT_INPUT = 3
EXIT_BUG = 70
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="judge",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=(
        "Judge search results in a terminal, score any system on the judgments, export the"
        " benchmark.\n\n"
        "Without a command it opens the workspace: datasets, their queries, the documents to"
        " judge.\n\n"
        "First steps:\n\n"
        "\b\n"
        "  judge demo                               a small dataset to try everything on\n"
        "  judge import PATH --name my-set          bring your own collection\n"
        "  judge pool my-set --engine bm25          draw the documents to judge\n"
        "  judge annotate my-set                    judge them: keys 0-3, ? shows all keys\n"
        "  judge score my-set --engine bm25         how good is it?\n"
        "  judge export my-set --to beir -o out/    take it elsewhere\n"
        "  judge explain nDCG                       what a word means here"
    ),
    epilog=(
        "Exit codes: 0 done, 1 the answer is no, 2 usage, 3 bad input, 4 an engine failed,"
        " 70 a fault of the program, 130 interrupted."
    ),
)
collections.register(app)
generating.register(app)
judging.register(app)
scoring.register(app)
comparing.register(app)
failing.register(app)
gate.register(app)
manual.register(app)


def _version(wanted: object) -> None:
    if wanted:
        Output().data(f"judge {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def judge(
    context: typer.Context,
    workspace: WorkspaceOption = None,
    annotator: AnnotatorOption = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Open the workspace when no command is given."""
    del version
    if context.invoked_subcommand is None:
        judging.open_terminal(workspace, None, annotator)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; no error of ours ever shows a traceback."""
    try:
        code = app(list(arguments), prog_name="judge", standalone_mode=False)
    except JudgeError as error:
        Output().say(*(f"judge: {line}" for line in str(error).splitlines()))
        return error.exit_code
    except typer.Abort:
        return EXIT_INTERRUPTED
    except typer.TyperException as error:
        Output().say(*_usage_lines(error))
        return EXIT_USAGE
    except KeyboardInterrupt:
        Output().say("judge: interrupted")
        return EXIT_INTERRUPTED
    except OSError as error:
        Output().say(f"judge: {_disk_error(error)}")
        return EXIT_INPUT
    except Exception:
        traceback.print_exc()
        Output().say("judge: this is a fault of the program, not of your data; please report it")
        return EXIT_BUG
    return code if isinstance(code, int) else 0


def _usage_lines(error: typer.TyperException) -> list[str]:
    """What is wrong and where the help is, without the words of the library that checked it."""
    told = getattr(error, "format_message", None)
    context = getattr(error, "ctx", None)
    words = str(told() if told else error).replace("Value error, ", "")
    lines = [f"judge: {words}"]
    return [*lines, f"Try `{context.command_path} --help`."] if context else lines


def _disk_error(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


def run() -> None:
    """The console script."""
    if sys.stdout is None:
        # Closed by the caller: what is printed is not wanted.
        sys.stdout = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # The same bytes whatever the locale says.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
