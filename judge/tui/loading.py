"""How a session is opened: the only place of the screens that loads the heavy rooms below.

Imported by a worker after the first frame, because numpy, pyarrow and pydantic take longer to load
than all screens together.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from judge.dataset.store import Dataset
from judge.judging.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from judge.core.workspace import Workspace


def open_session(
    workspace: Workspace,
    name: str,
    annotator: str,
    *,
    clock: Callable[[], datetime] | None,
    progress: Callable[[int, int], None],
) -> Session:
    """Open a dataset for an annotator.

    Args:
        workspace: Where it lies.
        name: The dataset.
        annotator: Who judges.
        clock: Gives the time of events, with the annotator's zone; None: the time of the machine.
        progress: Called with (documents done, documents in all) while they are indexed.

    Raises:
        JudgeError: It cannot be judged; the text says what to do.
    """
    dataset = Dataset.open(workspace, name)
    dataset.index(progress).close()
    if clock is None:
        session = Session.open(dataset, annotator)
    else:
        session = Session.open(dataset, annotator, clock=clock)
    # What is there now stays to the end: not looking through it again spares pauses of 50 ms.
    gc.collect()
    gc.freeze()
    return session


def told_of(session: Session) -> list[str]:
    """Give what an annotator should know before judging: new documents, damage, changed files."""
    news = session.news
    return [*((news,) if news else ()), *session.warnings, *session.dataset.warnings()]
