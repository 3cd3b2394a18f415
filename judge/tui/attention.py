"""Which card somebody was looking at when a key was pressed, and which keys nobody pressed."""

from __future__ import annotations

from collections import deque

HELD = 0.045
"""Seconds: the same key so soon again is held down (keyboards repeat every 30-40 ms)."""
AFTER_ESCAPE = 0.15
"""Seconds in which what follows a bare ESC may be a terminal's answer, not a person's key."""
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
            self._doubt = "key ignored: it came too soon after esc"
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
