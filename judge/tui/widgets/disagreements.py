"""What is said of the agreement of annotators: the list, the figures, the grades that met."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.bench.agreement import NOT_TWO
from judge.core.text import shown
from judge.scoring.stats import Undefined
from judge.tui.phrases import count, grade_label
from judge.tui.text.cells import cells, fit
from judge.tui.widgets.bar import Line
from judge.tui.widgets.ink import Span
from judge.tui.widgets.pane import Entry
from judge.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.bench.agreement import Agreement, Couple, Disagreement, Figure, Figures, Said
    from judge.core.model import Scale
    from judge.judging.adjudication import FinalGrade
    from judge.tui.docket import Docket

LONGEST_ID, LONGEST_TITLE = 10, 300
LEAST, FAR = 3, 2
"""Cells of a number in the table at least; a distance on the scale from which it stands out."""
FIGURES = (
    ("raw", "same grade", "how often two people gave the same grade"),
    ("alpha", "Krippendorff's alpha", "ordinal; 1 is perfect, 0 what chance gives"),
    ("kappa", "Cohen's kappa", "two people, every difference counts alike"),
    ("linear", "kappa, linear", "a difference counts by its size"),
    ("quadratic", "kappa, quadratic", "a difference counts by its square"),
    ("fleiss", "Fleiss' kappa", "any number of people"),
    ("ac2", "Gwet's AC2", "ordinal; steady where one grade is rare"),
    ("hard_negatives", "hard negatives", "marks that another one set too"),
)
"""Each figure by its field, what it is called, and what it tells."""


def figure(value: Figure, digits: int = 2) -> str:
    """Say a figure.

    >>> figure(0.7134), figure(Undefined("no item was graded by two annotators"))
    ('0.71', 'n/a')
    """
    return "n/a" if isinstance(value, Undefined) else f"{value:.{digits}f}"


def bounds(agreement: Agreement) -> str:
    """Say where alpha may lie; empty where that is not known."""
    interval = agreement.interval
    return "" if isinstance(interval, Undefined) else f"{interval.low:.2f} to {interval.high:.2f}"


class Disagreements(Rows):
    """The list: what each annotator gave, the final grade, query and title."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._docket: Docket | None = None
        self._raters = 2
        self._id_width = LONGEST_ID

    @property
    def count(self) -> int:
        """How many disagreements there are."""
        return len(self._docket.disagreements) if self._docket else 0

    def show_docket(self, docket: Docket) -> None:
        """List the disagreements of a docket from now on, and go to the one on the table."""
        if docket is not self._docket:
            self._docket = docket
            found = docket.disagreements
            self._raters = max((len(d.said) for d in found), default=2)
            longest = max((len(d.query_id) for d in found), default=2)
            self._id_width = max(2, min(LONGEST_ID, longest))
            self.refresh()
        self.move_to(docket.cursor)

    def heading(self) -> str:
        """Give the heading of the list."""
        letters = "".join(f"{letter(place)}  " for place in range(self._raters))
        return f"  {letters}final {'query':<{self._id_width}} document"

    def spans(self, index: int, width: int) -> Sequence[Span]:
        """Give grades, final grade, query and title."""
        if self._docket is None:
            return ()
        found, final = self._docket.disagreements[index], self._docket.final(index)
        grades = "".join(
            f"{sign(one)}{'x' if one.hard_negative else ' '} " for one in found.blind()
        )
        settled = f"{final.grade}{'x' if final.hard_negative else ' '}" if final else "- "
        query = fit(shown(found.query_id[:200]), self._id_width)
        title = self._docket.titles.get(found.doc_id, "").strip() or found.doc_id
        return [
            Span(f"{grades:<{3 * self._raters}}", "text" if final else "strong"),
            Span(f"{settled:<6}", "good" if final else "dim"),
            Span(query + " " * (self._id_width + 1 - cells(query)), "dim"),
            Span(title[:LONGEST_TITLE], "strong" if index == self.cursor else "text"),
        ]


def sign(one: Said) -> str:
    """Give what stands for a verdict in the list: the grade, or `c` for `cannot judge`."""
    return "c" if one.grade is None else str(one.grade)


def how_apart(found: Disagreement) -> str:
    """Say in what a disagreement lies."""
    if found.size:
        return f"{found.size} apart"
    if found.marks_differ:
        return "same grade, marks differ"
    return f"{found.unable} of {len(found.said)} cannot judge it"


def letter(place: int) -> str:
    """What an annotator is called whose name is not told.

    >>> letter(0), letter(26)
    ('A', '27')
    """
    return chr(ord("A") + place) if place < 26 else str(place + 1)


# -- the figures


def figure_lines(agreement: Agreement, rows: int, width: int) -> list[Line]:
    """Give the figures in so many rows: one each where there is room, else the most telling."""
    found = agreement.figures
    pairs = f" {count(found.pairs, 'pair')} double-judged"
    told = figures_to_tell(agreement)
    if rows > len(told):
        return [Line((Span(pairs, "strong"),)), *(_figure_line(agreement, *f) for f in told)]
    alpha = f" alpha {figure(found.alpha)}"
    if (within := bounds(agreement)) and len(alpha) + len(within) + 4 < width:
        alpha += f"  ({within})"
    raw = f" same grade {figure(found.raw)}"
    if len(agreement.annotators) == 2:
        raw += f"  kappa {figure(found.kappa)}"
    else:
        raw += f"  Fleiss {figure(found.fleiss)}"
    lines = [pairs, alpha, raw, f" hard negatives {figure(found.hard_negatives)}"]
    return [Line((Span(text, "text" if i else "strong"),)) for i, text in enumerate(lines[:rows])]


def figures_to_tell(agreement: Agreement) -> list[tuple[str, str, str]]:
    """Give those of `FIGURES` that can be told of all annotators together."""
    return [f for f in FIGURES if getattr(agreement.figures, f[0]) != NOT_TWO]


def _figure_line(agreement: Agreement, name: str, title: str, _tells: str) -> Line:
    value = getattr(agreement.figures, name)
    within = f"  {bounds(agreement)}" if name == "alpha" else ""
    number = Span(f"{figure(value):>5}", "dim" if isinstance(value, Undefined) else "strong")
    return Line((Span(f" {title:<21}"), number, Span(within, "dim")))


def table_lines(couple: Couple, grades: Sequence[int]) -> list[Line]:
    """Give how often each grade of one annotator met each of the other.

    Equal grades stand on the diagonal, in bold; those far apart have a sign.
    """
    width = cell_width(couple)
    lines = [Line((Span("    " + "".join(f"{g:>{width}}" for g in grades), "dim"),))]
    for at, row in enumerate(couple.confusion):
        spans = [Span(f"  {grades[at]} ", "dim")]
        for place, met in enumerate(row):
            is_far = met > 0 and abs(place - at) >= FAR
            role = "strong" if place == at else "warn" if is_far else "text"
            told = f"!{met}" if is_far else str(met)  # seen without colours too
            spans.append(Span(f"{told:>{width}}", role if met else "dim"))
        lines.append(Line(tuple(spans)))
    return lines


def cell_width(couple: Couple) -> int:
    """Count the cells of a number of the table, with a blank before it."""
    return 1 + max(LEAST, *(len(str(met)) for row in couple.confusion for met in row))


def table_width(couple: Couple) -> int:
    """Count the cells that the table takes."""
    return 4 + len(couple.confusion) * cell_width(couple)


def couple_title(couple: Couple, width: int) -> str:
    """Name two annotators with the side of the table on which each stands."""
    room = max(3, (width - 12) // 2)
    return f"{fit(couple.first, room)} ↓  {fit(couple.second, room)} →"


# -- what is read in the place of the document


def figure_entries(agreement: Agreement) -> list[Entry]:
    """Give all figures with what they tell, for all annotators and for each two."""
    entries = [Entry(f"All annotators: {', '.join(agreement.annotators)}", "strong")]
    entries += _figures(agreement.figures, "judged by two or more", bounds(agreement))
    for couple in agreement.couples:
        entries += [Entry(), Entry(f"{couple.first} and {couple.second}", "strong")]
        if len(agreement.couples) > 1:
            entries += _figures(couple.figures, "judged by both")
        entries.append(Entry(f"rows {couple.first}, columns {couple.second}", "dim"))
        entries += [
            Entry("".join(span.text for span in line.left))
            for line in table_lines(couple, agreement.grades)
        ]
    if agreement.left_out:
        off = count(agreement.left_out, "grade")
        entries += [Entry(), Entry(f"{off} beyond the scale left out", "warn")]
    return entries


def _figures(figures: Figures, by_whom: str, within: str = "") -> list[Entry]:
    entries = [Entry(f"{figures.pairs:,} {by_whom}", lead="pairs", indent=22)]
    for name, title, tells in FIGURES:
        value = getattr(figures, name)
        reason = value.reason if isinstance(value, Undefined) else tells
        more = f" ({within})" if within and name == "alpha" else ""
        entries.append(Entry(f"{figure(value, 3)}{more}  {reason}", lead=title, indent=22))
    return entries


def nobody_entries(agreement: Agreement, dataset: str) -> list[Entry]:
    """Say what to do where no two people graded the same pair."""
    entries = [Entry("No pair was graded by two people yet.", "strong"), Entry()]
    for name, graded in agreement.graded.items():
        entries.append(Entry(f"{count(graded, 'pair')} graded", lead=f" {name}", indent=18))
    if agreement.graded:
        entries.append(Entry())
    entries += [
        Entry("Agreement needs a second opinion. Let somebody else judge the same documents:"),
        Entry(f"judge annotate {dataset} --as NAME", "accent"),
        Entry(),
        Entry("Everybody gets the same documents in the same order, and sees nobody's grades."),
        Entry(
            "Grades that came with the dataset, or from a machine, are not compared here.", "dim"
        ),
    ]
    return entries


def agreed_entries(agreement: Agreement) -> list[Entry]:
    """Say that there is nothing to settle."""
    pairs = count(agreement.figures.pairs, "pair")
    first = Entry(f"No disagreement in {pairs} judged by two or more.", "good")
    return [first, Entry(), *figure_entries(agreement)]


def verdict_entries(
    said: Sequence[Said], final: FinalGrade | None, note: str, scale: Scale, *, named: bool
) -> list[Entry]:
    """Give what each annotator said of the pair, and what is final.

    Args:
        said: In the order to show.
        final: What is final; None while nothing is.
        note: The adjudicator's own note.
        scale: The grades.
        named: Whether names are told; letters stand for them otherwise.
    """
    names = [one.annotator if named else letter(at) for at, one in enumerate(said)]
    indent = 2 + min(16, max(5, *map(len, names)))
    entries = [
        Entry(_words(one, scale), "strong", name, indent)
        for name, one in zip(names, said, strict=True)
    ]
    if final is None:
        more = f"   note: {note}" if note else ""
        return [*entries, Entry(f"-  not settled yet{more}", "dim", "final", indent)]
    who = f"   by {final.adjudicator}"
    return [*entries, Entry(_words(final, scale) + who, "good", "final", indent)]


def _words(one: Said | FinalGrade, scale: Scale) -> str:
    note = f"   note: {one.note}" if one.note else ""
    if one.grade is None:
        return f"c  cannot judge: {one.reason}{note}"
    mark = "   x hard negative" if one.hard_negative else ""
    return f"{one.grade}  {grade_label(scale, one.grade)}{mark}{note}"
