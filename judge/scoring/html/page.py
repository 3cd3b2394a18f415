"""How the whole page is put together, and what a browser is forbidden to do with it."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import TYPE_CHECKING

from judge.scoring.html.comparison import comparison
from judge.scoring.html.embedded import json_text, query_ids, script_data
from judge.scoring.html.failures import failures
from judge.scoring.html.markup import Html, element, foreign, joined
from judge.scoring.html.measures import measures
from judge.scoring.html.method import method
from judge.scoring.html.queries import queries, side_by_side
from judge.scoring.html.slices import slices
from judge.scoring.html.verdict import verdict

if TYPE_CHECKING:
    from judge.scoring.html.data import PageData

DATA_ID = "data"
"""Where the script finds its data."""

SECTIONS = {
    "verdict": "Verdict",
    "measures": "Measures",
    "slices": "Slices",
    "comparison": "Comparison",
    "failures": "Failures",
    "queries": "Queries",
    "side-by-side": "Side by side",
    "method": "How this was measured",
}
"""The parts of the page in their order, and what the way to each is called."""


def page(data: PageData) -> str:
    """One HTML document with everything in it, which never asks the network for anything.

    The answer comes first, what it rests on in detail last. All is plain HTML but the table of
    queries and the rankings side by side, which the script makes. All text of the data is
    only ever text: it is escaped, and the policy of the page runs no script but its own and has
    none write markup.

    Args:
        data: Everything that the page tells.

    Returns:
        The document; it encodes as UTF-8.
    """
    style, script = _resource("page.css"), _resource("page.js")
    places = {query_id: place for place, query_id in enumerate(query_ids(data))}
    parts = {
        "verdict": verdict(data),
        "measures": measures(data),
        "slices": slices(data),
        "comparison": comparison(data),
        "failures": failures(data, places),
        "queries": queries(data),
        "side-by-side": side_by_side(data),
        "method": method(data),
    }
    ways = [(part, words) for part, words in SECTIONS.items() if parts[part] is not None]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", data.title),
        element("style", style),
    )
    body = element(
        "body",
        element("a", "To the content", href="#content", class_="skip"),
        _header(data, ways),
        element("main", *parts.values(), id="content"),
        element("script", json_text(script_data(data)), type="application/json", id=DATA_ID),
        element("script", script),
    )
    return joined([Html("<!doctype html>\n"), element("html", head, body, lang="en"), Html("\n")])


def _header(data: PageData, ways: list[tuple[str, str]]) -> Html:
    made = data.made_at.isoformat(timespec="seconds")
    when = element("time", data.made_at.strftime("%Y-%m-%d %H:%M %Z").strip(), datetime=made)
    links = [element("li", element("a", words, href=f"#{part}")) for part, words in ways]
    return joined(
        [
            element(
                "header", foreign(data.title, "h1"), element("p", "Made ", when, class_="note")
            ),
            element("nav", element("ul", *links), aria_label="Sections"),
        ]
    )


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, nothing else runs, and no script may turn text into markup."""
    rules = {
        "default-src": "'none'",
        "style-src": _source(style),
        "script-src": _source(script),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _resource(name: str) -> Html:
    return Html(resources.files("judge.scoring.html").joinpath(name).read_text("utf-8"))
