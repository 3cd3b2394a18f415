"""Everything that answers a query with ranked documents, behind one seam: `Engine`."""

from judge.engines.registry import ENGINES, EngineKind, manual, open_engine
from judge.engines.seam import Engine, Progress, best, run_engine

__all__ = [
    "ENGINES",
    "Engine",
    "EngineKind",
    "Progress",
    "best",
    "manual",
    "open_engine",
    "run_engine",
]
