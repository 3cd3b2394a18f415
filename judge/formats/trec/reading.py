"""Which reader takes a TREC file, and what a run or qrels is told about its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from judge.core.arrow import Categories, Strings, read_delimited
from judge.core.errors import InputError, Problem, listed, quoted
from judge.core.files import open_bytes, regular
from judge.core.tables import Qrels, Run
from judge.core.tables.grouping import blocks
from judge.core.tables.problems import Origin
from judge.formats.trec.layouts import GRADED, QRELS, RANKED, RUN
from judge.formats.trec.slow import Slow, read_slowly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from judge.core.arrow import Columns
    from judge.core.arrow.parquet import Kind

RUN_COLUMNS: tuple[tuple[str, Kind] | None, ...] = (
    ("query", "category"),
    None,
    ("doc", "string"),
    ("rank", "int32"),
    ("score", "float64"),
    None,
)
# Grades are read as floats, so that 2.0 is taken for 2 and 1.5 is seen and not cut.
QRELS_COLUMNS: tuple[tuple[str, Kind] | None, ...] = (
    ("query", "category"),
    None,
    ("doc", "string"),
    ("grade", "float64"),
)
Negative = Literal["refuse", "keep"]
"""What is done with grades below 0 that no mapping names."""


def read_run(path: Path, name: str | None = None) -> Run:
    """Read a run in TREC's six columns, or in MS MARCO's three (query id, document id, rank).

    Order comes from the scores; where the rank column says otherwise the run has a note. Gzip is
    unpacked. Blanks and tabs end a column; all after the fifth one is the tag, which is not kept.

    Args:
        path: The file.
        name: What the system is called; None takes the file's name without its ending.

    Raises:
        InputError: Every problem with its line: a line with too few columns, a score that is no
            finite number, a document twice in one ranking, no rows at all.
        FormatError: The file is not UTF-8, or damaged gzip.
    """
    name = name or run_name(path)
    fast = _fast(regular(path), RUN_COLUMNS)
    if fast is not None:
        columns = fast.categories["query"], fast.strings["doc"], fast.numbers["score"]
        try:
            run = Run(name, *columns, origin=Origin(path, every=True))
        except InputError:
            return _slow_run(path, name)  # which finds the same fault, and its line
        return _with_rank_note(run, fast.numbers["rank"])
    return _slow_run(path, name)


def read_qrels(
    path: Path,
    *,
    negative: Negative = "refuse",
    map_grade: Mapping[int, int | None] | None = None,
) -> Qrels:
    """Read qrels in TREC's four columns, or in three (query id, document id, grade).

    Three columns may have a header; if they are separated by tabs, ids may hold blanks.

    Args:
        path: The file.
        negative: `refuse` grades below 0, or `keep` them; scoring takes those as unjudged.
        map_grade: New grades for some grades, None for "unjudged"; applied first.

    Raises:
        InputError: Every problem with its line: a line with too few columns, a grade that is no
            whole number or is refused, two different grades for a pair, no rows at all.
        FormatError: The file is not UTF-8, or damaged gzip.
    """
    mapping = map_grade or {}
    fast = _fast(regular(path), QRELS_COLUMNS)
    qrels = None if fast is None else _fast_qrels(path, fast, negative, mapping)
    return _slow_qrels(path, negative, mapping) if qrels is None else qrels


def run_name(path: Path) -> str:
    """What a run is called after its file: its name without endings such as `.trec.gz`.

    >>> from pathlib import Path
    >>> run_name(Path("runs/bm25.k1=0.9.trec.gz"))
    'bm25.k1=0.9'
    """
    name = path.name
    for ending in (".gz", ".trec", ".txt", ".run", ".res", ".tsv"):
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return name


def _fast(path: Path, columns: Sequence[tuple[str, Kind] | None]) -> Columns | None:
    with open_bytes(path) as file:
        try:
            head = file.read(1 << 16)
            line = head.split(b"\n", 1)[0]
            delimiter = b"\t" if b"\t" in line else b" "
            if line.count(delimiter) != len(columns) - 1:
                return None
            file.seek(0)
        except (OSError, EOFError):
            return None
        return read_delimited(file, delimiter, columns)


def _fast_qrels(
    path: Path, fast: Columns, negative: Negative, mapping: Mapping[int, int | None]
) -> Qrels | None:
    """Qrels of regular columns; None if there is a fault, for the slow reader to explain."""
    numbers = fast.numbers["grade"]
    if not QRELS.takes(numbers).all():
        return None
    mapped = _mapped(numbers.astype(np.int32), mapping)
    if negative == "refuse" and (mapped.grades[mapped.keep] < 0).any():
        return None
    queries, docs = fast.categories["query"], fast.strings["doc"]
    try:
        return _qrels(queries, docs, mapped, Origin(path, every=True))
    except InputError:
        return None


def _slow_run(path: Path, name: str) -> Run:
    slow = read_slowly(path, RUN, RANKED)
    rows = slow.rows
    if slow.layout.rank is not None and rows.ranks is not None:
        run = slow.build(
            lambda: Run(name, rows.queries, rows.docs, rows.numbers, origin=slow.origin)
        )
        return _with_rank_note(run, rows.ranks)
    return slow.build(lambda: _ranked_run(slow, name))


def _ranked_run(slow: Slow, name: str) -> Run:
    """A run of a file that has ranks and no scores: the score is the negative rank."""
    rows, origin = slow.rows, slow.origin
    order = np.lexsort((rows.numbers, rows.queries.codes))
    ranks, codes = rows.numbers[order], rows.queries.codes[order]
    new = np.ones(len(codes), bool)
    new[1:] = codes[1:] != codes[:-1]
    # From 1 on and each once: what else could as well be scores, where higher is better.
    repeated = np.zeros(len(codes), bool)
    repeated[1:] = ranks[1:] == ranks[:-1]
    wrong = order[np.where(new, ranks != 1, repeated)]

    def problems() -> Iterator[Problem]:
        for row in np.sort(wrong).tolist():
            rank = f"rank {rows.numbers[row]:.0f}"
            query = quoted(rows.queries.values[rows.queries.codes[row]])
            text = f"{rank} of query {query} does not count from 1 on, each rank once"
            yield origin.problem(row, "rank", text, slow.layout.expected)

    if len(wrong):
        raise InputError(*listed(problems(), len(wrong), origin.path))
    note = "three columns were read as MS MARCO's: query id, document id, rank"
    return Run(name, rows.queries, rows.docs, -rows.numbers, notes=[note], origin=origin)


def _with_rank_note(run: Run, ranks: NDArray[np.int32] | NDArray[np.float64]) -> Run:
    """The run, with a note if the rank column contradicts the scores in some query."""
    wrong = []
    for block in blocks(run.starts):
        places = np.arange(block.start, block.stop)
        here = ranks[run.pairs.source(places)]
        sizes = np.diff(run.starts[block.first : block.last + 1])
        query = np.repeat(np.arange(len(sizes)), sizes)
        if ((here[1:] >= here[:-1]) | (query[1:] != query[:-1])).all():
            continue  # as nearly always: ranks rise all the way down
        apart = query * (2.0 * np.abs(here).max(initial=1) + 1)  # no rank reaches the next query's
        worst = np.maximum.accumulate(here + apart)
        scores = run.scores[places]
        new = np.ones(len(places), bool)
        new[1:] = (scores[1:] < scores[:-1]) | (query[1:] != query[:-1])
        # The place before the tie that a place is in: all up to there have higher scores.
        above = np.maximum.accumulate(np.where(new, np.arange(len(places)), 0)) - 1
        bad = (above >= 0) & (query[above] == query) & (here + apart < worst[above])
        wrong += [run.query_ids[block.first + i] for i in np.unique(query[bad]).tolist()]
    if not wrong:
        return run
    many = "query" if len(wrong) == 1 else "queries"
    return run.noted(
        f"the rank column contradicts the scores in {len(wrong):,} {many}"
        f" (first: {quoted(min(wrong))}); the scores decide"
    )


class _Mapped(NamedTuple):
    """Grades after mapping, which rows are kept, and what was done."""

    grades: NDArray[np.int32]
    keep: NDArray[np.bool_]
    notes: list[str]


def _mapped(grades: NDArray[np.int32], mapping: Mapping[int, int | None]) -> _Mapped:
    new, keep, notes = grades.copy(), np.ones(len(grades), bool), []
    for old, wanted in mapping.items():
        rows = grades == old
        count = int(rows.sum())
        if wanted is None:
            keep &= ~rows
        else:
            new[rows] = wanted
        if count:
            what = "unjudged" if wanted is None else str(wanted)
            many = "judgment" if count == 1 else "judgments"
            notes.append(f"grade {old} was read as {what} in {count:,} {many}")
    return _Mapped(new, keep, notes)


def _qrels(
    queries: Categories,
    docs: Strings,
    mapped: _Mapped,
    origin: Origin | None = None,
    notes: Sequence[str] = (),
) -> Qrels:
    keep = np.flatnonzero(mapped.keep)
    notes = [*notes, *mapped.notes]
    if len(keep) == len(docs):
        return Qrels(queries, docs, mapped.grades, notes=notes, origin=origin)
    kept = Categories(queries.values, queries.codes[keep])
    if origin:
        lines = keep + 1 if origin.every else None
        if origin.lines is not None:
            lines = origin.lines[keep]
        origin = Origin(origin.path, lines)
    return Qrels(kept, docs.gather(keep), mapped.grades[keep], notes=notes, origin=origin)


def _slow_qrels(path: Path, negative: Negative, mapping: Mapping[int, int | None]) -> Qrels:
    slow = read_slowly(path, QRELS, GRADED)
    rows = slow.rows
    mapped = _mapped(rows.numbers.astype(np.int32), mapping)
    if negative == "refuse":
        for row in np.flatnonzero(mapped.keep & (mapped.grades < 0)).tolist():
            grade = int(mapped.grades[row])
            text = f"{grade} is negative; map it, as with {grade}=0 or {grade}=unjudged"
            slow.faults.add(int(rows.lines[row]), text, "grade")
    notes = []
    if slow.wide:
        lines = "line has" if slow.wide == 1 else "lines have"
        width = slow.layout.width
        notes.append(f"{slow.wide:,} {lines} more than {width} columns; the rest is ignored")
    return slow.build(lambda: _qrels(rows.queries, rows.docs, mapped, slow.origin, notes))
