"""How a run that another system made answers queries again is known only here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from judge.core.errors import NotFound
from judge.core.files import legible
from judge.core.tables import Run
from judge.formats.trec import read_run
from judge.formats.trec.reading import run_name

if TYPE_CHECKING:
    from judge.core.model import Hit, Query
    from judge.dataset.store import Dataset
    from judge.engines.seam import Progress, Setting

PARQUET = b"PAR1"


class Recorded:
    """What another system answered, as it stands in a run: any engine works without an adapter.

    `run:NAME` is a run kept with the dataset, `run:FILE` a file: a TREC run (query id, Q0, document
    id, rank, score, tag; gzip too) or a Parquet run (query_id, doc_id, score), told apart by their
    first bytes. A kept run of that name goes first; write `run:./NAME` for a file of the same name.

    Queries are looked up by id; their text plays no part, and a query that the run does not have
    gets nothing. Order is by score, ties by document id; the rank column is not read. The run is
    replayed as it is: scores may be zero or negative, and a document of another namespace, or one
    that the dataset does not have, stays, so that it scores as the same file does with `--run`.
    """

    def __init__(self, run: Run, source: str) -> None:
        self.run, self._source = run, legible(source)

    @classmethod
    def open(cls, argument: str, dataset: Dataset, progress: Progress | None = None) -> Recorded:
        """Find the run by name, or read it from the file.

        Raises:
            NotFound: There is neither a kept run nor a file of that name.
            InputError: The file cannot be read as a run; every problem in it is told.
        """
        if argument in dataset.run_names():
            return cls(dataset.run(argument), argument)
        path = Path(argument)
        if not path.exists():
            hint = "`run:` takes a file, or the name of a run kept with the dataset."
            raise NotFound("run", argument, dataset.run_names(), hint=hint)
        return cls(load_run(path), argument)

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.run.name

    def search(self, query: Query, k: int) -> list[Hit]:
        """The first k rows that the run has for the query's id."""
        return self.run.hits(query.id, k) if k > 0 else []

    def describe(self) -> dict[str, Setting]:
        """The settings that decide its answers."""
        return {"engine": "run", "run": self.name, "source": self._source, "rows": len(self.run)}


def load_run(path: Path) -> Run:
    """A run file: Parquet or TREC, told apart by its first bytes.

    Raises:
        InputError: It cannot be read as a run; every problem in it is told.
    """
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(PARQUET)) == PARQUET:
                return Run.read(path, legible(path.stem))
    return read_run(path, legible(run_name(path)))
