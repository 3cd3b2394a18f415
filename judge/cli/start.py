"""How the program begins: ctrl-C while it is still loading ends it without a word."""

from __future__ import annotations

import os
import signal

EXIT_INTERRUPTED = 130


def run() -> None:
    """The console script."""
    # Nothing has been begun yet that would have to be ended well.
    signal.signal(signal.SIGINT, lambda *_: os._exit(EXIT_INTERRUPTED))
    from judge.cli.main import run as start

    signal.signal(signal.SIGINT, signal.default_int_handler)
    start()
