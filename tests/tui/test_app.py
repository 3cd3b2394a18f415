"""What the first frame waits for: nothing heavy."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "pyarrow", "pydantic", "rapidfuzz", "sqlite3", "tantivy")


def test_the_screens_load_nothing_heavy_before_the_first_frame() -> None:
    check = f"import sys, judge.tui.app; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
