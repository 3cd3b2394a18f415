"""Which card somebody was looking at when a key was pressed, and which keys nobody pressed."""

from __future__ import annotations

from collections import deque

HELD = 0.045
"""Seconds: the same key so soon again is held down (keyboards repeat every 30-40 ms)."""
AFTER_ESCAPE = 0.15
"""Seconds in which what follows a bare ESC may be a terminal's answer, not a person's key."""
TOGETHER = 0.03
"""Seconds between the characters of an answer at most, which come in one piece."""
ANSWERS = frozenset(
    ("left_square_bracket", "right_square_bracket", "P", "O", "circumflex_accent", "low_line")
)
"""The keys that an answer begins with, after its ESC or in the place of it."""
TOO_SOON = "key ignored: it came too soon after esc"
NOTHING = -1
"""The token of no card."""


class Attention:
    """Remembers when which card was painted.

    All times are seconds of the monotonic clock, that of Textual's events.
    """

    def __init__(self) -> None:
        self._painted: deque[tuple[int, float]] = deque(maxlen=8)

    def painted(self, token: int, at: float) -> None:
        """Note that the card with this token is on screen from now on."""
        self._painted.append((token, at))

    def at(self, pressed: float) -> int:
        """Give the token of the card that was on screen when a key was pressed.

        >>> eyes = Attention()
        >>> eyes.painted(7, at=2.0)
        >>> eyes.at(1.9), eyes.at(2.1)
        (-1, 7)
        """
        for token, since in reversed(self._painted):
            if since <= pressed:
                return token
        return NOTHING


class Keyboard:
    """Tells keys that a person pressed from those that come by themselves."""

    def __init__(self) -> None:
        self.pressed = 0.0
        self._key = ""
        self._escaped = -1.0
        self._doubt = ""

    def press(self, key: str, at: float) -> None:
        """Note a key; `doubt` speaks of this one from now on."""
        if at - self._escaped < AFTER_ESCAPE and key != "escape":
            self._doubt = TOO_SOON
        elif key == self._key and at - self.pressed < HELD:
            self._doubt = "key ignored: it is held down"
        else:
            self._doubt = ""
        if key == "escape":
            self._escaped = at
        self._key, self.pressed = key, at

    @property
    def doubt(self) -> str:
        """Why the last key should not judge anything; empty if it may.

        >>> keyboard = Keyboard()
        >>> keyboard.press("3", at=1.0)
        >>> keyboard.doubt
        ''
        >>> keyboard.press("3", at=1.03)
        >>> keyboard.doubt
        'key ignored: it is held down'
        """
        return self._doubt


class Answers:
    """Tells the characters of a terminal's answer from keys that a person pressed.

    An answer starts with ESC. One that Textual does not understand comes as keys, mostly without
    that ESC; on a slow line the ESC is a key of its own, and the rest comes long after it.
    """

    def __init__(self) -> None:
        self._heard = self._escaped = -1.0
        self._answering = False

    def are_heard(self, key: str, at: float, *, is_text: bool) -> bool:
        """Whether this key, the next one that came in, is none; all keys must be given in order.

        Args:
            key: Its name.
            at: When it came, in seconds of the monotonic clock.
            is_text: Whether it is a printable character; other keys never are an answer.

        >>> answers = Answers()
        >>> answers.are_heard("escape", 1.0, is_text=False)
        False
        >>> answers.are_heard("3", 1.01, is_text=True)
        True
        """
        since, self._heard = at - self._heard, at
        # Nobody needs alt here: the terminal's ESC and the character after it make such a key.
        if key == "escape" or key.startswith("alt+"):
            self._escaped, self._answering = at, key != "escape"
        elif not is_text:
            self._answering = False
        elif at - self._escaped < AFTER_ESCAPE or (self._answering and since < TOGETHER):
            return True
        else:
            self._answering = key in ANSWERS
        return False
