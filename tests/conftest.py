"""Fixtures that many rooms share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.core.workspace import Workspace


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real collections beside a checkout; tests that read them skip where they are absent."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("JUDGE_SHARED_DATA", default))
    if not folder.is_dir():
        pytest.skip("the shared collections are not beside this checkout (JUDGE_SHARED_DATA)")
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace."""
    return Workspace(tmp_path / "workspace")
