"""How runs and qrels become TREC's text, so that reading it gives the same again."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING

from judge.core.errors import InputError, Problem, listed, quoted
from judge.core.files import write_atomic
from judge.core.tables import Qrels, Run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from judge.core.model import Judgment

_UNWRITABLE = re.compile(r"[ \t\n\v\f\r]|^$|^\ufeff")
"""What an id cannot hold in text whose columns end at blanks; a reader would drop the last one."""


def write_run(run: Run, path: Path, tag: str | None = None) -> None:
    """Write a run in TREC's six columns, ranked from 1 in its settled order, whole or not at all.

    Scores are written with as many digits as it takes to read the same number again.

    Args:
        run: The run.
        path: Where it shall stand; a file already there is replaced.
        tag: The last column; None writes the run's name.

    Raises:
        InputError: An id or the tag is empty or holds white space; all such ids are named.
        OSError: The disk refused.
    """
    tag = run.name if tag is None else tag
    if _UNWRITABLE.search(tag):
        raise InputError(Problem(f"{quoted(tag)} has white space or is empty", field="tag"))
    _refuse_unwritable(run.query_ids, run.pairs.docs, path)

    def fill(file: IO[bytes]) -> None:
        for query_id in run.query_ids:
            lines = [
                f"{query_id} Q0 {doc_id} {rank} {score!r} {tag}\n"
                for rank, (doc_id, score) in enumerate(run.hits(query_id), 1)
            ]
            file.write("".join(lines).encode("utf-8"))

    write_atomic(path, fill)


def write_qrels(judgments: Qrels | Iterable[Judgment], path: Path) -> None:
    """Write judgments in TREC's four columns, in the order given, whole or not at all.

    Args:
        judgments: What to write; hard-negative marks and notes have no place in this format.
        path: Where it shall stand; a file already there is replaced.

    Raises:
        InputError: An id is empty or holds white space; all such ids are named.
        OSError: The disk refused.
    """
    rows = list(judgments.judgments() if isinstance(judgments, Qrels) else judgments)
    _refuse_unwritable((row.query_id for row in rows), (row.doc_id for row in rows), path)
    text = "".join(f"{row.query_id} 0 {row.doc_id} {row.grade}\n" for row in rows)
    write_atomic(path, text.encode("utf-8"))


def _refuse_unwritable(query_ids: Iterable[str], doc_ids: Iterable[str], path: Path) -> None:
    wrong = {
        (field, name): None
        for field, ids in (("query_id", query_ids), ("doc_id", doc_ids))
        for name in ids
        if _UNWRITABLE.search(name)
    }
    problems = [
        Problem(f"{quoted(name)} has white space or is empty", path, field=field, expected=EXPECTED)
        for field, name in wrong
    ]
    if problems:
        raise InputError(*listed(problems, len(problems), path))


EXPECTED = "ids without blanks; another format can carry these"
