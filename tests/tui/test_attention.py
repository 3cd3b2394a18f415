"""Which card a key was meant for."""

from __future__ import annotations

import pytest

from judge.tui.attention import NOTHING, Answers, Attention, Keyboard


def test_a_key_belongs_to_the_card_that_was_on_screen_when_it_was_pressed() -> None:
    eyes = Attention()
    assert eyes.at(10.0) == NOTHING
    eyes.painted(1, at=10.0)
    eyes.painted(2, at=20.0)
    assert [eyes.at(t) for t in (9.9, 10.0, 19.9, 20.0, 99.0)] == [NOTHING, 1, 1, 2, 2]


def test_old_cards_are_forgotten_but_never_mistaken() -> None:
    eyes = Attention()
    for token in range(100):
        eyes.painted(token, at=float(token))
    assert eyes.at(99.5) == 99
    assert eyes.at(3.5) == NOTHING


def test_a_key_held_down_is_doubted() -> None:
    keyboard = Keyboard()
    doubts = []
    for at in (1.0, 1.5, 1.533, 1.566, 1.7):
        keyboard.press("3", at)
        doubts.append(bool(keyboard.doubt))
    assert doubts == [False, False, True, True, False]


def test_two_different_keys_may_follow_fast() -> None:
    keyboard = Keyboard()
    keyboard.press("3", 1.0)
    keyboard.press("2", 1.01)
    assert not keyboard.doubt


def test_what_follows_an_escape_at_once_is_doubted() -> None:
    keyboard = Keyboard()
    keyboard.press("escape", 1.0)
    assert not keyboard.doubt
    for at, doubted in ((1.01, True), (1.1, True), (1.2, False)):
        keyboard.press(str(at), at)
        assert bool(keyboard.doubt) is doubted


def noise(*presses: tuple[str, float]) -> list[bool]:
    """Say which of these keys are taken for what a terminal answered."""
    answers = Answers()
    unprinted = ("escape", "enter", "alt+left_square_bracket")
    return [answers.are_heard(key, at, is_text=key not in unprinted) for key, at in presses]


def test_an_answer_whose_start_came_long_after_its_escape_is_noise() -> None:
    # ESC, half a second, then "[3;3R" in one piece: its first character cannot be told from a key.
    keys = ("left_square_bracket", "3", "semicolon", "3", "R")
    presses = [("escape", 1.0), *((key, 1.5 + n / 1000) for n, key in enumerate(keys))]
    assert noise(*presses) == [False, False, True, True, True, True]
    # What comes later is a person's again.
    assert noise(*presses, ("3", 1.6)) == [False, False, True, True, True, True, False]


@pytest.mark.parametrize(
    "first", ["alt+left_square_bracket", "left_square_bracket", "circumflex_accent"]
)
def test_an_answer_whose_escape_was_swallowed_is_noise(first: str) -> None:
    presses = [(first, 1.0), ("greater_than_sign", 1.0), ("1", 1.001), ("c", 1.002)]
    assert noise(*presses) == [False, True, True, True]


def test_a_person_may_leave_a_sheet_and_go_to_the_query_before_it() -> None:
    assert not any(noise(("escape", 1.0), ("left_square_bracket", 1.3), ("3", 1.45)))
    assert not any(noise(("j", 1.0), ("3", 1.001)))
    assert not any(noise(("left_square_bracket", 1.0), ("enter", 1.01), ("3", 1.02)))
