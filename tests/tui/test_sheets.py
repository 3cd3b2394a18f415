"""How guidelines are laid out: paragraphs are joined, meant line breaks stay."""

from __future__ import annotations

import pytest

from judge.tui.sheets import guideline_entries


@pytest.mark.parametrize(
    ("markdown", "laid_out"),
    [
        ("one\ntwo\n\nthree", [("", "one two"), ("", ""), ("", "three")]),
        ("# How to\ngo **on**", [("", "How to"), ("", "go on")]),
        ("- a\n  b\n- c\n* d", [(" -", "a b"), (" -", "c"), (" -", "d")]),
        ("1. a\n   b\n12) c", [(" 1.", "a b"), (" 12)", "c")]),
        ("one  \ntwo\\\nthree", [("", "one"), ("", "two"), ("", "three")]),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            [("", "| a | b |"), ("", "|---|---|"), ("", "| 1 | 2 |")],
        ),
        ("x\n```\na  b\n  c\n```\ny\nz", [("", "x"), ("", "a  b"), ("", "  c"), ("", "y z")]),
        ("[/] [bold]\n\x1b[2J", [("", "[/] [bold] \x1b[2J")]),
        ("", []),
        ("-5 is no item\n3.5 neither", [("", "-5 is no item 3.5 neither")]),
    ],
)
def test_guidelines(markdown: str, laid_out: list[tuple[str, str]]) -> None:
    assert [(entry.lead, entry.text) for entry in guideline_entries(markdown)] == laid_out
