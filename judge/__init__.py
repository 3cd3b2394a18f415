"""judge: relevance judgments made in a terminal, and what they say about search systems.

The public names are resolved on first use (PEP 562), so that importing `judge` costs nothing.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.core.errors import JudgeError
    from judge.core.model import Document, Query, Scale
    from judge.core.tables import Qrels, Run

__all__ = ["Document", "JudgeError", "Qrels", "Query", "Run", "Scale", "__version__"]
__version__ = "0.1.0"

_HOME = {
    "JudgeError": "judge.core.errors",
    "Document": "judge.core.model",
    "Query": "judge.core.model",
    "Scale": "judge.core.model",
    "Qrels": "judge.core.tables",
    "Run": "judge.core.tables",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'judge' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
