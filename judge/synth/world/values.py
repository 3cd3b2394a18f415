"""How a value is written: money, days, dates, codes, rooms, hours, counts and telephone numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.synth.chance import Chance
    from judge.synth.lexicon import Lexicon

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
TYPES = ("money", "days", "date", "code", "room", "time", "count", "phone")


class Value(NamedTuple):
    """A value as it stands in a text.

    Attributes:
        text: Its letters, exactly.
        type: One of `TYPES`.
    """

    text: str
    type: str


def written(words: Lexicon, kind: str, chance: Chance) -> Value:
    """Draw a value of a type and write it as its language does."""
    values = words.values
    parts = _parts(values, kind, chance)
    text = chance.pick(values[kind]).format(**parts)
    return Value(_in_digits(text, values["digits"], kind), kind)


def other_type(kind: str, chance: Chance) -> str:
    """Draw a type that is another one."""
    return chance.pick([name for name in TYPES if name != kind])


def _parts(values: Mapping[str, tuple[str, ...]], kind: str, chance: Chance) -> dict[str, str]:
    if kind == "money":
        return {"amount": _amount(values, chance)}
    if kind == "date":
        return {"day": str(chance.between(1, 28)), "month": chance.pick(values["months"])}
    if kind == "time":
        opens = chance.between(7, 11)
        return {
            "from": _clock(values, opens, chance),
            "to": _clock(values, opens + chance.between(3, 9), chance),
        }
    if kind == "room":
        return {"n": str(chance.between(101, 989)), "side": chance.pick(values["sides"])}
    if kind == "code":
        return {"letter": chance.pick(LETTERS), "n": str(chance.between(11, 989))}
    if kind == "phone":
        return {"n": str(chance.between(10_200, 98_900))}
    low, high = {"days": (2, 89), "count": (2, 48)}[kind]
    return {"n": str(chance.between(low, high))}


def _amount(values: Mapping[str, tuple[str, ...]], chance: Chance) -> str:
    cents = chance.pick((0, 0, 0, 20, 50, 75, 90))
    whole = f"{chance.between(5, 1_940):,}".replace(",", str(values["thousands"]))
    return f"{whole}{values['decimal']}{cents:02}" if cents else whole


def _clock(values: Mapping[str, tuple[str, ...]], hour: int, chance: Chance) -> str:
    pattern = str(values["clock"])
    return pattern.format(hour=hour, minute=f"{15 * chance.below(4):02}")


def _in_digits(text: str, digits: str, kind: str) -> str:
    """Write the numbers in the digits of the language; codes are the same everywhere."""
    if digits == "0123456789" or kind == "code":
        return text
    return text.translate(str.maketrans("0123456789", digits))
