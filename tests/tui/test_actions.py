"""The table of actions: no key means two things, and every action exists."""

from __future__ import annotations

import pytest

from judge.tui.actions import (
    AGREEMENT,
    DATASETS,
    HELP,
    JUDGING,
    OPENING,
    QUERIES,
    SCORES,
    Action,
    clashes,
    key_bar,
)
from judge.tui.screens.agreement import AgreementScreen
from judge.tui.screens.datasets import DatasetsScreen
from judge.tui.screens.help import HelpScreen
from judge.tui.screens.judging import JudgingScreen
from judge.tui.screens.opening import OpeningScreen
from judge.tui.screens.queries import QueriesScreen
from judge.tui.screens.scores import ScoresScreen
from judge.tui.sheets import key_blocks

SCREENS = [
    (DATASETS, DatasetsScreen),
    (QUERIES, QueriesScreen),
    (JUDGING, JudgingScreen),
    (HELP, HelpScreen),
    (OPENING, OpeningScreen),
    (SCORES, ScoresScreen),
    (AGREEMENT, AgreementScreen),
]


@pytest.mark.parametrize(("actions", "screen"), SCREENS)
def test_no_key_means_two_things(actions: tuple[Action, ...], screen: type) -> None:
    del screen
    assert clashes(actions) == []


@pytest.mark.parametrize(("actions", "screen"), SCREENS)
def test_every_action_exists(actions: tuple[Action, ...], screen: type) -> None:
    for action in actions:
        assert callable(getattr(screen, f"action_{action.name}"))


@pytest.mark.parametrize(("actions", "screen"), SCREENS)
def test_the_help_lists_every_key(actions: tuple[Action, ...], screen: type) -> None:
    del screen
    leads = {e.lead.strip() for block in key_blocks(actions) for e in block.left + block.right}
    assert {action.shown_keys for action in actions} < leads


def test_clashes_are_found() -> None:
    twice = (
        Action("one", ("a", "b"), "", "", "Go"),
        Action("two", ("b",), "", "", "Go"),
    )
    assert clashes(twice) == ["b"]


def test_the_key_bar_begins_with_what_is_needed_most() -> None:
    assert [keys for _, keys, _ in key_bar(JUDGING)][:3] == ["?", "u", "j k"]


def test_no_key_needs_alt_or_a_function_key() -> None:
    keys = {key for actions, _ in SCREENS for action in actions for key in action.keys}
    assert not [k for k in keys if k.startswith(("alt+", "f1", "ctrl+shift", "super+"))]
