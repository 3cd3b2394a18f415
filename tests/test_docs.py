"""The README is true: its commands run, its tables name what there is, its output is real."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from judge.cli.main import main
from judge.exchange.exporting import format_names
from judge.scoring.measures import MEASURES
from judge.tui.actions import JUDGING

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_tour_runs_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_WORKSPACE", raising=False)
    assert main(["demo", "-q"]) == 0
    commands = 0
    for block in blocks("console"):
        for chunk in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = chunk.partition("\n")
            words = shlex.split(command)
            assert words[0] == "judge"
            capsys.readouterr()
            assert main(words[1:]) == 0, command
            assert capsys.readouterr().out == shown.rstrip("\n") + ("\n" if shown.strip() else "")
            commands += 1
    assert commands == 3


def test_every_command_shown_exists_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    lines += re.findall(r"`(judge [a-z]+ [^`]*)`", README)
    assert len(lines) > 10
    for line in lines:
        words = shlex.split(line, comments=True)
        if words[1].startswith("-"):
            continue
        capsys.readouterr()
        assert main([words[1], "--help"]) == 0, line
        known = capsys.readouterr().out
        for word in words[2:]:
            if word.startswith("--"):
                assert f"{word} " in known, line


def test_formats_measures_and_keys_are_those_of_the_program() -> None:
    listed = re.findall(r"^\| `([a-z-]+)` \|", section("Formats"), re.MULTILINE)
    assert sorted(listed) == sorted(format_names())
    table = re.findall(r"^\| (`[A-Za-z_` ]+`) \|", section("Measures"), re.MULTILINE)
    measures = [name for names in table for name in re.findall(r"\w+", names)]
    assert sorted(measures) == sorted(MEASURES)
    keys = re.findall(r"^\| `(.+?)` \| (.+) \|$", section("Keys while judging"), re.MULTILINE)
    assert keys == [(action.shown_keys, action.help) for action in JUDGING]


def test_every_command_is_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    shown = capsys.readouterr().out.partition("Commands:\n")[2]
    commands = re.findall(r"^  ([a-z-]+)  ", shown, re.MULTILINE)
    assert len(commands) == 12
    for command in commands:
        assert f"| `judge {command}" in section("Commands"), command


def test_no_line_is_wider_than_a_page() -> None:
    wide = [line for line in README.splitlines() if len(line) > 110 and not line.startswith("|")]
    assert not wide
