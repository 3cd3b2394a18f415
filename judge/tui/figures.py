"""How scores read on a screen: the lines of each panel, made for a width of 40 cells and more.

Every number is one of a view, only rounded; what is missing is `n/a`, never 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.core.text import shown
from judge.tui.phrases import count
from judge.tui.text.cells import cells, fit
from judge.tui.widgets.charts import bar
from judge.tui.widgets.heat import heat_page
from judge.tui.widgets.ink import Span
from judge.tui.widgets.pane import Entry, entry_lines
from judge.tui.widgets.panel import Halves, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from judge.bench.views import Bad, Compared, Figure, Measured, Part, Placed, Snapshot, View

MISSING = "n/a"
LOOKED_AT = 300
"""Code points of a name or text that are looked at."""
INTERVAL = 13
SHORTEST_BAR = 10
"""Cells of a bar before a label in front of it is cut."""
ROOMY = 76
"""Cells of a line from which on there is room for what is only good to know."""
VERDICTS = {"better": "good", "worse": "bad", "cannot-separate": "warn"}
WAITING = Page([[Span("measuring…", "dim")]])


def number(value: float | None) -> str:
    """Give a mean, rounded.

    >>> number(0.46921), number(None)
    ('0.469', '  n/a')
    """
    return f"{MISSING:>5}" if value is None else f"{value:.3f}"


def share(value: float | None) -> str:
    """Give a share in percent, rounded down: 100 % is all of it.

    >>> share(0.8541), share(0.9999), share(1.0), share(None)
    (' 85%', ' 99%', '100%', ' n/a')
    """
    return f"{MISSING:>4}" if value is None else f"{int(100 * value + 1e-9):>3}%"


def interval(figure: Figure) -> str:
    """Give the bounds of an interval; blanks if there is none."""
    if figure.low is None or figure.high is None:
        return " " * INTERVAL
    return f"[{figure.low:.3f} {figure.high:.3f}]"


def padded(text: str, width: int) -> str:
    """Give text from data in exactly so many cells."""
    safe = fit(shown(text[:LOOKED_AT]), width)
    return safe + " " * (width - cells(safe))


def longest(texts: Iterable[str], most: int) -> int:
    """Give the cells of the longest text, at most `most`."""
    return min(most, max((cells(shown(text[:LOOKED_AT])) for text in texts), default=1))


def paragraph(text: str, width: int, role: str = "text") -> list[list[Span]]:
    """Give a text in lines."""
    return entry_lines(Entry(text, role), width)


class _Columns:
    """Where label, system, mean, interval, share and bar stand in a line."""

    def __init__(self, width: int, labels: Iterable[str], names: Iterable[str]) -> None:
        self.name = longest([*names, "system"], max(8, width // 6))
        rest = width - self.name - INTERVAL - 17
        self.label = longest(labels, max(9, width // 5, rest - SHORTEST_BAR))
        self.bar = max(0, rest - self.label)

    def heading(self, label: str, level: str) -> list[Span]:
        text = f"{padded(label, self.label)}   {padded('system', self.name)}  mean "
        return [Span(f"{text}{level:<{INTERVAL}} judged", "dim")]

    def line(self, label: str, mark: str, name: str, figure: Figure, role: str) -> list[Span]:
        return [
            Span(f"{padded(label, self.label)} ", role),
            Span(f"{mark or ' '} ", "accent"),
            Span(f"{padded(name, self.name)} ", "strong" if mark else "text"),
            Span(f"{number(figure.mean)} ", "strong" if mark else "text"),
            Span(f"{interval(figure)} {share(figure.judged)} ", "dim"),
            *bar(figure.mean, self.bar, low=figure.low, high=figure.high, role=_hue(mark)),
        ]


def _hue(mark: str) -> str:
    """The hue of a bar: `a` stands out, so that the bars are no wall of one colour."""
    return "accent" if mark == "a" else "dim"


def systems_page(view: View, width: int) -> Page:
    """Give every measure with all systems below each other."""
    found = view.snapshot
    columns = _Columns(width, found.measures, found.names)
    lines: list[list[Span]] = []
    for measure in found.measures:
        role = "accent" if measure == view.choice.measure else "strong"
        label = measure
        for system in found.systems:
            mark = _mark(view, system.name)
            figure = system.figures[measure]
            lines.append(columns.line(label, mark, system.name, figure, role))
            label = ""
    return Page(lines, [columns.heading("measure", _level(found))])


def first_line_of(view: View) -> int:
    """Give the line of the systems' panel at which the chosen measure starts."""
    found = view.snapshot
    return found.measures.index(view.choice.measure) * len(found.systems)


def _mark(view: View, name: str) -> str:
    return {view.choice.first: "a", view.choice.second: "b"}.get(name, "")


def _level(found: Snapshot) -> str:
    confidence = found.interval.get("confidence")
    return "" if confidence is None else f"{100 * confidence:g} % interval"[:INTERVAL]


def pairs_page(view: View, width: int) -> Page:
    """Give the heat map of language pairs."""
    if view.pairs is None or view.grid is None:
        return WAITING
    if not view.pairs.parts:
        return Page(paragraph(view.pairs.notice, width, "dim"))
    found = view.grid
    values = {pair: cell.value for pair, cell in found.cells.items()}
    page = heat_page(found.rows, found.columns, values, width)
    heading = "query down, answers across; - no such pair"
    return page._replace(heading=[[Span(heading, "dim")]])


def cut_page(view: View, width: int) -> Page:
    """Give the parts by the chosen property, with the two chosen systems."""
    if view.cut is None:
        return WAITING
    if not view.cut.parts:
        return Page(paragraph(view.cut.notice, width, "dim"))
    systems = [s for s in view.snapshot.systems if _mark(view, s.name)]
    labels = [_part_label(part) for part in view.cut.parts]
    columns = _Columns(width, [*labels, view.cut.by], [s.name for s in systems])
    lines = []
    for part, label in zip(view.cut.parts, labels, strict=True):
        for place, system in enumerate(view.snapshot.systems):
            if mark := _mark(view, system.name):
                figure = part.figures[place][view.choice.measure]
                lines.append(columns.line(label, mark, system.name, figure, "text"))
                label = ""
    return Page(lines, [columns.heading(view.cut.by, _level(view.snapshot))])


def _part_label(part: Part) -> str:
    return f"{part.queries:>4,}  {part.value}"


def worst_page(view: View, width: int) -> Page:
    """Give the worst queries of the first system."""
    if view.worst is None:
        return WAITING
    listed = view.worst.listed
    if not listed:
        told = f"Of {count(view.worst.queries, 'query', 'queries')} none has less than half of"
        return Page(paragraph(f"{told} what its judgments allow.", width, "good"))
    ids = longest(["query", *(bad.query_id for bad in listed)], max(6, width // 6))
    languages = longest((bad.language for bad in listed), 8)
    heading = f"value judged {padded('query', ids)} {padded('', languages)} likely reason"
    return Page([_bad(bad, ids, languages) for bad in listed], [[Span(heading, "dim")]])


def _bad(bad: Bad, ids: int, languages: int) -> list[Span]:
    reason = bad.says[0] if bad.says else "nothing to see that explains it"
    more = f" (+{len(bad.says) - 1})" if len(bad.says) > 1 else ""
    return [
        Span(f"{number(bad.value)} ", "strong"),
        Span(f" {share(bad.judged)}  ", "dim"),
        Span(f"{padded(bad.query_id, ids)} {padded(bad.language, languages)} ", "dim"),
        Span(f"{reason[:LOOKED_AT]}{more}"),
    ]


def tops_page(view: View, width: int) -> Page:
    """Give the first documents of the two systems beside each other."""
    tops = view.tops
    if tops is None:
        return WAITING
    query = [Span(f"{padded(tops.query_id, longest([tops.query_id], 14))}  ", "dim")]
    query.append(Span(tops.text[:LOOKED_AT], "strong"))
    names = Halves(_named("a", view.choice.first), _named("b", view.choice.second))
    lines = []
    for i in range(max(len(tops.left), len(tops.right))):
        left = _placed(tops.left[i], "gone", "↓↑", width) if i < len(tops.left) else []
        right = _placed(tops.right[i], "new", "↑↓", width) if i < len(tops.right) else []
        lines.append(Halves(left, right))
    signs = "- unjudged, x hard negative" if width >= ROOMY else "- unjudged"
    legend = [Span(f"rank, grade ({signs}), place in the other", "dim")]
    return Page(lines or [[Span("neither has found anything", "dim")]], [query, names, legend])


def _named(mark: str, name: str) -> list[Span]:
    return [Span(f"{mark} ", "accent"), Span(name, "strong")] if name else []


def _placed(found: Placed, lost: str, arrows: str, width: int) -> list[Span]:
    sign = "-" if found.grade is None else str(found.grade)
    hard = "x" if found.hard_negative else " "
    title = found.title.strip() or found.doc_id
    return [
        Span(f"{found.rank:>2} ", "dim"),
        Span(f"{sign}{hard} ", "warn" if found.grade is None else "strong"),
        Span(f"{_moved(found, lost, arrows):<5}", "dim"),
        Span(title[: max(40, width)]),
    ]


def _moved(found: Placed, lost: str, arrows: str) -> str:
    """Where a document stands in the other ranking, seen from its place in this one."""
    if found.other is None:
        return lost
    by = found.other - found.rank
    return "=" if not by else f"{arrows[by < 0]}{abs(by)}"


def compared_page(view: View, width: int) -> Page:
    """Give what the queries can tell of the two systems."""
    if not view.choice.second:
        return Page(paragraph("There is only one system, so nothing to compare.", width, "dim"))
    found = view.comparison
    if found is None:
        return WAITING
    label = longest((row.measure for row in found.measures), max(9, width // 5))
    roomy = width >= ROOMY
    bounds = f"{'interval':<{INTERVAL + 2}} " if roomy else ""
    heading = f"{padded('measure', label)}     a     b    b-a {bounds}     p won tied lost"
    lines = [_difference(row, label, roomy=roomy) for row in found.measures]
    for row in found.measures:
        lines += [[], *paragraph(row.says, width)]
    for notice in found.notices:
        lines += [[], *paragraph(notice, width, "warn")]
    return Page(lines, [[Span(heading, "dim")]])


def _difference(row: Compared, label: int, *, roomy: bool) -> list[Span]:
    gain = f"{MISSING:>6}" if row.difference is None else f"{row.difference:+.3f}"
    bounds = ""
    if roomy:
        known = row.low is not None and row.high is not None
        bounds = f"[{row.low:+.3f} {row.high:+.3f}] " if known else " " * (INTERVAL + 3)
    p = f"{MISSING:>6}" if row.p is None else f"{row.p:>6.2g}"
    return [
        Span(f"{padded(row.measure, label)} ", "strong"),
        Span(f"{number(row.baseline)} {number(row.other)} "),
        Span(f"{gain} ", "strong"),
        Span(f"{bounds}{p} {row.won:>3} {row.tied:>4} {row.lost:>4}", "dim"),
    ]


def verdict(view: View) -> Span | None:
    """Say in a few words whether the two systems differ on the chosen measure."""
    for row in view.comparison.measures if view.comparison else ():
        if row.measure == view.choice.measure:
            said = {
                "cannot-separate": "cannot separate a and b",
                "better": "b is better than a",
                "worse": "b is worse than a",
            }
            return Span(f"{said[row.verdict]} on {row.measure}", VERDICTS[row.verdict])
    return None


def notes_page(found: Snapshot, width: int) -> Page:
    """Give what the numbers rest on, and what must be known of them."""
    entries = [Entry(warning, "bad") for warning in found.warnings]
    entries += [Entry(notice, "warn") for notice in found.notices]
    entries += [Entry()] if entries else []
    facts = {
        "settings": found.settings_hash,
        **{name: _said(value) for name, value in found.settings.items()},
        "annotators": ", ".join(found.annotators),
        "unfinished": f"{count(found.unfinished, 'query', 'queries')} left out",
        "interval": ", ".join(f"{name} {value}" for name, value in found.interval.items()),
    }
    lead = min(18, width // 3)
    entries += [Entry(value, lead=name, indent=lead) for name, value in facts.items()]
    return Page([line for entry in entries for line in entry_lines(entry, width)])


def _said(value: object) -> str:
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def trouble_page(text: str, hints: Sequence[str], width: int) -> Page:
    """Give why there are no scores, and what to do."""
    lines = paragraph(text, width, "warn")
    for hint in hints:
        lines += [[], *paragraph(hint, width)]
    return Page(lines)


def systems_told(systems: Sequence[Measured], view: View) -> list[Span]:
    """Give the title of the systems: how many there are, and which two are chosen."""
    spans = [Span(count(len(systems), "system"), "strong")]
    for mark, name in (("a", view.choice.first), ("b", view.choice.second)):
        spans += [Span(f"  {mark} ", "accent"), Span(name)] if name else []
    return spans
