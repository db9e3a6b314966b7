"""The story of the mill in a library, with an able model at hand."""

from __future__ import annotations

import pytest

from store.models.story import Story
from store.open import Store
from tests.desk import Desk
from tests.graph_flow.telling.mystery.mill import in_library


@pytest.fixture
def mill(able: Desk, story_store: Store) -> Story:
    """The story of the mill, with clues that suffice."""
    story = able.story(premise="A miller is drowned.")
    in_library(story_store, able.branch(story))
    return able.workbench.library.story(story.id)
