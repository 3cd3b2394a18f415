"""Sentences about nothing: made by a grammar, so that pages differ in more than their facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.synth.chance import Chance

_SYMBOL = re.compile(r"\{(\w+)\}")


class Filler:
    """A grammar: symbol -> what may stand for it; `start` is a sentence.

    Args:
        rules: Symbols in braces stand for one of their alternatives.

    >>> from judge.synth.chance import Chance
    >>> Filler({"start": ("{who} waits.",), "who": ("Ana",)}).sentence(Chance(1))
    'Ana waits.'
    """

    def __init__(self, rules: Mapping[str, tuple[str, ...]]) -> None:
        self._rules = {
            symbol: [_SYMBOL.split(alternative) for alternative in alternatives]
            for symbol, alternatives in rules.items()
        }

    def sentence(self, chance: Chance) -> str:
        """Draw a sentence; it begins with a capital where there are any."""
        text = self._expanded("start", chance)
        return text[:1].upper() + text[1:]

    def _expanded(self, symbol: str, chance: Chance) -> str:
        parts = chance.pick(self._rules[symbol])
        if len(parts) == 1:
            return parts[0]
        # Every other part is a symbol.
        return "".join(
            self._expanded(part, chance) if at % 2 else part for at, part in enumerate(parts)
        )
