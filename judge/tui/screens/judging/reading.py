"""What may be read in the place of the document: guidelines, pace, and that nothing is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.pacing import INDENT, duration
from judge.tui.phrases import count, finished
from judge.tui.sheets import grade_entries, guideline_entries
from judge.tui.widgets.pane import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.core.model import Query, Scale
    from judge.judging.session import Pace, Progress, QueryRow, Streak


def guidelines(query: Query | None, scale: Scale, markdown: str) -> list[Entry]:
    """Give the query, the grades and the guidelines."""
    entries: list[Entry] = []
    if query is not None:
        entries = [Entry("Query", "strong"), Entry(query.text), Entry(query.description), Entry()]
    entries += [Entry("Grades", "strong"), *grade_entries(scale), Entry()]
    return entries + (
        guideline_entries(markdown) or [Entry("This dataset has no guidelines.", "dim")]
    )


def pace_sheet(pace: Pace, progress: Progress, streak: Streak | None) -> list[Entry]:
    """Give how fast it goes, how much is done and how much is left."""
    waiting = progress.total - progress.done
    facts = [
        ("this query", f"{progress.query_done:,} of {progress.query_total:,} judged"),
        ("in all", f"{progress.done:,} of {count(progress.total, 'candidate')} judged"),
        ("queries", f"{progress.queries_done:,} of {progress.queries_total:,} finished"),
        ("today", f"{progress.today:,} judged"),
    ]
    if streak is not None and streak.length > 1:
        facts.append(("in a row", f"the last {streak.length:,} grades were {streak.grade}"))
    if progress.propagated:
        facts.append(("near-copies", f"{progress.propagated:,} of them took a grade over"))
    if pace.median is None:
        facts.append(("pace", "known after the first judgment"))
    else:
        each = f"{pace.median:.1f} s a judgment (median; pauses over 2 minutes do not count)"
        facts.append(("pace", each))
        if pace.median > 0:
            facts.append(("per hour", f"{3600 / pace.median:,.0f} judgments"))
    if pace.left is not None and waiting:
        facts.append(("left", f"{duration(pace.left)} for {count(waiting, 'candidate')}"))
    head = [Entry("Pace", "strong"), Entry()]
    return head + [Entry(text, lead=f" {lead}", indent=INDENT) for lead, text in facts]


def nothing_left(key_of: Callable[[str], str]) -> list[Entry]:
    """Say that this query is done, and where to go."""
    return [
        Entry("Nothing is left to judge here.", "strong"),
        Entry("goes to the next query with work left", lead=key_of("next_unfinished"), indent=7),
        Entry("goes back to the list of queries", lead=key_of("back"), indent=7),
    ]


def all_judged(
    rows: Sequence[QueryRow], progress: Progress, dataset: str, key_of: Callable[[str], str]
) -> list[Entry]:
    """Say that everything is judged, and what to do with it."""
    first, *rest = finished(rows, progress, dataset)
    moves = ("next", "previous", "previous_query", "next_query")
    back, on, before, left, right = map(key_of, ("back", *moves))
    look = f"{back} closes this; then {on} {before} and {left} {right} look back at what was judged"
    return [
        Entry(first, "good"),
        Entry(),
        *(Entry(line) for line in rest),
        Entry(),
        Entry(look, "dim"),
    ]
