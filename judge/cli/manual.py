"""The command `explain`: which topics there are, and where the manual of each is kept."""

from __future__ import annotations

import inspect
import re
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli.out import Output

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from judge.synth.seam import Kind

RULES = """\
The rules that hold for every measure.

Ties          Ordered by score, then by document id, both descending; ids compare by their bytes.
              The rank column of a run file is ignored. `--ties trec9` compares scores as 32-bit
              floats, as older trec_eval and pytrec_eval do. Ties across a cutoff are counted.
Missing       A judged query that a run has nothing for counts 0 and is listed.
No relevant   A query without a relevant document counts 0 and is listed;
              `--no-relevant exclude` leaves it out.
Not judged    Queries without judgments are ignored and counted. An unjudged document counts as
              not relevant; beside every number stands the share that was judged.
              `--unjudged condense` takes unjudged documents out of the ranking first;
              `--unjudged scenario` tells what the number would be if all of them had the top
              grade.
Relevant      Binary measures count grades from the scale's `relevant_from`; the name says so
              when it is not 1, as in R(rel=2)@10. nDCG uses all grades.
Ideal         The ideal ranking of nDCG comes from all judged documents, cut at k.
Finished      While a dataset is being judged, queries whose pool is not done are left out of
              the mean and counted; `--queries all` takes them.
Split         The dev split if the dataset has one, else all queries; `--split` chooses.
Comparable    Two numbers may be compared if the measure's name and the settings hash agree.
Intervals     Around every mean, from drawing the queries again: `judge explain intervals`.
Chunks        `--roll-up` counts a chunk as the document that it is part of (`parent_id`).
Rounding      None inside and none in JSON; tables show four digits."""

SLICES = """\
Slices: scores of a part of the queries (`--by`).

language          The language of the query.
language-pair     That of the query and of the documents: in `en > hi` only Hindi documents are
                  relevant, the others hold their ranks; a query may be in several parts.
document-length   Likewise by the characters of the document's text.
category, namespace, split
                  What the dataset says of the query.
any other word    A key of the queries' metadata, such as `kind` of generated sets.

Every part has its number of queries, its interval and its coverage. A part of a few queries tells
little: look at the interval before the mean."""

FOR_CALLERS = re.compile(r"(Args|Returns|Raises|Attributes):|>>> ")

ELSEWHERE = {
    "p value": "compare",
    "p": "compare",
    "significance": "compare",
    "power": "compare",
    "interval": "intervals",
    "confidence": "intervals",
    "tie": "rules",
    "ties": "rules",
    "unjudged": "rules",
    "hard negative": "grades",
    "hard negatives": "grades",
    "grade": "grades",
    "by": "slices",
    "slice": "slices",
    "diagnosis": "failures",
    "failure": "failures",
    "threshold": "gate",
    "mrr": "RR",
    "map": "AP",
    "recall": "R",
    "precision": "P",
    "hit rate": "Success",
}
"""Words that people look up, and the topic that answers them."""

GRADES = """\
The grades, and what is not a grade.

The usual scale: 0 does not answer, 1 related but insufficient, 2 useful evidence, 3 directly
answers; a dataset may have its own. Relevant are grades from 2 on (`relevant_from`).

A hard negative is a mark on a grade that is not relevant: a document that a system could easily
take for an answer.

Unjudged: nobody has said anything. Skipped: put off, it comes back at the end. Cannot judge: a
person looked and could not tell, with a reason. These three have no grade, and none of them is
grade 0."""


def register(app: typer.Typer) -> None:
    """Add the commands of this group."""
    app.command()(explain)


def explain(
    topic: Annotated[
        str | None, typer.Argument(help="A measure, engine, format, or a topic of the list.")
    ] = None,
) -> None:
    """Say what a word means here: a measure, an engine, a format, a rule. Alone: all topics."""
    from judge.core.errors import NotFound

    out = Output()
    if topic is None:
        out.data(_topics())
        return
    pages = {**_chapters(), **_pages()}
    exact = {name.lower(): name for name in pages}
    asked = topic.partition("@")[0].partition("(")[0].lower()
    name = exact.get(asked) or ELSEWHERE.get(asked.replace("-", " "))
    if name is None:
        raise NotFound("topic", topic, list(pages), hint="`judge explain` lists all topics.")
    out.data(_for_people(pages[name]()))


def _for_people(page: str) -> str:
    """A docstring without what only its callers need: arguments, and examples in code."""
    paragraphs = re.split(r"\n\s*\n", page)
    kept = [p for p in paragraphs if not FOR_CALLERS.match(p)]
    # What only leads up to an example goes with it.
    return "\n\n".join(
        p for p in kept if not p.rstrip().endswith(":") or "\n  " in p or len(kept) < 2
    )


def _topics() -> str:
    chapters = ", ".join(_chapters())
    pages = ", ".join(_pages())
    return f"Topics:  {chapters}\nOf these: {pages}\n\n`judge explain nDCG` explains one."


def _chapters() -> dict[str, Callable[[], str]]:
    return {
        "rules": lambda: RULES,
        "grades": lambda: GRADES,
        "measures": _measures,
        "intervals": _intervals,
        "compare": _compare,
        "gate": _gate,
        "failures": _failures,
        "slices": lambda: SLICES,
        "engines": _engines,
        "formats": _formats,
        "generators": _generators,
        "orders": _orders,
        "labels": _labels,
    }


def _pages() -> dict[str, Callable[[], str]]:
    from judge.engines import ENGINES, manual
    from judge.exchange.exporting import TABLES
    from judge.formats.registry import FORMATS
    from judge.scoring.measures import MEASURES

    pages: dict[str, Callable[[], str]] = {}
    for name, measure in MEASURES.items():
        pages[name] = partial(_with_spelling, measure.manual, measure.spelling)
    for engine in ENGINES:
        pages[engine.kind] = partial(manual, engine.kind)
    for name, module in {**FORMATS, **TABLES}.items():
        pages[name] = partial(_docstring, module)
    for name, kind in _all_kinds().items():
        pages[name] = partial(_generator, kind)
    return pages


def _with_spelling(page: str, spelling: str) -> str:
    """The page of a measure, with how it is written below its first line."""
    title, _, rest = page.partition("\n\n")
    return "\n\n".join((title, spelling, rest))


def _docstring(module: object) -> str:
    return inspect.getdoc(module) or ""


def _measures() -> str:
    from judge.scoring.measures import DEFAULT_MEASURES, MEASURES

    rows = {name: definition.title for name, definition in MEASURES.items()}
    usual = " ".join(map(str, DEFAULT_MEASURES))
    return _listed("Measures, in ir_measures' notation:", rows, f"Taken by default: {usual}")


def _intervals() -> str:
    from judge.scoring.stats import bootstrap

    return inspect.getdoc(bootstrap) or ""


def _compare() -> str:
    from judge.scoring.compare import compare, leave_one_out

    return f"{inspect.getdoc(compare)}\n\n{inspect.getdoc(leave_one_out)}"


def _gate() -> str:
    from judge.scoring.gate import gate

    return inspect.getdoc(gate) or ""


def _failures() -> str:
    from judge.scoring.failures import MANUAL

    return MANUAL


def _engines() -> str:
    from judge.engines import manual

    return manual("engines")


def _formats() -> str:
    from judge.exchange.exporting import TABLES
    from judge.formats.registry import FORMATS

    rows = {name: module.TITLE for name, module in FORMATS.items()}
    rows |= {name: f"{module.TITLE}" for name, module in TABLES.items()}
    return _listed("Formats, as `--from` and `--to` take them:", rows)


def _generators() -> str:
    rows = {name: kind.summary for name, kind in _all_kinds().items()}
    after = "Those that begin with own-, and cloze-mix, are made from a corpus: --from."
    return _listed("Generators, as `judge generate` takes them:", rows, after)


def _all_kinds() -> dict[str, Kind]:
    from judge.synth.kinds import KINDS
    from judge.synth.own import own_kinds

    return {**KINDS, **{kind.name: kind for kind in own_kinds(())}}


def _generator(kind: Kind) -> str:
    """The manual of a generator, with its dials."""
    dials = {dial.name: f"{dial.help} (--dial; {dial.default:g})" for dial in kind.dials}
    parts = [f"{kind.name}: {kind.summary}.", kind.manual.strip()]
    return "\n\n".join([*parts, *([_listed("Dials:", dials)] if dials else [])])


def _orders() -> str:
    from judge.judging.pool import ORDERS

    return _listed("Orders of judging, as `judge pool --order` takes them:", ORDERS)


def _labels() -> str:
    from judge.judging.merge import RULES as MERGING

    after = "Or the name of one annotator. Every output says which rule made it."
    return _listed("How several annotators become one grade (`--labels`):", MERGING, after)


def _listed(title: str, rows: Mapping[str, str], after: str = "") -> str:
    width = max(map(len, rows))
    lines = [title, "", *(f"  {name:{width}}  {text}" for name, text in rows.items())]
    return "\n".join([*lines, "", after] if after else lines)
