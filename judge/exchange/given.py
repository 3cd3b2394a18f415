"""Which judgments come along with a dataset, and under whose name they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from judge.core.workspace import NOT_PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterable

Given = Literal["import", "gold"]
"""The sources of judgments that come along: whoever made the collection, or its own authors."""


def annotator_of(source: Given) -> str:
    """The annotator in whose name judgments of a source are kept.

    >>> annotator_of("gold")
    'gold'
    """
    return {"import": "import", "gold": "gold"}[source]


def all_given(sources: Iterable[str]) -> bool:
    """Whether judgments of these sources have all come along with a dataset.

    >>> all_given(["import"]), all_given(["import", "human"])
    (True, False)
    """
    return set(sources) <= set(get_args(Given))


def nobody_judged(annotators: Iterable[str]) -> bool:
    """Whether nobody is among these annotators who could judge here.

    >>> nobody_judged(["import", "gold"]), nobody_judged(["ana"])
    (True, False)
    """
    return set(annotators) <= NOT_PEOPLE
