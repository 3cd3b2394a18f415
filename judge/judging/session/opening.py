"""What is refused, told and resumed when a session opens is known only here."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from judge.core.errors import InputError, Problem, quoted
from judge.dataset.store import POOL_NAME, STAMP
from judge.judging.labels import VERDICT_OPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.core.model import Event, Query
    from judge.dataset.store import Dataset, Pooled
    from judge.judging.labels import Labels
    from judge.judging.session.lineup import Lineup
    from judge.judging.session.tally import Tally


def local_now() -> datetime:
    """The time, with the zone of this machine."""
    return datetime.now(UTC).astimezone()


def last_moment(labels: Labels) -> datetime | None:
    """When the last of all events was; None if there are none."""
    return max((event.at for event in labels.events), default=None)


def news(lineup: Lineup, tally: Tally, last: datetime | None) -> str:
    """How many documents wait that were pooled since the annotator was here; mostly nothing.

    Args:
        lineup: The candidates.
        tally: Their states.
        last: When the annotator did something last; None if never, to whom nothing is new.
    """
    if last is None:
        return ""
    later = {name for name in {slot.pool for slot in lineup.slots} if _is_later(name, last)}
    if not later:
        return ""
    count = sum(
        slot.pool in later and tally.state(place).kind == "unjudged"
        for place, slot in enumerate(lineup.slots)
    )
    return f"{count} new document{'s' if count > 1 else ''} since you were here" if count else ""


def _is_later(pool: str, last: datetime) -> bool:
    """Whether a pool was made after a moment; its name says when, to the second."""
    name = POOL_NAME.fullmatch(pool)
    return name is not None and name[1] > f"{last.astimezone(UTC):{STAMP}}"


def last_judged(done: Sequence[Sequence[Event]], lineup: Lineup, tally: Tally) -> int:
    """Where the candidate stands that was judged last and is not cleared since; -1 if none is."""
    for action in reversed(done):
        if action[0].op not in VERDICT_OPS:
            continue
        place = first_place(action, lineup)
        if place is not None and tally.state(place).kind != "unjudged":
            return place
    return -1


def first_place(action: Sequence[Event], lineup: Lineup) -> int | None:
    """Where the first pair of an action stands that is still a candidate; None if none is."""
    places = (lineup.find(event.query_id, event.doc_id) for event in action)
    return next((place for place in places if place is not None), None)


def strays(
    candidates: Mapping[str, Sequence[Pooled]], queries: Mapping[str, Query]
) -> tuple[str, ...]:
    """What to say of queries that are in the pool, but not in the dataset."""
    unknown = [query_id for query_id in candidates if query_id not in queries]
    if not unknown:
        return ()
    count = f"{len(unknown)} {'queries' if len(unknown) > 1 else 'query'}"
    return (f"the pool has candidates of {count} not in the dataset, such as {quoted(unknown[0])}",)


def refuse_unfit(dataset: Dataset, candidates: Mapping[str, Sequence[Pooled]]) -> None:
    """Refuse a dataset that cannot be judged, before anything is made."""
    served = (candidates[query.id] for query in dataset.queries if query.id in candidates)
    first = next((line[0] for line in served), None)
    if first is None:
        raise InputError(
            Problem(
                f"{dataset.name} has no candidates to judge",
                expected=f"a pool: `judge pool {dataset.name} --engine bm25 --depth 20` makes one",
            )
        )
    if dataset.document(first.doc_id).text is None:
        raise InputError(
            Problem(
                f"the documents of {dataset.name} have no text, so nobody can judge them",
                expected="documents with text; such a set can be scored, not judged",
            )
        )
