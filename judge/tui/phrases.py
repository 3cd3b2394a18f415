"""What the screens say in words: states, progress, what was just done, what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.tui.widgets.ink import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.core.model import Scale
    from judge.judging.labels import PairState
    from judge.judging.session import Progress, QueryRow, SaveState


def count(number: int, noun: str, plural: str = "") -> str:
    """Say a number of things.

    >>> count(1, "query", "queries"), count(1200, "document")
    ('1 query', '1,200 documents')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def mark(state: PairState) -> Span:
    """Give the four cells that stand for a state in a list: flag, grade, hard negative, note."""
    signs = {
        "graded": (str(state.grade), "strong"),
        "skipped": ("s", "warn"),
        "cannot_judge": ("c", "warn"),
        "unjudged": ("-", "dim"),
    }
    sign, role = signs[state.kind]
    flag, note = "f" if state.flagged else " ", "i" if state.note else " "
    hard = "x" if state.hard_negative else " "
    return Span(f"{flag}{sign}{hard}{note}", role)


def grade_label(scale: Scale, grade: int) -> str:
    """Say what a grade means; where the scale has no words, only which end is which."""
    if grade in scale.labels:
        return scale.labels[grade]
    return {scale.min: "lowest", scale.max: "highest"}.get(grade, "")


def graded(scale: Scale, grade: int) -> str:
    """Say that a grade was given."""
    label = scale.labels.get(grade)
    return f"graded {grade}: {label}" if label else f"graded {grade}"


def judged_as(state: PairState) -> list[Span]:
    """Say what the judgment of a card is, with its flag and note."""
    spans = [_verdict(state)]
    if state.hard_negative:
        spans.append(Span("  hard negative", "accent"))
    if state.flagged:
        spans.append(Span("  flagged", "warn"))
    if state.note:
        spans += [Span("  note: ", "dim"), Span(state.note)]
    return spans


def _verdict(state: PairState) -> Span:
    if state.kind == "graded":
        return Span(f"graded {state.grade}", "strong")
    if state.kind == "skipped":
        return Span("skipped: still without a judgment", "warn")
    if state.kind == "cannot_judge":
        return Span(f"cannot judge: {state.cannot_judge}", "warn")
    return Span("not judged yet", "dim")


def saved(state: SaveState) -> Span:
    """Say truthfully whether everything is on disk."""
    if state.kind == "saved":
        return Span("saved", "good")
    if state.kind == "saving":
        return Span("saving…", "warn")
    return Span("NOT SAVED", "bad")


def finished(rows: Sequence[QueryRow], progress: Progress, dataset: str) -> list[str]:
    """Say that all is judged, what it came to, and what to do with it."""
    graded = sum(row.graded for row in rows)
    hard = sum(row.hard_negatives for row in rows)
    flagged = sum(row.flagged for row in rows)
    skipped = sum(row.skipped for row in rows)
    cannot = sum(row.cannot_judge for row in rows)
    lines = [
        f"All {count(progress.total, 'candidate')} of {count(len(rows), 'query', 'queries')}"
        " judged. Well done!",
        f"{graded:,} graded, {count(hard, 'hard negative')}, {cannot:,} cannot judge,"
        f" {flagged:,} flagged, {skipped:,} skipped",
        f"Next: judge score {dataset}",
    ]
    return lines
