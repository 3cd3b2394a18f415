"""How it is noticed that the terminal has gone, or that the system wants the program to end."""

from __future__ import annotations

import asyncio
import contextlib
import select
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIGNALS = (signal.SIGTERM, signal.SIGHUP)
GONE = select.POLLHUP | select.POLLERR | select.POLLNVAL
EVERY = 1.0
"""Seconds between two looks at the terminal."""


def terminal_gone() -> bool:
    """Whether nobody can type any more, as when the window was closed.

    A hangup signal does not always come (a program that leads its own session may get none), and
    a reader of keys would spin on the end of file for ever.
    """
    if sys.__stdin__ is None:
        return True
    look = select.poll()
    # These conditions are told without being asked for.
    look.register(sys.__stdin__.fileno(), 0)
    return any(condition & GONE for _file, condition in look.poll(0))


@contextlib.contextmanager
def on_signals(leave: Callable[[], object]) -> Iterator[None]:
    """Call a function when the system wants the program to end, instead of dying at once."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, leave)
    try:
        yield
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
