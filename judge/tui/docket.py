"""Which disagreement is on the table, what is settled already, and where to go from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from judge.bench.agreement import agreement_of
from judge.core.errors import JudgeError, NotFound
from judge.judging.adjudication import Adjudication
from judge.judging.labels import STATE_COLUMNS, read_labels
from judge.judging.session import local_now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from judge.bench.agreement import Agreement, Couple, Disagreement
    from judge.core.model import Document, Query
    from judge.dataset.store import Dataset
    from judge.judging.adjudication import FinalGrade

SEED: Final = 0
"""Draws the queries for the interval of alpha, so that it is the same each time."""


class Docket:
    """The disagreements of a dataset, one of which is on the table.

    Args:
        agreement: How far the annotators agree.
        adjudication: Where final grades go.
        titles: Title or opening words of each document concerned; those that are gone are absent.
        warnings: What was wrong with the label store.
    """

    def __init__(
        self,
        agreement: Agreement,
        adjudication: Adjudication,
        titles: Mapping[str, str],
        warnings: tuple[str, ...] = (),
    ) -> None:
        self.agreement, self.adjudication = agreement, adjudication
        self.titles, self.warnings = titles, warnings
        self.disagreements = agreement.disagreements
        self._places = {(d.query_id, d.doc_id): i for i, d in enumerate(self.disagreements)}
        self._finals = [adjudication.final(d.query_id, d.doc_id) for d in self.disagreements]
        self.cursor = 0
        self.revealed = False
        self._couple = 0
        if self.disagreements and self._finals[0] is not None:
            self.seek_open(1)

    @classmethod
    def load(
        cls, dataset: Dataset, adjudicator: str, clock: Callable[[], datetime] | None
    ) -> Docket:
        """Read all labels and compare them; takes its time.

        Args:
            dataset: What was judged.
            adjudicator: Who settles.
            clock: Gives the time of events; None: that of the machine.

        Raises:
            JudgeError: The store or the documents cannot be read.
        """
        folder = dataset.workspace.label_folder(dataset.name)
        labels = read_labels(folder, dataset.name, columns=STATE_COLUMNS)
        scale = dataset.manifest.scale
        agreement = agreement_of(labels, scale, rng=np.random.default_rng(SEED))
        concerned = sorted({found.doc_id for found in agreement.disagreements})
        index = dataset.index()  # one of this thread
        try:
            titles = index.opening_words(concerned)
        finally:
            index.close()
        adjudication = Adjudication.open(dataset, adjudicator, labels, clock=clock or local_now)
        return cls(agreement, adjudication, titles, labels.warnings)

    # -- what is on the table

    @property
    def current(self) -> Disagreement | None:
        """The disagreement that is being settled; None where there is none at all."""
        return self.disagreements[self.cursor] if self.disagreements else None

    @property
    def names_known(self) -> bool:
        """Whether the names may be told: they were asked for, or the grade is final."""
        return self.revealed or (bool(self._finals) and self._finals[self.cursor] is not None)

    @property
    def couple(self) -> Couple | None:
        """The two annotators whose grades are laid side by side."""
        couples = self.agreement.couples
        return couples[self._couple] if couples else None

    @property
    def left(self) -> int:
        """How many disagreements have no final grade yet."""
        return self._finals.count(None)

    def final(self, index: int) -> FinalGrade | None:
        """The final grade of a disagreement."""
        return self._finals[index]

    def texts(self) -> tuple[Query | None, Document | None]:
        """Query and document on the table; None for what the dataset has no more."""
        if (current := self.current) is None:
            return None, None
        dataset = self.adjudication.dataset
        query: Query | None = None
        document: Document | None = None
        try:
            query = dataset.query(current.query_id)
            document = dataset.document(current.doc_id)
        except NotFound:
            pass
        return query, document

    # -- moving about

    def step(self, step: int) -> bool:
        """Go to the next disagreement, or the one before; says whether there is one."""
        return self.go(self.cursor + step)

    def go(self, index: int) -> bool:
        """Go to a disagreement; says whether there is one."""
        if not 0 <= index < len(self.disagreements):
            return False
        self.cursor = index
        return True

    def seek_open(self, step: int) -> bool:
        """Go to the nearest other one without a final grade, going round; says if there is one."""
        count = len(self.disagreements)
        for away in range(1, count):
            index = (self.cursor + step * away) % count
            if self._finals[index] is None:
                self.cursor = index
                return True
        return False

    def next_couple(self, step: int) -> bool:
        """Lay other two annotators side by side; says whether there are others."""
        count = len(self.agreement.couples)
        self._couple = (self._couple + step) % max(1, count)
        return count > 1

    def changed(self, pair: tuple[str, str] | None) -> bool:
        """Take note that the final grade of a pair is another now; says if it is listed."""
        index = self._places.get(pair) if pair is not None else None
        if index is None or pair is None:
            return False
        self._finals[index] = self.adjudication.final(*pair)
        return True

    def go_to(self, pair: tuple[str, str]) -> bool:
        """Go to a pair; says whether it is listed."""
        return self.go(self._places.get(pair, -1))


def loaded(
    dataset: Dataset, adjudicator: str, clock: Callable[[], datetime] | None
) -> Docket | str:
    """Load, or say in words why that is not possible."""
    try:
        return Docket.load(dataset, adjudicator, clock)
    except (JudgeError, OSError) as error:
        return str(error) or type(error).__name__
