"""Fixtures of the telling: a desk whose model is able."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from store.open import Store
from tests.desk import Desk
from tests.graph_flow.telling.bridge import telling


@pytest.fixture
def able(able_desk: Desk) -> Desk:
    """A desk with an able model, which tells the story of the bridge."""
    able_desk.server.answer = telling()
    return able_desk


@pytest.fixture
def story_store(able: Desk) -> Iterator[Store]:
    """The same library, to look into."""
    opened = Store.open(able.library)
    yield opened
    opened.close()
