"""What workers tell the application: the only way in which their threads touch the screens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.judging.session import Session
    from judge.tui.widgets.datasets import DatasetRow


class Opened(Message):
    """A session was opened; `told` is what its annotator should know first."""

    def __init__(self, session: Session, told: Sequence[str]) -> None:
        super().__init__()
        self.session, self.told = session, told


class Refused(Message):
    """A dataset could not be opened."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class Prepared(Message):
    """Some documents more are in the index."""

    def __init__(self, done: int, total: int) -> None:
        super().__init__()
        self.done, self.total = done, total


class Counted(Message):
    """The numbers of a dataset are there."""

    def __init__(self, row: DatasetRow) -> None:
        super().__init__()
        self.row = row


class SaveEnded(Message):
    """The writer has something for the session to settle."""
