"""The same page data with a hostile string in every string of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from judge.scoring.html import Shown

if TYPE_CHECKING:
    from judge.scoring.html import PageData

HOSTILE = (
    "</script><script>alert(1)</script><!-- --><!--<script>"
    "<img src=x onerror=alert(2)><img src='https://evil.example/a.png'>"
    '"\'` onmouseover=alert(3) <a href="javascript:alert(4)">link</a>'
    "</style><style>*{background:url(https://evil.example/b.png)}</style>"
    "}*{background:url(https://evil.example/c.png)}</title></noscript>"
    "<svg onload=alert(5)><iframe src=//evil.example></iframe>&lt;script&gt;"
    "\u202e\u2028\u2029\x1b[31m\x00\ud800"
)
KEYED = {"measures": 1, "queries": 2, "settings": 1, "labels": 1, "diagnoses": 1, "primary": 1}
"""Where keys are data too, and down to which depth."""


def planted(data: PageData, bad: str = HOSTILE) -> PageData:
    """Append a string to every string that comes from outside, keys included."""
    tops = {
        run + bad: {
            query + bad: [
                hit._replace(**{name: getattr(hit, name) + bad for name in Shown._fields[:4]})
                for hit in hits
            ]
            for query, hits in rankings.items()
        }
        for run, rankings in data.tops.items()
    }
    return replace(
        data,
        title=data.title + bad,
        report=_planted(data.report, bad),
        tops=tops,
        query_texts={query + bad: text + bad for query, text in data.query_texts.items()},
        grade_labels={grade: words + bad for grade, words in data.grade_labels.items()},
        failures=[_planted(document, bad) for document in data.failures],
        comparison=_planted(data.comparison, bad),
    )


def _planted(value: Any, bad: str, depth: int = 0) -> Any:
    if isinstance(value, str):
        return value + bad
    if isinstance(value, list):
        return [_planted(part, bad) for part in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for key, part in value.items():
        # The matrix of languages must be reached too, so its name stays.
        fixed = key == "by" and part == "language-pair"
        deeper = depth - 1 if depth else KEYED.get(key, 0)
        made[key + bad if depth else key] = part if fixed else _planted(part, bad, deeper)
    return made
