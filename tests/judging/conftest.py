"""Builders that the tests of this room share: events with sensible defaults, and stores of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from judge.core.model import Event

START = datetime(2025, 3, 1, 9, 0, tzinfo=UTC)
SESSION = "20250301T090000Z-00000001"


@pytest.fixture
def event() -> Callable[..., Event]:
    """Makes an event; each next one of a test comes a second after the one before."""
    numbers = itertools.count()

    def make(op: Any = "grade", **given: Any) -> Event:
        number = next(numbers)
        session = given.get("session", SESSION)
        values: dict[str, Any] = {
            "event_id": f"e{number}",
            "session": session,
            "seq": number,
            "at": START + timedelta(seconds=number),
            "annotator": "ann",
            "source": "human",
            "query_id": "q1",
            "doc_id": "d1",
        }
        if op == "grade":
            values["grade"] = 1
        return Event(op=op, **(values | given))

    return make
