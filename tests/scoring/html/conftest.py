"""The made-up evaluation and its page, once for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.scoring.html import page
from tests.scoring.html.sample import sample
from tests.scoring.html.tree import Node, tree

if TYPE_CHECKING:
    from judge.scoring.html import PageData


@pytest.fixture(scope="session")
def data() -> PageData:
    return sample()


@pytest.fixture(scope="session")
def document(data: PageData) -> Node:
    return tree(page(data))
