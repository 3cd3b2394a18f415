"""How a generated dataset gets onto the disk: whole, with its truth as gold judgments."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge.core.files import write_atomic
from judge.core.model import Judgment, Scale
from judge.dataset.build import stage
from judge.judging.given import Arrival
from judge.synth.card import card_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from judge.core.model import Document
    from judge.core.workspace import Workspace
    from judge.synth.seam import Asked, Kind, Request

    Progress = Callable[[int, int], None]

CARD = "card.md"


@dataclass(frozen=True)
class Generated:
    """What was made.

    Attributes:
        name: The dataset.
        kind: Which kind it is.
        counts: `documents`, `queries`, `judgments`, `hard negatives`.
        rows_sha256: Digest of all rows, whatever library writes them: see `row_digest`.
    """

    name: str
    kind: str
    counts: dict[str, int]
    rows_sha256: str

    def lines(self) -> list[str]:
        """The report for people."""
        counts = ", ".join(f"{count:,} {what}" for what, count in self.counts.items())
        return [f"{self.name}: made a {self.kind} set: {counts}", f"rows {self.rows_sha256[:16]}"]


def generate(
    workspace: Workspace,
    kind: Kind,
    request: Request,
    *,
    name: str,
    now: dt.datetime,
    licence: str = "",
    progress: Progress | None = None,
) -> Generated:
    """Make a dataset of a kind, all of it or nothing.

    Args:
        workspace: Where it will be.
        kind: What is made.
        request: How large, with which luck and dials.
        name: What to call it.
        now: Written into its gold judgments.
        licence: Of its texts.
        progress: Told of documents written, and how many there will be nearly.

    Raises:
        InputError: The request cannot be met, or the name may not become a path.
        DatasetError: The name is taken.
        OSError: The disk refused. The workspace is as before in every one of these cases.
    """
    arrival = Arrival(workspace, name, "gold", now)
    arrival.refuse_leftover()
    for name_of_dial in (*request.dials, *(dial.name for dial in kind.dials)):
        kind.dial(request, name_of_dial)
    made = kind.make(request)
    rows = _Rows()
    made_by = _made_by(kind, request, closed=made.closed)
    with stage(workspace, name) as staging, workspace.staged_labels(name) as labels:
        documents = rows.seen(made.documents())
        count = staging.write_documents(documents, _nearly(progress, request.size))
        asked = list(made.asked())
        staging.write_queries(one.query for one in asked)
        judged = rows.judged(asked)
        counts = {
            "documents": count,
            "queries": len(asked),
            "judgments": arrival.write(labels, judged, [json.dumps(made_by, sort_keys=True)]),
            "hard negatives": sum(len(one.hard_negatives) for one in asked),
        }
        made_by["generate"]["rows_sha256"] = rows.digest()
        card = card_of(kind, request, name, counts)
        write_atomic(staging.folder / CARD, card.encode("utf-8"))
        staging.publish(
            scale=Scale(),
            description=f"Synthetic: {kind.summary}.",
            licence=licence,
            made_by=made_by,
            inside=arrival.in_place(labels),
        )
    return Generated(name, kind.name, counts, rows.digest())


def _made_by(kind: Kind, request: Request, *, closed: bool) -> dict[str, Any]:
    return {
        "generate": {
            "kind": kind.name,
            "version": kind.version,
            "size": request.size,
            "queries": request.queries,
            "seed": request.seed,
            "languages": list(request.languages),
            "dials": {dial.name: kind.dial(request, dial.name) for dial in kind.dials},
            "closed": closed,
            "caveat": kind.caveat,
        }
    }


def _nearly(progress: Progress | None, size: int) -> Progress | None:
    """Tell how many documents there will be, which the writer cannot know."""
    if progress is None:
        return None
    return lambda done, _total: progress(done, max(size, done))


class _Rows:
    """A digest of all rows of a dataset, taken as they go by."""

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def seen(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Give documents on, and take them into the digest."""
        for document in documents:
            self._add(document.model_dump())
            yield document

    def judged(self, asked: Sequence[Asked]) -> Iterator[Judgment]:
        """Give the judgments of queries, and take both into the digest."""
        for one in asked:
            self._add(one.query.model_dump())
            name = one.query.id
            for doc_id, grade in sorted(one.grades.items()):
                self._add([name, doc_id, grade])
                yield Judgment(name, doc_id, grade)
            for doc_id, reason in sorted(one.hard_negatives.items()):
                self._add([name, doc_id, 0, reason])
                yield Judgment(name, doc_id, 0, hard_negative=True, note=reason)

    def _add(self, row: object) -> None:
        line = json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        self._sha.update(line.encode("utf-8", "surrogatepass") + b"\n")

    def digest(self) -> str:
        """Give the digest so far."""
        return self._sha.hexdigest()
