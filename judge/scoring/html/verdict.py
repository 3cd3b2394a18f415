"""How the page opens: the answer in a few words, and what to know before it is trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.scoring.html.markup import Html, count, element, foreign, joined, number
from judge.scoring.html.measures import interval, judged, main_measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.scoring.html.data import JSON, PageData

MAX_NOTICES = 3
"""Notices that are not folded away."""


def verdict(data: PageData) -> Html:
    """What the comparison says of its first measure, or else the main measure of every system."""
    report = data.report
    return element(
        "section",
        element("h2", "Verdict"),
        _compared(data.comparison) or _systems(report),
        element("p", *_basis(report), class_="note"),
        notices("Probably wrong", report.get("warnings", ()), "notices warnings"),
        notices("To know", report.get("notices", ())),
        id="verdict",
    )


def _compared(comparison: JSON | None) -> Html | None:
    """A sentence for each system that was compared; None if nothing was."""
    runs = comparison["runs"] if comparison else ()
    entries: list[JSON] = [next(iter(run["measures"].values()), {}) for run in runs]
    told = [entry["says"] for entry in entries if entry.get("says")]
    return joined(foreign(says, "p", class_="lead") for says in told) if told else None


def _systems(report: JSON) -> Html:
    measure = main_measure(report)
    if measure is None:
        return element("p", "There is no measure of how well the systems do.", class_="lead")
    lines = []
    for run in report["runs"]:
        entry = run.get("measures", {}).get(measure, {})
        told = [element("b", number(entry.get("mean"))), interval(entry), judged(entry)]
        spaced = (part for one in told if one is not None for part in (" ", one))
        lines.append(element("li", foreign(run["run"]), f": {measure}", *spaced))
    return element("ul", *lines, class_="lead")


def _basis(report: JSON) -> list[str]:
    """On how much the answer stands."""
    qrels = report.get("qrels", {})
    parts: list[list[str]] = [[foreign(str(report["dataset"]))]] if report.get("dataset") else []
    parts += [
        [f"{count(qrels[name])} {name if qrels[name] != 1 else one}"]
        for name, one in (("queries", "query"), ("judgments", "judgment"))
        if name in qrels
    ]
    systems = len(report["runs"])
    parts.append([f"{count(systems)} {'system' if systems == 1 else 'systems'}"])
    way = element("a", "how this was measured", href="#method")
    return [*(text for part in parts for text in (*part, " · ")), way]


def notices(title: str, told: Sequence[str], class_: str = "notices") -> Html | None:
    """What to know of some numbers, the first of it open to the eye; None if there is nothing."""
    if not told:
        return None
    # What holds for every run is said by each; once is enough.
    lines = [foreign(line, "li") for line in dict.fromkeys(told)]
    first, rest = lines[:MAX_NOTICES], lines[MAX_NOTICES:]
    more = element("summary", f"{len(rest):,} more")
    folded = element("details", more, element("ul", *rest)) if rest else None
    return element("aside", element("h3", title), element("ul", *first), folded, class_=class_)
