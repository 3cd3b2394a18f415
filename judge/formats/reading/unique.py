"""Whether an id stands twice, and whether the second time says the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from judge.core.errors import quoted
from judge.core.model import Document, Query
from judge.formats.reading.intake import Where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from judge.formats.reading.intake import Intake

Item = TypeVar("Item", Document, Query)


class Unique(Generic[Item]):
    """Watches the ids of one kind of record; keeps ids and lines, never the records.

    Args:
        intake: Gets faults and notes.
        source: The file, or the place in it, where the records stand.
        one: What one record is called.
        many: What several are called.

    Attributes:
        repeats: Places of records that repeat an earlier one exactly and are to be left out.
    """

    def __init__(self, intake: Intake, source: Where, one: str, many: str) -> None:
        self._intake, self._source, self._one, self._many = intake, source, one, many
        self._lines: dict[str, int | Where] = {}
        self._again: dict[str, list[Where]] = {}
        self.repeats: set[Where] = set()

    @property
    def ids(self) -> set[str]:
        """All ids so far."""
        return set(self._lines)

    def add(self, item: Item, where: Where) -> None:
        """Watch one record."""
        # A line number is a tenth of a whole place, and there may be millions.
        place = where.line if where.line is not None else where
        first = self._lines.setdefault(item.id, place)
        if first != place:
            self._again.setdefault(item.id, []).append(where)

    def settle(self, records: Callable[[], Iterator[tuple[Item, Where]]]) -> None:
        """Compare the records that share an id; needs another pass only if there are any.

        Args:
            records: Begins another pass over the same records.
        """
        if not self._again:
            if not self._lines and not self._intake.faults:
                self._intake.invalid(self._source, f"there are no {self._many}")
            return
        firsts: dict[str, tuple[Item, Where]] = {}
        for item, where in records():
            if item.id not in self._again:
                continue
            first = firsts.setdefault(item.id, (item, where))
            if first[1] == where:
                continue
            if first[0] == item:
                self.repeats.add(where)
                self._intake.note(
                    f"{self._many} that stand twice and say the same, kept once", where
                )
            else:
                message = (
                    f"{quoted(item.id)} stands at {_place(first[1])} already, with another content"
                )
                self._intake.invalid(where, f"{self._one} id {message}", "one record for each id")


def _place(where: Where) -> str:
    return f"line {where.line}" if where.line is not None else str(where.field)
