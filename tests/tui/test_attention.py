"""Which card a key was meant for."""

from __future__ import annotations

from judge.tui.attention import NOTHING, Attention, Keyboard


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
