"""How text and numbers become HTML that can only ever be read as text and numbers."""

from __future__ import annotations

import html
import math
import re
from typing import TYPE_CHECKING

from judge.core.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

DIGITS = 4
"""Decimals of a value as it is shown; the whole value stands in its title."""

SAME = 1e-9
"""A difference that is no greater is none."""

NO_VALUE = "n/a"
VOID = frozenset({"meta", "input", "br"})
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")

Attribute = str | int | float | bool | None


class Html(str):
    """Text that is markup already; any other string is escaped on its way into the page."""

    __slots__ = ()


def element(tag: str, *children: str | None, **attributes: Attribute) -> Html:
    """One element; nothing that stands in a string can end it or start another.

    Args:
        tag: Its name.
        children: Markup as it is, other strings escaped and with their controls made visible;
            None is left out.
        attributes: `class_` is written `class`, `data_query` is written `data-query`; True stands
            as a bare name, False and None are left out.

    >>> element("p", "a < b", element("br"), class_="note", hidden=True)
    '<p class="note" hidden>a &lt; b<br></p>'
    """
    opening = tag + "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        return Html(f"<{opening}>")
    return Html(f"<{opening}>{joined(children)}</{tag}>")


def joined(parts: Iterable[str | None]) -> Html:
    """Markup and texts after each other.

    >>> joined(["&", None, Html("<b>")])
    '&amp;<b>'
    """
    return Html("".join(_escaped(part) for part in parts if part is not None))


def foreign(text: str, tag: str = "bdi", *, language: str = "", **attributes: Attribute) -> Html:
    """Text from data: its writing direction is its own and does not reach its neighbours.

    Args:
        text: Any text.
        tag: What holds it.
        language: Of the text, BCP 47; one that is not well formed or unknown is left out.
        attributes: As for `element`.

    >>> foreign("नमस्ते", language="hi")
    '<bdi dir="auto" lang="hi">नमस्ते</bdi>'
    """
    return element(tag, text, dir="auto", lang=language_tag(language), **attributes)


def language_tag(language: str) -> str | None:
    """A language as the attribute `lang` takes it; None if it would say nothing."""
    known = language != "und" and _LANGUAGE.fullmatch(language)
    return language if known else None


def number(value: float | None, *, sign: bool = False) -> Html:
    """A value with four decimals, in whole in its title; `n/a` where there is none.

    Args:
        value: Any.
        sign: It is a difference: it has its sign, and none at all is a bare 0.

    >>> number(0.123456)
    '<data value="0.123456" title="0.123456">0.1235</data>'
    >>> number(0.0, sign=True)
    '<data value="0.0" title="0.0">0</data>'
    """
    if value is None or not math.isfinite(value):
        return element("span", NO_VALUE, class_="none", title="no value")
    signed = f"{value:{'+' if sign else ''}.{DIGITS}f}"
    text = "0" if sign and abs(value) <= SAME else signed
    return element("data", text, value=repr(value), title=repr(value))


def percent(share: float | None) -> Html:
    """A share with one decimal; 0 and 100 are written only where they are exact.

    >>> percent(0.99999)
    '<data value="0.99999" title="0.99999">99.9 %</data>'
    """
    if share is None or not math.isfinite(share):
        return element("span", NO_VALUE, class_="none", title="no value")
    tenths = round(1000 * share)
    if 0 < share < 1:
        tenths = min(max(tenths, 1), 999)
    return element("data", f"{tenths / 10:.1f} %", value=repr(share), title=repr(share))


def count(things: int | None) -> str:
    """A whole number in groups of three digits.

    >>> count(12345)
    '12,345'
    """
    return NO_VALUE if things is None else f"{things:,}"


def _escaped(text: str) -> str:
    return text if isinstance(text, Html) else html.escape(shown(text, lines=True))


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(shown(str(value)))}"'
