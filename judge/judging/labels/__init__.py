"""The label store: how events get to disk and back, and what they mean, is known only here."""

from judge.judging.labels.events import (
    OPS,
    SCHEMA,
    SOURCES,
    STATE_COLUMNS,
    STATE_OPS,
    VERDICT_OPS,
    action_of,
    new_session_id,
    recorded,
)
from judge.judging.labels.fold import UNJUDGED, Fold, Pair, PairState, fold, ordered
from judge.judging.labels.reading import Labels, read_labels, without_collector
from judge.judging.labels.saver import Saver
from judge.judging.labels.segments import SEGMENT_ROWS, SegmentWriter

__all__ = [
    "OPS",
    "SCHEMA",
    "SEGMENT_ROWS",
    "SOURCES",
    "STATE_COLUMNS",
    "STATE_OPS",
    "UNJUDGED",
    "VERDICT_OPS",
    "Fold",
    "Labels",
    "Pair",
    "PairState",
    "Saver",
    "SegmentWriter",
    "action_of",
    "fold",
    "new_session_id",
    "ordered",
    "read_labels",
    "recorded",
    "without_collector",
]
