"""What the script of the page is given: one JSON text in columns, which no string can end."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.core.text import shown
from judge.scoring.failures.order import natural
from judge.scoring.html.markup import Html, language_tag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.scoring.html.data import JSON, PageData, Shown

_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def script_data(data: PageData) -> JSON:
    """The values and rankings as the script reads them: by places, every text once.

    Returns:
        `runs` and `measures`: names. `queries`: `[id, text]`. `values`: [run][measure][query],
        null for no value. `documents`: `[id, title, language]`. `snippets`: texts. `tops`: [run],
        for each query by its place a list of `[document, snippet, score, grade, hard negative]`.
        `grades`: words of each grade, empty where it has none. `relevantFrom`.
    """
    runs, measures = data.report["runs"], data.report["measures"]
    ids = query_ids(data)
    texts = _Texts({}, {})
    tops = [_tops(data.tops.get(run["run"], {}), ids, texts) for run in runs]
    return {
        "runs": [shown(run["run"]) for run in runs],
        "measures": [shown(name) for name in measures],
        "queries": [[shown(i), shown(data.query_texts.get(i, ""))] for i in ids],
        "values": [_values(run.get("queries", {}), measures, ids) for run in runs],
        "tops": tops,
        "documents": [
            [shown(first.doc_id), shown(first.title), language_tag(first.language) or ""]
            for _, first in texts.documents.values()
        ],
        "snippets": [shown(text, lines=True) for text in texts.snippets],
        "grades": {str(grade): shown(words) for grade, words in _grades(data).items()},
        "relevantFrom": data.relevant_from,
    }


def query_ids(data: PageData) -> list[str]:
    """Every query that has values or a ranking, the numbers in its id by size."""
    runs = data.report["runs"]
    scored = (query for run in runs for query in run.get("queries", ()))
    ranked = (query for run in runs for query in data.tops.get(run["run"], ()))
    return sorted({*scored, *ranked}, key=natural)


def json_text(value: JSON) -> Html:
    r"""Strict JSON that can stand in a `script` element: no string of it ends the element.

    >>> print(json_text({"a": "</script><!--"}))
    {"a":"\u003c/script\u003e\u003c!--"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Html(text.translate(_ESCAPES))


class _Texts(NamedTuple):
    """What many rankings share: the place of each, in the order of first use.

    Attributes:
        documents: For each id its place and where it was first met.
        snippets: For each text its place.
    """

    documents: dict[str, tuple[int, Shown]]
    snippets: dict[str, int]


def _values(
    queries: Mapping[str, Mapping[str, float | None]], measures: Sequence[str], ids: Sequence[str]
) -> list[list[float | None]]:
    """For each measure the value of each query."""
    return [[_finite(queries.get(i, {}).get(name)) for i in ids] for name in measures]


def _tops(
    rankings: Mapping[str, Sequence[Shown]], ids: Sequence[str], texts: _Texts
) -> dict[str, list[list[Any]]]:
    return {
        str(query): [_entry(hit, texts) for hit in rankings[query_id]]
        for query, query_id in enumerate(ids)
        if query_id in rankings
    }


def _entry(hit: Shown, texts: _Texts) -> list[Any]:
    document, _ = texts.documents.setdefault(hit.doc_id, (len(texts.documents), hit))
    snippet = texts.snippets.setdefault(hit.snippet, len(texts.snippets))
    return [document, snippet, _finite(hit.score), hit.grade, hit.hard_negative]


def _grades(data: PageData) -> dict[int, str]:
    """Every grade of the scale or of a document shown, with its words."""
    given = {
        hit.grade
        for rankings in data.tops.values()
        for hits in rankings.values()
        for hit in hits
        if hit.grade is not None and hit.grade >= 0
    }
    return {grade: data.grade_labels.get(grade, "") for grade in {*data.grade_labels, *given}}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
