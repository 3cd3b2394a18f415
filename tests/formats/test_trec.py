"""TREC's files: what is read, what broken ones are told, and that writing is the inverse."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.arrow import delimited
from judge.core.errors import FormatError, InputError
from judge.core.model import Hit, Judgment
from judge.core.tables import Qrels, Run
from judge.formats.trec import read_qrels, read_run, reading, slow, write_qrels, write_run
from tests.oracles.collections import CALM, ids

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RUN = "query_id Q0 doc_id rank score tag"
QRELS = "query_id 0 doc_id grade"


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    return tmp_path / "qrels.txt"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "bm25.trec"


def judged(path: Path) -> list[tuple[str, str, int]]:
    return [row[:3] for row in read_qrels(path).judgments()]


def told(path: Path, text: str | bytes) -> list[str]:
    """What is said of a broken file; the place of the file is left out."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    read: Callable[[Path], object] = read_run if path.suffix == ".trec" else read_qrels
    with pytest.raises(InputError) as caught:
        read(path)
    return [line.replace(f"{path.parent}/", "") for line in str(caught.value).splitlines()]


# What is read


@pytest.mark.parametrize(
    "text",
    [
        "q1 0 d1 3\nq1 0 d2 0\n",
        "q1 0 d1 3\r\nq1 0 d2 0\r\n",
        "q1 0 d1 3\rq1 0 d2 0\r",
        "\ufeffq1 0 d1 3\nq1 0 d2 0",
        "q1\t0\td1\t3\nq1\t0\td2\t0\n",
        "q1 0\td1   3\n  q1 0 d2 0  \n",
        "\n \nq1 0 d1 3\n\n\t\nq1 0 d2 0\n\n",
        "q1 0 d1 3.0\nq1 0 d2 0.0\n",
        "q1 0 d1 +3\nq1 0 d2 0 # a remark\n",
        "q1 d1 3\nq1 d2 0\n",
        "q1\td1\t3\nq1\td2\t0\n",
        "query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td2\t0\n",
        "query_id doc_id relevance\nq1 d1 3\nq1 d2 0\n",
    ],
    ids=lambda text: repr(text)[:24],
)
def test_qrels_of_many_shapes_are_the_same(qrels: Path, text: str) -> None:
    qrels.write_bytes(text.encode())
    assert judged(qrels) == [("q1", "d1", 3), ("q1", "d2", 0)]


def test_ids_are_data(qrels: Path) -> None:
    names = ["seg#1_2#77", "#x", "https://x.org/a?b=1#c", "n:d:7", "a/b.txt", "007", "7", "1e5"]
    names += ["1478720431326732291", "1478720431326732292", "NA", "null", '"q', "a\u00a0b", "日本"]
    qrels.write_text("".join(f"07 0 {name} 1\n7 0 {name} 2\n" for name in names), "utf-8")
    assert judged(qrels) == [("07", n, 1) for n in names] + [("7", n, 2) for n in names]


def test_three_columns_between_tabs_may_hold_blanks(qrels: Path) -> None:
    qrels.write_text("q 1\ta document\t2\nq 1\tanother\t0\n", "utf-8")
    assert judged(qrels) == [("q 1", "a document", 2), ("q 1", "another", 0)]


def test_extra_columns_of_qrels_are_told(qrels: Path) -> None:
    qrels.write_text("q 0 a 1 because\nq 0 b 1\n", "utf-8")
    assert read_qrels(qrels).notes == ("1 line has more than 4 columns; the rest is ignored",)


def test_identical_judgments_are_told(qrels: Path) -> None:
    qrels.write_text("q 0 a 1\nq 0 b 0\nq 0 a 1\n", "utf-8")
    assert judged(qrels) == [("q", "a", 1), ("q", "b", 0)]
    assert read_qrels(qrels).notes[0].startswith("1 judgment is given twice with the same grade")


def test_grades_below_0_are_refused_kept_or_mapped(qrels: Path) -> None:
    text = "q 0 a 3\nq 0 b -1\nq 0 c -2\n"
    assert told(qrels, text) == [
        "qrels.txt:2: grade: -1 is negative; map it, as with -1=0 or -1=unjudged"
        f" (expected: {QRELS})",
        "qrels.txt:3: grade: -2 is negative; map it, as with -2=0 or -2=unjudged"
        f" (expected: {QRELS})",
    ]
    assert read_qrels(qrels, negative="keep").grades("q") == {"a": 3, "b": -1, "c": -2}
    mapped = read_qrels(qrels, map_grade={-1: 0, -2: None, 9: 1})
    assert mapped.grades("q") == {"a": 3, "b": 0}
    assert mapped.notes == (
        "grade -1 was read as 0 in 1 judgment",
        "grade -2 was read as unjudged in 1 judgment",
    )
    qrels.write_text(text.replace(" ", "  "), "utf-8")
    assert read_qrels(qrels, map_grade={-1: 0, -2: None}).grades("q") == {"a": 3, "b": 0}


@pytest.mark.parametrize(
    "text",
    [
        "q1 Q0 b 1 -2.5e+1 t\nq1 Q0 a 2 -1e2 t\n",
        "q1 Q0 b 1 -25 t\r\nq1 Q0 a 2 -100. t\r\n",
        "q1\tQ0\tb\t1\t  -25\tt\nq1\tQ0\ta\t2\t-100\tmany words here\n",
        "q1 Q0 a 2 -100 my run tag\n\nq1 Q0 b 1 -25 my run tag",
        "q1 Q0 a - -100 t\nq1 Q0 b - -25 t\n",
    ],
    ids=lambda text: repr(text)[:32],
)
def test_runs_of_many_shapes_are_the_same(run: Path, text: str) -> None:
    run.write_bytes(text.encode())
    found = read_run(run)
    assert found.name == "bm25"
    assert found.hits("q1") == [Hit("b", -25.0), Hit("a", -100.0)]
    assert found.notes == ()


def test_scores_are_read_to_the_last_bit(run: Path) -> None:
    values = [0.1, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1 / 3, 123456789.123456]
    lines = [f"q Q0 d{i} 1 {value!r} t\n" for i, value in enumerate(values)]
    for text in ("".join(lines), "\n".join(lines)):
        run.write_text(text, "utf-8")
        assert sorted(hit.score for hit in read_run(run).hits("q")) == sorted(values)


def test_gzip_is_unpacked_whatever_its_name(run: Path, qrels: Path) -> None:
    run.write_bytes(gzip.compress(b"q Q0 a 1 1 t\n"))
    qrels.write_bytes(gzip.compress(b"q 0 a 1\n"))
    assert read_run(run).hits("q") == [Hit("a", 1.0)]
    assert judged(qrels) == [("q", "a", 1)]


def test_a_run_is_named_after_its_file_or_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "dense.v2.run.gz"
    path.write_bytes(gzip.compress(b"q Q0 a 1 1 t\n"))
    assert read_run(path).name == "dense.v2"
    assert read_run(path, "other").name == "other"


@pytest.mark.parametrize("blank", [" ", "  "], ids=["fast", "slow"])
def test_a_rank_that_contradicts_the_scores_is_told(run: Path, blank: str) -> None:
    lines = ["q Q0 a 1 1 t", "q Q0 b 2 2 t", "p Q0 a 1 9 t", "p Q0 b 2 8 t"]
    run.write_text("\n".join(lines).replace(" ", blank), "utf-8")
    found = read_run(run)
    assert [hit.doc_id for hit in found.hits("q")] == ["b", "a"]
    assert found.notes == (
        'the rank column contradicts the scores in 1 query (first: "q"); the scores decide',
    )


def test_ranks_of_equal_scores_contradict_nothing(run: Path) -> None:
    run.write_text("q Q0 a 1 1 t\nq Q0 b 2 1 t\nq Q0 c 0 0.5 t\np Q0 a 0 1 t\np Q0 b 0 0 t\n")
    assert read_run(run).notes == (
        'the rank column contradicts the scores in 1 query (first: "q"); the scores decide',
    )
    run.write_text("q Q0 a 7 1 t\nq Q0 b 2 1 t\nq Q0 c 7 0.5 t\np Q0 a 0 1 t\np Q0 b 0 0 t\n")
    assert read_run(run).notes == ()


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_three_columns_are_a_ranking(run: Path, blank: str) -> None:
    run.write_text("q a 1\nq b 2\np z 1\nq c 10\n".replace(" ", blank), "utf-8")
    found = read_run(run)
    assert [hit.doc_id for hit in found.hits("q")] == ["a", "b", "c"]
    assert found.notes == ("three columns were read as MS MARCO's: query id, document id, rank",)


# What broken files are told


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("q Q0 a 1 2.5 t\nq Q0 b 2 1.5\n", ":2: expected 6 columns, found 5"),
        ("q Q0 a 1 2.5 t\n\n \nq Q0 b\n", ":4: expected 6 columns, found 3"),
        ("q Q0 a 1 2.5 t\nq Q0 b 2 1.5 \n", ":2: expected 6 columns, found 5"),
        ("q Q0 a 1 2.5 t\nq Q0  2 1.5 t\n", ":2: expected 6 columns, found 5"),
        ("q Q0 a 1 abc t\n", ':1: score: "abc" is not a number'),
        ("q Q0 a 1 1_000 t\n", ':1: score: "1_000" is not a number'),
        ("q Q0 a 1 ١٢ t\n", ':1: score: "١٢" is not a number'),
        ("q Q0 a 1 0x1A t\n", ':1: score: "0x1A" is not a number'),
        ("q Q0 a 1 1,5 t\n", ':1: score: "1,5" is not a number'),
        ("q Q0 a 1 nan t\n", ':1: score: "nan" is not a number'),
        ("q Q0 a 1 -inf t\n", ':1: score: "-inf" is not a finite number'),
        ("q Q0 a 1 1 t\nq Q0 b 2 1e400 t\n", ':2: score: "1e400" is not a finite number'),
        (
            "q Q0 a 1 3 t\np Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n",
            ':4: doc_id: "a" is ranked twice for query "q"; first on line 1',
        ),
        ("", ": the file is empty"),
        ("\n \n", ": there are no rows"),
    ],
)
def test_broken_runs(run: Path, text: str, problem: str) -> None:
    expected = "each document once per query" if "twice" in problem else RUN
    assert told(run, text) == [f"bm25.trec{problem} (expected: {expected})"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("q 0 a 1\nq 0 b\n", ":2: expected 4 columns, found 3"),
        ("q 0 a 1\nq 0 b x\n", ':2: grade: "x" is not a whole number'),
        ("q 0 a 1\nq 0 b 1.5\n", ':2: grade: "1.5" is not a whole number'),
        ("q 0 a 0.7\n", ':1: grade: "0.7" is not a whole number'),
        ("q 0 a 0x1\n", ':1: grade: "0x1" is not a whole number'),
        ("q 0 a nan\n", ':1: grade: "nan" is not a whole number'),
        ("q 0 a 1e400\n", ':1: grade: "1e400" is not a whole number'),
        ("q 0 a 99999999999\n", ':1: grade: "99999999999" is not a whole number up to 2147483647'),
        (
            "q 0 a 1\nq 0 b 1\n\nq 0 a 2\n",
            ':4: grade: "a" has grade 2 for query "q", but 1 on line 1',
        ),
        ("", ": the file is empty"),
    ],
)
def test_broken_qrels(qrels: Path, text: str, problem: str) -> None:
    expected = "one grade for each pair" if "has grade" in problem else QRELS
    assert told(qrels, text) == [f"qrels.txt{problem} (expected: {expected})"]


def test_ranks_that_contradict_are_counted_in_any_order_of_rows(run: Path) -> None:
    rows = ["q Q0 a 3 0.8 t", *(f"q Q0 {d} {r} 5.0 t" for d, r in zip("bcde", "4567", strict=True))]
    rows += ["p Q0 a 1 2 t", "p Q0 b 2 1 t"]
    for order in (rows, rows[::-1], sorted(rows)):
        run.write_text("".join(f"{row}\n" for row in order))
        (note,) = read_run(run).notes
        assert note.startswith('the rank column contradicts the scores in 1 query (first: "q")')


def test_what_a_file_is_in_truth_is_told_first(qrels: Path, run: Path) -> None:
    swapped = told(run, "q1 0 d1 2\nq1 0 d2 0\n")
    assert swapped[0] == "bm25.trec: this looks like qrels, not a run"
    assert len(swapped) == 3
    assert told(qrels, "q1 Q0 d1 1 2.5 t\n") == [
        "qrels.txt: this looks like a run, not qrels (expected: query_id 0 doc_id grade)"
    ]
    comma = "this looks like a table with commas: columns end at blanks or tabs here"
    assert told(run, "q1,d1,0.5\nq1,d2,0.4\n")[0] == f"bm25.trec: {comma}"
    header = "query Q-zero doc rank score tag\nq1 Q0 d1 1 2.5 t\n"
    assert told(run, header)[0] == "bm25.trec: the first line looks like a header: take it away"


def test_broken_three_columns(qrels: Path, run: Path) -> None:
    three = "query_id doc_id grade"
    assert told(qrels, "q\ta\t1\nq\tb\tabc\nq\t\t1\nq\td\n") == [
        f'qrels.txt:2: grade: "abc" is not a whole number (expected: {three})',
        f"qrels.txt:3: a column is empty (expected: {three})",
        f"qrels.txt:4: expected 3 columns, found 2 (expected: {three})",
    ]
    # What does not name its columns with known names is no header.
    assert told(qrels, "q1\td1\tabc\nq1\td2\t1\n") == [
        f'qrels.txt:1: grade: "abc" is not a whole number (expected: {three})',
    ]
    ranks = "query_id doc_id rank (MS MARCO)"
    assert told(run, "q a 0.9\nq b 0.8\n") == [
        "bm25.trec: three columns with scores are no run: each line must be query_id Q0 doc_id rank"
        " score tag",
        f'bm25.trec:1: rank: "0.9" is not a whole number (expected: {ranks})',
        f'bm25.trec:2: rank: "0.8" is not a whole number (expected: {ranks})',
    ]
    why = 'of query "q" does not count from 1 on, each rank once'
    assert told(run, "q a 30\nq b 20\np a 1\n") == [
        f"bm25.trec:2: rank: rank 20 {why} (expected: {ranks})",
    ]
    assert told(run, "q a 1\nq b 1\n")[0].startswith(f"bm25.trec:2: rank: rank 1 {why}")


def test_all_problems_are_listed_in_the_order_of_lines(run: Path) -> None:
    text = "q Q0 a 1 x t\nq Q0 b 2 1 t\nq Q0\nq Q0 b 3 1 t\nq Q0 c 4 y t\n"
    lines = [problem.split(": ", 2)[0] for problem in told(run, text)]
    assert lines == [f"bm25.trec:{number}" for number in (1, 3, 4, 5)]


def test_many_problems_are_counted(run: Path, qrels: Path) -> None:
    assert told(run, "q Q0 a 1 x t\n" * 1234)[-1] == "bm25.trec: and 234 more problems"
    good = "".join(f"q{i} 0 d{i} 1\n" for i in range(1000))
    assert told(qrels, f"{good}q1000 0 d1000 x\n")[0].startswith("qrels.txt:1001: grade:")
    assert len(told(qrels, "q 0 a x\n" * 51)) == 51


def test_other_bytes_than_utf8_are_named(qrels: Path) -> None:
    assert told(qrels, b"q 0 a 1\nq 0 caf\xe9 1\n") == [
        "qrels.txt:2: byte 0xe9 is not UTF-8 (expected: UTF-8 text)"
    ]


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.trec: no such file"):
        read_run(tmp_path / "nothing.trec")
    with pytest.raises(InputError, match=r"[Ii]s a (folder|directory)"):
        read_qrels(tmp_path)
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(b"q Q0 a 1 1 t\n" * 99)[:-9])
    with pytest.raises(FormatError, match="damaged gzip data"):
        read_run(damaged)


# Both readers see the same, and writing is the inverse

names = ids.filter(lambda name: not name.startswith("\ufeff"))
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(rows=st.lists(st.tuples(names, names, numbers), unique_by=lambda row: row[:2], min_size=1))
@settings(CALM, max_examples=60)
def test_runs_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, float]]
) -> None:
    hits: dict[str, list[Hit]] = {}
    for query, doc, score in rows:
        hits.setdefault(query, []).append(Hit(doc, score))
    run = Run.from_hits("mine", hits)
    path = tmp_path_factory.mktemp("runs") / "mine.trec"
    write_run(run, path)
    back = read_run(path)
    assert back.name == "mine"
    assert list(back.rows()) == list(run.rows())
    assert back.notes == ()
    content = path.read_bytes()
    write_run(back, path)
    assert path.read_bytes() == content
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_fast", lambda *_: None)
        assert list(read_run(path).rows()) == list(run.rows())


@given(rows=st.dictionaries(st.tuples(names, names), st.integers(0, 9), min_size=1))
@settings(CALM, max_examples=60)
def test_qrels_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[tuple[str, str], int]
) -> None:
    qrels = Qrels.from_judgments(Judgment(*pair, grade) for pair, grade in rows.items())
    path = tmp_path_factory.mktemp("qrels") / "qrels.txt"
    write_qrels(qrels, path)
    assert list(read_qrels(path).judgments()) == list(qrels.judgments())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_fast", lambda *_: None)
        assert list(read_qrels(path).judgments()) == list(qrels.judgments())


blanks = st.sampled_from([" ", "  ", "\t", " \t "])
edges = st.sampled_from(["", " ", "\t "])
ends = st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\n \n"])


@st.composite
def odd_lines(draw: st.DrawFn, columns: list[st.SearchStrategy[str]]) -> str:
    """Lines of columns with every kind of white space between, around and after them."""
    text = ""
    for _ in range(draw(st.integers(1, 8))):
        words = [draw(column) for column in columns] + draw(st.lists(ids, max_size=2))
        inside = words[0] + "".join(draw(blanks) + word for word in words[1:])
        text += draw(edges) + inside + draw(edges) + draw(ends)
    return text.rstrip("\r\n") if draw(st.booleans()) else text


def outcome(read: Callable[[Path], Run | Qrels], path: Path) -> tuple[object, ...]:
    """What a reader gives, or says."""
    try:
        table = read(path)
    except InputError as error:
        return (str(error),)
    rows = table.rows() if isinstance(table, Run) else table.judgments()
    return (sorted(rows), table.notes)


few = st.sampled_from(["q", "p", "日"])
whole = st.sampled_from(["0", "1", "2.0", "+3", "1.5", "x", "-1"])
RUN_LINES = odd_lines([few, ids, ids, whole, st.one_of(whole, numbers.map(repr))])
QRELS_LINES = odd_lines([few, ids, ids, whole])


@given(text=st.one_of(RUN_LINES, QRELS_LINES), block=st.sampled_from([5, 40, 1 << 20]))
@settings(CALM, max_examples=150)
def test_all_readers_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, text: str, block: int
) -> None:
    path = tmp_path_factory.mktemp("odd") / "file"
    path.write_bytes(text.encode())
    for read in (read_run, read_qrels):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(delimited, "BLOCK", block)
            swift = outcome(read, path)
            patch.setattr(reading, "_fast", lambda *_: None)
            assert outcome(read, path) == swift
            patch.setattr(slow, "read_tidied", lambda *_: None)
            assert outcome(read, path) == swift


def test_odd_files_without_faults_need_no_loop(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write_bytes(b" q\tQ0  a 1 2 my tag\r\n\r\nq Q0 b\t2 1 x")
    monkeypatch.delattr(slow, "_good")
    assert read_run(run).hits("q") == [Hit("a", 2.0), Hit("b", 1.0)]


def test_what_is_written(run: Path, qrels: Path) -> None:
    write_run(Run.from_hits("r", {"q": [Hit("a", 1.0), Hit("b", 1.0), Hit("c", 2e-7)]}), run, "t")
    assert run.read_text() == "q Q0 b 1 1.0 t\nq Q0 a 2 1.0 t\nq Q0 c 3 2e-07 t\n"
    write_qrels([Judgment("q", "b", 2, hard_negative=True), Judgment("p", "a", 0)], qrels)
    assert qrels.read_text() == "q 0 b 2\np 0 a 0\n"


@pytest.mark.parametrize("name", ["a b", "a\tb", "a\nb", "a\rb", "", "\ufeffa"])
def test_ids_that_cannot_be_written_are_named(run: Path, qrels: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        write_qrels([Judgment("q", name, 1), Judgment(name, "fine", 1)], qrels)
    assert [problem.field for problem in caught.value.problems] == ["query_id", "doc_id"]
    with pytest.raises(InputError, match="has white space or is empty"):
        write_run(Run.from_hits("r", {"q": [Hit(name, 1.0)]}), run)
    with pytest.raises(InputError, match="tag: "):
        write_run(Run.from_hits(name, {"q": [Hit("a", 1.0)]}), run)
    assert not run.exists()
    assert not qrels.exists()


# Files met in use


def test_tabs_decide_where_every_line_has_them(qrels: Path, run: Path) -> None:
    qrels.write_text("q 1\t0\td 1\t1\nq 1\t0\td  2\t0\n")
    run.write_text("q 1\tQ0\td 1\t1\t2.5\ta tag\nq 1\tQ0\td  2\t2\t1.5\ta tag\n")
    assert judged(qrels) == [("q 1", "d 1", 1), ("q 1", "d  2", 0)]
    assert read_run(run).hits("q 1") == [Hit("d 1", 2.5), Hit("d  2", 1.5)]


def test_blanks_beside_tabs_belong_to_nothing(qrels: Path, run: Path) -> None:
    qrels.write_text("q1 \t0\t d1\t1 \n")
    run.write_text("q1\tQ0 \t d1\t1\t 2.5\tx y\n")
    assert judged(qrels) == [("q1", "d1", 1)]
    assert read_run(run).hits("q1") == [Hit("d1", 2.5)]


def test_tabs_and_blanks_in_turn_are_all_the_same(qrels: Path) -> None:
    qrels.write_text("q1\t0\td1\t1\nq1 0 d2 0\nq1 0\td3  2\n")
    assert judged(qrels) == [("q1", "d1", 1), ("q1", "d2", 0), ("q1", "d3", 2)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", " \n"])
@pytest.mark.parametrize("block", [1, 7, 8 << 20])
def test_files_put_together_keep_no_byte_order_mark(
    qrels: Path, run: Path, end: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited, "BLOCK", block)
    mark = "\ufeff"
    qrels.write_bytes(f"{mark}q1 0 d1 1{end}{mark}q1 0 d2 0{end}".encode())
    run.write_bytes(f"{mark}q1 Q0 d1 1 2 t{end}{mark}q2 Q0 d{mark} 1 2 t{end}".encode())
    assert judged(qrels) == [("q1", "d1", 1), ("q1", "d2", 0)]
    assert read_run(run).query_ids == ["q1", "q2"]
    assert read_run(run).hits("q2") == [Hit(f"d{mark}", 2.0)]


@pytest.mark.parametrize("grade", ["0.9999999999999999999", "1.00000000000000000001", "1e-400"])
def test_what_only_rounding_makes_whole_is_no_grade(qrels: Path, grade: str) -> None:
    said = f'qrels.txt:2: grade: "{grade}" is not a whole number (expected: {QRELS})'
    assert told(qrels, f"q1 0  d1 1\nq1 0 d2 {grade}\n") == [said]
