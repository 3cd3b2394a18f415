"""Nothing acknowledged is lost: writers killed at random moments, and the order of system calls."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

RIG = Path(__file__).with_name("crash_rig.py")
ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def kills(count: int, folder: Path, seed: int) -> dict[str, int]:
    figures: dict[str, int] = json.loads(
        run(sys.executable, RIG, str(count), folder / "labels" / "demo", str(seed))
    )
    return figures


def assert_nothing_lost(figures: dict[str, int], count: int) -> None:
    assert figures["kills"] == count
    assert figures["acknowledged"] > count
    faults = {name: figures[name] for name in ("lost", "doubled", "torn", "halved")}
    assert faults == {"lost": 0, "doubled": 0, "torn": 0, "halved": 0}, figures
    assert figures["batches"] > count // 2  # batches are whole, as above, or absent
    assert 0 <= figures["unacknowledged"] <= count  # at most the action in flight, for each kill


def test_ten_kills_lose_nothing(tmp_path: Path) -> None:
    assert_nothing_lost(kills(10, tmp_path, seed=1), 10)


@pytest.mark.slow
def test_a_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    assert_nothing_lost(kills(100, tmp_path, seed=2), 100)


class Call(NamedTuple):
    """One system call of the trace: its name, and everything else of its line."""

    name: str
    rest: str


CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)$")


def system_calls(folder: Path) -> list[Call]:
    log = folder / "trace"
    run(
        *("strace", "-f", "-y", "-s", "200", "-o", log),
        *("-e", "trace=write,fsync,fdatasync,rename,renameat,renameat2"),
        *(sys.executable, RIG, "trace", folder / "labels" / "demo"),
    )
    lines = (CALL.match(line) for line in log.read_text().splitlines())
    return [Call(match[1], match[2]) for match in lines if match]


def step(call: Call, folder: Path) -> str | None:
    """Which step of a durable save a system call is; -y shows the path behind each descriptor."""
    temporary = f"{folder}/."
    if call.name == "write" and "acknowledged " in call.rest:
        return "acknowledge"
    if call.name == "write" and f"<{temporary}" in call.rest:
        return "write"
    if call.name in ("fsync", "fdatasync"):
        if f"<{temporary}" in call.rest:
            return "sync file"
        return "sync folder" if f"<{folder}>" in call.rest else None
    if call.name.startswith("rename") and str(folder) in call.rest:
        return "rename"
    return None


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_file_and_folder_are_synced_before_the_acknowledgement(tmp_path: Path) -> None:
    folder = tmp_path / "labels" / "demo" / "ann"
    calls = system_calls(tmp_path)
    steps = [name for name in (step(call, folder) for call in calls) if name]
    once = [name for name, before in zip(steps, ["", *steps], strict=False) if name != before]
    save = ["write", "sync file", "rename", "sync folder", "acknowledge"]
    assert once == save * 3
    parents = (tmp_path / "labels" / "demo", tmp_path / "labels", tmp_path)
    first = next(i for i, call in enumerate(calls) if "acknowledged " in call.rest)
    synced = [call.rest for call in calls[:first] if call.name == "fsync"]
    for parent in parents:  # the new folders' names are durable as well
        assert any(f"<{parent}>" in rest for rest in synced)
